package campaign_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
)

// castTool has a parameter of each kind.
func castTool(params map[string]tool.Param) tool.Tool {
	return tool.Tool{Name: "cast", Description: "d", Manual: "m", Params: params,
		Reasons: map[state.CallCode]string{}, Affects: []string{tool.AffectsNothing},
		Judge: func(tool.Call, tool.View) tool.Judgement { return tool.Judgement{} }}
}

var castParams = map[string]tool.Param{
	"spell": {Type: tool.StringParam, Required: true, Enum: []string{"fire", "ice"}},
	"power": {Type: tool.IntegerParam, Min: new(1.0), Max: new(10.0)},
	"words": {Type: tool.StringParam, MinLen: 2, MaxLen: 4},
	"at": {Type: tool.ArrayParam, MinLen: 1, MaxLen: 2, Items: &tool.Param{
		Type: tool.ObjectParam, Fields: map[string]tool.Param{
			"id":    {Type: tool.StringParam, Required: true},
			"share": {Type: tool.NumberParam, Max: new(1.0)},
		}}},
	"free": {Type: tool.ObjectParam},
}

// TestArgumentsAreCheckedBeforeTheTool: enums, ranges, lengths, elements and members, each with its
// place.
func TestArgumentsAreCheckedBeforeTheTool(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, args, want string }{
		{"everything fits", `{"spell":"ice","power":10,"words":"冰雪","at":[{"id":"a","share":0.5},{"id":"b"}],"free":{"x":[1]}}`, ""},
		{"optional members may be null", `{"spell":"ice","power":null,"at":[{"id":"a","share":null}]}`, ""},
		{"an integer with a zero fraction", `{"spell":"ice","power":5.0}`, ""},
		{"a text that is not listed", `{"spell":"mud"}`, "spell:enum"},
		{"the listed text in other letters", `{"spell":"Fire"}`, "spell:enum"},
		{"below and above", `{"spell":"ice","power":0}`, "power:range"},
		{"above", `{"spell":"ice","power":11}`, "power:range"},
		{"beyond every float", `{"spell":"ice","at":[{"id":"a","share":1e400}]}`, "at[0].share:range"},
		{"too short in characters, not in bytes", `{"spell":"ice","words":"冰"}`, "words:length"},
		{"too long", `{"spell":"ice","words":"abcde"}`, "words:length"},
		{"an empty list", `{"spell":"ice","at":[]}`, "at:length"},
		{"a long list is told once, and its elements", `{"spell":"ice","at":[{"id":"a"},{},{"id":1,"who":2}]}`,
			"at:length at[1].id:required at[2].id:type at[2].who:unexpected"},
		{"elements are never null", `{"spell":"ice","at":[null]}`, "at[0]:type"},
		{"several at once, sorted", `{"power":"x","words":7,"more":1}`,
			"more:unexpected power:type spell:required words:type"},
	} {
		m := begin(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{castTool(castParams)}}},
			`{"allowlist": ["cast"], "settings": {"retry.on_rejection": "commit_partial"}}`)
		o := play(t, m, turn.Submit{Text: "I cast."}, output("Fog.", `{"tool": "cast", "args": `+tt.args+`}`))
		if got := strings.Join(violationsOf(o), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// TestSchemaTellsEverythingThatIsChecked compares the schema for the model with the checks.
func TestSchemaTellsEverythingThatIsChecked(t *testing.T) {
	t.Parallel()
	got := value(t, string(castTool(castParams).Schema())).Get("properties")
	want := value(t, `{
		"at": {"description": "", "items": {"additionalProperties": false, "description": "", "properties": {
				"id": {"description": "", "type": "string"}, "share": {"description": "", "maximum": 1, "type": "number"}},
			"required": ["id"], "type": "object"}, "maxItems": 2, "minItems": 1, "type": "array"},
		"free": {"description": "", "type": "object"},
		"power": {"description": "", "maximum": 10, "minimum": 1, "type": "integer"},
		"spell": {"description": "", "enum": ["fire", "ice"], "type": "string"},
		"words": {"description": "", "maxLength": 4, "minLength": 2, "type": "string"}}`)
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestMistakesInParametersAreReported: all are reported at once, each with its place.
func TestMistakesInParametersAreReported(t *testing.T) {
	t.Parallel()
	endless := tool.Param{Type: tool.ObjectParam, Fields: map[string]tool.Param{}}
	endless.Fields["again"] = endless
	for want, p := range map[string]tool.Param{
		`"p" has the unknown type "text"; write string, integer, number, boolean, array or object`: {Type: "text"},
		`"p" has an enum`:        {Type: tool.IntegerParam, Enum: []string{"1"}},
		`of at least one text`:   {Type: tool.StringParam, Enum: []string{}},
		`"p" has a min or a max`: {Type: tool.StringParam, Min: new(1.0)},
		`the empty range 3 to 1: no number fits, give a min that is not above the max`: {Type: tool.NumberParam, Min: new(3.0), Max: new(1.0)},
		`the empty range NaN`:             {Type: tool.NumberParam, Min: new(math.NaN())},
		`"p" has a length`:                {Type: tool.NumberParam, MaxLen: 3},
		`range of lengths 4 to 3`:         {Type: tool.StringParam, MinLen: 4, MaxLen: 3},
		`"p" has items`:                   {Type: tool.StringParam, Items: &tool.Param{Type: tool.StringParam}},
		`"p" has fields`:                  {Type: tool.ArrayParam, Fields: map[string]tool.Param{}},
		`"p[].x" has the unknown type ""`: {Type: tool.ArrayParam, Items: &tool.Param{Type: tool.ObjectParam, Fields: map[string]tool.Param{"x": {}}}},
		`lies deeper than 8 levels; nest the parameters less`: endless,
	} {
		_, err := tool.Set{}.With(castTool(map[string]tool.Param{"p": p}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

type shot struct {
	Ammo    string         `json:"ammo" about:"what is shot" enum:"bolt,arrow"`
	Targets []target       `json:"targets" max:"2"`
	Force   int8           `json:"force" min:"1"`
	Aimed   *bool          `json:"aimed"`
	Note    string         `json:"note,omitempty" max:"5"`
	Extra   map[string]any `json:"extra,omitzero"`
	Odds    float64        `json:"odds,omitempty"`
	hidden  int
	Left    int `json:"-"`
}

type target struct {
	ID string `json:"id"`
}

// TestTypedToolReadsItsParametersFromAStruct: each exported member is a parameter, except a member
// named "-".
func TestTypedToolReadsItsParametersFromAStruct(t *testing.T) {
	t.Parallel()
	var got []shot
	cast := tool.New(castTool(nil), func(s shot, call tool.Call, _ tool.View) tool.Judgement {
		got = append(got, s)
		return tool.Judgement{Result: call.Args.Get("force")}
	})
	want := map[string]tool.Param{
		"ammo":    {Type: tool.StringParam, Required: true, Description: "what is shot", Enum: []string{"bolt", "arrow"}},
		"targets": {Type: tool.ArrayParam, Required: true, MaxLen: 2, Items: &tool.Param{Type: tool.ObjectParam, Fields: map[string]tool.Param{"id": {Type: tool.StringParam, Required: true}}}},
		"force":   {Type: tool.IntegerParam, Required: true, Min: new(1.0), Max: new(127.0)},
		"aimed":   {Type: tool.BooleanParam},
		"note":    {Type: tool.StringParam, MaxLen: 5},
		"extra":   {Type: tool.ObjectParam},
		"odds":    {Type: tool.NumberParam},
	}
	if diff := cmp.Diff(want, cast.Params); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	m := begin(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{cast}}}, `{"allowlist": ["cast"], "settings": {"retry.on_rejection": "commit_partial"}}`)
	calls := judged(t, m, output("Fog.",
		`{"tool": "cast", "args": {"ammo": "bolt", "targets": [{"id": "rat"}], "force": 5.0, "aimed": true, "extra": {"a": [1]}}}`,
		`{"tool": "cast", "args": {"ammo": "bolt", "targets": [], "force": 128}}`,
		`{"tool": "cast", "args": {"ammo": "bolt", "targets": [], "force": 3, "odds": 1e400}}`))
	if diff := cmp.Diff([]string{"cast 5.0", "cast error invalid_args force:range",
		`cast rejected invalid_args "campaign: argument odds of cast: a number 1e400 does not fit"`}, calls); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(got) != 1 || got[0].Ammo != "bolt" || got[0].Targets[0].ID != "rat" || got[0].Force != 5 || !*got[0].Aimed ||
		got[0].hidden != 0 {
		t.Errorf("the tool was asked with %+v", got)
	}
}

// TestMistakesInTypedToolsAreReported: what a struct cannot express is reported at registration.
func TestMistakesInTypedToolsAreReported(t *testing.T) {
	t.Parallel()
	type again struct {
		Next []*again
	}
	type target2 = target
	for _, tt := range []struct {
		want string
		tool tool.Tool
	}{
		{"the arguments are a struct, not int", typed[int]()},
		{"field F: func() is not a type of arguments", typed[struct{ F func() }]()},
		{"field B: []uint8 is not a type of arguments", typed[struct{ B []byte }]()},
		{"field M: map[int]interface {} is not a type of arguments", typed[struct{ M map[int]any }]()},
		{"field M: map[string]int is not a type of arguments", typed[struct{ M map[string]int }]()},
		{"field A.B: complex64 is not a type of arguments", typed[struct{ A struct{ B complex64 } }]()},
		{"embedded structs are not read", typed[struct{ target2 }]()},
		{`the tag max:"many" is not a number; write one`, typed[struct {
			N int `max:"many"`
		}]()},
		{`the tag max:"1.5" is not a number`, typed[struct {
			S string `max:"1.5"`
		}]()},
		{"has an enum: only a string", typed[struct {
			N int `enum:"1,2"`
		}]()},
		{"lies deeper than 8 levels; nest the types less", typed[again]()},
		{"lacks a Judge function", tool.New[struct{}](castTool(nil), nil)},
	} {
		_, err := tool.Set{}.With(tt.tool)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("want %q, got %v", tt.want, err)
		}
	}
}

func typed[A any]() tool.Tool {
	return tool.New(castTool(nil), func(A, tool.Call, tool.View) tool.Judgement {
		return tool.Judgement{}
	})
}

// violationsOf returns the violations of the refused call.
func violationsOf(o turn.Outcome) []string {
	for _, a := range o.Attempts {
		for _, f := range a.FailedCalls {
			return f.Violations
		}
	}
	return nil
}
