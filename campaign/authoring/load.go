package authoring

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// Limits of a folder.
const (
	maxCard  = 64 << 20
	maxFile  = 32 << 20
	maxFiles = 10_000
)

// Game is a game that was read from a folder. Change Content and Setup freely before [Game.Compile];
// [Save] writes the files, which [Game.Edit] changes.
type Game struct {
	Content game.Content
	Setup   state.Setup
	// Tests are the scenarios of the game, by the names of their files. Package campaigntest reads
	// them.
	Tests map[string]string

	files   map[string]*file
	origins map[string][]origin // where the elements of a list come from, by the name of the list
	books   []bookOrigin
	card    string // the file of the card that plays
}

// file is one file of the folder.
type file struct {
	name    string
	kind    string // the folder that it belongs to, without s; empty if nothing reads it
	data    []byte
	root    *node // nil until it is needed, or if it cannot be read
	checked bool  // with its schema
	used    bool
}

// origin is the file of an element and its path there.
type origin struct {
	file *file
	path string
}

type bookOrigin struct {
	file *file
	name string // of the book
}

// endingsByKind lists the kinds of content, and the endings of their files.
var endingsByKind = map[string][]string{
	"books": {".json", ".yaml", ".yml", ".lorebook", ".png", ".charx"},
	"cards": {".png", ".json", ".charx", ".yaml", ".yml"},
	"rules": listEndings, "reactions": listEndings, "hooks": listEndings, "variables": listEndings, "modules": listEndings,
	"presets": {".json"}, "tests": {".txt"},
}

var listEndings = []string{".json", ".yaml", ".yml"}

// kindByName has the kinds of files of a folder that package imports reads, by their names without ending.
var kindByName = map[string]string{
	"game": "game", "campaign": "game", "card": "cards", "book": "books",
	"rules": "rules", "reactions": "reactions", "hooks": "hooks", "variables": "variables", "modules": "modules",
	"preset": "presets", "master": "presets", "system": "presets", "instruct": "presets", "context": "presets",
	"scripts": "presets",
}

// loader reads one folder.
type loader struct {
	game     Game
	problems talewright.Problems
	members  gameMembers
	setup    json.RawMessage
	lists    map[string][][]byte // the elements of each list
	hasLists map[string]bool
}

// Load reads a game from a folder, see the package comment. It reports all mistakes of all files; a
// part with a mistake is inert, and everything else plays. The game is usable unless a problem is
// fatal. The cost is linear in the size of the files.
func Load(fsys fs.FS) (Game, talewright.Problems) {
	l := &loader{
		game:     Game{Tests: map[string]string{}, files: map[string]*file{}, origins: map[string][]origin{}},
		lists:    map[string][][]byte{},
		hasLists: map[string]bool{},
	}
	l.walk(fsys)
	hasContent := func(f *file) bool { return f.kind != "" && f.kind != "tests" }
	if !slices.ContainsFunc(l.game.sorted(), hasContent) {
		l.add("", talewright.Fatal, codeNoGame,
			"no file of a game is here; write game.yaml, or rules, books and cards in their folders")
		return Game{}, l.problems
	}
	for _, f := range l.game.sorted() {
		l.read(f)
	}
	if l.problems.Err() != nil {
		return Game{}, l.problems
	}
	l.assemble()
	l.reportUnread()
	if l.problems.Err() != nil {
		return Game{}, l.problems
	}
	return l.game, l.problems
}

// add adds a problem of a whole file.
func (l *loader) add(file string, severity talewright.Severity, code talewright.Code, format string, args ...any) {
	l.problems = append(l.problems, talewright.Problem{Path: file, Severity: severity, Code: code,
		Text: fmt.Sprintf(format, args...)})
}

// sorted returns the files by their names.
func (g *Game) sorted() []*file {
	names := slices.Sorted(maps.Keys(g.files))
	out := make([]*file, len(names))
	for i, name := range names {
		out[i] = g.files[name]
	}
	return out
}

// ofKind returns the files of a kind by their names.
func (g *Game) ofKind(kind string) []*file {
	return slices.DeleteFunc(g.sorted(), func(f *file) bool { return f.kind != kind })
}

// walk finds the files. It follows links within the folder, to files.
func (l *loader) walk(fsys fs.FS) {
	links := map[string]string{}
	regular := map[string]fs.DirEntry{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			l.add(name, talewright.Error, codeRefused, "cannot be read: %v", short(err.Error()))
			return nil
		case name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")), d.IsDir() && name == "schema":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case len(regular) >= maxFiles:
			l.add("", talewright.Error, codeRefused, "more than %d files; the others are not read", maxFiles)
			return fs.SkipAll
		case d.Type()&fs.ModeSymlink != 0:
			target, err := fs.ReadLink(fsys, name)
			if err != nil {
				l.add(name, talewright.Error, codeRefused, "the link cannot be read; replace it by the file")
				return nil
			}
			links[name] = target
		case d.Type().IsRegular():
			regular[name] = d
		default:
			l.add(name, talewright.Error, codeRefused, "is not a file; remove it")
		}
		return nil
	})
	if err != nil {
		l.add("", talewright.Fatal, codeNoGame, "the folder cannot be read: %v", err)
	}
	for name, target := range links {
		if inside := path.Join(path.Dir(name), target); path.IsAbs(target) || regular[inside] == nil {
			l.add(name, talewright.Error, codeRefused,
				"the link leads to %q, which is not a file of this folder; copy the file", target)
			continue
		}
		regular[name] = regular[path.Join(path.Dir(name), target)]
	}
	for _, name := range slices.Sorted(maps.Keys(regular)) {
		l.readBytes(fsys, name, regular[name])
	}
}

// readBytes reads the bytes of a file that has a kind.
func (l *loader) readBytes(fsys fs.FS, name string, d fs.DirEntry) {
	f := &file{name: name, kind: kindOf(name)}
	l.game.files[name] = f
	if f.kind == "" {
		return
	}
	most := int64(maxFile)
	if f.kind == "cards" {
		most = maxCard
	}
	if info, err := d.Info(); err == nil && info.Size() > most {
		l.refuse(f, "has %d bytes; at most %d are read; make it smaller", info.Size(), most)
		return
	}
	data, err := fs.ReadFile(fsys, name)
	switch {
	case err != nil:
		l.refuse(f, "cannot be read: %v", unwrapped(err))
	case int64(len(data)) > most:
		l.refuse(f, "has %d bytes; at most %d are read; make it smaller", len(data), most)
	default:
		f.data = data
	}
}

// refuse reports a file that is not read.
func (l *loader) refuse(f *file, format string, args ...any) {
	l.add(f.name, talewright.Error, codeRefused, format, args...)
	f.kind, f.used = "", true
}

// unwrapped returns an error without the name of the file.
func unwrapped(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// kindOf returns the kind of a file by its folder or name, or "" if nothing reads it.
func kindOf(name string) string {
	dir, base := path.Split(name)
	ending := strings.ToLower(path.Ext(base))
	kind := kindByName[strings.TrimSuffix(base, path.Ext(base))]
	if dir != "" {
		kind, _, _ = strings.Cut(name, "/")
	} else if kind == "game" {
		if slices.Contains(listEndings, ending) {
			return kind
		}
		return ""
	}
	if slices.Contains(endingsByKind[kind], ending) {
		return kind
	}
	return ""
}

// read parses a file of the game's own formats.
func (l *loader) read(f *file) {
	switch f.kind {
	case "game":
		l.readGame(f)
	case "rules", "reactions", "hooks", "variables", "modules":
		l.readLists(f)
	case "tests":
		f.used = true
		l.game.Tests[f.name] = string(f.data)
	}
}

// addReading adds the problems of reading a file.
func (l *loader) addReading(f *file, r *reading) {
	for i, p := range r.problems {
		p.Path = r.places[i].in(f.name, p.Path)
		l.problems = append(l.problems, p)
	}
}

// parseYAML parses a book or a card in YAML, and reports its mistakes. It returns false if the file cannot
// be read.
func (l *loader) parseYAML(f *file) bool {
	r := &reading{}
	f.root = r.parseYAML(f.data)
	l.addReading(f, r)
	return f.root != nil
}

// readChecked parses a file and compares it with its schema. It returns nil if the file is inert.
func (l *loader) readChecked(f *file) *node {
	f.used = true
	r := &reading{}
	root := r.parse(f.name, f.data)
	if root != nil {
		checker{r, schemas()[f.kind]}.checkValue(root, &schemas()[f.kind].root, nil)
	}
	l.addReading(f, r)
	f.root, f.checked = root, true
	if root == nil || root.refused {
		return nil
	}
	return root
}

// readGame reads the game file: the setup, and the members that a setup does not have.
func (l *loader) readGame(f *file) {
	if l.setup != nil {
		f.used = true
		l.add(f.name, talewright.Error, codeDuplicate, "there is a second game file; remove one")
		return
	}
	root := l.readChecked(f)
	if root == nil {
		l.add(f.name, talewright.Fatal, codeNoGame, "the game file cannot be read; mend it first")
		return
	}
	whole := root.appendJSON(nil)
	if err := json.Unmarshal(whole, &l.members); err != nil { // the schema has checked the types
		l.add(f.name, talewright.Error, codeWrongType, "%v", err)
	}
	v, err := tree.ParseValue(whole)
	if err != nil {
		l.add(f.name, talewright.Fatal, codeSyntax, "%v", err)
		return
	}
	for _, p := range ownMembers {
		v = v.Without(p)
	}
	if text, ok := v.Get("goal").AsText(); ok {
		v = v.With("goal", tree.Object(tree.Member{Key: "ultimate_goal_text", Value: tree.Text(text)}))
	}
	if l.members.Party != nil {
		party, _ := tree.Of(l.members.Party)
		selected := v.Get("selected")
		if !selected.IsObject() {
			selected = tree.Object()
		}
		v = v.With("selected", selected.With("party_character_ids", party))
	}
	l.setup = l.withDefaults(v).AppendJSON(nil)
	l.game.origins["campaign"] = []origin{{f, ""}}
}

// withDefaults adds what a game without a game file begins with: an ID, a player, and the settings of a
// talk.
func (l *loader) withDefaults(v tree.Value) tree.Value {
	base, err := tree.Of(imports.Begin(l.importOptions()).Setup)
	if err != nil {
		return v
	}
	for _, name := range []string{"campaign_id", "characters"} {
		if !v.Get(name).Exists() || v.Get(name).IsNull() {
			v = v.With(name, base.Get(name))
		}
	}
	if settings := base.Get("settings"); settings.IsObject() {
		if own := v.Get("settings"); own.IsObject() {
			settings = settings.Merge(own)
		}
		v = v.With("settings", settings)
	}
	return v
}

// ownMembers are the members of a game file that a setup does not have.
var ownMembers = []string{"$schema", "card", "cast", "chat", "party", "persona", "user", "texts", "books",
	"dialog_types", "budget", "trim_slack", "summarize_after"}

// readLists collects the elements of the lists in a file.
func (l *loader) readLists(f *file) {
	root := l.readChecked(f)
	if root == nil {
		return
	}
	if root.kind == tree.KindArray {
		l.addElements(f, f.kind, "", root)
		return
	}
	for i, k := range root.keys {
		if slices.Contains(listNames, k.name) {
			l.addElements(f, k.name, k.name, root.parts[i])
		}
	}
}

// listNames are the lists that a file may have as members.
var listNames = []string{"variables", "modules", "rules", "reactions", "hooks"}

// addElements adds the elements of a list in a file. at is the path of the list there.
func (l *loader) addElements(f *file, name, at string, n *node) {
	if n.kind != tree.KindArray || n.refused {
		return
	}
	l.hasLists[name] = true
	for i, element := range n.parts {
		l.lists[name] = append(l.lists[name], element.appendJSON(nil))
		l.game.origins[name] = append(l.game.origins[name], origin{f, at + "[" + strconv.Itoa(i) + "]"})
	}
}

// listJSON returns the elements of a list as one JSON list, or nil if no file has the list.
func (l *loader) listJSON(name string) json.RawMessage {
	if !l.hasLists[name] {
		return nil
	}
	return slices.Concat([]byte{'['}, bytes.Join(l.lists[name], []byte{','}), []byte{']'})
}

// assemble hands the files to package imports, which knows how they belong together.
func (l *loader) assemble() {
	files := parts{fstest.MapFS{}, map[string]*file{}}
	if l.setup != nil {
		files.add("campaign.json", l.setup, nil)
	}
	rules := map[string]json.RawMessage{}
	for _, name := range []string{"variables", "modules", "rules", "reactions"} {
		if list := l.listJSON(name); list != nil {
			rules[name] = list
		}
	}
	if len(rules) > 0 {
		data, err := json.Marshal(rules)
		if err != nil {
			l.add("", talewright.Error, codeSyntax, "rules: %v", err)
		}
		files.add("rules.json", data, nil)
	}
	if list := l.listJSON("hooks"); list != nil {
		files.add("hooks.json", list, nil)
	}
	l.addPresets(files)
	cast := l.addCards(files)
	start := l.readParts(files)
	l.game.Content, l.game.Setup = start.Content, start.Setup
	l.game.Content.People.Cast = append(l.game.Content.People.Cast, cast...)
	l.members.apply(&l.game.Content)
	if greets := func(m game.CastMember) bool { return m.Card.FirstMes != "" }; l.game.Setup.Greeting == "" && slices.ContainsFunc(cast, greets) {
		l.add(l.game.inGame("cast"), talewright.Warning, codeMissing, "greetings of the cards of a cast are not used, and the game has none; write greeting")
	}
	for _, d := range l.game.Content.Extensions.DialogTypes {
		i := slices.IndexFunc(l.members.DialogTypes, func(m dialogType) bool { return m.ID == d.ID })
		l.addOrigin("dialogTypes", "dialog_types["+strconv.Itoa(i)+"]")
	}
	l.game.Content.Extensions.Version = l.game.Hash()
}

// addOrigin says that the next element of a list of the content is a part of the game file.
func (l *loader) addOrigin(list, member string) {
	l.game.origins[list] = append(l.game.origins[list], origin{l.game.origins["campaign"][0].file, member})
}

// importOptions returns the options of package imports that the game file sets.
func (l *loader) importOptions() imports.Options {
	o := imports.Options{ID: "game", Player: l.members.User, Chat: l.members.Chat}
	switch l.members.Texts {
	case english:
		o.Texts = new(game.English())
	case chinese:
		o.Texts = new(game.Chinese())
	}
	return o
}

// readParts reads the parts. A part that cannot be read is left out, and the others are read again.
func (l *loader) readParts(files parts) imports.Start {
	start := imports.Begin(l.importOptions())
	var problems talewright.Problems
	for len(files.MapFS) > 0 {
		read, found := imports.ParseFolder(files, l.importOptions())
		bad := false
		for _, p := range found {
			if name, _, _ := strings.Cut(p.Path, ":"); p.Severity == talewright.Fatal {
				name = files.named(name)
				problems = append(problems, talewright.Problem{Path: l.partPlace(name, p.Path, files), ID: p.ID,
					Code: cmp.Or(p.Code, codeSyntax), Severity: talewright.Error, Text: p.Text})
				delete(files.MapFS, name)
				bad = true
			}
		}
		if !bad {
			start, problems = read, append(problems, l.game.placed(found)...)
			break
		}
	}
	l.problems = append(l.problems, problems...)
	l.attachBooks(&start)
	return start
}

// partPlace returns the place of a part that package imports could not read.
func (l *loader) partPlace(name, path string, files parts) string {
	if f := files.files[name]; f != nil {
		return f.name
	}
	if name == "campaign.json" {
		return l.game.inGame("")
	}
	return path
}

// attachBooks adds the world books.
func (l *loader) attachBooks(start *imports.Start) {
	for _, f := range l.game.ofKind("books") {
		f.used = true
		data := f.data
		if isYAML(f.name) {
			if !l.parseYAML(f) {
				continue
			}
			book := schemas()["books"]
			book.readTexts(f.root, &book.root)
			data = f.root.appendJSON(nil)
		}
		base := path.Base(f.name)
		before := len(start.Content.Lore.Books)
		found := start.AddBook(strings.TrimSuffix(base, path.Ext(base)), data)
		books := start.Content.Lore.Books[before:]
		for i := range books {
			l.game.books = append(l.game.books, bookOrigin{f, books[i].Book.Name})
			if sources := l.members.Books[f.name]; len(sources) > 0 {
				books[i].Sources = slices.Clone(sources)
			}
		}
		for _, p := range found {
			if r := (&reading{}); p.Code == "" && !isPacked(f.name) && r.parseJSON(data) == nil { // with the place
				l.addReading(f, r)
				continue
			}
			p.Severity, p.Code = min(p.Severity, talewright.Error), cmp.Or(p.Code, codeSyntax)
			p.Path = f.locate(strings.TrimPrefix(strings.TrimPrefix(p.Path, "books."), bookName(books)+"."))
			l.problems = append(l.problems, p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.members.Books)) {
		if f := l.game.files[name]; f == nil || f.kind != "books" {
			l.reportNoFile("books."+name, name, "books")
		}
	}
}

// isPacked reports whether a file contains its JSON in a picture or an archive.
func isPacked(name string) bool {
	return slices.Contains([]string{".png", ".charx"}, strings.ToLower(path.Ext(name)))
}

// bookName returns the name of the first of some books, "" if there is none.
func bookName(books []worldbook.Attachment) string {
	if len(books) == 0 {
		return ""
	}
	return books[0].Book.Name
}

// reportNoFile reports a file that the game file names and that does not exist.
func (l *loader) reportNoFile(member, name, kind string) {
	var known []string
	for _, f := range l.game.ofKind(kind) {
		known = append(known, f.name)
	}
	text := "is not a file in the folder " + kind
	if near, ok := utf8text.Suggest(name, known); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else if len(known) > 0 {
		text += "; there are " + strings.Join(known[:min(len(known), 8)], ", ")
	}
	l.add(l.game.inGame(member), talewright.Error, codeMissingFile, "%q %s", name, text)
}

// inGame returns the place of a member of the game file.
func (g *Game) inGame(member string) string {
	if list := g.origins["campaign"]; len(list) > 0 {
		return list[0].file.locate(member)
	}
	return member
}

// reportUnread reports the files that nothing reads.
func (l *loader) reportUnread() {
	names := slices.Sorted(maps.Keys(endingsByKind))
	for _, f := range l.game.sorted() {
		base := path.Base(f.name)
		upper := strings.ToUpper(base)
		if f.used || strings.HasPrefix(upper, "README") || strings.HasPrefix(upper, "LICENSE") || path.Ext(base) == ".md" {
			continue
		}
		text := "nothing reads this file"
		dir, _, nested := strings.Cut(f.name, "/")
		switch near, ok := utf8text.Suggest(dir, names); {
		case f.kind == "cards":
			text += "; name it as card or in cast in the game file"
		case nested && endingsByKind[dir] != nil:
			text += "; files in " + dir + " end in " + strings.Join(endingsByKind[dir], ", ")
		case nested && ok:
			text += fmt.Sprintf("; did you mean the folder %q?", near)
		case !nested:
			stem := strings.TrimSuffix(base, path.Ext(base))
			if near, ok := utf8text.Suggest(stem, slices.Sorted(maps.Keys(kindByName))); ok {
				text += fmt.Sprintf("; did you mean %q?", near+path.Ext(base))
			}
		}
		l.add(f.name, talewright.Warning, codeUnread, "%s", text)
	}
}

// Compile checks the content and prepares it, like [game.Compile]. The problems have the places of
// the files. The problems of [Load] are not repeated.
func (g *Game) Compile() (*game.Game, talewright.Problems) {
	compiled, problems := game.Compile(g.Content)
	return compiled, g.placed(problems)
}

// Hash identifies the content and the setup: all files that Load reads, except tests.
func (g *Game) Hash() string {
	isRead := func(f *file) bool { return f.kind != "" && f.kind != "tests" }
	return hex.EncodeToString(g.hash(isRead)[:16])
}

// hash returns a hash of the names and the bytes of files.
func (g *Game) hash(counts func(*file) bool) []byte {
	h := sha256.New()
	for _, f := range g.sorted() {
		if counts(f) {
			fmt.Fprintf(h, "%q %d\n", f.name, len(f.data))
			h.Write(f.data)
		}
	}
	return h.Sum(nil)
}
