package mvu

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/modeltext"
	"github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/tree"
)

// Book is the part of a lore book that is needed for initial variables.
type Book struct {
	Name    string  `json:"name"`
	Entries []Entry `json:"entries"`
	// Own marks the book of the character, see [Init].
	Own bool `json:"own,omitempty"`
}

// Entry is one entry of a book. Entries whose comment contains [initvar], in any letter case, have
// initial variables.
type Entry struct {
	Comment string `json:"comment"`
	Content string `json:"content"`
}

// Init reads the initial variables of books into v, in the order in which they were loaded. v may
// be the zero Variables. The entries of one book are merged deeply; lists replace. If several books
// have the same member of the root, the first book's member is used, and the existing data of v
// have precedence over all books. A book is read once: its name is then in Variables.Initialized.
//
// opening is the first message of the chat. Its merged <initvar> blocks have precedence over all
// books and replace the data of the character's own book. Without such a book they replace the data
// of the first book. Run its commands with [Update].
//
// The problems list the unreadable entries and the unreadable blocks of the opening. The others are
// used, and the first book's own data if no block is readable. YAML outside the supported part is
// such a problem and is never read as something else; [Options].YAML can read it.
func Init(v Variables, books []Book, opening string, o Options) (Variables, talewright.Problems) {
	out := v
	out.Initialized = slices.Clone(v.Initialized)
	out.compat = o.compat()
	data, problems := out.readBooks(books, opening, &o)
	clean, meta := extract(data)
	present := v.Stat.Root()
	added := withMissing(present, clean)
	if o.Schema != nil {
		meta = nil
		if fit, err := o.Schema.Parse(added); err == nil {
			added = fit
		} else {
			problems = append(problems, talewright.Problem{Path: "stat_data", Code: codeInitialRefused, Severity: talewright.Warning,
				Text: "the initial data do not fit the schema of the card, so they stay as they are: " + err.Error()})
		}
	}
	if added.Equal(present) {
		return out, problems
	}
	d, err := tree.NewDocument(added)
	if err != nil {
		return v, append(problems, talewright.Problem{Path: "stat_data", Code: codeBadInitvar, Severity: talewright.Fatal, Text: err.Error()})
	}
	if present.Len() > 0 {
		meta = joinMeta(v.meta, meta, present)
	}
	out.Stat, out.before, out.meta, out.notes = d, d, meta, nil
	return out, problems
}

// readBooks reads the data of the opening and of the books that are not in Initialized, and adds these
// books there. See [Init] for the precedence.
func (v *Variables) readBooks(books []Book, opening string, o *Options) (tree.Value, talewright.Problems) {
	var problems talewright.Problems
	isKnown := map[string]bool{}
	for _, name := range v.Initialized {
		isKnown[name] = true
	}
	data := tree.Document{}.Edit()
	ofOpening, hasOpening, unreadable := openingData(opening, o)
	for range unreadable {
		problems = append(problems, talewright.Problem{Path: "opening", Code: codeBadInitvar, Text: "<initvar>: " + wantData})
	}
	mergeInto(data, nil, ofOpening)
	replaced := max(0, slices.IndexFunc(books, func(b Book) bool { return b.Own })) // by the opening
	for i, b := range books {
		if isKnown[b.Name] {
			continue
		}
		if b.Name != "" || len(b.Entries) > 0 {
			isKnown[b.Name] = true
			v.Initialized = append(v.Initialized, b.Name)
		}
		if hasOpening && i == replaced {
			continue
		}
		own, unreadable := b.data(o)
		problems = append(problems, unreadable...)
		for key, value := range own.Members() { // the first book's member is used
			if at := (tree.Path{key}); data.Kind(at) == tree.Absent {
				_ = data.Set(at, value) // a member of the root can always be set
			}
		}
	}
	return data.Document().Root(), problems
}

// joinMeta adds to a schema the rules of a second schema for new members of the root.
func joinMeta(old, added *node, present tree.Value) *node {
	if added == nil {
		return old
	}
	c := old.clone()
	for key, sub := range added.members {
		if !present.Get(key).Exists() {
			c.setMember(key, sub)
		}
	}
	if c.empty() {
		return nil
	}
	return c
}

// withMissing returns a with the members of b that it lacks.
func withMissing(a, b tree.Value) tree.Value {
	return tree.Object(append(missingMembers(a, tree.Value{}), missingMembers(b, a)...)...)
}

// data merges the entries of one book. An unreadable entry is the author's mistake: it is reported,
// and the others are used.
func (b Book) data(o *Options) (tree.Value, talewright.Problems) {
	out := tree.Document{}.Edit()
	var problems talewright.Problems
	for i, e := range b.Entries {
		if !strings.Contains(strings.ToLower(e.Comment), "[initvar]") {
			continue
		}
		v, ok := readData(e.Content, o)
		if !ok {
			problems = append(problems, talewright.Problem{
				Path: fmt.Sprintf("%s.entries[%d]", b.Name, i), Code: codeBadInitvar, Text: unreadableText(e.Content),
			})
			continue
		}
		if key := keyWithColon(v); key != "" {
			problems = append(problems, talewright.Problem{
				Path: fmt.Sprintf("%s.entries[%d]", b.Name, i), Code: codeBadInitvar, Severity: talewright.Warning,
				Text: fmt.Sprintf("%q is a key without a value, because its colon is full-width: write a half-width colon and a blank", key),
			})
		}
		mergeInto(out, nil, v)
	}
	return out.Document().Root(), problems
}

// unreadableText says at which line the reading of an entry as YAML ends, and what is wanted there.
func unreadableText(content string) string {
	v, err := yaml.ParseAuthored(content)
	if text, isText := v.AsText(); err == nil && isText && strings.Contains(text, "：") {
		return "it is one text: a full-width colon is text, write a half-width colon and a blank"
	}
	at, ok := errors.AsType[*yaml.Error](err)
	if !ok {
		return wantData
	}
	lines := strings.Split(content, "\n")
	for _, line := range lines[max(at.Line-2, 0):min(at.Line, len(lines))] {
		if strings.Contains(line, "：") && !strings.Contains(line, ": ") {
			return fmt.Sprintf("it is not read from line %d on: a full-width colon is text, write a half-width colon and a blank", at.Line)
		}
	}
	return fmt.Sprintf("it is not read from line %d on: "+wantData, at.Line)
}

// keyWithColon returns a key that has a full-width colon and no value. Without such a key it returns "".
func keyWithColon(v tree.Value) string {
	for key, child := range v.Members() {
		if child.IsNull() && strings.Contains(key, "：") {
			return key
		}
		if found := keyWithColon(child); found != "" {
			return found
		}
	}
	return ""
}

// mergeInto is mergeValues for the object at a path of a batch.
func mergeInto(edit *tree.Edit, at tree.Path, v tree.Value) {
	for key, child := range v.Members() {
		path := at.Child(key)
		if child.IsObject() && edit.Kind(path) == tree.KindObject {
			mergeInto(edit, path, child)
		} else {
			_ = edit.Set(path, child) // not deeper than v, which was read
		}
	}
}

// readData reads the content of an entry: an object as JSON, JSON5, TOML or YAML, optionally in a
// code fence or in <initvar> tags.
//
// JSON5 and TOML are tried before YAML: with a comment or a trailing comma, YAML would read a JSON
// text differently or not at all, and a colon in a value of TOML makes a name of YAML.
func readData(content string, o *Options) (tree.Value, bool) {
	if o.Expand == nil {
		return parseData(content, o)
	}
	m := maskMacros(content)
	v, ok := parseData(m.text, o)
	if ok {
		v = m.expand(v, o.Expand)
	}
	return v, ok
}

// parseData is readData without macros.
func parseData(content string, o *Options) (tree.Value, bool) {
	if found := initvarBlock.FindStringSubmatch(content); found != nil {
		content = found[1]
	}
	body := unfenced(content)
	if body == "" {
		return tree.Object(), true
	}
	if v, err := tree.ParseValue([]byte(body)); err == nil {
		return v, v.IsObject()
	}
	if v, err := parse(body, false); err == nil {
		return v, v.IsObject()
	}
	if v, err := parseTOML(body); err == nil {
		return v, true
	}
	text := unfencedLines(content)
	v, err := yaml.ParseAuthored(text)
	if err != nil && o.YAML != nil {
		v, err = o.YAML(text)
	}
	if err != nil && body[0] == '{' { // JSON with mistakes
		v, err = parse(body, true)
	}
	if err != nil && body[0] == '{' { // a text that was cut off
		value, _, _ := modeltext.First(body)
		v, err = tree.ParseValue([]byte(value))
	}
	return v, err == nil && v.IsObject()
}

// initvarBlock finds a block of initial variables, in any letter case.
var initvarBlock = regexp.MustCompile(`(?is)<initvar>(.*?)</initvar>`)

// openingData reads the blocks of an opening message that replace the first book, merged. The
// result found says that at least one block is readable, and bad is the number of unreadable
// blocks.
func openingData(opening string, o *Options) (v tree.Value, found bool, bad int) {
	all := tree.Document{}.Edit()
	for _, block := range initvarBlock.FindAllStringSubmatch(opening, -1) {
		if v, ok := readData(block[1], o); ok {
			found = true
			mergeInto(all, nil, v)
		} else {
			bad++
		}
	}
	return all.Document().Root(), found, bad
}

// The codes of the problems of [Init].
const (
	codeBadInitvar     talewright.Code = "bad_initvar"     // an unreadable entry or block, or data nested deeper than a document may be
	codeInitialRefused talewright.Code = "initial_refused" // data that do not fit Options.Schema
)

// wantData describes the expected form of initial variables.
const wantData = "want an object as JSON, JSON5, TOML or YAML; of YAML: mappings, lists, texts and numbers, " +
	"no tags, several documents, or keys given twice"
