package imports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// The codes of problems with stories of NovelAI and KoboldAI.
const (
	codeNotUsed     talewright.Code = "not_used"    // a part of the file that a campaign cannot use
	codePlaceholder talewright.Code = "placeholder" // a question to the player, replaced by its default
)

// addStory reads a .scenario or .story file of NovelAI, or a story of KoboldAI.
func (s *Start) addStory(data []byte) {
	file, mistake, _ := readValue(bytes.TrimPrefix(data, []byte("\ufeff"))) // kindOf has read it
	if mistake.Code != "" {
		s.addProblems("", talewright.Problems{mistake})
	}
	switch {
	case isScenario(file):
		s.addScenario(file, file, "", "")
	case isNovelStory(file):
		s.addNovelStory(file)
	default:
		s.addKobold(file)
	}
}

func isScenario(file tree.Value) bool { return file.Get("scenarioVersion").Exists() }

// isNovelStory recognises a .story file: its settings and texts are in the member content.
func isNovelStory(file tree.Value) bool {
	return file.Get("storyContainerVersion").Exists() && file.Get("content").IsObject()
}

func isKobold(file tree.Value) bool {
	return file.Get("gamestarted").Exists() ||
		file.Get("prompt").Exists() && file.Get("actions").Exists() && file.Get("memory").Exists()
}

// text returns a member of a story as text. A member of a different type is a problem and read as absent.
func (s *Start) text(v tree.Value, path string) string {
	text, ok := v.AsText()
	s.wantType(ok, v, path)
	return text
}

// list returns the elements of a member of a story. A member of a different type is a problem and read
// as absent.
func (s *Start) list(v tree.Value, path string) iter.Seq2[int, tree.Value] {
	s.wantType(v.IsArray(), v, path)
	return v.Elements()
}

// wantType adds a problem if a member of a story has the wrong type. A member that is null is absent.
func (s *Start) wantType(right bool, v tree.Value, path string) {
	if !right && v.Exists() && !v.IsNull() {
		s.addProblems("", talewright.Problems{{Path: path, Code: codeWrongChatType, Text: "of a different type than in a story; it is read as absent"}})
	}
}

// placeholders maps the questions of a scenario to their defaults.
type placeholders map[string]string

var (
	// definition is a question within a text: %{key#order[default]:description}.
	definition = regexp.MustCompile(`%\{([^#\[\]{}:]{1,100})(?:#\d{1,9})?\[([^\[\]]*)\](?::[^{}]*)?\}`)
	question   = regexp.MustCompile(`\$\{([^{}]{1,100})\}`)
)

// fill replaces questions by their defaults. A question without a definition stays.
func (p placeholders) fill(text string) string {
	text = definition.ReplaceAllStringFunc(text, func(all string) string { return definition.FindStringSubmatch(all)[2] })
	return question.ReplaceAllStringFunc(text, func(all string) string {
		if value, known := p[question.FindStringSubmatch(all)[1]]; known {
			return value
		}
		return all
	})
}

// addScenario reads a scenario of NovelAI. Its memory describes the world, its author's note is
// inserted at a depth, and its prompt opens the story. The argument about has its title,
// description, author and tags. A .story file stores them separately. Problems begin with aboutPath or
// path, the places of the two values in the file.
func (s *Start) addScenario(about, file tree.Value, aboutPath, path string) {
	answers := placeholders{}
	context := file.Get("context")
	s.list(context, path+"context")
	prompt := s.text(file.Get("prompt"), path+"prompt")
	memory := s.text(context.At(0).Get("text"), path+"context[0].text")
	note := s.text(context.At(1).Get("text"), path+"context[1].text")
	for _, text := range []string{prompt, memory, note} {
		for _, m := range definition.FindAllStringSubmatch(text, -1) {
			answers[m[1]] = m[2]
		}
	}
	for i, p := range s.list(file.Get("placeholders"), path+"placeholders") {
		at := fmt.Sprintf("%splaceholders[%d]", path, i)
		key, value := s.text(p.Get("key"), at+".key"), s.text(p.Get("defaultValue"), at+".defaultValue")
		answers[key] = value
		s.warn(at, key, codePlaceholder, fmt.Sprintf("asks the player %.200q; its default %.100q is in the texts: "+
			"change these before the game is compiled", s.text(p.Get("description"), at+".description"), value))
	}
	c := card.Card{
		Name: s.text(about.Get("title"), aboutPath+"title"), CreatorNotes: s.text(about.Get("description"), aboutPath+"description"),
		Creator: s.text(about.Get("author"), aboutPath+"author"), FirstMes: answers.fill(prompt), Description: answers.fill(memory),
	}
	for i, tag := range s.list(about.Get("tags"), aboutPath+"tags") {
		if text := s.text(tag, fmt.Sprintf("%stags[%d]", aboutPath, i)); text != "" {
			c.Tags = append(c.Tags, text)
		}
	}
	depth := 4
	if at, ok := context.At(1).Get("contextConfig").Get("insertionPosition").AsFloat(); ok {
		depth = int(min(math.Abs(at), 1e6))
	}
	setNote(&c, answers.fill(note), depth)
	for _, name := range []string{"settings", "ephemeralContext", "storyContextConfig", "contextDefaults"} {
		if v := file.Get(name); v.Len() > 0 {
			s.warn(name, "", codeNotUsed, "is not used: set it in the content and the settings instead")
		}
	}
	s.setStoryCard(c)
	book := file.Get("lorebook")
	if s.wantType(book.IsObject(), book, path+"lorebook"); book.IsObject() {
		s.storyBook(c.Name, book)
	}
}

// addNovelStory reads a .story file of NovelAI: a scenario with the text that was played. The text up
// to the first line of the player opens the story, and the rest are turns.
func (s *Start) addNovelStory(file tree.Value) {
	content := file.Get("content")
	s.addScenario(file.Get("metadata"), content, "metadata.", "content.")
	played := playedTurns{start: s}
	story := content.Get("story")
	fragments := story.Get("fragments")
	opening := s.text(story.Get("text"), "content.story.text")
	if fragments.Len() > 0 {
		var begin strings.Builder
		started := false
		for i, f := range s.list(fragments, "content.story.fragments") {
			at := fmt.Sprintf("content.story.fragments[%d]", i)
			s.wantType(f.IsObject(), f, at)
			text := s.text(f.Get("data"), at+".data")
			switch origin := s.text(f.Get("origin"), at+".origin"); {
			case origin == "user" && strings.TrimSpace(text) != "":
				started = true
				played.add(strings.TrimPrefix(strings.TrimSpace(text), "> "), "")
			case started:
				played.text.WriteString(text) // fragments are pieces of sentences
			default:
				begin.WriteString(text)
			}
		}
		opening = begin.String()
		played.end()
	}
	s.Content.People.Card.FirstMes = strings.TrimSpace(cmp.Or(opening, s.Content.People.Card.FirstMes))
	if content.Get("document").Exists() {
		text := "is the text of a newer version, in a binary form that is not read: "
		if opening == "" {
			text += "the story begins without its text; export it as text and set the opening"
		} else {
			text += "the story has the older form of its text"
		}
		s.warn("content.document", "", codeNotUsed, text)
	}
}

// playedTurns adds the turns of a story that was played elsewhere to a start.
type playedTurns struct {
	start *Start
	said  string          // the line of the player
	text  strings.Builder // the narration after it
}

// add adds a line of the player, which begins a turn, or a part of the narration.
func (p *playedTurns) add(said, narration string) {
	if said != "" {
		p.end()
		p.said = said
	}
	if narration != "" {
		p.text.WriteString("\n" + narration)
	}
}

// end ends the present turn, if it has anything.
func (p *playedTurns) end() {
	if text := strings.TrimSpace(p.text.String()); p.said != "" || text != "" {
		p.start.Setup.Turns = append(p.start.Setup.Turns, state.Turn{ActorID: playerID, UserInput: p.said, Text: text})
	}
	p.said = ""
	p.text.Reset()
}

// addKobold reads a story of KoboldAI. Its memory describes the world, its author's note is
// inserted at a depth, and its prompt opens the story. Its actions are the turns that were played.
func (s *Start) addKobold(file tree.Value) {
	c := card.Card{Name: "Story", Description: s.text(file.Get("memory"), "memory"), FirstMes: s.text(file.Get("prompt"), "prompt")}
	if note := s.text(file.Get("authorsnote"), "authorsnote"); note != "" {
		if around := s.text(file.Get("anotetemplate"), "anotetemplate"); strings.Contains(around, "<|>") {
			note = strings.Replace(around, "<|>", note, 1)
		}
		setNote(&c, note, 3)
	}
	s.setStoryCard(c)
	played := playedTurns{start: s}
	for i, action := range s.list(file.Get("actions"), "actions") {
		played.add(spokenAction(s.text(action, fmt.Sprintf("actions[%d]", i))))
	}
	played.end()
	if entries := file.Get("worldinfo"); entries.Len() > 0 {
		s.storyBook(c.Name, file)
	}
}

// spokenAction splits an action into the player's part and the narration. The player's part is
// between marks, or begins with "> ".
func spokenAction(text string) (said, narration string) {
	if before, rest, ok := strings.Cut(text, "{{[INPUT]}}"); ok {
		inner, after, _ := strings.Cut(rest, "{{[OUTPUT]}}")
		return strings.TrimSpace(inner), strings.TrimSpace(before + after)
	}
	var own, others []string
	for line := range strings.Lines(text) {
		if line, ok := strings.CutPrefix(strings.TrimSpace(line), "> "); ok {
			own = append(own, line)
		} else {
			others = append(others, strings.TrimRight(strings.TrimRight(line, "\n"), "\r"))
		}
	}
	return strings.Join(own, "\n"), strings.TrimSpace(strings.Join(others, "\n"))
}

// setNote puts an author's note at a depth of the chat.
func setNote(c *card.Card, text string, depth int) {
	if strings.TrimSpace(text) == "" {
		return
	}
	data, _ := json.Marshal(card.DepthPrompt{Prompt: text, Depth: depth, Role: card.RoleSystem}) // always has a JSON form
	c.Extensions = map[string]json.RawMessage{"depth_prompt": data}
}

func (s *Start) setStoryCard(c card.Card) {
	c.Name = strings.TrimSpace(c.Name)
	c.Name = cmp.Or(c.Name, "Story")
	s.Content.People.Card = &c
}

// storyBook attaches the lorebook of a story.
func (s *Start) storyBook(name string, source tree.Value) {
	book, found := format.Parse(source.AppendJSON(nil))
	book.Name = cmp.Or(book.Name, name)
	known := slices.DeleteFunc(found, func(p talewright.Problem) bool { // parts of the story that are read elsewhere
		return !strings.Contains(p.Path, "[") && p.Code == "not_carried"
	})
	s.attach(book, worldbook.SourceCharacter, known)
}
