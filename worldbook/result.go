package worldbook

import "strings"

// Result is the result of a scan. It shares no memory with the input.
type Result struct {
	// Activated lists the entries in activation order.
	Activated []Activation `json:"activated"`
	// Before and After are the texts around the character's definitions, top to bottom. Entries
	// with an empty text are activated but placed nowhere.
	Before []Placed `json:"before,omitempty"`
	After  []Placed `json:"after,omitempty"`
	// Depth holds the texts inside the chat.
	Depth []DepthGroup `json:"depth,omitempty"`
	// NoteTop and NoteBottom enclose the author's note, see [Result.Note].
	NoteTop    []Placed `json:"noteTop,omitempty"`
	NoteBottom []Placed `json:"noteBottom,omitempty"`
	// Examples are the texts before or after the example messages, in one list.
	Examples []Example `json:"examples,omitempty"`
	// Outlets hold the texts of named slots, in order of first use.
	Outlets []Outlet `json:"outlets,omitempty"`
	// Cut lists the entries that the budget refused.
	Cut []Cut `json:"cut,omitempty"`
	// Budget is the number of available tokens. Used is the number of spent tokens.
	Budget     int  `json:"budget"`
	Used       int  `json:"used"`
	Overflowed bool `json:"overflowed,omitempty"`
	// Rolls lists the random numbers used, in order.
	Rolls []Roll `json:"rolls,omitempty"`
	// Fuses lists the stopped regex keys. Either a search in this scan took too many steps, or the
	// key rests because of an earlier scan ([State.Fuses]). They count as not found.
	Fuses []string `json:"fuses,omitempty"`
	// Trace explains every entry, if [Input.Explain] was set.
	Trace Trace `json:"trace,omitempty"`

	noteOmitted bool
}

// Activation is one activated entry.
type Activation struct {
	ID           ID      `json:"id"`
	Comment      string  `json:"comment,omitempty"`
	Order        float64 `json:"order"`
	AutomationID string  `json:"automationId,omitempty"`
	// Text is the content with its macros expanded.
	Text   string `json:"text"`
	Reason Reason `json:"reason"`
	// Literal says that Text is data and not a template, see [Entry.Literal].
	Literal bool `json:"literal,omitempty"`
	// Trimmed is the number of tokens that [Options.MaxTokens] removed from the text.
	Trimmed int `json:"trimmed,omitempty"`
	// Loop is the number of the loop that activated the entry, from 0.
	Loop int `json:"loop"`
	// Hides names the parts of the host's prompt that the entry removes (decorator
	// disable_ui_prompt).
	Hides []string `json:"hides,omitempty"`
	// Inject is set if the text goes into a part of the host's prompt instead of a position
	// (decorator inject_at).
	Inject *Injection `json:"inject,omitempty"`
}

// Placed is one text and its entry.
type Placed struct {
	ID    ID      `json:"id"`
	Text  string  `json:"text"`
	Order float64 `json:"order"`
	// Constant says that the entry needs no key.
	Constant bool `json:"constant,omitempty"`
	// Literal says that Text is data and not a template, see [Entry.Literal].
	Literal bool `json:"literal,omitempty"`
}

// DepthGroup is a group of texts at one place inside the chat.
type DepthGroup struct {
	// Depth is the number of messages below. Nil is a missing depth: only missing-depth
	// produces it, and hosts treat it as 4.
	Depth   *int     `json:"depth"`
	Role    Role     `json:"role"`
	Entries []Placed `json:"entries"`
}

// Example is a text next to the example messages.
type Example struct {
	Placed
	// After places it after the example messages.
	After bool `json:"after,omitempty"`
}

// Outlet is a named slot.
type Outlet struct {
	Name    string   `json:"name"`
	Entries []Placed `json:"entries"`
}

// Cut is an entry that the budget refused. Tokens is the total with its text, or 0 if the entry was
// not measured because the budget had already overflowed. Budget is the limit.
type Cut struct {
	ID     ID  `json:"id"`
	Tokens int `json:"tokens"`
	Budget int `json:"budget"`
	// By names the [Limit] that refused the entry, for example `tokens of book "main"`. Then Tokens
	// and Budget are its numbers: of tokens or of entries. Empty is the budget of all entries.
	By string `json:"by,omitempty"`
}

// Roll is one random number used. Group is set for a choice among a group.
type Roll struct {
	ID    ID      `json:"id"`
	Group string  `json:"group,omitempty"`
	Value float64 `json:"value"`
}

// Join returns the texts joined by newlines.
func Join(texts []Placed) string {
	parts := make([]string, len(texts))
	for i, t := range texts {
		parts[i] = t.Text
	}
	return strings.Join(parts, "\n")
}

// Note returns the author's note with the entries around it: the top entries, a newline, the note,
// a newline, the bottom entries. One leading and one trailing newline are removed. The result is
// empty if [Input.NoteOmitted] was set.
func (r *Result) Note(note string) string {
	if r.noteOmitted {
		return ""
	}
	if len(r.NoteTop)+len(r.NoteBottom) == 0 {
		return note
	}
	text := Join(r.NoteTop) + "\n" + note + "\n" + Join(r.NoteBottom)
	return strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
}

// Outlet returns the joined texts of the named slot, empty if there are none.
func (r *Result) Outlet(name string) string {
	for _, o := range r.Outlets {
		if o.Name == name {
			return Join(o.Entries)
		}
	}
	return ""
}

// Trace explains a scan entry by entry, in entry list order.
type Trace []Explanation

// Explanation says why an entry is active or which gate stopped it.
type Explanation struct {
	ID      ID     `json:"id"`
	Comment string `json:"comment,omitempty"`
	Active  bool   `json:"active"`
	// Reason is set for active entries and for entries that were stopped after they were found.
	Reason *Reason `json:"reason,omitempty"`
	// Loop is the number of the loop that decided, from 0.
	Loop int `json:"loop"`
	// Gate is the stable text of what stopped the entry, for example "disabled",
	// "delay 3 more", "cooldown 2 left", "no key found", "probability 71 > 50",
	// `group "weather" lost to 12`, "budget 1480+90 > 1500" or
	// "secondary AND_ALL: missing 决战".
	Gate string `json:"gate,omitempty"`
	// Path lists the entries that led to this entry by recursion, first cause first.
	Path []ID `json:"path,omitempty"`
}

// String returns one line without a newline.
func (x Explanation) String() string {
	var b strings.Builder
	b.WriteString(x.ID.String())
	if x.Comment != "" {
		b.WriteString(" (" + x.Comment + ")")
	}
	switch {
	case x.Active:
		b.WriteString(": active by " + x.Reason.String())
	case x.Reason != nil:
		b.WriteString(": stopped: " + x.Gate + ", after " + x.Reason.String())
	default:
		b.WriteString(": stopped: " + x.Gate)
	}
	if len(x.Path) > 0 {
		b.WriteString(" via")
		for i, id := range x.Path {
			if i > 0 {
				b.WriteString(" >")
			}
			b.WriteString(" " + id.String())
		}
	}
	return b.String()
}

// String returns one line per entry.
func (t Trace) String() string {
	var b strings.Builder
	for _, x := range t {
		b.WriteString(x.String())
		b.WriteByte('\n')
	}
	return b.String()
}
