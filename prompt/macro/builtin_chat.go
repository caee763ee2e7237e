package macro

import "strconv"

// chat adds what the conversation looks like. Texts of messages are given as they
// are: whatever a player has written stays data.
func (t table) chat() {
	t.once("lastmessage", func(env *Env) string {
		return newestText(env.Chat, func(Message) bool { return true })
	})
	// Hidden messages count for lastMessage alone, which is the newest entry of the
	// chat whatever it is; the other two are what was said by a person or a character.
	by := func(name, role string) {
		t.once(name, func(env *Env) string {
			return newestText(env.Chat, func(m Message) bool { return m.Role == role && !m.Hidden })
		})
	}
	by("lastusermessage", "user")
	by("lastcharmessage", "assistant")
	t.once("lastmessageid", func(env *Env) string { return lastIndex(env.Chat, "") })
	t.once("allchatrange", func(env *Env) string { return lastIndex(env.Chat, "0-") })
	t.add("firstincludedmessageid", 0, 0, func(c *Call) string {
		if first := c.Env().FirstIncluded; first != nil {
			return strconv.Itoa(*first)
		}
		return ""
	})
	t.add("firstdisplayedmessageid", 0, 0, func(c *Call) string {
		if first := c.Env().FirstDisplayed; first != nil {
			return strconv.Itoa(*first)
		}
		return ""
	})
	// Alternatives are those of the newest message even while one of them is being
	// generated: the number is what a prompt then speaks of.
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

// lastIndex gives the index of the newest message behind a prefix.
func lastIndex(chat Chat, prefix string) string {
	i := newest(chat, func(Message) bool { return true })
	if i < 0 {
		return ""
	}
	return prefix + strconv.Itoa(i)
}

// newestText returns the text of the newest message that is wanted.
func newestText(chat Chat, wanted func(Message) bool) string {
	if i := newest(chat, wanted); i >= 0 {
		return chat.Message(i).Text
	}
	return ""
}

// newest returns the index of the newest message that is wanted, -1 if there is
// none. A message whose shown alternative is being generated is skipped.
func newest(chat Chat, wanted func(Message) bool) int {
	for i := chat.Len() - 1; i >= 0; i-- {
		m := chat.Message(i)
		if generating := m.Swipes > 0 && m.Swipe >= m.Swipes; !generating && wanted(m) {
			return i
		}
	}
	return -1
}
