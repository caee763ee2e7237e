package temporal

import (
	"encoding/json"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules/effect"
)

// What workflows and activities tell each other. Members are only ever added.

// request begins a workflow.
type request struct {
	Campaign string       `json:"campaign"`
	Journal  turn.Journal `json:"journal"`
	Options  Options      `json:"options"`
	// Only carries the instruction out while the question with this id waits.
	Only string `json:"only,omitempty"`
}

// position is where an instruction stands.
type position struct {
	Campaign string       `json:"campaign"`
	Journal  turn.Journal `json:"journal"`
}

// taken is what a step has done.
type taken struct {
	turn.JournalStep
	Ended *ended `json:"ended,omitempty"`
}

// ended is how an instruction ended: an outcome, or a refusal.
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

// caused is an [effect.Caused] with a JSON form.
type caused struct {
	By     string      `json:"by"`
	Effect effect.List `json:"effect"`
}

func causedBy(c effect.Caused) caused { return caused{c.By, effect.List{c.Effect}} }

// handing asks for what follows from an instruction that was committed after a version.
type handing struct {
	Campaign string `json:"campaign"`
	After    int64  `json:"after"`
}

// handed is what came after a commit.
type handed struct {
	Version int64    `json:"version"`
	Host    []caused `json:"host,omitempty"`
}

// waiting asks for the question of a turn that waits for people.
type waiting struct {
	Campaign string `json:"campaign"`
	Question string `json:"question"`
}

// errText is a cause that came over the wire.
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

// outcome is what the engine would have returned.
func (e ended) outcome() (turn.Outcome, error) {
	if e.Refused != nil {
		return turn.Outcome{}, &state.Refusal{Code: e.Refused.Code, Detail: e.Refused.Detail}
	}
	o := e.Outcome
	o.Version = e.Version
	for _, c := range e.Host {
		for _, one := range c.Effect {
			o.Host = append(o.Host, effect.Caused{By: c.By, Effect: one})
		}
	}
	if o.Failure != nil && e.Cause != "" {
		o.Failure.Err = errText(e.Cause)
	}
	return o, nil
}

// maxOutcome is how many bytes of an outcome go over the wire. Temporal takes two million.
const maxOutcome = 256 << 10

// fit leaves out of an outcome what is too long: how the turn came about, which the log has.
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
