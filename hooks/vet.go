package hooks

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/hooks/internal/stage"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Host describes the names that a host adds to the names of this package, for [Vet]. The zero Host
// adds nothing.
type Host struct {
	// Events are the names of the events that the host raises itself.
	Events []string
	// Actions is the table that the hooks are compiled with.
	Actions *act.Table
	// Fields, MemoryTypes and Missing are the same as in the host's [Env].
	Fields      map[string]act.Field
	MemoryTypes []string
	Missing     []act.Capability
	// State is the state of some character. If it is an object, its members are the fields that
	// exist.
	State tree.Value
	// Cast says that several characters may answer in one turn. Then the host builds prompts also
	// after the first answer.
	Cast bool
}

// Vet reports doubtful content that [Compile] accepts, because some host could mean it. An author
// wants to know about it before the game starts:
//
//   - events and patterns that cover no known event, if they differ from a known event by a typo or
//     have the same first segment;
//   - unread members of hooks, of permissions and of actions that differ from a known member by a
//     typo;
//   - unknown action types; state fields that differ from a known name by a typo, and fields that
//     the host's state does not have;
//   - actions that need a capability that the host does not have, and memory types that it does not
//     have;
//   - unknown levels of log lines, and numbers of retries below 0;
//   - hooks that do nothing, that no channel may run, or whose conditions exclude each other;
//   - texts that are injected for a turn by hooks that run after its prompt is built, and rewrites
//     and vetoes that come too late.
//
// Vet does not repeat the problems that Compile reports. None of its problems stops a hook from
// running.
func Vet(hooks []Hook, host Host) talewright.Problems {
	v := vetter{host: host, events: slices.Concat(act.KnownTypes(), host.Events)}
	for i := range hooks {
		v.hook(&hooks[i], condition.Place("hooks").At(i))
	}
	return v.problems
}

// vetter collects the problems of one call of Vet.
type vetter struct {
	host     Host
	events   []string
	id       string // of the hook
	problems talewright.Problems
}

// report records a doubtful part of the current hook.
func (v *vetter) report(at condition.Place, format string, args ...any) {
	p := problem(at, format, args...)
	p.ID, p.Code, p.Severity = v.id, codeDoubtful, talewright.Warning
	v.problems = append(v.problems, p)
}

// reportTypos reports unread names that look like a known name.
func (v *vetter) reportTypos(at condition.Place, names, known []string) {
	for _, name := range names {
		if word, ok := utf8text.Suggest(name, known); ok {
			v.report(at.Key(name), "nothing reads %q; did you mean %q?", name, word)
		}
	}
}

var (
	hookMembers = []string{"id", "name", "description", "enabled", "event", "scope", "character_id",
		"conversation_id", "user_id", "priority", "conditions", "condition_logic", "actions", "permissions",
		"timeout_ms", "max_retries", "trigger_mode", "on_error", "atomic", "created_at", "updated_at"}
	permissionMembers = []string{"channels", "deny_channels", "actions"}
)

// hook checks one hook.
func (v *vetter) hook(h *Hook, at condition.Place) {
	v.id = h.ID
	v.reportTypos(at, slices.Sorted(maps.Keys(h.Extra)), hookMembers)
	for i, pattern := range h.Event {
		where := at.Key("event")
		if len(h.Event) > 1 {
			where = where.At(i)
		}
		v.pattern(pattern, where)
	}
	v.conditions(h.Conditions, h.ConditionLogic != Or, at.Key("conditions"))
	v.permissions(&h.Permissions, at.Key("permissions"))
	if h.MaxRetries < 0 {
		v.report(at.Key("max_retries"), "below 0 counts as 0: write a number of retries, or leave it out")
	}
	if len(h.Actions) == 0 {
		v.report(at.Key("actions"), "the hook has no action and does nothing; add one")
	}
	first := phaseOf(h.Event)
	for i, a := range h.Actions {
		v.action(a, first, at.Key("actions").At(i))
	}
}

// pattern reports patterns that cover no event.
func (v *vetter) pattern(pattern string, at condition.Place) {
	if pattern == "" || slices.ContainsFunc(v.events, func(e string) bool { return act.MatchType(pattern, e) }) {
		return
	}
	word, near := utf8text.Suggest(pattern, v.similarEvents(pattern))
	switch {
	case near:
		v.report(at, "no known event is covered by %q; did you mean %q?", pattern, word)
	case act.InEngineSpace(pattern):
		v.report(at, "no known event is covered by %q; only the host can raise one", condition.Cut(pattern, 80))
	}
}

// maxPattern is the greatest length in bytes of a pattern that is checked for typos.
const maxPattern = 200

// similarEvents returns the patterns that have their wildcards at the same positions as this one
// and cover a known event.
func (v *vetter) similarEvents(pattern string) []string {
	if len(pattern) > maxPattern {
		return nil
	}
	segments := strings.Split(pattern, ".")
	last := len(segments) - 1
	var out []string
	for _, event := range v.events {
		names := strings.Split(event, ".")
		if len(names) < len(segments) || len(names) > len(segments) && segments[last] != "*" {
			continue
		}
		names = slices.Clone(names[:len(segments)])
		for i, s := range segments {
			if s == "*" {
				names[i] = "*"
			}
		}
		out = append(out, strings.Join(names, "."))
	}
	return out
}

// phase is a part of a turn, by what actions can still change.
type phase int

const (
	preparing phase = iota // the prompt is not complete
	asking                 // the prompt is complete, and the model is not asked
	answering              // the model answers; a cast may have further prompts
	answered               // no prompt of the turn follows
)

// phaseOf returns the earliest phase in which a hook runs.
func phaseOf(patterns Patterns) phase {
	if len(patterns) == 0 {
		return preparing
	}
	first := answered
	for _, pattern := range patterns {
		first = min(first, phaseOfPattern(pattern))
	}
	return first
}

// phaseOfPattern returns the phase of the event that a pattern names.
func phaseOfPattern(pattern string) phase {
	if !act.IsExactType(pattern) {
		return preparing
	}
	var own [1]string
	switch act.TypeNamesOf(pattern, &own)[0] {
	case act.AfterPromptRender, act.BeforeModelCall:
		return asking
	case act.StreamChunk, act.AfterModelCall, act.BeforeToolCall, act.AfterToolCall:
		return answering
	case act.AfterTurnStarted, act.AfterStateUpdate, act.AfterTurnFinished, act.BeforeSend,
		act.AfterSend, act.AfterMemoryExtract:
		return answered
	}
	return preparing
}

// permissions reports hooks that no channel may run, and unknown action types.
func (v *vetter) permissions(p *Permissions, at condition.Place) {
	v.reportTypos(at, slices.Sorted(maps.Keys(p.Extra)), permissionMembers)
	denied := func(c string) bool { return slices.Contains(p.DenyChannels, c) }
	if len(p.Channels) > 0 && !slices.ContainsFunc(p.Channels, func(c string) bool { return !denied(c) }) {
		v.report(at, "every channel of channels is in deny_channels too: the hook never runs; remove one from deny_channels")
	}
	for i, typ := range p.Actions {
		v.actionType(typ, at.Key("actions").At(i))
	}
}

// actionType reports unknown types.
func (v *vetter) actionType(typ string, at condition.Place) {
	if v.host.Actions.Has(typ) {
		return
	}
	if word, ok := utf8text.Suggest(typ, v.host.Actions.Types()); ok {
		v.report(at, "unknown action type %q; did you mean %q?", typ, word)
	} else {
		v.report(at, "unknown action type %q; only a host that registers it can run it", condition.Cut(typ, 80))
	}
}

// conditions checks an object of conditions; all says that all of its keys must be true.
func (v *vetter) conditions(object tree.Value, all bool, at condition.Place) {
	low, high := map[string]tree.Number{}, map[string]tree.Number{}
	for key, want := range object.Members() {
		where := at.Key(key)
		switch key {
		case "all", "any":
			for i, e := range want.Elements() {
				v.conditions(e, true, where.At(i))
			}
		case "not":
			v.conditions(want, true, where)
		case "event_type":
			v.eventTypes(want, where)
		default:
			v.field(key, where)
			noteBound(key, want, low, high)
		}
	}
	if !all {
		return
	}
	for _, field := range slices.Sorted(maps.Keys(low)) {
		if most, ok := high[field]; ok && low[field].Cmp(most) > 0 {
			v.report(at, "%s cannot be at least %s and at most %s: the conditions are never true",
				field, low[field], most)
		}
	}
}

// noteBound records the limit that a comparison sets for a field.
func noteBound(key string, want tree.Value, low, high map[string]tree.Number) {
	limit, ok := condition.Number(want)
	if !ok {
		return
	}
	for _, bound := range [...]struct {
		suffix string
		limits map[string]tree.Number
		closer int // the order of a limit that excludes more
	}{{"_gte", low, 1}, {"_gt", low, 1}, {"_lte", high, -1}, {"_lt", high, -1}} {
		field, is := strings.CutSuffix(key, bound.suffix)
		if was, known := bound.limits[field]; is && (!known || limit.Cmp(was) == bound.closer) {
			bound.limits[field] = limit
		}
	}
}

// eventTypes checks the patterns of the condition event_type.
func (v *vetter) eventTypes(want tree.Value, at condition.Place) {
	if text, ok := want.AsText(); ok {
		v.pattern(text, at)
	}
	for i, e := range want.Elements() {
		if text, ok := e.AsText(); ok {
			v.pattern(text, at.At(i))
		}
	}
}

// field checks a path into the character's state.
func (v *vetter) field(key string, at condition.Place) {
	if path, ok := strings.CutPrefix(key, "state."); ok {
		field, _, _ := strings.Cut(path, ".")
		v.stateField(field, at)
	}
}

// stateField reports fields that no state has.
func (v *vetter) stateField(field string, at condition.Place) {
	known := slices.Concat([]string{"mood", "mood_intensity", "energy"}, slices.Sorted(maps.Keys(v.host.Fields)))
	for name := range v.host.State.Members() {
		known = append(known, name)
	}
	if slices.Contains(known, field) {
		return
	}
	if word, ok := utf8text.Suggest(field, known); ok {
		v.report(at, "the state has no field %q; did you mean %q?", field, word)
	} else if v.host.State.IsObject() {
		v.report(at, "the state has no field %s", strconv.Quote(condition.Cut(field, 80)))
	}
}

// actionParams are the parameters of the built-in actions.
var actionParams = map[string][]string{
	act.PromptInject:      {"content", "key", "priority", "scope"},
	act.StateDelta:        {"payload", "field", "delta", "character"},
	act.RelationshipDelta: {"payload", "field", "delta", "character"},
	act.MemoryWrite:       {"content", "title", "mem_type", "memory_type", "category", "importance", "append"},
	act.LogLine:           {"message", "level"},
	act.Message:           {"content"},
	act.Workflow:          {"workflow", "workflow_id", "params"},
	act.WorldBookAdd: {"book_id", "content", "name", "keywords", "entry_type", "priority", "always_on",
		"tags"},
}

// logLevels are the levels of the action log.
var logLevels = [...]string{"debug", "info", "warning", "warn", "error"}

// neededCapability maps built-in actions to the capability that they need from the host.
var neededCapability = map[string]act.Capability{
	act.PromptInject: act.Prompts, act.MemoryWrite: act.Memories, act.Workflow: act.Workflows, act.WorldBookAdd: act.WorldBooks,
}

// action checks one action of a hook that first runs in a phase.
func (v *vetter) action(a act.Action, first phase, at condition.Place) {
	typ := a.Type()
	if typ == "" {
		return // Compile has reported it
	}
	custom, isCustom := v.host.Actions.Lookup(typ)
	if stage.Builtin(typ) == nil && !isCustom {
		if v.host.Actions == nil { // else Compile has reported it
			v.actionType(typ, at.Key("type"))
		}
		return
	}
	v.params(a, custom, isCustom, at)
	if isCustom {
		return
	}
	if c, ok := neededCapability[typ]; ok && slices.Contains(v.host.Missing, c) {
		v.report(at.Key("type"), "the host has nothing for %s: the action always fails", typ)
	}
	switch typ {
	case act.StateDelta:
		for _, name := range stage.FieldsOf(a) {
			v.stateField(name, at.Key(name))
		}
	case act.MemoryWrite:
		v.memoryType(a, at)
	case act.LogLine:
		level := a.Get("level")
		if text, _ := level.AsText(); level.Exists() && !slices.Contains(logLevels[:], text) {
			v.report(at.Key("level"), "must be debug, info, warning or error: info is taken")
		}
	case act.PromptInject:
		late := first == answered || first > preparing && !v.host.Cast
		if scope, _ := a.Get("scope").AsText(); late && (scope == "" || scope == string(effect.ForTurn)) {
			v.report(at.Key("scope"), "the hook runs after the prompt of the turn is complete, and a text "+
				"of scope turn is removed with the turn: no prompt contains it; write the scope session")
		}
	default:
		v.tooLate(effect.Parse(a.JSON), first, at.Key("type"))
	}
}

// tooLate reports an effect that has no meaning any more in a phase.
func (v *vetter) tooLate(e effect.Effect, first phase, at condition.Place) {
	line := false
	switch e := e.(type) {
	case effect.Veto:
	case effect.Rewrite:
		if e.Target == effect.RewriteReply {
			return
		}
		line = e.Target == effect.RewriteLine
	default:
		return
	}
	switch {
	case first >= answering:
		v.report(at, "the hook runs after the model has answered: the action has no effect; use an earlier event")
	case line && first == asking:
		v.report(at, "the hook runs after the prompt is complete: the rewrite of the line has no effect; use an earlier event")
	}
}

// params reports parameters that are not read. For a host type, only the table's parameters are
// known, so params reports only typos.
func (v *vetter) params(a act.Action, custom act.Type, isCustom bool, at condition.Place) {
	known := append([]string{"type"}, actionParams[a.Type()]...)
	if isCustom {
		known = known[:1]
		for _, p := range custom.Params {
			known = append(known, p.Name)
		}
	}
	var unread []string
	for name := range a.JSON.Members() {
		if !slices.Contains(known, name) {
			unread = append(unread, name)
		}
	}
	v.reportTypos(at, unread, known)
}

// memoryType reports a memory type that the host does not have.
func (v *vetter) memoryType(a act.Action, at condition.Place) {
	for _, name := range [...]string{"mem_type", "memory_type"} {
		typ, ok := a.Get(name).AsText()
		if ok && typ != "" && typ != "long" && typ != "short" && !slices.Contains(v.host.MemoryTypes, typ) {
			v.report(at.Key(name), "%s is not long, short or a type of the host's",
				condition.Brief(tree.Text(typ)))
		}
	}
}
