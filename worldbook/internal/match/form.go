package match

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// Form is the set of spellings that plain keys and texts are reduced to before they are compared.
type Form uint8

const (
	// FormChinese replaces traditional Chinese characters by simplified ones. Several traditional
	// characters may have one simplified form, so both spellings of a word get the same form.
	FormChinese Form = 1 << iota
	// FormWidth replaces full-width letters, digits and signs by ordinary ones, and half-width
	// katakana and hangul by full-width ones.
	FormWidth
)

// forms are the names of the forms in settings.
var forms = map[string]Form{"chinese": FormChinese, "width": FormWidth}

// FormOf returns the form of a list of names. It skips unknown names and returns the first one.
func FormOf(names []string) (form Form, unknown string) {
	for _, name := range names {
		if forms[name] == 0 && unknown == "" {
			unknown = name
		}
		form |= forms[name]
	}
	return form, unknown
}

// append appends the form of a valid text to dst.
func (f Form) append(dst []byte, text string) []byte {
	if f == 0 {
		return append(dst, text...)
	}
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			from := i
			for i++; i < len(text) && text[i] < utf8.RuneSelf; i++ {
			}
			dst = append(dst, text[from:i]...)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if f&FormWidth != 0 && r >= '\u3000' {
			mark, _ := utf8.DecodeRuneInString(text[i:])
			var marked bool
			if r, marked = widthOf(r, mark); marked {
				i += utf8.RuneLen(mark)
			}
		}
		if f&FormChinese != 0 {
			r = simplify(r)
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// reduce returns the form of a valid text.
func (f Form) reduce(text string) string {
	if f == 0 || !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text
	}
	return string(f.append(make([]byte, 0, len(text)), text))
}

// The characters of the table simplified are between these two.
const (
	firstHan = 0x3400
	endHan   = 0xa000
)

// simplifiedBy has the simplified form of each character from firstHan, or 0.
var simplifiedBy = sync.OnceValue(func() *[endHan - firstHan]uint16 {
	table := new([endHan - firstHan]uint16)
	var from rune
	for _, r := range simplified {
		switch {
		case r == '\n':
		case from == 0:
			from = r
		default:
			table[from-firstHan], from = uint16(r), 0
		}
	}
	return table
})

// simplify returns the simplified form of a character.
func simplify(r rune) rune {
	if r < firstHan || r >= endHan {
		return r
	}
	if to := simplifiedBy()[r-firstHan]; to != 0 {
		return rune(to)
	}
	return r
}

// katakana are the full-width forms of the characters from U+FF61 on.
var katakana = []rune("。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゙゚")

// signs are the ordinary forms of the characters from U+FFE0 on.
var signs = []rune("¢£¬¯¦¥₩\u0000│←↑→↓■○")

// The half-width marks that change the letter before them.
const (
	voicedMark     = 'ﾞ'
	semiVoicedMark = 'ﾟ'
)

// widthOf returns the usual width of a character. With marked, the result includes the mark after
// the character.
func widthOf(r, mark rune) (to rune, marked bool) {
	switch {
	case r == '\u3000':
		return ' ', false
	case r >= '！' && r <= '～':
		return r - '！' + '!', false
	case r == '｟':
		return '⦅', false
	case r == '｠':
		return '⦆', false
	case r >= '｡' && r <= 'ﾟ':
		to = katakana[r-'｡']
		switch {
		case mark == voicedMark && strings.ContainsRune("カキクケコサシスセソタチツテトハヒフヘホ", to),
			mark == semiVoicedMark && strings.ContainsRune("ハヒフヘホ", to):
			return to + mark - voicedMark + 1, true
		case mark == voicedMark && to == 'ウ':
			return 'ヴ', true
		case mark == voicedMark && to == 'ワ':
			return 'ヷ', true
		case mark == voicedMark && to == 'ヲ':
			return 'ヺ', true
		}
		return to, false
	case r >= 'ﾠ' && r <= 'ￜ':
		return hangulOf(r), false
	case r >= '￠' && r <= '￮':
		if to := signs[r-'￠']; to != 0 {
			return to, false
		}
	}
	return r, false
}

// hangulOf returns the full-width form of a half-width letter of hangul.
func hangulOf(r rune) rune {
	switch {
	case r == 'ﾠ':
		return 'ㅤ'
	case r <= 'ﾾ':
		return r - 'ﾡ' + 'ㄱ'
	case r >= 'ￂ' && r <= 'ￇ':
		return r - 'ￂ' + 'ㅏ'
	case r >= 'ￊ' && r <= 'ￏ':
		return r - 'ￊ' + 'ㅕ'
	case r >= 'ￒ' && r <= 'ￗ':
		return r - 'ￒ' + 'ㅛ'
	case r >= 'ￚ':
		return r - 'ￚ' + 'ㅡ'
	}
	return r
}

// simplified has pairs of a Chinese character and its simplified form, sorted. The pairs are the
// single characters that the transliterator Traditional-Simplified of ICU 72.1 changes, except that
// 苎, 苧 and 薴 all become 苎: ICU exchanges 苎 and 苧. Line breaks have no meaning. LICENSE-ICU.txt has
// the licence of the data.
//
//go:embed simplified.txt
var simplified string
