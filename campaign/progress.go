package campaign

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"unicode"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules/effect"
)

// Progress is one event of a running turn, from [Engine.Stream]. The set is closed: the types below
// are the only ones.
//
// The JSON form is an object whose first member "progress" names the type:
// {"progress":"attempt_started","attempt":1}. An HTTP handler can send it unchanged, and
// [ParseProgress] reads it.
//
// The JSON form contains the whole event. Send a player the events whose Audience includes the
// character of that player. [HostEffect] is for the host. [AttemptStarted.Retry] and [Finished] are
// for operators: send a player what [turn.Outcome.ForPlayers] returns instead of the outcome.
//
// A screen that follows the events shows the text of the turn, followed by the provisional text.
// [AttemptStarted] says whether the text of the newest turn stays ([AttemptStarted.Continues]) or a
// new text begins. [Provisional] appends to the provisional text. [Retracted] removes the
// provisional text. The first [Narration] removes it too, together with the text that was
// continued; all Narration events together are the whole text. If the turn ends as [turn.Waiting],
// the provisional text stays on the screen until people have answered. Then it is retracted, or the
// narration replaces it.
type Progress interface {
	json.Marshaler
	progress() string // the value of "progress" in JSON
}

// AttemptStarted reports that the model is asked. Retry names the classes of errors in the previous
// attempt. It is "" for a first attempt or a continuation, and contains no text of the model.
type AttemptStarted struct {
	Attempt int    `json:"attempt"`
	Retry   string `json:"retry,omitempty"`
	// Continues reports whether provisional text is appended to the text of the newest turn, which
	// stays. This is so for the turn of a [turn.Continue], also after a person's answer or
	// decision.
	Continues bool `json:"continues,omitempty"`
}

// Provisional is a piece of the narration of an output that is not accepted yet. It contains no
// JSON, no variable commands and no reasoning of the model. It comes only if the setting
// conflict.intercept_output is off, and may be retracted. Text that was shown and not retracted
// comes again as [Narration].
//
// With a cast no piece comes, because a reply that stays wrong is left out. No piece comes either if
// scripts of the content change replies, if the setting conflict.claims is on, or from the planning of
// the setting turn.mode "plan_narrate".
type Provisional struct {
	Attempt int    `json:"attempt"`
	Text    string `json:"text"`
	// Audience lists the characters who may see it; empty: all.
	Audience []string `json:"audience,omitempty"`
}

// Retracted takes back everything that was shown of an attempt. The same attempt may begin again,
// if its reply broke off or if the shown text was not narration.
type Retracted struct {
	Attempt int `json:"attempt"`
}

// Narration is a piece of the final text. The pieces of a turn add up to its text, byte for byte.
// If the turn was continued, the earlier text comes again. Narration comes after the commit.
type Narration struct {
	Text string `json:"text"`
	// Speaker is the member of the cast who says it, empty without a cast.
	Speaker string `json:"speaker,omitempty"`
	// Audience lists the characters who may see it; empty: all.
	Audience []string `json:"audience,omitempty"`
}

// HostEffect delivers an effect that the library cannot apply, after the commit and at most once.
// See [Engine.Handover] for the effects that a dead process did not deliver.
type HostEffect struct {
	By     string        `json:"by,omitempty"`
	Effect effect.Effect `json:"-"` // in JSON the member "effect", as [effect.Marshal] writes it
	// Audience lists the characters who may see the result of the effect: those who heard the turn
	// that led to it; empty: all.
	Audience []string `json:"audience,omitempty"`
}

// Finished is the last event, and the only authoritative one. Its JSON form has no
// [turn.Outcome.Version] and no [turn.Outcome.Host].
type Finished struct {
	Outcome  turn.Outcome `json:"outcome"`
	Messages []string     `json:"messages,omitempty"` // what hooks added for the player
}

// screen sends progress to the caller of one instruction, and tracks the provisional text that the
// player sees.
type screen struct {
	yield        func(Progress, error) bool
	cancel       context.CancelFunc // ends the context of the instruction
	stopped      bool               // the caller has stopped ranging
	yielding     bool               // the caller's code is running
	shownAttempt int                // the attempt whose provisional text is on the screen, 0: none
	shownText    strings.Builder    // that text, without what an earlier process has shown
	outcome      *turn.Outcome      // the last emitted outcome
}

// emit sends an event to the caller. If the caller has stopped, it cancels the context of the
// instruction.
func (s *screen) emit(p Progress) {
	if done, ok := p.(Finished); ok {
		o := done.Outcome
		s.outcome = &o
	}
	if s.stopped {
		return
	}
	s.yielding = true
	wanted := s.yield(p, nil)
	s.yielding = false
	if !wanted {
		s.stopped = true
		s.cancel()
	}
}

// show emits the text for the player and the effects for the host.
func (s *screen) show(todo turn.Todo) {
	if show := todo.Show; show != nil {
		if !strings.HasSuffix(show.Text, s.shownText.String()) { // the final text is a different one
			s.retract()
		}
		replies := show.Replies
		if replies == nil {
			replies = []state.Reply{{Text: show.Text}}
		}
		for _, reply := range replies {
			for piece := range sentences(reply.Text) {
				s.emit(Narration{Text: piece, Speaker: reply.Speaker, Audience: show.Audience})
			}
		}
	}
	for _, c := range todo.Host {
		s.emit(HostEffect{By: c.Source, Effect: c.Effect, Audience: todo.HostAudience})
	}
}

// retract retracts the provisional text that is on the screen.
func (s *screen) retract() {
	if s.shownAttempt > 0 {
		s.emit(Retracted{s.shownAttempt})
		s.shownAttempt = 0
		s.shownText.Reset()
	}
}

// provisional shows a piece of an output that is not accepted yet.
func (s *screen) provisional(g question.Generate, text string) {
	if text != "" {
		s.emit(Provisional{g.Attempt, text, g.Audience})
		s.shownText.WriteString(text)
		s.shownAttempt = g.Attempt
	}
}

// refusedOutcome returns the outcome of a refused instruction.
func refusedOutcome(code state.RefusalCode) *turn.Outcome {
	return &turn.Outcome{Status: turn.Refused, Reason: string(code)}
}

// sentences splits a text after its sentences. Closing quotation marks and brackets belong to the
// sentence before them. A full stop ends a sentence only before white space. The pieces add up to
// the text.
func sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0   // of the sentence
		var end rune // the mark that has ended the sentence; 0: it has not ended
		for i, r := range text {
			switch {
			case strings.ContainsRune("。！？!?…；;\n", r), r == '.' && end == 0:
				end = r
				continue
			case end == 0: // within the sentence
				continue
			case r == '.', end != '\n' && strings.ContainsRune(`”’」』》】）)]"'*_`, r): // belongs to the end
				continue
			case end == '.' && !unicode.IsSpace(r): // not the end, as in 3.5
				end = 0
				continue
			}
			if !yield(text[start:i]) {
				return
			}
			start, end = i, 0
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}
