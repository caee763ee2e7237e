package authoring

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
)

// parts is the folder of files that package imports reads.
type parts struct {
	fstest.MapFS
	files map[string]*file // without parts of several files
}

// add adds a file for package imports. from is the file of the author, nil for several files.
func (p parts) add(name string, data []byte, from *file) {
	p.MapFS[name] = &fstest.MapFile{Data: data}
	if from != nil {
		p.files[name] = from
	}
}

// named returns the part of a path in a problem of package imports.
func (p parts) named(path string) string {
	for name := range p.MapFS {
		if path == name || strings.HasPrefix(path, name+".") || strings.HasPrefix(path, name+"[") {
			return name
		}
	}
	return path
}

// addPresets adds the presets. Regex scripts of several files come together.
func (l *loader) addPresets(files parts) {
	var scripts []tree.Value
	var first *file
	for _, f := range l.game.ofKind("presets") {
		f.used = true
		v, err := tree.ParseValue(bytes.TrimPrefix(f.data, []byte("\ufeff")))
		if err != nil {
			r := &reading{}
			r.parseJSON(f.data)
			l.addReading(f, r)
			continue
		}
		name := presetOf(v)
		switch {
		case name == "":
			l.add(f.name, talewright.Warning, codeUnread,
				"not a known preset; write a chat, system prompt, instruct, context or master preset, or regex scripts")
		case name == "scripts.json":
			first = cmp.Or(first, f)
			if v.IsObject() {
				scripts = append(scripts, v)
				l.game.origins[globalScripts] = append(l.game.origins[globalScripts], origin{f, ""})
			}
			for i, e := range v.Elements() {
				scripts = append(scripts, e)
				l.game.origins[globalScripts] = append(l.game.origins[globalScripts], origin{f, "[" + strconv.Itoa(i) + "]"})
			}
		case files.files[name] != nil:
			l.add(f.name, talewright.Error, codeDuplicate, "%s is a preset of the same kind; remove one", files.files[name].name)
		default:
			files.add(name, f.data, f)
			l.game.origins[strings.TrimSuffix(name, ".json")] = []origin{{f, ""}}
		}
	}
	if f := files.files["master.json"]; f != nil {
		for part, member := range map[string]string{
			"instruct": "instruct", "context": "context", "system": "sysprompt", "preset": "preset",
		} {
			if l.game.origins[part] == nil {
				l.game.origins[part] = []origin{{f, member}}
			}
		}
	}
	if len(scripts) > 0 {
		files.add("scripts.json", tree.Array(scripts...).AppendJSON(nil), first)
	}
}

// globalScripts is the list of the regex scripts of files in problems.
const globalScripts = "scripts.global"

// presetOf recognises a preset by its members. It returns the file name that
// package imports expects.
func presetOf(v tree.Value) string {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return v.Get(n).Exists() })
	}
	switch {
	case v.IsArray(), has("findRegex"):
		return "scripts.json"
	case v.Get("instruct").IsObject(), v.Get("context").IsObject(), v.Get("sysprompt").IsObject():
		return "master.json"
	case has("prompts", "prompt_order", "openai_max_context"):
		return "preset.json"
	case has("story_string"):
		return "context.json"
	case has("input_sequence", "output_sequence"):
		return "instruct.json"
	case has("content"):
		return "system.json"
	}
	return ""
}

// addCards adds the card that plays, and returns the members of a cast.
func (l *loader) addCards(files parts) []game.CastMember {
	if len(l.members.Cast) > 0 {
		return l.readCast()
	}
	list := l.game.ofKind("cards")
	var plays *file
	switch name := l.members.Card; {
	case name != "":
		if plays = l.game.files[name]; plays == nil || plays.kind != "cards" {
			l.reportNoFile("card", name, "cards")
			return nil
		}
	case len(list) == 1:
		plays = list[0]
	case len(list) > 1:
		l.add(l.game.inGame(""), talewright.Error, codeMissing,
			"there are %d cards and no card plays; write card: %s, or a cast", len(list), list[0].name)
		return nil
	}
	if plays == nil {
		return nil
	}
	data, ok := l.cardData(plays)
	if !ok {
		return nil
	}
	ending := path.Ext(plays.name)
	if isYAML(plays.name) {
		ending = ".json"
	}
	l.game.card = plays.name
	files.add("card"+ending, data, plays)
	return nil
}

// cardData returns the bytes of a card; one in YAML becomes JSON.
func (l *loader) cardData(f *file) ([]byte, bool) {
	f.used = true
	if !isYAML(f.name) {
		return f.data, true
	}
	if !l.parseYAML(f) {
		return nil, false
	}
	card, book, data := schemas()["cards"], schemas()["books"], cmp.Or(f.root.get("data"), f.root)
	card.readTexts(f.root, &card.root)
	card.readTexts(data, card.root.Properties["data"])
	book.readTexts(data.get("character_book"), &book.root)
	return f.root.appendJSON(nil), true
}

// readCast reads the cards of the characters that the model plays.
func (l *loader) readCast() []game.CastMember {
	var out []game.CastMember
	for i, m := range l.members.Cast {
		at := "cast[" + strconv.Itoa(i) + "]"
		f := l.game.files[m.Card]
		if f == nil || f.kind != "cards" {
			l.reportNoFile(at+".card", m.Card, "cards")
			continue
		}
		data, ok := l.cardData(f)
		if !ok {
			continue
		}
		c, found := card.Parse(data)
		for _, p := range found {
			p.Severity = min(p.Severity, talewright.Error)
			p.Path = f.locate(p.Path)
			l.problems = append(l.problems, p)
		}
		if found.Err() != nil {
			continue
		}
		id := cmp.Or(m.CharacterID, strings.TrimSuffix(path.Base(f.name), path.Ext(f.name)))
		out = append(out, game.CastMember{CharacterID: id, Card: &c, Talkativeness: m.Talkativeness, Muted: m.Muted})
		l.addOrigin("cast", at)
	}
	return out
}

// locate returns the place of a path in a file.
func (f *file) locate(path string) string {
	if f.root == nil && strings.HasSuffix(strings.ToLower(f.name), ".json") {
		f.root = (&reading{}).parseJSON(f.data)
	}
	if f.root == nil {
		return place{}.in(f.name, path)
	}
	return f.root.find(path).in(f.name, path)
}

// placed replaces the paths of problems by places in the files. Problems of members that the loader
// has reported already are left out.
func (g *Game) placed(list talewright.Problems) talewright.Problems {
	out := make(talewright.Problems, 0, len(list))
	for _, p := range list {
		f, inner := g.origin(p.Path)
		if f == nil {
			out = append(out, p)
			continue
		}
		if f.root != nil && f.checked && f.root.isReported(inner) && p.Severity < talewright.Fatal {
			continue
		}
		p.Path = f.locate(inner)
		out = append(out, p)
	}
	return out
}

// gameMember maps parts of a content to the members of the game file.
var gameMember = map[string]string{"budget": "budget", "trimSlack": "trim_slack", "persona": "persona", "texts": "texts"}

// origin returns the file of a path and the path there, or nil.
func (g *Game) origin(at string) (*file, string) {
	if rest, ok := strings.CutPrefix(at, "books."); ok {
		var best bookOrigin
		for _, b := range g.books {
			isBook := rest == b.name || strings.HasPrefix(rest, b.name+".") || strings.HasPrefix(rest, b.name+"[")
			if isBook && len(b.name) >= len(best.name) {
				best = b
			}
		}
		if best.file != nil {
			return best.file, strings.TrimPrefix(strings.TrimPrefix(rest, best.name), ".")
		}
	}
	if member, ok := gameMember[at]; ok {
		return g.origin("campaign." + member)
	}
	name := at
	if i := strings.IndexAny(at, "[."); i >= 0 {
		name = at[:i]
	}
	rest := at[len(name):]
	if after, ok := strings.CutPrefix(at, globalScripts); ok {
		name, rest = globalScripts, after
	} else if after, ok := strings.CutPrefix(at, "scripts.preset"); ok {
		name, rest = "preset", ".extensions.regex_scripts"+after
	}
	switch {
	case slices.Contains([]string{"campaign", "preset", "instruct", "context", "system", "master"}, name):
		if list := g.origins[name]; len(list) > 0 {
			return list[0].file, strings.TrimPrefix(list[0].path+rest, ".")
		}
	case name == "card" && g.card != "":
		return g.files[g.card], strings.TrimPrefix(rest, ".")
	}
	end := strings.IndexByte(rest, ']')
	if !strings.HasPrefix(rest, "[") || end < 0 {
		return nil, ""
	}
	i, err := strconv.Atoi(rest[1:end])
	if list := g.origins[name]; err == nil && i >= 0 && i < len(list) {
		return list[i].file, strings.TrimPrefix(list[i].path+rest[end+1:], ".")
	}
	return nil, ""
}
