package game

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/utf8text"
)

// Narrator extracts the narration from an answer while it is streamed, for hosts that show it at
// once. Text that may still turn out to be something else is delayed to the end of its line, or to
// the end of the answer. Such text may be a variable command, a tag, a thought, JSON, or a passage
// of a dialect. Each byte is examined a bounded number of times.
type Narrator struct {
	Game        *Game
	raw         strings.Builder // the whole answer
	mode        narratorMode
	json        jsonText
	pending     string          // text that is not yet shown
	partialChar string          // the first bytes of an incomplete character
	blanks      string          // blanks between the shown text and the next text
	shown       strings.Builder // the narration that Write returned
}

type narratorMode int

const (
	undecided narratorMode = iota // only blanks so far, or the beginning of a tag or a fence
	inProse
	inJSON // an object: its member text is the narration
	silent // Write shows nothing more; Finish returns the rest
)

// Write adds a piece of the answer and returns the text that can be shown now.
func (n *Narrator) Write(piece string) string {
	n.raw.WriteString(piece)
	if piece = n.completeChars(piece); piece == "" {
		return ""
	}
	if n.mode == undecided {
		n.pending = strings.TrimLeftFunc(n.pending+piece, unicode.IsSpace)
		n.decide()
		if n.mode == undecided {
			return ""
		}
		piece = n.pending
		n.pending = ""
	}
	switch n.mode {
	case inJSON:
		return n.show(n.addProse(n.json.write(piece)))
	case inProse:
		return n.show(n.addProse(piece))
	}
	return ""
}

// completeChars returns the received text without an incomplete character at its end, which is delayed.
// Bytes that are not part of a character become U+FFFD, as in the stored text.
func (n *Narrator) completeChars(piece string) string {
	piece = n.partialChar + piece
	end := len(piece)
	for end > 0 && !utf8.RuneStart(piece[end-1]) {
		end--
	}
	if end == 0 || utf8.FullRuneInString(piece[end-1:]) {
		end = len(piece)
	} else {
		end--
	}
	n.partialChar = piece[end:]
	return replaceInvalid(piece[:end])
}

// replaceInvalid replaces each byte that is not part of a character by U+FFFD.
func replaceInvalid(text string) string {
	return strings.Map(func(c rune) rune { return c }, text)
}

// Finish returns the rest of the narration of the complete answer. If again is true, the shown text
// is not the beginning of the narration. This happens if only the end of a thought was marked. The
// host must then remove the shown text; text is the whole narration. An answer that cannot be read
// has no narration.
func (n *Narrator) Finish() (text string, again bool) {
	scope := n.Game.Scope()
	answer, _ := n.Game.ReadAnswer(answer.Read(replaceInvalid(n.raw.String()), nil), scope)
	if answer.Broken == "" {
		text = n.Game.Read(answer.Text, scope).Shown
	}
	rest, begins := strings.CutPrefix(text, n.shown.String())
	return rest, !begins
}

// show records a text as shown and returns it. Blanks are delayed until more text follows, because
// blanks at the beginning and at the end are not part of the narration.
func (n *Narrator) show(text string) string {
	text = n.blanks + text
	words := strings.TrimRightFunc(text, func(c rune) bool { return c == cutMark || unicode.IsSpace(c) })
	n.blanks = utf8text.Cut(text[len(words):], maxOpening)
	if n.shown.Len() == 0 {
		words = strings.TrimLeftFunc(closeGaps(words), unicode.IsSpace)
	} else if words != "" {
		words = closeGaps("x" + words)[1:] // x stands for the shown text, so blanks at the beginning stay
	}
	n.shown.WriteString(words)
	return words
}

// maxOpening is the number of bytes of an answer that are examined to find its form.
const maxOpening = 64

// decide determines the form of the answer from its beginning.
func (n *Narrator) decide() {
	text := n.pending
	n.json.allowsNarrative = n.Game.stream.readsDocuments
	switch {
	case text == "":
	case n.Game.stream.hasAnyOpening || text[0] == '<' || text[0] == '[':
		n.mode = silent // a tag, a thought or a list: the end decides what it was
	case text[0] == '{':
		n.mode = inJSON
	case strings.HasPrefix("```", utf8text.Cut(text, 3)) && len(text) < 3:
	case strings.HasPrefix(text, "```"):
		_, body, complete := strings.Cut(text, "\n")
		body = strings.TrimLeftFunc(body, unicode.IsSpace)
		switch {
		case complete && strings.HasPrefix(body, "{"):
			n.mode, n.pending = inJSON, body
		case body != "" || len(text) > maxOpening:
			n.mode = silent
		}
	default:
		n.mode = inProse
	}
}

// openingChars lists the characters that may begin something other than narration: a tag, JSON, a
// fence, a directive, a call.
const openingChars = "<{[`("

// addProse adds a piece of text and returns the part of the pending text that is certainly narration. Up to
// the next opening character, text is narration. From there on, the line is delayed until it ends.
func (n *Narrator) addProse(piece string) string {
	n.pending += piece
	var out strings.Builder
	if before, _, found := strings.Cut(n.pending, callsLabel); found {
		n.mode = silent
		return before
	}
	for n.pending != "" {
		i := strings.IndexAny(n.pending, openingChars+n.Game.stream.opens)
		if i < 0 {
			end := wordStart(n.pending) // a call begins with a name
			if len(n.pending)-end > tool.MaxName {
				end = len(n.pending) // names are not that long
			}
			out.WriteString(n.pending[:end])
			n.pending = n.pending[end:]
			break
		}
		from := i
		if n.pending[i] == '(' {
			from = wordStart(n.pending[:i])
		}
		if n.pending[i] == '(' && from == i && !strings.Contains(n.Game.stream.opens, "(") { // a remark in brackets, not a call
			out.WriteString(n.pending[:i+1])
			n.pending = n.pending[i+1:]
			continue
		}
		out.WriteString(n.pending[:from])
		n.pending = n.pending[from:]
		line, rest, ended := strings.Cut(n.pending, "\n")
		if !ended {
			if len(n.pending) > maxPending {
				n.mode = silent
			}
			break
		}
		if line, ended = n.Game.markDirectives(line); !ended {
			n.mode = silent
			break
		}
		out.WriteString(line + "\n")
		n.pending = rest
	}
	return out.String()
}

// callsLabel is the label that a model writes before its calls if it copies the form of the log.
const callsLabel = "assistant_structured"

// maxPending limits the length of a delayed line. If a line is longer, the rest of the answer is shown
// at its end.
const maxPending = 4 << 10

// wordStart returns where the last word of a text begins, or the length of the text if it does not
// end in a word.
func wordStart(text string) int {
	i := len(text)
	for i > 0 {
		c := text[i-1]
		if c != '_' && c != '.' && c != '*' && c != ']' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		i--
	}
	return i
}

// jsonText reads the narration, a member of an object, while the object is streamed.
type jsonText struct {
	depth           int // the number of open objects and lists
	inString        bool
	escape          string // the beginning of an escape
	inNarration     bool   // the string that is being read is the narration
	wantKey         bool   // the next string is a name
	key             string // the beginning of the last string, which is a name if a value follows
	surrogate       rune   // the first half of a surrogate pair; 0: no half is open
	allowsNarrative bool   // the member narrative also is the narration
}

// write adds a piece of the object and returns the new part of the narration.
func (j *jsonText) write(piece string) string {
	var out strings.Builder
	for i := 0; i < len(piece); i++ {
		c := piece[i]
		switch {
		case j.inString:
			j.readString(c, &out)
		case c == '"':
			j.inString = true
			j.inNarration = j.depth == 1 && !j.wantKey && (j.key == "text" || j.key == "narration" || j.key == "assistant_output_text" ||
				j.allowsNarrative && j.key == "narrative")
			j.key = ""
		case c == '{' || c == '[':
			j.depth++
			j.wantKey = c == '{' && j.depth == 1
		case c == '}' || c == ']':
			j.depth--
		case c == ',' && j.depth == 1:
			j.wantKey = true
		case c == ':' && j.depth == 1:
			j.wantKey = false
		}
	}
	return out.String()
}

// readString reads a byte of a string.
func (j *jsonText) readString(c byte, out *strings.Builder) {
	switch {
	case j.escape != "":
		j.escape += string(rune(c))
		if j.escape[1] == 'u' && len(j.escape) < 6 {
			return
		}
		j.appendText(j.decodeEscape(), out)
		j.escape = ""
	case c == '\\':
		j.escape = `\`
	case c == '"':
		j.appendText(j.loneSurrogate(), out)
		j.inString = false
	default:
		j.appendText(j.loneSurrogate()+string([]byte{c}), out)
	}
}

// appendText appends to the narration or to the name that is being read.
func (j *jsonText) appendText(text string, out *strings.Builder) {
	switch {
	case j.inNarration:
		out.WriteString(text)
	case len(j.key) < maxOpening:
		j.key += text
	}
}

// loneSurrogate returns U+FFFD for the first half of a surrogate pair that has no second half. It returns
// "" if no half is open.
func (j *jsonText) loneSurrogate() string {
	if j.surrogate == 0 {
		return ""
	}
	j.surrogate = 0
	return string(utf8.RuneError)
}

// decodeEscape returns the text of the complete escape, after the replacement of a lone surrogate
// before it.
func (j *jsonText) decodeEscape() string {
	c := rune(j.escape[1])
	if c == 'u' {
		c = 0
		for _, d := range j.escape[2:] {
			c = c<<4 | rune(strings.IndexRune("0123456789abcdef", d|0x20)&15)
		}
		if char := utf16.DecodeRune(j.surrogate, c); char != utf8.RuneError {
			j.surrogate = 0
			return string(char)
		}
		before := j.loneSurrogate()
		if utf16.IsSurrogate(c) {
			j.surrogate = c
			return before
		}
		return before + string(c)
	}
	if i := strings.IndexRune("ntrbf", c); i >= 0 {
		c = rune("\n\t\r\b\f"[i])
	}
	return j.loneSurrogate() + string(c)
}
