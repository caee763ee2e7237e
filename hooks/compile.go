package hooks

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/hooks/internal/stage"
	"github.com/talewright/talewright/memvars/tree"
)

// hook is a compiled [Hook]. It keeps the source hook, because sets return hooks as they were
// written, with their mistakes.
type hook struct {
	Hook
	conditions  condition.Group
	steps       []step
	maxAttempts int           // the first attempt plus the retries, before the limit of the run
	timeout     time.Duration // before the limit of the run
	displayText string
}

// step is one compiled action of a hook.
type step struct {
	action act.Action
	typ    string
	fail   *act.Failure // known to fail without running
	// At most one of builtin and custom is set. If neither is set, fail is set.
	builtin stage.Prepared
	custom  *act.Type
}

// Compile checks hooks against a table of action types and returns the runnable set, in the order
// of registration. It reports all mistakes together. The set is usable in any case: a hook with a
// mistake is left out ("rejected"), or the mistake has its documented meaning.
//
// Compile leaves out hooks with an empty name, with no event pattern, with an unknown scope or with
// a negative timeout. If two hooks have the same id, the later hook replaces the earlier one. A nil
// table means the built-in actions. Unknown action types are then not reported, and they fail when
// they run.
func Compile(hooks []Hook, actions *act.Table) (*Set, talewright.Problems) {
	return (&Set{actions: actions.Clone()}).With(hooks...)
}

// maxTimeoutMS is one day, so that no timeout overflows a duration.
const maxTimeoutMS = 24 * 60 * 60 * 1000

// compiler compiles one hook.
type compiler struct {
	actions  *act.Table
	at       condition.Place
	problems talewright.Problems
}

// report records a mistake that leaves the hook usable.
func (c *compiler) report(at condition.Place, format string, args ...any) {
	c.problems = append(c.problems, problem(at, format, args...))
}

// reject records a mistake that excludes the hook from the set.
func (c *compiler) reject(name, format string, args ...any) {
	c.report(c.at.Key(name), format, args...)
	c.problems[len(c.problems)-1].Code = codeRejected
}

// hook compiles a hook, also one with mistakes. A rejected hook is checked completely too, so that
// its author sees all mistakes at once.
func (c *compiler) hook(h Hook) *hook {
	out := &hook{Hook: h.clone(), maxAttempts: 1, displayText: h.Name}
	c.checkRequired(h)
	c.settings(out)
	given := h.Conditions
	if given.IsNull() {
		given = tree.Value{} // missing, as it is when the hook is stored and loaded
	}
	out.conditions = condition.Compile(given, h.ConditionLogic == Or, c.at.Key("conditions"), c.report)
	for i, a := range h.Actions {
		out.steps = append(out.steps, c.step(a, h.Permissions, c.at.Key("actions").At(i)))
	}
	if text := firstText(h.Actions); text != "" {
		out.displayText = text
	}
	return out
}

// checkRequired reports missing required members.
func (c *compiler) checkRequired(h Hook) {
	if h.Name == "" {
		c.reject("name", "is required")
	}
	if !slices.ContainsFunc(h.Event, func(p string) bool { return p != "" }) {
		c.reject("event", "is required: a pattern such as \"character.*\", or a list of them")
	}
	switch h.Scope {
	case "", ScopeGlobal, ScopeCharacter, ScopeConversation, ScopeUser:
	default:
		c.reject("scope", "must be global, character, conversation or user, not %q", condition.Cut(string(h.Scope), 80))
	}
	if h.TimeoutMS < 0 {
		c.reject("timeout_ms", "must not be negative; 0 means %d", defaultTimeoutMS)
	}
}

// settings reads the settings. It reports invalid settings and replaces them with their defaults.
func (c *compiler) settings(h *hook) {
	if l := h.ConditionLogic; l != "" && l != And && l != Or {
		c.report(c.at.Key("condition_logic"), `must be "and" or "or", not %q; "and" is taken`, l)
	}
	if m := h.TriggerMode; m != "" && m != Always && m != OncePerConversation {
		c.report(c.at.Key("trigger_mode"),
			`must be "always" or "once_per_conversation", not %q; "always" is taken`, m)
	}
	if m := h.OnError; m != "" && m != Continue && m != Abort {
		c.report(c.at.Key("on_error"),
			`must be "continue" or "abort", not %q; "continue" is taken`, m)
	}
	if h.MaxRetries > 0 {
		// The limit of the run is lower; this one keeps the sum from overflowing.
		h.maxAttempts += min(h.MaxRetries, math.MaxInt16)
	}
	ms := cmp.Or(h.TimeoutMS, defaultTimeoutMS)
	h.timeout = time.Duration(min(ms, maxTimeoutMS)) * time.Millisecond
}

// step compiles one action. If the action is known to fail, the step stores the failure and returns
// it on every run. A mistake in one action does not disable the other actions.
func (c *compiler) step(a act.Action, allowed Permissions, at condition.Place) step {
	s := step{action: a, typ: a.Type()}
	typ, isText := a.Get("type").AsText()
	switch {
	case !isText || typ == "":
		s.fail = &act.Failure{Code: act.CodeInvalidAction, Detail: `an action is an object with a text member "type"`}
	case len(allowed.Actions) > 0 && !slices.Contains(allowed.Actions, typ):
		s.fail = &act.Failure{Code: act.CodeForbidden, Detail: "the hook may not use " + typ, Param: "type"}
	default:
		return c.prepareStep(s, at)
	}
	c.report(at, "%s", s.fail.Detail)
	return s
}

// prepareStep finds the action's type and checks its parameters. A host type takes precedence over a
// built-in type; that is what Override is for. Without a table, an unknown type is not a mistake:
// the hooks may be meant for an engine that has this type.
func (c *compiler) prepareStep(s step, at condition.Place) step {
	custom, isCustom := c.actions.Lookup(s.typ)
	prepare := stage.Builtin(s.typ)
	switch {
	case isCustom:
		s.custom = &custom
		s.fail = stage.Check(custom, s.action)
	case prepare != nil:
		s.builtin, s.fail = prepare(s.action)
	default:
		near := append(c.actions.Types(), act.SpelledAsEffect(s.typ)...)
		s.fail = &act.Failure{Code: act.CodeUnknownType, Param: "type",
			Detail: "unknown action type " + condition.Cut(s.typ, 80) + condition.Hint(s.typ, near...)}
		if c.actions == nil {
			return s
		}
	}
	for _, f := range [...]*act.Failure{s.fail, s.builtin.LikelyFailure} {
		if f != nil {
			if f.Param != "" {
				at = at.Key(f.Param)
			}
			c.report(at, "%s", f.Detail)
			break
		}
	}
	return s
}

// firstText returns the first log or message text among the actions, for notifications. It reads
// the actions as they are written: the text of an action that will fail still describes the hook.
func firstText(actions []act.Action) string {
	for _, a := range actions {
		var text string
		switch a.Type() {
		case act.LogLine:
			text, _ = a.Get("message").AsText()
		case act.Message:
			text, _ = a.Get("content").AsText()
		}
		if text != "" {
			return text
		}
	}
	return ""
}

// generatedIDs makes ids for hooks without an id. It maps an id to the highest number that was used
// with it, so that many identical hooks do not try all numbers again.
type generatedIDs map[string]int

// generate makes an id from the hook's content. The same content has the same id on every machine
// and in any order, so a saved state still matches its hooks.
func (ids generatedIDs) generate(h Hook, taken map[string]int) string {
	data, err := h.MarshalJSON()
	if err != nil {
		data = []byte(h.Name) // Extra is not JSON; the id is unique all the same
	}
	base := "hook_" + shortHash(string(data))
	for n := ids[base] + 1; ; n++ {
		id := base
		if n > 1 {
			id += "_" + strconv.Itoa(n)
		}
		if _, known := taken[id]; !known {
			ids[base] = n
			return id
		}
	}
}

// shortHash returns 12 hexadecimal digits that depend on all parts and on the boundaries between
// them. It is for ids only, not for secrets.
func shortHash(parts ...string) string {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return fmt.Sprintf("%012x", h.Sum64()>>16)
}
