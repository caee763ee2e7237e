package temporal

import (
	"context"
	"errors"
	"fmt"
	"time"

	sdk "go.temporal.io/sdk/temporal"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// kind maps an error of the engine to the type of a Temporal application error.
type kind struct {
	name  string
	is    error
	final bool // waiting does not help
}

// kinds are checked in this order, because an error may match several.
var kinds = []kind{
	{"campaign_deleted", campaign.ErrDeleted, true},
	{"campaign_not_found", campaign.ErrNotFound, true},
	{"invalid_input", turn.ErrInvalidInput, true},
	{"newer_layout", turn.ErrNewerLayout, false}, // a different worker may be newer
	{"diverged", turn.ErrDiverged, false},        // a different worker may have the content
	{"lease_lost", campaign.ErrLeaseLost, false},
	{"unavailable", campaign.ErrUnavailable, false},
}

// Steps that fail with these kinds are retried until [Options].Patience is over. See patient.
const (
	kindHeld = "campaign_held"
	kindBusy = "campaign_busy"
	// fewAttempts limits the retries for errors that waiting may or may not fix. The attempts take
	// a few minutes, enough to replace workers of an older version.
	fewAttempts = 20
)

// patient reports whether only waiting helps against a kind of error.
func patient(name string) bool {
	return name == "lease_lost" || name == "unavailable" || name == kindHeld || name == kindBusy
}

// forTemporal converts an error of a step to the error that its activity returns. attempt counts
// from 1.
func forTemporal(err error, attempt int32) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err // the SDK distinguishes a cancelled call from a stopping worker
	}
	name, options := "failed", sdk.ApplicationErrorOptions{Cause: err}
	if held, is := errors.AsType[*campaign.HeldError](err); is {
		name, options.NextRetryDelay = kindHeld, min(held.For, longestPause)+time.Millisecond
	} else if refusal, is := errors.AsType[*state.Refusal](err); is && refusal.Code == state.CampaignBusy {
		name = kindBusy
	} else {
		for _, k := range kinds {
			if errors.Is(err, k.is) {
				name, options.NonRetryable = k.name, k.final
				break
			}
		}
	}
	if !patient(name) && attempt >= fewAttempts {
		options.NonRetryable = true
	}
	return sdk.NewApplicationErrorWithOptions(err.Error(), name, options)
}

// known is an application error that also wraps the engine's error. The text already contains that
// error.
type known struct {
	error
	is error
}

func (e known) Unwrap() []error { return []error{e.is, e.error} }

// fromTemporal converts the error of a workflow to the error that the engine would have returned.
func fromTemporal(err error) error {
	if err == nil {
		return nil
	}
	if failed, is := errors.AsType[*sdk.ApplicationError](err); is {
		for _, k := range kinds {
			if failed.Type() == k.name {
				return known{err, k.is}
			}
		}
		if patient(failed.Type()) {
			return fmt.Errorf("%w: %w", campaign.ErrUnavailable, err)
		}
		return err
	}
	if _, is := errors.AsType[*sdk.TimeoutError](err); is {
		return fmt.Errorf("%w: %w", campaign.ErrUnavailable, err)
	}
	return err
}
