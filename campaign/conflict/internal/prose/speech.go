package prose

import "slices"

// quotes are the pairs that enclose speech and titles.
var quotes = [...]struct{ open, close rune }{
	{'“', '”'}, {'‘', '’'}, {'「', '」'}, {'『', '』'}, {'《', '》'}, {'"', '"'},
}

// maskSpeech returns runes with quoted speech replaced by maskRune, in a copy if there is
// any. A quotation ends in the paragraph it began in; an opener without its closer
// masks nothing.
func maskSpeech(runes []rune) []rune {
	out := runes
	// Each kind of mark looks ahead on its own, so that a text of openers without
	// closers costs no more than any other.
	closers := nextClosers{runes: runes}
	for i := 0; i < len(runes); i++ {
		for kind, q := range quotes {
			if runes[i] != q.open {
				continue
			}
			end := closers.after(kind, i)
			if end < 0 {
				break
			}
			if &out[0] == &runes[0] {
				out = slices.Clone(runes)
			}
			for ; i < end; i++ {
				out[i] = MaskRune
			}
			out[i] = MaskRune
			break
		}
	}
	return out
}

// nextClosers finds the next closing mark of each kind. Every mark and every
// paragraph end is looked at once per kind, whatever the number of questions.
type nextClosers struct {
	runes []rune
	at    [len(quotes)]int
}

// after returns the place of the next closer of the kind after i in the same
// paragraph, or -1. Calls must come with growing i.
func (n *nextClosers) after(kind, i int) int {
	if n.at[kind] <= i {
		n.at[kind] = i + 1
	}
	for ; n.at[kind] < len(n.runes); n.at[kind]++ {
		switch n.runes[n.at[kind]] {
		case quotes[kind].close:
			return n.at[kind]
		case '\n':
			return -1
		}
	}
	return -1
}
