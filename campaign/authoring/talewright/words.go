package main

import (
	_ "embed" // the files of the messages

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/yaml"
)

// words are the messages for players and authors in one language. Some are formats: the comment names
// the arguments.
type words struct {
	Language string // of problems, for [talewright.Problems.Translated]
	Severity map[talewright.Severity]string

	// A list of problems.
	NoProblems string
	Summary    string // errors, warnings

	// The terminal of a player.
	NotPlayed      string // before the list of parts of a file that are not used as in other programs
	Prompt         string
	Hint           string // on an empty input line
	Help           string
	UnknownCommand string // the command
	UsageTo        string // of the command /to
	UnknownName    string // the name; the known names
	NotInPast      string // the text that /find looks for
	NoTurn         string
	NothingToUndo  string
	MovedTo        string // the turn after /undo or /redo
	Branches       string
	Saved          string // the file
	Bye            string
	Variables      string
	NoModel        string // in place of a reply
	RetractedReply string

	// A call that needs approval.
	CallRequest string // tool, arguments
	CallEffect  string // the fields that the call changes
	AllowCall   string
	TurnWaits   string
	Fields      map[string]string // by the constants of package conflict

	// A conflict of a reply with the state.
	Conflict  string // the kinds of conflict
	Decisions string

	BetweenItems  string // of a list
	AfterSentence string

	// Lore.
	Lore      string
	Activated string
	Inactive  string

	// The other commands.
	Passed         string // passed scenarios, all scenarios
	Failed         string
	NoTests        string
	Written        string // the file
	NextSteps      string // the folder of a new game
	CannotHold     string // the file whose format cannot hold the listed parts
	Rebuilt        string // ID, records, turns
	Imported       string // the ID
	Watching       string // the folder
	Reloaded       string
	ContentRefused string
}

// yes and no are the answers to a question, in any language.
var (
	yes = []string{"y", "yes", "是", "是的", "好", "允许"}
	no  = []string{"n", "no", "否", "不", "不允许"}
)

var (
	//go:embed words.en.yaml
	wordsEn string
	//go:embed words.zh.yaml
	wordsZh string

	english = yaml.Embedded[words](wordsEn)
	chinese = yaml.Embedded[words](wordsZh)
)

// wordsIn returns the messages in Chinese for the language zh, and else in English.
func wordsIn(language string) *words {
	w := english()
	if language == "zh" {
		w = chinese()
	}
	return &w
}
