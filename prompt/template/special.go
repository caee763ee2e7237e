package template

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// visit calls f for each entry of the books.
func (b *Build) visit(f func(a authored)) {
	for i := range b.env.Books {
		book := &b.env.Books[i]
		part := "books"
		if book.Name != "" {
			part += "." + book.Name
		}
		for j := range book.Entries {
			a := authored{origin: origin{book, &book.Entries[j]}, path: fmt.Sprintf("%s.entries[%d].content", part, j)}
			a.decorators, a.content = cutDecorators(a.entry.Content)
			a.purpose = purposeOf(a.entry.Comment, a.decorators)
			f(a)
		}
	}
}

// Load reads the books before the first text of the build: the entries with initial variables, and
// the enabled entries that define names. What these write is dropped.
func (b *Build) Load() {
	variables := b.stores[initialScope]
	f := &frame{build: b, src: &source{}}
	b.visit(func(a authored) {
		if a.purpose.kind != initial || !a.isOn() {
			return
		}
		out, err := b.runText(a.content, a.origin)
		if err != nil {
			b.report(a.path, err)
			return
		}
		v, err := tree.ParseValue([]byte(strings.TrimSpace(out)))
		if err != nil || !v.IsObject() {
			b.problems = append(b.problems, talewright.Problem{Path: a.path, ID: a.entry.Comment, Code: codeBadInitial,
				Severity: talewright.Error, Text: notInitial})
			return
		}
		if _, err := b.try(func() string { variables = f.mergeTrees(variables, v); return "" }); err != nil {
			b.report(a.path, err)
		}
	})
	b.stores[initialScope] = variables
	b.mergeStores()
	b.visit(func(a authored) {
		if a.purpose.kind != lore || a.entry.Disable || a.has("dont_preload") || !hasTag(a.content) ||
			!strings.Contains(a.content, "define(") {
			return
		}
		activated := b.activated
		b.runDry(a)
		b.activated = activated
	})
}

// notInitial is the problem of an entry with initial variables.
const notInitial = "the initial variables are not a JSON object and are not used: write {…}"

// runDry runs an entry for its calls of define and activewi. Its output and what it writes are dropped.
func (b *Build) runDry(a authored) {
	stores, writes, pulled, dry := b.stores, b.writes, b.pulled, b.dry
	b.dry = true
	if _, err := b.runText(a.content, a.origin); err != nil {
		b.report(a.path, err)
	}
	b.stores, b.writes, b.pulled, b.dry = stores, writes, pulled, dry
}

// Lore returns the changes of the books for the scan. It leaves out special entries and entries
// whose condition (@@if) is false: hidden. It evaluates the content and the keys of entries with
// @@preprocessing. It changes entries with @@activate, and entries that a text activated by
// activewi, so that the scan finds them. The result changed has these entries, each in a copy of
// its book without other entries. The texts of entries for the beginning of the prompt run first.
func (b *Build) Lore() (changed []worldbook.Book, hidden []worldbook.ID) {
	b.beforePrompt = b.generate(purpose{kind: generate, message: -1}, nil)
	var changes []loreChange
	changeOf, isHidden := map[*worldbook.Entry]int{}, map[*worldbook.Entry]bool{}
	b.visit(func(a authored) {
		entry, isChanged, isVisible := b.scannedEntry(a)
		mayActivate := hasTag(a.content) && strings.Contains(a.content, "activ")
		if isVisible && mayActivate && b.env.EarlyActivation && a.activatesEarly() {
			b.runDry(a)
		}
		switch {
		case !isVisible:
			isHidden[a.entry] = true
			hidden = append(hidden, idOf(a.book, a.entry))
		case isChanged:
			changeOf[a.entry] = len(changes)
			changes = append(changes, loreChange{a.book, entry})
		}
	})
	b.visit(func(a authored) { // when all texts have run
		force, isActivated := b.activated[a.entry]
		if !isActivated || isHidden[a.entry] {
			return
		}
		i, isChanged := changeOf[a.entry]
		if !isChanged {
			i = len(changes)
			changes = append(changes, loreChange{a.book, *a.entry})
		}
		changes[i].entry.Disable = false
		if force {
			makeConstant(&changes[i].entry)
		}
	})
	return changedBooks(changes), hidden
}

// loreChange is an entry as the scan should see it.
type loreChange struct {
	book  *worldbook.Book
	entry worldbook.Entry
}

// changedBooks returns a copy of each book with changes, which has only the changed entries.
func changedBooks(changes []loreChange) (books []worldbook.Book) {
	placeOf := map[*worldbook.Book]int{}
	for _, c := range changes {
		i, isKnown := placeOf[c.book]
		if !isKnown {
			i = len(books)
			placeOf[c.book] = i
			book := *c.book
			book.Entries = nil
			books = append(books, book)
		}
		books[i].Entries = append(books[i].Entries, c.entry)
	}
	return books
}

// scannedEntry returns an entry for the scan, and reports whether it differs from the written one and
// whether the scan may find it.
func (b *Build) scannedEntry(a authored) (entry worldbook.Entry, isChanged, isVisible bool) {
	if a.has("only_preload") || a.purpose.kind != lore {
		return entry, false, false
	}
	entry = *a.entry
	if entry.Disable || entry.Literal {
		return entry, false, true
	}
	if test, ok := a.decorator("if"); ok {
		out, err := b.runText(condition(test), a.origin)
		if err != nil {
			b.report(a.path, err)
		} else if out == "false" {
			return entry, false, false
		}
	}
	if a.isPreprocessed() {
		b.preprocess(&entry, a)
		isChanged = true
	}
	if a.has("activate") && !a.has("dont_activate") {
		makeConstant(&entry)
		isChanged = true
	}
	return entry, isChanged, true
}

// condition returns a text that prints whether a test of @@if holds.
func condition(test string) string { return "<%- !!(" + test + "\n) %>" }

// preprocess evaluates the content and the keys of an entry. A content or a key that fails stays as it is.
func (b *Build) preprocess(entry *worldbook.Entry, a authored) {
	out, err := b.runText(a.content, a.origin)
	if err != nil {
		b.report(a.path, err)
		return
	}
	var lines strings.Builder
	for _, d := range a.decorators {
		if d.name != "preprocessing" && d.name != "if" { // those have acted
			lines.WriteString(strings.TrimSpace("@@"+d.name+" "+d.rest) + "\n")
		}
	}
	if strings.HasPrefix(out, "@@") { // an empty line ends the decorators: a value is no decorator
		lines.WriteByte('\n')
	}
	entry.Content = lines.String() + out
	for _, keys := range [...]*[]string{&entry.Keys, &entry.SecondaryKeys} {
		*keys = slices.Clone(*keys)
		for i, key := range *keys {
			if !hasTag(key) {
				continue
			}
			if out, err := b.runText(key, a.origin); err != nil {
				b.report(a.path, err)
			} else {
				(*keys)[i] = out
			}
		}
	}
}

// makeConstant makes an entry constant, without cooldown, delay, group, triggers and budget.
func makeConstant(e *worldbook.Entry) {
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
		before[i] = b.generate(purpose{kind: generate, message: i}, around)
		after[i] = b.generate(purpose{kind: generate, message: i, after: true}, around)
		all[i] = before[i] + text + after[i]
	}
	after[len(texts)-1] += b.generate(purpose{kind: generate, after: true, message: -1}, all)
	before[0] = b.beforePrompt + before[0]
	return before, after
}

// placedEntries returns the entries for places in the prompt.
func (b *Build) placedEntries() []authored {
	if b.placed == nil {
		b.placed = []authored{}
		b.visit(func(a authored) {
			if a.purpose.kind == generate && a.isOn() && (a.entry.Constant || !a.entry.Vectorized) {
				b.placed = append(b.placed, a)
			}
		})
	}
	return b.placed
}

// generate runs the entries for a place in the prompt that are constant, or whose keys are found in the
// texts. A result of only white space is left out.
func (b *Build) generate(place purpose, texts []string) string {
	var candidates []authored
	scanned := worldbook.Book{Name: "special"}
	for _, a := range b.placedEntries() {
		if a.purpose != place {
			continue
		}
		e := *a.entry
		e.UID, e.Disable, e.Content, e.IgnoreBudget = strconv.Itoa(len(candidates)), false, "x", true
		e.World = nil
		scanned.Entries = append(scanned.Entries, e)
		candidates = append(candidates, a)
	}
	if len(candidates) == 0 {
		return ""
	}
	b.generateBuffer = strings.Join(texts, "\n")
	settings := worldbook.Exact()
	settings.Recursive = false
	settings.Depth = max(len(texts), 1)
	compiled, _ := worldbook.Compile([]worldbook.Attachment{{Book: scanned}}, settings)
	in := worldbook.Input{ContextSize: math.MaxInt32, Random: b.random}
	for _, text := range texts {
		in.Messages = append(in.Messages, worldbook.Message{Text: text})
	}
	result, _ := compiled.Scan(in, worldbook.State{})
	isFound := map[string]bool{}
	for _, found := range result.Activated {
		isFound[found.ID.UID] = true
	}
	var out strings.Builder
	for i, a := range candidates {
		if !isFound[strconv.Itoa(i)] {
			continue
		}
		printed, err := b.runText(a.content, a.origin)
		if err != nil {
			b.report(a.path, err)
		} else if !blank(printed) {
			out.WriteString(printed)
		}
	}
	b.generateBuffer = ""
	return out.String()
}
