package observe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/utf8text"
)

// The report part explains a turn to people: which lore came and which nearly did, what the prompt
// consisted of and what had no room in it, what the model asked for and what was refused, what the
// text claims by its own list and on which calls that rests, what contradicted the state and where,
// which rules fired and which nearly did, hooks, dice, and what the memory gave.
//
//	r, err := engine.Report(ctx, id, turnID) // of any turn that was ever played
//	fmt.Print(r)                             // as text
//	err = r.WriteHTML(file)                  // as one page that loads nothing
//	data, err := json.Marshal(r)             // for other programs
//
// Without an engine: everything that happened is in the turn, and [Of] needs no more. What nearly did
// is not kept; [turn.Record.Explain] works it out, and [campaign.Engine.Explain] for a line that nobody
// has said yet:
//
//	why, err := record.Explain(game, before, nil)
//	r := observe.Of(*record.Turn, why)
//
// A report holds the words of players and models as they are. The page shows them as text: no
// markup in them counts. It has no scripts, and asks no server for anything.
//
// Everything is pure and safe for concurrent use.

// Report is the explanation of one turn.
type Report struct {
	Title    string    `json:"title"`
	Sections []Section `json:"sections"`
}

// Section is one aspect of the turn. There is none without items.
type Section struct {
	Name  string `json:"name"` // stable, such as "lore"
	Title string `json:"title"`
	Items []Item `json:"items"`
}

// Item is one decision.
type Item struct {
	Mark Mark `json:"mark"`
	// Name is what it is about, an id in most sections; Text says what became of it, and why.
	Name string `json:"name,omitempty"`
	Text string `json:"text,omitempty"`
	// Tokens is the size of a part of the prompt.
	Tokens int `json:"tokens,omitempty"`
}

// Mark says how something ended.
type Mark string

// The marks.
const (
	Done    Mark = "done"    // it counts
	Near    Mark = "near"    // it would have, but for what the text says
	Refused Mark = "refused" // it was asked for, and does not count
	Note    Mark = "note"    // neither
)

// Of explains a turn. Why adds what nearly happened; the zero value adds nothing.
func Of(t state.Turn, why turn.Explanation) Report {
	b := builder{turn: t, why: why}
	r := Report{Title: b.title()}
	for _, s := range sections {
		b.items = nil
		s.fill(&b)
		if len(b.items) > 0 {
			r.Sections = append(r.Sections, Section{Name: s.name, Title: s.title, Items: b.items})
		}
	}
	return r
}

// Warn returns the report with one more warning.
func (r Report) Warn(text string) Report {
	last := sections[len(sections)-1]
	item := Item{Mark: Note, Text: text}
	n := len(r.Sections)
	if n > 0 && r.Sections[n-1].Name == last.name {
		s := r.Sections[n-1]
		s.Items = append(slices.Clip(s.Items), item)
		r.Sections = append(slices.Clip(r.Sections[:n-1]), s)
		return r
	}
	r.Sections = append(slices.Clip(r.Sections), Section{Name: last.name, Title: last.title, Items: []Item{item}})
	return r
}

// sections are all aspects, in the order in which a turn goes.
var sections = []struct {
	name, title string
	fill        func(*builder)
}{
	{"turn", "Turn", (*builder).addTurn},
	{"cast", "Who speaks", (*builder).addCast},
	{"memory", "Memory", (*builder).addMemory},
	{"lore", "Lore", (*builder).addLore},
	{"prompt", "Prompt", (*builder).addPrompt},
	{"replies", "What the model said", (*builder).addReplies},
	{"claims", "What the text claims", (*builder).addClaims},
	{"calls", "Calls that count", (*builder).addCalls},
	{"rules", "Rules", (*builder).addRules},
	{"hooks", "Hooks", (*builder).addHooks},
	{"texts", "Texts that were changed", (*builder).addTexts},
	{"changes", "Variables", (*builder).addChanges},
	{"chance", "Dice and random numbers", (*builder).addChance},
	{"warnings", "Warnings", (*builder).addWarnings},
}

// Section returns a section by its name, empty if the turn has none.
func (r Report) Section(name string) Section {
	for _, s := range r.Sections {
		if s.Name == name {
			return s
		}
	}
	return Section{Name: name}
}

// signs are the marks in a text.
var signs = map[Mark]string{Done: "+", Near: "~", Refused: "x", Note: " "}

// String is the report as text, a line an item: "+" counts, "~" nearly did, "x" was refused. Words of players and
// models cannot look like lines of it: further lines of an item begin with "|", and control characters are
// written as in Go (\r, \x1b).
func (r Report) String() string {
	var b strings.Builder
	b.WriteString(r.Title + "\n")
	for _, s := range r.Sections {
		b.WriteString("\n" + s.Title + "\n")
		for _, i := range s.Items {
			line := i.Name
			if i.Name != "" && i.Text != "" {
				line += ": "
			}
			line += i.Text
			if i.Tokens > 0 {
				line += fmt.Sprintf(" (%d tokens)", i.Tokens)
			}
			fmt.Fprintf(&b, "  %s %s\n", signs[i.Mark], strings.ReplaceAll(utf8text.Visible(line), "\n", "\n    | "))
		}
	}
	return b.String()
}
