package turn

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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

// judge decides the call at the given place of an output. What the tool learned from
// outside the game is nil where it was not asked for.
func (c *court) judge(place int, raw answer.RawCall, seen map[string]bool, s state.State, outside *tool.Answer) ruling {
	e := c.examine(place, raw, seen[raw.ID], s)
	seen[raw.ID] = true
	switch {
	case e.failed == nil:
		return c.remember(c.judgeByTool(e, s, outside))
	case e.fits:
		return c.remember(ruling{call: e.call, failed: e.failed})
	}
	return ruling{call: e.call, failed: e.failed}
}

// examined is a call before its tool is asked.
type examined struct {
	call   tool.Call
	asked  tool.Tool
	fits   bool // the campaign lets this tool be called here
	failed *state.FailedCall
}

// fail refuses the call before its tool is asked.
func (e *examined) fail(c *court, status state.CallStatus, reason state.CallCode) {
	e.failed = &state.FailedCall{ID: e.call.ID, Tool: e.call.Tool, Status: status, Reason: reason, Message: c.text(reason)}
}

// examine looks at all that can be said of a call without its tool. It changes nothing.
func (c *court) examine(place int, raw answer.RawCall, duplicate bool, s state.State) examined {
	e := examined{call: tool.Call{ID: raw.ID, Tool: raw.Tool, Args: raw.Args, Reason: raw.Reason}}
	var known bool
	e.asked, known = c.tools.Get(raw.Tool)
	ban, banned := c.disabled[raw.Tool]
	allowed := slices.Contains(c.allowlist, raw.Tool)
	switch {
	case place >= c.maxCalls+maxCallsListed: // one ruling for many: their form is not looked at
		e.fail(c, state.CallRejected, tool.CallTooMany)
	case raw.Form != "":
		e.fail(c, state.CallError, tool.CallInvalid)
		e.failed.Message = raw.Form
	case place >= c.maxCalls:
		e.fail(c, state.CallRejected, tool.CallTooMany)
	case duplicate:
		e.fail(c, state.CallError, tool.CallDuplicateID)
	case c.narrating:
		e.fail(c, state.CallRejected, tool.CallInNarration)
	case !c.dialogOK:
		e.fail(c, state.CallRejected, tool.CallInDialogType)
	case !known && (allowed || !tool.BuiltByHosts(raw.Tool)):
		e.fail(c, state.CallRejected, tool.CallToolUnknown)
	case !allowed:
		e.fail(c, state.CallRejected, tool.CallToolNotAllowed)
	case banned:
		e.fail(c, state.CallRejected, tool.CallToolDisabled)
		e.failed.DisabledUntil = ban.DisabledUntil
		e.failed.Message = cmp.Or(ban.Reason, e.failed.Message)
	default:
		e.fits = true
		c.examineArgs(&e, s)
	}
	return e
}

// examineArgs looks at what is called with, and by whom.
func (c *court) examineArgs(e *examined, s state.State) {
	if bad := e.asked.Violations(e.call.Args); len(bad) > 0 {
		if n := len(bad) - maxViolations; n > 0 {
			bad = append(bad[:maxViolations], fmt.Sprintf("+%d", n))
		}
		e.fail(c, state.CallError, tool.CallInvalidArgs)
		e.failed.Violations = bad
		e.failed.Message += ": " + strings.Join(bad, ", ")
		return
	}
	if given, ok := e.call.Args.Get("actor_id").AsText(); ok && given != c.actorID {
		e.fail(c, state.CallRejected, tool.CallActorMismatch)
		return
	}
	if !c.mayUse(e.call, s) {
		e.fail(c, state.CallRejected, tool.CallActorRestricted)
	}
}

// judgeByTool lets the tool decide.
func (c *court) judgeByTool(e examined, s state.State, outside *tool.Answer) ruling {
	j := c.hear(e, s, outside)
	if j.Reason == "" {
		return ruling{call: e.call, judgement: j}
	}
	status := state.CallRejected
	if j.Reason == tool.CallToolFailed {
		status = state.CallError
	}
	e.fail(c, status, j.Reason)
	e.failed.Message = cmp.Or(c.reasonText(e.asked, j.Reason), e.failed.Message)
	e.failed.Expected, e.failed.Hint = j.Expected, j.Hint
	e.failed.DisabledUntil = j.DisabledUntil
	return ruling{call: e.call, failed: e.failed}
}

// hear asks a tool, once it has what it needs from outside the game.
func (c *court) hear(e examined, s state.State, outside *tool.Answer) tool.Judgement {
	switch {
	case e.asked.Outside == nil:
		return c.ask(e.asked, e.call, s, tree.Value{})
	case outside == nil: // refused before in this turn, or called by a person
		return tool.Judgement{Reason: cmp.Or(c.refused[callKey(e.call)], tool.CallToolFailed)}
	case outside.Reason != "":
		return tool.Judgement{Reason: outside.Reason, Hint: outside.Hint}
	}
	return c.ask(e.asked, e.call, s, outside.Value)
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
func (c *court) ask(asked tool.Tool, call tool.Call, s state.State, found tree.Value) (j tool.Judgement) {
	defer func() {
		if what := recover(); what != nil {
			j = tool.Judgement{Reason: tool.CallToolFailed} // what a panic says is not for the model
			c.panicked(call.Tool, what)
		}
	}()
	return asked.Judge(call, tool.View{
		State: s.Clone(), ActorID: c.actorID, Answer: found, MaxHPDelta: c.maxDelta, Life: c.life,
		Roll: func(sides int) int { return c.roll(rollKey(call), sides) },
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

// rollKey names the dice of a call, shortly: they are kept for further answers.
func rollKey(call tool.Call) string {
	sum := sha256.Sum256([]byte(callKey(call)))
	return call.Tool + " " + hex.EncodeToString(sum[:8])
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
	answer *tool.Answer // from outside the game, to this call
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
	t.calling.call, t.calling.answer = t.consent.revised(t.last.Calls[t.calling.next]), nil
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
	if failed := t.denial(t.calling.call); failed != nil {
		t.calling.next++
		t.unsettled = append(t.unsettled, *failed)
		t.calling.ruling = ruling{failed: failed}
		return
	}
	r := t.court.judge(place, t.calling.call, t.calling.seen, t.stage.Staged.State, t.calling.answer)
	t.calling.next++
	if rest := len(t.last.Calls) - place; place >= t.court.maxCalls+maxCallsListed && rest > 1 {
		r.failed.Message = tooManyText(t.game.Reason(tool.CallTooMany), rest)
		t.calling.next = len(t.last.Calls)
	}
	if r.failed != nil {
		t.unsettled = append(t.unsettled, *r.failed)
	} else {
		asks := t.asksPeople(r.call)
		t.stage.CarryOut(r.call, r.judgement)
		if asks {
			t.consent.ask(r, t.stage.Staged.Evidence[len(t.stage.Staged.Evidence)-1].Affects)
		}
	}
	t.calling.ruling = r
}

func (t *run) rulingPayload() []tree.Member {
	if failed := t.calling.ruling.failed; failed != nil {
		return append(t.callPayload(), tree.Member{Key: "error", Value: tree.Text(string(failed.Reason))})
	}
	return append(t.callPayload(), tree.Member{Key: "result", Value: t.calling.ruling.judgement.Result})
}
