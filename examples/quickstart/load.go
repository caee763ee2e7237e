package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/anybook"
	"github.com/talewright/talewright/worldbook/charbook"
)

//go:embed campaigns
var builtin embed.FS

// loaded is a campaign that is ready to be played.
type loaded struct {
	game   *campaign.Game
	setup  campaign.Setup
	script []step
	texts  words
}

// step is one line of a script: something the player says, with what the scripted
// model answers, or something the host does.
type step struct {
	Say     string            `json:"say,omitempty"`
	Outputs []json.RawMessage `json:"outputs,omitempty"`
	Do      string            `json:"do,omitempty"` // rollback, undo or event
	To      string            `json:"to,omitempty"`
	Event   json.RawMessage   `json:"event,omitempty"`
}

// load reads everything before anything is played, and reports every mistake: one
// line each, with file and place.
func load(o options) (loaded, error) {
	files, where := fs.FS(os.DirFS(o.folder)), o.folder
	if o.folder == "" {
		where = "campaigns/" + o.lang
		sub, err := fs.Sub(builtin, where)
		if err != nil {
			return loaded{}, err
		}
		files = sub
	}
	if _, err := fs.Stat(files, "."); err != nil {
		return loaded{}, fmt.Errorf("%s: cannot be read: %v; -campaign names a folder laid out like "+
			"campaigns/en", where, cause(err))
	}
	r := reader{files: files, where: where}
	out := loaded{texts: wordsFor(o.lang)}
	texts := campaign.English()
	if o.lang == "zh" {
		texts = campaign.Chinese()
	}
	content := campaign.Content{
		Texts: &texts, Actions: &hooks.Actions{},
		Budget: prompt.Budget{Context: 8192, Response: 1024, TurnReserve: 1536},
	}
	foreign := o.book != "" || o.card != ""
	if foreign {
		out.setup = bareSetup(o.lang)
	} else {
		r.json("campaign.json", &out.setup)
		r.json("script.json", &out.script)
		r.rules(&content)
		r.hooks(&content)
	}
	r.card(o.card, foreign, &content)
	r.book(o.book, foreign, &content)
	if err := errors.Join(r.errs...); err != nil {
		return out, err
	}
	if err := out.compile(content, where, o.book); err != nil {
		return out, err
	}
	if content.Card != nil && out.setup.Greeting == "" {
		out.setup.Greeting = strings.NewReplacer("{{char}}", content.Card.CharName(),
			"{{user}}", out.setup.Characters[0].Name).Replace(content.Card.FirstMes)
	}
	if o.seedSet {
		out.setup.Seed = o.seed
	}
	if foreign {
		out.script = visitScript(o.lang, content.Books)
	}
	return out, nil
}

// compile checks the content. In a file of the player's own only what is plainly
// broken stops the program; the rest works without it.
func (l *loaded) compile(c campaign.Content, where, bookFile string) error {
	game, problems, err := campaign.Compile(c)
	if err != nil {
		return err
	}
	var errs []error
	for _, p := range problems {
		file := filepath.Join(where, p.Part+".json")
		if p.Part == "books" {
			file = filepath.Join(where, "book.json")
			if bookFile != "" {
				file = bookFile
			}
			if bookFile != "" && p.Code != string(worldbook.CodeBadRegex) {
				continue
			}
		}
		errs = append(errs, fmt.Errorf("%s: %s", file, p.Text))
	}
	l.game = game
	return errors.Join(errs...)
}

// reader reads files and collects what is wrong with them.
type reader struct {
	files fs.FS
	where string
	errs  []error
}

func (r *reader) fail(file, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf(file+": "+format, args...))
}

// bytes reads a file of the campaign folder.
func (r *reader) bytes(name string) ([]byte, string, bool) {
	file := filepath.Join(r.where, name)
	data, err := fs.ReadFile(r.files, name)
	if err != nil {
		r.fail(file, "cannot be read: %v; a campaign folder holds campaign.json, book.json, "+
			"card.json, rules.json, hooks.json and script.json", cause(err))
		return nil, file, false
	}
	return data, file, r.wellFormed(file, data)
}

// cause is the reason of an error without the path, which the line begins with.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// wellFormed reports broken JSON with line and column.
func (r *reader) wellFormed(file string, data []byte) bool {
	var v any
	err := json.Unmarshal(data, &v)
	if err == nil {
		return true
	}
	offset := int64(len(data))
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = e.Offset
	}
	before := string(data[:min(offset, int64(len(data)))])
	line := 1 + strings.Count(before, "\n")
	column := len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	r.fail(file, "line %d, column %d: broken JSON: %v; mend it there", line, max(column, 1), err)
	return false
}

func (r *reader) json(name string, to any) {
	data, file, ok := r.bytes(name)
	if !ok {
		return
	}
	if err := json.Unmarshal(data, to); err != nil {
		r.fail(file, "%v; see campaigns/en/%s for the form", err, name)
	}
}

func (r *reader) rules(c *campaign.Content) {
	data, file, ok := r.bytes("rules.json")
	if !ok {
		return
	}
	var doc struct {
		Rules     json.RawMessage `json:"rules"`
		Reactions json.RawMessage `json:"reactions"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		r.fail(file, "%v; it must be an object with the lists rules and reactions", err)
		return
	}
	var problems rules.Problems
	if doc.Rules != nil {
		c.Rules, problems = rules.Load(doc.Rules)
		for _, p := range problems {
			r.fail(file, "%s", p)
		}
	}
	if doc.Reactions != nil {
		c.Reactions, problems = reactions.Load(doc.Reactions)
		for _, p := range problems {
			r.fail(file, "%s", p)
		}
	}
}

func (r *reader) hooks(c *campaign.Content) {
	data, file, ok := r.bytes("hooks.json")
	if !ok {
		return
	}
	list, problems := hooks.Decode(data)
	for _, p := range problems {
		r.fail(file, "%s", p.Error())
	}
	c.Hooks = list
}

// card reads the folder's card, or the player's own.
func (r *reader) card(own string, foreign bool, c *campaign.Content) {
	file := own
	var data []byte
	var err error
	switch {
	case own != "":
		if data, err = os.ReadFile(own); err != nil {
			r.fail(file, "cannot be read: %v; check the path", cause(err))
			return
		}
	case foreign:
		return
	default:
		file = filepath.Join(r.where, "card.json")
		if data, err = fs.ReadFile(r.files, "card.json"); err != nil {
			return // a campaign may do without
		}
	}
	ch, _, err := card.Decode(data)
	if err != nil {
		r.fail(file, "%v", err)
		return
	}
	c.Card = &ch
	if ch.CharacterBook == nil {
		return
	}
	book, problems := charbook.Parse(ch.CharacterBook)
	if err := problems.Err(); err != nil {
		r.fail(file, "character_book: %v", err)
		return
	}
	if book.Name == "" {
		book.Name = ch.CharName()
	}
	c.Books = append(c.Books, worldbook.Attachment{
		Book: book, Sources: []worldbook.Source{worldbook.SourceCharacter}})
}

// book reads the folder's world book, or the player's own.
func (r *reader) book(own string, foreign bool, c *campaign.Content) {
	file := own
	var data []byte
	var err error
	switch {
	case own != "":
		data, err = os.ReadFile(own)
	case foreign:
		return
	default:
		file = filepath.Join(r.where, "book.json")
		data, err = fs.ReadFile(r.files, "book.json")
	}
	if err != nil {
		r.fail(file, "cannot be read: %v; check the path", cause(err))
		return
	}
	book, _, problems := anybook.Parse(data)
	if err := problems.Err(); err != nil {
		if text := bytes.TrimSpace(data); len(text) > 0 && (text[0] == '{' || text[0] == '[') && !r.wellFormed(file, data) {
			return // told with line and column
		}
		r.fail(file, "%v", err)
		return
	}
	if book.Name == "" {
		book.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	c.Books = append(c.Books, worldbook.Attachment{
		Book: book, Sources: []worldbook.Source{worldbook.SourceGlobal}})
}

// bareSetup is a stage for other people's content: one player, no map.
func bareSetup(lang string) campaign.Setup {
	name := "Traveller"
	if lang == "zh" {
		name = "旅人"
	}
	vars, err := tree.Load([]byte(`{"stat_data":{},"assa_data":{}}`))
	if err != nil {
		panic(err) // a literal
	}
	return campaign.Setup{
		ID: "visit", Title: "Visit",
		Characters: []campaign.Character{{
			ID: "you", Name: name, HP: campaign.HP{Current: 10, Max: 10},
			Status: campaign.Status{AliveState: campaign.Alive},
		}},
		Variables: vars,
	}
}

// visitScript talks about whatever the books know: one line for each entry with a
// key, and the model's plain answers.
func visitScript(lang string, books []worldbook.Attachment) []step {
	w := wordsFor(lang)
	var topics []string
	for _, b := range books {
		for _, e := range b.Book.Entries {
			for _, key := range e.Keys {
				key = strings.TrimSpace(key)
				if key == "" || strings.HasPrefix(key, "/") {
					continue
				}
				if !slices.Contains(topics, key) {
					topics = append(topics, key)
				}
				break
			}
		}
	}
	const turns = 12
	var out []step
	for i := range turns {
		say, answer := w.smallTalk[i%len(w.smallTalk)], w.smallAnswer
		if i < len(topics) {
			say = fmt.Sprintf(w.askAbout, topics[i])
		}
		outputs := []json.RawMessage{quoted(answer)}
		if i == 5 { // a contradiction, and its repair
			call := `{"text": %s, "tool_calls": [{"id": "call_001", "tool": "hp_delta", ` +
				`"args": {"target_character_id": "you", "delta": -2, "cause": "a fall"}}]}`
			outputs = []json.RawMessage{quoted(w.stumble),
				json.RawMessage(fmt.Sprintf(call, quoted(w.stumble)))}
		}
		out = append(out, step{Say: say, Outputs: outputs})
		if i == 8 {
			out = append(out, step{Do: "rollback", To: "turn_0007"}, step{Do: "undo"})
		}
	}
	return out
}

func quoted(text string) json.RawMessage {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always encodes
	}
	return data
}
