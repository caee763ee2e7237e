package imports

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/internal/wording"
)

// chooseTexts gives the content the engine's sentences in its language, unless somebody else has chosen them.
// It may be called again when there is more content.
func (s *Start) chooseTexts() {
	chinese := s.isChinese()
	if s.Content.Texts != s.texts || chinese == (s.texts != nil) {
		return
	}
	s.texts = nil
	if chinese {
		s.texts = new(game.Chinese())
	}
	s.Content.Texts = s.texts
}

// isChinese reports whether more of the stories' texts are Chinese than not. Each text counts once, however long
// it is: one page of HTML does not outweigh a book.
func (s *Start) isChinese() bool {
	balance := 0
	for _, text := range s.stories() {
		switch text = markup.ReplaceAllString(text, ""); {
		case wording.IsChinese(text):
			balance++
		case strings.ContainsFunc(text, unicode.IsLetter):
			balance--
		}
	}
	return balance > 0
}

// markup is what programs read in the texts of cards: tags, templates and macros. A match never runs over a second
// beginning, so that replacing is linear.
var markup = regexp.MustCompile(`<[^<>]*>|\{\{[^{}]*\}\}`)

// stories are the texts that tell of the story. Names, prompts of presets and what only creators read are not
// among them: these are often in another language.
func (s *Start) stories() []string {
	setup := &s.Setup
	texts := []string{setup.World.Background, setup.Goal.Text, setup.Summary.Text}
	if c := s.Content.Card; c == nil {
		texts = append(texts, setup.Greeting)
	} else {
		texts = append(texts, c.Description, c.Personality, c.Scenario, c.MesExample)
		texts = append(texts, c.Greetings()...)
	}
	for _, a := range s.Content.Books {
		for _, e := range a.Book.Entries {
			texts = append(texts, e.Content)
		}
	}
	for _, r := range setup.World.Rules {
		texts = append(texts, r.Text)
	}
	for _, a := range setup.Map.Areas {
		texts = append(texts, a.Description)
	}
	for _, t := range setup.Turns {
		texts = append(texts, t.Text)
	}
	return texts
}
