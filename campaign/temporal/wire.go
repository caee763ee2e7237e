package temporal

import (
	"encoding/json"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules/effect"
)

// This file has the messages between workflows and activities. Members may be added but never
// removed.

// request is the input of a workflow.
type request struct {
	Campaign string       `json:"campaign"`
	Journal  turn.Journal `json:"journal"`
	Options  Options      `json:"options"`
	// Only makes the instruction run only while the question with this ID waits.
	Only string `json:"only,omitempty"`
}

// position is the state of an instruction: the input of a step.
type position struct {
	Campaign string       `json:"campaign"`
	Journal  turn.Journal `json:"journal"`
}

// taken is the result of a step.
type taken struct {
	turn.JournalStep
	Ended *ended `json:"ended,omitempty"`
}

// ended is the end of an instruction: an outcome, or a refusal.
type ended struct {
	Outcome turn.Outcome `json:"outcome"`
	Version int64        `json:"version,omitempty"`
	Host    []caused     `json:"host,omitempty"`
	Cause   string       `json:"cause,omitempty"` // of a failure

	Refused *refused `json:"refused,omitempty"`
}

type refused struct {
	Code   state.RefusalCode `json:"code"`
	Detail string            `json:"detail,omitempty"`
}

// caused is the JSON form of an [effect.Attributed].
type caused struct {
	By     string      `json:"by"`
	Effect effect.List `json:"effect"`
}

func causedBy(c effect.Attributed) caused { return caused{c.Source, effect.List{c.Effect}} }

// handing requests the work that follows an instruction. After is the version before its commit.
type handing struct {
	Campaign string `json:"campaign"`
	After    int64  `json:"after"`
}

// handed is the result of the work after a commit.
type handed struct {
	Version int64    `json:"version"`
	Host    []caused `json:"host,omitempty"`
}

// waiting asks whether a question still waits for people.
type waiting struct {
	Campaign string `json:"campaign"`
	Question string `json:"question"`
}

// errText is the text of a failure's cause.
type errText string

func (e errText) Error() string { return string(e) }

func endOf(o turn.Outcome) *ended {
	e := &ended{Version: o.Version}
	for _, c := range o.Host {
		e.Host = append(e.Host, causedBy(c))
	}
	if o.Failure != nil && o.Failure.Err != nil {
		e.Cause = o.Failure.Err.Error()
	}
	e.Outcome = fit(o)
	return e
}

// outcome returns the same as the engine.
func (e ended) outcome() (turn.Outcome, error) {
	if e.Refused != nil {
		return turn.Outcome{}, &state.Refusal{Code: e.Refused.Code, Detail: e.Refused.Detail}
	}
	o := e.Outcome
	o.Version = e.Version
	for _, c := range e.Host {
		for _, one := range c.Effect {
			o.Host = append(o.Host, effect.Attributed{Source: c.By, Effect: one})
		}
	}
	if o.Failure != nil && e.Cause != "" {
		o.Failure.Err = errText(e.Cause)
	}
	return o, nil
}

// maxOutcome is the maximum number of bytes of an outcome in a message. Temporal accepts two
// million.
const maxOutcome = 256 << 10

// fit removes parts from an outcome that is too long: how the turn came about. The log has these
// parts.
func fit(o turn.Outcome) turn.Outcome {
	for _, shorten := range []func(){
		func() {
			if o.Turn != nil {
				t := *o.Turn
				t.Trace, t.Attempts = state.Turn{}.Trace, nil
				o.Turn = &t
			}
		},
		func() { o.Attempts = nil },
		func() {
			if o.Report != nil {
				r := *o.Report
				r.History = nil
				o.Report = &r
			}
		},
	} {
		if data, err := json.Marshal(o); err != nil || len(data) <= maxOutcome {
			break
		}
		shorten()
	}
	return o
}
