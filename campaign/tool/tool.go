package tool

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Tool is an operation that a model may request. Judging a call is pure: the tool reads the state
// and either refuses or returns effects, which the engine applies. A host registers its own tools
// through [game.Content].
//
// Name, Description, Manual, Params, Reasons, Affects and Judge must be set when a tool is
// registered; [New] sets Params and Judge. No parameters or no reasons must be an empty map, not
// nil. Otherwise conflict detection and the readers of the manual would lack information.
// Texts in its effects come from a model and are handled as data: no macros, no patterns, and size
// limits for stored texts.
type Tool struct {
	Name string
	// Description is for the model; it is in the prompt.
	Description string
	// Manual is for people.
	Manual string
	// Params describes the arguments, by name. A call that does not match is refused as
	// invalid_args with the violations, a sorted list of place:what. The words are required
	// (missing or null), unexpected, type, enum, range and length. [New] makes Params from a
	// struct.
	Params map[string]Param
	// Reasons lists the codes that Judge may return, with their texts. They are in the prompt, and
	// the model gets the text of a refusal. Judge may use a code that is not listed; that refusal
	// has no text.
	Reasons map[state.CallCode]string
	// Translations are the texts of the tool in other languages, by the language of the engine's
	// own texts ([game.Texts.Hints]; the default is "en"), see [Tool.In].
	Translations map[string]Translation
	// Affects lists the state fields that the tool changes. Conflict detectors accept its results
	// as evidence for them. The words are fields of package conflict such as conflict.FieldHP, or
	// only [AffectsNothing].
	Affects []string
	// Outside gets data that Judge needs and that the game does not have, such as the answer of a
	// server; nil means none. It is called once for each call that is allowed and valid. It runs on
	// the goroutine and with the context of the turn, and must set its own deadline. The result is
	// recorded: a replay does not call Outside, but it needs a tool that has one. It is not
	// available to calls that a person makes in place of a model.
	Outside func(context.Context, Call) Answer
	// Approval reports whether people must approve a call before it takes effect, see
	// [state.ApprovalQuestion]. Nil means no call, [Always] means every call. It must be pure. It
	// reads the state after the calls before this one and cannot roll: View.Roll is nil. A panic
	// means that approval is needed. Outside was already called at this time. If Outside does more
	// than read data, it must ask for consent itself.
	Approval func(Call, View) bool
	// Judge decides a call whose arguments match Params. A panic counts as the error
	// internal_error.
	Judge func(Call, View) Judgement

	mistakes []string // mistakes in the argument type, which New found
}

// Always is a [Tool.Approval] that requires approval of every call.
func Always(Call, View) bool { return true }

// MaxName limits the ID and the tool name of a call, in bytes.
const MaxName = 128

// AffectsNothing declares that a tool changes no state that a narration can mention.
const AffectsNothing = "none"

// Call is a well-formed call.
type Call struct {
	ID     string     `json:"id"`
	Tool   string     `json:"tool"`
	Args   tree.Value `json:"args"` // an object
	Reason string     `json:"reason,omitempty"`
}

// Text returns a text argument, "" if it is missing or null.
func (c Call) Text(name string) string { s, _ := c.Args.Get(name).AsText(); return s }

// Int returns an integer argument, 0 if it is missing or null.
func (c Call) Int(name string) int {
	n, _ := c.Args.Get(name).AsNumber()
	i, _ := n.Int64()
	return int(min(max(i, math.MinInt32), math.MaxInt32)) // the same on every platform
}

// View is the input for a tool's judgement: the state after the calls before this one, and the
// limits in the campaign's settings.
type View struct {
	State      state.State
	ActorID    string
	MaxHPDelta int // 0: no limit
	Life       map[state.AliveState]state.LifeRule
	Answer     tree.Value // the value that Outside returned
	// Roll returns the next die of the engine's recorded source, 1 to sides. A call that the model
	// repeats in the same turn gets the same roll.
	Roll func(sides int) int
}

// Judgement is a tool's answer. A Reason refuses the call; the engine then uses only Expected, Hint
// and DisabledUntil.
type Judgement struct {
	Reason        state.CallCode
	Expected      tree.Value // correct values for the call
	Hint          tree.Value // possible values
	DisabledUntil string

	Result  tree.Value  // for the model
	Effects effect.List // applied by the engine
}

// object returns an object with one member.
func object(key string, value tree.Value) tree.Value {
	return tree.Object(tree.Member{Key: key, Value: value})
}

// Failed returns a judgement for an internal error of a tool. It refuses the call with the reason
// internal_error.
func Failed(err error) Judgement {
	return Judgement{Reason: CallToolFailed, Hint: tree.Text(err.Error())}
}

// Set is a set of tools. It is immutable and safe for concurrent use.
type Set struct {
	byName   map[string]Tool
	language string // the language of the two documents; "" means English
}

// Builtin returns move, hp_delta and check. The default allow list has the first two.
func Builtin() Set {
	t, _ := Set{}.With(moveTool(), hpDeltaTool(), checkTool())
	return t
}

// BuiltByHosts reports whether a name is the name of a tool that the engine knows but only hosts
// can build. Until a campaign allows it, a call is refused as not allowed, not as unknown.
func BuiltByHosts(name string) bool {
	return name == "map_generate" || name == "character_generate"
}

// With returns a set that also has the given tools. It reports every tool that is incomplete or has
// a duplicate name.
func (t Set) With(tools ...Tool) (Set, error) {
	all := map[string]Tool{}
	maps.Copy(all, t.byName)
	var errs []error
	for _, tool := range tools {
		errs = append(errs, tool.findMistakes()...)
		if _, taken := all[tool.Name]; taken {
			errs = append(errs, fmt.Errorf("campaign: tool %q is registered already; choose a different name", tool.Name))
		}
		all[tool.Name] = tool
	}
	if err := errors.Join(errs...); err != nil {
		return t, err
	}
	return Set{all, t.language}, nil
}

// findMistakes reports everything that is missing or wrong in a tool.
func (t Tool) findMistakes() (errs []error) {
	lacks := func(cond bool, what string) {
		if cond {
			errs = append(errs, fmt.Errorf("campaign: tool %q lacks %s", t.Name, what))
		}
	}
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	wrong := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("campaign: tool %q: "+format, append([]any{t.Name}, args...)...))
	}
	lacks(blank(t.Name), "a name")
	if strings.ContainsFunc(t.Name, isForbiddenInName) || len(t.Name) > MaxName {
		wrong("a name has no blanks and no control characters, and at most %d bytes", MaxName)
	}
	lacks(blank(t.Description), "a description for the model")
	lacks(blank(t.Manual), "a manual for people")
	lacks(t.Params == nil, "its parameters (an empty map for none)")
	lacks(t.Reasons == nil, "its reject reasons (an empty map for none)")
	lacks(len(t.Affects) == 0, `the state fields that it affects, or "none"`)
	lacks(t.Judge == nil, "a Judge function")
	for i, field := range t.Affects {
		if !slices.Contains(affectable, field) || field == AffectsNothing && len(t.Affects) > 1 {
			wrong("affects[%d]: %q is not a field of package conflict: want some of %s, or %q alone", i, field,
				strings.Join(affectable[1:], ", "), AffectsNothing)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(t.Reasons)) {
		if blank(string(reason)) || blank(t.Reasons[reason]) {
			wrong("the reason %q lacks its code or its text; write both", reason)
		}
	}
	for _, what := range slices.Concat(t.checkTranslations(), t.mistakes, checkParams(t.Params, "", 1)) {
		wrong("%s", what)
	}
	return errs
}

// affectable are the allowed words in [Tool.Affects].
var affectable = []string{
	AffectsNothing, conflict.FieldHP, conflict.FieldPosition, conflict.FieldAliveState,
	conflict.FieldCard, conflict.FieldMap, conflict.FieldWorldRules, conflict.FieldGoal,
}

func isForbiddenInName(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// Get returns a tool by its name.
func (t Set) Get(name string) (Tool, bool) {
	tool, ok := t.byName[name]
	return tool, ok
}

// Names returns the names of the tools, sorted.
func (t Set) Names() []string { return slices.Sorted(maps.Keys(t.byName)) }

// Panic is a panic in a [Tool]. The call was refused with internal_error. The model does not get
// the value of the panic.
type Panic struct {
	Tool  string
	Value any
	Stack []byte // of the goroutine, as runtime/debug.Stack gives it
}
