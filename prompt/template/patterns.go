package template

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
)

// newPattern compiles a regular expression.
func newPattern(source, flags string) (value, error) {
	parsed, err := jsregex.ParseFlags(flags)
	if err != nil {
		return value{}, err
	}
	re, err := jsregex.Compile(source, parsed)
	return value{kind: patternKind, text: "/" + source + "/" + flags, ref: &pattern{re: re}}, err
}

// match is one match of a pattern: its groups, the first of the whole, and its place. A group
// without a match is undefined.
type match struct {
	groups   []value
	from, to int // in the text that was searched
}

// search returns the matches of a pattern, or of a text that is read as one, in the form in which
// their places count. Without all it stops at the first match.
func (f *frame) search(s string, v value, all bool) (searched string, matches []match) {
	re, unicode := f.patternOf(v)
	searched = re.Text(s)
	left := (f.build.env.MaxSteps - f.build.steps) * stepsOfSearch
	before := left
	for found, err := range re.AllCounted(searched, &left) {
		if err != nil {
			left = 0
			break
		}
		m := match{from: found[0].From, to: found[0].To, groups: make([]value, len(found))}
		for i, span := range found {
			if span.From >= 0 {
				m.groups[i] = text(back(searched[span.From:span.To], unicode))
			}
		}
		matches = append(matches, m)
		f.chargeItems(len(found))
		if !all {
			break
		}
	}
	f.chargeSteps((before-left)/stepsOfSearch + len(s)/bytesOfStep)
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

func isGlobal(v value) bool { return hasFlag(v, "g") }

// patternOf returns the pattern of a value, and whether it has the flag u. A text is read as a
// pattern.
func (f *frame) patternOf(v value) (re *jsregex.Regexp, unicode bool) {
	if v.kind == patternKind {
		return v.ref.(*pattern).re, hasFlag(v, "u")
	}
	s := f.toText(v)
	f.chargeBytes(64 * len(s))
	re, err := jsregex.Compile(s, jsregex.Flags{})
	if err != nil {
		f.fail(codeSyntax, "", "the text "+quote(s)+" is not a valid pattern: correct it")
	}
	return re, false
}

// testPattern is the method test.
func testPattern(f *frame, of value, args []value) value {
	return boolean(!execPattern(f, of, args).isNullish())
}

// execPattern is the method exec: the first match, or of a pattern with the flag g or y the next.
func execPattern(f *frame, of value, args []value) value {
	p, moves := of.ref.(*pattern), hasFlag(of, "gy")
	searched, matches := f.search(f.toText(arg(args, 0)), of, moves)
	from := 0
	if moves {
		from = unitOffset(searched, f.build.lastIndexes[p], hasFlag(of, "u"))
	}
	for _, m := range matches {
		if m.from < from {
			continue
		}
		if hasFlag(of, "y") && m.from > from {
			break
		}
		if moves {
			f.setLastIndex(p, length(back(searched[:m.to], hasFlag(of, "u"))))
		}
		return f.matchValue(of, searched, m)
	}
	if moves {
		delete(f.build.lastIndexes, p)
	}
	return null
}

// unitOffset returns the offset of a unit in a searched text; beyond the end it is greater than the
// length.
func unitOffset(searched string, at int, unicode bool) int {
	for i, r := range searched {
		if at <= 0 {
			return i
		}
		if at--; unicode && r > 0xFFFF {
			at--
		}
	}
	return len(searched) + max(at, 0)
}

// matchValue returns a match: a list of its groups, with its place and its named groups.
func (f *frame) matchValue(p value, searched string, m match) value {
	re, unicode := f.patternOf(p)
	found, o := f.newList(m.groups), &object{}
	f.chargeBytes(m.from)
	o.put("index", number(float64(length(back(searched[:m.from], unicode)))))
	o.put("groups", f.namedGroups(re, p, m))
	o.put("input", text(back(searched, unicode)))
	found.ref.(*list).match = o
	return found
}

// namedGroups returns the named groups of a match as an object, undefined without names.
func (f *frame) namedGroups(re *jsregex.Regexp, p value, m match) (groups value) {
	f.chargeBytes(16 * len(p.text)) // for the names
	for i, name := range re.Groups() {
		if name == "" || i >= len(m.groups) {
			continue
		}
		if groups.kind == undefinedKind {
			groups = objectOf(&object{})
		}
		f.chargeItems(1)
		groups.ref.(*object).put(name, m.groups[i])
	}
	return groups
}

// matchAll is the method matchAll: the groups of each match.
func (f *frame) matchAll(of value, args []value) value {
	searched, matches := f.search(of.text, arg(args, 0), true)
	out := make([]value, len(matches))
	for i, m := range matches {
		out[i] = f.matchValue(arg(args, 0), searched, m)
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
		return f.matchValue(p, searched, matches[0])
	}
	var all []value
	for _, m := range matches {
		all = append(all, m.groups[0])
	}
	return f.newList(all)
}

// searchPattern is the method search.
func (f *frame) searchPattern(of value, args []value) value {
	searched, matches := f.search(of.text, arg(args, 0), false)
	if len(matches) == 0 {
		return number(-1)
	}
	return number(float64(length(back(searched[:matches[0].from], false))))
}

// splitPattern divides a text at the matches of a pattern. The groups are elements too.
func (f *frame) splitPattern(s string, p value) (items []value) {
	_, unicode := f.patternOf(p)
	searched, matches := f.search(s, p, true)
	from := 0
	for _, m := range matches {
		if m.to > from && m.from < len(searched) {
			items = append(items, text(back(searched[from:m.from], unicode)))
			items = append(items, m.groups[1:]...)
			from = m.to
		}
	}
	return append(items, text(back(searched[from:], unicode)))
}

// replacePattern replaces the first match of a pattern, or all of a global one.
func (f *frame) replacePattern(s string, p, by value) value {
	re, unicode := f.patternOf(p)
	searched, matches := f.search(s, p, isGlobal(p))
	var b strings.Builder
	from := 0
	for _, m := range matches {
		before := back(searched[:m.from], unicode)
		b.WriteString(back(searched[from:m.from], unicode))
		b.WriteString(f.replacement(by, s, m.groups, f.namedGroups(re, p, m), min(len(before), len(s))))
		f.checkSize(b.Len())
		f.chargeBytes(len(before))
		from = m.to
	}
	b.WriteString(back(searched[from:], unicode))
	return f.newText(b.String())
}

// replacement returns the text for a match: the result of a function, or a text in which $& and the
// like act. The match is at an offset of the text s.
func (f *frame) replacement(by value, s string, groups []value, named value, at int) string {
	if by.kind == functionKind {
		f.chargeBytes(at)
		args := append(slices.Clone(groups), number(float64(unitAt(s, at))), text(s))
		if named.kind == objectKind {
			args = append(args, named)
		}
		return f.toText(f.callFunction(by, args))
	}
	t := f.toText(by)
	if !strings.Contains(t, "$") {
		return t
	}
	var b strings.Builder
	for isLast := false; !isLast; {
		before, rest, found := strings.Cut(t, "$")
		b.WriteString(before)
		if found {
			part, size := f.reference(rest, s, groups, named, at)
			b.WriteString(part)
			rest = rest[size:]
		}
		f.checkSize(b.Len())
		t, isLast = rest, !found
	}
	f.chargeBytes(b.Len())
	return b.String()
}

// reference returns what a $ in a replacement stands for, and the size of the reference after the $. A $
// that begins no reference is itself.
func (f *frame) reference(after, s string, groups []value, named value, at int) (part string, size int) {
	if after == "" {
		return "$", 0
	}
	switch c := after[0]; {
	case c == '$':
		return "$", 1
	case c == '&':
		return groups[0].text, 1
	case c == '`':
		return s[:at], 1
	case c == '\'':
		return s[at+len(groups[0].text):], 1
	case c == '<' && named.kind == objectKind:
		if name, _, isClosed := strings.Cut(after[1:], ">"); isClosed {
			v, _ := named.ref.(*object).get(f, name)
			return v.text, len("<") + len(name) + len(">")
		}
	case isDigit(c):
		n, size := int(c-'0'), 1
		if len(after) > 1 && isDigit(after[1]) && n*10+int(after[1]-'0') < len(groups) {
			n, size = n*10+int(after[1]-'0'), 2
		}
		if n > 0 && n < len(groups) {
			return groups[n].text, size
		}
	}
	return "$", 0
}

// hasFlag reports whether a value is a pattern with one of some flags.
func hasFlag(v value, flags string) bool {
	return v.kind == patternKind && strings.ContainsAny(v.text[strings.LastIndexByte(v.text, '/'):], flags)
}

// setLastIndex sets the place, in units, at which the next search with a pattern begins.
func (f *frame) setLastIndex(p *pattern, at int) {
	if _, known := f.build.lastIndexes[p]; !known {
		f.chargeItems(4)
	}
	put(&f.build.lastIndexes, p, at)
}

// patternFlags are the flags of the properties that tell them.
var patternFlags = map[string]string{
	"global": "g", "ignoreCase": "i", "multiline": "m", "dotAll": "s", "unicode": "u", "sticky": "y",
}

// patternProperty returns a property of a pattern.
func (f *frame) patternProperty(of value, name string) (value, bool) {
	end := strings.LastIndexByte(of.text, '/')
	flag, isFlag := patternFlags[name]
	switch {
	case name == "source":
		return text(of.text[1:end]), true
	case name == "flags":
		flags := []byte(of.text[end+1:])
		slices.Sort(flags)
		return text(string(flags)), true
	case name == "lastIndex":
		return number(float64(f.build.lastIndexes[of.ref.(*pattern)])), true
	}
	return boolean(isFlag && hasFlag(of, flag)), isFlag
}
