package campaign_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
)

// castTool has a parameter of each kind.
func castTool(params map[string]campaign.Param) campaign.Tool {
	return campaign.Tool{Name: "cast", Description: "d", Manual: "m", Params: params,
		Reasons: map[campaign.CallCode]string{}, Affects: []string{campaign.AffectsNothing},
		Judge: func(campaign.ToolCall, campaign.ToolView) campaign.Judgement { return campaign.Judgement{} }}
}

var castParams = map[string]campaign.Param{
	"spell": {Type: campaign.StringParam, Required: true, Enum: []string{"fire", "ice"}},
	"power": {Type: campaign.IntegerParam, Min: new(1.0), Max: new(10.0)},
	"words": {Type: campaign.StringParam, MinLen: 2, MaxLen: 4},
	"at": {Type: campaign.ArrayParam, MinLen: 1, MaxLen: 2, Items: &campaign.Param{
		Type: campaign.ObjectParam, Fields: map[string]campaign.Param{
			"id":    {Type: campaign.StringParam, Required: true},
			"share": {Type: campaign.NumberParam, Max: new(1.0)},
		}}},
	"free": {Type: campaign.ObjectParam},
}

// TestArgumentsAreCheckedBeforeTheTool: enums, ranges, lengths, elements and members, each
// with its place.
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
		m := begin(t, campaign.Content{Tools: []campaign.Tool{castTool(castParams)}},
			`{"allowlist": ["cast"], "settings": {"retry.on_rejection": "commit_partial"}}`)
		o := play(t, m, campaign.Submit{Text: "I cast."}, output("Fog.", `{"tool": "cast", "args": `+tt.args+`}`))
		if got := strings.Join(violationsOf(o), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// TestSchemaTellsEverythingThatIsChecked is what the model gets.
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

// TestMistakesInParametersAreReported: all at once, each with its place.
func TestMistakesInParametersAreReported(t *testing.T) {
	t.Parallel()
	endless := campaign.Param{Type: campaign.ObjectParam, Fields: map[string]campaign.Param{}}
	endless.Fields["again"] = endless
	for want, p := range map[string]campaign.Param{
		`"p" has the unknown type "text"`: {Type: "text"},
		`"p" has an enum`:                 {Type: campaign.IntegerParam, Enum: []string{"1"}},
		`of at least one text`:            {Type: campaign.StringParam, Enum: []string{}},
		`"p" has a min or a max`:          {Type: campaign.StringParam, Min: new(1.0)},
		`the empty range 3 to 1`:          {Type: campaign.NumberParam, Min: new(3.0), Max: new(1.0)},
		`the empty range NaN`:             {Type: campaign.NumberParam, Min: new(math.NaN())},
		`"p" has a length`:                {Type: campaign.NumberParam, MaxLen: 3},
		`range of lengths 4 to 3`:         {Type: campaign.StringParam, MinLen: 4, MaxLen: 3},
		`"p" has items`:                   {Type: campaign.StringParam, Items: &campaign.Param{Type: campaign.StringParam}},
		`"p" has fields`:                  {Type: campaign.ArrayParam, Fields: map[string]campaign.Param{}},
		`"p[].x" has the unknown type ""`: {Type: campaign.ArrayParam, Items: &campaign.Param{Type: campaign.ObjectParam, Fields: map[string]campaign.Param{"x": {}}}},
		`lies deeper than 8 levels`:       endless,
	} {
		_, err := campaign.Tools{}.With(castTool(map[string]campaign.Param{"p": p}))
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

// TestTypedToolReadsItsParametersFromAStruct: each exported member is a parameter, what
// is unexported or named "-" is none.
func TestTypedToolReadsItsParametersFromAStruct(t *testing.T) {
	t.Parallel()
	var got []shot
	tool := campaign.NewTool(castTool(nil), func(s shot, call campaign.ToolCall, _ campaign.ToolView) campaign.Judgement {
		got = append(got, s)
		return campaign.Judgement{Result: call.Args.Get("force")}
	})
	want := map[string]campaign.Param{
		"ammo":    {Type: campaign.StringParam, Required: true, Description: "what is shot", Enum: []string{"bolt", "arrow"}},
		"targets": {Type: campaign.ArrayParam, Required: true, MaxLen: 2, Items: &campaign.Param{Type: campaign.ObjectParam, Fields: map[string]campaign.Param{"id": {Type: campaign.StringParam, Required: true}}}},
		"force":   {Type: campaign.IntegerParam, Required: true, Min: new(1.0), Max: new(127.0)},
		"aimed":   {Type: campaign.BooleanParam},
		"note":    {Type: campaign.StringParam, MaxLen: 5},
		"extra":   {Type: campaign.ObjectParam},
		"odds":    {Type: campaign.NumberParam},
	}
	if diff := cmp.Diff(want, tool.Params); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	m := begin(t, campaign.Content{Tools: []campaign.Tool{tool}}, `{"allowlist": ["cast"], "settings": {"retry.on_rejection": "commit_partial"}}`)
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

// TestMistakesInTypedToolsAreReported: what a struct cannot say, where the tool is registered.
func TestMistakesInTypedToolsAreReported(t *testing.T) {
	t.Parallel()
	type again struct {
		Next []*again
	}
	type target2 = target
	for _, tt := range []struct {
		want string
		tool campaign.Tool
	}{
		{"the arguments are a struct, not int", typed[int]()},
		{"field F: func() is no argument", typed[struct{ F func() }]()},
		{"field B: []uint8 is no argument", typed[struct{ B []byte }]()},
		{"field M: map[string]int is no argument", typed[struct{ M map[string]int }]()},
		{"field A.B: complex64 is no argument", typed[struct{ A struct{ B complex64 } }]()},
		{"embedded structs are not read", typed[struct{ target2 }]()},
		{`the tag max:"many" is no number`, typed[struct {
			N int `max:"many"`
		}]()},
		{`the tag max:"1.5" is no number`, typed[struct {
			S string `max:"1.5"`
		}]()},
		{"has an enum: only a string", typed[struct {
			N int `enum:"1,2"`
		}]()},
		{"lies deeper than 8 levels", typed[again]()},
		{"lacks a Judge function", campaign.NewTool[struct{}](castTool(nil), nil)},
	} {
		_, err := campaign.Tools{}.With(tt.tool)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("want %q, got %v", tt.want, err)
		}
	}
}

func typed[A any]() campaign.Tool {
	return campaign.NewTool(castTool(nil), func(A, campaign.ToolCall, campaign.ToolView) campaign.Judgement {
		return campaign.Judgement{}
	})
}

// violationsOf are those of the refused call.
func violationsOf(o campaign.Outcome) []string {
	for _, a := range o.Attempts {
		for _, f := range a.FailedCalls {
			return f.Violations
		}
	}
	return nil
}
