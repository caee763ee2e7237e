package prompt_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// caseText are the fields of the kind text.
type caseText struct {
	System      string        `json:"system_prompt"`
	PostHistory string        `json:"post_history"`
	Story       string        `json:"story_string"`
	Position    string        `json:"story_position"`
	Depth       *int          `json:"story_depth"`
	ForceName   bool          `json:"force_name"`
	Instruct    *caseInstruct `json:"instruct"`
}

type caseInstruct struct {
	UserPrefix           string               `json:"user_prefix"`
	UserSuffix           string               `json:"user_suffix"`
	AssistantPrefix      string               `json:"assistant_prefix"`
	AssistantSuffix      string               `json:"assistant_suffix"`
	SystemPrefix         string               `json:"system_prefix"`
	SystemSuffix         string               `json:"system_suffix"`
	FirstAssistantPrefix string               `json:"first_assistant_prefix"`
	LastAssistantPrefix  string               `json:"last_assistant_prefix"`
	FirstUserPrefix      string               `json:"first_user_prefix"`
	LastUserPrefix       string               `json:"last_user_prefix"`
	StoryPrefix          string               `json:"story_prefix"`
	StorySuffix          string               `json:"story_suffix"`
	Stop                 string               `json:"stop"`
	Wrap                 bool                 `json:"wrap"`
	Names                tavern.InstructNames `json:"names"`
	SkipExamples         bool                 `json:"skip_examples"`
	SystemSameAsUser     bool                 `json:"system_same_as_user"`
	UserAlignment        string               `json:"user_alignment"`
}

func (c *caseInstruct) template() *tavern.InstructTemplate {
	if c == nil {
		return nil
	}
	return &tavern.InstructTemplate{
		UserPrefix: c.UserPrefix, UserSuffix: c.UserSuffix,
		AssistantPrefix: c.AssistantPrefix, AssistantSuffix: c.AssistantSuffix,
		SystemPrefix: c.SystemPrefix, SystemSuffix: c.SystemSuffix,
		StoryPrefix: c.StoryPrefix, StorySuffix: c.StorySuffix,
		FirstUserPrefix: c.FirstUserPrefix, LastUserPrefix: c.LastUserPrefix,
		FirstAssistantPrefix: c.FirstAssistantPrefix, LastAssistantPrefix: c.LastAssistantPrefix,
		Stop: c.Stop, Wrap: c.Wrap, Names: c.Names, SkipExamples: c.SkipExamples,
		SystemSameAsUser: c.SystemSameAsUser, UserAlignment: c.UserAlignment,
	}
}

func runTextCase(t *testing.T, raw conformanceCase) {
	var c struct {
		remarks
		Input  json.RawMessage `json:"input"`
		Expect struct {
			Text  string `json:"text"`
			Error string `json:"error"`
		} `json:"expect"`
	}
	decodeCase(t, raw.ID, raw.Raw, &c)
	in := loadInput(t, raw.ID, c.Input)
	in.System, in.PostHistory = in.Text.System, in.Text.PostHistory
	context := tavern.ContextTemplate{
		Story: in.Text.Story, StoryDepth: in.Text.Depth, ForceName: in.Text.ForceName,
		ExampleSeparator: or(in.Options.Separator, "***"), ChatStart: or(in.Options.ChatStart, "***"),
	}
	if in.Text.Position == "in_chat" {
		context.Position = tavern.StoryInChat
	}
	input := prompt.Input{
		History: in.history(), Generation: in.Type, Replacement: in.Options.Replacement,
	}
	if in.Type == worldbook.Quiet {
		input.Control = in.Quiet
	}
	got, err := tavern.Render(in.scene(), input, in.env(), in.budget(), context,
		in.Text.Instruct.template())
	if c.Expect.Error != "" {
		compareError(t, assemblyExpect{Error: c.Expect.Error}, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.Expect.Text, got.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}
