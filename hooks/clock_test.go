package hooks_test

import (
	"testing"
	"time"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// Hooks with schedules and idle times run when the host lets the clock pass.
func TestPassedClock(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 8*3600)
	day := func(d, h, m int) time.Time { return time.Date(2026, 5, d, h, m, 0, 0, zone) }
	for _, tc := range []struct {
		reason, condition string
		from, to, active  time.Time
		want              bool
	}{
		{"passed", `{"clock_reaches":"08:00"}`, day(1, 7, 0), day(1, 9, 0), time.Time{}, true},
		{"not yet", `{"clock_reaches":"08:00"}`, day(1, 7, 0), day(1, 7, 59), time.Time{}, false},
		{"on the minute", `{"clock_reaches":"08:00"}`, day(1, 7, 0), day(1, 8, 0), time.Time{}, true},
		{"and not a second time", `{"clock_reaches":"08:00"}`, day(1, 8, 0), day(1, 9, 0), time.Time{}, false},
		{"one of a list", `{"clock_reaches":["08:00","20:30"]}`, day(1, 20, 0), day(1, 21, 0), time.Time{}, true},
		{"over midnight", `{"clock_reaches":"23:30"}`, day(1, 23, 0), day(2, 1, 0), time.Time{}, true},
		{"midnight itself", `{"clock_reaches":"24:00"}`, day(1, 23, 0), day(2, 1, 0), time.Time{}, true},
		{"midnight by its other name", `{"clock_reaches":"0:00"}`, day(1, 23, 0), day(2, 0, 0), time.Time{}, true},
		{"after days of silence once", `{"clock_reaches":"08:00"}`, day(1, 9, 0), day(9, 7, 0), time.Time{}, true},
		{"a clock that runs backward", `{"clock_reaches":"08:00"}`, day(1, 9, 0), day(1, 7, 0), time.Time{}, false},
		{"nothing known before", `{"clock_reaches":"08:00"}`, time.Time{}, day(1, 9, 0), time.Time{}, false},
		{"idle", `{"idle_reaches":30}`, day(1, 7, 20), day(1, 7, 40), day(1, 7, 0), true},
		{"idle for less", `{"idle_reaches":30}`, day(1, 7, 10), day(1, 7, 29), day(1, 7, 0), false},
		{"idle on the minute", `{"idle_reaches":30}`, day(1, 7, 10), day(1, 7, 30), day(1, 7, 0), true},
		{"idle for longer, said before", `{"idle_reaches":30}`, day(1, 7, 30), day(1, 9, 0), day(1, 7, 0), false},
		{"active in between", `{"idle_reaches":30}`, day(1, 7, 0), day(1, 9, 0), day(1, 8, 45), false},
		{"half a minute", `{"idle_reaches":0.5}`, day(1, 7, 0), day(1, 7, 1), day(1, 7, 0), true},
		{"nobody was ever active", `{"idle_reaches":30}`, day(1, 7, 0), day(1, 9, 0), time.Time{}, false},
		{"someone is ahead of the clock", `{"payload.idle_minutes":{"exists":false}}`, day(1, 7, 0), day(1, 8, 0), day(1, 9, 0), true},
		{"whole minutes can be compared", `{"payload.idle_minutes":{"gte":90,"lt":91}}`, day(1, 7, 0), day(1, 8, 30), day(1, 7, 0), true},
	} {
		set := single(value(tc.condition), act.New(act.Message, member("content", tree.Text("m"))))
		event := act.Event{ID: "evt", Type: act.ClockPassed, Payload: act.ClockPayload(tc.from, tc.to, tc.active)}
		if got := len(emit(t, set, event, hooks.Env{}).Effects) == 1; got != tc.want {
			t.Errorf("%s: %s of %s: %v", tc.reason, tc.condition, event.Payload, got)
		}
	}
}

// An invalid schedule is reported, and never due.
func TestMistakesInSchedules(t *testing.T) {
	t.Parallel()
	from, to := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 5, 9, 0, 0, 0, 0, time.UTC)
	for _, condition := range []string{
		`{"clock_reaches":"8 o'clock"}`, `{"clock_reaches":["08:00","25:00"]}`, `{"clock_reaches":8}`,
		`{"idle_reaches":0}`, `{"idle_reaches":-5}`, `{"idle_reaches":"soon"}`, `{"idle_reaches":1e300}`,
	} {
		hook := hooks.Hook{Name: "h", Event: hooks.On("*"), Conditions: value(condition)}
		set, problems := hooks.Compile([]hooks.Hook{hook}, nil)
		if len(problems) == 0 {
			t.Errorf("%s is not reported", condition)
		}
		for _, payload := range []tree.Value{
			act.ClockPayload(from, to, from), {}, value(`{"from":1,"to":"x","active":"2026-05-01"}`),
		} {
			event := act.Event{ID: "evt", Type: act.ClockPassed, Payload: payload}
			if res := emit(t, set, event, hooks.Env{}); len(res.Logs) > 0 {
				t.Errorf("%s is due", condition)
			}
		}
	}
}
