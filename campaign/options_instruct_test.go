package campaign_test

import (
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt/instruct"
)

// marked is a template in which every text says what it is for.
func marked() *instruct.Template {
	return &instruct.Template{UserPrefix: "<u>", UserSuffix: "</u>", AssistantPrefix: "<a>", AssistantSuffix: "</a>",
		SystemPrefix: "<s>", SystemSuffix: "</s>", Stop: "<stop>"}
}

func templateOptions() []option {
	row := func(field string, change func(*instruct.Template), before ...func(*drama)) option {
		return option{"instruct.Template." + field, func(d *drama) {
			furnished(d)
			d.content.Instruct = marked()
			for _, f := range before {
				f(d)
			}
		}, func(d *drama) { change(d.content.Instruct) }}
	}
	playerFirst := func(d *drama) { d.setup, d.content.Card.MesExample = nil, "" }
	off := false
	return []option{
		row("UserPrefix", func(x *instruct.Template) { x.UserPrefix = "<x>" }),
		row("UserSuffix", func(x *instruct.Template) { x.UserSuffix = "<x>" }),
		row("AssistantPrefix", func(x *instruct.Template) { x.AssistantPrefix = "<x>" }),
		row("AssistantSuffix", func(x *instruct.Template) { x.AssistantSuffix = "<x>" }),
		row("SystemPrefix", func(x *instruct.Template) { x.SystemPrefix = "<x>" }),
		row("SystemSuffix", func(x *instruct.Template) { x.SystemSuffix = "<x>" }),
		row("StoryPrefix", func(x *instruct.Template) { x.StoryPrefix = "<x>" }),
		row("StorySuffix", func(x *instruct.Template) { x.StorySuffix = "<x>" }),
		row("FirstUserPrefix", func(x *instruct.Template) { x.FirstUserPrefix = "<x>" }, playerFirst),
		row("LastUserPrefix", func(x *instruct.Template) { x.LastUserPrefix = "<x>" }),
		row("FirstAssistantPrefix", func(x *instruct.Template) { x.FirstAssistantPrefix = "<x>" }),
		row("LastAssistantPrefix", func(x *instruct.Template) { x.LastAssistantPrefix = "<x>" }),
		row("LastSystemPrefix", func(x *instruct.Template) { x.LastSystemPrefix = "<x>" }, func(d *drama) {
			d.acts = []turn.Input{turn.Submit{Text: "I wait."}, turn.Suggest{}}
		}),
		row("Stop", func(x *instruct.Template) { x.Stop = "<x>" }),
		row("StopAtPrefix", func(x *instruct.Template) { x.StopAtPrefix = &off }),
		row("Wrap", func(x *instruct.Template) { x.Wrap = true }),
		row("Macros", func(x *instruct.Template) { x.Macros = &off },
			func(d *drama) { d.content.Instruct.UserPrefix = "<{{user}}>" }),
		row("Names", func(x *instruct.Template) { x.Names = instruct.NamesAlways }),
		row("SkipExamples", func(x *instruct.Template) { x.SkipExamples = true }),
		row("SystemSameAsUser", func(x *instruct.Template) { x.SystemSameAsUser = true }),
		row("UserAlignment", func(x *instruct.Template) { x.UserAlignment = "Begin." }),
	}
}

func frameOptions() []option {
	row := func(field string, change func(*instruct.Context), before ...func(*drama)) option {
		return option{"instruct.Context." + field, func(d *drama) {
			furnished(d)
			d.content.Context = new(instruct.DefaultContext())
			for _, f := range before {
				f(d)
			}
		}, func(d *drama) { change(d.content.Context) }}
	}
	inChat := func(d *drama) {
		d.content.Instruct = marked()
		d.content.Context.Position = instruct.InChat
	}
	off := false
	return []option{
		row("Story", func(c *instruct.Context) { c.Story = "{{description}}" }),
		row("Position", func(c *instruct.Context) { c.Position = instruct.InChat }),
		row("StoryDepth", func(c *instruct.Context) { c.StoryDepth = new(3) }, inChat),
		row("StoryRole", func(c *instruct.Context) { c.StoryRole = instruct.StoryUser }, inChat),
		row("ExampleSeparator", func(c *instruct.Context) { c.ExampleSeparator = "~~~" }),
		row("ChatStart", func(c *instruct.Context) { c.ChatStart = "===" }),
		row("ForceName", func(c *instruct.Context) { c.ForceName = !c.ForceName }),
		row("StopAtSeparators", func(c *instruct.Context) { c.StopAtSeparators = !c.StopAtSeparators },
			func(d *drama) { d.content.Context.ChatStart = "===" }),
		row("StopAtNames", func(c *instruct.Context) { c.StopAtNames = &off }),
	}
}

func systemOptions() []option {
	base := func(d *drama) {
		furnished(d)
		d.content.System = &instruct.SystemPrompt{Content: "Tell it well.", PostHistory: "Be brief."}
	}
	return []option{
		{"instruct.SystemPrompt.Content", base, func(d *drama) { d.content.System.Content = "Tell it darkly." }},
		{"instruct.SystemPrompt.PostHistory", base, func(d *drama) { d.content.System.PostHistory = "Be long." }},
	}
}
