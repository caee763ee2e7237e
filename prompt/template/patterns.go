package template

import (
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
)

// match is one match of a pattern: the texts of its groups, the first of the whole, and its place.
type match struct {
	groups   []string
	from, to int // in the text that was searched
}

// search returns the matches of a pattern, or of a text that is read as one, in the form in which
// their places count. Without all it stops at the first match.
func (f *frame) search(s string, v value, all bool) (searched string, matches []match) {
	re, unicode := f.pattern(v)
	searched = re.Text(s)
	left := (f.build.env.MaxSteps - f.build.steps) * stepsOfSearch
	before := left
	for found, err := range re.AllCounted(searched, &left) {
		if err != nil {
			left = 0
			break
		}
		m := match{from: found[0].From, to: found[0].To, groups: make([]string, len(found))}
		for i, span := range found {
			if span.From >= 0 {
				m.groups[i] = back(searched[span.From:span.To], unicode)
			}
		}
		matches = append(matches, m)
		f.keepItems(len(found))
		if !all {
			break
		}
	}
	f.steps((before-left)/stepsOfSearch + len(s)/bytesOfStep)
	if left <= 0 {
		f.limit("steps", "a pattern took too many steps: simplify it")
	}
	return searched, matches
}

// stepsOfSearch is the number of steps of a search that cost one step.
const stepsOfSearch = 16

// back converts a part of a searched text.
func back(s string, unicode bool) string {
	if !unicode {
		s, _ = jsregex.FromText(s)
	}
	return s
}

// isGlobal reports whether a pattern has the flag g.
func isGlobal(v value) bool {
	return v.kind == patternKind && strings.Contains(v.text[strings.LastIndexByte(v.text, '/'):], "g")
}

// pattern returns the pattern of a value, and whether it has the flag u. A text is read as a
// pattern.
func (f *frame) pattern(v value) (re *jsregex.Regexp, unicode bool) {
	if v.kind == patternKind {
		return v.ref.(*pattern).re, strings.Contains(v.text[strings.LastIndexByte(v.text, '/'):], "u")
	}
	s := f.text(v)
	f.work(64 * len(s))
	re, err := jsregex.Compile(s, jsregex.Flags{})
	if err != nil {
		f.fail(codeSyntax, "", "the text "+quote(s)+" is not a valid pattern: correct it")
	}
	return re, false
}

func testPattern(f *frame, of value, args []value) value {
	_, matches := f.search(f.text(arg(args, 0)), of, false)
	return boolean(len(matches) > 0)
}

// execPattern is the method exec: the first match, or of a global pattern the next.
func execPattern(f *frame, of value, args []value) value {
	p := of.ref.(*pattern)
	searched, matches := f.search(f.text(arg(args, 0)), of, isGlobal(of))
	for _, m := range matches {
		if isGlobal(of) && m.from < f.build.sought[p] {
			continue
		}
		if isGlobal(of) {
			if f.build.sought == nil {
				f.build.sought = map[*pattern]int{}
			}
			f.build.sought[p] = max(m.to, m.from+1)
		}
		return f.matched(of, searched, m)
	}
	delete(f.build.sought, p)
	return null
}

// matched returns a match: a list of its groups, with its place and its named groups.
func (f *frame) matched(p value, searched string, m match) value {
	re, unicode := f.pattern(p)
	found := f.newList(textsOf(m.groups))
	o, groups := &object{}, value{}
	f.work(16 * len(p.text)) // for the names
	for i, name := range re.Groups() {
		if name == "" || i >= len(m.groups) {
			continue
		}
		if groups.kind == undefinedKind {
			groups = objectOf(&object{})
		}
		f.keepItems(1)
		groups.ref.(*object).put(name, text(m.groups[i]))
	}
	f.work(m.from)
	o.put("index", number(float64(length(back(searched[:m.from], unicode)))))
	o.put("groups", groups)
	found.ref.(*list).match = o
	return found
}

// matchAll is the method matchAll: the groups of each match.
func (f *frame) matchAll(of value, args []value) value {
	searched, matches := f.search(of.text, arg(args, 0), true)
	out := make([]value, len(matches))
	for i, m := range matches {
		out[i] = f.matched(arg(args, 0), searched, m)
	}
	return f.newList(out)
}

// matchPattern is the method match: the groups of the first match, or all matches of a global
// pattern.
func (f *frame) matchPattern(of value, args []value) value {
	p := arg(args, 0)
	searched, matches := f.search(of.text, p, isGlobal(p))
	switch {
	case len(matches) == 0:
		return null
	case !isGlobal(p):
		return f.matched(p, searched, matches[0])
	}
	var all []string
	for _, m := range matches {
		all = append(all, m.groups[0])
	}
	return f.newList(textsOf(all))
}

// textsOf returns texts as values.
func textsOf(list []string) []value {
	out := make([]value, len(list))
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// searchPattern is the method search.
func (f *frame) searchPattern(of value, args []value) value {
	searched, matches := f.search(of.text, arg(args, 0), false)
	if len(matches) == 0 {
		return number(-1)
	}
	return number(float64(length(back(searched[:matches[0].from], false))))
}

func (f *frame) splitPattern(s string, p value) (items []value) {
	_, unicode := f.pattern(p)
	searched, matches := f.search(s, p, true)
	from := 0
	for _, m := range matches {
		if m.to > from && m.from < len(searched) {
			items = append(items, text(back(searched[from:m.from], unicode)))
			items = append(items, textsOf(m.groups[1:])...)
			from = m.to
		}
	}
	return append(items, text(back(searched[from:], unicode)))
}

func (f *frame) replacePattern(s string, p, by value) value {
	_, unicode := f.pattern(p)
	searched, matches := f.search(s, p, isGlobal(p))
	var b strings.Builder
	from := 0
	for _, m := range matches {
		before := back(searched[:m.from], unicode)
		b.WriteString(back(searched[from:m.from], unicode))
		b.WriteString(f.replacement(by, s, m.groups, min(len(before), len(s))))
		f.limitText(b.Len())
		f.work(len(before))
		from = m.to
	}
	b.WriteString(back(searched[from:], unicode))
	return f.made(b.String())
}
