package imports

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/internal/wording"
)

// chooseTexts sets the engine's sentences of the content to its language, unless the caller has set
// them. A player without a name is named in the same language. It may be called again when the
// content has grown.
func (s *Start) chooseTexts() {
	chinese := s.isChinese()
	if s.Content.Extensions.Texts != s.texts || chinese == (s.texts != nil) {
		return
	}
	before := s.texts
	s.texts = nil
	if chinese {
		s.texts = new(game.Chinese())
	}
	s.Content.Extensions.Texts = s.texts
	if s.unnamed && s.user() == defaultPlayer(before) {
		s.Setup.Characters[0].Name = defaultPlayer(s.texts)
	}
}

// defaultPlayer returns the name of a player without a name, in the language of the engine's sentences.
func defaultPlayer(texts *game.Texts) string {
	if texts != nil && texts.Hints == "zh" {
		return "玩家"
	}
	return "Player"
}

// isChinese reports whether more texts of the story are Chinese than not. Each text counts once,
// whatever its length: one page of HTML does not outweigh a book.
func (s *Start) isChinese() bool {
	balance := 0
	for _, text := range s.stories() {
		balance += s.languageOf(text)
	}
	return balance > 0
}

// languageOf returns 1 for a Chinese text, -1 for a text in a different language, and 0 for a text
// without letters. It caches the result: a caller may add many books to a long story.
func (s *Start) languageOf(text string) (sign int) {
	if s.languages == nil {
		s.languages = new(sync.Map)
	}
	if known, ok := s.languages.Load(text); ok {
		return known.(int)
	}
	switch bare := markup.ReplaceAllString(text, ""); {
	case wording.IsChinese(bare):
		sign = 1
	case strings.ContainsFunc(bare, unicode.IsLetter):
		sign = -1
	}
	s.languages.Store(text, sign)
	return sign
}

// markup matches the parts of card texts that programs read: templates with their code, decorators,
// tags and macros.
var markup = regexp.MustCompile(`(?ms)<%.*?%>|^@@[^\n]*|<[^<>]*>|\{\{[^{}]*\}\}`)

// stories returns the narrative texts. Names, prompts of presets and notes for creators are not
// included: they are often in a different language.
func (s *Start) stories() []string {
	setup := &s.Setup
	texts := []string{setup.World.Background, setup.Goal.Text, setup.Summary.Text}
	if c := s.Content.People.Card; c == nil {
		texts = append(texts, setup.Greeting)
	} else {
		texts = append(texts, c.Description, c.Personality, c.Scenario, c.MesExample)
		texts = append(texts, c.Greetings()...)
	}
	for _, a := range s.Content.Lore.Books {
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
