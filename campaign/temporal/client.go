package temporal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Client plays campaigns on workers in other processes. It needs no engine and no store. It is safe
// for concurrent use.
type Client struct {
	Temporal  client.Client
	TaskQueue string // of the workers
	Options   Options
	// Queue makes an instruction wait while a different one of the campaign runs. Without Queue it
	// is refused with [state.CampaignBusy].
	Queue bool
	// Converter is the data converter of the connection; nil means the default one.
	Converter converter.DataConverter
}

// Submit plays a turn to its end on any workers. A refusal, a conflict and a failure of the model
// are outcomes. The error comes from the store, from Temporal, or means an unknown campaign. See
// the package comment.
//
// A submission with a [state.Submission.ClientTurnID] may be repeated. If the first one is still
// running, Submit waits for it. If it has ended, Submit returns its outcome. When ctx ends, Submit
// returns but the turn continues; [Client.Cancel] ends it.
func (c Client) Submit(ctx context.Context, id string, in turn.Submit) (turn.Outcome, error) {
	return c.Do(ctx, id, in)
}

// Do runs any instruction and returns its outcome. If an instruction that does not ask the model is
// refused, the error is a [*state.Refusal].
func (c Client) Do(ctx context.Context, id string, in turn.Input) (turn.Outcome, error) {
	j, err := turn.JournalOf(turn.Stamp(in, time.Now().UTC()))
	if err != nil {
		return turn.Outcome{}, fmt.Errorf("temporal: %w", err)
	}
	key := keyOf(in)
	req := request{Campaign: id, Journal: j, Options: c.Options.withDefaults()}
	for {
		run, err := c.Temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
			ID: workflowID(id), TaskQueue: c.TaskQueue,
			WorkflowIDConflictPolicy:                 enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
			WorkflowIDReusePolicy:                    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
			WorkflowExecutionErrorWhenAlreadyStarted: true,
			Memo:                                     map[string]any{memoKey: key},
		}, playName, req)
		if err == nil {
			return c.outcome(ctx, run)
		}
		running, is := errors.AsType[*serviceerror.WorkflowExecutionAlreadyStarted](err)
		if !is {
			return turn.Outcome{}, fmt.Errorf("temporal: begin %q: %w", id, err)
		}
		run = c.Temporal.GetWorkflow(ctx, workflowID(id), running.RunId)
		same, err := c.runs(ctx, id, running.RunId, key)
		switch {
		case err != nil:
			return turn.Outcome{}, fmt.Errorf("temporal: look at %q: %w", id, err)
		case same:
			return c.outcome(ctx, run)
		case !c.Queue:
			return busy(in)
		}
		_ = run.Get(ctx, nil) // its outcome belongs to its own caller
		if ctx.Err() != nil {
			return turn.Outcome{}, ctx.Err()
		}
	}
}

// outcome waits for the end of an instruction.
func (c Client) outcome(ctx context.Context, run client.WorkflowRun) (turn.Outcome, error) {
	var end ended
	if err := run.Get(ctx, &end); err != nil {
		return turn.Outcome{}, fmt.Errorf("temporal: %w", fromTemporal(err))
	}
	return end.outcome()
}

// runs reports whether a running workflow executes the instruction with the given key.
func (c Client) runs(ctx context.Context, id, runID, key string) (bool, error) {
	if key == "" {
		return false, nil
	}
	about, err := c.Temporal.DescribeWorkflowExecution(ctx, workflowID(id), runID)
	if err != nil {
		return false, err
	}
	read := cmp.Or(c.Converter, converter.GetDefaultDataConverter())
	var other string
	if memo := about.GetWorkflowExecutionInfo().GetMemo().GetFields()[memoKey]; memo != nil {
		err = read.FromPayload(memo, &other)
	}
	return other == key, err
}

// busy returns the result of an instruction that is refused because a different one runs.
func busy(in turn.Input) (turn.Outcome, error) {
	refusal := &state.Refusal{Code: state.CampaignBusy, Detail: "a workflow runs a different instruction"}
	if _, asks := turn.NeedsModel(in); asks {
		return turn.Outcome{Status: turn.Refused, Reason: string(refusal.Code), Detail: refusal.Detail}, nil
	}
	return turn.Outcome{}, refusal
}

// Cancel ends the running instruction. The model is not asked any more, and a turn that is not
// committed yet ends as cancelled. Cancel returns after Temporal has received the request. It
// returns nil if nothing runs.
func (c Client) Cancel(ctx context.Context, id string) error {
	err := c.Temporal.CancelWorkflow(ctx, workflowID(id), "")
	if _, gone := errors.AsType[*serviceerror.NotFound](err); gone {
		return nil
	}
	return err
}

// Progress returns the progress of the running instruction, or of the last one. A worker must be
// running to answer.
func (c Client) Progress(ctx context.Context, id string) (Progress, error) {
	var p Progress
	answer, err := c.Temporal.QueryWorkflow(ctx, workflowID(id), "", progressQuery)
	if err == nil {
		err = answer.Get(&p)
	}
	return p, err
}

func workflowID(campaign string) string { return "campaign/" + campaign }

// memoKey is the memo field in which a workflow names its instruction.
const memoKey = "talewright.instruction"

// keyOf returns a key for an instruction that may be repeated, "" for other instructions.
func keyOf(in turn.Input) string {
	asking, is := turn.NeedsModel(in)
	if !is || asking.Ticket().ClientTurnID == "" {
		return ""
	}
	return asking.Ticket().ClientTurnID + " " + asking.Ticket().By("")
}
