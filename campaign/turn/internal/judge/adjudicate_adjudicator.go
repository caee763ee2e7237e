package judge

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

// This file judges the calls of one answer of a model, in their order: first whether the campaign
// allows the call, then the judgement of the tool itself.

// Limits for the calls of one answer.
const (
	// MaxCallsListed is the number of calls beyond turn.max_tool_calls that get a separate ruling.
	// All later calls get one common ruling.
	MaxCallsListed = 4
	// maxViolations limits the listed violations in the arguments of one call.
	maxViolations = 16
)

// Adjudicator judges the calls of one output, in order, each on the state after the accepted calls
// before it.
type Adjudicator struct {
	Tools     tool.Set
	Life      map[state.AliveState]state.LifeRule
	Allowlist []string
	Disabled  map[string]state.DisabledTool
	ActorID   string
	DialogOK  bool // the dialog type offers tools
	Narrating bool // the narrating phase of plan_narrate
	MaxCalls  int
	MaxDelta  int
	Roll      func(key string, sides int) int
	// ReasonText returns the text of a refusal by a tool. The zero Tool is for refusals of the
	// engine.
	ReasonText func(tool tool.Tool, code state.CallCode) string
	Panicked   func(tool string, what any) // called while the panic unwinds
	// Known returns the part of the state that the viewer of the prompt knows. limited is false if
	// that is the whole state.
	Known func(s *state.State) (known *state.State, limited bool)
	// Withhold removes from a value the parts that some hearers of the turn do not know.
	Withhold func(s *state.State, v tree.Value) tree.Value
	// Refused records calls that failed earlier in the turn, by tool and arguments.
	Refused map[string]state.CallCode
}

// Ruling is the result of one call: either Failed or Judgement is set.
type Ruling struct {
	Call      tool.Call
	Judgement tool.Judgement
	Failed    *state.FailedCall
}

func (c *Adjudicator) text(code state.CallCode) string { return c.ReasonText(tool.Tool{}, code) }

// Judge decides the call at the given place of an output. outside is the answer from outside the
// game, nil if it was not asked for.
func (c *Adjudicator) Judge(place int, raw answer.RawCall, seen map[string]bool, s state.State, outside *tool.Answer) Ruling {
	e := c.Examine(place, raw, seen[raw.ID], s)
	seen[raw.ID] = true
	r := Ruling{Call: e.Call, Failed: e.Failed}
	if r.Failed == nil {
		r = c.judgeByTool(e, s, outside)
	}
	if e.fits && r.Failed != nil {
		c.rememberRefusal(&r)
	}
	return r
}

// examination is a call before its tool is asked.
type examination struct {
	Call   tool.Call
	Tool   tool.Tool
	fits   bool // the campaign allows a call of this tool here; its arguments may still be wrong
	Failed *state.FailedCall
}

// fail refuses the call before its tool is asked.
func (e *examination) fail(c *Adjudicator, status state.CallStatus, reason state.CallCode) {
	e.Failed = &state.FailedCall{ID: e.Call.ID, Tool: e.Call.Tool, Status: status, Reason: reason, Message: c.text(reason)}
}

// Examine checks everything about a call that does not need its tool. It changes nothing.
func (c *Adjudicator) Examine(place int, raw answer.RawCall, duplicate bool, s state.State) examination {
	e := examination{Call: tool.Call{ID: raw.ID, Tool: raw.Tool, Args: raw.Args, Reason: raw.Reason}}
	var known bool
	e.Tool, known = c.Tools.Get(raw.Tool)
	ban, banned := c.Disabled[raw.Tool]
	allowed := slices.Contains(c.Allowlist, raw.Tool)
	switch {
	case place >= c.MaxCalls+MaxCallsListed: // one ruling for many calls: their form is not checked
		e.fail(c, state.CallRejected, tool.CallTooMany)
	case raw.Form != "":
		e.fail(c, state.CallError, tool.CallInvalid)
		e.Failed.Message = c.text(raw.Form)
	case place >= c.MaxCalls:
		e.fail(c, state.CallRejected, tool.CallTooMany)
	case duplicate:
		e.fail(c, state.CallError, tool.CallDuplicateID)
	case c.Narrating:
		e.fail(c, state.CallRejected, tool.CallInNarration)
	case !c.DialogOK:
		e.fail(c, state.CallRejected, tool.CallInDialogType)
	case !known && (allowed || !tool.BuiltByHosts(raw.Tool)):
		e.fail(c, state.CallRejected, tool.CallToolUnknown)
	case !allowed:
		e.fail(c, state.CallRejected, tool.CallToolNotAllowed)
	case banned:
		e.fail(c, state.CallRejected, tool.CallToolDisabled)
		e.Failed.DisabledUntil = ban.DisabledUntil
		e.Failed.Message = cmp.Or(ban.Reason, e.Failed.Message)
	default:
		e.fits = true
		c.examineArgs(&e, s)
	}
	return e
}

// examineArgs checks the arguments of a call and its actor.
func (c *Adjudicator) examineArgs(e *examination, s state.State) {
	if bad := e.Tool.Violations(e.Call.Args); len(bad) > 0 {
		if n := len(bad) - maxViolations; n > 0 {
			bad = append(bad[:maxViolations], fmt.Sprintf("+%d", n))
		}
		e.fail(c, state.CallError, tool.CallInvalidArgs)
		e.Failed.Violations = bad
		e.Failed.Message += ": " + strings.Join(bad, ", ")
		return
	}
	e.Call.Args = withIDs(e.Call.Args, s)
	if given, ok := e.Call.Args.Get("actor_id").AsText(); ok && given != c.ActorID {
		e.fail(c, state.CallRejected, tool.CallActorMismatch)
		e.Failed.Expected = tree.Object(tree.Member{Key: "actor_id", Value: tree.Text(c.ActorID)})
		return
	}
	if !c.mayUse(e.Call, s) {
		e.fail(c, state.CallRejected, tool.CallActorRestricted)
	}
}

// withIDs replaces the names and aliases of characters and areas by their IDs, because models often
// write a name. The case of letters does not matter. A text that is an ID, or that names several, does
// not change.
func withIDs(args tree.Value, s state.State) tree.Value {
	for _, key := range [...]string{"actor_id", "target_character_id"} {
		args = withID(args, key, s.Characters, func(c *state.Character) (string, string, []string) { return c.ID, c.Name, c.Aliases })
	}
	for _, key := range [...]string{"from_area_id", "to_area_id"} {
		args = withID(args, key, s.Map.Areas, func(a *state.MapArea) (string, string, []string) { return a.ID, a.Name, a.Aliases })
	}
	return args
}

// withID replaces the name in one argument if exactly one of the list has it. names returns the ID,
// the name and the aliases of one.
func withID[T any](args tree.Value, key string, list []T, names func(*T) (id, name string, aliases []string)) tree.Value {
	written, _ := args.Get(key).AsText()
	given := strings.TrimSpace(written)
	if given == "" { // also of a nameless area
		return args
	}
	matches := func(name string) bool { return strings.EqualFold(name, given) }
	var found []string
	for i := range list {
		id, name, aliases := names(&list[i])
		if id == given {
			found = []string{id}
			break
		}
		if matches(id) || matches(name) || slices.ContainsFunc(aliases, matches) {
			found = append(found, id)
		}
	}
	if len(found) != 1 || found[0] == written {
		return args
	}
	return args.With(key, tree.Text(found[0]))
}

// judgeByTool asks the tool for its judgement.
func (c *Adjudicator) judgeByTool(e examination, s state.State, outside *tool.Answer) Ruling {
	j := c.askTool(e, s, outside)
	if j.Reason == "" {
		return Ruling{Call: e.Call, Judgement: j}
	}
	j = c.withoutSecrets(e, s, outside, j)
	status := state.CallRejected
	if j.Reason == tool.CallToolFailed {
		status = state.CallError
	}
	e.fail(c, status, j.Reason)
	e.Failed.Message = cmp.Or(c.ReasonText(e.Tool, j.Reason), e.Failed.Message)
	e.Failed.Expected, e.Failed.Hint = j.Expected, j.Hint
	e.Failed.DisabledUntil = j.DisabledUntil
	return Ruling{Call: e.Call, Failed: e.Failed}
}

// withoutSecrets removes from a refusal what the viewer does not know. A tool sees the whole state,
// so even the reason of its refusal may reveal a secret. The tool is therefore asked again with the
// known part of the state. If it refuses the call there too, that refusal is used.
func (c *Adjudicator) withoutSecrets(e examination, s state.State, outside *tool.Answer, j tool.Judgement) tool.Judgement {
	if known, limited := c.Known(&s); limited {
		silent := *c // rolls no dice of the campaign and reports no panic a second time
		silent.Roll, silent.Panicked = func(string, int) int { return 1 }, func(string, any) {}
		again := silent.askTool(e, *known, outside)
		if again.Reason != "" && again.Reason != tool.CallToolFailed {
			j = again
		}
	}
	j.Hint, j.Expected = c.Withhold(&s, j.Hint), c.Withhold(&s, j.Expected)
	return j
}

// askTool asks a tool. A tool that needs an answer from outside the game is asked only with one.
func (c *Adjudicator) askTool(e examination, s state.State, outside *tool.Answer) tool.Judgement {
	switch {
	case e.Tool.Outside == nil:
		return c.runTool(e.Tool, e.Call, s, tree.Value{})
	case outside == nil: // refused before in this turn, or called by a person
		return tool.Judgement{Reason: cmp.Or(c.Refused[CallKey(e.Call)], tool.CallToolFailed)}
	case outside.Reason != "":
		return tool.Judgement{Reason: outside.Reason, Hint: outside.Hint}
	}
	return c.runTool(e.Tool, e.Call, s, outside.Value)
}

// mayUse reports whether the life state of the acting character allows the call.
func (c *Adjudicator) mayUse(call tool.Call, state state.State) bool {
	actor, ok := state.Character(c.ActorID)
	if !ok {
		return true
	}
	rule := c.Life[actor.Status.AliveState]
	if rule.SelfHealOnly {
		return call.Tool == "hp_delta" && call.Int("delta") > 0 &&
			call.Text("target_character_id") == c.ActorID
	}
	return rule.MayUseTools
}

// runTool runs the tool's own judgement. A panic of the tool becomes a refusal.
func (c *Adjudicator) runTool(asked tool.Tool, call tool.Call, s state.State, found tree.Value) (j tool.Judgement) {
	defer func() {
		if what := recover(); what != nil {
			j = tool.Judgement{Reason: tool.CallToolFailed} // the model must not see the text of a panic
			c.Panicked(call.Tool, what)
		}
	}()
	return asked.Judge(call, tool.View{
		State: s.Clone(), ActorID: c.ActorID, Answer: found, MaxHPDelta: c.MaxDelta, Life: c.Life,
		Roll: func(sides int) int { return c.Roll(rollKey(call), sides) },
	})
}

// rememberRefusal records a refusal. If the same call was refused earlier in the turn, the reason
// becomes [tool.CallRepeated].
func (c *Adjudicator) rememberRefusal(r *Ruling) {
	key := CallKey(r.Call)
	original, repeated := c.Refused[key]
	if !repeated {
		c.Refused[key] = r.Failed.Reason
		return
	}
	r.Failed.OriginalReason = original
	r.Failed.Reason, r.Failed.Status = tool.CallRepeated, state.CallRejected
	r.Failed.Message = c.text(tool.CallRepeated)
	r.Failed.Expected, r.Failed.Hint = tree.Value{}, tree.Value{}
	r.Failed.Violations = nil
}

// rollKey returns a short key for the dice of a call, because the rolls are kept for further
// answers.
func rollKey(call tool.Call) string {
	sum := sha256.Sum256([]byte(CallKey(call)))
	return call.Tool + " " + hex.EncodeToString(sum[:8])
}

// CallKey returns a key of a call from its tool and its arguments in canonical form. A null
// argument is left out, and 5.0 is 5.
func CallKey(call tool.Call) string {
	var given []tree.Member
	for name, v := range call.Args.Members() {
		if !v.IsNull() {
			given = append(given, tree.Member{Key: name, Value: v})
		}
	}
	args, err := openjson.Marshal(tree.Object(given...).Any()) // maps are written with sorted keys
	if err != nil {
		return call.Tool
	}
	return call.Tool + string(args)
}
