package wording

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// problems has the Chinese translations of the sentences for authors: the texts of problems and of
// warnings. An English sentence is a line as the source writes it, with the verbs of fmt. The next
// line, after a tab, is its translation. A sentence that begins or ends with a blank is in
// quotation marks.
//
//go:embed problems.zh.txt
var problems string

// chinese is the table of problems.zh.txt. It is read at the first use.
var chinese = sync.OnceValue(func() *Translator { return newTranslator(ReadTable(problems), nil) })

// For returns a translator of the sentences for authors to a language. The tables own come before
// the table of this module. Without a table it returns nil, which leaves sentences as they are.
func For(language string, own ...map[string]string) *Translator {
	var t *Translator
	if language == "zh" {
		t = chinese()
	}
	for _, table := range slices.Backward(own) {
		t = newTranslator(table, t)
	}
	return t
}

// ReadTable reads a table in the form of problems.zh.txt.
func ReadTable(text string) Table {
	table := Table{}
	english := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case line[0] == '\t':
			table[english] = unquoted(line[1:])
		default:
			english = unquoted(line)
		}
	}
	return table
}

func unquoted(line string) string {
	if text, err := strconv.Unquote(line); err == nil {
		return text
	}
	return line
}

// Translator translates finished English sentences: it finds the format that a sentence was made
// from. Producers stay simple, stored texts can be translated later, and a sentence may be composed
// of several ones. It is safe for concurrent use.
type Translator struct {
	exact map[string]string      // sentences without arguments
	keyed map[string][]*sentence // by a word that each sentence of the format has
	rest  []*sentence            // formats without a word
	base  *Translator            // is asked next, nil for none

	fragments []string // the first words of sentences that are added to others
}

// sentence is a format and its translation.
type sentence struct {
	format, translation format
	letters             int // in the text of the format
}

// format is a text with verbs between its parts.
type format struct {
	parts []string // one more than verbs
	verbs []verb
}

// verb is a hole in a format: its letter and the index of its argument.
type verb struct {
	letter byte
	arg    int
}

// isSentence reports whether the argument may be a sentence, which is translated. The arguments of
// other verbs are values.
func (v verb) isSentence() bool { return strings.IndexByte("svw", v.letter) >= 0 }

// verbLetters are the verbs of formats. Other letters after a percent sign are text: sentences
// quote code.
const verbLetters = "sdqvwTtcg"

func parseFormat(text string) format {
	var f format
	start, next := 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		end := i + 1
		for end < len(text) && strings.IndexByte("+-.[]0123456789", text[end]) >= 0 {
			end++
		}
		if end == len(text) || strings.IndexByte(verbLetters, text[end]) < 0 {
			continue
		}
		if _, index, ok := strings.Cut(text[i:end], "["); ok {
			n, _ := strconv.Atoi(strings.TrimSuffix(index, "]")) // 0 is no argument
			next = n - 1
		}
		f.parts, f.verbs = append(f.parts, text[start:i]), append(f.verbs, verb{text[end], next})
		i, start, next = end, end+1, next+1
	}
	f.parts = append(f.parts, text[start:])
	return f
}

// args returns the number of arguments that a format needs.
func (f format) args() int {
	most := 0
	for _, v := range f.verbs {
		most = max(most, v.arg+1)
	}
	return most
}

// words returns the words of the text of a format. A verb touches the other words.
func (f format) words() []string {
	var out []string
	for _, word := range strings.Split(strings.Join(f.parts, "\x00"), " ") {
		if word != "" && !strings.Contains(word, "\x00") {
			out = append(out, word)
		}
	}
	return out
}

// newTranslator makes a translator from formats and their translations. A translation may use the
// arguments in a different order, with indexes such as %[2]s, and may leave some out. A translation
// with an argument that its format does not have is ignored. What is not in the table is translated
// by base, which may be nil.
func newTranslator(table Table, base *Translator) *Translator {
	t := &Translator{exact: map[string]string{}, keyed: map[string][]*sentence{}, base: base}
	var list []*sentence
	frequency := map[string]int{}
	for _, english := range slices.Sorted(maps.Keys(table)) {
		there := table[english]
		one := &sentence{format: parseFormat(english), translation: parseFormat(there)}
		for _, part := range one.format.parts {
			one.letters += letters(part)
		}
		if first := one.format.parts[0]; len(first) > 1 && strings.IndexByte(" ;,", first[0]) >= 0 {
			end := 2 + max(strings.IndexByte(first[2:]+" ", ' '), 0)
			t.fragments = append(t.fragments, first[:min(end, len(first))])
		}
		switch {
		case len(one.format.verbs) == 0:
			t.exact[english] = there
		case one.translation.args() <= one.format.args() && !slices.ContainsFunc(one.translation.verbs, func(v verb) bool { return v.arg < 0 }):
			list = append(list, one)
			for _, word := range one.format.words() {
				frequency[word]++
			}
		}
	}
	slices.Sort(t.fragments)
	t.fragments = slices.Compact(t.fragments)
	for _, one := range list {
		words := one.format.words()
		if len(words) == 0 {
			t.rest = append(t.rest, one)
			continue
		}
		rarest := slices.MinFunc(words, func(a, b string) int { return frequency[a] - frequency[b] })
		t.keyed[rarest] = append(t.keyed[rarest], one)
	}
	return t
}

func letters(text string) int {
	n := 0
	for i := range len(text) {
		if c := text[i] | 0x20; 'a' <= c && c <= 'z' || text[i] >= 0x80 {
			n++
		}
	}
	return n
}

// In returns a text in the language of the table. Values, names and sentences that are in no table
// stay as they are.
func (t *Translator) In(text string) string {
	if t == nil {
		return text
	}
	there, _ := (&search{t, 0, maxWork}).translate(text)
	return there
}

// search translates one text.
type search struct {
	*Translator
	depth int // of sentences within sentences
	left  int // how much more work is done
}

// The limits of a search. Texts of authors within a sentence can look like many sentences.
const (
	maxNesting  = 8
	maxSentence = 2 << 10 // bytes
	maxWork     = 2000    // formats that are compared, and parts of 64 bytes that are looked at
)

// spend reports whether there is work left for looking at a text.
func (s *search) spend(text string) bool {
	s.left -= 1 + len(text)/64
	return s.left > 0
}

// translate returns the translation, and false if nothing of the text is known.
func (s *search) translate(text string) (string, bool) {
	if s.depth == maxNesting || len(text) > maxSentence || letters(text) == 0 {
		return text, false
	}
	s.depth++
	defer func() { s.depth-- }()
	if there, ok := s.whole(text); ok {
		return there, true
	}
	if there, ok := s.list(text); ok {
		return there, false // names alone are no sentence
	}
	return s.parts(text)
}

// whole translates a text that is one sentence.
func (s *search) whole(text string) (string, bool) {
	if !s.spend(text) {
		return "", false
	}
	for at := s.Translator; at != nil; at = at.base {
		if there, ok := at.exact[text]; ok {
			return there, true
		}
		if one, args := at.find(text, s); one != nil {
			return one.fill(args, s), true
		}
	}
	return "", false
}

// find returns the format with the most text that a sentence was made from, and its arguments.
func (t *Translator) find(text string, s *search) (*sentence, []string) {
	var likely []*sentence
	add := func(list []*sentence) {
		for _, one := range list {
			parts := one.format.parts
			if strings.HasPrefix(text, parts[0]) && strings.HasSuffix(text, parts[len(parts)-1]) && !slices.Contains(likely, one) {
				likely = append(likely, one)
			}
		}
	}
	for word := range strings.SplitSeq(text, " ") {
		add(t.keyed[word])
	}
	add(t.rest)
	slices.SortStableFunc(likely, func(a, b *sentence) int {
		return cmp.Or(b.letters-a.letters, len(a.format.verbs)-len(b.format.verbs))
	})
	for _, one := range likely {
		m := matcher{format: one.format, args: make([]string, one.format.args()), search: s}
		if m.from(text, 0) && one.fits(m.args, s) {
			return one, m.args
		}
	}
	return nil, nil
}

// fits reports whether the arguments of a format with little text are likely: it would match many
// sentences that it did not make.
func (one *sentence) fits(args []string, s *search) bool {
	return one.letters >= 8 || !slices.ContainsFunc(one.format.verbs, func(v verb) bool {
		arg := args[v.arg]
		return v.isSentence() && arg != "" && !isWord(arg) && !s.isKnown(arg)
	})
}

// isWord reports whether a text is one word, or a text in quotation marks.
func isWord(text string) bool {
	quoted, err := strconv.QuotedPrefix(text)
	return err == nil && quoted == text || !strings.Contains(text, " ")
}

// isKnown reports whether a text is a sentence, or begins with one.
func (s *search) isKnown(text string) bool {
	if _, known := s.whole(text); known {
		return true
	}
	if _, known := s.list(text); known {
		return true
	}
	at := s.fragment(text, 1)
	return at > 0 && s.isKnown(text[:at]) && s.isKnown(text[at:])
}

// fill writes the translation with the arguments of the sentence.
func (one *sentence) fill(args []string, s *search) string {
	translated := make([]string, len(args))
	for _, v := range one.format.verbs {
		if translated[v.arg] = args[v.arg]; v.isSentence() {
			translated[v.arg], _ = s.translate(args[v.arg])
		}
	}
	var b strings.Builder
	for i, v := range one.translation.verbs {
		b.WriteString(one.translation.parts[i])
		b.WriteString(translated[v.arg])
	}
	b.WriteString(one.translation.parts[len(one.translation.verbs)])
	return b.String()
}

// matcher finds the arguments of a format in a sentence.
type matcher struct {
	format
	args   []string
	search *search
}

// from matches the rest of a text with the parts from i on.
func (m *matcher) from(text string, i int) bool {
	text, ok := strings.CutPrefix(text, m.parts[i])
	if !ok || !m.search.spend(text) {
		return false
	}
	if i == len(m.verbs) {
		return text == ""
	}
	v, next := m.verbs[i], m.parts[i+1]
	take := func(n int) bool {
		m.args[v.arg] = text[:n]
		return m.from(text[n:], i+1)
	}
	switch {
	case v.letter == 'd':
		number := strings.TrimRight(text[:len(text)-len(strings.TrimLeft(text, "-0123456789,"))], ",")
		return number != "" && take(len(number))
	case v.letter == 'q':
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil { // a list of them
			return strings.HasPrefix(text, "[") && strings.Contains(text, "]") && take(strings.Index(text, "]")+1)
		}
		return take(len(quoted))
	case next == "" && i+1 == len(m.verbs):
		return take(len(text))
	case next == "": // a part of a sentence follows directly
		for n := m.search.fragment(text, 0); n >= 0; n = m.search.fragment(text, n+1) {
			if _, known := m.search.whole(text[n:]); known && take(n) {
				return true
			}
		}
		return take(len(text))
	}
	for n := 0; ; n++ {
		at := strings.Index(text[n:], next)
		if at < 0 {
			return false
		}
		n += at
		if next[0] == ')' && !isBalanced(text[:n]) {
			continue // it closes a different bracket
		}
		if take(n) {
			return true
		}
	}
}

// isBalanced reports whether each bracket of a text is closed in it.
func isBalanced(text string) bool {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return false
			}
		}
	}
	return open == 0
}

// list translates a list such as "a, b or c" if each element is known or one word. Words are names
// that an author has to write, and are not translated.
func (s *search) list(text string) (string, bool) {
	elements, joint := strings.Split(text, ", "), ", "
	for _, last := range []string{" or ", " and "} {
		if at := strings.LastIndex(text, last); at >= 0 {
			elements, joint = append(strings.Split(text[:at], ", "), text[at+len(last):]), last
			break
		}
	}
	for i := 0; i < len(elements); i++ {
		e := elements[i]
		if e == "" {
			return "", false
		}
		if isWord(e) {
			continue
		}
		there, known := s.whole(e)
		if !known && i+1 < len(elements) { // a sentence with a comma
			there, known = s.whole(e + ", " + elements[i+1])
			elements = slices.Delete(elements, i+1, i+2)
		}
		if !known {
			return "", false
		}
		elements[i] = there
	}
	last := len(elements) - 1
	if last == 0 {
		return elements[0], elements[0] != text
	}
	return strings.Join(elements[:last], s.joint(", ")) + s.joint(joint) + elements[last], true
}

// joint returns what joins two parts of a text, such as a comma.
func (s *search) joint(english string) string {
	for at := s.Translator; at != nil; at = at.base {
		if there, ok := at.exact[english]; ok {
			return there
		}
	}
	return english
}

// parts translates a text that is composed of sentences, if one of them is known.
func (s *search) parts(text string) (string, bool) {
	if text[0] == '[' || text[0] == '{' && !strings.HasPrefix(text, "{{") { // JSON
		return text, false
	}
	for at := s.fragment(text, 1); at >= 0; at = s.fragment(text, at+1) {
		if right, known := s.whole(text[at:]); known {
			left, _ := s.translate(text[:at])
			return left + right, true
		}
	}
	for _, joint := range []string{"; ", ". ", ": "} {
		at := outsideQuotes(text, joint)
		if at < 0 {
			continue
		}
		left, leftKnown := s.translate(text[:at])
		right, rightKnown := s.translate(text[at+len(joint):])
		if leftKnown || rightKnown {
			return left + s.joint(joint) + right, true
		}
	}
	return text, false
}

// fragment returns the next place where a text can have a sentence that is added to others, such as
// "; did you mean …", or -1.
func (s *search) fragment(text string, from int) int {
	if !s.spend(text) {
		return -1
	}
	for i := from; i < len(text); i++ {
		if strings.IndexByte(" ;,", text[i]) < 0 {
			continue
		}
		for at := s.Translator; at != nil; at = at.base {
			for _, start := range at.fragments {
				if strings.HasPrefix(text[i:], start) {
					return i
				}
			}
		}
	}
	return -1
}

// outsideQuotes returns the first place of a joint that is not in quotation marks, or -1.
func outsideQuotes(text, joint string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			if quoted, err := strconv.QuotedPrefix(text[i:]); err == nil {
				i += len(quoted) - 1
				continue
			}
		}
		if i > 0 && strings.HasPrefix(text[i:], joint) {
			return i
		}
	}
	return -1
}
