package conflict

import (
	"slices"
	"sort"
	"strings"
)

// A tag is a class of words that the reading and the detectors ask for.
type tag uint8

// Classes for the reading of any claim.
const (
	_            tag = iota
	unreal           // hypothetical, reported, written or past: unmakes all that follows
	negation         // unmakes what follows in its clause
	intention        // intention, duty, direction: unmakes what follows in its clause
	modal            // unmakes a claim that begins at most one character later
	declared         // unmakes a claim right after it
	conditional      // unmakes a claim right before it
	connective       // begins a clause
	perception       // gives what follows to another subject
	filler           // adverbs that may stand between subject and claim
	otherSubject     // words that begin the name of somebody untracked
	coverb           // begins a verb phrase of the same subject
	localizer        // ends a phrase of place
	partyWord        // the party
	preposition      // makes the English mention after it an object
	determiner       // begins an English noun phrase
	pronoun          // English subjects that are not tracked
	creature         // people and beasts that nobody tracks
	fiction          // dreams, pictures, plays: what they show did not happen
	waking           // ends a dream
	doubt            // unmakes what follows in its clause, as negation does

	// Classes for hit points.
	hpWord
	lossVerb
	hurtVerb
	dealVerb
	costVerb
	strikeVerb
	gainVerb
	healVerb
	amountFiller
	hpDown
	hpUp
	valueVerb
	emptied
	haveVerb
	downTo
	damage
	takeVerb   // takes hit points from somebody else
	leaveVerb  // leaves somebody with hit points
	forWord    // before an amount that somebody is hit for
	goneWord   // after an amount: lost
	full       // at the maximum
	fullHealth // complete in itself
	selfHarm   // what the subject suffers by itself
	panelLabel // words of a panel that name nobody
	dieRoll    // before or after the number of a roll

	// Classes for the other detectors.
	wound
	recovery
	dead
	killed
	downed
	revived
	deadly
	slays     // kills whom it names
	fells     // strikes down whom it names
	takesLife // before the life of whom it names
	lifeless  // dead or unconscious, after words of falling
	falling   // drops, before an apposition
	vitals    // parts of a body that live or die for it
	arrival
	arrivalOf
	presence
	inPlace
	brought  // taken somewhere by others
	alight   // after a place: got there
	vehicle  // what one takes to a place
	greets   // a place does to who arrives
	follows  // goes with whom it names
	gotThere // after a mention: arrived where the sentence speaks of
	staring  // looks somewhere and is not there
	notTheArea
	ruleNoun
	ruleChanged
	ruleEdit
	newRule
	fromNow
	noNeed
	mechanic
	collapse
	sealing
	mapNoun
	mapChanged
	mapGained
	placeNoun
	opensTo
	joinedNow // after two areas: they are connected
	wayNoun   // a way between two areas
	joinVerb  // makes a way between two areas
	cardLabel
	cardVerb
	cardPhrase
	levelUp
	levelTo
	learns
	learned
	goalNoun
	newGoal
	goalVerb
	rolled
	rollResult
	landing // a die does before its number
	countWord

	tagCount
)

// A vocabulary lists words by class. One that begins with ! shields: a word of
// the class inside it does not count. An English one that begins with ~ is a regular verb
// and stands for its forms; @ stands for each possessive: ~fight @ way.
type vocabulary []struct {
	tag   tag
	words string
}

// A lexicon finds the words of vocabularies in one pass. It is immutable.
type lexicon struct {
	next map[edge]int32
	uses [][]use // by node
}

type edge struct {
	node int32
	char rune
}

// A use is a class that a word belongs to, or shields from.
type use struct {
	tag     tag
	shields bool
}

// kind is 0 for a word of the class and 1 for a shield.
func (u use) kind() int {
	if u.shields {
		return 1
	}
	return 0
}

// bothLanguages is the compiled lexicon.
var bothLanguages = compileLexicon(chinese, slices.Concat(english, englishPlaces, englishLives))

// compileLexicon compiles the Chinese words, divided by spaces, and the English
// ones, which may have spaces inside and are divided by commas.
func compileLexicon(chinese, english vocabulary) *lexicon {
	l := &lexicon{next: map[edge]int32{}, uses: make([][]use, 1)}
	for _, class := range chinese {
		for word := range strings.FieldsSeq(class.words) {
			for _, form := range spread(word) {
				l.add(form, class.tag)
			}
		}
	}
	for _, class := range english {
		for word := range strings.SplitSeq(class.words, ",") {
			word = strings.Join(strings.Fields(word), " ")
			verb, regular := strings.CutPrefix(word, "~")
			if !regular {
				for _, whose := range possessives {
					l.add(strings.Replace(word, "@", whose, 1), class.tag)
				}
				continue
			}
			for _, form := range inflect(verb) {
				for _, whose := range possessives {
					l.add(strings.Replace(form, "@", whose, 1), class.tag)
				}
			}
		}
	}
	return l
}

// possessives are what @ stands for in an English entry.
var possessives = []string{"your", "his", "her", "its", "their"}

func (l *lexicon) add(word string, t tag) {
	word, shields := strings.CutPrefix(word, "!")
	node := int32(0)
	for _, r := range word {
		child, ok := l.next[edge{node, r}]
		if !ok {
			child = int32(len(l.uses))
			l.next[edge{node, r}] = child
			l.uses = append(l.uses, nil)
		}
		node = child
	}
	if u := (use{t, shields}); !slices.Contains(l.uses[node], u) {
		l.uses[node] = append(l.uses[node], u)
	}
}

// hits are the words found in a text by class, each list sorted by start with
// the longest word only for each start.
type hits [tagCount][]span

// find returns the words of the lexicon in text. Words in ASCII letters match
// whole words only.
func (l *lexicon) find(text []rune) *hits {
	var found, shields hits
	var sizes [2][tagCount]int // of the lists of found and shields
	all := make([]hit, 0, len(text)/3)
	for i := range text {
		if i > 0 && joined(text[i-1], text[i]) {
			continue
		}
		// Walks down the tree of words as far as the text goes along. No word is long,
		// so that this is a small constant for each character.
		node := int32(0)
		for j := i; j < len(text); j++ {
			child, ok := l.next[edge{node, text[j]}]
			if !ok {
				break
			}
			node = child
			if j+1 < len(text) && joined(text[j], text[j+1]) {
				continue
			}
			for _, u := range l.uses[node] {
				all = append(all, hit{uint32(i), uint16(j + 1 - i), u})
				sizes[u.kind()][u.tag]++
			}
		}
	}
	// The lists share one array: see BenchmarkTurn/history=N of package campaign.
	room := make([]span, len(all))
	for kind, lists := range []*hits{&found, &shields} {
		for t, n := range sizes[kind] {
			if n > 0 {
				lists[t], room = room[:0:n], room[n:]
			}
		}
	}
	for _, h := range all {
		lists := &found
		if h.shields {
			lists = &shields
		}
		lists.put(h.tag, span{int(h.start), int(h.start) + int(h.size)})
	}
	for t := range found {
		found[t] = unshielded(found[t], shields[t])
	}
	return &found
}

// hit is one use of a word in a text.
type hit struct {
	start uint32
	size  uint16
	use
}

// put adds a span, in place of a shorter one with the same start.
func (h *hits) put(t tag, s span) {
	list := h[t]
	if n := len(list); n > 0 && list[n-1].start == s.start {
		list[n-1] = s
		return
	}
	h[t] = append(list, s)
}

// outside removes the words that begin inside one of the sorted spans: 夏可 is a name, and
// its 可 no modal word.
func (h *hits) outside(names []span) {
	if len(names) == 0 {
		return
	}
	for t := range h {
		k := 0
		h[t] = slices.DeleteFunc(h[t], func(w span) bool {
			for k < len(names) && names[k].end <= w.start {
				k++
			}
			return k < len(names) && names[k].start <= w.start
		})
	}
}

// unshielded removes the words that lie inside a shield, in place.
func unshielded(list, shields []span) []span {
	if len(shields) == 0 {
		return list
	}
	out := list[:0]
	// Both lists are sorted by start: reach is the farthest end of the shields that
	// begin before a word.
	k, reach := 0, 0
	for _, w := range list {
		for ; k < len(shields) && shields[k].start <= w.start; k++ {
			reach = max(reach, shields[k].end)
		}
		if w.end > reach {
			out = append(out, w)
		}
	}
	return out
}

// at returns the longest word of the class that starts at pos.
func (h *hits) at(t tag, pos int) (span, bool) {
	i := h.from(t, pos)
	if i < len(h[t]) && h[t][i].start == pos {
		return h[t][i], true
	}
	return span{}, false
}

// hasAt reports whether a word of the class starts at pos.
func (h *hits) hasAt(t tag, pos int) bool {
	_, ok := h.at(t, pos)
	return ok
}

// from returns the index of the first word of the class that starts at or
// after pos.
func (h *hits) from(t tag, pos int) int {
	return sort.Search(len(h[t]), func(i int) bool { return h[t][i].start >= pos })
}

// within returns the first word of the class that lies in [start, end).
func (h *hits) within(t tag, start, end int) (span, bool) {
	for _, w := range h[t][h.from(t, start):] {
		if w.start >= end {
			break
		}
		if w.end <= end {
			return w, true
		}
	}
	return span{}, false
}

// has reports whether a word of one of the classes lies in [start, end).
func (h *hits) has(start, end int, tags ...tag) bool {
	for _, t := range tags {
		if _, ok := h.within(t, start, end); ok {
			return true
		}
	}
	return false
}

// endsAt returns the longest word of the class that ends at pos and starts
// less than 24 characters before it.
func (h *hits) endsAt(t tag, pos int) (span, bool) {
	for _, w := range h[t][h.from(t, pos-24):] {
		if w.start >= pos {
			break
		}
		if w.end == pos {
			return w, true
		}
	}
	return span{}, false
}

// spread returns what a Chinese entry stands for. One with slashes is a product: each
// of its parts is a choice between the characters of the part, or - for none.
func spread(word string) []string {
	parts := strings.Split(word, "/")
	if len(parts) == 1 {
		return parts
	}
	forms := []string{""}
	for _, part := range parts {
		var next []string
		for _, form := range forms {
			for _, c := range part {
				if c == '-' {
					next = append(next, form)
				} else {
					next = append(next, form+string(c))
				}
			}
		}
		forms = next
	}
	return forms
}
