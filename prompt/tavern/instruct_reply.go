package tavern

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// isContinue reports whether the text ends in the open last message.
func (w *writer) isContinue() bool { return w.in.Generation == worldbook.Continue }

// isQuiet reports whether the request is quiet: no character of the story is to speak.
func (w *writer) isQuiet() bool {
	return w.in.Generation == worldbook.Quiet && keyindex.TrimSpace(w.in.Control) != ""
}

// nextSpeaker returns the role and the name of the next speaker, and the name of the other one.
func (w *writer) nextSpeaker() (role llm.Role, name, other string) {
	if w.in.Generation == worldbook.Impersonate {
		return llm.User, w.env.User, w.env.Char
	}
	return llm.Assistant, w.env.Char, w.env.User
}

// writeReplyBeginning joins the messages and writes the beginning of the reply.
func (w *writer) writeReplyBeginning(messages []string, prefill string) string {
	text := strings.Join(messages, "")
	if w.template == nil {
		return w.finishPlain(text) + prefill
	}
	if w.isContinue() {
		return text
	}
	begin := w.replyBeginning()
	// The newline between the last message and the reply belongs to the reply, which is trimmed. If
	// the reply's beginning is only a newline, no second one is added.
	if w.template.Wrap && !w.isQuiet() {
		text = strings.TrimSuffix(text, "\n")
		if begin != "\n" {
			text += "\n"
		}
	}
	return text + begin + prefill
}

// finishPlain ends a transcript. A continued text never begins a line, unless names are forced.
func (w *writer) finishPlain(text string) string {
	role, name, _ := w.nextSpeaker()
	if !w.isContinue() {
		text = strings.TrimSuffix(text, "\n")
	}
	switch {
	case w.isQuiet():
		return text
	case w.isContinue() && (!w.context.ForceName || len(w.in.History) == 1):
		return strings.TrimSuffix(text, "\n")
	case !w.context.ForceName && role != llm.User:
		return text
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if w.isContinue() && w.in.History[len(w.in.History)-1].Role == llm.User {
		return text
	}
	return text + name + ":"
}

// replyBeginning returns the text before the reply.
func (w *writer) replyBeginning() string {
	t := w.template
	role, name, _ := w.nextSpeaker()
	prefix, _ := w.frame(role, messageVariant{last: role == llm.Assistant})
	if w.isQuiet() {
		prefix, name = cmp.Or(t.LastSystemPrefix, t.AssistantPrefix), systemName
	}
	text := w.frameText(prefix, name)
	newline := ""
	if t.Wrap {
		newline = "\n"
	}
	if t.Names != instructNamesAlways || w.isQuiet() {
		if t.Wrap {
			text = strings.TrimRightFunc(text, keyindex.IsSpace)
		}
		return text + newline
	}
	return text + newline + w.nameBlank(prefix) + name + ":"
}

// nameBlank returns the blank between the prefix of the reply and the name, if only the usual prefix
// ends in a blank.
func (w *writer) nameBlank(prefix string) string {
	usual := w.template.AssistantPrefix
	if prefix != w.template.LastAssistantPrefix || prefix == "" || usual == "" {
		return ""
	}
	blank := func(text string) bool {
		r, _ := utf8.DecodeLastRuneInString(text)
		return keyindex.IsSpace(r)
	}
	if !blank(usual) || blank(prefix) {
		return ""
	}
	_, size := utf8.DecodeLastRuneInString(usual)
	return usual[len(usual)-size:]
}
