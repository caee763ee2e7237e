package reactions

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// YuminaWorld is an imported world.
type YuminaWorld struct {
	Name       string
	Variables  []rules.Variable
	Modules    []rules.Module
	Rules      []rules.Rule
	Reactions  []Reaction
	Entries    []YuminaEntry
	ReplyRules []rules.ReplyRule
	// Rest holds the unknown sections unchanged, such as interface and assets.
	Rest map[string]json.RawMessage
}

// YuminaEntry is one piece of lore.
//
// It is sent always, or when its conditions hold and one of its keywords was said. Without keywords
// only the conditions decide.
type YuminaEntry struct {
	ID                    string            `json:"id"`
	Name                  string            `json:"name,omitempty"`
	Role                  string            `json:"role,omitempty"` // character, lore, greeting, …
	Content               string            `json:"content"`
	Enabled               *bool             `json:"enabled,omitempty"` // nil: true
	AlwaysSend            bool              `json:"alwaysSend,omitempty"`
	Keywords              []string          `json:"keywords,omitempty"`
	MatchWholeWords       bool              `json:"matchWholeWords,omitempty"`
	SecondaryKeywords     []string          `json:"secondaryKeywords,omitempty"`
	SecondaryKeywordLogic rules.Secondary   `json:"secondaryKeywordLogic,omitempty"`
	Conditions            []rules.Condition `json:"conditions,omitempty"`
	ConditionLogic        rules.Logic       `json:"conditionLogic,omitempty"`
	Position              tree.Value        `json:"position,omitzero"` // a number, or a named place
	PreventRecursion      bool              `json:"preventRecursion,omitempty"`
	ExcludeRecursion      bool              `json:"excludeRecursion,omitempty"`
	BookID                string            `json:"worldbookId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Content returns the content to compile. A world without variables has a schema that declares
// none, as it had in Yumina.
func (w YuminaWorld) Content() rules.Content {
	vars := w.Variables
	if vars == nil {
		vars = []rules.Variable{}
	}
	return rules.Content{
		Variables: vars,
		Modules:   w.Modules,
		Rules:     w.Rules,
		Handlers:  Handlers(w.Reactions),
	}
}

// YuminaOptions are the settings of [ParseYumina]. With the zero value a world plays as it did in
// Yumina.
type YuminaOptions struct {
	// OneRound limits an inject-directive action without a member persistent to one round, as the
	// documentation of rules says. Otherwise it stays until it is removed, as in Yumina: authors
	// rely on that behaviour despite the documentation.
	OneRound bool
}

// descriptiveMembers lists the members of a world that only describe it. They are kept without a
// problem.
var descriptiveMembers = []string{"author", "createdAt", "description", "id", "tags", "updatedAt", "version"}

// ParseYumina reads an exported world, bare or wrapped in an object under "world", "schema" or
// "worldDefinition".
//
// Only the default of [YuminaOptions] follows the other engine. Everything else follows the
// documentation of rules and reactions, because authors wrote their worlds by it. Problems list the
// sections and members that are kept and not used. Mistakes in the rules are found by
// [rules.Compile] and [rules.Vet]. ParseYumina is pure and safe for concurrent use.
func ParseYumina(data []byte, opts YuminaOptions) (YuminaWorld, talewright.Problems) {
	root, err := authorjson.File(data)
	if !root.IsObject() {
		text := "not a JSON object"
		if err != nil {
			text = "not JSON: " + err.Error()
		}
		return YuminaWorld{}, talewright.Problems{{
			Path: "world", Code: rules.Unreadable, Severity: talewright.Fatal, Text: text}}
	}
	for _, wrapper := range []string{"world", "schema", "worldDefinition"} {
		if inner := root.Get(wrapper); inner.IsObject() && !root.Get("entries").Exists() {
			root = inner
		}
	}
	l := worldLoader{fields: authorjson.Of(root), opts: opts}
	w := YuminaWorld{
		Name:       l.fields.Text("name"),
		Variables:  section(&l, "variables", readJSON[rules.Variable]),
		Modules:    section(&l, "worldbooks", readJSON[rules.Module]),
		Reactions:  l.reactions("reactions"),
		Entries:    section(&l, "entries", readEntry),
		ReplyRules: section(&l, "replyRules", readJSON[rules.ReplyRule]),
	}
	w.Modules = append(w.Modules, section(&l, "modules", readJSON[rules.Module])...)
	w.Rules = l.rules("rules")
	l.reportMisread(w.Entries)
	w.Rest = l.fields.Rest()
	for _, name := range slices.Sorted(maps.Keys(w.Rest)) {
		if slices.Contains(descriptiveMembers, name) {
			continue
		}
		l.report(name, rules.Ignored, "kept and not used: this package does not know the section")
	}
	return w, l.problems
}

// worldLoader reads the sections of a world and collects what is left out.
type worldLoader struct {
	fields   *authorjson.Fields
	opts     YuminaOptions
	problems talewright.Problems
}

// report reports data that was left out or is not used.
func (l *worldLoader) report(path string, code talewright.Code, text string) {
	l.problems = append(l.problems, talewright.Problem{Path: path, Code: code, Text: text})
}

// list returns the section of a name. A section that is not a list is reported and left out.
func (l *worldLoader) list(name string) tree.Value {
	v := l.fields.Value(name)
	if v.Exists() && !v.IsArray() && !v.IsNull() {
		l.report(name, rules.Unreadable, "not a list; left out")
		return tree.Value{}
	}
	return v
}

// section reads the elements of a list. Elements that are not objects are left out.
func section[T any](l *worldLoader, name string, read func(tree.Value) T) []T {
	v := l.list(name)
	var out []T
	for i, e := range v.Elements() {
		if !e.IsObject() {
			l.report(fmt.Sprintf("%s[%d]", name, i), rules.Unreadable, "not an object; left out")
			continue
		}
		out = append(out, read(e))
	}
	return out
}

// readJSON reads an object with its type's UnmarshalJSON, which fails only for invalid JSON.
func readJSON[T any, P interface {
	*T
	json.Unmarshaler
}](v tree.Value) (item T) {
	_ = P(&item).UnmarshalJSON(v.AppendJSON(nil))
	return item
}

// rules reads rules and sets the lifetime of their directives as in Yumina. There, any value of
// persistent except a flag meant that the author had not set it.
func (l *worldLoader) rules(name string) []rules.Rule {
	v := l.list(name)
	list := parsed(l, v, rules.Parse)
	if l.opts.OneRound {
		return list
	}
	for i, e := range v.Elements() {
		for k, action := range e.Get("actions").Elements() {
			directive, ok := list[i].Actions[k].(effect.InjectDirective)
			if _, isFlag := action.Get("persistent").AsBool(); ok && !isFlag {
				directive.Persistent = true
				list[i].Actions[k] = directive
			}
		}
	}
	return list
}

// reactions reads reactions. Reactions and rules that cannot be read keep their index in the list, so
// that later problems have the right paths.
func (l *worldLoader) reactions(name string) []Reaction {
	return parsed(l, l.list(name), Parse)
}

// parsed reads a list with a function that reads a whole JSON list.
func parsed[T any](l *worldLoader, list tree.Value, parse func([]byte) ([]T, talewright.Problems)) []T {
	if !list.IsArray() {
		return nil
	}
	out, problems := parse(list.AppendJSON(nil))
	l.problems = append(l.problems, problems...)
	return out
}

// reportMisread reports the members of entries that are kept without effect because they have the
// wrong type. The compiler reports such members of rules and reactions.
func (l *worldLoader) reportMisread(entries []YuminaEntry) {
	for _, e := range entries {
		path := "entries[" + strconv.Quote(e.ID) + "]"
		want := func(typ string, members ...string) {
			l.problems = append(l.problems, authorjson.Misread(path, e.ID, e.Extra, typ, members...)...)
		}
		want("a text", "id", "name", "role", "content", "secondaryKeywordLogic", "conditionLogic",
			"worldbookId")
		want("true or false", "enabled", "alwaysSend", "matchWholeWords", "preventRecursion",
			"excludeRecursion")
		want("a list of texts", "keywords", "secondaryKeywords")
		want("a list of objects", "conditions")
	}
}

// MarshalJSON writes the known fields and then the unknown ones.
func (e YuminaEntry) MarshalJSON() ([]byte, error) { return authorjson.Write(e) }

// UnmarshalJSON reads all readable members and keeps the others in Extra.
func (e *YuminaEntry) UnmarshalJSON(data []byte) error {
	return authorjson.UnmarshalValue(data, e, readEntry)
}

// readEntry reads an entry as authors write it.
func readEntry(v tree.Value) YuminaEntry {
	f := authorjson.Of(v)
	e := authorjson.Filled[YuminaEntry](f)
	e.Conditions = authorjson.List(f, "conditions", rules.ParseCondition)
	e.Extra = f.Rest()
	return e
}
