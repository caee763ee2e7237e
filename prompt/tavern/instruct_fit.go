package tavern

import (
	"errors"

	"github.com/talewright/talewright/prompt"
)

// primingTokens is what prompt.Assemble leaves for the beginning of the reply.
const primingTokens = 3

// renderer renders one scene at different sizes.
type renderer struct {
	in       prompt.Input
	env      prompt.Env
	budget   prompt.Budget
	context  ContextTemplate
	template *InstructTemplate
	numbers  replay
}

// fit finds the largest prompt whose text is within the room. The assembly knows
// nothing of the texts around the messages, and what they cost depends on what is
// kept. So it is given a window, which is as large as the room at first and then
// closes in on the size at which the text just fits. Without pressure the first
// one does, else mostly the third or fourth.
func fit(r *renderer) (InstructText, error) {
	reserved := r.budget.Response + r.budget.TurnReserve + primingTokens
	limit := r.budget.Context - reserved
	last, err := r.render(limit + reserved)
	if err != nil || r.budget.Context <= 0 || r.fits(last, limit) {
		return last, err
	}
	s := search{limit: limit, low: -1, high: r.size(last, limit), smallest: last, last: last}
	for s.high-s.low > 1 {
		window := s.window()
		text, err := r.render(window + reserved)
		if tooSmall, ok := errors.AsType[*prompt.BudgetError](err); ok {
			// Below what is required there is nothing.
			s.low, s.required = tooSmall.Tokens-1, tooSmall.Required
			continue
		}
		if err != nil {
			return InstructText{}, err
		}
		s.last = text
		if r.fits(text, limit) {
			s.low, s.best, s.found, s.rising = window, text, true, true
		} else {
			s.high, s.smallest, s.rising = r.size(text, window), text, false
		}
	}
	return s.result()
}

// search is the state of fit: the text of the window high does not fit, that of low
// does, or cannot be.
type search struct {
	limit, low, high int
	round            int
	last             InstructText // of the window before
	rising           bool         // it fitted
	step             int          // from one that fitted to the next, doubled each time
	best             InstructText // the largest that fits
	found            bool         // there is one
	smallest         InstructText // the smallest that does not fit
	required         []prompt.Part
}

// window is the next one to try.
func (s *search) window() int {
	s.round++
	window := s.high - 1 // without what was too much
	switch {
	case s.round%4 == 0: // the guesses may be bad, halves never are
		window = s.low + (s.high-s.low)/2
	case s.rising: // with one message more, if they are all alike
		used := s.last.Result.Tokens
		s.step = max(2*s.step, used/max(len(s.last.Result.Messages), 1), 1)
		window = used + s.step
	case !s.found && s.required == nil: // as much smaller as the text was too large
		window = int(float64(s.high) * float64(s.limit) / float64(max(s.last.Tokens, 1)))
	case !s.found:
		window = s.low + 1
	}
	return min(max(window, s.low+1), s.high-1)
}

// result is the best text. Without one that of the required parts alone will do, if
// it fits without the slack.
func (s *search) result() (InstructText, error) {
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

// size is the smallest window that is known to give the same text.
func (r *renderer) size(text InstructText, window int) int {
	if r.in.TrimSlack > 0 || len(r.budget.Caps) > 0 {
		return window // both are measured by it
	}
	return min(text.Result.Tokens, window)
}

// fits reports whether a text leaves the room that it has to: where history had to
// go, also the slack for the next turns.
func (r *renderer) fits(text InstructText, limit int) bool {
	if text.Result.HistoryStart > max(r.in.HistoryStart, 0) {
		limit -= r.in.TrimSlack
	}
	return text.Tokens <= limit
}

// render renders what fits into a window.
func (r *renderer) render(context int) (InstructText, error) {
	r.numbers.next = 0
	env, budget := r.env, r.budget
	if env.Random != nil {
		env.Random = r.numbers.draw
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
	stop := w.stops()
	result.Draws = append(result.Draws, w.draws...)
	return InstructText{Text: text, Stop: stop, Tokens: budget.Counter.Count(text), Result: result}, nil
}

// replay hands out the numbers of a source again to each rendering, so that all
// of them roll the same dice.
type replay struct {
	source func() float64
	drawn  []float64
	next   int
}

// draw returns the next number.
func (r *replay) draw() float64 {
	if r.next == len(r.drawn) {
		r.drawn = append(r.drawn, r.source())
	}
	r.next++
	return r.drawn[r.next-1]
}
