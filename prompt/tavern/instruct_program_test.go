package tavern_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// TestAgainstTheProgramInstruct renders texts as SillyTavern 1.19.0 does.
func TestAgainstTheProgramInstruct(t *testing.T) {
	t.Parallel()
	user := func(text string) prompt.Line { return prompt.Line{Role: llm.User, Text: text} }
	char := func(text string) prompt.Line { return prompt.Line{Role: llm.Assistant, Text: text} }
	chatML := tavern.ChatML()
	unended := tavern.ChatML()
	unended.UserSuffix, unended.AssistantSuffix, unended.SystemSuffix = "<|im_end|>", "<|im_end|>", "<|im_end|>"
	named := tavern.ChatML()
	named.UserPrefix, named.AssistantPrefix = "<|im_start|>{{name}}", "<|im_start|>{{name}}"
	headers := &tavern.InstructTemplate{
		UserPrefix: "[{{name}}] ", UserSuffix: ";", AssistantPrefix: "[{{name}}] ", AssistantSuffix: ";",
		SystemPrefix: "({{name}}) ", SystemSuffix: ";",
	}
	llama2 := &tavern.InstructTemplate{
		UserPrefix: "[INST] ", UserSuffix: " [/INST]\n", AssistantSuffix: "\n",
		UserAlignment: "Let's get started.",
	}
	single := &tavern.InstructTemplate{
		UserPrefix: "### User:", AssistantPrefix: "### Reply:", Wrap: true,
		UserSuffix: "\n\n", AssistantSuffix: "\n\n",
		FirstUserPrefix: "### First user:", FirstAssistantPrefix: "### First reply:",
	}
	long := tavern.Alpaca()
	long.LastAssistantPrefix = "### Response: (long)"
	spaced := &tavern.InstructTemplate{
		UserPrefix: "[INST] ", AssistantPrefix: "[/INST] ", LastAssistantPrefix: "[/INST]",
		Names: "always",
	}
	vicuna := &tavern.InstructTemplate{
		UserPrefix: "USER: ", UserSuffix: "\n", AssistantPrefix: "ASSISTANT: ", AssistantSuffix: "</s>",
		SystemPrefix: "SYS: ", SystemSuffix: "\n", Wrap: true,
	}
	always := tavern.ChatML()
	always.Names = "always"
	quiet := prompt.Input{Generation: worldbook.Quiet, Control: "Sum up."}
	with := func(in prompt.Input, history ...prompt.Line) prompt.Input {
		in.History = history
		return in
	}
	inChat := tavern.ContextTemplate{Story: "S", Position: tavern.StoryInChat, StoryDepth: new(1)}
	asUser := inChat
	asUser.StoryRole = tavern.StoryUser

	adventure := &tavern.InstructTemplate{UserPrefix: "> ", UserSuffix: "\n", Wrap: true}
	plainUser := &tavern.InstructTemplate{AssistantPrefix: "### Reply:", Wrap: true}
	alignedInChat := *llama2

	for _, c := range []struct {
		name, reason string
		template     *tavern.InstructTemplate
		context      tavern.ContextTemplate
		pieces       prompt.Scene
		in           prompt.Input
		want         string
	}{
		{
			name: "the user begins", reason: "there is nothing to align",
			template: llama2, in: with(prompt.Input{}, user("Begin.")),
			want: "[INST] Begin. [/INST]\n",
		},
		{
			name: "a story of the user's begins the chat", reason: "there is nothing to align",
			template: &alignedInChat, context: tavern.ContextTemplate{Story: "S", Position: tavern.StoryInChat, StoryDepth: new(9), StoryRole: tavern.StoryUser},
			in:   with(prompt.Input{}, char("Hello.")),
			want: "[INST] S [/INST]\nHello.\n",
		},
		{
			name: "a story of the system begins the chat", reason: "a strict template wants the user first",
			template: &alignedInChat, context: tavern.ContextTemplate{Story: "S", Position: tavern.StoryInChat, StoryDepth: new(9)},
			in:   with(prompt.Input{}, char("Hello.")),
			want: "[INST] Let's get started. [/INST]\nSHello.\n",
		},
		{
			name: "a wrapping template without a reply prefix", reason: "the reply begins on the next line",
			template: adventure, in: with(prompt.Input{}, user("Look."), char("Dark.")),
			want: "> \nLook.\nDark.\n",
		},
		{
			name: "the same without a prefix of the user, who is impersonated", reason: "as for replies",
			template: plainUser, in: with(prompt.Input{Generation: worldbook.Impersonate}, user("Look.")),
			want: "Look.\n",
		},
		{
			name: "the same for a reply", reason: "a prefix has a line of its own",
			template: plainUser, in: with(prompt.Input{}, user("Look.")),
			want: "Look.\n### Reply:\n",
		},
		{
			name: "texts of the template in a text", reason: "macros know the frame of the prompt",
			template: &chatML, context: tavern.ContextTemplate{Story: "{{system}}", ExampleSeparator: "--", ChatStart: "=={{char}}"},
			pieces: prompt.Scene{System: "{{instructStop}} {{exampleSeparator}} {{chatStart}}"},
			in:     with(prompt.Input{}, user("Hi.")),
			want: "<|im_start|>system\n<|im_end|> -- =={{char}}<|im_end|>\n==Orin\n<|im_start|>user\nHi.<|im_end|>\n" +
				"<|im_start|>assistant\n",
		},
		{
			name: "the character begins", reason: "a strict template wants the user first",
			template: llama2, in: with(prompt.Input{}, char("Hello."), user("Hi.")),
			want: "[INST] Let's get started. [/INST]\nHello.\n[INST] Hi. [/INST]\n",
		},
		{
			name: "first prefixes", reason: "they are for the very first message only",
			template: single, in: with(prompt.Input{}, user("Hi."), char("Yo."), user("So?")),
			want: "### First user:\nHi.\n\n### Reply:\nYo.\n\n### User:\nSo?\n\n### Reply:\n",
		},
		{
			name: "first prefix of a history without its begin", reason: "the first message is not there",
			template: single, in: with(prompt.Input{HistoryStart: 1}, user("Hi."), char("Yo."), user("So?")),
			want: "### Reply:\nYo.\n\n### User:\nSo?\n\n### Reply:\n",
		},
		{
			name: "continue", reason: "the message that goes on is the reply to be made",
			template: &long, in: with(prompt.Input{Generation: worldbook.Continue}, user("Hi."), char("So")),
			want: "### Instruction:\nHi.\n\n### Response: (long)\nSo",
		},
		{
			name: "quiet with names in the prefixes", reason: "nobody of the story replies",
			template: &named, in: with(quiet, user("Hi.")),
			want: "<|im_start|>Mara\nHi.<|im_end|>\n<|im_start|>system\nSum up.<|im_end|>\n<|im_start|>System\n",
		},
		{
			name: "quiet with a last prefix", reason: "it is for replies of the character",
			template: &long, in: with(quiet, user("Hi.")),
			want: "### Instruction:\nHi.\n\n### Input:\nSum up.\n\n### Response:\n",
		},
		{
			name: "quiet with names always", reason: "the reply is nobody's",
			template: &always, in: with(quiet, user("Hi.")),
			want: "<|im_start|>user\nMara: Hi.<|im_end|>\n<|im_start|>system\nSum up.<|im_end|>\n<|im_start|>assistant\n",
		},
		{
			name: "suffixes without a newline", reason: "the newline belongs to the reply",
			template: &unended, in: with(prompt.Input{}, user("Hi.")),
			want: "<|im_start|>user\nHi.<|im_end|>\n<|im_start|>assistant\n",
		},
		{
			name: "no chat", reason: "the newline of the reply comes all the same",
			template: &chatML, context: tavern.ContextTemplate{Story: "S"},
			want: "<|im_start|>system\nS<|im_end|>\n\n<|im_start|>assistant\n",
		},
		{
			name: "a prefix that ends in a blank, quiet", reason: "blanks before the newline go",
			template: vicuna, in: with(quiet, user("Hi.")),
			want: "USER: \nHi.\nSYS: \nSum up.\nASSISTANT:\n",
		},
		{
			name: "a prefix that ends in a blank, impersonated", reason: "blanks before the newline go",
			template: vicuna, in: with(prompt.Input{Generation: worldbook.Impersonate}, char("Hi.")),
			want: "ASSISTANT: \nHi.</s>\nUSER:\n",
		},
		{
			name: "the blank before the name", reason: "the last prefix has none, the usual one has",
			template: spaced, in: with(prompt.Input{}, user("Hi.")),
			want: "[INST] Mara: Hi.[/INST] Orin:",
		},
		{
			name: "names of system texts at a depth", reason: "they are called by the character's name",
			template: headers, context: inChat, in: with(prompt.Input{}, user("Hi.")),
			want: "(Orin) S;[Mara] Hi.;[Orin] ",
		},
		{
			name: "the name of the post-history text", reason: "it is nobody's, although it is a user message",
			template: headers, pieces: prompt.Scene{PostHistory: "PHI"}, in: with(prompt.Input{}, user("Hi.")),
			want: "[Mara] Hi.;[System] PHI;[Orin] ",
		},
		{
			name: "the story as the user's message", reason: "it has a name as any other of the user's",
			template: &always, context: asUser, in: with(prompt.Input{}, char("Hi.")),
			want: "<|im_start|>user\nMara: S<|im_end|>\n<|im_start|>assistant\nOrin: Hi.<|im_end|>\n" +
				"<|im_start|>assistant\nOrin:",
		},
		{
			name: "a story that ends in a newline", reason: "it needs no other, with a template or without",
			template: &tavern.InstructTemplate{Wrap: true, AssistantPrefix: "A:"},
			context:  tavern.ContextTemplate{Story: "\nS\n", ChatStart: "\nThen"}, in: with(prompt.Input{}, user("Hi.")),
			want: "S\n\nThen\nHi.\nA:\n",
		},
		{
			name: "a plain story that ends in a newline", reason: "it needs no other",
			context: tavern.ContextTemplate{Story: "S\n", ChatStart: "\nThen"}, in: with(prompt.Input{}, user("Hi.")),
			want: "S\n\nThen\nMara: Hi.",
		},
		{
			name: "a plain chat that ends in a newline", reason: "the name needs no other",
			context: tavern.ContextTemplate{ForceName: true}, in: with(prompt.Input{}, user("Hi.\n")),
			want: "Mara: Hi.\nOrin:",
		},
		{
			name: "a plain quiet request", reason: "nobody's name follows",
			context: tavern.ContextTemplate{ForceName: true}, in: with(quiet, user("Hi.")),
			want: "Mara: Hi.\nSum up.",
		},
		{
			name: "a plain continue", reason: "a forced name begins a new line of the character",
			context: tavern.ContextTemplate{ForceName: true},
			in:      with(prompt.Input{Generation: worldbook.Continue}, user("Hi."), char("So")),
			want:    "Mara: Hi.\nOrin: So\nOrin:",
		},
		{
			name: "a plain continue of the player's line", reason: "the character's name would not go on with it",
			context: tavern.ContextTemplate{ForceName: true},
			in:      with(prompt.Input{Generation: worldbook.Continue}, char("So"), user("Hi")),
			want:    "Orin: So\nMara: Hi\n",
		},
		{
			name: "a plain continue of the first message", reason: "it is the whole chat",
			context: tavern.ContextTemplate{ForceName: true},
			in:      with(prompt.Input{Generation: worldbook.Continue}, char("So")),
			want:    "Orin: So",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.pieces.StripExamples = true
			got := render(t, c.pieces, c.in, c.context, c.template)
			if diff := cmp.Diff(c.want, got.Text); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
