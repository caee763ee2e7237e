package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// TestFreeIDs: an ID in use gets the first free number.
func TestFreeIDs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		taken []string
		want  string
	}{{nil, "yard"}, {[]string{"yard"}, "yard_2"}, {[]string{"yard", "yard_2"}, "yard_3"}, {[]string{"yard_2"}, "yard"}} {
		taken := map[string]bool{}
		for _, id := range c.taken {
			taken[id] = true
		}
		if got := newID("yard", taken); got != c.want {
			t.Errorf("%q are taken: %s", c.taken, got)
		}
	}
}

// TestBlankNames: blank names of the present characters and areas match no new name.
func TestBlankNames(t *testing.T) {
	t.Parallel()
	n := names{keys: map[string]bool{}}
	n.add("", " ", "Ann")
	if len(n.list) != 1 || n.list[0] != "Ann" {
		t.Errorf("names: %q", n.list)
	}
}

// TestTooManyCharacters: no character is generated beyond the limit.
func TestTooManyCharacters(t *testing.T) {
	t.Parallel()
	s := state.State{Characters: make([]state.Character, 2)}
	for limit, want := range map[int]bool{1: true, 2: true, 3: false} {
		if got := judgeCharacter(characterArgs{}, s, GenerateLimits{Characters: limit}).Reason == "too_many_characters"; got != want {
			t.Errorf("limit %d: %v", limit, got)
		}
	}
}

// TestPointsOfASkill: a skill without a level has one point.
func TestPointsOfASkill(t *testing.T) {
	t.Parallel()
	level := 4
	v := View{ActorID: "ann", State: state.State{Characters: []state.Character{{ID: "ann", Skills: []state.Skill{{Name: "climb"}, {Name: "swim", Level: &level}}}}}}
	for name, want := range map[string]int{"climb": 1, "swim": 4} {
		if got, ok := (PoolRules{}).points(v, name); !ok || got != want {
			t.Errorf("%s: %d, %v", name, got, ok)
		}
	}
	if got, ok := (PoolRules{}).points(v, "fly"); ok || got != 0 {
		t.Errorf("no skill: %d, %v", got, ok)
	}
}

// TestParamsOfTypes: each type of a field has its parameter, and other types are mistakes.
func TestParamsOfTypes(t *testing.T) {
	t.Parallel()
	got := New(Tool{Name: "all"}, func(struct {
		Small int8            `json:"small"`
		Byte  uint8           `json:"byte"`
		Count uint            `json:"count" max:"7"`
		Name  string          `json:"name" min:"2" max:"9"`
		List  []string        `json:"list,omitempty" min:"1" enum:"a,b"`
		Part  struct{ X int } `json:"part"`
		When  time.Time       `json:"when"`
		Bytes []byte          `json:"bytes"`
		Big   float64         `json:"big" max:"1e12"`
		Long  string          `json:"long" max:"1e12"`
	}, Call, View) Judgement {
		return Judgement{}
	})
	want := map[string]Param{
		"small": {Type: IntegerParam, Min: new(-128.0), Max: new(127.0), Required: true},
		"byte":  {Type: IntegerParam, Min: new(0.0), Max: new(255.0), Required: true},
		"count": {Type: IntegerParam, Min: new(0.0), Max: new(7.0), Required: true},
		"name":  {Type: StringParam, MinLen: 2, MaxLen: 9, Required: true},
		"list":  {Type: ArrayParam, MinLen: 1, Items: &Param{Type: StringParam, Enum: []string{"a", "b"}}},
		"part":  {Type: ObjectParam, Fields: map[string]Param{"X": {Type: IntegerParam, Required: true}}, Required: true},
		"when":  {Type: StringParam, Required: true}, "bytes": {Type: StringParam, Required: true},
		"big": {Type: NumberParam, Max: new(1e12), Required: true}, "long": {Type: StringParam, Required: true},
	}
	if diff := cmp.Diff(want, got.Params); diff != "" || len(got.mistakes) != 3 {
		t.Errorf("mistakes %q, (-want +got)\n%s", got.mistakes, diff)
	}
}

// node contains itself.
type node struct{ Next *node }

// TestDeepParams: a type that contains itself is a mistake at the place where it is too deep.
func TestDeepParams(t *testing.T) {
	t.Parallel()
	got := New(Tool{Name: "deep"}, func(node, Call, View) Judgement { return Judgement{} }).mistakes
	if len(got) != 1 || !strings.HasPrefix(got[0], "field Next.Next.") || !strings.HasSuffix(got[0], ": lies deeper than 8 levels; nest the types less") {
		t.Errorf("%q", got)
	}
}

// TestViolationsOfLists: a list without a type of its elements accepts any. The check of a long wrong
// list ends.
func TestViolationsOfLists(t *testing.T) {
	t.Parallel()
	list := tree.Object(tree.Member{Key: "l", Value: tree.Array(slices.Repeat([]tree.Value{tree.Int(1)}, 3*maxViolations)...)})
	for want, items := range map[int]*Param{0: nil, maxViolations: {Type: StringParam}} {
		if got := (Tool{Params: map[string]Param{"l": {Type: ArrayParam, Items: items}}}).Violations(list); len(got) != want {
			t.Errorf("%d violations, want %d", len(got), want)
		}
	}
	var many []tree.Member
	for i := range 3 * maxViolations {
		many = append(many, tree.Member{Key: fmt.Sprint(i), Value: tree.Int(1)})
	}
	if got := (Tool{}).Violations(tree.Object(many...)); len(got) != maxViolations {
		t.Errorf("%d unexpected arguments, want %d", len(got), maxViolations)
	}
}

// broken is a type that cannot be read.
type broken struct{}

func (*broken) UnmarshalJSON([]byte) error { return fmt.Errorf("never") }

var _ json.Unmarshaler = (*broken)(nil)

// TestWholeNumbers: a whole number that a model writes as 5.0 or 5e0 fits an integer, at any depth.
func TestWholeNumbers(t *testing.T) {
	t.Parallel()
	args, err := tree.ParseValue([]byte(`{"n": 5.0, "list": [1e1, {"m": 2.0}], "text": "5.0"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := writeIntegers(args).String(); got != `{"n":5,"list":[10,{"m":2}],"text":"5.0"}` {
		t.Error(got)
	}
}

// TestDecodeErrors: an error of the arguments names the tool.
func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	call := Call{Tool: "ring", Args: tree.Object(tree.Member{Key: "n", Value: tree.Int(300)})}
	for want, into := range map[string]any{"argument N of ring: a number 300 does not fit": new(struct{ N int8 }), "arguments of ring: never": new(broken)} {
		if err := call.Decode(into); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestGradesOfAPool: enough successes are a success, and fewer are a partial one. A call without a
// pool is refused.
func TestGradesOfAPool(t *testing.T) {
	t.Parallel()
	v := View{ActorID: "ann", Roll: func(int) int { return 1 }}
	for _, w := range []struct {
		automatic, needed int
		want              string
	}{{0, 0, "fail"}, {1, 0, "success"}, {1, 2, "partial"}, {2, 2, "success"}} {
		if got, _ := rollPool(v, 2, w.automatic, w.needed, false).Result.Get("grade").AsText(); got != w.want {
			t.Errorf("%+v: %s", w, got)
		}
	}
	list, err := tree.ParseDocument([]byte(`{"pool": [4, "dice"], "none": []}`))
	if err != nil {
		t.Fatal(err)
	}
	v.State.Variables = list
	for path, want := range map[string]int{"pool": 4, "none": 0, "": 0} {
		if got := readNote(v, path).number(); got != want {
			t.Errorf("%q: %d", path, got)
		}
	}
}

// TestMoves: a call without a character moves the one who acts, and a refusal has the reason of the
// first locked path.
func TestMoves(t *testing.T) {
	t.Parallel()
	v := View{ActorID: "ann", State: state.State{
		Characters: []state.Character{{ID: "ann", AreaID: "yard"}},
		Map: state.Map{Areas: []state.MapArea{{ID: "yard"}, {ID: "mill"}, {ID: "barn"}}, Paths: []state.MapPath{
			{ID: "a", From: "yard", To: "mill", Locked: true, LockReason: "mud"}, {ID: "b", From: "yard", To: "mill", Locked: true, LockReason: "snow"},
			{ID: "c", From: "yard", To: "barn"}}},
	}}
	move := func(to string) Judgement {
		return judgeMove(Call{Tool: "move", Args: tree.Object(tree.Member{Key: "to_area_id", Value: tree.Text(to)})}, v)
	}
	if got := move("barn"); got.Reason != "" || got.Result.Get("actor_id").String() != `"ann"` || got.Result.Get("from_area_id").String() != `"yard"` {
		t.Errorf("%+v", got)
	}
	v.State.MovementLock = state.MapLock{Locked: true, Reason: "fog"}
	if got := move("barn"); got.Reason != "movement_locked" || !strings.Contains(got.Hint.String(), "fog") {
		t.Errorf("%+v", got)
	}
	v.State.MovementLock = state.MapLock{}
	if got := move("mill"); got.Reason != "path_locked" || !strings.Contains(got.Hint.String(), "mud") {
		t.Errorf("%+v", got)
	}
}

// TestManualsOfSmallTools: a tool without arguments and reasons has no empty lines for them. An
// unknown language is English.
func TestManualsOfSmallTools(t *testing.T) {
	t.Parallel()
	outside := func(context.Context, Call) Answer { return Answer{} }
	set := Set{language: "fr", byName: map[string]Tool{"ask": {Name: "ask", Description: "Ask.", Manual: "Asks.", Affects: []string{"nothing"}, Outside: outside}}}
	if got, want := set.ForPeople(), "## ask\n\nAsks.\n\nChanges: nothing. Asks outside of the game.\n"; got != want {
		t.Errorf("%q", got)
	}
	inner := Param{Type: ObjectParam, Required: true, Fields: map[string]Param{"place": {Type: StringParam}}}
	nested := Set{language: "fr", byName: map[string]Tool{"go": {Name: "go", Manual: "Goes.", Affects: []string{"place"}, Params: map[string]Param{
		"to": inner, "via": {Type: ArrayParam, Required: true, Items: &inner}}}}}
	if got, want := nested.ForPeople(), "## go\n\nGoes.\n\n- to (object)\n  - place (string, may be left out)\n- via (array)\n  - place (string, may be left out)\n\nChanges: place.\n"; got != want {
		t.Errorf("%q", got)
	}
	if got := set.ForModels(); !strings.HasSuffix(got, "```\n") {
		t.Errorf("%q", got)
	}
}

// TestRefusedNames: a parameter, a generated path and a generated character are refused with a reason.
func TestRefusedNames(t *testing.T) {
	t.Parallel()
	if got := checkParams(map[string]Param{" ": {Type: StringParam, Description: "what"}}, "", 1); len(got) == 0 || got[0] != "a parameter has no name; give it one" {
		t.Errorf("%q", got)
	}
	known := map[string]bool{"a": true, "b": true}
	for id, want := range map[string]state.CallCode{"p": "", "a b": "invalid_id", "q": "id_taken"} {
		if got := (pathArgs{ID: id, From: "a", To: "b"}).problem(known, map[string]bool{"q": true}); got != want {
			t.Errorf("path %q: %s", id, got)
		}
	}
	many := characterArgs{Attributes: map[string]any{}}
	for n := range maxAttributes + 1 {
		many.Attributes[fmt.Sprint("a", n)] = 1.0
	}
	if _, bad := many.attributes(); bad == "" {
		t.Error("there is no limit of attributes")
	}
	if _, bad := (characterArgs{Attributes: map[string]any{strings.Repeat("n", maxName+1): 1.0}}).attributes(); bad == "" {
		t.Error("there is no limit of the name of an attribute")
	}
}

// TestMistakesOfTools: a set reports what is wrong in the description of a tool.
func TestMistakesOfTools(t *testing.T) {
	t.Parallel()
	length := func(low, high int) func(*Tool) {
		return func(x *Tool) { x.Params = map[string]Param{"p": {Type: StringParam, MinLen: low, MaxLen: high}} }
	}
	for _, c := range []struct {
		change func(*Tool)
		want   string // part of the error, "" for none
		reason string
	}{
		{func(*Tool) {}, "", "it is complete"},
		{func(x *Tool) { x.Name = strings.Repeat("n", MaxName) }, "", "as long as a name may be"},
		{func(x *Tool) { x.Name = strings.Repeat("n", MaxName+1) }, "a name has no blanks", "longer"},
		{func(x *Tool) { x.Name = "a b" }, "a name has no blanks", "a blank"},
		{func(x *Tool) { x.Name = "a\x01b" }, "a name has no blanks", "a control character that is no blank"},
		{func(x *Tool) { x.Name = " " }, "lacks a name", "only blanks"},
		{func(x *Tool) { x.Reasons = map[state.CallCode]string{"": "why"} }, `the reason "" lacks its code or its text; write both`, "a reason without a code"},
		{func(x *Tool) { x.Reasons = map[state.CallCode]string{"r": " "} }, `the reason "r" lacks its code or its text; write both`, "a reason without a text"},
		{func(x *Tool) {
			x.Reasons, x.Translations = map[state.CallCode]string{"r": "why"}, map[string]Translation{"zh": {Reasons: map[state.CallCode]string{"r": " "}}}
		}, `the reason "r" in the language "zh" has no text, or none in Reasons; write it, or correct the code`, "a translated reason without a text"},
		{func(x *Tool) { x.Affects = []string{AffectsNothing, "hp.current"} }, "affects[0]", "nothing and something"},
		{length(3, 0), "", "no greatest length"},
		{length(3, 3), "", "one length"},
		{length(3, 2), "has the empty range of lengths 3 to 2: give a least length", "no length"},
		{length(-1, 0), "has the empty range of lengths -1 to 0", "a negative least length"},
		{length(0, -1), "has the empty range of lengths 0 to -1", "a negative greatest length"},
		{func(x *Tool) { x.Params = map[string]Param{"p": {Type: IntegerParam, Min: new(2.0), Max: new(1.0)}} }, "has the empty range 2 to 1", "no number"},
		{func(x *Tool) { x.Params = map[string]Param{"p": {Type: IntegerParam, Min: new(math.NaN())}} }, "has the empty range NaN", "no range"},
		{func(x *Tool) { x.Params = map[string]Param{"p": {Type: IntegerParam, MinLen: 1}} }, "has a length", "the length of a number"},
		{func(x *Tool) { x.Params = map[string]Param{"p": {Type: IntegerParam, MaxLen: 1}} }, "has a length", "the greatest length of a number"},
		{func(x *Tool) { x.Params = map[string]Param{"p": {Type: StringParam, Max: new(1.0)}} }, "has a min or a max", "the greatest text"},
		{func(x *Tool) { x.Params = map[string]Param{"p": {Type: StringParam, Enum: []string{}}} }, "has an enum", "no text is allowed"},
		{func(x *Tool) { x.Params = map[string]Param{"p": {Type: BooleanParam, Enum: []string{"a"}}} }, "has an enum", "texts of a truth value"},
		{func(x *Tool) { x.Params = map[string]Param{"p": {Type: StringParam, Items: &Param{Type: StringParam}}} }, "has items", "elements of a text"},
		{func(x *Tool) { x.Params = map[string]Param{"p": {Type: StringParam, Fields: map[string]Param{}}} }, "has fields", "members of a text"},
	} {
		x := Tool{Name: "ring", Description: "Rings.", Manual: "It rings.", Params: map[string]Param{}, Reasons: map[state.CallCode]string{},
			Affects: []string{AffectsNothing}, Judge: func(Call, View) Judgement { return Judgement{} }}
		c.change(&x)
		_, err := Set{}.With(x)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.reason, err, c.want)
		}
	}
	if got := string((Tool{Params: map[string]Param{"p": {Type: NumberParam, Min: new(math.NaN())}}}).Schema()); got != `{"type":"object"}` {
		t.Errorf("the schema of a range that is no range: %s", got)
	}
}

// TestGeneratedNames: a new name is one short line of plain data that is free and reads as a name.
func TestGeneratedNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list []string
		want state.CallCode
	}{
		{[]string{"Tom", "the old miller"}, ""},
		{[]string{"Ann"}, "name_taken"},
		{[]string{"ANN"}, "name_taken"},
		{[]string{" "}, "invalid_text"},
		{[]string{"{{user}}"}, "invalid_text"},
		{[]string{"a\nb"}, "invalid_text"},
		{[]string{strings.Repeat("n", maxName)}, ""},
		{[]string{strings.Repeat("n", maxName+1)}, "invalid_text"},
		{[]string{"Tom\u202e"}, "invalid_text"},
		{[]string{"a\u200b"}, "invalid_text"},
		{[]string{"Tom\u3164"}, "invalid_text"},
	} {
		n := names{keys: map[string]bool{}}
		n.add("Ann")
		if got := n.problem(c.list); got != c.want {
			t.Errorf("%q: %q, want %q", c.list, got, c.want)
		}
	}
	for id, want := range map[string]bool{"": false, "mill": true, "old-mill": true, "old_mill_2": true, "old mill": false, "a.b": false, "磨坊": true} {
		if got := isValidID(id); got != want {
			t.Errorf("id %q: %v", id, got)
		}
	}
}
