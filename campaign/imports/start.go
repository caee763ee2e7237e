package imports

import (
	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// Options say what a file cannot know. The zero value is useful.
type Options struct {
	// ID is the campaign's; empty: "campaign".
	ID string
	// Player is the name of the player's character, whose id is "player"; empty: "Player".
	Player string
	// Greeting is the number of the opening, from 0. One that there is none of means 0.
	Greeting int
	// Chat begins a talk with the card's character in place of a game: the settings say
	// dialog.manual_type [game.ChatDialog], without a game master and tools, and conflict.mode
	// off, since what is told contradicts no rules. Where players are to read while the model
	// writes, set conflict.intercept_output off beside them, see [campaign.Provisional].
	Chat bool
	// Regex decides whether the regex scripts of a file run. It is called once for each card or preset that
	// has some; nil allows them. Scripts change texts of this campaign alone, within bounds, and hide
	// nothing from the engine; without them the model reads the markup that most scripted cards hide. Allowed
	// ones are the problem [ScriptsRun], which says what they change. The others stay in the content as a denied
	// list, which [game.Compile] reports. Ask again when the scripts of a file have changed.
	Regex func(script.List) bool
	// Texts are the engine's own sentences. nil chooses them by the language of the file: game.Chinese() where
	// more of its texts are Chinese than not (opening, descriptions and lore), else game.English().
	Texts *game.Texts
	// MVU says how the variables are read and played of a story that was written for the MVU
	// framework, see [Start.AddBook].
	MVU mvu.Options
}

// Start is a game and the beginning of a campaign in it.
type Start struct {
	Content game.Content
	Setup   state.Setup
	// Problems are what the readers of the file found. What is wrong with the content is
	// found by [game.Compile].
	Problems talewright.Problems

	mvu   mvu.Options
	regex func(script.List) bool
	texts *game.Texts // what Content.Texts was set to by the language
	// authored is the opening before its macros were expanded, expanded is what became of it.
	authored, expanded string
}

// playerID is the id of the player's character.
const playerID = "player"

// Begin returns a stage with one player and nothing else, to be filled by hand or by
// [Start.AddBook].
func Begin(o Options) Start {
	if o.ID == "" {
		o.ID = "campaign"
	}
	if o.Player == "" {
		o.Player = "Player"
	}
	start := Start{mvu: o.MVU, regex: o.Regex, Content: game.Content{Texts: o.Texts}, Setup: state.Setup{ID: o.ID, Characters: []state.Character{{
		ID: playerID, Name: o.Player, HP: state.HP{Current: 10, Max: 10},
		Status: state.Status{AliveState: state.Alive},
	}}}}
	if o.Chat {
		start.Setup.Settings = setting.Snapshot{
			setting.ManualType: tree.Text(game.ChatDialog), setting.ConflictMode: tree.Text("off"),
		}
	}
	return start
}

// AddBook adds a world book in any form that [format.Parse] reads. name is what it is called
// if the file gives it no name.
//
// A book with an entry whose comment has "[initvar]" was written for the MVU framework, and is
// played as such, in a card too: the entries give the variables of the setup, an <initvar> block
// or commands in the opening change them, and the model does so in the language of package
// memvars/mvu, unless the content has dialects already. Variables that the setup has win. The
// blocks are cut from all greetings of a card; those of another greeting than the opening are
// not carried out. Macros in initial data are expanded with the names of the setup and the card, and draw
// from the seed of the setup.
//
// The language of the engine's sentences is chosen again, see Options.Texts. Texts that the caller has
// set stay.
//
// The error says that the file is none of a book's, or where its JSON is broken. What the
// book cannot express is added to the problems, whose paths begin with books and the name.
func (s *Start) AddBook(name string, data []byte) error {
	if err := s.addBook(name, data); err != nil {
		return err
	}
	s.chooseTexts()
	if n := len(s.Content.Books); n == 0 || !hasInitVar(s.Content.Books[n-1]) {
		return nil
	}
	return s.playMVU()
}

// addBook adds a book of any form.
func (s *Start) addBook(name string, data []byte) error {
	book, _, odd := format.Parse(data)
	if err := odd.Err(); err != nil {
		return orBroken(data, err)
	}
	if book.Name == "" {
		book.Name = name
	}
	s.attach(book, worldbook.SourceGlobal, odd)
	return nil
}

// attach adds a book of the file's to the content, and what its reader found to the problems.
// One without entries is none.
func (s *Start) attach(book worldbook.Book, source worldbook.Source, odd talewright.Problems) {
	part := "books"
	if book.Name != "" {
		part += "." + book.Name
	}
	s.odd(part, odd)
	if len(book.Entries) > 0 {
		s.Content.Books = append(s.Content.Books,
			worldbook.Attachment{Book: book, Sources: []worldbook.Source{source}})
	}
}

// greet makes a text the opening of the story, with the names in it.
func (s *Start) greet(id, text, char string) {
	s.Setup.GreetingID = id
	s.Setup.Greeting, _ = macro.Expand(text, macro.Env{User: s.user(), Char: char})
	s.authored, s.expanded = text, s.Setup.Greeting
}

// user is the name of the player's character, as far as it is known.
func (s *Start) user() string {
	if len(s.Setup.Characters) == 0 {
		return ""
	}
	return s.Setup.Characters[0].Name
}

// odd notes what the reader of a part found. The part is where the paths begin, empty
// where they name it themselves.
func (s *Start) odd(part string, list talewright.Problems) {
	s.Problems = append(s.Problems, list.In(part)...)
}
