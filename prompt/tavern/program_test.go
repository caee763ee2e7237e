package tavern_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// programCase is a prompt as SillyTavern builds it. The chat is "a" by the assistant, "b" by the
// user, unless the case has its own.
type programCase struct {
	name, reason string
	// order has the identifiers of the order; a leading "-" means switched off.
	order   string
	prompts []tavern.Prompt // in addition to the prompts of the default preset, or instead
	preset  func(*tavern.Preset)
	pieces  prompt.Scene
	card    macro.Card
	in      prompt.Input
	want    []string // "role[name] text"
}

var said = []prompt.Line{{Role: llm.Assistant, Text: "a"}, {Role: llm.User, Text: "b"}}

func own(id, text string) tavern.Prompt {
	return tavern.Prompt{ID: id, Content: text, System: new(false)}
}

func inChat(id, text string, depth int) tavern.Prompt {
	return tavern.Prompt{ID: id, Content: text, Position: tavern.InChat, Depth: new(depth)}
}

var programCases = []programCase{
	{
		name: "a part of the card in the chat", reason: "markers have a place as other prompts do",
		order: "charDescription chatHistory", card: macro.Card{Description: "DESC"},
		prompts: []tavern.Prompt{{ID: "charDescription", Marker: true, Position: tavern.InChat, Depth: new(1)}},
		want:    []string{"assistant a", "system DESC", "user b"},
	},
	{
		name: "lore in the chat", reason: "the entries are one text in the format of lore",
		order: "worldInfoBefore chatHistory",
		prompts: []tavern.Prompt{{ID: "worldInfoBefore", Marker: true, Role: llm.User,
			Position: tavern.InChat, Depth: new(1)}},
		preset: func(p *tavern.Preset) { p.LoreFormat = "[{0}]" },
		pieces: prompt.Scene{Lore: []prompt.Lore{{Text: "one", Position: "before"},
			{Text: "two", Position: "before"}}},
		want: []string{"assistant a", "user [one\ntwo]", "user b"},
	},
	{
		name: "an own prompt that says it is the program's", order: "own chatHistory",
		reason:  "notes for the reader of a preset do not go to the model",
		prompts: []tavern.Prompt{{ID: "own", Content: "OWN", System: new(true)}},
		want:    []string{"assistant a", "user b"},
	},
	{
		name: "an own prompt that does not say whose it is", order: "own chatHistory",
		reason:  "only a plain no lets the program send it",
		prompts: []tavern.Prompt{{ID: "own", Content: "OWN"}},
		want:    []string{"assistant a", "user b"},
	},
	{
		name: "an own prompt in the chat", order: "own chatHistory",
		reason:  "in the chat it does not matter whose a prompt is",
		prompts: []tavern.Prompt{inChat("own", "OWN", 0)},
		want:    []string{"assistant a", "user b", "system OWN"},
	},
	{
		name: "an own prompt that is marked as a marker", order: "own chatHistory",
		reason:  "only the markers of the program have no text of their own",
		prompts: []tavern.Prompt{{ID: "own", Content: "OWN", Marker: true, System: new(false)}},
		want:    []string{"system OWN", "assistant a", "user b"},
	},
	{
		name: "a marker of the program with a text", order: "scenario chatHistory",
		reason:  "the card's field stands there, and nothing without one",
		prompts: []tavern.Prompt{{ID: "scenario", Content: "OWN"}},
		want:    []string{"assistant a", "user b"},
	},
	{
		name: "the examples in a text", order: "own chatHistory",
		reason:  "each part has the heading that it has in the card",
		prompts: []tavern.Prompt{own("own", "{{mesExamples}}")},
		card:    macro.Card{Examples: "Orin: x\n<START>\nOrin: y"},
		want:    []string{"system <START>\nOrin: x\n<START>\nOrin: y\n", "assistant a", "user b"},
	},
	{
		name: "a variable set in the chat", order: "c1 c2 chatHistory",
		reason:  "the list is expanded in its order, wherever its texts stand",
		prompts: []tavern.Prompt{inChat("c1", "{{setvar::v::9}}", 0), own("c2", "v={{getvar::v}}")},
		want:    []string{"system v=9", "assistant a", "user b"},
	},
	{
		name: "a variable set behind", order: "c2 chatHistory c1",
		reason:  "what is set later is not there yet",
		prompts: []tavern.Prompt{inChat("c2", "v={{getvar::v}}", 0), own("c1", "{{setvar::v::9}}")},
		want:    []string{"assistant a", "user b", "system v="},
	},
	{
		name: "a variable of a replaced prompt", order: "main c2 chatHistory",
		reason: "the text that the card replaces is expanded in its place, that of the card behind the list",
		prompts: []tavern.Prompt{{ID: tavern.Main, Content: "{{setvar::v::9}}"},
			own("c2", "v={{getvar::v}}{{setvar::v::3}}")},
		card: macro.Card{SystemPrompt: "card {{getvar::v}}"},
		want: []string{"system card 3", "system v=9", "assistant a", "user b"},
	},
	{
		name: "macros in the markers", order: "dialogueExamples chatHistory",
		reason: "markers are templates",
		preset: func(p *tavern.Preset) {
			p.NewChat, p.NewExample = "[{{user}} starts]", "[like {{char}}]"
		},
		card: macro.Card{Examples: "<START>\n{{user}}: Hi."},
		want: []string{"system [like Orin]", "system[example_user] Hi.", "system [Mara starts]",
			"assistant a", "user b"},
	},
	{
		name: "the replacement message", order: "chatHistory",
		reason: "it is sent as it is, and is nobody's",
		preset: func(p *tavern.Preset) { p.Replacement, p.Names = "Go on, {{char}}.", tavern.NamesCompletion },
		in:     prompt.Input{History: said[:1]},
		want:   []string{"assistant[Orin] a", "user Go on, {{char}}."},
	},
	{
		name: "an empty prompt between two", order: "A u B",
		reason: "the message of a user that is not sent still divides what would be squashed",
		preset: func(p *tavern.Preset) { p.Squash = true },
		prompts: []tavern.Prompt{own("A", "A"), {ID: "u", Role: llm.User, System: new(false)},
			own("B", "B")},
		want: []string{"system A", "system B"},
	},
	{
		name: "an empty system prompt between two", order: "A u B",
		reason:  "that of the system does not",
		preset:  func(p *tavern.Preset) { p.Squash = true },
		prompts: []tavern.Prompt{own("A", "A"), own("u", "{{noop}}"), own("B", "B")},
		want:    []string{"system A\nB"},
	},
	{
		name: "an empty line between two texts", order: "c chatHistory A",
		reason:  "an empty line of the chat does not divide them",
		preset:  func(p *tavern.Preset) { p.Squash = true },
		prompts: []tavern.Prompt{inChat("c", "C", 1), own("A", "A")},
		in:      prompt.Input{History: []prompt.Line{{Role: llm.Assistant, Text: "a"}, {Role: llm.User}}},
		want:    []string{"assistant a", "system C\nA"},
	},
	{
		name: "a card field that is not there", order: "A charPersonality B",
		reason:  "its marker is a message of the user's, too",
		preset:  func(p *tavern.Preset) { p.Squash = true },
		prompts: []tavern.Prompt{own("A", "A"), {ID: "charPersonality", Role: llm.User, Marker: true}, own("B", "B")},
		want:    []string{"system A", "system B"},
	},
	{
		name: "a prompt of two assignments", order: "own chatHistory",
		reason:  "the line end between them is a text",
		prompts: []tavern.Prompt{own("own", "{{setvar::v::1}}\n{{setvar::w::2}}")},
		want:    []string{"system \n", "assistant a", "user b"},
	},
	{
		name: "padded texts at one depth", order: "c1 c2 chatHistory",
		reason:  "texts are joined as they are, and the whole is trimmed",
		prompts: []tavern.Prompt{inChat("c1", " padded \n", 0), inChat("c2", " Z ", 0)},
		want:    []string{"assistant a", "user b", "system padded \n\n Z"},
	},
	{
		name: "a blank own prompt at a depth", order: "c1 chatHistory",
		reason:  "its line end stays before the texts of others",
		prompts: []tavern.Prompt{inChat("c1", " \n", 0)},
		pieces:  prompt.Scene{Injections: []prompt.Injection{{Key: "k", Text: "\nINJ"}}},
		want:    []string{"assistant a", "user b", "system \nINJ"},
	},
	{
		name: "a blank own prompt alone at a depth", order: "c1 chatHistory",
		reason:  "it leaves nothing",
		prompts: []tavern.Prompt{inChat("c1", " \n", 0)},
		want:    []string{"assistant a", "user b"},
	},
	{
		name: "a variable of the list in a note", order: "own chatHistory",
		reason:  "notes and injections are expanded after the list, the card before it",
		prompts: []tavern.Prompt{own("own", "{{setvar::v::9}}")},
		card:    macro.Card{DepthPrompt: "card {{getvar::v}}"},
		pieces: prompt.Scene{Note: prompt.AuthorNote{Text: "note {{getvar::v}}", Depth: new(0)},
			Injections: []prompt.Injection{{Key: "k", Text: "inj {{getvar::v}}"}}, CardDepth: prompt.CardDepth{Depth: new(0)}},
		want: []string{"assistant a", "user b", "system note 9\ncard\ninj 9"},
	},
	{
		name: "the marker of a persona that stands elsewhere", order: "personaDescription chatHistory",
		reason:  "its own text is sent",
		prompts: []tavern.Prompt{{ID: "personaDescription", Content: "OWN", Marker: true}},
		want:    []string{"system OWN", "assistant a", "user b"},
	},
	{
		name: "padded lore at one depth", order: "chatHistory",
		reason: "lore is joined as prompts are",
		pieces: prompt.Scene{Lore: []prompt.Lore{
			{Text: "one \n", Position: "at_depth", Depth: new(0)},
			{Text: " two\n", Position: "at_depth", Depth: new(0)}}},
		want: []string{"assistant a", "user b", "system one \n\n two"},
	},
	{
		name: "injections before the main prompt", order: "main chatHistory",
		reason: "each goes to the begin",
		pieces: prompt.Scene{Note: prompt.AuthorNote{Text: "note", Placement: prompt.InjectionBeforeMain},
			Injections: []prompt.Injection{
				{Key: "a", Text: "one", Placement: prompt.InjectionBeforeMain},
				{Key: "b", Text: "two", Placement: prompt.InjectionBeforeMain}}},
		prompts: []tavern.Prompt{{ID: tavern.Main, Content: "M"}},
		want:    []string{"system two", "system one", "system note", "system M", "assistant a", "user b"},
	},
	{
		name: "injections behind a main prompt in the chat", order: "main chatHistory",
		reason: "each goes right behind it",
		pieces: prompt.Scene{Injections: []prompt.Injection{
			{Key: "a", Text: "one", Placement: prompt.InjectionAfterMain},
			{Key: "b", Text: "two", Placement: prompt.InjectionAfterMain}}},
		prompts: []tavern.Prompt{inChat(tavern.Main, "M", 0)},
		want:    []string{"assistant a", "user b", "system M\ntwo\none"},
	},
	{
		name: "injections behind a main prompt that is switched off", order: "-main chatHistory",
		reason:  "it is their anchor all the same",
		pieces:  prompt.Scene{Injections: []prompt.Injection{{Key: "a", Text: "one", Placement: prompt.InjectionAfterMain}}},
		prompts: []tavern.Prompt{inChat(tavern.Main, "M", 0)},
		want:    []string{"assistant a", "user b", "system one"},
	},
	{
		name: "a format that repeats the lore", order: "worldInfoBefore chatHistory",
		reason: "every place is filled",
		preset: func(p *tavern.Preset) { p.LoreFormat = "<{0}|{{char}}|{0}>" },
		pieces: prompt.Scene{Lore: []prompt.Lore{{Text: "L", Position: "before"}}},
		want:   []string{"system <L|Orin|L>", "assistant a", "user b"},
	},
	{
		name: "a main prompt for another kind of reply", order: "main chatHistory",
		reason:  "the card's text still stands, and has nothing to refer to",
		prompts: []tavern.Prompt{{ID: tavern.Main, Content: "M", Triggers: []worldbook.GenerationType{worldbook.Swipe}}},
		card:    macro.Card{SystemPrompt: "card[{{original}}]"},
		want:    []string{"system card[]", "assistant a", "user b"},
	},
	{
		name: "continue with names", order: "chatHistory", reason: "the line that goes on has no name",
		preset: func(p *tavern.Preset) { p.Names = tavern.NamesCompletion },
		in: prompt.Input{Generation: worldbook.Continue,
			History: []prompt.Line{{Role: llm.User, Text: "b"}, {Role: llm.Assistant, Text: "so"}}},
		want: []string{"user[Mara] b", "assistant so",
			"system [Continue your last message without repeating its original content.]"},
	},
	{
		name: "continue an empty line", order: "chatHistory",
		reason: "there is nothing to go on with",
		in: prompt.Input{Generation: worldbook.Continue,
			History: []prompt.Line{{Role: llm.User, Text: "b"}, {Role: llm.Assistant}}},
		want: []string{"user b"},
	},
	{
		name: "continue with a replacement", order: "chatHistory",
		reason: "the line before the one that goes on is the assistant's",
		preset: func(p *tavern.Preset) { p.Replacement = "Go on." },
		in: prompt.Input{Generation: worldbook.Continue,
			History: []prompt.Line{{Role: llm.Assistant, Text: "a"}, {Role: llm.Assistant, Text: "so"}}},
		want: []string{"assistant a", "user Go on.", "assistant so",
			"system [Continue your last message without repeating its original content.]"},
	},
	{
		name: "continue by prefill with names", order: "chatHistory",
		reason: "the line keeps its name, and no other text begins it",
		preset: func(p *tavern.Preset) {
			p.ContinuePrefill, p.Prefill, p.Names, p.Source = true, "Well,", tavern.NamesCompletion, "openai"
		},
		in: prompt.Input{Generation: worldbook.Continue,
			History: []prompt.Line{{Role: llm.User, Text: "b"}, {Role: llm.Assistant, Text: "so"}}},
		want: []string{"user[Mara] b", "assistant[Orin] so"},
	},
	{
		name: "continue by prefill with Claude", order: "chatHistory",
		reason: "the prefill of the preset begins it",
		preset: func(p *tavern.Preset) { p.ContinuePrefill, p.Prefill, p.Source = true, "Well,", "claude" },
		in: prompt.Input{Generation: worldbook.Continue,
			History: []prompt.Line{{Role: llm.User, Text: "b"}, {Role: llm.Assistant, Text: "so"}}},
		want: []string{"user b", "assistant Well,\n\nso"},
	},
	{
		name: "continue a player's line by prefill", order: "chatHistory",
		reason: "it stays the player's",
		preset: func(p *tavern.Preset) { p.ContinuePrefill, p.Prefill = true, "Well," },
		in: prompt.Input{Generation: worldbook.Continue,
			History: []prompt.Line{{Role: llm.Assistant, Text: "a"}, {Role: llm.User, Text: "so"}}},
		want: []string{"assistant a", "user so"},
	},
	{
		name: "continue with the line in the nudge", order: "chatHistory",
		reason: "older presets repeat it",
		preset: func(p *tavern.Preset) { p.ContinueNudge = "Go on from: {{lastChatMessage}}" },
		in: prompt.Input{Generation: worldbook.Continue,
			History: []prompt.Line{{Role: llm.Assistant, Text: "so {{user}} "}}},
		want: []string{"assistant so Mara ", "system Go on from: so {{user}}"},
	},
	{
		name: "in the chat without a depth", order: "own chatHistory",
		reason:  "there is no place for it",
		prompts: []tavern.Prompt{{ID: "own", Content: "OWN", Position: tavern.InChat}},
		want:    []string{"assistant a", "user b"},
	},
	{
		name: "examples with a role", order: "dialogueExamples chatHistory",
		reason:  "the role of the marker is not that of its turns",
		prompts: []tavern.Prompt{{ID: "dialogueExamples", Role: llm.User, Marker: true}},
		preset:  func(p *tavern.Preset) { p.NewExample = "[Example]" },
		card:    macro.Card{Examples: "<START>\n{{user}}: Hi."},
		want:    []string{"system [Example]", "system[example_user] Hi.", "assistant a", "user b"},
	},
	{
		name: "continue without a history", order: "main -chatHistory",
		reason:  "nothing goes on, so nothing is nudged",
		prompts: []tavern.Prompt{{ID: tavern.Main, Content: "M"}},
		in:      prompt.Input{Generation: worldbook.Continue, History: said},
		want:    []string{"system M"},
	},
	{
		name: "a replacement for an impersonation", order: "chatHistory",
		reason: "the newest message is looked at whatever the reply is",
		preset: func(p *tavern.Preset) { p.Replacement, p.Impersonation = "(go on)", "Write as {{user}}." },
		in:     prompt.Input{Generation: worldbook.Impersonate, History: said[:1]},
		want:   []string{"assistant a", "user (go on)", "system Write as Mara."},
	},
}

// TestAgainstTheProgram lays prompts out as SillyTavern 1.19.0 does.
func TestAgainstTheProgram(t *testing.T) {
	t.Parallel()
	for _, c := range programCases {
		t.Run(c.name, func(t *testing.T) {
			env := prompt.Env{User: "Mara", Char: "Orin", Card: c.card}
			if c.in.History == nil {
				c.in.History = said
			}
			got, err := c.layout().Assemble(c.pieces, c.in, env, prompt.Budget{})
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, m := range got.Messages {
				name := ""
				if m.Name != "" {
					name = "[" + m.Name + "]"
				}
				lines = append(lines, string(m.Role)+name+" "+m.Text)
			}
			if diff := cmp.Diff(c.want, lines); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", c.reason, diff, got.Report)
			}
		})
	}
}

// layout returns the preset of a case.
func (c programCase) layout() tavern.Preset {
	p := tavern.Default()
	p.NewChat, p.NewExample = "", ""
	for _, x := range c.prompts {
		at := -1
		for i := range p.Prompts {
			if p.Prompts[i].ID == x.ID {
				at = i
			}
		}
		if at < 0 {
			p.Prompts = append(p.Prompts, x)
		} else {
			p.Prompts[at] = x
		}
	}
	p.Orders[0].Order = nil
	for _, id := range strings.Fields(c.order) {
		id, off := strings.CutPrefix(id, "-")
		p.Orders[0].Order = append(p.Orders[0].Order, tavern.Entry{ID: id, Enabled: !off})
	}
	if c.preset != nil {
		c.preset(&p)
	}
	return p
}
