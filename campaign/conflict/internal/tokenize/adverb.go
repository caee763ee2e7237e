package tokenize

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// In "Mara slowly, with great care, falls" and in 玛拉慢慢地倒下, adverbs are between the subject and the
// verb. This file skips them, so that the words on both sides can be connected.

// MaxLead is the maximum number of characters between the start of a clause and its verb.
const MaxLead = 24

// maxFillers is the number of characters that SkipFillers skips at most. It bounds the time for a
// text that consists only of fillers: a caller may ask again at each of its words.
const maxFillers = 3 * MaxLead

// SkipFillers returns the first position from pos on that is not part of a filler, and at most limit.
// Fillers are adverbs, Chinese phrases of time, spaces, commas, colons, dashes and masked speech.
func (t *Text) SkipFillers(pos, limit int) int {
	end := min(limit, pos+maxFillers)
	for pos < end {
		next := t.fillerEnd(pos, limit)
		if next == pos {
			break
		}
		pos = next
	}
	return min(pos, limit)
}

// Opens reports whether there are only fillers between start and pos.
func (t *Text) Opens(start, pos int) bool {
	return pos-start <= MaxLead && t.SkipFillers(start, pos) >= pos
}

// BeginsWithOther reports whether a creature, a pronoun, a determiner or the name of an untracked
// subject comes at pos, possibly after fillers.
func (t *Text) BeginsWithOther(pos int) bool {
	pos = t.SkipFillers(pos, min(pos+MaxLead, len(t.Chars)))
	others := []lexicon.Class{lexicon.OtherSubject, lexicon.Creature, lexicon.Determiner, lexicon.Pronoun}
	return slices.ContainsFunc(others, func(c lexicon.Class) bool { return t.Words.HasAt(c, pos) })
}

// Each function below is for one kind of filler. It returns the end of the filler that begins at pos.
// It returns pos if no filler begins there.

func (t *Text) fillerEnd(pos, limit int) int {
	if word, ok := t.Words.At(lexicon.Filler, pos); ok {
		return word.End
	}
	if t.Chars[pos] == MaskRune || t.IsOneOf(pos, " 、，,:—") {
		return pos + 1
	}
	if word := t.WordAt(pos); word.End > word.Start { // a word in Latin letters
		if strings.HasSuffix(t.Word(word), "ly") {
			return word.End
		}
		return pos
	}
	if end := t.timePhraseEnd(pos, limit); end > pos {
		return end
	}
	if end := t.doubledEnd(pos); end > pos {
		return end
	}
	return t.particleAdverbEnd(pos, limit)
}

// particleAdverbEnd accepts up to six Chinese characters with the particle 地 after them: 小心翼翼地.
func (t *Text) particleAdverbEnd(pos, limit int) int {
	for p := pos + 1; p < min(pos+7, limit); p++ {
		if t.isParticle(p) {
			return p + 1
		}
		if !lexicon.IsHan(t.Chars[p]) {
			break
		}
	}
	return pos
}

// isParticle reports whether the character at pos is the particle 地, which ends an adverb. As the
// first character of 地上, 地窖, 地方 and others it means ground.
func (t *Text) isParticle(pos int) bool {
	return t.Is(pos, '地') && !t.IsOneOf(pos+1, "上下面窖方板牢图道")
}

// notDoubled are characters whose doubled form is not an adverb: people and animals (妈妈, 猩猩), every
// one of something (人人, 天天), and verbs (看看).
const notDoubled = "妈爸哥姐弟妹爷奶公婆叔伯舅姑姨娃宝猩狒蝈蛐星人家处天夜年说看想谢试走笑"

// doubledEnd accepts adverbs with doubled characters: 稳稳, 重重地, 跌跌撞撞.
func (t *Text) doubledEnd(pos int) int {
	if !t.isDoubled(pos) || t.IsOneOf(pos, notDoubled) {
		return pos
	}
	return pos + 2
}

// isDoubled reports whether the same Chinese character is at pos and after it.
func (t *Text) isDoubled(pos int) bool {
	return pos+1 < len(t.Chars) && lexicon.IsHan(t.Chars[pos]) && t.Chars[pos] == t.Chars[pos+1]
}

// maxTimePhrase is the maximum length of a phrase of time, in characters.
const maxTimePhrase = 9

// beginsTime are the characters with which a phrase of time begins if it has no number: 半个时辰之后,
// 天黑前, 翌晨, 转眼后.
const beginsTime = "半几数片不天日夜入傍黄清凌午次当翌第没转这此那眨良许少俄"

// timePhraseEnd accepts Chinese phrases of time. They end in 后 or 前 (一炷香后, 天黑前), or have
// two characters (良久, 清晨).
func (t *Text) timePhraseEnd(pos, limit int) int {
	if !IsNumeral(t.Chars[pos]) && !lexicon.IsDigit(t.Chars[pos]) && !t.IsOneOf(pos, beginsTime) {
		return pos
	}
	for p := pos + 1; p < min(pos+maxTimePhrase, limit); p++ {
		switch t.Chars[p] {
		case '后', '前':
			if t.Words.Has(pos, p, lexicon.Creature) { // 三只狼前 is a place: in front of three wolves
				return pos
			}
			return p + 1
		case '久', '晨', '晚', '暮', '昏', '夜', '早':
			if p == pos+1 {
				return p + 1
			}
		case '的', '，', '被':
			return pos
		}
	}
	return pos
}
