package hooks

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// Actions is the table of action types that hooks may use: a value, so that two
// engines in one process can have different ones. The zero value knows the built-in
// types. [Compile] takes a copy; registering afterwards does not reach
// sets that exist. One writer at a time.
type Actions struct {
	custom map[string]ActionType
}

// ActionType is an action type of the host's own.
type ActionType struct {
	// Handler does the work.
	Handler Handler
	// Internal says that the handler touches nothing outside and only returns
	// effects: its success is undone when the hook is rolled back.
	Internal bool
	// Macros says that the texts which the handler brings to prompts are an author's, with
	// macros to expand. Otherwise they are data, and show up as they are: a handler often
	// passes on what a player, a model or another service wrote. [rules.AsData] makes data of
	// single effects.
	Macros bool
	// Override allows the registration of a type that exists, built in or not.
	Override bool
	// Params are checked before the handler is called; others pass unchecked.
	Params []Param
}

// Param describes one parameter of a custom action.
type Param struct {
	Name string
	// Kind is the JSON kind that a value must have; tree.Absent allows all.
	Kind     tree.Kind
	Required bool // missing, null or an empty text is missing_params
}

// Handler runs one custom action. It is called on a goroutine of its own, gets a
// context that ends with the attempt's deadline, and should return when that
// ends; a handler that does not is left behind and what it returns is discarded.
// An error makes the result handler_error, or the code of a [*Failure]; a panic
// makes it panic. Neither stops the hook's other actions.
//
// A handler that ran past the deadline may run again beside its former self when
// the hook retries: [Call.Key] is equal in both.
type Handler func(ctx context.Context, call Call) (Outcome, error)

// Call is what a handler or a sink is told about the action. All of it is
// immutable; the values show what the hook's earlier actions have staged.
type Call struct {
	// Key is the idempotency key: event id, hook id and action index joined by
	// slashes. It stays the same over all attempts.
	Key     string
	HookID  string
	Index   int // of the action in the hook's list
	Attempt int // 1 for the first
	Action  Action
	Event   Event
	Now     time.Time

	Character    tree.Value // absent if not available
	Relationship tree.Value // absent if not available
	Vars         rules.Vars // as in Env; may be nil
}

// Outcome is what a successful handler returns.
type Outcome struct {
	Detail string
	Output tree.Value
	// Effects are applied with the hook's commit, or dropped with it. A
	// ChangeState or ChangeRelationship sets its field to New, under the checks
	// and bounds of the built-in actions; Old and the ids are filled in. An
	// InjectPrompt without key or scope gets the defaults of prompt_inject. One
	// effect that is refused fails the action and drops all of them; a retry leaves
	// such an action alone unless it is Internal, because its work outside is done.
	Effects []rules.Effect
}

// Register adds an action type. Type names are lower case: a letter, then up to
// 63 letters, digits, dots, dashes and underscores. Registering a type that
// exists is an error unless Override is set. Nothing changes on error.
func (a *Actions) Register(typ string, t ActionType) error {
	switch {
	case !validTypeName(typ):
		return fmt.Errorf("hooks: action type %q: want [a-z][a-z0-9_.-]{0,63}", typ)
	case t.Handler == nil:
		return fmt.Errorf("hooks: action type %q has no handler", typ)
	case a.knows(typ) && !t.Override:
		return fmt.Errorf("hooks: action type %q exists; set Override to replace it", typ)
	}
	if a.custom == nil {
		a.custom = map[string]ActionType{}
	}
	t.Params = append([]Param(nil), t.Params...)
	a.custom[typ] = t
	return nil
}

// Has reports whether the table knows the type. A nil table knows the built-in ones.
func (a *Actions) Has(typ string) bool { return a.knows(typ) }

// knows reports whether the type is registered or built in.
func (a *Actions) knows(typ string) bool {
	if _, ok := a.lookup(typ); ok {
		return true
	}
	return builtin(typ) != nil
}

// types lists all types: the built-in ones, those of rules, then the host's own by name.
func (a *Actions) types() []string {
	list := []string{PromptInject, StateDelta, RelationshipDelta, MemoryWrite, LogLine, Message,
		Workflow, WorldBookAdd}
	list = append(append(list, rules.ActionTypes()...), rules.Emit{}.EffectType())
	if a != nil {
		list = append(list, slices.Sorted(maps.Keys(a.custom))...)
	}
	return list
}

// lookup finds a type of the host's own, which goes before a built-in one.
func (a *Actions) lookup(typ string) (ActionType, bool) {
	if a == nil {
		return ActionType{}, false
	}
	t, ok := a.custom[typ]
	return t, ok
}

// snapshot returns a copy that later registrations do not reach.
func (a *Actions) snapshot() *Actions {
	if a == nil {
		return nil
	}
	return &Actions{custom: maps.Clone(a.custom)}
}

// validTypeName checks [a-z][a-z0-9_.-]{0,63}.
func validTypeName(s string) bool {
	if len(s) == 0 || len(s) > 64 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return true
}

// check finds the first parameter that the schema refuses.
func (t ActionType) check(a Action) *Failure {
	for _, p := range t.Params {
		v := a.Get(p.Name)
		if text, ok := v.AsText(); !v.Exists() || v.IsNull() || ok && text == "" {
			if p.Required {
				return missing(p.Name)
			}
			continue
		}
		if p.Kind != tree.Absent && v.Kind() != p.Kind {
			return invalid(p.Name, "must be %s, not %s", named(p.Kind), named(v.Kind()))
		}
	}
	return nil
}
