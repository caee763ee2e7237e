package imports

import (
	"bytes"
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// Options set what a file cannot contain. The zero value is useful.
type Options struct {
	// Name is the name of a lorebook or a role-play configuration that has none; empty: the name in
	// the file, or no name.
	Name string
	// ID is the ID of the campaign; empty: "campaign".
	ID string
	// Player is the name of the player's character, whose ID is "player"; empty: "Player", or "玩家"
	// if the engine's own sentences are Chinese. For a persona, set the Background of this character
	// in the setup.
	Player string
	// Greeting is the number of the opening, from 0. A number that does not exist means 0.
	Greeting int
	// Clock is the time for the macros of initial data, such as {{date}}. The zero time means that
	// there is no clock: such macros stay as they are.
	Clock time.Time
	// Chat begins a talk with the character of the card instead of a game. The settings are
	// dialog.manual_type [game.ChatDialog], without a game master and tools, and conflict.mode off,
	// because a talk has no rules to contradict. If players should read while the model writes,
	// also set conflict.intercept_output off, see [campaign.Provisional].
	Chat bool
	// Regex decides whether the regex scripts of a file run. It is called once for each card or
	// preset with scripts; nil allows them. Scripts change only texts of this campaign, within
	// limits, and hide nothing from the engine. Without them the model reads the markup that most
	// scripted cards hide. Allowed scripts are reported as the problem "card_regex", which lists
	// what they change. Denied scripts stay in the content as a denied list, which [game.Compile]
	// reports.
	//
	// The answers are in the setting "imports.regex_scripts" of the setup, by the hash of the scripts,
	// so the campaign stores them. See Settings for a later import.
	Regex func(script.List) bool
	// Settings are the settings of the stored campaign that continues with this file. Their answers
	// apply, and Regex is called only for new and changed scripts. The setup then has all answers: put
	// them into the campaign with turn.PatchSettings.
	Settings setting.Snapshot
	// CBS says that the texts of the file are in the curly-brace language of RisuAI. Files that
	// RisuAI has written are recognised without it: a card with the extension risuai, an archive with
	// a module, a book of the type "risu". A card with templates or with scripts of TavernHelper, and
	// without blocks such as {{#if}}, is for SillyTavern, even if RisuAI has exported it.
	CBS bool
	// Texts are the engine's own sentences. If it is nil, the language of the file decides:
	// game.Chinese() if most of its texts (opening, descriptions and lore) are Chinese, else
	// game.English().
	Texts *game.Texts
	// MVU configures how the variables of a story for the MVU framework are read and played, see
	// [Start.AddBook].
	MVU mvu.Options
}

// Start is the content of a game and the setup of a campaign.
type Start struct {
	Content game.Content
	Setup   state.Setup

	problems talewright.Problems // the findings of the readers
	name     string              // Options.Name
	unnamed  bool                // Options.Player is empty
	greeting int                 // Options.Greeting
	clock    time.Time           // Options.Clock

	mvu       mvu.Options            // Options.MVU, with the schema that was found
	regex     func(script.List) bool // Options.Regex
	answers   tree.Value             // the stored answers of Options.Regex; absent without any
	cbs       bool                   // Options.CBS
	languages *sync.Map              // the language of each text, see languageOf
	texts     *game.Texts            // the value of Content.Extensions.Texts that was chosen by the language
	// authored is the opening before its macros were expanded, expanded is the result. greeted is
	// the greeting that the setup then got.
	authored, expanded, greeted string
	greetings                   []string // of the card, as authored
	// before and after are the variables of the setup before and after the initial data of MVU.
	before, after tree.Document
	dialects      []game.Dialect // that were chosen for MVU
}

// playerID is the ID of the player's character.
const playerID = "player"

// Begin returns a start with one player and nothing else. Fill it by hand or with [Start.AddBook].
func Begin(o Options) Start {
	o.ID = cmp.Or(o.ID, "campaign")
	unnamed := o.Player == ""
	if unnamed {
		o.Player = defaultPlayer(o.Texts)
	}
	if o.MVU.StripPrefixes == nil { // models copy paths from what the macros of a card show
		o.MVU.StripPrefixes = []string{"stat_data.", "status_current_variables."}
	}
	start := Start{name: o.Name, unnamed: unnamed, greeting: o.Greeting, clock: o.Clock, mvu: o.MVU, regex: o.Regex, cbs: o.CBS, Content: game.Content{Extensions: game.Extensions{Texts: o.Texts}}, Setup: state.Setup{ID: o.ID, Characters: []state.Character{{
		ID: playerID, Name: o.Player, HP: state.HP{Current: 10, Max: 10},
		Status: state.Status{AliveState: state.Alive},
	}}}}
	if o.Chat {
		start.Setup.Settings = setting.Snapshot{
			settingkey.ManualType: tree.Text(game.ChatDialog), settingkey.ConflictMode: tree.Text("off"),
		}
	}
	start.answers = o.Settings[regexAnswers]
	return start
}

// AddBook adds a world book in any form that [format.Parse] reads. name is its name if the file has
// none.
//
// A book with an entry whose comment contains "[initvar]" was written for the MVU framework, and is
// played as such, also in a card. The entries give the variables of the setup. An <initvar> block
// or commands in the opening change them. If books give the same variable, the first added book has
// precedence, and the book of a card comes last. A schema of zod that a script of the card
// registers completes and checks the variables, see [mvu.ReadZod]; its functions run in the
// interpreter of templates. The model changes them in the language of package memvars/mvu, unless
// the content already has dialects. If constant entries or the card explain that language, the engine
// does not explain it too; if they also show the variables, prompts have no block of them
// ([game.Rules].ShowsVariables). Existing variables of the setup win. The blocks and the places
// of status pages are removed from all greetings of a card; blocks of greetings other than the
// opening are not applied. Macros in initial data are expanded with the names of the setup and the
// card. Their random numbers come from the seed of the setup.
//
// If a book of RisuAI is the first, the decorators of all books are read as RisuAI reads them.
//
// AddBook chooses the language of the engine's sentences again, see Options.Texts. Texts that the
// caller has set stay.
//
// AddBook returns the problems of the book, whose paths begin with books and the name. A file that is
// not a book is a fatal problem, with the position of a JSON syntax error.
func (s *Start) AddBook(name string, data []byte) talewright.Problems {
	before := len(s.problems)
	err := s.addBook(name, data)
	if err == nil {
		s.chooseTexts()
		if n := len(s.Content.Lore.Books); n > 0 && hasInitVar(s.Content.Lore.Books[n-1]) {
			err = s.playMVU()
		}
	}
	return append(slices.Clone(s.problems[before:]), fatal(err)...)
}

// addBook adds a book of any form.
func (s *Start) addBook(name string, data []byte) error {
	book, found := format.Parse(data)
	if err := found.Err(); err != nil {
		return orSyntaxError(data, err)
	}
	book.Name = cmp.Or(book.Name, name)
	risu := isRisu(data)
	if s.cbs || risu {
		s.writesCBS(book.Name)
	}
	if settings := &s.Content.Lore.Settings; risu && len(s.Content.Lore.Books) == 0 {
		if reflect.ValueOf(*settings).IsZero() {
			*settings = worldbook.Exact()
		}
		settings.Decorators = worldbook.DecoratorsCardV3
	}
	s.attach(book, worldbook.SourceGlobal, found)
	return nil
}

// isRisu reports whether a file is a book of RisuAI. Most files have no word of it, and need not be read
// again.
func isRisu(data []byte) bool {
	if !bytes.Contains(data, []byte("risu")) {
		return false
	}
	name, _ := format.Detect(data)
	return name == format.Risu
}

// attach adds a book of the file to the content, and the findings of its reader to the problems. A
// book without entries is not added.
func (s *Start) attach(book worldbook.Book, source worldbook.Source, found talewright.Problems) {
	part := "books"
	if book.Name != "" {
		part += "." + book.Name
	}
	s.addProblems(part, found)
	s.addProblems(part, addPositions(&book))
	if len(book.Entries) > 0 {
		s.Content.Lore.Books = append(s.Content.Lore.Books,
			worldbook.Attachment{Book: book, Sources: []worldbook.Source{source}})
	}
}

// addPositions gives the entries of a book a place in the prompt if no entry has one, as in files that are
// written by hand. SillyTavern would activate them and send nothing.
func addPositions(book *worldbook.Book) talewright.Problems {
	has := func(e worldbook.Entry) bool { return e.Position != worldbook.PositionNone }
	if len(book.Entries) == 0 || slices.ContainsFunc(book.Entries, has) {
		return nil
	}
	for i := range book.Entries {
		e := &book.Entries[i]
		if e.Position = worldbook.PositionBeforeCharacter; math.IsNaN(e.Order) {
			e.Order = 100
		}
	}
	return talewright.Problems{{Path: "entries", Code: codeNoPosition, Severity: talewright.Warning,
		Text: "no entry has a position: all come before the character; add a position to each"}}
}

// codeNoPosition is the code of the problem of a book without positions.
const codeNoPosition talewright.Code = "no_position"

// setOpening sets the opening of the story, with the names expanded.
func (s *Start) setOpening(id, text, char string) {
	s.Setup.GreetingID = id
	s.chooseTexts() // the language decides about the name of the player
	if c := s.Content.People.Card; c != nil && (slices.Contains(s.Content.Prompt.CBS, c.Name) || s.hasRunningParts(text)) {
		return // the campaign expands it, and keeps the variables that it stores
	}
	s.Setup.Greeting = s.expand(text, char)
	s.authored, s.expanded, s.greeted = text, s.Setup.Greeting, s.Setup.Greeting
}

// hasRunningParts reports whether an opening has more than names and variables: templates, or
// macros of chance, of time, or that store variables. The names are left out, because they may have
// braces.
func (s *Start) hasRunningParts(text string) bool {
	return strings.Contains(s.expandFor("-", text, "-"), "{{") || strings.Contains(text, "<%") ||
		slices.ContainsFunc(macro.Compile(text).Variables(), func(v macro.VariableUse) bool { return v.Stores })
}

// expand expands the names and the variables in an opening.
func (s *Start) expand(text, char string) string { return s.expandFor(s.user(), text, char) }

func (s *Start) expandFor(user, text, char string) string {
	out, _ := macro.Expand(text, macro.Env{User: user, Char: char,
		Stores: s.Content.Stores(s.Setup.Variables, s.Content.People.Card)})
	return out
}

// user returns the name of the player's character, or "" if there is none.
func (s *Start) user() string {
	if len(s.Setup.Characters) == 0 {
		return ""
	}
	return s.Setup.Characters[0].Name
}

// warn adds a warning about a part of the file.
func (s *Start) warn(path, id string, code talewright.Code, text string) {
	s.problems = append(s.problems, talewright.Problem{Path: path, ID: id, Code: code, Severity: talewright.Warning, Text: text})
}

// addProblems adds the findings of a reader to the problems. part is the prefix of their paths; it is empty
// if they already have it.
func (s *Start) addProblems(part string, list talewright.Problems) {
	s.problems = append(s.problems, list.In(part)...)
}
