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

// kind is an error of the engine as Temporal knows it: by the type of an application error.
type kind struct {
	name  string
	is    error
	final bool // waiting does not help
}

// kinds are looked at in this order: an error may be of several.
var kinds = []kind{
	{"campaign_deleted", campaign.ErrDeleted, true},
	{"campaign_not_found", campaign.ErrNotFound, true},
	{"invalid_input", turn.ErrInvalidInput, true},
	{"newer_layout", turn.ErrNewerLayout, false}, // another worker may be newer
	{"diverged", turn.ErrDiverged, false},        // another worker may have the content
	{"lease_lost", campaign.ErrLeaseLost, false},
	{"unavailable", campaign.ErrUnavailable, false},
}

// These wait as long as patience lasts; other errors end after [fewAttempts].
const (
	kindHeld = "campaign_held"
	kindBusy = "campaign_busy"
	// fewAttempts is for errors of which nobody knows whether waiting helps. They take some
	// minutes, in which workers of an older version may be replaced.
	fewAttempts = 20
)

// patient are the errors for which only waiting helps.
func patient(name string) bool {
	return name == "lease_lost" || name == "unavailable" || name == kindHeld || name == kindBusy
}

// forTemporal is an error of a step as an activity returns it. attempt counts from 1.
func forTemporal(err error, attempt int32) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err // the SDK knows whether somebody cancelled, or the worker stops
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

// known is an error that came over the wire, as the error of the engine that it was. Its text names that already.
type known struct {
	error
	is error
}

func (e known) Unwrap() []error { return []error{e.is, e.error} }

// fromTemporal is the error of a workflow as the engine would have returned it.
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
