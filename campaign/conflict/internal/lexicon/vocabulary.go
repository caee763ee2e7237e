package lexicon

// A vocabulary lists words by class. A word with a prefix ! is a shield: a word of the class inside
// it does not count. An English word with a prefix ~ is a regular verb and means all its forms. @
// means each possessive: ~fight @ way. Braces contain choices: {lies/lay} {dead/cold} means four
// words.
type vocabulary []struct {
	tag   Class
	words string
}
