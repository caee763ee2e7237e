package campaign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// reasonTexts explain the engine's reasons to the model.
var reasonTexts = map[CallCode]string{
	CallInvalid:         "not a proper call",
	CallTooMany:         "too many calls in one output",
	CallDuplicateID:     "this id was used before in the same output",
	CallInNarration:     "this is the time to narrate: no calls",
	CallInDialogType:    "this kind of dialog has no tools",
	CallToolUnknown:     "no such tool",
	CallToolNotAllowed:  "this tool is not allowed in this campaign",
	CallToolDisabled:    "this tool is switched off",
	CallInvalidArgs:     "the arguments do not fit the tool's schema",
	CallActorMismatch:   "it is another character's turn",
	CallActorRestricted: "the character is in no state to do this",
	CallToolFailed:      "the tool failed",
	reasonNotWritable:   "not yours to write now",
	reasonTooManyBlocks: "too many passages for one reply; the rest are left out",
	CallRepeated:        "the same call was refused before in this turn: do something else",
}

// court judges the calls of one output, in order, each on the state that the
// accepted ones before it left.
type court struct {
	tools     Tools
	life      map[AliveState]LifeRule
	allowlist []string
	disabled  map[string]DisabledTool
	actorID   string
	dialogOK  bool // the dialog type offers tools
	narrating bool // the narrating phase of plan_narrate
	maxCalls  int
	maxDelta  int
	roll      func(key string, sides int) int
	// reasonText is the text of a refusal by a tool, the zero Tool for the engine's own.
	reasonText func(tool Tool, code CallCode) string
	panicked   func(tool string, what any) // called while the panic unwinds
	// refused remembers by tool and arguments what failed earlier in the turn.
	refused map[string]CallCode
}

// ruling is what became of one call: either failed or judgement is set.
type ruling struct {
	call      ToolCall
	judgement Judgement
	failed    *FailedCall
}

func (c *court) text(code CallCode) string { return c.reasonText(Tool{}, code) }

// judge decides the call at the given place of an output.
func (c *court) judge(place int, raw rawCall, seen map[string]bool, state State) ruling {
	call := ToolCall{ID: raw.id, Tool: raw.tool, Args: raw.args, Reason: raw.reason}
	fail := func(status CallStatus, reason CallCode) ruling {
		return ruling{call: call, failed: &FailedCall{
			ID: raw.id, Tool: raw.tool, Status: status, Reason: reason,
			Message: c.text(reason),
		}}
	}
	tool, known := c.tools.Get(raw.tool)
	ban, banned := c.disabled[raw.tool]
	allowed := slices.Contains(c.allowlist, raw.tool)
	duplicate := seen[raw.id]
	seen[raw.id] = true
	switch {
	case place >= c.maxCalls+maxCallsListed: // one ruling for many: their form is not looked at
		return fail(CallRejected, CallTooMany)
	case raw.form != "":
		r := fail(CallError, CallInvalid)
		r.failed.Message = raw.form
		return r
	case place >= c.maxCalls:
		return fail(CallRejected, CallTooMany)
	case duplicate:
		return fail(CallError, CallDuplicateID)
	case c.narrating:
		return fail(CallRejected, CallInNarration)
	case !c.dialogOK:
		return fail(CallRejected, CallInDialogType)
	case !known && (allowed || !isHostTool(raw.tool)):
		return fail(CallRejected, CallToolUnknown)
	case !allowed:
		return fail(CallRejected, CallToolNotAllowed)
	case banned:
		r := fail(CallRejected, CallToolDisabled)
		r.failed.DisabledUntil = ban.DisabledUntil
		if ban.Reason != "" {
			r.failed.Message = ban.Reason
		}
		return r
	}
	return c.remember(c.judgeByTool(tool, call, state, fail))
}

func (c *court) judgeByTool(
	tool Tool, call ToolCall, state State, fail func(CallStatus, CallCode) ruling,
) ruling {
	if bad := tool.violations(call.Args); len(bad) > 0 {
		if n := len(bad) - maxViolations; n > 0 {
			bad = append(bad[:maxViolations], fmt.Sprintf("and %d more", n))
		}
		r := fail(CallError, CallInvalidArgs)
		r.failed.Violations = bad
		r.failed.Message += ": " + strings.Join(bad, ", ")
		return r
	}
	if given, ok := call.Args.Get("actor_id").AsText(); ok && given != c.actorID {
		return fail(CallRejected, CallActorMismatch)
	}
	if !c.mayUse(call, state) {
		return fail(CallRejected, CallActorRestricted)
	}
	j := c.ask(tool, call, state)
	if j.Reason == "" {
		return ruling{call: call, judgement: j}
	}
	status := CallRejected
	if j.Reason == CallToolFailed {
		status = CallError
	}
	r := fail(status, j.Reason)
	if text := c.reasonText(tool, j.Reason); text != "" {
		r.failed.Message = text
	}
	r.failed.Expected, r.failed.Hint = j.Expected, j.Hint
	r.failed.DisabledUntil = j.DisabledUntil
	return r
}

// mayUse asks the life state of the acting character.
func (c *court) mayUse(call ToolCall, state State) bool {
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
func (c *court) ask(tool Tool, call ToolCall, state State) (j Judgement) {
	defer func() {
		if what := recover(); what != nil {
			j = Judgement{Reason: CallToolFailed} // what a panic says is not for the model
			c.panicked(call.Tool, what)
		}
	}()
	return tool.Judge(call, ToolView{
		State: state.clone(), ActorID: c.actorID, MaxHPDelta: c.maxDelta, Life: c.life,
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
		r.failed.Reason, r.failed.Status = CallRepeated, CallRejected
		r.failed.Message = c.text(CallRepeated)
		r.failed.Expected, r.failed.Hint = tree.Value{}, tree.Value{}
		r.failed.Violations = nil
		return r
	}
	c.refused[key] = r.failed.Reason
	return r
}

// callKey names a call by its tool and its arguments in canonical form: an argument
// that is null is none, and 5.0 is 5.
func callKey(call ToolCall) string {
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
