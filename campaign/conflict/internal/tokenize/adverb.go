package tokenize

import "github.com/talewright/talewright/campaign/conflict/internal/lexicon"

// SkipFillers returns the position after adverbs, …地 phrases, English words in -ly, masks and
// spaces. It stops at limit and skips at most maxFilled characters.
func (t *Text) SkipFillers(pos, limit int) int {
	for end := pos + maxFilled; pos < min(limit, end); {
		next := pos
		w, ok := t.Words.At(lexicon.Filler, pos)
		switch {
		case ok:
			next = w.End
			if adverbial(t, next) {
				next++
			}
		case t.Chars[pos] == MaskRune || t.IsOneOf(pos, " 、，,:—"):
			next = pos + 1
		default:
			next = adverb(t, pos, limit)
		}
		if next == pos {
			break
		}
		pos = next
	}
	return min(pos, limit)
}

// maxFilled limits SkipFillers, so a text of only such words is not read again for each word.
const maxFilled = 3 * MaxLead

// adverbial reports whether 地 at pos makes an adverb of the text before it and does not begin a
// word for a place.
func adverbial(t *Text, pos int) bool {
	return t.Is(pos, '地') && !t.IsOneOf(pos+1, "上下面窖方板牢图道")
}

// adverb returns the end of an adverb at pos: …地 within six characters, or a word in -ly. It
// returns pos if there is none.
func adverb(t *Text, pos, limit int) int {
	if w := t.WordAt(pos); w.End > w.Start {
		if w.End-w.Start > 3 && t.Chars[w.End-1] == 'y' && t.Chars[w.End-2] == 'l' {
			return w.End
		}
		return pos
	}
	if end := timePhrase(t, pos, limit); end > pos {
		return end
	}
	if end := twice(t, pos); end > pos {
		return end
	}
	// 小心翼翼地 is an adverb; 地窖 and 地上 are not.
	for p := pos + 1; p < min(pos+7, limit); p++ {
		if adverbial(t, p) {
			return p + 1
		}
		if !lexicon.IsHan(t.Chars[p]) {
			break
		}
	}
	return pos
}

// twice returns the end of an adverb with doubled characters: 稳稳, 重重地, 跌跌撞撞, 一步步. It returns pos if
// there is none. 妈妈 and 人人 mean people.
func twice(t *Text, pos int) int {
	start := pos
	if t.Is(pos, '一') {
		pos++
	}
	if pos+1 >= len(t.Chars) || !lexicon.IsHan(t.Chars[pos]) || t.Chars[pos] != t.Chars[pos+1] ||
		t.IsOneOf(pos, "妈爸哥姐弟妹爷奶公婆叔伯舅姑姨娃宝猩狒蝈蛐星人家处天夜年说看想谢试走笑") {
		return start
	}
	end := pos + 2
	if end+1 < len(t.Chars) && lexicon.IsHan(t.Chars[end]) && t.Chars[end] == t.Chars[end+1] {
		end += 2
	}
	if adverbial(t, end) {
		end++
	}
	return end
}

// maxTime is the maximum length, in characters, of a phrase of time.
const maxTime = 9

// timePhrase returns the end of a Chinese phrase of time at pos, such as 一炷香后, 天黑前, 半个时辰之后. It
// returns pos if there is none.
func timePhrase(t *Text, pos, limit int) int {
	if pos >= len(t.Chars) || !IsNumeral(t.Chars[pos]) && !lexicon.IsDigit(t.Chars[pos]) &&
		!t.IsOneOf(pos, "半几数片不天日夜入傍黄清凌午次当翌第没转这此那眨良许少俄") {
		return pos
	}
	for p := pos + 1; p < min(pos+maxTime, limit); p++ {
		switch t.Chars[p] {
		case '后', '前':
			if !t.Words.Has(pos, p, lexicon.Creature) {
				return p + 1
			}
			return pos
		case '久', '晨', '晚', '暮', '昏', '夜', '早':
			if p == pos+1 {
				return p + 1
			}
		case '的':
			if t.Is(p+1, '时') && t.Is(p+2, '候') {
				return p + 3
			}
			return pos
		case '，', '被':
			return pos
		}
	}
	return pos
}

// Opens reports whether only adverbs are between start and pos.
func (t *Text) Opens(start, pos int) bool {
	return pos-start <= MaxLead && t.SkipFillers(start, pos) >= pos
}

// BeginsWithOther reports whether the text at pos begins with the name of an untracked subject.
func (t *Text) BeginsWithOther(pos int) bool {
	pos = t.SkipFillers(pos, min(pos+MaxLead, len(t.Chars)))
	for _, class := range []lexicon.Class{lexicon.OtherSubject, lexicon.Creature, lexicon.Determiner, lexicon.Pronoun} {
		if _, ok := t.Words.At(class, pos); ok {
			return true
		}
	}
	return false
}

// MaxLead is the maximum distance, in characters, between the beginning of a clause and a claim
// that opens it.
const MaxLead = 24
