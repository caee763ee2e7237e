package imports_test

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// playedTurns is the number of turns that a file is played for.
const playedTurns = 10

// playedRow is what the play of one file has shown.
type playedRow struct {
	name           string
	fields, absent int // texts of the author for prompts, and those that no prompt had
	left           int // braces and tags in prompts and shown texts
	asked, changed int // changes that replies asked for, and those that the variables had afterwards
	rebuilt        bool
	notes          []string
}

// bad reports whether the model did not get what the author meant.
func (r *playedRow) bad() bool {
	return r.absent > 0 || r.left > 0 || r.changed < r.asked || !r.rebuilt
}

func (r *playedRow) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// leftovers finds what an author never means for a model: code, macros without a result, and the
// places and blocks of scripts.
var leftovers = regexp.MustCompile(`<%|%>|\{\{[^{}\n]*\}\}|(?i:<StatusPlaceHolderImpl/?>|</?initvar>)|\[object |@@\w+|\[GENERATE:`)

// updateBlock finds commands in the history.
var updateBlock = regexp.MustCompile(`(?i)</?UpdateVariable>`)

// playedGame is one file in play.
type playedGame struct {
	t      *testing.T
	row    playedRow
	start  imports.Start
	model  *llmtest.Scripted
	engine *campaign.Engine
	shown  []string
	allow  []string // texts that look like leftovers and are meant
}

// begin compiles the file and begins the campaign.
func (p *playedGame) begin() bool {
	p.t.Helper()
	g, problems := game.Compile(p.start.Content)
	if err := problems.Err(); err != nil {
		p.row.note("compile: %v", err)
		return false
	}
	p.model = llmtest.NewScripted()
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: p.model})
	if err != nil {
		p.row.note("%v", err)
		return false
	}
	if _, err := engine.Create(p.t.Context(), p.start.Setup); err != nil {
		p.row.note("create: %v", err)
		return false
	}
	p.engine = engine
	return true
}

// turn plays one turn and returns its prompt. The shown narration is checked too.
func (p *playedGame) turn(line, reply string) string {
	p.t.Helper()
	p.model.Add(llmtest.Text(reply))
	before, shown := len(p.model.Requests()), ""
	for step, err := range p.engine.Stream(p.t.Context(), p.start.Setup.ID, turn.Submit{Text: line}) {
		if err != nil {
			p.row.note("turn %q: %v", line, err)
			return ""
		}
		switch step := step.(type) {
		case campaign.Narration:
			shown += step.Text
		case campaign.Finished:
			if err := step.Outcome.Err(); err != nil {
				p.row.note("turn %q: %v", line, err)
			}
		}
	}
	p.shown = append(p.shown, shown)
	requests := p.model.Requests()[before:]
	if len(requests) == 0 {
		p.row.note("turn %q: no prompt", line)
		return ""
	}
	var b strings.Builder
	for _, m := range requests[0].Messages {
		b.WriteString(m.Text + "\n")
		if found := updateBlock.FindString(m.Text); found != "" && m.Role == llm.Assistant {
			p.row.left++
			p.row.note("a reply in the prompt of %q has %q", line, found)
		}
	}
	prompt := b.String()
	for what, text := range map[string]string{"prompt": prompt, "shown": shown} {
		for _, a := range p.allow {
			text = strings.ReplaceAll(text, a, "")
		}
		for _, found := range leftovers.FindAllString(text, -1) {
			p.row.left++
			p.row.note("%s of %q has %q", what, line, found)
		}
	}
	return prompt
}

// stat returns a value of the variables.
func (p *playedGame) stat(path string) tree.Value {
	p.t.Helper()
	c, err := p.engine.Campaign(p.t.Context(), p.start.Setup.ID)
	if err != nil {
		p.row.note("%v", err)
		return tree.Value{}
	}
	return valueAt(c.State.Variables.Root().Get("stat_data"), path)
}

// valueAt follows a path such as a/b/0.
func valueAt(v tree.Value, path string) tree.Value {
	for _, name := range strings.Split(path, "/") {
		if v.IsObject() {
			v = v.Get(name)
			continue
		}
		for i, e := range v.Elements() {
			if strconv.Itoa(i) == name {
				v = e
				break
			}
		}
	}
	return v
}

// end checks that a rebuild gives the same campaign.
func (p *playedGame) end() {
	p.t.Helper()
	_, err := p.engine.Rebuild(p.t.Context(), p.start.Setup.ID)
	if p.row.rebuilt = err == nil; err != nil {
		p.row.note("rebuild: %v", err)
	}
}

// printTable prints the rows, and fails if fewer than 95 % are as meant.
func printTable(t *testing.T, rows []playedRow) {
	t.Helper()
	fmt.Printf("%-44s %7s %7s %5s %9s %8s\n", "file", "fields", "absent", "left", "changes", "rebuild")
	bad := 0
	for _, r := range rows {
		fmt.Printf("%-44s %7d %7d %5d %4d/%-4d %8s\n", r.name, r.fields, r.absent, r.left, r.changed, r.asked, map[bool]string{true: "same", false: "differs"}[r.rebuilt])
		if r.bad() {
			bad++
		}
		for _, n := range r.notes {
			t.Logf("%s: %s", r.name, n)
		}
	}
	fmt.Printf("%d of %d as their authors meant\n", len(rows)-bad, len(rows))
	if bad*20 > len(rows) {
		t.Errorf("%d of %d files are not played as meant", bad, len(rows))
	}
}

// updates returns the replies that ask for changes, in the language that the card asks for: one
// change of a leaf of the variables for each turn.
type updates struct {
	patch  bool
	leaves []string
}

func updatesOf(start imports.Start, file string) updates {
	u := updates{patch: strings.Contains(strings.ToLower(file), "jsonpatch")}
	var walk func(v tree.Value, path string)
	walk = func(v tree.Value, path string) {
		for key, member := range v.Members() {
			if strings.HasPrefix(key, "_") || strings.HasPrefix(key, "$") || strings.ContainsAny(key, "./~'") {
				continue
			}
			at := path + "/" + key
			switch member.Kind() {
			case tree.KindObject:
				walk(member, at)
			case tree.KindNumber, tree.KindText:
				u.leaves = append(u.leaves, at[1:])
			}
		}
	}
	walk(start.Setup.Variables.Root().Get("stat_data"), "")
	return u
}

// reply returns the reply of a turn, and the value that a leaf should have afterwards.
func (u updates) reply(n int, now func(path string) tree.Value) (text, path string, want tree.Value) {
	text = fmt.Sprintf("Narration %d.", n)
	if len(u.leaves) == 0 {
		return text, "", want
	}
	path = u.leaves[n%len(u.leaves)]
	want = now(path)
	if f, ok := want.AsFloat(); ok {
		want = tree.Int(int64(f) + 1)
	}
	if u.patch {
		return text + fmt.Sprintf("\n<UpdateVariable>\n<Analysis>x</Analysis>\n<JSONPatch>\n[{\"op\": \"replace\", \"path\": \"/%s\", \"value\": %s}]\n</JSONPatch>\n</UpdateVariable>", path, want), path, want
	}
	return text + fmt.Sprintf("\n<UpdateVariable>\n_.set('%s', %s, %s);//x\n</UpdateVariable>", strings.ReplaceAll(path, "/", "."), now(path), want), path, want
}

// TestPlayedFiles plays ten turns of every card and book of the shared folder, and prints what did
// not reach the model (SC-13).
func TestPlayedFiles(t *testing.T) {
	testkit.WithoutRace(t)
	const folder = "../../../shared/data"
	files, _ := filepath.Glob(folder + "/*/*")
	if len(files) == 0 {
		t.Skip("the folder " + folder + " of other people's files is not here")
	}
	var rows []playedRow
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, chat := range []bool{true, false} {
			p := &playedGame{t: t, row: playedRow{name: filepath.Base(file)}}
			if !chat {
				p.row.name += " (game)"
			}
			p.play(data, imports.Options{ID: "played", Player: "Mara", Chat: chat})
			rows = append(rows, p.row)
		}
	}
	printTable(t, rows)
}

// play plays a file of somebody else.
func (p *playedGame) play(data []byte, o imports.Options) {
	p.t.Helper()
	start, problems := imports.Parse(data, o)
	if err := problems.Err(); err != nil {
		p.row.note("%v", err)
		return
	}
	p.start = start
	if !p.begin() {
		return
	}
	promised, keys := promises(start)
	all := ""
	u := updatesOf(start, string(data))
	for n := range playedTurns {
		line := "…"
		for i := n; i < len(keys); i += playedTurns {
			line += " " + keys[i] + "."
		}
		reply, path, want := u.reply(n, p.stat)
		all += p.turn(line, reply) + "\x00"
		if path != "" {
			p.row.asked++
			if p.stat(path).Equal(want) {
				p.row.changed++
			} else {
				p.row.note("%s is %s, not %s", path, p.stat(path), want)
			}
		}
	}
	seen := squeeze(all)
	for name, text := range promised {
		p.row.fields++
		if !strings.Contains(seen, squeeze(text)) {
			p.row.absent++
			p.row.note("no prompt has %s: %.120q", name, text)
		}
	}
	p.end()
}

// squeeze leaves out white space.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

// tagOrMacro finds what is not printed as it is written.
var tagOrMacro = regexp.MustCompile(`(?s)<%.*?%>|\{\{.*?\}\}|<(?i:user|char|bot|start)>`)

// longest returns the longest part of a text that is printed as it is written.
func longest(text string) string {
	best := ""
	for _, part := range tagOrMacro.Split(text, -1) {
		if part = strings.TrimSpace(strings.TrimLeft(part, ": ")); len(part) > len(best) {
			best = part
		}
	}
	return best
}

// promises returns the texts of an author that prompts should have, and the words that bring them.
func promises(start imports.Start) (texts map[string]string, keys []string) {
	texts = map[string]string{}
	add := func(name, text string) {
		if text = longest(text); text != "" {
			texts[name] = text
		}
	}
	if c := start.Content.People.Card; c != nil {
		depth, _ := c.DepthPrompt()
		for name, text := range map[string]string{"description": c.Description, "personality": c.Personality, "scenario": c.Scenario,
			"system_prompt": c.SystemPrompt, "post_history": c.PostHistoryInstructions, "depth_prompt": depth.Prompt,
			"mes_example": c.MesExample, "greeting": start.Setup.Greeting} {
			add(name, text)
		}
	}
	for _, a := range start.Content.Lore.Books {
		for i, e := range a.Book.Entries {
			title := strings.ToLower(e.Comment)
			if e.Disable || strings.Contains(title, "[initvar]") || strings.HasPrefix(title, "[generate:") {
				continue
			}
			content := e.Content
			for strings.HasPrefix(content, "@@") {
				_, content, _ = strings.Cut(content, "\n")
			}
			if !e.Constant {
				if len(e.Keys) == 0 {
					continue
				}
				line := e.Keys[0]
				if len(e.SecondaryKeys) > 0 && e.Selective {
					if e.Logic != worldbook.AndAny && e.Logic != worldbook.AndAll {
						continue
					}
					line += " " + strings.Join(e.SecondaryKeys, " ")
				}
				keys = append(keys, line)
			}
			if e.Probability < 100 && e.UseProbability {
				continue
			}
			add(fmt.Sprintf("%s[%d] %s", a.Book.Name, i, cmp.Or(e.Comment, strings.Join(e.Keys, ","))), content)
		}
	}
	return texts, keys
}

// A synthetic card is a text file of sections, each with a line "== kind words key=value".
type section struct {
	kind, text string
	words      []string
	args       map[string]string
}

func sectionsOf(text string) (list []section) {
	for _, part := range strings.Split("\n"+text, "\n== ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		s := section{text: strings.TrimSuffix(body, "\n"), args: map[string]string{}}
		for i, word := range strings.Fields(head) {
			key, value, isArg := strings.Cut(word, "=")
			switch {
			case i == 0:
				s.kind = word
			case isArg:
				s.args[key] = strings.ReplaceAll(value, "_", " ")
			default:
				s.words = append(s.words, word)
			}
		}
		list = append(list, s)
	}
	return list
}

func (s section) is(word string) bool { return slices.Contains(s.words, word) }

// entry returns an entry as SillyTavern exports it.
func (s section) entry(n int) map[string]any {
	number := func(name string, otherwise int) int {
		if v, err := strconv.Atoi(s.args[name]); err == nil {
			return v
		}
		return otherwise
	}
	keys := []string{}
	if s.args["keys"] != "" {
		keys = strings.Split(s.args["keys"], ",")
	}
	position := number("position", 0)
	own := map[string]any{}
	if s.args["cap"] != "" {
		own["maxTokens"], own["trim"] = number("cap", 0), cmp.Or(s.args["trim"], "end")
	}
	return map[string]any{"id": n, "keys": keys, "secondary_keys": []string{}, "comment": strings.ReplaceAll(strings.Join(s.words[min(1, len(s.words)):], " "), "·", " "),
		"content": s.text, "constant": len(keys) == 0, "selective": true, "insertion_order": number("order", 100), "enabled": s.args["on"] != "no",
		"position": map[bool]string{true: "after_char", false: "before_char"}[position > 0], "use_regex": true,
		"extensions": map[string]any{"talewright": own, "position": position, "depth": number("depth", 4), "role": number("role", 0), "exclude_recursion": true, "prevent_recursion": true,
			"display_index": n, "probability": 100, "useProbability": true, "selectiveLogic": 0}}
}

// synthetic makes the files of a card.
func synthetic(t *testing.T, list []section) fstest.MapFS {
	t.Helper()
	data := map[string]any{"name": "林栀", "description": "", "personality": "", "scenario": "", "first_mes": "", "mes_example": "", "creator_notes": "",
		"system_prompt": "", "post_history_instructions": "", "tags": []string{}, "creator": "x", "character_version": "1"}
	extensions := map[string]any{}
	var entries, scripts, regexes, greetings, prompts, order, presetRegexes []any
	form := "chara_card_v3"
	files := fstest.MapFS{}
	for _, s := range list {
		switch s.kind {
		case "form":
			form = s.words[0]
		case "field":
			data[s.words[0]] = s.text
		case "extension":
			extensions[s.words[0]] = json.RawMessage(s.text)
		case "greeting":
			greetings = append(greetings, s.text)
		case "entry":
			s.words = append([]string{""}, s.words...)
			entries = append(entries, s.entry(len(entries)))
		case "script":
			scripts = append(scripts, map[string]any{"type": "script", "enabled": true, "name": "s", "id": "a" + strconv.Itoa(len(scripts)), "content": s.text, "info": "", "data": map[string]any{}})
		case "regex", "preset-regex":
			find, replace, _ := strings.Cut(s.text, "\n")
			one := map[string]any{"id": strconv.Itoa(len(regexes)), "scriptName": "r", "findRegex": find, "replaceString": replace, "trimStrings": []string{}, "placement": []int{1, 2},
				"disabled": false, "markdownOnly": s.is("display"), "promptOnly": s.is("prompt"), "runOnEdit": true, "substituteRegex": 0}
			if s.args["min"] != "" {
				one["minDepth"], _ = strconv.Atoi(s.args["min"])
			}
			if s.kind == "regex" {
				regexes = append(regexes, one)
			} else {
				presetRegexes = append(presetRegexes, one)
			}
		case "prompt":
			id := s.words[0]
			prompts = append(prompts, map[string]any{"identifier": id, "name": cmp.Or(s.args["name"], id), "role": cmp.Or(s.args["role"], "system"), "content": s.text, "marker": s.is("marker"), "system_prompt": s.is("marker")})
			order = append(order, map[string]any{"identifier": id, "enabled": true})
		}
	}
	if len(greetings) > 0 {
		data["first_mes"], data["alternate_greetings"] = greetings[0], greetings[1:]
	}
	if len(scripts) > 0 {
		extensions["tavern_helper"] = map[string]any{"scripts": scripts, "variables": map[string]any{}}
	}
	if len(regexes) > 0 {
		extensions["regex_scripts"] = regexes
	}
	data["extensions"] = extensions
	if len(entries) > 0 {
		data["character_book"] = map[string]any{"name": "书", "extensions": map[string]any{}, "entries": entries}
	}
	var file any = map[string]any{"spec": form, "spec_version": map[string]string{"chara_card_v3": "3.0"}[form], "data": data}
	if form == "v1" {
		file = data
	}
	if form == "chara_card_v2" {
		file.(map[string]any)["spec_version"] = "2.0"
	}
	if form == "png" {
		file = map[string]any{"spec": "chara_card_v3", "spec_version": "3.0", "data": data}
	}
	out, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	files["card.json"] = &fstest.MapFile{Data: out}
	if form == "png" {
		c, problems := card.Parse(out)
		if problems.Err() != nil {
			t.Fatal(problems)
		}
		picture, _ := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")
		png, err := card.WritePNG(picture, c)
		if err != nil {
			t.Fatal(err)
		}
		files["card.png"] = &fstest.MapFile{Data: png}
		delete(files, "card.json")
	}
	if len(prompts) > 0 {
		preset, err := json.Marshal(map[string]any{"prompts": prompts, "prompt_order": []any{map[string]any{"character_id": 100001, "order": order}},
			"extensions": map[string]any{"regex_scripts": presetRegexes}})
		if err != nil {
			t.Fatal(err)
		}
		files["preset.json"] = &fstest.MapFile{Data: preset}
	}
	return files
}

// TestPlayedCards plays cards in the style of the Chinese cards of these years, with the texts that
// their authors mean a model to get, and prints what did not reach it (SC-13).
func TestPlayedCards(t *testing.T) {
	testkit.WithoutRace(t)
	paths, err := filepath.Glob(cmp.Or(os.Getenv("PLAYED_FILES"), "testdata/played/*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no cards", err)
	}
	var rows []playedRow
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range strings.Split("\n"+string(text), "\n#### ")[1:] {
			name, rest, _ := strings.Cut(one, "\n")
			for _, chat := range []bool{true, false} {
				p := &playedGame{t: t, row: playedRow{name: fmt.Sprintf("%s/%d %s", strings.TrimSuffix(filepath.Base(path), ".txt"), i+1, name)}}
				if !chat {
					p.row.name += " (game)"
				}
				p.playSynthetic(sectionsOf(rest), chat)
				rows = append(rows, p.row)
			}
		}
	}
	printTable(t, rows)
	for _, r := range rows {
		if r.bad() {
			t.Errorf("%s is not played as meant", r.name)
		}
	}
}

// playSynthetic plays a synthetic card.
func (p *playedGame) playSynthetic(list []section, chat bool) {
	files := synthetic(p.t, list)
	greeting := 0
	for _, s := range list {
		switch s.kind {
		case "choose":
			greeting, _ = strconv.Atoi(s.words[0])
		case "allow":
			p.allow = append(p.allow, strings.Split(s.text, "\n")...)
		}
	}
	start, problems := imports.ParseFolder(files, imports.Options{ID: "played", Player: "阿远", Chat: chat, Greeting: greeting, Clock: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)})
	if err := problems.Err(); err != nil {
		p.row.note("%v", err)
		return
	}
	p.start = start
	if !p.begin() {
		return
	}
	prompt, turns := "", 0
	check := func(s section, where string, text string, want bool) {
		for _, line := range strings.Split(s.text, "\n") {
			if line == "" {
				continue
			}
			line = strings.ReplaceAll(line, `\n`, "\n")
			p.row.fields++
			if strings.Contains(text, line) != want {
				p.row.absent++
				p.row.note("turn %d: %s has %q: %t", turns, where, line, !want)
				if os.Getenv("PLAYED_PROMPTS") != "" {
					p.row.note("%s:\n%s", where, text)
				}
			}
		}
	}
	for _, s := range list {
		switch s.kind {
		case "turn":
			turns++
			prompt = p.turn(cmp.Or(strings.Join(s.words, " "), "…"), "好。"+s.text)
		case "want":
			check(s, "the prompt", prompt, true)
		case "never":
			check(s, "the prompt", prompt, false)
		case "shown":
			check(s, "the shown text", p.shown[len(p.shown)-1], true)
		case "stat":
			for _, line := range strings.Split(s.text, "\n") {
				path, want, _ := strings.Cut(line, " ")
				p.row.asked++
				if got := p.stat(path).String(); got == want || !p.stat(path).Exists() && want == "absent" {
					p.row.changed++
				} else {
					p.row.note("turn %d: %s is %s, not %s", turns, path, got, want)
				}
			}
		}
	}
	for ; turns < playedTurns; turns++ {
		p.turn("…", fmt.Sprintf("叙述%d。", turns))
	}
	p.end()
	if os.Getenv("PLAYED_PROMPTS") != "" {
		p.row.note("problems: %v", problems)
	}
}

// TestReportOfACard: the problems of a card say what does not play and why, as data, and in at most
// five lines for a person (SC-09).
func TestReportOfACard(t *testing.T) {
	t.Parallel()
	files := synthetic(t, sectionsOf(`
== field description
{{nothing_like_it}}
== script
import 'https://cdn.example/MagVarUpdate/bundle.js'
== script
document.title = 'x'
== entry bad
<% if (getvar('x') { %>
== entry needs
<% await fetch('https://example.invalid') %>
== entry needs too
<% execute('/echo') %>
== entry class
<% class A {} %>
== entry late
<% activewi('nobody') %>
== entry [RENDER:AFTER] on=no
x
== regex display
a
<b onclick="x()">
`))
	start, problems := imports.ParseFolder(files, imports.Options{Chat: true})
	g, more := game.Compile(start.Content)
	if g == nil || problems.Err() != nil {
		t.Fatal(problems, more)
	}
	problems = append(problems, more...)
	for code, want := range map[talewright.Code]int{"template_bad": 1, "template_needs": 3, "late_activation": 1, "unknown_entry": 1, "unknown_macro": 1,
		"card_scripts": 1, "card_regex": 1, "display_only": 1, "card_summary": 1} {
		if got := problems.Of(code); len(got) != want || got[0].Path == "" || got[0].Text == "" {
			t.Errorf("%s: %v", code, got)
		}
	}
	lines := problems.Summary("")
	if len(lines) != 5 || !strings.HasPrefix(lines[4], "and ") {
		t.Errorf("%d lines: %s", len(lines), strings.Join(lines, "\n"))
	}
}

// TestDamagedPicture plays a card whose picture is cut off after the text (SC-12). The report says so.
func TestDamagedPicture(t *testing.T) {
	t.Parallel()
	png := synthetic(t, sectionsOf("\n== form png\n== field description\nA smith.\n== greeting\nHello."))["card.png"].Data
	start, problems := imports.Parse(png[:len(png)-20], imports.Options{ID: "cut", Chat: true})
	if err := problems.Err(); err != nil || len(problems.Of("damaged_picture")) != 1 {
		t.Fatal(problems)
	}
	if prompt := promptOf(talked(t, start, "Hm."), 0); !strings.Contains(prompt, "A smith.") || !strings.Contains(prompt, "Hello.") {
		t.Errorf("the prompt is\n%s", prompt)
	}
}
