package memvars

import "github.com/talewright/talewright/memvars/tree"

// The files pass_*.go implement the automatic rules. After the commands of a message: the inventory, the
// derived fields and the limit of the difficulty. At the end of a turn: the clock, the task, stocks,
// summaries and green lights. [Passes] says when each runs. This file has the data that they share.

// turnPasses is the work at the end of a turn. Its methods clock, timer, resources, summaries and
// greenLights are the passes; see [Passes].
type turnPasses struct {
	*run
	base   Baseline
	window []Turn // the newest last, including this turn
	// sees reports whether a round that only some characters heard counts; nil: no such round
	// counts.
	sees func(witnesses []string) bool
}

// Baseline is the part of a document that the end of a turn compares with.
type Baseline struct {
	Era       string     `json:"era,omitempty"`
	Date      string     `json:"date,omitempty"`
	Time      string     `json:"time,omitempty"`
	World     tree.Value `json:"world,omitzero"` // name of the world
	TimeLimit tree.Value `json:"time_limit,omitzero"`
	// Small and Big are the entries of the short and the long memory.
	Small tree.Value `json:"small,omitzero"`
	Big   tree.Value `json:"big,omitzero"`
	// CleanSmall and CleanBig are the flags that ask for a clean-up of these memories.
	CleanSmall bool `json:"clean_small_flag,omitempty"`
	CleanBig   bool `json:"clean_big_flag,omitempty"`
}

// Turn is the text of one round.
type Turn struct {
	Reply  string   `json:"reply"`            // of the model, raw, commands included
	Player []string `json:"player,omitempty"` // the player's messages before it
	// Witnesses are the only characters who heard the round, in the host's own names; empty:
	// everybody. Green lights ignore such a round, except for viewers: see [System.LightsFor].
	Witnesses []string `json:"witnesses,omitempty"`
}

// status returns the path of a place of the status module.
func (r *turnPasses) status(p tree.Path) tree.Path { return withinModule(r.sys.profile.Status, p) }
