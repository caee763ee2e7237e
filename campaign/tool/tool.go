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

// Tool is something that a model may ask for. Judging a call is pure: the tool
// looks at the state and either refuses, or returns effects, which the engine
// applies. A host registers its own through [game.Content].
//
// Registering needs every field, with an empty map (not nil) for no parameters and for no
// reasons: a tool that conflict detection or a person reading the manual knows nothing about is
// not allowed in. The texts in its effects are made of a model's words and are taken
// as data: no macros, no patterns, and bounds for what stays.
type Tool struct {
	Name string
	// Description is for the model; it stands in the prompt.
	Description string
	// Manual is for people.
	Manual string
	// Params describes the arguments, by name. A call that does not fit is refused as
	// invalid_args with the violations, a sorted list of place:what: required (missing or
	// null), unexpected, type, enum, range and length. [New] makes it of a struct.
	Params map[string]Param
	// Reasons lists the reason codes that Judge may give, with texts: they stand in the
	// prompt, and the text of a refusal is told to the model. A code that is not listed
	// refuses too, but without a text.
	Reasons map[state.CallCode]string
	// Translations are the texts of the tool in other languages, by the language of the engine's own
	// texts ([game.Texts.Hints], without one "en"), see [Tool.In].
	Translations map[string]Translation
	// Affects lists the state fields that the tool changes, so that conflict
	// detectors accept its settlements as evidence: fields of package conflict
	// such as conflict.FieldHP, or the one word [AffectsNothing].
	Affects []string
	// Outside finds out what Judge needs and the game cannot know, such as what a server
	// says; nil asks nothing. It is called once for a call that is allowed and fits, on the
	// goroutine and with the context of the turn, and brings its own deadline. What it
	// returns is recorded: a replay asks nobody, but wants a tool that has an Outside. A
	// person's calls in place of a model's cannot use it.
	Outside func(context.Context, Call) Answer
	// Approval reports whether people are asked before a call counts, see package
	// campaign/state; nil asks nobody, [Always] asks about every call. It is pure, looks at the
	// state as the calls before this one left it, and does not roll: View.Roll is nil. A panic asks.
	// By then Outside was asked: what it does, and not only finds out, needs consent of its own.
	Approval func(Call, View) bool
	// Judge decides a call whose arguments fit Params. A panic counts as the
	// error internal_error.
	Judge func(Call, View) Judgement

	mistakes []string // found by NewTool
}

// Always is a [Tool.Approval] that asks people about every call.
func Always(Call, View) bool { return true }

// MaxName bounds the id and the tool of a call, in bytes.
const MaxName = 128

// AffectsNothing declares that a tool changes no state that a narration can tell.
const AffectsNothing = "none"

// Call is a call whose form is right.
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

// View is what a tool judges by: the state as the calls before this one left
// it, and the limits of the campaign's settings.
type View struct {
	State      state.State
	ActorID    string
	MaxHPDelta int // 0: no limit
	Life       map[state.AliveState]state.LifeRule
	Answer     tree.Value // what Outside found out
	// Roll returns the next die of the engine's recorded source, 1 to sides. A
	// call that the model repeats in the same turn keeps its roll.
	Roll func(sides int) int
}

// Judgement is a tool's answer. A Reason refuses the call; then nothing else than
// Expected, Hint and DisabledUntil is looked at.
type Judgement struct {
	Reason        state.CallCode
	Expected      tree.Value // what the call should have said
	Hint          tree.Value // what would be possible
	DisabledUntil string

	Result  tree.Value  // told to the model
	Effects effect.List // applied by the engine
}

// Failed is a judgement that says what went wrong inside a tool. It refuses
// the call with the reason internal_error.
func Failed(err error) Judgement {
	return Judgement{Reason: CallToolFailed, Hint: tree.Text(err.Error())}
}

// Set is a set of tools. It is immutable and safe for concurrent use.
type Set struct {
	byName   map[string]Tool
	language string // of [Set.In]
}

// Builtin returns move, hp_delta and check. Of these the default allow list
// holds the first two.
func Builtin() Set {
	t, err := Set{}.With(moveTool(), hpDeltaTool(), checkTool())
	if err != nil {
		panic(err) // one of the three is incomplete
	}
	return t
}

// BuiltByHosts reports whether a name belongs to a tool that campaigns know of and
// that only hosts can build: until a campaign allows it, a call is not allowed
// rather than unknown.
func BuiltByHosts(name string) bool {
	return name == "map_generate" || name == "character_generate"
}

// With returns a set that knows the given tools too. It reports every tool that
// is incomplete or whose name is taken.
func (t Set) With(tools ...Tool) (Set, error) {
	all := maps.Clone(t.byName)
	if all == nil {
		all = map[string]Tool{}
	}
	var errs []error
	for _, tool := range tools {
		errs = append(errs, tool.missing()...)
		if _, taken := all[tool.Name]; taken {
			errs = append(errs, fmt.Errorf("campaign: tool %q is registered already", tool.Name))
		}
		all[tool.Name] = tool
	}
	if err := errors.Join(errs...); err != nil {
		return t, err
	}
	return Set{all, t.language}, nil
}

func (t Tool) missing() (errs []error) {
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
	if !blank(t.Name) && (strings.ContainsFunc(t.Name, notInName) || len(t.Name) > MaxName) {
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
			wrong("affects[%d]: %q is no field of package conflict: want some of %s, or %q alone", i, field,
				strings.Join(affectable[1:], ", "), AffectsNothing)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(t.Reasons)) {
		if blank(string(reason)) || blank(t.Reasons[reason]) {
			wrong("the reason %q has no text", reason)
		}
	}
	for _, what := range slices.Concat(t.checkTranslations(), t.mistakes, checkParams(t.Params, "", 1)) {
		wrong("%s", what)
	}
	return errs
}

// affectable are the words of [Tool.Affects].
var affectable = []string{
	AffectsNothing, conflict.FieldHP, conflict.FieldPosition, conflict.FieldAliveState,
	conflict.FieldCard, conflict.FieldMap, conflict.FieldWorldRules, conflict.FieldGoal,
}

func notInName(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// Get returns a tool by its name.
func (t Set) Get(name string) (Tool, bool) {
	tool, ok := t.byName[name]
	return tool, ok
}

// Names lists the tools, sorted.
func (t Set) Names() []string { return slices.Sorted(maps.Keys(t.byName)) }

// Panic is a panic in a [Tool]. The call was refused with internal_error; the model
// hears nothing of what the panic said.
type Panic struct {
	Tool  string
	Value any
	Stack []byte // of the goroutine, as runtime/debug.Stack gives it
}
