package prompt_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// TestFlat shapes a prompt and returns it to an adapter as messages.
func TestFlat(t *testing.T) {
	t.Parallel()
	image := llm.Image{URL: "https://example.com/map.png"}
	call := llm.ToolCall{ID: "123456789", Name: "look", Arguments: "{}"}
	asked := []llm.Message{sys("main"), sys("note"), bot("hello"),
		{Role: llm.User, Text: "see", Images: []llm.Image{image}},
		{Role: llm.Assistant, ToolCalls: []llm.ToolCall{call, call}},
		{Role: llm.Tool, ToolCallID: call.ID, Text: "a"}, {Role: llm.Tool, ToolCallID: call.ID, Text: "b"},
		sys("late"),
	}
	called := asked[4]
	results := []llm.Message{{Role: llm.Tool, ToolCallID: call.ID, Text: "b"}, {Role: llm.Tool, ToolCallID: call.ID, Text: "a"}}
	for _, c := range []struct {
		profile prompt.ShapeProfile
		want    []llm.Message
	}{
		{prompt.ShapeOpenAI, []llm.Message{sys("main"), sys("note"), bot("hello"), asked[3], called, results[0], results[1], sys("late")}},
		{prompt.ShapeMerge, []llm.Message{sys("main\n\nnote"), bot("hello"), asked[3], called, results[0], results[1], sys("late")}},
		{prompt.ShapeStrict, []llm.Message{sys("main\n\nnote"), user("[Start a new chat]"), bot("hello"), asked[3], called,
			results[0], results[1], user("late")}},
		{prompt.ShapeAnthropic, []llm.Message{sys("main"), sys("note"), bot("hello"), asked[3], called, results[0], results[1], user("late")}},
	} {
		got := prompt.Shape(asked, prompt.ShapeRules{Profile: c.profile, Tools: true}).Flat()
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.profile, diff)
		}
	}
}

// TestImagesStay: no profile loses a picture of any role.
func TestImagesStay(t *testing.T) {
	t.Parallel()
	image := func(url string) []llm.Image { return []llm.Image{{URL: url}} }
	messages := []llm.Message{
		{Role: llm.System, Images: image("1")}, {Role: llm.System, Text: "x", Images: image("2")},
		{Role: llm.User, Images: image("3")}, {Role: llm.User, Name: "Ann", Text: "y", Images: image("4")},
		{Role: llm.Assistant, Text: "z", Images: image("5"), ToolCalls: []llm.ToolCall{{ID: "a"}}},
	}
	for _, profile := range profiles {
		for _, tools := range []bool{true, false} {
			found := map[string]bool{}
			for _, m := range prompt.Shape(messages, prompt.ShapeRules{Profile: profile, Tools: tools}).Flat() {
				for _, i := range m.Images {
					found[i.URL] = true
				}
			}
			if len(found) != 5 {
				t.Errorf("%s, tools %v: images %v", profile, tools, found)
			}
		}
	}
}

func TestRulesCheck(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		if err := (prompt.ShapeRules{Profile: profile}).Check(); err != nil {
			t.Error(err)
		}
	}
	if err := (prompt.ShapeRules{Profile: "antropic"}).Check(); err == nil {
		t.Error("a profile that there is not passes")
	}
}
