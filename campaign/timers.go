package campaign

import (
	"errors"
	"strings"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/timer"
)

// maxTimers bounds the countdowns of a campaign.
const maxTimers = 256

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

// aboutDirections reports whether a text speaks of an action that [turn.direct] carries out.
func aboutDirections(text string) bool {
	for _, action := range []string{"start-timer", "pause-timer", "resume-timer", "cancel-timer", "enter-scene"} {
		if strings.HasPrefix(text, `no action "`+action+`"`) || strings.Contains(text, `: no action "`+action+`"`) {
			return true
		}
	}
	return false
}
