package answer

import (
	"regexp"
	"strings"
)

// withoutPartLabel removes a label before a structured part, such as "assistant_structured:".
func withoutPartLabel(text string) string {
	if text == "" {
		return ""
	}
	tail := text[max(0, len(text)-maxLabel):]
	return text[:len(text)-len(tail)] + partLabel.ReplaceAllString(tail, "")
}

// maxLabel is the maximum length of a label, in bytes.
const maxLabel = 80

var partLabel = regexp.MustCompile("(?i)(?:^|\\n)[ \\t>#*`\"_-]*(?:assistant_structured(?:\\.tool_calls)?|tool[_ ]?calls?|function[_ ]?calls?|actions?|工具调用|结构化结果)" +
	"[ \\t*`\"_]*[:：][ \\t*`\"_]*\\s*$")

// cutFence removes the line that opens a code fence at the end of a text, and reports whether there
// is one.
func cutFence(text string) (string, bool) {
	tail := text[max(0, len(text)-32):]
	at := strings.LastIndex(tail, "```")
	if at < 0 || len(strings.Fields(tail[at+3:])) > 1 {
		return text, false
	}
	return text[:len(text)-len(tail)+at], true
}

// afterFence returns the place after the ticks that close a fence.
func afterFence(text string, end int) int {
	rest := strings.TrimLeft(text[end:min(len(text), end+32)], " \t\r\n")
	if i := strings.Index(text[end:], rest); strings.HasPrefix(rest, "```") {
		return end + i + 3
	}
	return end
}

// withoutThoughts removes the reasoning of a model. A closing tag alone ends reasoning that began
// before the text. An opening tag alone begins reasoning that extends to the end.
func withoutThoughts(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	for {
		tag := thoughtTag.FindStringIndex(text)
		if tag == nil {
			return b.String() + text
		}
		if text[tag[0]+1] == '/' {
			b.Reset() // everything before a closing tag alone was reasoning
			text = text[tag[1]:]
			continue
		}
		b.WriteString(text[:tag[0]])
		text = text[tag[1]:]
		end := thoughtEnd.FindStringIndex(text)
		if end == nil {
			return b.String()
		}
		text = text[end[1]:]
	}
}

var (
	thoughtTag = regexp.MustCompile(`(?i)</?think(?:ing)?>`)
	thoughtEnd = regexp.MustCompile(`(?i)</think(?:ing)?>`)
)

// withoutFence removes one code fence around the whole text.
func withoutFence(text string) string {
	if !strings.HasPrefix(text, "```") || !strings.HasSuffix(text, "```") {
		return text
	}
	_, inner, ok := strings.Cut(text[:len(text)-len("```")], "\n")
	if !ok || strings.Contains(inner, "```") {
		return text
	}
	return strings.TrimSpace(inner)
}
