package hooks

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/hooks/internal/stage"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// Run runs the hooks of a set on an event, and then on the events that their commits raise, each
// one level deeper. It never fails: a hook's failures are in its log and do not affect other hooks.
// Inputs are not modified.
//
// Candidates are enabled hooks whose pattern and scope match, smaller priority first. Each
// candidate passes these gates in this order. It already ran this turn: skipped. Its conditions are
// false: no record. Its once_per_conversation is used up: skipped. Its permissions exclude the
// channel: denied, and skipped from the second time on. The turn's limit is reached: skipped.
// Otherwise it runs, and counts toward the limit with any status. A hook sees the commits of
// earlier hooks on the same event.
//
// Time: Run reads no clock except Env.Clock, with one exception. If a hook's actions call handlers
// or sinks, which may block, each attempt runs under context.WithTimeout with the hook's
// timeout_ms. Hooks that have only internal built-in actions are pure functions of the arguments.
//
// When ctx ends, the running attempt times out and no further hook starts. Dropped then lists the
// event.
//
// An event without hooks costs one lookup and allocates nothing.
func Run(ctx context.Context, set *Set, event act.Event, state State, env Env) Result {
	dropped := event.Type == "" || env.Depth > env.Limits.chainDepth()
	if !env.Trace && !dropped && !set.Wants(event.Type) {
		return Result{State: state, Character: env.Character, Relationship: env.Relationship}
	}
	if set == nil {
		set = &Set{}
	}
	return run(ctx, set, event, state, env)
}

// run is Run for an event that has hooks, is traced or is dropped. It is a separate function
// because its variables are heap-allocated; Run avoids these allocations when they are not needed.
func run(ctx context.Context, set *Set, event act.Event, state State, env Env) Result {
	// The state stores these ids, so they must be equal after they are read back.
	event.ID, event.ConversationID = utf8text.Mend(event.ID), utf8text.Mend(event.ConversationID)
	r := runner{ctx: ctx, set: set, env: &env,
		means: stage.Means{Fields: env.Fields, MemoryTypes: env.MemoryTypes, Missing: env.Missing}}
	r.result.State = state
	r.result.State.Turn.Ran = slices.Clip(state.Turn.Ran)
	r.result.State.Turn.Denied = slices.Clip(state.Turn.Denied)
	r.current = stage.Overlay{
		Values: stage.Values{Character: env.Character, Relationship: env.Relationship},
		Who:    event.CharacterID,
		Keys:   stage.NewKeys(state.Turn.DefaultKeys),
	}
	for _, p := range env.Others {
		r.means.People = append(r.means.People, stage.Person{ID: p.ID, Name: p.Name})
		if p.ID != event.CharacterID {
			if r.current.Others == nil {
				r.current.Others = make(map[string]stage.Values, len(env.Others))
			}
			r.current.Others[p.ID] = stage.Values{Character: p.Character, Relationship: p.Relationship}
		}
	}
	if !env.Now.IsZero() {
		r.now = env.Now.Format(time.RFC3339)
	}
	r.handle(&event, env.Depth)
	r.result.State.Turn.DefaultKeys = r.current.Keys.Result()
	r.result.Character, r.result.Relationship = r.current.Character, r.current.Relationship
	return r.result
}

// runner is the state of one call of [Run].
type runner struct {
	ctx     context.Context
	set     *Set
	env     *Env
	means   stage.Means // the part of env for built-in actions
	now     string
	current stage.Overlay // committed values; its effects are in result
	result  Result
}

// handle runs all hooks on one event, then handles the events that they raised. Each of these
// events is handled with everything that follows from it before the next one.
func (r *runner) handle(event *act.Event, depth int) {
	switch {
	case event.Type == "":
		r.drop(event, depth, dropNoType)
		return
	case depth > r.env.Limits.chainDepth():
		r.drop(event, depth, dropChainDepth)
		return
	}
	var own [1]string
	sc := condition.Scene{
		Event: event, Channel: event.Channel(), Names: act.TypeNamesOf(event.Type, &own),
		Vars: r.env.Vars, Fields: r.env.Fields, Now: r.env.Now,
	}
	ranks := r.set.candidates(event, sc.Names)
	if r.env.Trace {
		r.traceOthers(ranks, event, depth)
	}
	first := len(r.result.Derived)
	for _, rank := range ranks {
		c := candidate{r, r.set.byRank[rank], event, depth}
		if !c.hook.inScope(event) {
			c.trace(gateScope, string(c.hook.Scope))
			continue
		}
		if r.ctx.Err() != nil {
			r.drop(event, depth, dropCanceled)
			break
		}
		sc.Character, sc.Relationship = r.current.Character, r.current.Relationship
		c.passGates(&sc)
	}
	// The hooks above raised the events between first and end. Handling these events appends
	// further events, which the nested calls handle.
	for i, end := first, len(r.result.Derived); i < end; i++ {
		derived := r.result.Derived[i]
		who := r.current.Who
		r.current.SwitchTo(derived.Event.CharacterID) // hooks see the values of the character in the event
		r.handle(&derived.Event, derived.Depth)
		r.current.SwitchTo(who)
	}
}

// drop records an event that is not handled.
func (r *runner) drop(event *act.Event, depth int, reason DropReason) {
	r.result.Dropped = append(r.result.Dropped, Drop{EventID: event.ID, EventType: event.Type, Depth: depth, Reason: reason})
}

// candidate is a hook of the run at one event.
type candidate struct {
	*runner
	hook  *hook
	event *act.Event
	depth int
}

// passGates checks the candidate at each gate. The order of the gates decides what is recorded: a
// hook whose conditions are false is neither denied nor counted.
func (c candidate) passGates(sc *condition.Scene) {
	turn := &c.result.State.Turn
	switch h := c.hook; {
	case slices.Contains(turn.Ran, h.ID):
		c.skip(act.AlreadyRan, gateRan)
	case !h.conditions.Hold(sc):
		if c.env.Trace {
			c.trace(gateCondition, h.conditions.Explain(sc))
		}
	case c.isUsedOnce() && c.result.State.Used(h.ID, c.event.ConversationID):
		c.skip(act.AlreadyTriggered, gateTriggered)
	case !h.Permissions.permits(sc.Channel):
		c.deny()
	case turn.Count >= c.env.Limits.hooksPerTurn():
		c.skip(act.TurnLimit, gateLimit)
	default:
		// Count the hook before it runs: a hook that fails must not run again at every event of the
		// turn.
		turn.Count++
		turn.Ran = append(turn.Ran, h.ID)
		c.run()
	}
}

// isUsedOnce reports whether the hook may run only once in the conversation of the event.
func (c candidate) isUsedOnce() bool {
	return c.hook.TriggerMode == OncePerConversation && c.event.ConversationID != ""
}

// record returns a log for the hook. The log's id depends only on the inputs of the run, so a
// replay writes the same log. The number seq distinguishes several logs of one hook for one event,
// such as denied and then skipped.
func (c candidate) record(status act.Status) act.Log {
	seq := strconv.Itoa(len(c.result.Logs) + len(c.result.Skipped))
	return act.Log{
		ID:             "log_" + shortHash(c.result.State.Turn.ID, c.event.ID, c.hook.ID, seq),
		HookID:         c.hook.ID,
		HookName:       c.hook.Name,
		EventID:        c.event.ID,
		EventType:      c.event.Type,
		ConversationID: c.event.ConversationID,
		Status:         status,
		Depth:          c.depth,
		CreatedAt:      c.now,
		DisplayMessage: c.hook.displayText,
	}
}

// skip records a hook that a limit keeps from running.
func (c candidate) skip(why act.Reason, gate Gate) {
	l := c.record(act.StatusSkipped)
	l.Reason = why
	c.result.Skipped = append(c.result.Skipped, l)
	c.trace(gate, "")
}

// deny records a hook that the event's channel excludes, once per turn.
func (c candidate) deny() {
	turn := &c.result.State.Turn
	if slices.Contains(turn.Denied, c.hook.ID) {
		c.skip(act.AlreadyDenied, gatePermission)
		return
	}
	turn.Denied = append(turn.Denied, c.hook.ID)
	l := c.record(act.StatusDenied)
	l.Error = "Permission denied"
	c.result.Logs = append(c.result.Logs, l)
	c.trace(gatePermission, "channel "+c.event.Channel())
}

// run executes the hook, commits its effects in one step, and raises the events of the changes.
func (c candidate) run() {
	began := c.clock()
	// The copy of the overlay is the save point: the current one does not change until the commit.
	x := &execution{
		candidate: c, staged: c.current, keyMark: c.current.Keys.Mark(),
		results: make([]act.ActionResult, len(c.hook.steps)), progress: make([]progress, len(c.hook.steps)),
	}
	status, attempts := x.runAttempts()
	before := c.current
	if status == act.StatusSuccess || status == act.StatusPartial {
		c.commit(x.staged)
	} else {
		x.rollBack()
	}
	c.result.Delivered = append(c.result.Delivered, x.delivered...)

	l := c.record(status)
	l.Attempts, l.Results = attempts, x.results
	l.ActionsExecuted, l.Error = x.summary(status)
	l.DurationMS = c.clock().Sub(began).Milliseconds()
	c.result.Logs = append(c.result.Logs, l)
	c.trace(gateStatus, string(status))
	if c.env.NoDerivedEvents {
		return
	}
	c.raiseChanges(c.event.CharacterID, before.Values, c.current.Values)
	for _, p := range c.env.Others {
		if p.ID != c.current.Who {
			c.raiseChanges(p.ID, before.Others[p.ID], c.current.Others[p.ID])
		}
	}
}

// clock reads the host's clock. Without a clock every time is zero.
func (r *runner) clock() time.Time {
	if r.env.Clock == nil {
		return time.Time{}
	}
	return r.env.Clock()
}

// commit makes the staged effects visible to later hooks and to the host, and marks a
// once_per_conversation hook as used up.
func (c candidate) commit(staged stage.Overlay) {
	c.result.Effects = append(c.result.Effects, staged.Effects...)
	staged.Effects = nil
	c.current = staged
	if c.isUsedOnce() {
		c.result.State = c.result.State.use(c.hook.ID, c.event.ConversationID)
	}
}

// raiseChanges raises the events for one character's changes of state and relationship.
func (c candidate) raiseChanges(who string, before, after stage.Values) {
	c.raiseChange(act.StateChanged, who, before.Character, after.Character)
	c.raiseChange(act.RelationshipChanged, who, before.Relationship, after.Relationship)
}

// raiseChange records the event of a value that a commit really changed. It compares before and
// after, so two changes that undo each other raise nothing. The event has the character who, and
// the conversation, user, group and channel of its cause. Its id is made from the cause's id, so
// that a replay gives the same id.
func (c candidate) raiseChange(typ, who string, before, after tree.Value) {
	var changes []tree.Member
	for field, v := range after.Members() { // no commit removes a field
		old := before.Get(field)
		if old.Equal(v) {
			continue
		}
		if !old.Exists() {
			old = tree.Int(0) // the action used this value too
		}
		changes = append(changes, tree.Member{Key: field, Value: stage.ChangeOf(old, v)})
	}
	if len(changes) == 0 {
		return
	}
	cause := c.event
	// A hook runs once per turn, so event, hook, type and character identify this change.
	named := []string{cause.ID, c.hook.ID, typ}
	if who != cause.CharacterID {
		named = append(named, who)
	}
	event := act.Event{
		ID:             "evt_" + shortHash(named...),
		Type:           typ,
		Source:         "hooks",
		ConversationID: cause.ConversationID,
		CharacterID:    who,
		UserID:         cause.UserID,
		GroupID:        cause.GroupID,
		CreatedAt:      c.now,
		Payload: tree.Object(
			tree.Member{Key: "changes", Value: tree.Object(changes...)},
			tree.Member{Key: "hook_id", Value: tree.Text(c.hook.ID)},
			tree.Member{Key: "cause_event_id", Value: tree.Text(cause.ID)}),
		Metadata: tree.Object(tree.Member{Key: "channel", Value: tree.Text(cause.Channel())}),
	}
	c.result.Derived = append(c.result.Derived, DerivedEvent{Event: event, Depth: c.depth + 1})
	c.trace(gateDerived, typ)
}
