package observe

import (
	"cmp"
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
//   - the parts of the prompt, and the parts that did not fit;
//   - the calls of the model, and their refusals;
//   - the claims that the model lists for its text, and the calls that support them;
//   - the contradictions of the state;
//   - the rules that fired, and the rules that nearly fired;
//   - hooks, dice, and memories.
//
// [campaign.Engine.Report] makes one of any turn that was ever played:
//
//	r, err := engine.Report(ctx, id, turnID)
//	fmt.Print(r)                 // as text
//	err = r.WriteHTML(file)      // as one page that loads nothing
//	data, err := json.Marshal(r) // for other programs
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

// Of explains a turn, in English; see [Report.For]. why adds what nearly happened; the zero value adds
// nothing. With the zero value of a turn, the section "lore" has every entry of why.
func Of(t state.Turn, why turn.Explanation) Report {
	return source{turn: t, why: why, words: english()}.report()
}

// report builds the sections.
func (s source) report() Report {
	b := builder{source: s}
	r := Report{Title: b.title(), source: &s}
	for _, part := range sections {
		b.items = nil
		part.fill(&b)
		if part.name == "warnings" {
			for _, text := range s.more {
				b.add(Note, "", "%s", b.Of(text))
			}
		}
		if len(b.items) > 0 {
			r.Sections = append(r.Sections, Section{Name: part.name, Title: b.Of("section." + part.name), Items: b.items})
		}
	}
	return r
}

// Warn returns the report with one more warning. A text that is a word of the pages appears in the
// language of the report.
func (r Report) Warn(text string) Report {
	if r.source != nil {
		s := *r.source
		s.more = append(slices.Clip(s.more), text)
		return s.report()
	}
	item := Item{Mark: Note, Text: text}
	if n := len(r.Sections); n > 0 && r.Sections[n-1].Name == "warnings" {
		r.Sections = slices.Clone(r.Sections)
		r.Sections[n-1].Items = append(slices.Clip(r.Sections[n-1].Items), item)
		return r
	}
	r.Sections = append(slices.Clip(r.Sections), Section{Name: "warnings", Title: english().Of("section.warnings"), Items: []Item{item}})
	return r
}

// sections lists all aspects, in the order of a turn.
var sections = []struct {
	name string
	fill func(*builder)
}{
	{"turn", (*builder).addTurn},
	{"cast", (*builder).addCast},
	{"memory", (*builder).addMemory},
	{"lore", (*builder).addLore},
	{"prompt", (*builder).addPrompt},
	{"replies", (*builder).addReplies},
	{"claims", (*builder).addClaims},
	{"calls", (*builder).addCalls},
	{"rules", (*builder).addRules},
	{"hooks", (*builder).addHooks},
	{"texts", (*builder).addTexts},
	{"changes", (*builder).addChanges},
	{"chance", (*builder).addChance},
	{"warnings", (*builder).addWarnings},
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
	w := cmp.Or(r.source, &source{words: english()}).words
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
				line += w.say("r.tokens", i.Tokens)
			}
			fmt.Fprintf(&b, "  %s %s\n", signs[i.Mark], strings.ReplaceAll(utf8text.Visible(line), "\n", "\n    | "))
		}
	}
	return b.String()
}
