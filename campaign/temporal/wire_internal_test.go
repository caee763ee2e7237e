package temporal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/converter"
	sdk "go.temporal.io/sdk/temporal"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/rules/effect"
)

// TestRoundTripOutcome checks that an outcome keeps all data in a message. This includes parts
// without their own JSON form: its version, the effects for the host, the cause of a failure.
func TestRoundTripOutcome(t *testing.T) {
	for _, o := range []turn.Outcome{
		{Status: turn.Completed, Version: 7, Turn: &state.Turn{ID: "turn_0001", Text: "Rain <& sun>."}, Messages: []string{"An owl hoots."},
			Host: []effect.Attributed{{Source: "h", Effect: effect.WriteLog{Level: "info", Message: "An owl hoots."}}, {Source: "r", Effect: effect.Custom{Type: "play"}}}},
		{Status: turn.Waiting, Version: 2, Approval: &state.ApprovalQuestion{ID: "approval_0002"}},
		{Status: turn.Refused, Reason: string(state.EmptyInput), Detail: "why"},
		{Status: turn.Failed, Reason: "overloaded", Attempts: []state.Attempt{{Output: "x"}},
			Failure: &turn.Failure{Kind: turn.FailureModel, Code: "overloaded", Retry: true, RetryAfter: time.Minute, Err: errors.New("come back later")}},
	} {
		data, err := json.Marshal(taken{Ended: endOf(o)})
		var back taken
		if err == nil {
			err = json.Unmarshal(data, &back)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := back.Ended.outcome()
		if err != nil {
			t.Fatal(err)
		}
		if err := turn.Same(got, o); err != nil {
			t.Error(err)
		}
		if got.Version != o.Version || fmt.Sprint(got.Host) != fmt.Sprint(o.Host) || fmt.Sprint(got.Err()) != fmt.Sprint(o.Err()) {
			t.Errorf("%+v\nis on the other side\n%+v", o, got)
		}
	}
	_, err := ended{Refused: &refused{state.NoPendingApproval, "why"}}.outcome()
	if refusal, is := errors.AsType[*state.Refusal](err); !is || refusal.Code != state.NoPendingApproval || refusal.Detail != "why" {
		t.Errorf("a refusal is %v", err)
	}
}

// TestOutcomesFit checks that an outcome that is too long loses the parts about how it came about,
// which the log keeps. The caller's value does not change.
func TestOutcomesFit(t *testing.T) {
	long := []state.Attempt{{Output: strings.Repeat("x", maxOutcome)}}
	for name, o := range map[string]turn.Outcome{
		"turn":   {Status: turn.Completed, Turn: &state.Turn{ID: "t", Text: "Rain.", Attempts: long}, Attempts: long},
		"report": {Status: turn.Conflict, Report: &state.ConflictReport{History: long}, Attempts: long},
		"failed": {Status: turn.Failed, Attempts: long},
	} {
		before, _ := json.Marshal(o)
		data, err := json.Marshal(fit(o))
		if err != nil || len(data) > maxOutcome {
			t.Errorf("%s has %d bytes: %v", name, len(data), err)
		}
		if after, _ := json.Marshal(o); string(after) != string(before) {
			t.Errorf("%s: the original was changed", name)
		}
	}
}

// TestErrorsCrossTheWire checks that errors of the engine reach the client unchanged. Retries stop
// if waiting does not help. For unknown errors they stop after a few attempts.
func TestErrorsCrossTheWire(t *testing.T) {
	converts := sdk.NewDefaultFailureConverter(sdk.DefaultFailureConverterOptions{DataConverter: converter.GetDefaultDataConverter()})
	for _, c := range []struct {
		err       error
		is        error
		again     bool // on the first attempts
		insistent bool // on later attempts
	}{
		{campaign.ErrNotFound, campaign.ErrNotFound, false, false},
		{campaign.ErrDeleted, campaign.ErrDeleted, false, false},
		{turn.ErrInvalidInput, turn.ErrInvalidInput, false, false},
		{turn.ErrDiverged, turn.ErrDiverged, true, false},
		{turn.ErrNewerLayout, turn.ErrNewerLayout, true, false},
		{campaign.ErrUnavailable, campaign.ErrUnavailable, true, true},
		{campaign.ErrLeaseLost, campaign.ErrLeaseLost, true, true},
		{&campaign.HeldError{For: time.Hour}, campaign.ErrUnavailable, true, true},
		{&state.Refusal{Code: state.CampaignBusy}, campaign.ErrUnavailable, true, true},
		{&llm.Error{Code: llm.CodeAuth}, nil, true, false},
	} {
		for attempt, want := range map[int32]bool{1: c.again, fewAttempts: c.insistent} {
			sent := forTemporal(fmt.Errorf("engine: %w", c.err), attempt)
			got := converts.FailureToError(converts.ErrorToFailure(sent))
			app, is := errors.AsType[*sdk.ApplicationError](got)
			if !is || app.NonRetryable() == want {
				t.Errorf("%v, attempt %d: %v is tried again: %v", c.err, attempt, got, !app.NonRetryable())
			}
			if is && app.NextRetryDelay() > longestPause+time.Second {
				t.Errorf("%v: the next attempt comes after %s", c.err, app.NextRetryDelay())
			}
			if back := fromTemporal(got); c.is != nil && !errors.Is(back, c.is) || !strings.Contains(back.Error(), c.err.Error()) {
				t.Errorf("%v comes as %v", c.err, back)
			}
		}
	}
	if fromTemporal(nil) != nil || forTemporal(nil, 1) != nil {
		t.Error("no error is one")
	}
}

// TestPauses checks the pause before a model request: the provider's time, or else a growing and
// bounded pause.
func TestPauses(t *testing.T) {
	for _, c := range []struct {
		after time.Duration
		again int
		want  time.Duration
	}{{time.Hour, 9, time.Hour}, {0, 0, time.Second}, {0, 2, 4 * time.Second}, {0, 99, longestModelPause}, {-1, 0, time.Second}} {
		if got := modelPause(c.after, c.again); got != c.want {
			t.Errorf("%s, %d times: %s, want %s", c.after, c.again, got, c.want)
		}
	}
}
