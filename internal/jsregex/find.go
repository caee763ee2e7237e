package jsregex

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// Match reports whether the regex matches anywhere in text. [ErrLimit] means that the search was
// stopped.
func (r *Regexp) Match(text string) (bool, error) {
	ok, _, err := r.MatchCounted(text, Limit(len(text)))
	return ok, err
}

// MatchCounted is [Regexp.Match] with at most limit steps. It returns the number of steps, so that
// a caller can limit the sum of many searches.
func (r *Regexp) MatchCounted(text string, limit int) (ok bool, steps int, err error) {
	if !r.flags.Unicode {
		text = textUnits(text)
	}
	m := newMachine(r.matcher(), text, limit)
	defer m.release()
	_, _, ok, err = m.search(0)
	return ok, m.steps, err
}

// Span is the text of a group: the bytes from From up to, but not including, To. Both are -1 for a
// group that did not match.
type Span struct{ From, To int }

// Found is one match: the span of the whole match, then the span of each group by number.
type Found []Span

// Groups returns the names of the groups by number, empty for groups without a name. The first
// element is for the whole match.
func (r *Regexp) Groups() []string {
	root, byName, _ := parseNamed(r.pattern, r.flags)
	list := make([]string, 1)
	root.walk(func(n *node) bool {
		if n.op == opGroup {
			for len(list) <= n.group {
				list = append(list, "")
			}
		}
		return true
	})
	for name, group := range byName {
		list[group] = name
	}
	return list
}

// Text returns text in the form in which [Regexp.Find] and [Regexp.All] read it and count
// positions. Without flag u a character above U+FFFF becomes the two halves of a pair, and each
// half is replaced by a private character. [FromText] converts it back. Most texts do not change.
func (r *Regexp) Text(text string) string {
	if r.flags.Unicode {
		return text
	}
	return textUnits(text)
}

// FromText converts the result of [Regexp.Text], or a text made of its parts, back. It returns
// false if half of a pair has no partner, because no Go text can contain it; it becomes U+FFFD. Do
// not call FromText for a regex with flag u.
func FromText(s string) (text string, whole bool) {
	at := strings.IndexFunc(s, isStandIn)
	if at < 0 {
		return s, true
	}
	whole = true
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		r, w := utf8.DecodeRuneInString(s)
		s = s[w:]
		if isStandIn(r) {
			next, w := utf8.DecodeRuneInString(s)
			var isPair bool
			if r, isPair = joinPair(r, next); isPair {
				s = s[w:]
			}
			whole = whole && isPair
		}
		b.WriteRune(r)
	}
	return b.String(), whole
}

// Find returns the first match that begins at or after from, or nil if not found. With flag y, the
// match must begin at from. text must be a result of [Regexp.Text].
func (r *Regexp) Find(text string, from int) (Found, error) {
	m := newMachine(r.finder(), text, Limit(len(text)))
	defer m.release()
	start, end, ok, err := m.search(from)
	if !ok {
		return nil, err
	}
	return m.spansOf(nil, start, end), nil
}

// All yields the matches of text, which must be a result of [Regexp.Text], from left to right, like
// flag g. Each match begins where the previous one ended, or one character later after an empty
// match. With flag y, All stops at the first position without a match. One limit applies to all
// matches together. An error, [ErrLimit], comes last. The same Found is reused for each match.
func (r *Regexp) All(text string) iter.Seq2[Found, error] {
	limit := Limit(len(text))
	return r.AllCounted(text, &limit)
}

// AllCounted is [Regexp.All] with at most *left steps. It subtracts the steps that it used, so that
// a caller can limit the sum of many searches.
func (r *Regexp) AllCounted(text string, left *int) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		m := newMachine(r.finder(), text, *left)
		defer m.release()
		defer func() { *left -= min(m.steps, *left) }()
		var f Found
		for at := 0; at <= len(text); {
			start, end, ok, err := m.search(at)
			if err != nil {
				yield(nil, err)
				return
			}
			if !ok {
				return
			}
			f = m.spansOf(f[:0], start, end)
			m.steps += len(f)
			if !yield(f, nil) {
				return
			}
			if at = end; end == start {
				at += max(1, widthAt(text, at))
			}
		}
	}
}

// spansOf reads the groups from the registers.
func (m *machine) spansOf(f Found, start, end int) Found {
	f = append(f, Span{start, end})
	for g := 1; g < m.groups; g++ {
		from, to := m.regs[2*g], m.regs[2*g+1]
		if from < 0 || to < 0 {
			from, to = -1, -1
		}
		f = append(f, Span{int(from), int(to)})
	}
	return f
}
