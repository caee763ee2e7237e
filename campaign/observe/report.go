package observe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/utf8text"
)

// Report explains one turn to people:
//
//   - the lore that was active, and the lore that was nearly active;
//
//   - the parts of the prompt, and the parts that did not fit;
//
//   - the calls of the model, and their refusals;
//
//   - the claims that the model lists for its text, and the calls that support them;
//
//   - the contradictions of the state;
//
//   - the rules that fired, and the rules that nearly fired;
//
//   - hooks, dice, and memories.
//
//     r, err := engine.Report(ctx, id, turnID) // of any turn that was ever played
//     fmt.Print(r)                             // as text
//     err = r.WriteHTML(file)                  // as one page that loads nothing
//     data, err := json.Marshal(r)             // for other programs
//
// A report can be made without an engine. Everything that happened is in the turn, so [Of] needs
// only the turn. What nearly happened is not stored: [turn.Record.Explain] computes it, and
// [campaign.Engine.Explain] does so for a line that is not submitted yet:
//
//	why, err := record.Explain(game, before, nil)
//	r := observe.Of(*record.Turn, why)
//
// A report contains the words of players and models unchanged. The page shows them as text: markup
// in them has no effect. The page has no scripts, and loads nothing from a server. The functions
// are pure and safe for concurrent use.
type Report struct {
	Title    string    `json:"title"`
	Sections []Section `json:"sections"`

	source *source // nil for a report from JSON
}

// Section is one aspect of the turn. A report has no empty sections.
type Section struct {
	Name  string `json:"name"` // stable, such as "lore"
	Title string `json:"title"`
	Items []Item `json:"items"`
}

// Item is one decision.
type Item struct {
	Mark Mark `json:"mark"`
	// Name is the subject, an ID in most sections. Text says what happened to it, and why.
	Name string `json:"name,omitempty"`
	Text string `json:"text,omitempty"`
	// Tokens is the size of a part of the prompt.
	Tokens int `json:"tokens,omitempty"`
}

// Mark classifies how something ended.
type Mark string

// The marks.
const (
	Done    Mark = "done"    // it took effect
	Near    Mark = "near"    // it nearly took effect; the text gives the reason
	Refused Mark = "refused" // it was requested and refused
	Note    Mark = "note"    // none of these
)

// Of explains a turn. why adds what nearly happened; the zero value adds nothing.
func Of(t state.Turn, why turn.Explanation) Report {
	b := builder{turn: t, why: why}
	r := Report{Title: b.title(), source: &source{turn: t, why: why}}
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

// sections lists all aspects, in the order of a turn.
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

// signs are the marks in the text form.
var signs = map[Mark]string{Done: "+", Near: "~", Refused: "x", Note: " "}

// String returns the report as text, one line an item: "+" took effect, "~" nearly did, "x" was
// refused. Words of players and models cannot imitate lines of the report. Further lines of an item
// begin with "|". Control characters are escaped as in Go (\r, \x1b).
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
