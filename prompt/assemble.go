package prompt

import "fmt"

// Assemble builds the messages of one request. It is a pure function: the same arguments give the
// same bytes. It does not change its arguments; it only draws from env.Random. It is safe for
// concurrent use if each call has its own counter cache, template cache and random source.
//
// The steps, in order:
//
//   - Every text is expanded once.
//   - Blocks are put into the slots of the layout. Blocks with a depth are put into the chat.
//   - Required parts are always kept.
//   - The other parts compete for the rest: larger keep first, then the order of the layout. In the
//     history, newest first.
//   - A block that does not fit is cut to whole lines if it may be cut, else dropped. Smaller
//     blocks after it are still tried. The history ends at the first line that does not fit.
//   - The messages are written and counted again. Their size never exceeds the budget.
//
// The [Report] says for every block whether it was kept.
//
// The error wraps [talewright.Problems] with all mistakes of the layout, or a [*BudgetError]
// (errors.Is [ErrBudget]) if the required parts alone exceed the budget. No text of a player or a
// model causes an error.
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

// finish writes the messages. If they are larger than the sum of their parts, it drops the last
// choices until they fit.
func (c *chooser) finish() (Result, error) {
	for {
		e := c.draft.emit()
		total := 0
		for i, m := range e.messages {
			e.origins[i].Tokens = c.messageTokens(m)
			total += e.origins[i].Tokens
		}
		if c.room < 0 || total <= c.room {
			return c.result(e, total), nil
		}
		if !c.dropLatest(total - c.room) {
			return Result{}, c.tooLarge(total)
		}
	}
}

// result builds the result from the findings of the stages.
func (c *chooser) result(e *emitter, total int) Result {
	d := c.draft
	r := Result{
		Messages: e.messages, Origins: e.origins, Tokens: total,
		HistoryStart: d.chat.keptStart(), Prefill: d.tail.prefill,
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

// Simple assembles a prompt for small bots: a system prompt and a history. Together they have at
// most room tokens. A room of 0 means no limit. It uses the default layout and [Assemble].
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
