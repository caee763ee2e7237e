package turnlog

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The texts part writes a text that stands in a JSON value more than once only once: a list of such
// texts before the members, and a number where they stood. What a model said is in what a machine was
// told, in the attempt, in the turn and in the state; a log would have it four times.

const (
	shortest = 64 // bytes of a text that is worth it
	mostUses = 8  // of one text: what is read is at most so many times as long as what is stored
	member   = `"texts":[`
	number   = `{"$text":`
)

// ErrDamaged is wrapped by the error for numbers without a text, or with too many uses of one.
var ErrDamaged = errors.New("shared texts are damaged")

// AppendShared appends the members of a JSON object, without its first brace, with each longer
// text once: then they begin with "texts". They are appended as they are where no text stands there
// twice, or where a member is called "$text".
func AppendShared(out, members []byte) []byte {
	if bytes.Contains(members, []byte(`"$text"`)) {
		return append(out, members...)
	}
	var long []place
	eachText(members, func(from, to int) {
		if to-from >= shortest {
			long = append(long, place{from, to, -1})
		}
	})
	first := make(map[string]int, len(long)) // the place of a text among the long ones
	uses := make([]int, len(long))
	for i, p := range long {
		text := members[p.from:p.to]
		at, known := first[string(text)]
		if !known {
			at, first[string(text)] = i, i
		}
		if uses[at] < mostUses {
			uses[at]++
			long[i].same = at
		}
	}
	begin, numbers := len(out), make([]int, len(long))
	out = append(out, member...)
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
			out = append(append(out, members[at:p.from]...), number...)
			out = append(strconv.AppendInt(out, int64(numbers[p.same]), 10), '}')
			at = p.to
		}
	}
	return append(out, members[at:]...)
}

// place is where a text stands, and the first of the texts that read so; -1 if it stays as it is.
type place struct{ from, to, same int }

// shared reports whether members begin with "texts".
func shared(members []byte) bool { return bytes.HasPrefix(members, []byte(member)) }

// Whole is the reverse of Share. It costs what it returns, at most eight times what it is given.
func Whole(members []byte) ([]byte, error) {
	rest, shared := bytes.CutPrefix(members, []byte(member))
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
		return nil, fmt.Errorf("nothing stands behind the texts: %w", ErrDamaged)
	}
	out := make([]byte, 0, 3*len(members))
	for at := 0; at < len(rest); {
		switch {
		case rest[at] == '"':
			end := textEnd(rest[at:])
			if end < 0 {
				return append(out, rest[at:]...), nil // the reader of JSON says so
			}
			out = append(out, rest[at:at+end]...)
			at += end
		case bytes.HasPrefix(rest[at:], []byte(number)):
			from := at + len(number)
			end := bytes.IndexByte(rest[from:min(len(rest), from+12)], '}')
			n, err := strconv.Atoi(string(rest[from:max(from, from+end)]))
			if err != nil || n < 0 || n >= len(texts) || uses[n] == mostUses {
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

// eachText passes where the texts that are values begin and end, with their quotation marks.
func eachText(data []byte, f func(from, to int)) {
	for at := 0; at < len(data); at++ {
		if data[at] != '"' {
			continue
		}
		end := textEnd(data[at:])
		if end < 0 {
			return
		}
		behind := at + end
		for behind < len(data) && strings.IndexByte(" \t\r\n", data[behind]) >= 0 {
			behind++
		}
		if behind == len(data) || data[behind] != ':' { // no key
			f(at, at+end)
		}
		at += end - 1
	}
}

// textEnd is the length of the text that data begins with, -1 if it does not end or is none.
func textEnd(data []byte) int {
	if len(data) == 0 || data[0] != '"' {
		return -1
	}
	mark := 0 // the first quotation mark from at on
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
