package game

import (
	"cmp"
	_ "embed" // the files of the folder texts
	"maps"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/prompt"
)

// Texts are the sentences that the engine writes into prompts. [English] and [Chinese] are
// complete. A host changes single fields of a copy.
type Texts struct {
	Persona        string // gm_persona, unless the character card has a system prompt
	Chat           string // gm_persona for the dialog type chat; {{char}} is the speaker
	Authority      string
	Title          map[BlockID]string // heading of a block
	HiddenGoal     string             // the instruction never to reveal the goal
	Acceleration   [3]string          // the instruction for each tier of the pacing
	DialogScene    string
	DialogAction   string
	DialogRules    string
	DialogFreeChat string
	ToolFeedback   string // before the JSON of refused calls
	ConflictDebug  string // before the JSON of conflicts
	OutputDebug    string // asks for a new answer, because this one is unreadable, truncated or without narration
	ToolResults    string // before the JSON of results
	OnlyCommands   string // after an answer with only commands: they take effect, and the narration is missing
	Narrate        string // the second phase of plan_narrate
	PlanOnly       string // the first phase of plan_narrate
	Update         string // the second request of a turn, see the setting variables.second_model
	// Continue, SuggestActions, SuggestLines and Impersonate come at the end of prompts that ask
	// for something other than an answer, if [Prompt.Preset] has no text for this. They are
	// templates; {n} is the number of wanted suggestions.
	Continue       string
	SuggestActions string
	SuggestLines   string
	Impersonate    string
	CastReply      string // at the end of a prompt for a member of a cast; {{char}} is the member
	Claims         string // how to list the claims of an answer, if the setting conflict.claims asks for it
	ListClaims     string // the description of the tool with which a model lists its claims
	Commands       string // before the refused requests of the last answer
	// Languages are the instructions how to write the passages that a dialect reads, by its name.
	Languages     map[string]string
	Changes       string // heading before Languages
	Writable      string // before the declared variables that the model may write
	Remembered    string // before each memory; {turn} is the index of its turn
	Witnessed     string // before texts that only some characters know; {names} are these characters
	Secrecy       string // the instruction for texts that only some characters know
	Whispered     string // says that only {names} hear the present turn
	SummaryDue    string // the request to summarize the short memory; {path} is its place
	Hidden        string // the meaning of {mark} in variables
	Variables     string // before the rendered variables
	Exits         string
	Locked        string                      // after the name of something locked; {why} is DisabledUntil and the reason
	DisabledUntil string                      // {until} is the time
	HP            string                      // before hit points in the block "status"
	Life          map[state.AliveState]string // life states in the block "status"; a missing one appears as its ID
	Args          string                      // before the schema of a tool's arguments
	Refuses       string                      // before the reasons for which a tool refuses
	Empty         string                      // in place of an answer without any text
	LeftOut       string                      // in place of the omitted part of a long answer; {n} is the number of bytes
	// Shape has the texts that [Prompt.Shape] and [Prompt.RefusesPrefill] insert if the prompt has no
	// text at a place that needs one. Empty texts are English.
	Shape prompt.ShapeWords
	// Marks is the punctuation of lists that the engine writes. The zero value means English.
	Marks Marks
	// Hints is the language of the refusals of commands, directives and other writes to variables,
	// in prompts: "en" (also "") or "zh". Hints of [Rules.Commands] has precedence. It is also the
	// language of the tools, see [tool.Tool.In].
	Hints string
	// Reasons are the texts of refusals by code: the texts of the engine, and a host's replacements
	// for the texts of the built-in tools. A missing code has its English text.
	Reasons map[state.CallCode]string
	// Refusals are the sentences for players about an instruction that was refused, by its
	// [state.RefusalCode], or that failed, by its turn.FailureCode. Both are the Reason of an
	// outcome. The sentences do not name parts of the program; the errors do, for developers.
	Refusals map[string]string
	// Pages replaces words of the pages of package observe, by their keys. The default words are in
	// Chinese if Hints is "zh", else in English.
	Pages map[string]string
}

// Marks is punctuation, including its blanks.
type Marks struct {
	Colon, Semicolon string // after a label; between the parts of a card
	Comma, Item      string // between parts of a line; between the items of a list
	Open, Close      string // around an id or a remark
	Gap              string // between sentences
}

// Aside returns a text with a remark in brackets.
func (m Marks) Aside(text, remark string) string { return text + m.Open + remark + m.Close }

// Refusal returns the sentence for players about a code of [Texts].Refusals, such as the Reason of
// turn.PlayerOutcome. A code without a sentence is returned as it is.
func (t *Texts) Refusal(code string) string { return cmp.Or(t.Refusals[code], code) }

// English returns the English texts.
func English() Texts { return english().clone() }

// Chinese returns the Chinese texts.
func Chinese() Texts { return chinese().clone() }

var (
	//go:embed texts/en.yaml
	textsEn string
	//go:embed texts/zh.yaml
	textsZh string

	english = yaml.Embedded[Texts](textsEn)
	chinese = yaml.Embedded[Texts](textsZh)
)

// clone returns the texts with maps of their own.
func (t Texts) clone() Texts {
	t.Title, t.Languages, t.Life = maps.Clone(t.Title), maps.Clone(t.Languages), maps.Clone(t.Life)
	t.Reasons, t.Refusals, t.Pages = maps.Clone(t.Reasons), maps.Clone(t.Refusals), maps.Clone(t.Pages)
	return t
}

// complete returns the texts with English punctuation where they have none.
func (t Texts) complete() Texts {
	t.Marks = cmp.Or(t.Marks, English().Marks)
	return t
}
