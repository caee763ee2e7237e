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

// Progress is one event of a running turn, from [Engine.Stream]. The set is
// closed: it is the types below.
//
// Its JSON form is an object whose first member "progress" names the type: {"progress":"attempt_started","attempt":1}.
// A handler of HTTP can send it as it is, and [ParseProgress] reads it.
//
// The form of an event has all of the event. Send a player the events whose Audience has the character of that player.
// [HostEffect] is for the host, [AttemptStarted.Retry] and [Finished] are for operators: send a player what
// [turn.Outcome.ForPlayers] returns instead of the outcome.
//
// A screen that follows them keeps the text of the turn and the provisional text after it. [AttemptStarted] says whether
// the text of the newest turn stays ([AttemptStarted.Continues]) or a new text begins; [Provisional] appends to the
// provisional text; [Retracted] removes all of that; the first [Narration] removes it too, with the text that was continued,
// and all of them write the whole text. If the turn ends as [turn.Waiting], the provisional text stays on the screen until
// people have answered: then it is retracted, or the narration takes its place.
type Progress interface {
	json.Marshaler
	progress() string // the name of the type in JSON
}

// AttemptStarted says that the model is asked. Retry names the classes of what was
// wrong with the attempt before, "" for a first attempt or a continuation; it holds
// no text of the model's.
type AttemptStarted struct {
	Attempt int    `json:"attempt"`
	Retry   string `json:"retry,omitempty"`
	// Continues says that provisional text comes after the text of the newest turn, which stays: the turn is that of a
	// [turn.Continue], also where a person's answer or decision lets it go on.
	Continues bool `json:"continues,omitempty"`
}

// Provisional is a piece of the narration of an output that has not passed yet: no
// JSON, no variable commands, no thoughts of the model. It comes only if the setting
// conflict.intercept_output is off, and may be retracted. What was shown and not retracted
// comes once more as [Narration].
type Provisional struct {
	Attempt int    `json:"attempt"`
	Text    string `json:"text"`
	// Audience are those who may see it; empty: everybody.
	Audience []string `json:"audience,omitempty"`
}

// Retracted takes back everything that was shown of an attempt. The same one may begin again: its
// reply broke off, or what was shown of it turned out to be no narration.
type Retracted struct {
	Attempt int `json:"attempt"`
}

// Narration is a piece of the final text. The pieces of a turn add up to it, byte
// for byte, also where the turn went on: then what it had comes again. It comes after the commit.
type Narration struct {
	Text string `json:"text"`
	// Speaker is the member of the cast who says it, empty without a cast.
	Speaker string `json:"speaker,omitempty"`
	// Audience are those who may see it; empty: everybody.
	Audience []string `json:"audience,omitempty"`
}

// HostEffect hands over an effect that the library cannot carry out, after the
// commit and at most once; see [Engine.Handover] for what a dead process has kept.
type HostEffect struct {
	By     string        `json:"by,omitempty"`
	Effect effect.Effect `json:"-"` // in JSON the member "effect", as [effect.Marshal] writes it
	// Audience are those who may see what the host makes of it: who heard the turn that led to
	// it; empty: everybody.
	Audience []string `json:"audience,omitempty"`
}

// Finished is the last event: only it is authoritative. Its JSON form has no [turn.Outcome.Version] and no
// [turn.Outcome.Host].
type Finished struct {
	Outcome  turn.Outcome `json:"outcome"`
	Messages []string     `json:"messages,omitempty"` // what hooks added for the player
}

// screen is what the caller of one instruction is told, and what stands before the player meanwhile.
type screen struct {
	yield   func(Progress, error) bool
	cancel  context.CancelFunc
	stopped bool // the caller has gone
	// yielding is set while the caller's code runs.
	yielding bool
	shown    int             // attempt of which provisional text is on the screen, 0: none
	text     strings.Builder // that text, as far as it was shown by this process
	outcome  *turn.Outcome   // the last that was told
}

// emit tells the caller, and ends the instruction's context where nobody listens any more.
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
	if todo.Show != nil {
		if !strings.HasSuffix(todo.Show.Text, s.text.String()) {
			s.retract()
		}
		replies := todo.Show.Replies
		if replies == nil {
			replies = []state.Reply{{Text: todo.Show.Text}}
		}
		for _, reply := range replies {
			for piece := range sentences(reply.Text) {
				s.emit(Narration{Text: piece, Speaker: reply.Speaker, Audience: todo.Show.Audience})
			}
		}
	}
	for _, c := range todo.Host {
		s.emit(HostEffect{By: c.By, Effect: c.Effect, Audience: todo.HostAudience})
	}
}

// retract takes back the provisional text that is on the screen.
func (s *screen) retract() {
	if s.shown > 0 {
		s.emit(Retracted{s.shown})
		s.shown = 0
		s.text.Reset()
	}
}

// provisional shows a piece of an output that has not passed yet.
func (s *screen) provisional(g question.Generate, text string) {
	if text != "" {
		s.emit(Provisional{g.Attempt, text, g.Audience})
		s.text.WriteString(text)
		s.shown = g.Attempt
	}
}

func refusedOutcome(code state.RefusalCode) *turn.Outcome {
	return &turn.Outcome{Status: turn.Refused, Reason: string(code)}
}

// sentences cuts a text after its sentences, each with the quotation marks and brackets that close
// behind it. A full stop ends one before a blank only. The pieces add up to the text.
func sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		var end rune // what has ended a sentence, 0 within one
		for i, r := range text {
			switch {
			case strings.ContainsRune("。！？!?…；;\n", r), r == '.' && end == 0:
				end = r
				continue
			case end == 0, r == '.', end != '\n' && strings.ContainsRune(`”’」』》】）)]"'*_`, r):
				continue
			case end == '.' && !unicode.IsSpace(r):
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
