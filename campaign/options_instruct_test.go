package campaign_test

import (
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt/tavern"
)

// marked is a template in which every text names its purpose.
func marked() *tavern.InstructTemplate {
	return &tavern.InstructTemplate{UserPrefix: "<u>", UserSuffix: "</u>", AssistantPrefix: "<a>", AssistantSuffix: "</a>",
		SystemPrefix: "<s>", SystemSuffix: "</s>", Stop: "<stop>"}
}

func templateOptions() []option {
	row := func(field string, change func(*tavern.InstructTemplate), before ...func(*drama)) option {
		return option{"tavern.InstructTemplate." + field, func(d *drama) {
			furnished(d)
			d.content.Prompt.Instruct = marked()
			for _, f := range before {
				f(d)
			}
		}, func(d *drama) { change(d.content.Prompt.Instruct) }}
	}
	playerFirst := func(d *drama) { d.setup, d.content.People.Card.MesExample = nil, "" }
	off := false
	return []option{
		row("UserPrefix", func(x *tavern.InstructTemplate) { x.UserPrefix = "<x>" }),
		row("UserSuffix", func(x *tavern.InstructTemplate) { x.UserSuffix = "<x>" }),
		row("AssistantPrefix", func(x *tavern.InstructTemplate) { x.AssistantPrefix = "<x>" }),
		row("AssistantSuffix", func(x *tavern.InstructTemplate) { x.AssistantSuffix = "<x>" }),
		row("SystemPrefix", func(x *tavern.InstructTemplate) { x.SystemPrefix = "<x>" }),
		row("SystemSuffix", func(x *tavern.InstructTemplate) { x.SystemSuffix = "<x>" }),
		row("StoryPrefix", func(x *tavern.InstructTemplate) { x.StoryPrefix = "<x>" }),
		row("StorySuffix", func(x *tavern.InstructTemplate) { x.StorySuffix = "<x>" }),
		row("FirstUserPrefix", func(x *tavern.InstructTemplate) { x.FirstUserPrefix = "<x>" }, playerFirst),
		row("LastUserPrefix", func(x *tavern.InstructTemplate) { x.LastUserPrefix = "<x>" }),
		row("FirstAssistantPrefix", func(x *tavern.InstructTemplate) { x.FirstAssistantPrefix = "<x>" }),
		row("LastAssistantPrefix", func(x *tavern.InstructTemplate) { x.LastAssistantPrefix = "<x>" }),
		row("LastSystemPrefix", func(x *tavern.InstructTemplate) { x.LastSystemPrefix = "<x>" }, func(d *drama) {
			d.acts = []turn.Input{turn.Submit{Text: "I wait."}, turn.Suggest{}}
		}),
		row("Stop", func(x *tavern.InstructTemplate) { x.Stop = "<x>" }),
		row("StopAtPrefix", func(x *tavern.InstructTemplate) { x.StopAtPrefix = &off }),
		row("Wrap", func(x *tavern.InstructTemplate) { x.Wrap = true }),
		row("Macros", func(x *tavern.InstructTemplate) { x.Macros = &off },
			func(d *drama) { d.content.Prompt.Instruct.UserPrefix = "<{{user}}>" }),
		row("Names", func(x *tavern.InstructTemplate) { x.Names = "always" }),
		row("SkipExamples", func(x *tavern.InstructTemplate) { x.SkipExamples = true }),
		row("SystemSameAsUser", func(x *tavern.InstructTemplate) { x.SystemSameAsUser = true }),
		row("UserAlignment", func(x *tavern.InstructTemplate) { x.UserAlignment = "Begin." }),
	}
}

func frameOptions() []option {
	row := func(field string, change func(*tavern.ContextTemplate), before ...func(*drama)) option {
		return option{"tavern.ContextTemplate." + field, func(d *drama) {
			furnished(d)
			d.content.Prompt.Context = new(tavern.DefaultContext())
			for _, f := range before {
				f(d)
			}
		}, func(d *drama) { change(d.content.Prompt.Context) }}
	}
	inChat := func(d *drama) {
		d.content.Prompt.Instruct = marked()
		d.content.Prompt.Context.Position = tavern.StoryInChat
	}
	off := false
	return []option{
		row("Story", func(c *tavern.ContextTemplate) { c.Story = "{{description}}" }),
		row("Position", func(c *tavern.ContextTemplate) { c.Position = tavern.StoryInChat }),
		row("StoryDepth", func(c *tavern.ContextTemplate) { c.StoryDepth = new(3) }, inChat),
		row("StoryRole", func(c *tavern.ContextTemplate) { c.StoryRole = tavern.StoryUser }, inChat),
		row("ExampleSeparator", func(c *tavern.ContextTemplate) { c.ExampleSeparator = "~~~" }),
		row("ChatStart", func(c *tavern.ContextTemplate) { c.ChatStart = "===" }),
		row("ForceName", func(c *tavern.ContextTemplate) { c.ForceName = !c.ForceName }),
		row("StopAtSeparators", func(c *tavern.ContextTemplate) { c.StopAtSeparators = !c.StopAtSeparators },
			func(d *drama) { d.content.Prompt.Context.ChatStart = "===" }),
		row("StopAtNames", func(c *tavern.ContextTemplate) { c.StopAtNames = &off }),
	}
}

func systemOptions() []option {
	base := func(d *drama) {
		furnished(d)
		d.content.Prompt.System = &tavern.SystemPrompt{Content: "Tell it well.", PostHistory: "Be brief."}
	}
	return []option{
		{"tavern.SystemPrompt.Content", base, func(d *drama) { d.content.Prompt.System.Content = "Tell it darkly." }},
		{"tavern.SystemPrompt.PostHistory", base, func(d *drama) { d.content.Prompt.System.PostHistory = "Be long." }},
	}
}
