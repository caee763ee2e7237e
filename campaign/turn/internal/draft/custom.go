package draft

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Countdown is a change of a countdown: start, pause, resume or cancel.
type Countdown struct {
	Do       rules.TimerAction
	ID, Name string
	Duration float64
	Repeat   bool
}

// Journey is a movement in the scenes: "enter", "step", "put" or "interact".
type Journey struct {
	Do    rules.SpatialAction
	Scene string
	X, Y  float64
}

// Locks are new locks of areas and paths, by their IDs, and of all movement. A nil field does not
// change.
type Locks struct {
	Movement     *state.MapLock
	Areas, Paths map[string]state.MapLock
}

// runAction runs an action of a rule on locks, timers or scenes. Package rules has no effects for
// these. It reports false for any other action.
func (p *Progress) runAction(e effect.Custom, by string, scenes *rules.SpatialWorld) bool {
	text := func(key string) string { v, _ := e.Data.Get(key).AsText(); return v }
	number := func(key string) float64 { v, _ := e.Data.Get(key).AsFloat(); return v }
	var err error
	switch e.Type {
	case "start-timer", "pause-timer", "resume-timer", "cancel-timer":
		do, _, _ := strings.Cut(e.Type, "-")
		repeat, _ := e.Data.Get("repeat").AsBool()
		err = SetTimer(&p.State, Countdown{rules.TimerAction(do), text("timerId"), text("name"), number("duration"), repeat})
	case "lock-path", "lock-area", "lock-movement", "unlock-path", "unlock-area", "unlock-movement":
		lock := state.MapLock{Locked: strings.HasPrefix(e.Type, "lock"), Reason: text("reason"), DisabledUntil: text("disabledUntil")}
		var locks Locks
		switch _, what, _ := strings.Cut(e.Type, "-"); what {
		case "path":
			locks.Paths = map[string]state.MapLock{text("pathId"): lock}
		case "area":
			locks.Areas = map[string]state.MapLock{text("areaId"): lock}
		default:
			locks.Movement = &lock
		}
		err = SetLocks(&p.State, locks)
	case "enter-scene":
		var events []rules.Event
		events, err = Travel(&p.State, scenes, Journey{rules.SpatialEnter, text("sceneId"), number("x"), number("y")})
		p.events = append(p.events, events...)
	default:
		return false
	}
	if r, ok := errors.AsType[*state.Refusal](err); ok {
		traceRefusal(&p.Trace, e.Type, by, string(r.Code), r.Detail)
	}
	return true
}

// SetLocks changes all given locks, or returns why it changes none.
func SetLocks(s *state.State, to Locks) error {
	areas, paths := slices.Clone(s.Map.Areas), slices.Clone(s.Map.Paths)
	for _, id := range slices.Sorted(maps.Keys(to.Areas)) {
		i := slices.IndexFunc(areas, func(a state.MapArea) bool { return a.ID == id })
		if i < 0 {
			return &state.Refusal{Code: state.UnknownArea, Detail: fmt.Sprintf("no area %q", id)}
		}
		lock := to.Areas[id]
		areas[i].Locked, areas[i].LockReason, areas[i].DisabledUntil = lock.Locked, lock.Reason, lock.DisabledUntil
	}
	for _, id := range slices.Sorted(maps.Keys(to.Paths)) {
		i := slices.IndexFunc(paths, func(p state.MapPath) bool { return p.ID == id })
		if i < 0 {
			return &state.Refusal{Code: state.UnknownPath, Detail: fmt.Sprintf("no path %q", id)}
		}
		lock := to.Paths[id]
		paths[i].Locked, paths[i].LockReason, paths[i].DisabledUntil = lock.Locked, lock.Reason, lock.DisabledUntil
	}
	s.Map.Areas, s.Map.Paths = areas, paths
	if to.Movement != nil {
		s.MovementLock = *to.Movement
	}
	return nil
}

// SetTimer changes one countdown, or returns why not.
func SetTimer(s *state.State, t Countdown) error {
	_, known := s.Timers.Remaining(t.ID)
	switch {
	case t.ID == "":
		return &state.Refusal{Code: state.UnknownTimer, Detail: "timer_id is missing"}
	case t.Do == rules.TimerStart && !known && len(s.Timers) >= maxTimers:
		return &state.Refusal{Code: state.TooManyTimers, Detail: fmt.Sprintf("%d are running", len(s.Timers))}
	case t.Do != rules.TimerStart && !known:
		return &state.Refusal{Code: state.UnknownTimer, Detail: fmt.Sprintf("no timer %q", t.ID)}
	}
	switch t.Do {
	case rules.TimerStart:
		s.Timers = s.Timers.Start(t.ID, t.Name, t.Duration, t.Repeat)
	case rules.TimerPause:
		s.Timers = s.Timers.Pause(t.ID)
	case rules.TimerResume:
		s.Timers = s.Timers.Resume(t.ID)
	case rules.TimerCancel:
		s.Timers = s.Timers.Cancel(t.ID)
	default:
		return &state.Refusal{Code: state.UnknownTimer, Detail: fmt.Sprintf("do is %q, none of start, pause, resume, cancel", t.Do)}
	}
	return nil
}

// PassTime advances the countdowns and returns the events of the countdowns that ended.
func PassTime(s *state.State, elapsed float64) []rules.Event {
	if elapsed == 0 || len(s.Timers) == 0 {
		return nil
	}
	var events []rules.Event
	s.Timers, events = s.Timers.Tick(elapsed)
	return events
}

// Travel moves the player and returns the events that follow.
func Travel(s *state.State, w *rules.SpatialWorld, to Journey) (events []rules.Event, err error) {
	if to.Do != rules.SpatialEnter && s.Place.SceneID == "" {
		return nil, &state.Refusal{Code: state.UnknownScene, Detail: "the player is in no scene: enter one first"}
	}
	switch to.Do {
	case rules.SpatialEnter:
		if s.Place, events = w.Enter(s.Place, to.Scene, to.X, to.Y); events == nil {
			return nil, &state.Refusal{Code: state.UnknownScene,
				Detail: fmt.Sprintf("no scene %q, or %v, %v lies outside of it", to.Scene, to.X, to.Y)}
		}
	case rules.SpatialStep:
		s.Place, events = w.Move(s.Place, to.X, to.Y)
	case rules.SpatialPut:
		s.Place, events = w.SetPosition(s.Place, to.X, to.Y)
	case rules.SpatialInteract:
		events = w.Interact(s.Place)
	default:
		return nil, &state.Refusal{Code: state.UnknownScene, Detail: fmt.Sprintf("do is %q, none of enter, step, put, interact", to.Do)}
	}
	return events, nil
}
