package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

// Words decides whether text[start:end] is a whole word of text.
type Words interface {
	IsWord(text string, start, end int) bool
}

// ChineseWords approximates word edges for Chinese without a dictionary. In scripts with blanks
// between words an edge is where letters (also with accents), digits and underscores end. This also
// applies to keys of several words. A Chinese key is not a whole word if a usual ending that forms
// a new noun comes directly after it. The text before the key does not matter.
type ChineseWords struct{}

// phrases marks a rule that also checks the edges of keys of several words (see Builder.addPlain).
func (ChineseWords) phrases() {}

// nounEndings are characters that usually continue the noun before them.
const nounEndings = "师者家士员学院手兵匠徒派宗门塔阵术器具品性化界史书力值级类型"

// IsWord implements [Words].
func (ChineseWords) IsWord(text string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:end])
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	if start > 0 && spacedLetter(first) && spacedLetter(before) {
		return false
	}
	if end >= len(text) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(text[end:])
	last, _ := utf8.DecodeLastRuneInString(text[start:end])
	if spacedLetter(last) && spacedLetter(next) {
		return false
	}
	return !unicode.Is(unicode.Han, last) || !strings.ContainsRune(nounEndings, next)
}

// spacedLetter reports whether a character is part of a word in a script with blanks between words.
func spacedLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return keyindex.IsWordByte(byte(r))
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana,
		unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// UnicodeWords finds word edges in every language. In scripts with blanks between words an edge is
// where letters, marks, digits and underscores end, and between Korean and other letters. This also
// applies to keys of several words. A Korean word may be followed by particles and endings of the
// copula.
type UnicodeWords struct{}

// phrases marks the rule as in ChineseWords.
func (UnicodeWords) phrases() {}

// IsWord implements [Words].
func (UnicodeWords) IsWord(text string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:end])
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	if start > 0 && sameWord(before, first) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text[start:end])
	next, _ := utf8.DecodeRuneInString(text[end:])
	switch {
	case end == len(text):
		return true
	case isHangul(next) && (isHangul(last) || spacedLetter(last)):
		return onlyParticles(last, text[end:])
	}
	return !sameWord(last, next)
}

// sameWord reports whether no word ends between two characters.
func sameWord(before, after rune) bool {
	if isHangul(before) != isHangul(after) {
		return unicode.IsMark(after) || before == '_' || after == '_'
	}
	return isHangul(before) || spacedLetter(before) && spacedLetter(after)
}

func isHangul(r rune) bool { return r >= 0x1100 && unicode.Is(unicode.Hangul, r) }

// sound is a condition on the sound before a particle.
type sound uint8

const (
	anySound sound = iota
	afterVowel
	afterConsonant
	afterVowelOrL
	afterConsonantNotL
)

// particleConditions are the particles that may follow a noun, and the endings of the copula. The list has
// the usual ones. Particles may follow each other.
var particleConditions = func() map[string]sound {
	list := map[string]sound{}
	for condition, words := range map[sound]string{
		anySound:       "의 에 에서 에게 에게서 께 께서 한테 한테서 도 만 까지 부터 마저 조차 밖에 뿐 처럼 보다 만큼 대로 마다 하고 같이 따라 들 쯤 씩 에는 에도 에만",
		afterVowel:     "는 가 를 와 랑 나 라도 라는 라고 라면 라서 든지 야 여 예요 였다 였던 였습니다 란",
		afterConsonant: "은 이 을 과 이랑 이나 이라도 이라는 이라고 이라면 이라서 이든지 아 이야 이여 이에요 이었다 이었던 이었습니다 이란",
		afterVowelOrL:  "로 로서 로써 로부터", afterConsonantNotL: "으로 으로서 으로써 으로부터",
	} {
		for _, p := range strings.Fields(words) {
			list[p] = condition
		}
	}
	for _, p := range strings.Fields("이다 인 이고 이며 이지만 입니다 입니까 인가 인데 일까 이자 임") { // spoken after every sound
		list[p] = anySound
	}
	return list
}()

// The greatest length of a particle, and of particles together, in syllables.
const (
	maxParticle  = 5
	maxParticles = 12
)

// onlyParticles reports whether the hangul at the beginning of a text is particles, and no word
// continues after it. last is the character before it.
func onlyParticles(last rune, text string) bool {
	ends := []int{0} // of syllables
	for i, r := range text {
		if !isHangul(r) {
			if unicode.IsMark(r) || r == '_' {
				return false
			}
			break
		}
		if len(ends) > maxParticles {
			return false
		}
		ends = append(ends, i+utf8.RuneLen(r))
	}
	reached := make([]bool, len(ends)) // the syllables before it are particles
	reached[0] = true
	for from := range ends {
		if !reached[from] {
			continue
		}
		before := last
		if from > 0 {
			before, _ = utf8.DecodeLastRuneInString(text[:ends[from]])
		}
		for to := from + 1; to < len(ends) && to <= from+maxParticle; to++ {
			condition, known := particleConditions[text[ends[from]:ends[to]]]
			reached[to] = reached[to] || known && condition.holds(before)
		}
	}
	return reached[len(ends)-1]
}

// holds reports whether a particle with the condition may follow a character. The sound of
// characters that are not syllables of hangul is not known.
func (s sound) holds(before rune) bool {
	if before < 0xac00 || before > 0xd7a3 {
		return true
	}
	const finals, finalL = 28, 8
	final := (before - 0xac00) % finals
	switch s {
	case afterVowel:
		return final == 0
	case afterConsonant:
		return final != 0
	case afterVowelOrL:
		return final == 0 || final == finalL
	case afterConsonantNotL:
		return final != 0 && final != finalL
	}
	return true
}
