package observe_test

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/turn"
)

// stepped plays the turn step by step.
func stepped(t testing.TB, e *campaign.Engine) (steps int) {
	t.Helper()
	j, err := turn.JournalOf(turn.Stamp(line, time.Unix(1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	for steps = 1; steps < 100; steps++ {
		step, err := e.Step(t.Context(), "mill", j, nil)
		if err != nil {
			t.Fatal(err)
		}
		if step.Outcome != nil {
			return steps
		}
		j = j.Then(step)
	}
	t.Fatal("it does not end")
	return 0
}

// whatHappened removes the parts of moments that differ between steps.
func whatHappened(moments []observe.Moment) (out []string) {
	own := regexp.MustCompile(`^(Begun|Admitted|Ended|Phase|Stored (acquire|release|load))`)
	for _, k := range kinds(moments) {
		if !own.MatchString(k) {
			out = append(out, k)
		}
	}
	return out
}

// TestStepsAreSeen: the steps of an instruction report the same moments as Do, each once, and each
// step has a begin and an end: EX-13.
func TestStepsAreSeen(t *testing.T) {
	t.Parallel()
	var whole, seen recorder
	play(t, opened(t, campaign.Config{Observe: &whole}))
	steps := stepped(t, opened(t, campaign.Config{Observe: &seen}))
	if diff := cmp.Diff(whatHappened(whole.moments), whatHappened(seen.moments)); diff != "" {
		t.Error(diff)
	}
	begun, inPhase, last, resumed := 0, turn.Phase(""), turn.Phase(""), false
	var ends []observe.Ended
	for i, m := range seen.moments {
		if p := seen.places[i]; p.Campaign != "mill" || p.Run != uint64(begun) && p.Run != uint64(begun+1) || p.Step == 0 {
			t.Errorf("moment %d is at %+v", i, p)
		}
		switch m := m.(type) {
		case observe.Begun:
			resumed = begun > 0
			if begun++; begun == 1 && m.ClientTurnID != "c-1" {
				t.Errorf("%+v", m)
			}
		case observe.PhaseBegun:
			if inPhase = m.Phase; resumed && m.Phase != last {
				t.Errorf("step %d goes on in %s, and the one before it ended in %s", begun, m.Phase, last)
			}
			resumed = false
		case observe.PhaseEnded:
			if m.Phase != inPhase {
				t.Errorf("%s ends in %s", m.Phase, inPhase)
			}
			inPhase, last = "", m.Phase
		case observe.Ended:
			if ends = append(ends, m); inPhase != "" {
				t.Errorf("a step ends in phase %s", inPhase)
			}
		}
	}
	if begun != steps || len(ends) != steps {
		t.Fatalf("%d steps, %d begun, %d ended", steps, begun, len(ends))
	}
	for i, e := range ends {
		if last := i == steps-1; last != (e.Next == "") || last != (e.Status == turn.Completed) || e.Err != nil {
			t.Errorf("step %d ended with %+v", i+1, e)
		}
	}
}

// TestStepsInTheLog: records of steps name the step, and only the last one says that the
// instruction is over.
func TestStepsInTheLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	steps := stepped(t, opened(t, campaign.Config{Observe: observe.Log(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))}))
	text := log.String()
	if strings.Count(text, "msg=stepped") != steps-1 || strings.Count(text, "msg=ended") != 1 || strings.Count(text, " step=") != strings.Count(text, "msg=") {
		t.Errorf("%d steps:\n%s", steps, text)
	}
}

// TestAFailedStepIsSeen: a step that fails ends with its error.
func TestAFailedStepIsSeen(t *testing.T) {
	t.Parallel()
	var seen recorder
	if _, err := opened(t, campaign.Config{Observe: &seen}).Step(t.Context(), "mill", turn.Journal{}, nil); err == nil {
		t.Fatal("an empty journal")
	}
	last, ok := seen.moments[len(seen.moments)-1].(observe.Ended)
	if !ok || last.Err == nil || last.Next != "" {
		t.Errorf("%+v", seen.moments)
	}
}
