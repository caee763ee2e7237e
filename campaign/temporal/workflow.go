package temporal

import (
	sdk "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	enums "go.temporal.io/api/enums/v1"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Progress describes how far an instruction is.
type Progress struct {
	// Stop is the question that is being answered: "generate", "judge", "commit" and so on. It is
	// empty before the first step.
	Stop turn.Stop `json:"stop"`
	// Steps is the number of finished steps. Asked is the number of retries after failed model
	// requests.
	Steps int `json:"steps"`
	Asked int `json:"asked"`
	// Committed reports whether the store has the turn.
	Committed bool `json:"committed"`
}

const progressQuery = "progress"

// playing is a workflow that runs an instruction.
type playing struct {
	request
	Progress
	begun int64 // the version of the campaign before the instruction
}

// play runs an instruction. It only holds the journal and makes no decisions. It reads no clock,
// and every step may run on a different worker.
func play(ctx workflow.Context, in request) (ended, error) {
	p := &playing{request: in}
	p.Options = p.Options.withDefaults()
	if err := workflow.SetQueryHandler(ctx, progressQuery, func() (Progress, error) { return p.Progress, nil }); err != nil {
		return ended{}, err
	}
	if waits, err := p.mayBegin(ctx); err != nil || !waits {
		return ended{Refused: &refused{Code: state.NoPendingApproval}}, err
	}
	end, err := p.runSteps(ctx)
	if err != nil {
		return ended{}, err
	}
	// A cancellation must not stop the work that follows a commit.
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	p.handOver(ctx, end)
	p.setTimer(ctx, end)
	return *end, nil
}

// mayBegin reports whether the question in Only waits; true if Only is empty.
func (p *playing) mayBegin(ctx workflow.Context) (waits bool, err error) {
	if p.Only == "" {
		return true, nil
	}
	ctx = workflow.WithActivityOptions(ctx, p.Options.activity())
	err = workflow.ExecuteActivity(ctx, waitsName, waiting{p.Campaign, p.Only}).Get(ctx, &waits)
	return waits, err
}

// runSteps runs steps until the instruction has ended.
func (p *playing) runSteps(ctx workflow.Context) (*ended, error) {
	for {
		var t taken
		ctx := workflow.WithActivityOptions(ctx, p.Options.activity())
		err := workflow.ExecuteActivity(ctx, stepName, position{p.Campaign, p.Journal}).Get(ctx, &t)
		again := err == nil && t.Again != nil && p.Asked < p.Options.ModelRetries
		if again {
			err = workflow.Sleep(ctx, modelPause(t.Again.After, p.Asked))
		}
		switch {
		case sdk.IsCanceledError(err) && !p.Journal.Cancelled:
			return p.cancelled(ctx)
		case err != nil:
			return nil, err
		case again:
			p.Asked++
			continue
		}
		if p.Steps++; p.begun == 0 {
			p.begun = t.Base
		}
		p.Stop, p.Committed = t.Stop, p.Committed || t.Committed
		if t.Ended != nil {
			return t.Ended, nil
		}
		p.Journal = p.Journal.Then(t.JournalStep)
	}
}

// cancelled ends an instruction after a cancellation.
func (p *playing) cancelled(ctx workflow.Context) (*ended, error) {
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	p.Journal.Cancelled = true
	return p.runSteps(ctx)
}

// handOver makes announcements and writes a summary, if something was committed. A failure does not
// undo the commit.
func (p *playing) handOver(ctx workflow.Context, end *ended) {
	if !p.Committed {
		return
	}
	ctx = workflow.WithActivityOptions(ctx, p.Options.activity())
	var after handed
	if err := workflow.ExecuteActivity(ctx, handOverName, handing{p.Campaign, p.begun}).Get(ctx, &after); err != nil {
		workflow.GetLogger(ctx).Warn("talewright: what follows from the instruction is left to Engine.Handover",
			"campaign", p.Campaign, "after", p.begun, "error", err)
		return
	}
	end.Host, end.Version = after.Host, max(end.Version, after.Version)
}

// setTimer starts a timer that discards a turn without an answer.
func (p *playing) setTimer(ctx workflow.Context, end *ended) {
	question := end.Outcome.Approval
	if p.Options.AnswerWithin <= 0 || question == nil || end.Outcome.Status != turn.Waiting {
		return
	}
	ctx = workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID:            workflowID(p.Campaign) + "/" + question.ID,
		ParentClosePolicy:     enums.PARENT_CLOSE_POLICY_ABANDON,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
	})
	only := request{Campaign: p.Campaign, Options: p.Options, Only: question.ID}
	err := workflow.ExecuteChildWorkflow(ctx, expireName, only).GetChildWorkflowExecution().Get(ctx, nil)
	if err != nil && !sdk.IsWorkflowExecutionAlreadyStartedError(err) {
		workflow.GetLogger(ctx).Warn("talewright: no timer for the question", "campaign", p.Campaign, "error", err)
	}
}

// expire discards a turn that waits for approval, after its time is over.
func expire(ctx workflow.Context, in request) error {
	if err := workflow.Sleep(ctx, in.Options.AnswerWithin); err != nil {
		return err
	}
	discard, err := turn.JournalOf(turn.Discard{At: workflow.Now(ctx).UTC()})
	if err != nil {
		return err
	}
	in.Journal = discard
	for pause := in.Options.Heartbeat; ; pause = min(2*pause, longestExpirePause) {
		ctx := workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
			WorkflowID:            workflowID(in.Campaign),
			WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		})
		err := workflow.ExecuteChildWorkflow(ctx, playName, in).Get(ctx, nil)
		if !sdk.IsWorkflowExecutionAlreadyStartedError(err) {
			return err
		}
		if err := workflow.Sleep(ctx, pause); err != nil { // an instruction runs, perhaps the answer
			return err
		}
	}
}
