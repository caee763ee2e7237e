package prompt

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/talewright/talewright/llm"
)

// mistral applies the rules of [ShapeMistral].
func (s *shaper) mistral() {
	ids := shortIDs{names: map[string]string{}, used: map[string]bool{}}
	out := make([]ShapeMessage, 0, len(s.messages))
	for _, m := range s.messages {
		before := llm.Role("")
		if n := len(out); n > 0 {
			before = out[n-1].Role
		}
		if m.Role == llm.System && before == llm.Assistant {
			m.Role = llm.User
		}
		if m.Role == llm.User && before == llm.Tool {
			out = append(out, text(llm.Assistant, s.rules.Words.Continue))
		}
		for _, p := range m.Parts {
			if p.Call != nil {
				p.Call.ID = ids.short(p.Call.ID)
			}
			if p.Result != nil {
				p.Result.ID = ids.short(p.Result.ID)
			}
		}
		out = append(out, m)
	}
	s.messages = out
}

// shortIDs maps call IDs to IDs of nine letters or digits: the ID itself if it already is one, else
// a hash of it.
type shortIDs struct {
	names map[string]string
	used  map[string]bool
}

const idLength = 9

// short returns the short form of an ID. The same ID always gets the same short form.
func (s *shortIDs) short(id string) string {
	if name, ok := s.names[id]; ok {
		return name
	}
	name := id
	for n := 0; !isShort(name) || s.used[name]; n++ {
		name = hashID(id, n)
	}
	s.names[id], s.used[name] = name, true
	return name
}

// isShort reports whether the provider accepts the ID.
func isShort(id string) bool {
	isOther := func(c rune) bool { return !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z') }
	return len(id) == idLength && !strings.ContainsFunc(id, isOther)
}

// hashID returns a hash of the ID and a number as nine base-36 digits.
func hashID(id string, n int) string {
	h := fnv.New64a()
	h.Write([]byte(id))
	h.Write([]byte(strconv.Itoa(n)))
	text := strconv.FormatUint(h.Sum64(), 36)
	for len(text) < idLength {
		text = "0" + text
	}
	return text[len(text)-idLength:]
}
