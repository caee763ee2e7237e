package conflict

// maxNumber bounds what is read as a number; more is read as this.
const maxNumber = 1_000_000_000

// A number in a text.
type number struct {
	span
	value int
	vague bool // 一点: one point, or a little
}

// numberAt reads digits, Chinese numerals below a thousand or an English word
// at pos. Fractions, percentages, ranges and dice are no numbers.
func (r *Reading) numberAt(pos int) (number, bool) {
	if n, ok := r.diceValue(pos); ok {
		return n, true
	}
	n, ok := r.digits(pos)
	if !ok {
		n, ok = r.numerals(pos)
	}
	if !ok {
		n, ok = r.numberWord(pos)
	}
	if !ok || r.continuesNumber(n.end) {
		return number{}, false
	}
	return n, true
}

// continuesNumber reports whether what stands at pos makes the number before it
// a part of something else: 3.5, 50%, 2d6, 1-3, 三成.
func (r *Reading) continuesNumber(pos int) bool {
	if pos >= len(r.text) {
		return false
	}
	switch c := r.text[pos]; {
	case isWord(c):
		// 5hp is a number with its unit, 2d6 is none.
		_, ok := r.words.at(hpWord, pos)
		return !ok
	case c == '%', c == '成', c == '分', c == '倍', c == '半', c == '来', c == '多', c == '几':
		return true
	case c == '.', c == '-', c == '~', c == '～', c == '至', c == '到', c == ',', c == '–':
		if pos+1 == len(r.text) {
			return false
		}
		next := r.text[pos+1]
		return isDigit(next) || c >= '~' && isNumeral(next)
	case isNumeral(c):
		return true
	}
	return false
}

func (r *Reading) digits(pos int) (number, bool) {
	n := number{span: span{pos, pos}}
	for n.end < len(r.text) && isDigit(r.text[n.end]) {
		n.value = min(maxNumber, n.value*10+int(r.text[n.end]-'0'))
		n.end++
	}
	return n, n.end > pos
}

func isNumeral(c rune) bool {
	_, ok := numeral(c)
	return ok
}

// numeral returns the value of a Chinese numeral.
func numeral(c rune) (value int, ok bool) {
	switch c {
	case '零', '〇':
		return 0, true
	case '一', '壹':
		return 1, true
	case '二', '两':
		return 2, true
	case '三':
		return 3, true
	case '四':
		return 4, true
	case '五':
		return 5, true
	case '六':
		return 6, true
	case '七':
		return 7, true
	case '八':
		return 8, true
	case '九':
		return 9, true
	case '十':
		return 10, true
	case '百':
		return 100, true
	}
	return 0, false
}

// numerals reads a Chinese numeral such as 十二, 二十, 一百零三.
func (r *Reading) numerals(pos int) (number, bool) {
	n := number{span: span{pos, pos}}
	digit, open := 0, false
	for ; n.end < len(r.text) && n.end < pos+7; n.end++ {
		v, ok := numeral(r.text[n.end])
		if !ok {
			break
		}
		if v < 10 {
			digit, open = v, true
			continue
		}
		if !open || digit == 0 {
			digit = 1
		}
		n.value += digit * v
		digit, open = 0, false
	}
	n.value += digit
	n.vague = n.end == pos+1 && r.text[pos] == '一' && r.is(n.end, '点')
	return n, n.end > pos
}

// numberWords are the English words for numbers.
var numberWords = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
	"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
	"fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30,
}

func (r *Reading) numberWord(pos int) (number, bool) {
	w := r.wordAt(pos)
	if n := w.end - w.start; n < 3 || n > 9 || r.is(w.end, '-') {
		return number{}, false
	}
	value, ok := numberWords[r.word(w)]
	return number{span: w, value: value}, ok
}
