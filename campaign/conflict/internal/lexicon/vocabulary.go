package lexicon

// A vocabulary lists words by class. One that begins with ! shields: a word of
// the class inside it does not count. An English one that begins with ~ is a regular verb
// and stands for its forms; @ stands for each possessive: ~fight @ way. Braces hold choices:
// {lies/lay} {dead/cold} is four words.
type vocabulary []struct {
	tag   Class
	words string
}
