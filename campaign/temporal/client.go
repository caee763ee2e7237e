package temporal

import (
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

// Client plays campaigns whose workers are elsewhere. It needs no engine and no store, and is safe for
// concurrent use.
type Client struct {
	Temporal  client.Client
	TaskQueue string // of the workers
	Options   Options
	// Queue lets an instruction wait while another one of the campaign runs. Without it, it is
	// refused as [state.CampaignBusy].
	Queue bool
	// Converter is that of the connection, if it has one of its own.
	Converter converter.DataConverter
}

// Submit plays a turn to its end, wherever its steps are taken. A refusal, a conflict and a failure
// of the model are outcomes; the error is that of the store, of an unknown campaign or of
// Temporal. See the package comment.
//
// A submission with a [state.Submission.ClientTurnID] may be repeated: one that runs is waited
// for, and one that has ended has its outcome again. When ctx ends, nobody waits any more, but the
// turn goes on; [Client.Cancel] ends it.
func (c Client) Submit(ctx context.Context, id string, in turn.Submit) (turn.Outcome, error) {
	return c.Do(ctx, id, in)
}

// Do carries out any instruction and returns its outcome. The error is a [*state.Refusal] for an
// instruction that was not carried out and is none that asks the model.
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
		_ = run.Get(ctx, nil) // how that one ended is for those who asked for it
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

// runs reports whether the workflow that runs carries out the instruction with a key.
func (c Client) runs(ctx context.Context, id, runID, key string) (bool, error) {
	if key == "" {
		return false, nil
	}
	about, err := c.Temporal.DescribeWorkflowExecution(ctx, workflowID(id), runID)
	if err != nil {
		return false, err
	}
	read := c.Converter
	if read == nil {
		read = converter.GetDefaultDataConverter()
	}
	var other string
	if memo := about.GetWorkflowExecutionInfo().GetMemo().GetFields()[memoKey]; memo != nil {
		err = read.FromPayload(memo, &other)
	}
	return other == key, err
}

// busy is how an instruction ends that another one is in the way of.
func busy(in turn.Input) (turn.Outcome, error) {
	refusal := &state.Refusal{Code: state.CampaignBusy, Detail: "a workflow carries out another instruction"}
	if _, asks := turn.Asks(in); asks {
		return turn.Outcome{Status: turn.Refused, Reason: string(refusal.Code), Detail: refusal.Detail}, nil
	}
	return turn.Outcome{}, refusal
}

// Cancel ends the instruction that runs: the model is not asked any more, and a turn that is not
// committed yet ends as cancelled. It returns when Temporal has heard of it. That nothing runs is
// no error.
func (c Client) Cancel(ctx context.Context, id string) error {
	err := c.Temporal.CancelWorkflow(ctx, workflowID(id), "")
	if _, gone := errors.AsType[*serviceerror.NotFound](err); gone {
		return nil
	}
	return err
}

// Progress says how far the instruction is that runs, or the last one. A worker answers that.
func (c Client) Progress(ctx context.Context, id string) (Progress, error) {
	var p Progress
	answer, err := c.Temporal.QueryWorkflow(ctx, workflowID(id), "", progressQuery)
	if err == nil {
		err = answer.Get(&p)
	}
	return p, err
}

func workflowID(campaign string) string { return "campaign/" + campaign }

// memoKey is where a workflow says which instruction it carries out.
const memoKey = "talewright.instruction"

// keyOf names an instruction that may be repeated; "" for one that may not.
func keyOf(in turn.Input) string {
	asking, is := turn.Asks(in)
	if !is || asking.Ticket().ClientTurnID == "" {
		return ""
	}
	return asking.Ticket().ClientTurnID + " " + asking.Ticket().By("")
}
