package macro

import "strconv"

// chat adds macros about the conversation. Texts of messages are not expanded: text from a player
// stays data.
func (t table) chat() {
	t.once("lastmessage", func(env *Env) string {
		return newestText(env.Chat, func(Message) bool { return true })
	})
	// Hidden messages count only for lastMessage, which is the newest entry of the chat. The other
	// two return the newest message of a person or a character.
	by := func(name, role string) {
		t.once(name, func(env *Env) string {
			return newestText(env.Chat, func(m Message) bool { return m.Role == role && !m.Hidden })
		})
	}
	by("lastusermessage", "user")
	by("lastcharmessage", "assistant")
	t.once("lastmessageid", func(env *Env) string { return lastIndex(env.Chat, "") })
	t.once("allchatrange", func(env *Env) string { return lastIndex(env.Chat, "0-") })
	index := func(name string, find func(*Env) *int) {
		t.add(name, 0, 0, func(c *Call) string {
			if i := find(c.Env()); i != nil {
				return strconv.Itoa(*i)
			}
			return ""
		})
	}
	index("firstincludedmessageid", func(env *Env) *int { return env.FirstIncluded })
	index("firstdisplayedmessageid", func(env *Env) *int { return env.FirstDisplayed })
	// The alternatives belong to the newest message, even while one of them is being generated:
	// prompts then refer to its number.
	swipe := func(name string, number func(Message) int) {
		t.add(name, 0, 0, func(c *Call) string {
			chat := c.Env().Chat
			if chat.Len() == 0 {
				return ""
			}
			m := chat.Message(chat.Len() - 1)
			if m.Swipes == 0 {
				return ""
			}
			return strconv.Itoa(number(m))
		})
	}
	swipe("lastswipeid", func(m Message) int { return m.Swipes })
	swipe("currentswipeid", func(m Message) int { return m.Swipe + 1 })
}

// lastIndex returns the index of the newest message, after a prefix.
func lastIndex(chat Chat, prefix string) string {
	i := newest(chat, func(Message) bool { return true })
	if i < 0 {
		return ""
	}
	return prefix + strconv.Itoa(i)
}

// newestText returns the text of the newest message that matches and has a text. A message that the
// reader of the prompt did not hear has none.
func newestText(chat Chat, wanted func(Message) bool) string {
	if i := newest(chat, func(m Message) bool { return m.Text != "" && wanted(m) }); i >= 0 {
		return chat.Message(i).Text
	}
	return ""
}

// newest returns the index of the newest message that matches, or -1 if not found. A message is
// skipped while its shown alternative is being generated.
func newest(chat Chat, wanted func(Message) bool) int {
	for i := chat.Len() - 1; i >= 0; i-- {
		m := chat.Message(i)
		if generating := m.Swipes > 0 && m.Swipe >= m.Swipes; !generating && wanted(m) {
			return i
		}
	}
	return -1
}
