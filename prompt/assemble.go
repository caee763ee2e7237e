package prompt

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/prompt/macro"
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
	b := newBuild(layout, &in, env, budget)
	b.collect()
	b.collectLines()
	b.run = macro.NewRun(*b.env)
	b.expand()
	b.parseExampleItems()
	b.expandMarks()
	b.measure()
	c, err := b.choose()
	if err != nil {
		return Result{}, err
	}
	return c.finish()
}

// finish writes the messages. Should they be larger than the sum of their
// parts, what was chosen last is given up until they fit.
func (c *chooser) finish() (Result, error) {
	for {
		e := c.emit()
		total := 0
		for i, m := range e.messages {
			e.origins[i].Tokens = c.cost(m)
			total += e.origins[i].Tokens
		}
		if c.room < 0 || total <= c.room {
			return c.result(e, total), nil
		}
		if !c.giveUp(total - c.room) {
			return Result{}, c.budgetError(c.fixed(), total)
		}
	}
}

// result collects what the build has found.
func (c *chooser) result(e *emitter, total int) Result {
	r := Result{
		Messages: e.messages, Origins: e.origins, Tokens: total,
		HistoryStart: c.historyStart(), Prefill: c.tail.prefill,
	}
	r.Breakpoints = breakpoints(r.Origins)
	if vars, written := c.run.Vars(); written {
		r.Vars = vars
	}
	if globals, written := c.run.Globals(); written {
		r.Globals = globals
	}
	trace := c.run.Trace()
	r.Draws = trace.Draws
	r.Report = c.report(e, total)
	r.Report.Variables = trace.Access
	return r
}

// historyStart is the index of the oldest line of the unbroken run at the end.
func (c *chooser) historyStart() int {
	start := c.visible
	for _, l := range slices.Backward(c.lines) {
		if l.index != start-1 || l.status != Kept && l.status != Empty {
			break
		}
		start = l.index
	}
	if start == c.visible {
		return 0
	}
	return start
}

// Simple assembles a prompt for small bots: a system prompt and a history that
// fit into room tokens, room 0 being no limit. The default layout and
// [Assemble] do the rest.
func Simple(system string, history []Line, counter Counter, room int) (Result, error) {
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
