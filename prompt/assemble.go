package prompt

import (
	"fmt"
)

// Assemble builds the messages of one request. It is a pure function: the same
// arguments give the same bytes, nothing of them is changed, and nothing but
// env.Random is consumed. It may run any number of times at once, as long as
// each call has its own counter cache, template cache and random source.
//
// In order: every text is expanded once; blocks are put into the slots of the
// layout, those with a depth into the chat; required parts take their room;
// what is left competes for the rest by its keep, larger first, then in the
// order of the layout and, in the history, newest first. A block that does not
// fit is cut to whole lines if it may be, else dropped, and smaller ones behind
// it are still tried; the history ends at the first line that does not fit. At
// last the messages are written, and their size is counted once more: it is
// never above the room. The [Report] tells the fate of every block.
//
// The error wraps [talewright.Problems] with all mistakes of the layout, or a
// [*BudgetError] (errors.Is [ErrBudget]) if the required parts alone exceed the
// room. No text of a player or a model causes an error.
func Assemble(layout Layout, in Input, env Env, budget Budget) (Result, error) {
	if err := layout.Check().Err(); err != nil {
		return Result{}, fmt.Errorf("prompt: bad layout: %w", err)
	}
	d := collect(layout, &in, env)
	d.expand()
	c, err := choose(d, budget)
	if err != nil {
		return Result{}, err
	}
	return c.finish()
}

// finish writes the messages. Should they be larger than the sum of their
// parts, what was chosen last is given up until they fit.
func (c *chooser) finish() (Result, error) {
	for {
		e := c.d.emit()
		total := 0
		for i, m := range e.messages {
			e.origins[i].Tokens = c.message(m)
			total += e.origins[i].Tokens
		}
		if c.room < 0 || total <= c.room {
			return c.result(e, total), nil
		}
		if !c.giveUp(total - c.room) {
			return Result{}, c.tooLarge(total)
		}
	}
}

// result collects what the stages have found.
func (c *chooser) result(e *emitter, total int) Result {
	d := c.d
	r := Result{
		Messages: e.messages, Origins: e.origins, Tokens: total,
		HistoryStart: d.chat.start(), Prefill: d.tail.prefill,
		Breakpoints: breakpoints(e.origins), Draws: d.run.Trace().Draws, Report: c.report(e, total),
	}
	if vars, written := d.run.Vars(); written {
		r.Vars = vars
	}
	if globals, written := d.run.Globals(); written {
		r.Globals = globals
	}
	return r
}

// Simple assembles a prompt for small bots: a system prompt and a history that
// fit into room tokens, room 0 being no limit. The default layout and
// [Assemble] do the rest.
func Simple(system string, history []Line, counter TokenCounter, room int) (Result, error) {
	in := Input{
		Blocks:  []Block{{Key: "main", Slot: "main", Text: system}},
		History: history,
	}
	budget := Budget{Counter: counter}
	if room > 0 {
		budget.Context = room + priming
	}
	return Assemble(Default(), in, Env{}, budget)
}
