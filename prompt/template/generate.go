package template

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// Piece is an authored text in a message.
type Piece struct {
	Text string
	// Path is the place of the text in the content, for problems.
	Path string
	// ID names the entry of the text, for getwi without a book and for [Write]. It has an effect if
	// the piece runs alone.
	ID worldbook.ID
	// Lore marks the text of an entry. It is left out if it fails; of any other text only the tags
	// are left out.
	Lore bool
	// Private keeps the constants and variables of the text from other pieces: decorator @@private.
	Private bool
}

// Unit runs the pieces of one message as one text, as the extension of SillyTavern does. A name of
// one piece is known in the next, and an if may span pieces. If that fails, its writes are undone
// and each piece runs alone. A piece that fails then is left out, or its tags are, and is listed in
// [Build.Problems].
//
// Unit returns the text of each piece. If a loop spans pieces, the last of them has the text of all
// rounds after the first.
func (b *Build) Unit(pieces ...Piece) []string {
	if len(pieces) > 1 && slices.ContainsFunc(pieces, func(p Piece) bool { return strings.Contains(p.Text, "<%") }) {
		if out, err := b.unit(pieces); err == nil {
			return out
		}
	}
	out := make([]string, len(pieces))
	for i, p := range pieces {
		out[i] = b.piece(p)
	}
	return out
}

// unit runs pieces as one text.
func (b *Build) unit(pieces []Piece) ([]string, error) {
	texts, origins := make([]string, len(pieces)), make([]origin, len(pieces))
	for i, p := range pieces {
		if texts[i] = p.Text; p.Private {
			texts[i] = "<%{%>" + p.Text + "<%}%>"
		}
		origins[i].book, origins[i].entry = b.entry(p.ID)
	}
	out := make([]string, len(pieces))
	_, err := b.try(func() string {
		t := b.compile(texts...)
		f := &frame{build: b, src: &t.src, origins: origins, out: new(strings.Builder)}
		b.runFrame(t, f)
		all, from := f.out.String(), 0
		for i := range out {
			to := len(all)
			if i < len(f.starts) {
				to = f.starts[i]
			}
			out[i] = strings.ToValidUTF8(mend(all[from:to]), "\uFFFD")
			from = to
		}
		return ""
	})
	return out, err
}

// piece runs one piece alone.
func (b *Build) piece(p Piece) string {
	book, e := b.entry(p.ID)
	out, err := b.runEntry(book, e, p.Text)
	switch {
	case err == nil:
		return out
	case b.env.Raw:
		out = p.Text
	case !p.Lore:
		out = b.expand(withoutTags(p.Text), "")
	}
	b.report(p.Path, err)
	return out
}

// Preview returns the text that a piece would have if it ran alone now. The build does not change.
// random returns the random numbers of the text; nil returns 0. A text that needs the engine fails.
// ok is false for a text that fails. All previews together have the limits of one build.
func (b *Build) Preview(p Piece, random func() float64) (text string, ok bool) {
	was := *b
	b.sought, b.dry, b.env.DryRun, b.env.Random, b.env.Engine = maps.Clone(b.sought), true, true, random, nil
	now := b.previewed
	b.steps, b.output, b.memory, b.stored = now.steps, now.output, now.memory, now.stored
	book, e := b.entry(p.ID)
	text, err := b.runEntry(book, e, p.Text)
	was.previewed = usage{b.steps, b.output, b.memory, b.stored}
	was.byID, was.shared, was.sorted = b.byID, true, b.sorted
	*b = was
	return text, err == nil
}

// entry returns an entry by its ID, or nil. Of several entries with one ID it is the
// first.
func (b *Build) entry(id worldbook.ID) (*worldbook.Book, *worldbook.Entry) {
	if id == (worldbook.ID{}) {
		return nil, nil
	}
	if b.byID == nil {
		b.byID = map[worldbook.ID]origin{}
		for i := range b.env.Books {
			book := &b.env.Books[i]
			for j := range book.Entries {
				e := &book.Entries[j]
				if _, known := b.byID[idOf(book, e)]; !known {
					b.byID[idOf(book, e)] = origin{book, e}
				}
			}
		}
	}
	found := b.byID[id]
	return found.book, found.entry
}

// report notes a text that failed.
func (b *Build) report(path string, err error) {
	if e, ok := err.(*Error); ok {
		b.problems = append(b.problems, e.problem(path))
	}
}

// withoutTags returns the text outside of the tags. A tag that is not closed takes the rest.
func withoutTags(text string) string {
	s := newSource(text)
	chunks, _ := s.split() // with an error: those before the open tag
	var b strings.Builder
	for _, c := range chunks {
		if c.kind == literal {
			b.WriteString(c.text)
		}
	}
	return b.String()
}

// visit calls f for each entry of the books, with its decorators, its content without them, and the
// path of the content.
func (b *Build) visit(f func(book *worldbook.Book, e *worldbook.Entry, list []decorator, content, path string)) {
	for i := range b.env.Books {
		book := &b.env.Books[i]
		for j := range book.Entries {
			e := &book.Entries[j]
			list, content := cutDecorators(e.Content)
			f(book, e, list, content, entryPath(book, j))
		}
	}
}

// entryPath is the path of the content of an entry.
func entryPath(book *worldbook.Book, i int) string {
	part := "books"
	if book.Name != "" {
		part += "." + book.Name
	}
	return fmt.Sprintf("%s.entries[%d].content", part, i)
}

// runEntry runs the content of an entry.
func (b *Build) runEntry(book *worldbook.Book, e *worldbook.Entry, content string) (string, error) {
	return b.try(func() string { return b.run(b.compile(content), nil, book, e) })
}

// specialOf returns the purpose of an entry.
func specialOf(e *worldbook.Entry, list []decorator) special {
	title := e.Comment
	switch {
	case strings.HasPrefix(title, "[GENERATE:"):
		place, _, _ := strings.Cut(strings.TrimPrefix(title, "[GENERATE:"), "]")
		s := special{kind: generate, message: -1}
		if n, end, ok := strings.Cut(place, ":"); ok {
			if s.message, ok = tree.Index(n); !ok {
				return special{kind: display}
			}
			place = end
		}
		if place != "BEFORE" && place != "AFTER" {
			return special{kind: display}
		}
		s.after = place == "AFTER"
		return s
	case strings.HasPrefix(title, "[InitialVariables]"):
		return special{kind: initial}
	case strings.HasPrefix(title, "[RENDER:"), strings.HasPrefix(title, "@INJECT"):
		return special{kind: display}
	}
	for _, d := range list {
		switch d.name {
		case "generate_before", "generate_after":
			s := special{kind: generate, after: d.name == "generate_after", message: -1}
			if n, ok := tree.Index(d.rest); ok {
				s.message = n
			}
			return s
		case "initial_variables":
			return special{kind: initial}
		case "render_before", "render_after", "message_formatting", "iframe":
			return special{kind: display}
		}
	}
	return special{}
}

// acts reports whether a special entry does what its title says: it is disabled, or always enabled.
func acts(e *worldbook.Entry, list []decorator) bool {
	_, always := has(list, "always_enabled")
	return e.Disable || always
}

// Load reads the books before the first text of the build: the entries with initial variables, and
// the enabled entries that define names. What these write is dropped.
func (b *Build) Load() {
	merged := b.stores[initialScope]
	f := &frame{build: b, src: &source{}}
	b.visit(func(book *worldbook.Book, e *worldbook.Entry, list []decorator, content, path string) {
		if specialOf(e, list).kind != initial || !acts(e, list) {
			return
		}
		out, err := b.runEntry(book, e, content)
		if err != nil {
			b.report(path, err)
			return
		}
		v, err := tree.ParseValue([]byte(strings.TrimSpace(out)))
		if err != nil || !v.IsObject() {
			b.problems = append(b.problems, talewright.Problem{Path: path, ID: e.Comment, Code: codeSyntax, Severity: talewright.Error,
				Text: "the initial variables are not a JSON object and are not used: write {…}"})
			return
		}
		if _, err := b.try(func() string { merged = f.merged(merged, v); return "" }); err != nil {
			b.report(path, err)
		}
	})
	b.stores[initialScope] = merged
	b.merge()
	b.visit(func(book *worldbook.Book, e *worldbook.Entry, list []decorator, content, path string) {
		_, not := has(list, "dont_preload")
		if e.Disable || not || specialOf(e, list).kind != lore || !strings.Contains(content, "<%") || !strings.Contains(content, "define(") {
			return
		}
		stores, writes, dry, active := b.stores, b.writes, b.dry, b.active
		b.dry = true
		if _, err := b.runEntry(book, e, content); err != nil {
			b.report(path, err)
		}
		b.stores, b.writes, b.dry, b.active = stores, writes, dry, active
	})
}

// activateEarly runs an entry for its calls of activewi. What it writes is dropped.
func (b *Build) activateEarly(book *worldbook.Book, e *worldbook.Entry, content, path string) {
	stores, writes, pulled, dry := b.stores, b.writes, b.pulled, b.dry
	b.dry = true
	if _, err := b.runEntry(book, e, content); err != nil {
		b.report(path, err)
	}
	b.stores, b.writes, b.pulled, b.dry = stores, writes, pulled, dry
}

// Lore returns the changes of the books for the scan. It leaves out special entries and entries
// whose condition (@@if) is false: hidden. It evaluates the content and the keys of entries with
// @@preprocessing. It changes entries with @@activate, and entries that a text activated by
// activewi, so that the scan finds them. The result changed has these entries, each in a copy of
// its book without other entries. The texts of entries for the beginning of the prompt run first.
func (b *Build) Lore() (changed []worldbook.Book, hidden []worldbook.ID) {
	b.before = b.generate(special{kind: generate, message: -1}, nil)
	type seen struct {
		entry worldbook.Entry
		book  *worldbook.Book
	}
	var list []seen
	at, left := map[*worldbook.Entry]int{}, map[*worldbook.Entry]bool{}
	b.visit(func(book *worldbook.Book, e *worldbook.Entry, lines []decorator, content, path string) {
		kept, differs, ok := b.loreEntry(book, e, lines, content, path)
		if ok && b.env.EarlyActivation && e.Constant && !e.Disable && !e.Literal && strings.Contains(content, "<%") && strings.Contains(content, "activ") {
			b.activateEarly(book, e, content, path)
		}
		switch {
		case !ok:
			left[e] = true
			hidden = append(hidden, idOf(book, e))
		case differs:
			at[e] = len(list)
			list = append(list, seen{kept, book})
		}
	})
	b.visit(func(book *worldbook.Book, e *worldbook.Entry, _ []decorator, _, _ string) {
		force, asked := b.active[e]
		if !asked || left[e] {
			return
		}
		i, differs := at[e]
		if !differs {
			i = len(list)
			list = append(list, seen{*e, book})
		}
		kept := &list[i].entry
		kept.Disable = false
		if force {
			activated(kept)
		}
	})
	books := map[*worldbook.Book]int{}
	for _, s := range list {
		i, ok := books[s.book]
		if !ok {
			i = len(changed)
			books[s.book] = i
			book := *s.book
			book.Entries = nil
			changed = append(changed, book)
		}
		changed[i].Entries = append(changed[i].Entries, s.entry)
	}
	return changed, hidden
}

// loreEntry returns an entry for the scan, and reports whether it differs from the written one. ok is
// false if the scan does not see it.
func (b *Build) loreEntry(book *worldbook.Book, e *worldbook.Entry, list []decorator, content, path string) (kept worldbook.Entry, differs, ok bool) {
	_, only := has(list, "only_preload")
	if only || specialOf(e, list).kind != lore {
		return kept, false, false
	}
	kept = *e
	if e.Disable || e.Literal {
		return kept, false, true
	}
	if test, ok := has(list, "if"); ok {
		out, err := b.runEntry(book, e, condition(test))
		if err != nil {
			b.report(path, err)
		} else if out == "false" {
			return kept, false, false
		}
	}
	if _, pre := has(list, "preprocessing"); pre || strings.Contains(e.Comment, "[Preprocessing]") {
		b.preprocess(&kept, book, e, list, content, path)
		differs = true
	}
	_, not := has(list, "dont_activate")
	if _, on := has(list, "activate"); on && !not {
		activated(&kept)
		differs = true
	}
	return kept, differs, true
}

// condition returns a text that prints whether a test of @@if holds.
func condition(test string) string { return "<%- !!(" + test + "\n) %>" }

// preprocess evaluates the content and the keys of an entry. If one fails, the entry stays as it is.
func (b *Build) preprocess(kept *worldbook.Entry, book *worldbook.Book, e *worldbook.Entry, list []decorator, content, path string) {
	out, err := b.runEntry(book, e, content)
	if err != nil {
		b.report(path, err)
		return
	}
	var lines strings.Builder
	for _, d := range list {
		if d.name != "preprocessing" && d.name != "if" { // those have acted
			lines.WriteString(strings.TrimSpace("@@"+d.name+" "+d.rest) + "\n")
		}
	}
	if strings.HasPrefix(out, "@@") { // a value is no decorator
		lines.WriteByte('\n')
	}
	kept.Content = lines.String() + out
	for _, keys := range [...]*[]string{&kept.Keys, &kept.SecondaryKeys} {
		*keys = slices.Clone(*keys)
		for i, key := range *keys {
			if !strings.Contains(key, "<%") {
				continue
			}
			out, err := b.runEntry(book, e, key)
			if err != nil {
				b.report(path, err)
				continue
			}
			(*keys)[i] = out
		}
	}
}

// activated makes an entry constant, without cooldown, delay, group, triggers and budget.
func activated(e *worldbook.Entry) {
	e.Constant, e.IgnoreBudget = true, true
	e.Cooldown, e.Delay, e.Group, e.Triggers = 0, 0, "", nil
}

// Messages runs the entries for places in a finished prompt, and returns the texts before and after
// each of its messages. The templates in the messages have already run. Call [Build.Lore] before.
func (b *Build) Messages(texts []string) (before, after []string) {
	before, after = make([]string, len(texts)), make([]string, len(texts))
	if len(texts) == 0 {
		return before, after
	}
	all := make([]string, len(texts))
	for i, text := range texts {
		around := []string{text}
		before[i] = b.generate(special{kind: generate, message: i}, around)
		after[i] = b.generate(special{kind: generate, message: i, after: true}, around)
		all[i] = before[i] + text + after[i]
	}
	after[len(texts)-1] += b.generate(special{kind: generate, after: true, message: -1}, all)
	before[0] = b.before + before[0]
	return before, after
}

// placedEntries returns the entries for places in the prompt.
func (b *Build) placedEntries() []placed {
	if b.placed == nil {
		b.placed = []placed{}
		b.visit(func(book *worldbook.Book, e *worldbook.Entry, list []decorator, content, path string) {
			if at := specialOf(e, list); at.kind == generate && acts(e, list) && (e.Constant || !e.Vectorized) {
				b.placed = append(b.placed, placed{at, book, e, content, path})
			}
		})
	}
	return b.placed
}

// generate runs the special entries for a place that are constant, or whose keys are found in the
// texts. A result of only white space is left out.
func (b *Build) generate(at special, texts []string) string {
	if len(b.placedEntries()) == 0 {
		return ""
	}
	var found []placed
	scanned := worldbook.Book{Name: "special"}
	for _, p := range b.placedEntries() {
		if p.at != at {
			continue
		}
		one := *p.e
		one.UID, one.Disable, one.Content, one.IgnoreBudget = strconv.Itoa(len(found)), false, "x", true
		one.World = nil
		scanned.Entries = append(scanned.Entries, one)
		found = append(found, p)
	}
	if len(found) == 0 {
		return ""
	}
	b.generated = strings.Join(texts, "\n")
	chosen := map[string]bool{}
	settings := worldbook.Exact()
	settings.Recursive = false
	settings.Depth = max(len(texts), 1)
	compiled, _ := worldbook.Compile([]worldbook.Attachment{{Book: scanned}}, settings)
	in := worldbook.Input{ContextSize: math.MaxInt32, Random: b.random}
	for _, text := range texts {
		in.Messages = append(in.Messages, worldbook.Message{Text: text})
	}
	result, _ := compiled.Scan(in, worldbook.State{})
	for _, a := range result.Activated {
		chosen[a.ID.UID] = true
	}
	var out strings.Builder
	for i, c := range found {
		if !chosen[strconv.Itoa(i)] {
			continue
		}
		printed, err := b.runEntry(c.book, c.e, c.content)
		if err != nil {
			b.report(c.path, err)
		} else if !blank(printed) {
			out.WriteString(printed)
		}
	}
	b.generated = ""
	return out.String()
}
