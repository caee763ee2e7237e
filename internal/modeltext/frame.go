// Package modeltext finds JSON and tool calls in the text of models, and repairs the JSON. A model
// that was trained on a chat template writes calls in the frame of that template. A server that
// does not support the template passes the frame on as text.
//
// [Split] reads the frames of Hermes and Qwen (<tool_call>), Qwen Coder
// (<function=name><parameter=key>), Mistral ([TOOL_CALLS]), Llama (<function=name>, <|python_tag|>,
// <|python_start|>), DeepSeek (<｜tool▁calls▁begin｜>, DSML), Kimi (<|tool_calls_section_begin|>),
// GLM (<arg_key>), Granite and Phi (<|tool_call|>), Command R (<|START_ACTION|>), InternLM
// (<|action_start|>), Gemma (a fence of tool_code; also tool_call) and XML
// (<function_calls><invoke name="…">). A frame contains JSON, which is repaired if necessary, XML, or
// calls in Python notation.
package modeltext

import (
	"regexp"
	"slices"
	"strings"
)

// Call is a tool call. Arguments is JSON, or the text that was written instead.
type Call struct{ ID, Name, Arguments string }

// Part is a part of a text: prose, the calls of a frame, or a frame that cannot be read.
type Part struct {
	Text       string
	Calls      []Call
	Unreadable bool // Text is a frame
}

// Split splits a complete text into its parts. Its cost is linear in the length of the text. No
// part contains results of tools, which only the engine may write, or frames without a call.
func Split(text string) []Part {
	var s Splitter
	return append(s.Write(text), s.End()...)
}

// Splitter splits a text while it arrives. The parts do not depend on the pieces in which the text
// arrives, except that prose may be split anywhere. The zero value is ready to use.
type Splitter struct {
	held     string // the end of the prose, if a frame may begin in it
	kind     string // kind of the open frame, "" outside of frames
	frame    []byte // text of the frame, from its opening mark
	body     int    // where the frame's body begins
	searched int    // no end of the frame was found before this position
}

// The forms of the marks of frames. A group contains the name of the mark.
const (
	dsml   = `(?:[|｜]DSML[|｜])?`
	tags   = `tool_calls?|tool_use|functioncall|function_calls?|minimax:tool_call|tool_response|tool_results?|function_results?|function_response`
	begins = `tool_call|tool[_▁]calls?[_▁]begin|tool_calls_section_begin|tool[_▁]outputs?[_▁]begin|python_tag|python_start|action_start|start_action`
	ends   = `/tool_call|tool[_▁]calls?[_▁]end|tool_calls_section_end|tool[_▁]outputs?[_▁]end|python_end|action_end|end_action|eom_id|eot_id`

	openingMark = `<` + dsml + `(` + tags + `)(?:\s[^<>\n]{0,200})?>|` +
		`<` + dsml + `(function|invoke)(?:=|\s{1,8}name\s{0,8}=)|` +
		`<[|｜](` + begins + `)[|｜]>|` +
		`\[(TOOL_CALLS|TOOL_RESULTS)\]|` +
		"```(tool_(?:code|calls?))\\s"
	closingMark = `</` + dsml + `(` + tags + `|function|invoke)\s{0,8}>|` +
		`<[|｜](` + ends + `)[|｜]>|` +
		`\[(/TOOL_CALLS|/TOOL_RESULTS)\]|` +
		"(```)"
)

var (
	opening = regexp.MustCompile(`(?i)^(?:` + openingMark + `)`)
	closing = regexp.MustCompile(`(?i)^(?:` + closingMark + `)`)
	strays  = regexp.MustCompile(`(?i)</` + dsml + `(?:` + tags + `)\s{0,8}>|<[|｜](?:` + begins + `|` + ends +
		`|im_end|end_of_text|endoftext)[|｜]>|\[/?(?:TOOL_CALLS|TOOL_RESULTS)\]`)
)

// maxMark is the greatest length of a mark, in bytes.
const maxMark = 256

// endings lists, for each kind of frame, the names of the marks that end it. A frame of an unlisted
// kind ends with the tag of its name.
var endings = map[string][]string{
	"function": {"function"}, "invoke": {"invoke"}, "tool_code": {"```"},
	"|tool_call": {"/tool_call", "tool_call_end", "tool_call"}, "|tool_call_begin": {"tool_call_end"},
	"|tool_calls_begin": {"tool_calls_end"}, "|tool_calls_section_begin": {"tool_calls_section_end"},
	"|tool_output_begin": {"tool_output_end"}, "|tool_outputs_begin": {"tool_outputs_end"},
	"|python_tag": {"eom_id", "eot_id"}, "|python_start": {"python_end"},
	"|action_start": {"action_end"}, "|start_action": {"end_action"},
	"[tool_calls": {"/tool_calls"}, "[tool_results": {"/tool_results"},
}

// starts are the beginnings of opening marks, endStarts of closing marks, in lower case.
var (
	starts    = []string{"<tool_", "<function", "<invoke", "<minimax:", "<|", "<｜", "[tool_", "```tool_c"}
	endStarts = []string{"</", "<|", "<｜", "[/tool_", "```"}
)

// beginsMark reports whether a text begins with one of the given beginnings of marks, or is itself
// a prefix of one.
func beginsMark(text string, with []string) bool {
	return slices.ContainsFunc(with, func(start string) bool {
		n := min(len(start), len(text))
		return Lower(text[:n]) == start[:n]
	})
}

// Lower converts ASCII letters to lower case. Bytes of incomplete characters do not change.
func Lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c | 0x20
		}
	}
	return string(out)
}

// found is a mark that was found in a text.
type found struct {
	from, to int
	name     string // with | or [ before it if these characters surround it
	opens    bool
}

// nextMark returns the first mark in a text from a position on. It finds closing marks only if
// closers is true.
func nextMark(text string, from int, closers bool) (found, bool) {
	for from < len(text) {
		i := strings.IndexAny(text[from:], "<[`")
		if i < 0 {
			break
		}
		from += i
		if m, ok := markAt(text[from:], closers); ok {
			m.from, m.to = from, from+m.to
			return m, true
		}
		from++
	}
	return found{}, false
}

// markAt reads the mark at the beginning of a text.
func markAt(text string, closers bool) (found, bool) {
	window := text[:min(len(text), maxMark)]
	if beginsMark(window, starts) {
		if loc := opening.FindStringSubmatchIndex(window); loc != nil {
			return found{0, loc[1], markName(window, loc), true}, true
		}
	}
	if closers && beginsMark(window, endStarts) {
		if loc := closing.FindStringSubmatchIndex(window); loc != nil {
			return found{0, loc[1], markName(window, loc), false}, true
		}
	}
	return found{}, false
}

// markName returns the name of a mark that was found.
func markName(text string, loc []int) string {
	for i := 2; i+1 < len(loc); i += 2 {
		if loc[i] >= 0 {
			name := strings.ReplaceAll(strings.ToLower(text[loc[i]:loc[i+1]]), "▁", "_")
			switch around := text[:loc[i]]; {
			case around == "<|", around == "<｜":
				return "|" + name
			case around == "[":
				return "[" + name
			case around == "```":
				return "tool_code" // whatever the word is
			}
			return name
		}
	}
	return ""
}

// endsFrame reports whether a closing mark ends a frame of this kind.
func endsFrame(kind, name string) bool {
	list, listed := endings[kind]
	if !listed {
		list = []string{kind}
	}
	return slices.Contains(list, strings.TrimLeft(name, "|["))
}

// findEnd finds the end of a frame in a text, from a position on: its closing mark, or the next
// frame of its kind. The result next is the position after the frame.
func findEnd(kind, text string, from int) (end, next int, ok bool) {
	for {
		m, ok := nextMark(text, from, true)
		switch {
		case !ok:
			return 0, 0, false
		case m.opens && m.name == kind:
			return m.from, m.from, true
		case !m.opens && endsFrame(kind, m.name):
			return m.from, m.to, true
		}
		from = m.to
	}
}

// Write adds the next piece of the text and returns the parts that are certain.
func (s *Splitter) Write(piece string) []Part {
	var out []Part
	text := s.held + piece
	if s.kind != "" {
		s.frame = append(s.frame, piece...)
		text = string(s.frame[s.searched:])
		end, next, ok := findEnd(s.kind, text, 0)
		if !ok {
			s.searched = max(s.searched, len(s.frame)-maxMark)
			return nil
		}
		whole := string(s.frame[:s.searched+next])
		out, text = append(out, closed(s.kind, whole, s.body, s.searched+end)), text[next:]
	}
	s.held, s.kind, s.frame = "", "", s.frame[:0]
	for {
		m, ok := nextMark(text, 0, false)
		if !ok {
			keep := mayOpen(text)
			s.held = text[keep:]
			return prose(out, text[:keep])
		}
		out, text = prose(out, text[:m.from]), text[m.from:]
		mark, body := m.to-m.from, m.to-m.from
		if m.name == "function" || m.name == "invoke" {
			body = 0 // the name of the tool is in the mark
		}
		end, next, ok := findEnd(m.name, text, mark)
		if !ok {
			s.kind, s.frame, s.body, s.searched = m.name, append(s.frame, text...), body, max(mark, len(text)-maxMark)
			return out
		}
		out, text = append(out, closed(m.name, text[:next], body, end)), text[next:]
	}
}

// closed returns the part for a closed frame.
func closed(kind, frame string, body, end int) Part {
	if calls, _, ok := readFrame(kind, frame[body:end], 0); ok {
		return Part{Calls: calls}
	}
	return Part{Text: frame, Unreadable: true}
}

// End returns the parts that were held back. An unclosed frame counts if it can be read, and the
// text after its calls is prose.
func (s *Splitter) End() []Part {
	var out []Part
	for s.kind != "" {
		frame := string(s.frame)
		calls, rest, read := readFrame(s.kind, frame[s.body:], 0)
		s.kind, s.frame = "", nil
		if !read {
			return append(out, Part{Text: frame, Unreadable: true})
		}
		out = append(out, Part{Calls: calls})
		out = append(out, s.Write(rest)...)
	}
	out = prose(out, s.held)
	s.held = ""
	return out
}

func prose(out []Part, text string) []Part {
	if text == "" {
		return out
	}
	return append(out, Part{Text: text})
}

// mayOpen returns the position where an incomplete opening mark may begin, or the length of the
// text. The first such position counts: a mark may contain the first characters of other marks.
func mayOpen(text string) int {
	for at := max(0, len(text)-maxMark); at < len(text); at++ {
		i := strings.IndexAny(text[at:], "<[`")
		if i < 0 {
			break
		}
		if at += i; beginsMark(text[at:], starts) {
			return at
		}
	}
	return len(text)
}

// WithoutFrameMarks removes marks without a frame. A server may swallow an opening mark because it
// is a token; then only the closing mark is in the text.
func WithoutFrameMarks(text string) string {
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	return strings.TrimSpace(strays.ReplaceAllString(text, ""))
}

// OpensFrame reports whether a frame begins in a text.
func OpensFrame(text string) bool { _, ok := nextMark(text, 0, false); return ok }
