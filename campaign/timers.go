package campaign

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/timer"
)

// PassTime lets the host's time pass: countdowns go on, and rules and reactions hear of
// those that end. The unit is the host's, the one that timers are started in. Time that
// passes with a turn goes into [Submit].
type PassTime struct {
	Elapsed float64   `json:"elapsed"`
	At      time.Time `json:"at,omitzero"`
}

// SetTimer starts, pauses, resumes or cancels a countdown. Rules do the same with the
// actions start-timer, pause-timer, resume-timer and cancel-timer, whose members are
// timerId and, to start one, name, duration and repeat.
type SetTimer struct {
	Do       TimerAction `json:"do"`
	TimerID  string      `json:"timer_id"`
	Name     string      `json:"name,omitempty"`
	Duration float64     `json:"duration,omitempty"`
	Repeat   bool        `json:"repeat,omitempty"`
	At       time.Time   `json:"at,omitzero"`
}

func (PassTime) inputType() string { return "pass_time" }
func (SetTimer) inputType() string { return "set_timer" }

// TimerAction is what becomes of a countdown.
type TimerAction string

// The actions.
const (
	StartTimer  TimerAction = "start" // one of that id that runs starts anew
	PauseTimer  TimerAction = "pause"
	ResumeTimer TimerAction = "resume"
	CancelTimer TimerAction = "cancel"
)

// maxTimers bounds the countdowns of a campaign.
const maxTimers = 256

// setTimer changes one countdown, or says why not.
func (s *State) setTimer(in SetTimer) error {
	_, known := s.Timers.Remaining(in.TimerID)
	switch {
	case in.Do == StartTimer && in.TimerID == "":
		return &Refusal{Code: UnknownTimer, Detail: "timer_id is missing"}
	case in.Do == StartTimer && !known && len(s.Timers) >= maxTimers:
		return &Refusal{Code: TooManyTimers, Detail: fmt.Sprintf("%d are running", len(s.Timers))}
	case in.Do != StartTimer && !known:
		return &Refusal{Code: UnknownTimer, Detail: fmt.Sprintf("no timer %q", in.TimerID)}
	}
	switch in.Do {
	case StartTimer:
		s.Timers = s.Timers.Start(in.TimerID, in.Name, in.Duration, in.Repeat)
	case PauseTimer:
		s.Timers = s.Timers.Pause(in.TimerID)
	case ResumeTimer:
		s.Timers = s.Timers.Resume(in.TimerID)
	case CancelTimer:
		s.Timers = s.Timers.Cancel(in.TimerID)
	default:
		return &Refusal{Code: UnknownTimer, Detail: fmt.Sprintf("do is %q, none of start, pause, resume, cancel", in.Do)}
	}
	return nil
}

// passTime lets countdowns go on and returns the events of those that ended.
func (s *State) passTime(elapsed float64) []rules.Event {
	if elapsed == 0 || len(s.Timers) == 0 {
		return nil
	}
	var events []rules.Event
	s.Timers, events = s.Timers.Tick(elapsed)
	return events
}

// direct carries out the actions of rules that are no effects of package rules: those of
// timers and of the spatial world. It reports whether the action is one of them.
func (t *turn) direct(e rules.Custom, by string) bool {
	p := &t.staged
	get := e.Data.Get
	var err error
	switch e.Type {
	case "start-timer", "pause-timer", "resume-timer", "cancel-timer":
		err = p.state.setTimer(timerAction(e))
	case "enter-scene":
		scene, _ := get("sceneId").AsText()
		x, _ := get("x").AsFloat()
		y, _ := get("y").AsFloat()
		var events []rules.Event
		events, err = p.state.travel(t.game.world, Travel{Do: EnterScene, SceneID: scene, X: x, Y: y})
		p.events = append(p.events, events...)
	default:
		return false
	}
	if r, ok := errors.AsType[*Refusal](err); ok {
		p.trace.Refused = append(p.trace.Refused,
			RefusedEffect{By: by, Path: e.Type, Reason: string(r.Code), Text: r.Detail})
	}
	return true
}

// timerAction reads the action of a rule.
func timerAction(e rules.Custom) SetTimer {
	text := func(key string) string { s, _ := e.Data.Get(key).AsText(); return s }
	in := SetTimer{TimerID: text("timerId"), Name: text("name")}
	in.Duration, _ = e.Data.Get("duration").AsFloat()
	in.Repeat, _ = e.Data.Get("repeat").AsBool()
	switch e.Type {
	case "start-timer":
		in.Do = StartTimer
	case "pause-timer":
		in.Do = PauseTimer
	case "resume-timer":
		in.Do = ResumeTimer
	case "cancel-timer":
		in.Do = CancelTimer
	}
	return in
}

// checkTimers looks at the countdowns that a campaign begins with.
func checkTimers(list timer.Timers, report func(string, ...any)) {
	seen := map[string]bool{}
	for i, t := range list {
		if t.ID == "" || seen[t.ID] {
			report("timers[%d]: id %q is missing or taken", i, t.ID)
		}
		seen[t.ID] = true
	}
	if len(list) > maxTimers {
		report("timers: %d are too many: at most %d run at a time", len(list), maxTimers)
	}
}

// hearing changes a campaign between turns and lets rules and reactions hear of it.
func (m *Machine) hearing(next *Campaign, at time.Time, change func(*turn) ([]rules.Event, error)) ([]rules.Caused, error) {
	t := m.betweenTurns(at, m.game.settings.Freeze(next.GlobalSettings, next.Settings))
	events, err := change(t)
	if err != nil {
		return nil, err
	}
	t.chain(events...)
	next.State = t.staged.state
	next.State.Random = t.cursor
	return t.staged.host, nil
}

// aboutDirections reports whether a text speaks of an action that [turn.direct] carries out.
func aboutDirections(text string) bool {
	for _, action := range []string{"start-timer", "pause-timer", "resume-timer", "cancel-timer", "enter-scene"} {
		if strings.HasPrefix(text, `no action "`+action+`"`) || strings.Contains(text, `: no action "`+action+`"`) {
			return true
		}
	}
	return false
}
