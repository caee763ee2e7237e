package turn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// court judges the calls of one output, in order, each on the state that the
// accepted ones before it left.
type court struct {
	tools     tool.Set
	life      map[state.AliveState]state.LifeRule
	allowlist []string
	disabled  map[string]state.DisabledTool
	actorID   string
	dialogOK  bool // the dialog type offers tools
	narrating bool // the narrating phase of plan_narrate
	maxCalls  int
	maxDelta  int
	roll      func(key string, sides int) int
	// reasonText is the text of a refusal by a tool, the zero Tool for the engine's own.
	reasonText func(tool tool.Tool, code state.CallCode) string
	panicked   func(tool string, what any) // called while the panic unwinds
	// refused remembers by tool and arguments what failed earlier in the turn.
	refused map[string]state.CallCode
}

// ruling is what became of one call: either failed or judgement is set.
type ruling struct {
	call      tool.Call
	judgement tool.Judgement
	failed    *state.FailedCall
}

func (c *court) text(code state.CallCode) string { return c.reasonText(tool.Tool{}, code) }

// judge decides the call at the given place of an output.
func (c *court) judge(place int, raw answer.RawCall, seen map[string]bool, s state.State) ruling {
	call := tool.Call{ID: raw.ID, Tool: raw.Tool, Args: raw.Args, Reason: raw.Reason}
	fail := func(status state.CallStatus, reason state.CallCode) ruling {
		return ruling{call: call, failed: &state.FailedCall{
			ID: raw.ID, Tool: raw.Tool, Status: status, Reason: reason,
			Message: c.text(reason),
		}}
	}
	asked, known := c.tools.Get(raw.Tool)
	ban, banned := c.disabled[raw.Tool]
	allowed := slices.Contains(c.allowlist, raw.Tool)
	duplicate := seen[raw.ID]
	seen[raw.ID] = true
	switch {
	case place >= c.maxCalls+maxCallsListed: // one ruling for many: their form is not looked at
		return fail(state.CallRejected, tool.CallTooMany)
	case raw.Form != "":
		r := fail(state.CallError, tool.CallInvalid)
		r.failed.Message = raw.Form
		return r
	case place >= c.maxCalls:
		return fail(state.CallRejected, tool.CallTooMany)
	case duplicate:
		return fail(state.CallError, tool.CallDuplicateID)
	case c.narrating:
		return fail(state.CallRejected, tool.CallInNarration)
	case !c.dialogOK:
		return fail(state.CallRejected, tool.CallInDialogType)
	case !known && (allowed || !tool.BuiltByHosts(raw.Tool)):
		return fail(state.CallRejected, tool.CallToolUnknown)
	case !allowed:
		return fail(state.CallRejected, tool.CallToolNotAllowed)
	case banned:
		r := fail(state.CallRejected, tool.CallToolDisabled)
		r.failed.DisabledUntil = ban.DisabledUntil
		if ban.Reason != "" {
			r.failed.Message = ban.Reason
		}
		return r
	}
	return c.remember(c.judgeByTool(asked, call, s, fail))
}

func (c *court) judgeByTool(
	asked tool.Tool, call tool.Call, s state.State, fail func(state.CallStatus, state.CallCode) ruling,
) ruling {
	if bad := asked.Violations(call.Args); len(bad) > 0 {
		if n := len(bad) - maxViolations; n > 0 {
			bad = append(bad[:maxViolations], fmt.Sprintf("and %d more", n))
		}
		r := fail(state.CallError, tool.CallInvalidArgs)
		r.failed.Violations = bad
		r.failed.Message += ": " + strings.Join(bad, ", ")
		return r
	}
	if given, ok := call.Args.Get("actor_id").AsText(); ok && given != c.actorID {
		return fail(state.CallRejected, tool.CallActorMismatch)
	}
	if !c.mayUse(call, s) {
		return fail(state.CallRejected, tool.CallActorRestricted)
	}
	j := c.ask(asked, call, s)
	if j.Reason == "" {
		return ruling{call: call, judgement: j}
	}
	status := state.CallRejected
	if j.Reason == tool.CallToolFailed {
		status = state.CallError
	}
	r := fail(status, j.Reason)
	if text := c.reasonText(asked, j.Reason); text != "" {
		r.failed.Message = text
	}
	r.failed.Expected, r.failed.Hint = j.Expected, j.Hint
	r.failed.DisabledUntil = j.DisabledUntil
	return r
}

// mayUse asks the life state of the acting character.
func (c *court) mayUse(call tool.Call, state state.State) bool {
	actor, ok := state.Character(c.actorID)
	if !ok {
		return true
	}
	rule := c.life[actor.Status.AliveState]
	if rule.SelfHealOnly {
		return call.Tool == "hp_delta" && call.Int("delta") > 0 &&
			call.Text("target_character_id") == c.actorID
	}
	return rule.MayUseTools
}

// ask runs the tool's own judgement and turns a panic into an error.
func (c *court) ask(asked tool.Tool, call tool.Call, s state.State) (j tool.Judgement) {
	defer func() {
		if what := recover(); what != nil {
			j = tool.Judgement{Reason: tool.CallToolFailed} // what a panic says is not for the model
			c.panicked(call.Tool, what)
		}
	}()
	return asked.Judge(call, tool.View{
		State: s.Clone(), ActorID: c.actorID, MaxHPDelta: c.maxDelta, Life: c.life,
		Roll: func(sides int) int { return c.roll(callKey(call), sides) },
	})
}

// remember keeps a refusal, and renames one that has happened before.
func (c *court) remember(r ruling) ruling {
	if r.failed == nil {
		return r
	}
	key := callKey(r.call)
	if original, before := c.refused[key]; before {
		r.failed.OriginalReason = original
		r.failed.Reason, r.failed.Status = tool.CallRepeated, state.CallRejected
		r.failed.Message = c.text(tool.CallRepeated)
		r.failed.Expected, r.failed.Hint = tree.Value{}, tree.Value{}
		r.failed.Violations = nil
		return r
	}
	c.refused[key] = r.failed.Reason
	return r
}

// callKey names a call by its tool and its arguments in canonical form: an argument
// that is null is none, and 5.0 is 5.
func callKey(call tool.Call) string {
	var given []tree.Member
	for name, v := range call.Args.Members() {
		if v.IsNull() {
			continue
		}
		if n, ok := v.AsNumber(); ok {
			if i, whole := n.Int64(); whole {
				v = tree.Int(i)
			}
		}
		given = append(given, tree.Member{Key: name, Value: v})
	}
	args, err := openjson.Marshal(tree.Object(given...).Any()) // maps are written with sorted keys
	if err != nil {
		return call.Tool
	}
	return call.Tool + string(args)
}

// calling is the place among the calls of an output. They are judged in order, each on
// the state that the ones before left.
type calling struct {
	next   int // the next call
	call   answer.RawCall
	ruling ruling
	seen   map[string]bool // ids of calls
}

// nextCall takes the next call out.
func (m *Machine) nextCall() Stop {
	t := m.turn
	if t.calling.next == len(t.last.Calls) {
		return atNarration
	}
	if t.calling.seen == nil {
		t.calling.seen = map[string]bool{}
	}
	t.calling.call = t.last.Calls[t.calling.next]
	return onward
}

func (t *run) callPayload() []tree.Member {
	return []tree.Member{
		{Key: "tool", Value: tree.Text(t.calling.call.Tool)}, {Key: "args", Value: t.calling.call.Args},
	}
}

// judgeCall judges a call, and carries it out if it is accepted. Far beyond
// turn.max_tool_calls the rest has one ruling together.
func (t *run) judgeCall() {
	place := t.calling.next
	r := t.court.judge(place, t.calling.call, t.calling.seen, t.staged.state)
	t.calling.next++
	if rest := len(t.last.Calls) - place; place >= t.court.maxCalls+maxCallsListed && rest > 1 {
		r.failed.Message = tooManyText(t.game.Reason(tool.CallTooMany), rest)
		t.calling.next = len(t.last.Calls)
	}
	if r.failed != nil {
		t.unsettled = append(t.unsettled, *r.failed)
	} else {
		t.carryOut(r)
	}
	t.calling.ruling = r
}

func (t *run) rulingPayload() []tree.Member {
	if failed := t.calling.ruling.failed; failed != nil {
		return append(t.callPayload(), tree.Member{Key: "error", Value: tree.Text(string(failed.Reason))})
	}
	return append(t.callPayload(), tree.Member{Key: "result", Value: t.calling.ruling.judgement.Result})
}
