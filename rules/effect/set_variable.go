package effect

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// SetVariable writes a variable, or a part of a structured variable by a dot path.
//
// [rules.Program.Apply] writes it, or reports in a [Refusal] why not. It never reaches the host. A
// path that begins with @ is a command, not a variable; package reactions lists these paths.
type SetVariable struct {
	// Path is a variable's id, its display name, or a dot path that begins with its id.
	Path      string     `json:"path"`
	Operation Operation  `json:"operation,omitempty"` // empty means set
	Value     tree.Value `json:"value,omitzero"`      // the operand
	// ValueRef names the variable or path whose present value is the operand. It is read when the
	// effect is applied, and takes precedence over Value.
	ValueRef string `json:"valueRef,omitempty"`
	// Random is an operand that is drawn when the rule fires. It takes precedence over both.
	Random *Random `json:"valueRandom,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "set-variable".
func (SetVariable) EffectType() string { return "set-variable" }

func (SetVariable) effect() {}

// readModifyVariable leaves a missing value absent. Each operation decides whether it needs a
// value.
func readModifyVariable(f *authorjson.Fields) (Effect, bool) {
	e := SetVariable{
		Path:      f.Text("variableId"),
		Operation: Operation(f.Text("operation")),
		Value:     f.Value("value"),
		ValueRef:  f.Text("valueRef"),
		Random:    authorjson.Part(f, "valueRandom", ParseRandom),
	}
	e.Extra = f.Rest()
	return e, e.Path != ""
}

// modifyVariable is the form that authors write.
type modifyVariable struct {
	Type       string     `json:"type"`
	VariableID string     `json:"variableId"`
	Operation  Operation  `json:"operation,omitempty"`
	Value      tree.Value `json:"value,omitzero"`
	ValueRef   string     `json:"valueRef,omitempty"`
	Random     *Random    `json:"valueRandom,omitempty"`
}

func (e SetVariable) authored() modifyVariable {
	return modifyVariable{"modify-variable", e.Path, e.Operation, e.Value, e.ValueRef, e.Random}
}

func (e SetVariable) asData() Effect {
	if goesIntoPrompts(e.Path) {
		e.Value = asData(e.Value)
	}
	return e
}

func (e SetVariable) fill(with *filler) Effect {
	with.prompt = goesIntoPrompts(e.Path)
	if isParam := with.ref(&e.ValueRef, &e.Value); !isParam {
		with.value(&e.Value)
	}
	return e
}

// Drawn returns the writes with the random operand drawn. There is no write if there is nothing to
// choose from. A list with a history gives a second write, for the history, after the pick.
func (e SetVariable) Drawn(read func(name string) tree.Value, random func() float64) []SetVariable {
	value, history, ok := e.Random.draw(read, random)
	if !ok {
		return nil
	}
	if e.Random.CandidatesVar != "" && goesIntoPrompts(e.Path) {
		value = asData(value)
	}
	drawn := e
	drawn.Value, drawn.ValueRef, drawn.Random = value, "", nil
	if !history.Exists() {
		return []SetVariable{drawn}
	}
	return []SetVariable{drawn, {Path: e.Random.HistoryVar, Operation: Set, Value: history}}
}

// apply writes a variable or an @ path. The random operand of an effect from a firing is already
// drawn. For effects of hooks and tools it is drawn here.
func (e SetVariable) apply(t Target, c Attributed) {
	if e.Random != nil {
		for _, drawn := range e.Drawn(t.Value, t.Random) {
			drawn.apply(t, c)
		}
		return
	}
	if strings.HasPrefix(e.Path, "@") {
		value := e.Value
		if e.ValueRef != "" && !value.Exists() { // a reference counts only without a value
			if value = t.Value(e.ValueRef); goesIntoPrompts(e.Path) {
				value = asData(value)
			}
		}
		command{t, c, e.Path, e.Operation, value}.run()
		return
	}
	t.Set(c, e)
}
