package script

import (
	"math"
	"strconv"
	"strings"
)

// piece is a part of a replacement: a text, a group by number, or a group by name.
type piece struct {
	text  string
	group int // -1: a text or a name
	name  string
}

func (p piece) inserts() bool { return p.group >= 0 || p.name != "" }

// readReplacement splits a replacement at its groups: $ with all following digits, and $<name>.
// {{match}}, in any letter case, is $0. A number beyond all groups becomes a group that no pattern
// has.
func readReplacement(text string) []piece {
	text = matchAsGroup(text)
	var pieces []piece
	from := 0
	flush := func(to int) {
		if from < to {
			pieces = append(pieces, piece{text: text[from:to], group: -1})
		}
	}
	unclosed := false // true if no > follows, so that the search for it runs once
	for i := 0; i < len(text); {
		j := strings.IndexByte(text[i:], '$')
		if j < 0 {
			break
		}
		i += j
		end := i + 1
		for end < len(text) && '0' <= text[end] && text[end] <= '9' {
			end++
		}
		if end > i+1 {
			flush(i)
			n, err := strconv.Atoi(text[i+1 : end])
			if err != nil {
				n = math.MaxInt // no pattern has so many groups
			}
			pieces = append(pieces, piece{group: n})
			from, i = end, end
			continue
		}
		if end < len(text) && text[end] == '<' && !unclosed {
			n := strings.IndexByte(text[end:], '>')
			unclosed = n < 0
			if n > 1 {
				flush(i)
				pieces = append(pieces, piece{name: text[end+1 : end+n], group: -1})
				i = end + n + 1
				from = i
				continue
			}
		}
		i++
	}
	flush(len(text))
	return pieces
}

// matchAsGroup replaces {{match}} by $0.
func matchAsGroup(text string) string {
	const name = "{{match}}"
	var b strings.Builder
	from := 0
	for i := 0; ; {
		j := strings.Index(text[i:], "{{")
		if j < 0 {
			break
		}
		i += j
		if len(text)-i >= len(name) && strings.EqualFold(text[i:i+len(name)], name) {
			b.WriteString(text[from:i])
			b.WriteString("$0")
			i += len(name)
			from = i
			continue
		}
		i++
	}
	if from == 0 {
		return text
	}
	return b.String() + text[from:]
}
