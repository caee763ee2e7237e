package imports

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook/format"
)

// Parse begins a story with one file of a different program, as its author exported it.
//
//   - A character card, in any form that [card.Parse] reads: a PNG picture, JSON or a CHARX archive.
//     A card may also be in YAML, up to 4 MiB. Its lorebook is attached, and the campaign opens with its
//     greeting. Setup.Greeting has the text,
//     unless it has templates, or macros of chance, time or variables: the campaign runs these when it
//     begins, and State.Greeting has the result. The model is a game master
//     whose story includes the character or, with Options.Chat, the character. The lorebook of a V3
//     card acts by the V3 specification, including decorators; an older lorebook acts as in
//     SillyTavern. Variables of MVU are played, see [Start.AddBook]. The regex scripts of the card
//     run, unless Options.Regex denies them.
//   - A scenario or a story of NovelAI, or a story of KoboldAI, as a card: memory, note, lore, opening, and the
//     turns that were played.
//   - An exported world that [reactions.ParseYumina] reads. It is played as in Yumina, with its
//     variables, modules, rules, reactions and reply rules. Its entries become world books, one for
//     each module, which open and close with the module. Its greeting entries become openings;
//     modules and variables of mode greeting refer to their IDs.
//   - A RoleplayConfig, bare or as a member of a request, that [format.ParseRoleplay] reads. The
//     model plays the text of its character card, and its world book is scanned by its settings.
//   - A world book in any other form that [format.Parse] reads, see [Start.AddBook].
//
// The problems list what of the file does not play. If the file is not one of these, or cannot be
// read, a problem is fatal and the start is empty. For a preset, scripts, quick replies or a chat of
// SillyTavern, it says what the file is and which function reads it.
func Parse(data []byte, o Options) (Start, talewright.Problems) {
	start := Begin(o)
	data, err := cardJSON(data)
	if err != nil {
		start.addProblems("", fatal(err))
		return start.finish()
	}
	switch kind, other := kindOf(data); kind {
	case worldFile:
		start.addWorld(data)
	case roleplayFile:
		err = start.addRoleplay(data)
	case bookFile:
		err = start.addBook(o.Name, data)
	case otherFile:
		err = talewright.Problems{other}
	default:
		if err = start.addCard(data, kind); err == nil {
			c := start.Content.People.Card
			number := start.greetingOf(c)
			start.setOpening(strconv.Itoa(number), c.Greetings()[number], c.CharName())
		}
	}
	start.addProblems("", fatal(err))
	return start.finish()
}

// maxYAML is the greatest length of a card in YAML.
const maxYAML = 4 << 20

// cardJSON returns a card in YAML as JSON, and any other file unchanged. A text with the name of a
// specification that is neither JSON nor YAML is an error.
func cardJSON(data []byte) ([]byte, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(text) == 0 || len(text) > maxYAML || text[0] == '{' || text[0] == '[' || !utf8.Valid(text) {
		return data, nil
	}
	converted, err := yaml.JSON(string(text))
	if err == nil {
		if _, err := card.Open(converted); err == nil {
			return converted, nil
		}
	} else if yamlCard.Match(text) {
		return nil, fmt.Errorf("the card is YAML with a mistake or a rare form (%w): correct it, or convert it to JSON", err)
	}
	return data, nil
}

// yamlCard matches the line of a card in YAML that names its specification.
var yamlCard = regexp.MustCompile(`(?m)^spec: *["']?chara_card`)

// finish plays the variables of MVU and chooses the language, when everything else is read.
func (s *Start) finish() (Start, talewright.Problems) {
	if s.problems.Err() == nil {
		s.chooseTexts() // initial data may have the name of the player
		s.addProblems("", fatal(s.playMVU()))
	}
	if s.problems.Err() != nil {
		return Start{}, s.problems
	}
	s.chooseTexts()
	s.storeAnswers()
	return *s, s.problems
}

// fatal returns an error of a reader as problems, and nothing for nil.
func fatal(err error) talewright.Problems {
	if err == nil {
		return nil
	}
	if list, ok := err.(talewright.Problems); ok {
		return list
	}
	p := talewright.Problem{Severity: talewright.Fatal, Text: err.Error()}
	if list, ok := errors.AsType[talewright.Problems](err); ok {
		p.Code = list[0].Code
	}
	return talewright.Problems{p}
}

// kind says which reader a file needs.
type kind int

const (
	cardFile  kind = iota // also a file that no reader recognises
	storyFile             // of NovelAI or KoboldAI
	worldFile
	roleplayFile
	bookFile
	otherFile // one of otherFiles
)

// kindOf recognises a file by its members. other is the problem of an otherFile.
func kindOf(data []byte) (k kind, other talewright.Problem) {
	root, err := readRoot(data)
	spec, _ := root.Get("spec").AsText()
	switch isStory := isScenario(root) || isNovelStory(root) || isKobold(root); {
	case strings.HasPrefix(spec, "chara_card"), isStory && err != nil:
		return cardFile, other
	case isStory:
		return storyFile, other
	}
	if other, is := otherFileOf(root); is {
		return otherFile, other
	}
	if err == nil && (isWorld(root) || isWorld(root.Get("world")) || isWorld(root.Get("schema")) || isWorld(root.Get("worldDefinition"))) {
		return worldFile, other
	}
	switch name, unknown := format.Detect(data); { // it recognises also a book in YAML
	case unknown != nil:
		return cardFile, other
	case err == nil && name == format.RoleplayConfig:
		return roleplayFile, other
	}
	return bookFile, other
}

// isWorld reports whether an object has a list that only an exported world has.
func isWorld(v tree.Value) bool {
	for _, name := range []string{"variables", "modules", "worldbooks", "rules", "reactions", "replyRules"} {
		if v.Get(name).IsArray() {
			return true
		}
	}
	for _, e := range v.Get("entries").Elements() {
		if _, ok := e.Get("role").AsText(); ok { // in books of SillyTavern it is a number
			return true
		}
	}
	return false
}
