package campaign

import (
	"context"
	"errors"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
)

// runner runs one instruction: it answers the questions of the machine until the machine is idle.
type runner struct {
	*task
	*screen    // the caller, who receives the progress
	calls      calls
	inFollowUp bool      // a follow-up is running; the outcome of the instruction is already emitted
	isRepeated bool      // the instruction was sent before, and still waits for people
	next       turn.Stop // the stop at which the next step continues; empty for a whole instruction
}

// task is the campaign, its content and its lease, for all parts of a running instruction.
type task struct {
	engine *Engine
	id     string          // of the campaign
	game   *game.Game      // the content of the machine
	ctx    context.Context // ends when the caller stops, and when the lease is lost
	watch  *watch.Watch    // nil: no observer
	lease  *lease          // nil without a lease
	cause  error           // the error of the newest failed call of the model or the store
}

// calls calls the model for one instruction. In a [Cluster] it saves the answers, and finds the
// answers that a process has saved for the same instruction before it died.
type calls struct {
	*task
	*screen
	asksModel    bool         // the instruction asks the model
	suggestion   turn.Suggest // the instruction, if it is a turn.Suggest
	answeredKeys []string     // the keys of the calls that were answered, by the model or from the store

	// The last fields concern the questions to the host, such as Services.Route.

	hostAnswersVersion int64                  // the version of the record that the questions belong to
	hostAnswers        map[string]turn.Inputs // their answers, by the name of the question
	occurrences        map[string]int         // how often each question was asked
}

// newRunner returns the runner of an instruction. cancel ends ctx; yield receives the progress.
func newRunner(e *Engine, ctx context.Context, cancel context.CancelFunc, id string, yield func(Progress, error) bool) *runner {
	t, s := &task{engine: e, id: id, ctx: ctx}, &screen{yield: yield, cancel: cancel}
	return &runner{task: t, screen: s, calls: calls{task: t, screen: s}}
}

// errUnfinished is reported to observers if an instruction ends by a panic that is not recovered.
var errUnfinished = errors.New("campaign: the instruction did not come to its end")

// observed runs do and reports its end to the observers, also after a panic.
func (r *runner) observed(do func() error) (err error) {
	err = errUnfinished
	defer func() {
		next := r.next
		if r.outcome != nil || err != nil {
			next = ""
		}
		r.watch.End(r.outcome, next, err)
	}()
	err = explainLeaseLoss(r.ctx, r.id, do())
	return err
}

// workContext returns the context for the work of the instruction, with the values of observers.
func (t *task) workContext() context.Context { return t.watch.Context(t.ctx) }

// log returns the campaign's log, for queries about the past.
func (t *task) log(ctx context.Context) turnlog.Log { return t.engine.archive.log(ctx, t.id) }

func (t *task) logPanic(p tool.Panic) {
	t.engine.cfg.Logger.Error("campaign: a tool panicked", "campaign", t.id, "tool", p.Tool,
		"panic", p.Value, "stack", string(p.Stack))
}

// memory returns the feed of the host's memory.
func (t *task) memory(s *session) memoryFeed {
	return memoryFeed{t.engine.cfg.Services.Memory, t.log, t.id, &s.sentToMemory, &t.engine.cfg}
}
