package conflict

import "strings"

// maxPronounSentences is how many sentences back a pronoun may point.
const maxPronounSentences = 3

// maxAntecedents is how many names are tried.
const maxAntecedents = 8

// A gender is what a pronoun or a title in a name says of somebody.
type gender uint8

const (
	anyGender gender = iota
	male
	female
)

// titles tell the gender of a name that has them.
var titles = map[gender][]string{
	male: {"brother", "father", "sir", "lord", "king", "prince", "mr", "uncle", "grandfather",
		"伯", "叔", "爷", "公子", "僧", "哥", "道长", "和尚", "师兄", "少侠", "先生", "大爷"},
	female: {"sister", "mother", "lady", "queen", "princess", "mrs", "miss", "aunt",
		"grandmother", "dame", "婆", "娘", "姐", "妹", "姑", "姨", "妈", "婶", "嬷", "夫人", "小姐", "尼"},
}

func genderOf(c *Character) gender {
	if c == nil {
		return anyGender
	}
	for _, g := range []gender{female, male} {
		for _, title := range titles[g] {
			for _, name := range append([]string{c.Name}, c.Aliases...) {
				name = strings.ToLower(name)
				if isHan([]rune(title)[0]) && strings.Contains(name, title) ||
					strings.HasPrefix(name, title+" ") {
					return g
				}
			}
		}
	}
	return anyGender
}

// thirdPersonWords are the English pronouns that stand for one person.
var thirdPersonWords = map[string]gender{
	"he": male, "him": male, "his": male, "himself": male,
	"she": female, "her": female, "hers": female, "herself": female,
}

// thirdPersonAt reads 他, 她, he, she and their forms at pos.
func (r *Reading) thirdPersonAt(pos int) (mention, gender, bool) {
	switch r.text[pos] {
	case '他', '她':
		if r.is(pos+1, '们') || r.is(pos-1, '其') || r.text[pos] == '他' && r.isOneOf(pos+1, "人乡日处") {
			return mention{}, anyGender, false
		}
		g := female
		if r.text[pos] == '他' {
			g = male
		}
		return mention{span: span{pos, pos + 1}, pronoun: true}, g, true
	case 'h', 's':
		if pos > 0 && isLetter(r.text[pos-1]) {
			return mention{}, anyGender, false
		}
		w := r.wordAt(pos)
		g, ok := thirdPersonWords[r.word(w)]
		return mention{span: w, pronoun: true}, g, ok
	}
	return mention{}, anyGender, false
}

// antecedent returns whom a pronoun at pos means: the last named person that fits, unless
// somebody untracked was spoken of since.
func (r *Reading) antecedent(pos int, g gender) []string {
	here := r.sentenceAt(pos)
	for i := len(r.called) - 1; i >= max(0, len(r.called)-maxAntecedents); i-- {
		m := r.called[i]
		if len(m.ids) != 1 || here-r.sentenceAt(m.start) > maxPronounSentences ||
			r.words.has(m.end, pos, creature) {
			return nil
		}
		if is := genderOf(r.character(m.ids[0])); is == anyGender || is == g {
			return m.ids
		}
	}
	return nil
}
