package conflict

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maskRune stands for every character of quoted speech.
const maskRune = '\uFFFC'

// A span is a range of characters of the narration, end excluded.
type span struct{ start, end int }

// runesOf returns the characters of s, normalised one to one, and the byte
// of each. Bytes that are no UTF-8 count as one character each, so that places always
// cut s at real ones.
func runesOf(s string) ([]rune, bytePlaces) {
	n := utf8.RuneCountInString(s)
	runes, places := make([]rune, 0, n), bytePlaces{size: len(s)}
	if n < len(s) {
		places.at = make([]int, 0, n)
	}
	for i, r := range s {
		runes = append(runes, normal(r))
		if n < len(s) {
			places.at = append(places.at, i)
		}
	}
	straightenApostrophes(runes)
	return runes, places
}

// bytePlaces are the bytes where the characters of a text begin.
type bytePlaces struct {
	at   []int // by character; none if each of them is one byte
	size int   // of the text
}

// of returns the byte where a character begins, and the size of the text for the one
// behind the last.
func (p bytePlaces) of(char int) int {
	switch {
	case p.at == nil:
		return char
	case char == len(p.at):
		return p.size
	}
	return p.at[char]
}

// charAt returns the character that holds a byte, the one behind the last for what lies
// behind the text.
func (p bytePlaces) charAt(offset int) int {
	switch {
	case p.at == nil:
		return min(max(offset, 0), p.size)
	case offset >= p.size:
		return len(p.at)
	}
	return max(sort.SearchInts(p.at, offset+1)-1, 0)
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
	var b strings.Builder
	b.Grow(len(runes))
	for _, c := range runes {
		if c >= utf8.RuneSelf {
			c = 0x80
		}
		b.WriteByte(byte(c))
	}
	return b.String()
}

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
