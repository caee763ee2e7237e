package macro

import "cmp"

// templates adds the texts of the prompt settings and of the instruct template.
func (t table) templates() {
	text := func(names string, get func(*Env) string) {
		t.add(names, 0, 0, func(c *Call) string { return get(c.Env()) })
	}
	t.add("systemprompt", 0, 0, func(c *Call) string {
		if env := c.Env(); !env.PreferCardPrompt || env.Card.SystemPrompt == "" {
			return env.SystemPrompt
		}
		return c.eval.run.cardField("charprompt")
	})
	text("defaultsystemprompt|instructsystem|instructsystemprompt",
		func(e *Env) string { return e.SystemPrompt })
	text("exampleseparator|chatseparator", func(e *Env) string { return e.ExampleSeparator })
	text("chatstart", func(e *Env) string { return e.ChatStart })
	text("reasoningprefix", func(e *Env) string { return cmp.Or(e.Reasoning.Prefix, "<think>") })
	text("reasoningsuffix", func(e *Env) string { return cmp.Or(e.Reasoning.Suffix, "</think>") })
	text("reasoningseparator", func(e *Env) string { return cmp.Or(e.Reasoning.Separator, "\n") })

	frame := func(names string, get func(*Instruct) string) {
		text(names, func(e *Env) string { return get(&e.Instruct) })
	}
	frame("instructstorystringprefix", func(i *Instruct) string { return i.StoryPrefix })
	frame("instructstorystringsuffix", func(i *Instruct) string { return i.StorySuffix })
	frame("instructinput|instructuserprefix", func(i *Instruct) string { return i.UserPrefix })
	frame("instructusersuffix", func(i *Instruct) string { return i.UserSuffix })
	frame("instructoutput|instructassistantprefix", func(i *Instruct) string { return i.AssistantPrefix })
	frame("instructseparator|instructassistantsuffix", func(i *Instruct) string { return i.AssistantSuffix })
	frame("instructsystemprefix", func(i *Instruct) string { return i.SystemPrefix })
	frame("instructsystemsuffix", func(i *Instruct) string { return i.SystemSuffix })
	frame("instructfirstinput|instructfirstuserprefix",
		func(i *Instruct) string { return cmp.Or(i.FirstUserPrefix, i.UserPrefix) })
	frame("instructlastinput|instructlastuserprefix",
		func(i *Instruct) string { return cmp.Or(i.LastUserPrefix, i.UserPrefix) })
	frame("instructfirstoutput|instructfirstoutputprefix|instructfirstassistantprefix",
		func(i *Instruct) string { return cmp.Or(i.FirstAssistantPrefix, i.AssistantPrefix) })
	frame("instructlastoutput|instructlastoutputprefix|instructlastassistantprefix",
		func(i *Instruct) string { return cmp.Or(i.LastAssistantPrefix, i.AssistantPrefix) })
	frame("instructsysteminstructionprefix", func(i *Instruct) string { return i.SystemInstructionPrefix })
	frame("instructuserfiller", func(i *Instruct) string { return i.UserFiller })
	frame("instructstop", func(i *Instruct) string { return i.Stop })
}
