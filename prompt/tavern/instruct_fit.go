package tavern

import (
	"errors"

	"github.com/talewright/talewright/prompt"
)

// primingTokens is the number of tokens that prompt.Assemble reserves for the beginning of the
// reply.
const primingTokens = 3

// renderer renders one scene at different sizes.
type renderer struct {
	in       prompt.Input
	env      prompt.Env
	budget   prompt.Budget
	context  ContextTemplate
	template *InstructTemplate
	draws    replayedRandom
}

// fit finds the largest prompt whose text fits in the budget. Assemble does not know the texts
// around the messages, and their cost depends on which messages are kept. So fit gives Assemble a
// window. The window begins with the size of the budget and approaches the size at which the text
// just fits. If the budget is large enough, the first window fits; otherwise mostly the third or
// fourth.
func fit(r *renderer) (InstructText, error) {
	reserved := r.budget.Response + r.budget.TurnReserve + primingTokens
	limit := r.budget.Context - reserved
	last, err := r.render(limit + reserved)
	if err != nil || r.budget.Context <= 0 || r.fits(last, limit) {
		return last, err
	}
	s := windowSearch{limit: limit, low: -1, high: r.tightWindow(last, limit), smallest: last, last: last}
	for s.high-s.low > 1 {
		window := s.window()
		text, err := r.render(window + reserved)
		if tooSmall, ok := errors.AsType[*prompt.BudgetError](err); ok {
			// Nothing fits below the required size.
			s.low, s.required = tooSmall.Tokens-1, tooSmall.Required
			continue
		}
		if err != nil {
			return InstructText{}, err
		}
		s.last = text
		if r.fits(text, limit) {
			s.low, s.best, s.found, s.lastFits = window, text, true, true
		} else {
			s.high, s.smallest, s.lastFits = r.tightWindow(text, window), text, false
		}
	}
	return s.result()
}

// windowSearch is the state of fit. The text of the window high does not fit. The text of the window low
// fits, or the window is too small for the required parts.
type windowSearch struct {
	limit, low, high int
	round            int
	last             InstructText // of the previous window
	lastFits         bool         // the text last fits
	step             int          // distance between fitting windows, doubled each time
	best             InstructText // the largest text that fits
	found            bool         // best is set
	smallest         InstructText // the smallest text that does not fit
	required         []prompt.Part
}

// window returns the next window to try.
func (s *windowSearch) window() int {
	s.round++
	window := s.high - 1 // without the excess
	switch {
	case s.round%4 == 0: // guesses may be bad, bisection never is
		window = s.low + (s.high-s.low)/2
	case s.lastFits: // one message more, if they all have the same size
		used := s.last.Result.Tokens
		s.step = max(2*s.step, used/max(len(s.last.Result.Messages), 1), 1)
		window = used + s.step
	case !s.found && s.required == nil: // smaller by the excess of the text
		window = int(float64(s.high) * float64(s.limit) / float64(max(s.last.Tokens, 1)))
	case !s.found:
		window = s.low + 1
	}
	return min(max(window, s.low+1), s.high-1)
}

// result returns the best text. If no prompt fits, the text of the required parts is used if it
// fits without the slack.
func (s *windowSearch) result() (InstructText, error) {
	switch {
	case s.found:
		return s.best, nil
	case s.smallest.Tokens <= s.limit:
		return s.smallest, nil
	}
	return InstructText{}, &prompt.BudgetError{
		Required: s.required, Tokens: s.smallest.Tokens, Room: max(s.limit, 0),
	}
}

// tightWindow returns the smallest window that is known to give the same text.
func (r *renderer) tightWindow(text InstructText, window int) int {
	if r.in.TrimSlack > 0 || len(r.budget.Caps) > 0 {
		return window // both are relative to the window
	}
	return min(text.Result.Tokens, window)
}

// fits reports whether a text leaves the required number of tokens free. If history was dropped,
// this includes the slack for the next turns.
func (r *renderer) fits(text InstructText, limit int) bool {
	if text.Result.HistoryStart > max(r.in.HistoryStart, 0) {
		limit -= r.in.TrimSlack
	}
	return text.Tokens <= limit
}

// render renders the parts that fit in a window.
func (r *renderer) render(context int) (InstructText, error) {
	r.draws.next = 0
	env, budget := r.env, r.budget
	if env.Random != nil {
		env.Random = r.draws.nextNumber
	}
	if budget.Context > 0 {
		budget.Context = context
	}
	result, err := prompt.Assemble(layout(r.template), r.in, env, budget)
	if err != nil {
		return InstructText{}, err
	}
	w := &writer{context: r.context, template: r.template, in: &r.in, env: env,
		expanded: map[expansion]string{}}
	text := w.write(result)
	stop := w.stopTexts()
	result.Draws = append(result.Draws, w.draws...)
	return InstructText{Text: text, Stop: stop, Tokens: budget.Counter.Count(text), Result: result}, nil
}

// replayedRandom gives the same random numbers to each rendering, so that all of them roll the same dice.
type replayedRandom struct {
	source   func() float64
	recorded []float64
	next     int
}

// nextNumber returns the next number.
func (r *replayedRandom) nextNumber() float64 {
	if r.next == len(r.recorded) {
		r.recorded = append(r.recorded, r.source())
	}
	r.next++
	return r.recorded[r.next-1]
}
