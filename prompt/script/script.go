package script

import (
	"encoding/json"
	"math"

	"github.com/talewright/talewright/internal/openjson"
)

// Script is one search-and-replace script. Its JSON is that of the program's files;
// members that it does not know are kept.
type Script struct {
	ID      string
	Name    string // shown to people; names need not be unique
	Find    string // the pattern, /body/flags or the body alone
	Replace string // may have groups and macros
	// Trim is cut from every group and match that the replacement inserts: plain
	// texts, every occurrence, one after the other. They may have macros.
	Trim []string
	// Placement lists the kinds of text that it is for; none fits nothing.
	Placement []Placement
	Disabled  bool
	Display   bool // changes what is shown
	Prompt    bool // changes what the model reads
	OnEdit    bool // runs also when a text is edited
	Macros    MacroMode
	// MinDepth and MaxDepth bound the depth of a message, where the caller knows it;
	// nil, a MinDepth below -1 and a MaxDepth below 0 are no bound.
	MinDepth, MaxDepth *float64
	Extra              openjson.Extra
}

// Placement is a kind of text.
type Placement int

// The kinds of text. Old files have two more, 0 and 4, which [Decode] converts.
const (
	UserInput    Placement = 1
	AIOutput     Placement = 2
	SlashCommand Placement = 3
	WorldInfo    Placement = 5
	Reasoning    Placement = 6

	oldDisplay Placement = 0
	oldSendAs  Placement = 4
)

// MacroMode says what is done with macros in a pattern. They are expanded once for
// each run of the script.
type MacroMode int

// The modes.
const (
	NoMacros      MacroMode = 0 // braces are part of the pattern
	RawMacros     MacroMode = 1 // what a macro gives is part of the pattern
	EscapedMacros MacroMode = 2 // what a macro gives matches itself
)

// wire is the form of the files.
type wire struct {
	ID        string   `json:"id"`
	Name      string   `json:"scriptName"`
	Find      string   `json:"findRegex"`
	Replace   string   `json:"replaceString"`
	Trim      []string `json:"trimStrings"`
	Placement []int    `json:"placement"`
	Disabled  bool     `json:"disabled"`
	Display   bool     `json:"markdownOnly"`
	Prompt    bool     `json:"promptOnly"`
	OnEdit    bool     `json:"runOnEdit"`
	Macros    int      `json:"substituteRegex"`
	MinDepth  *float64 `json:"minDepth"`
	MaxDepth  *float64 `json:"maxDepth"`
}

// MarshalJSON writes all members, as the program's editor does, then the unknown ones.
func (s Script) MarshalJSON() ([]byte, error) {
	w := wire{
		ID: s.ID, Name: s.Name, Find: s.Find, Replace: s.Replace, Trim: s.Trim,
		Placement: []int{}, Disabled: s.Disabled, Display: s.Display, Prompt: s.Prompt,
		OnEdit: s.OnEdit, Macros: int(s.Macros), MinDepth: s.MinDepth, MaxDepth: s.MaxDepth,
	}
	if w.Trim == nil {
		w.Trim = []string{}
	}
	for _, p := range s.Placement {
		w.Placement = append(w.Placement, int(p))
	}
	for _, depth := range [...]**float64{&w.MinDepth, &w.MaxDepth} {
		if d := *depth; d != nil && (math.IsNaN(*d) || math.IsInf(*d, 0)) {
			*depth = nil // no bound, as it plays
		}
	}
	return openjson.Encode(w, s.Extra)
}

// UnmarshalJSON reads a script as the program does: members of odd types have the
// value that it makes of them. [Decode] also reports them.
func (s *Script) UnmarshalJSON(data []byte) error {
	_, err := s.read(data)
	return err
}

// oddity is a member of another type than it should be.
type oddity struct{ member, text string }

// read reads a script and what is odd in it.
func (s *Script) read(data []byte) ([]oddity, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	r := reader{members: all}
	*s = Script{
		ID: r.text("id"), Name: r.text("scriptName"), Find: r.text("findRegex"),
		Replace: r.text("replaceString"), Trim: r.texts("trimStrings"),
		Placement: r.placements("placement"), Disabled: r.truth("disabled"),
		Display: r.truth("markdownOnly"), Prompt: r.truth("promptOnly"), OnEdit: r.truth("runOnEdit"),
		Macros: r.mode("substituteRegex"), MinDepth: r.depth("minDepth"), MaxDepth: r.depth("maxDepth"),
	}
	if len(r.members) > 0 {
		s.Extra = r.members
	}
	return r.odd, nil
}
