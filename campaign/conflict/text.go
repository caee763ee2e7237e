package conflict

import (
	"unicode"
	"unicode/utf8"
)

// maskRune stands for every character of quoted speech.
const maskRune = '\uFFFC'

// A span is a range of characters of the narration, end excluded.
type span struct{ start, end int }

// runesOf returns the characters of s, normalised one to one, and the byte
// offset of each, with len(s) at the end. Bytes that are no UTF-8 count as one
// character each, so that offsets always cut s at real places.
func runesOf(s string) (runes []rune, offsets []int) {
	n := utf8.RuneCountInString(s)
	runes = make([]rune, 0, n)
	offsets = make([]int, 0, n+1)
	for i, r := range s {
		runes = append(runes, normal(r))
		offsets = append(offsets, i)
	}
	offsets = append(offsets, len(s))
	straightenApostrophes(runes)
	return runes, offsets
}

// normal maps full-width digits, letters and ／：＋－％ to ASCII, other spaces and
// the marks of Markdown emphasis to the plain space, and capitals to small
// letters.
func normal(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		switch r {
		case '\r', '\t', '*', '`':
			return ' ' // the marks of emphasis only decorate
		}
		return r
	case '０' <= r && r <= '９', 'ａ' <= r && r <= 'ｚ':
		return r - '０' + '0'
	case 'Ａ' <= r && r <= 'Ｚ':
		return r - 'Ａ' + 'a'
	}
	switch r {
	case '／', '：', '＋', '－', '％':
		return r - '０' + '0'
	case '−':
		return '-'
	case '\u3000', '\u00a0':
		return ' '
	case maskRune:
		return utf8.RuneError
	}
	return unicode.ToLower(r)
}

// straightenApostrophes turns ’ between letters into ', so that a contraction
// does not close a quotation.
func straightenApostrophes(runes []rune) {
	for i := 1; i+1 < len(runes); i++ {
		if runes[i] == '’' && isLetter(runes[i-1]) && isLetter(runes[i+1]) {
			runes[i] = '\''
		}
	}
}

// asciiOf returns one byte for each character: itself if it is ASCII, else 0x80.
func asciiOf(runes []rune) string {
	out := make([]byte, len(runes))
	for i, c := range runes {
		out[i] = 0x80
		if c < utf8.RuneSelf {
			out[i] = byte(c)
		}
	}
	return string(out)
}

// quotes are the pairs that enclose speech and titles.
var quotes = [...]struct{ open, close rune }{
	{'“', '”'}, {'‘', '’'}, {'「', '」'}, {'『', '』'}, {'《', '》'}, {'"', '"'},
}

// maskSpeech returns a copy of runes with quoted speech replaced by maskRune.
// A quotation ends in the paragraph it began in; an opener without its closer
// masks nothing.
func maskSpeech(runes []rune) []rune {
	out := append([]rune(nil), runes...)
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
			for ; i < end; i++ {
				out[i] = maskRune
			}
			out[i] = maskRune
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

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' }

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isWord reports whether r belongs to a word written in ASCII.
func isWord(r rune) bool { return isLetter(r) || isDigit(r) }

// joined reports whether a and b stand in one word or number written in ASCII.
// 5hp is two: a number and its unit.
func joined(a, b rune) bool {
	return isLetter(a) && isLetter(b) || isDigit(a) && isDigit(b)
}

func isHan(r rune) bool { return '㐀' <= r && r <= '鿿' }

// isBreak reports whether r ends a clause or a sentence. The full stop counts
// wherever it stands.
func isBreak(r rune) bool {
	switch r {
	case '，', ',', '、', ':', '—', '.', '|', '｜', maskRune:
		return true
	}
	return isStop(r)
}

// isStop reports whether r always ends a sentence.
func isStop(r rune) bool {
	switch r {
	case '。', '！', '？', '!', '?', '；', ';', '…', '\n':
		return true
	}
	return false
}
