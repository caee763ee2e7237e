package tool_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
)

// TestManuals: both documents of every tool are complete. They have each argument, also nested
// ones, each reason with its text, and the document's own text (CA-56).
func TestManuals(t *testing.T) {
	t.Parallel()
	set, err := tool.Builtin().With(tool.GenerateMap(tool.GenerateLimits{}), tool.GenerateCharacter(tool.GenerateLimits{}))
	if err != nil {
		t.Fatal(err)
	}
	models, people := set.ForModels(), set.ForPeople()
	var params func(where string, list map[string]tool.Param)
	params = func(where string, list map[string]tool.Param) {
		for name, p := range list {
			if !strings.Contains(models, `"`+name+`"`) || !strings.Contains(people, "- "+name+" (") {
				t.Errorf("%s: the argument %s is missing", where, name)
			}
			params(where+"."+name, p.Fields)
			if p.Items != nil {
				params(where+"."+name, p.Items.Fields)
			}
		}
	}
	for _, name := range set.Names() {
		tl, _ := set.Get(name)
		params(name, tl.Params)
		for code, text := range tl.Reasons {
			for _, page := range []string{models, people} {
				if !strings.Contains(page, string(code)) || !strings.Contains(page, text) {
					t.Errorf("%s: the reason %s is missing", name, code)
				}
			}
		}
		if !strings.Contains(models, tl.Description) || !strings.Contains(people, tl.Manual) {
			t.Errorf("%s: a text is missing", name)
		}
	}
	if models != set.ForModels() || people != set.ForPeople() {
		t.Error("the documents are not the same twice")
	}
}

// ring is a tool of a host.
func ring() tool.Tool {
	return tool.Tool{
		Name: "ring", Description: "Ring a bell.", Manual: "Rings one of the bells of the tower.",
		Params:  map[string]tool.Param{"bell": {Type: tool.StringParam, Required: true, Description: "which bell"}},
		Reasons: map[state.CallCode]string{"broken": "the bell is broken"},
		Affects: []string{tool.AffectsNothing}, Approval: tool.Always,
		Judge: func(tool.Call, tool.View) tool.Judgement { return tool.Judgement{} },
	}
}

func ExampleSet_ForModels() {
	set, err := tool.Set{}.With(ring())
	fmt.Println(set.ForModels(), err)
	// Output:
	// ## ring
	//
	// Ring a bell.
	//
	// ```json
	// {"additionalProperties":false,"properties":{"bell":{"description":"which bell","type":"string"}},"required":["bell"],"type":"object"}
	// ```
	//
	// - refuses as `broken`: the bell is broken
	//  <nil>
}

func ExampleSet_ForPeople() {
	set, err := tool.Set{}.With(ring())
	fmt.Println(set.ForPeople(), err)
	// Output:
	// ## ring
	//
	// Rings one of the bells of the tower.
	//
	// - bell (string): which bell
	//
	// Changes: none. People may be asked first.
	//
	// - `broken`: the bell is broken
	//  <nil>
}

func ExampleSet_In() {
	bell := ring()
	bell.Translations = map[string]tool.Translation{"zh": {
		Description: "敲钟。", Manual: "敲响钟楼里的一口钟。",
		Params:  map[string]string{"bell": "哪一口钟"},
		Reasons: map[state.CallCode]string{"broken": "钟坏了"},
	}}
	set, err := tool.Set{}.With(bell)
	fmt.Println(set.In("zh").ForPeople(), err)
	// Output:
	// ## ring
	//
	// 敲响钟楼里的一口钟。
	//
	// - bell（string）：哪一口钟
	//
	// 会改变：none。生效前可能须经人批准。
	//
	// - `broken`：钟坏了
	//  <nil>
}
