package turn

import (
	"errors"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
)

// maxTimers bounds the countdowns of a campaign.
const maxTimers = 256

// direct carries out the actions of rules that are no effects of package rules: those of
// timers and of the spatial world. It reports whether the action is one of them.
func (t *run) direct(e rules.Custom, by string) bool {
	p := &t.staged
	get := e.Data.Get
	var err error
	switch e.Type {
	case "start-timer", "pause-timer", "resume-timer", "cancel-timer":
		err = setTimer(&p.state, timerAction(e))
	case "enter-scene":
		scene, _ := get("sceneId").AsText()
		x, _ := get("x").AsFloat()
		y, _ := get("y").AsFloat()
		var events []rules.Event
		events, err = travel(&p.state, t.game.World(), Travel{Do: EnterScene, SceneID: scene, X: x, Y: y})
		p.events = append(p.events, events...)
	default:
		return false
	}
	if r, ok := errors.AsType[*state.Refusal](err); ok {
		p.trace.Refused = append(p.trace.Refused,
			state.RefusedEffect{By: by, Path: e.Type, Reason: string(r.Code), Text: r.Detail})
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
