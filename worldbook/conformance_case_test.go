package worldbook_test

import (
	"encoding/json"
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// scanCase is one case of a cases-*.json file.
type scanCase struct {
	Name      string   `json:"name"`
	Tags      []string `json:"tags"`
	User      string   `json:"user"`
	Char      string   `json:"char"`
	Character struct {
		File string   `json:"file"`
		Tags []string `json:"tags"`
	} `json:"character"`
	Settings    map[string]any `json:"settings"`
	MaxContext  int            `json:"maxContext"`
	Random      []float64      `json:"random"`
	AuthorsNote *struct {
		Prompt      string `json:"prompt"`
		Interval    *int   `json:"interval"`
		AllowWIScan bool   `json:"allowWIScan"`
	} `json:"authorsNote"`
	Injections     []injection `json:"injections"`
	GlobalScanData wb.ScanData `json:"globalScanData"`
	Books          []caseBook  `json:"books"`
	Turns          []caseTurn  `json:"turns"`
}

// injection is a prompt of a different part of the host. Only injections with scan set are
// searched.
type injection struct {
	Key, Value string
	Scan       bool
}

// caseBook is a book and where it is attached: one place or a list of them.
type caseBook struct {
	Name   string          `json:"name"`
	Source json.RawMessage `json:"source"`
	Book   wb.Book         `json:"book"`
}

// caseMessage is one line of the chat. System messages are hidden: they are not
// scanned and do not count.
type caseMessage struct {
	Name     string `json:"name"`
	Mes      string `json:"mes"`
	IsUser   bool   `json:"is_user"`
	IsSystem bool   `json:"is_system"`
}

// caseTurn changes the chat and the settings, then scans once. Settings, books and scan data stay
// changed. Injections and context are for this turn only.
type caseTurn struct {
	Keep           *int              `json:"keep"`
	Add            []caseMessage     `json:"add"`
	Type           wb.GenerationType `json:"type"`
	DryRun         bool              `json:"dryRun"`
	Settings       map[string]any    `json:"settings"`
	Books          []caseBook        `json:"books"`
	GlobalScanData *wb.ScanData      `json:"globalScanData"`
	Injections     []injection       `json:"injections"`
	MaxContext     *int              `json:"maxContext"`
	ForceActivate  []struct {
		World    string          `json:"world"`
		UID      json.RawMessage `json:"uid"`
		Override json.RawMessage `json:"override"`
	} `json:"forceActivate"`
	Expect expectation `json:"expect"`
}

// attachments converts the books of a case for compiling. The name is next to the book in the case,
// not in it.
func attachments(books []caseBook) []wb.Attachment {
	var list []wb.Attachment
	for _, b := range books {
		a := wb.Attachment{Book: b.Book}
		a.Book.Name = b.Name
		if json.Unmarshal(b.Source, &a.Sources) != nil {
			var one wb.Source
			_ = json.Unmarshal(b.Source, &one)
			a.Sources = []wb.Source{one}
		}
		list = append(list, a)
	}
	return list
}

// caseSettings reads settings under the names that SillyTavern gives them.
func caseSettings(t *testing.T, m map[string]any) wb.ProfileSettings {
	t.Helper()
	data, _ := json.Marshal(m)
	var s wb.ProfileSettings
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// roller repeats a list of random numbers. Each scan begins with the first.
func roller(values []float64) func() float64 {
	k := 0
	return func() float64 {
		if len(values) == 0 {
			return 0
		}
		k++
		return values[(k-1)%len(values)]
	}
}

// noteDue reports whether the author's note is inserted on this turn.
func noteDue(c *scanCase, chat []caseMessage) bool {
	interval := 1
	if c.AuthorsNote == nil {
		return false
	}
	if c.AuthorsNote.Interval != nil {
		interval = *c.AuthorsNote.Interval
	}
	users := 0
	for _, m := range chat {
		if m.IsUser {
			users++
		}
	}
	switch {
	case interval == 1:
		return true
	case interval <= 0, users == 0:
		return false
	}
	return users%interval == 0
}

// caseInput makes the input from the chat. It omits hidden messages and, for a swipe, the replaced
// reply. The author's note comes before the other injections.
func caseInput(c *scanCase, turn *caseTurn, chat []caseMessage) wb.Input {
	in := wb.Input{
		User: c.User, Char: c.Char, ContextSize: c.MaxContext, Type: turn.Type,
		Speaker: wb.Speaker{Name: c.Character.File, Tags: c.Character.Tags},
		DryRun:  turn.DryRun, Data: c.GlobalScanData, Random: roller(c.Random),
		NoteOmitted: !noteDue(c, chat), CountTokens: quarter, // the stub of the recording
	}
	if turn.MaxContext != nil {
		in.ContextSize = *turn.MaxContext
	}
	for _, m := range chat {
		if !m.IsSystem {
			in.Messages = append(in.Messages, wb.Message{Name: m.Name, Text: m.Mes})
		}
	}
	if turn.Type == wb.Swipe && len(in.Messages) > 0 {
		in.Messages = in.Messages[:len(in.Messages)-1]
	}
	injections := c.Injections
	if turn.Injections != nil {
		injections = turn.Injections
	}
	expand := strings.NewReplacer("{{user}}", c.User, "{{char}}", c.Char).Replace
	// The note is searched on the turns on which it is inserted.
	if c.AuthorsNote != nil && c.AuthorsNote.AllowWIScan && !in.NoteOmitted {
		in.Injections = append(in.Injections, expand(c.AuthorsNote.Prompt))
	}
	for _, i := range injections {
		if i.Scan {
			in.Injections = append(in.Injections, expand(i.Value))
		}
	}
	for _, f := range turn.ForceActivate {
		id := wb.ID{Book: f.World, UID: strings.Trim(string(f.UID), `"`)}
		in.Forced = append(in.Forced, wb.Forced{ID: id, Override: f.Override})
	}
	return in
}
