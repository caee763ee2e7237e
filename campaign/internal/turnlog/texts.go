package turnlog

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// This file stores each text of a JSON value only once, even if it occurs several times. A list
// before the members has these texts, and each place has a reference. Model output appears in the
// inputs, the attempt, the turn and the state. The log stores it once.

const (
	minSharedText = 64 // the minimum length of a shared text, in bytes
	maxUses       = 8  // the maximum number of references to one text: it limits the decoded size to a multiple of the stored size
	textsMember   = `"texts":[`
	textReference = `{"$text":`
)

// ErrDamaged is wrapped by the error for a reference without a text, or for too many references to
// one text.
var ErrDamaged = errors.New("shared texts are damaged")

// AppendShared appends the members of a JSON object, without its first brace. Each longer text that
// occurs more than once is stored once, in a first member "texts". The members are appended
// unchanged if no such text occurs twice, or if a member is called "$text".
func AppendShared(out, members []byte) []byte {
	if bytes.Contains(members, []byte(`"$text"`)) {
		return append(out, members...)
	}
	var long []textPlace
	eachText(members, func(from, to int) {
		if to-from >= minSharedText {
			long = append(long, textPlace{from, to, -1})
		}
	})
	first := make(map[string]int, len(long)) // the index of the first occurrence of a text in long
	uses := make([]int, len(long))
	for i, p := range long {
		text := members[p.from:p.to]
		at, known := first[string(text)]
		if !known {
			at, first[string(text)] = i, i
		}
		if uses[at] < maxUses {
			uses[at]++
			long[i].same = at
		}
	}
	begin, numbers := len(out), make([]int, len(long))
	out = append(out, textsMember...)
	n := 0
	for i, p := range long {
		if uses[i] < 2 {
			continue
		}
		if n > 0 {
			out = append(out, ',')
		}
		out = append(out, members[p.from:p.to]...)
		numbers[i] = n
		n++
	}
	if n == 0 {
		return append(out[:begin], members...)
	}
	out = append(out, "],"...)
	at := 0
	for _, p := range long {
		if p.same >= 0 && uses[p.same] > 1 {
			out = append(append(out, members[at:p.from]...), textReference...)
			out = append(strconv.AppendInt(out, int64(numbers[p.same]), 10), '}')
			at = p.to
		}
	}
	return append(out, members[at:]...)
}

// textPlace is the position of a text, and the index of its first occurrence; -1 if it is not shared.
type textPlace struct{ from, to, same int }

// hasSharedTexts reports whether the members begin with the shared texts.
func hasSharedTexts(members []byte) bool { return bytes.HasPrefix(members, []byte(textsMember)) }

// WithTexts is the inverse of AppendShared. Its cost is proportional to its result, which is at most
// eight times as long as members.
func WithTexts(members []byte) ([]byte, error) {
	rest, shared := bytes.CutPrefix(members, []byte(textsMember))
	if !shared {
		return members, nil
	}
	var texts [][]byte
	var uses []int
	for {
		end := textEnd(rest)
		if end < 0 || end >= len(rest) {
			return nil, fmt.Errorf("text %d: %w", len(texts), ErrDamaged)
		}
		texts, uses = append(texts, rest[:end]), append(uses, 0)
		mark := rest[end]
		if rest = rest[end+1:]; mark == ']' {
			break
		} else if mark != ',' {
			return nil, fmt.Errorf("text %d: %w", len(texts), ErrDamaged)
		}
	}
	rest, ok := bytes.CutPrefix(rest, []byte(","))
	if !ok {
		return nil, fmt.Errorf("there are no members after the texts: %w", ErrDamaged)
	}
	out := make([]byte, 0, 3*len(members))
	for at := 0; at < len(rest); {
		switch {
		case rest[at] == '"':
			end := textEnd(rest[at:])
			if end < 0 {
				return append(out, rest[at:]...), nil // the JSON decoder reports the error
			}
			out = append(out, rest[at:at+end]...)
			at += end
		case bytes.HasPrefix(rest[at:], []byte(textReference)):
			from := at + len(textReference)
			end := bytes.IndexByte(rest[from:min(len(rest), from+12)], '}')
			n, err := strconv.Atoi(string(rest[from:max(from, from+end)]))
			if err != nil || n < 0 || n >= len(texts) || uses[n] == maxUses {
				return nil, fmt.Errorf("number %q: %w", rest[from:max(from, from+end)], ErrDamaged)
			}
			uses[n]++
			out = append(out, texts[n]...)
			at = from + end + 1
		default:
			out = append(out, rest[at])
			at++
		}
	}
	return out, nil
}

// eachText calls f with the positions of each text that is a value, including its quotation marks.
func eachText(data []byte, f func(from, to int)) {
	for at := 0; at < len(data); at++ {
		if data[at] != '"' {
			continue
		}
		end := textEnd(data[at:])
		if end < 0 {
			return
		}
		after := at + end
		for after < len(data) && strings.IndexByte(" \t\r\n", data[after]) >= 0 {
			after++
		}
		if after == len(data) || data[after] != ':' { // not a key
			f(at, at+end)
		}
		at += end - 1
	}
}

// textEnd returns the length of the text at the start of data, or -1 if there is no complete one.
func textEnd(data []byte) int {
	if len(data) == 0 || data[0] != '"' {
		return -1
	}
	mark := 0 // the first quotation mark at or after at
	for at := 1; at < len(data); {
		if mark < at {
			next := bytes.IndexByte(data[at:], '"')
			if next < 0 {
				return -1
			}
			mark = at + next
		}
		escape := bytes.IndexByte(data[at:mark], '\\')
		if escape < 0 {
			return mark + 1
		}
		at += escape + 2
	}
	return -1
}
