package script

import (
	"encoding/json"
	"math"

	"github.com/talewright/talewright/internal/openjson"
)

// Script is one search-and-replace script. Its JSON form is the form of SillyTavern's files;
// unknown members are kept.
type Script struct {
	ID      string `json:"id"`
	Name    string `json:"scriptName"`    // display name, need not be unique
	Find    string `json:"findRegex"`     // the pattern, /body/flags or the body alone
	Replace string `json:"replaceString"` // may have groups and macros
	// Trim are plain texts. Every occurrence of them is removed from each group and match that the
	// replacement inserts, one text after the other. They may have macros.
	Trim []string `json:"trimStrings"`
	// Placement lists the kinds of text for the script. An empty list matches no text.
	Placement []Placement `json:"placement"`
	Disabled  bool        `json:"disabled"`
	Display   bool        `json:"markdownOnly"` // changes texts for display
	Prompt    bool        `json:"promptOnly"`   // changes texts for the model
	OnEdit    bool        `json:"runOnEdit"`    // also runs when a text is edited
	Macros    MacroMode   `json:"substituteRegex"`
	// MinDepth and MaxDepth limit the depth of a message, if the caller knows it. nil, a MinDepth
	// below -1 and a MaxDepth below 0 mean no limit.
	MinDepth *float64       `json:"minDepth"`
	MaxDepth *float64       `json:"maxDepth"`
	Extra    openjson.Extra `json:"-"`
}

// Placement is a kind of text.
type Placement int

// The kinds of text. Old files have two more, 0 and 4, which [Parse] converts.
const (
	UserInput    Placement = 1
	AIOutput     Placement = 2
	SlashCommand Placement = 3
	WorldInfo    Placement = 5
	Reasoning    Placement = 6

	oldDisplay Placement = 0
	oldSendAs  Placement = 4
)

// MacroMode says how macros in a pattern are handled. They are expanded once for each run of the
// script.
type MacroMode int

// The modes.
const (
	NoMacros      MacroMode = 0 // braces are part of the pattern
	RawMacros     MacroMode = 1 // the result of a macro is part of the pattern
	EscapedMacros MacroMode = 2 // the result of a macro matches itself literally
)

// MarshalJSON writes all members, as SillyTavern's editor does, then the unknown ones.
func (s Script) MarshalJSON() ([]byte, error) {
	type plain Script
	w := plain(s)
	if w.Trim == nil {
		w.Trim = []string{}
	}
	if w.Placement == nil {
		w.Placement = []Placement{}
	}
	for _, depth := range [...]**float64{&w.MinDepth, &w.MaxDepth} {
		if d := *depth; d != nil && (math.IsNaN(*d) || math.IsInf(*d, 0)) {
			*depth = nil // no bound, as when it runs
		}
	}
	return openjson.Encode(w, s.Extra)
}

// UnmarshalJSON reads a script as SillyTavern does: values of wrong types are converted. [Parse]
// also reports them.
func (s *Script) UnmarshalJSON(data []byte) error {
	_, err := s.read(data)
	return err
}

// wrongMember is a member of a wrong type.
type wrongMember struct{ member, text string }

// read reads a script and returns the members of wrong types.
func (s *Script) read(data []byte) ([]wrongMember, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	r := memberReader{members: all}
	*s = Script{
		ID: r.text("id"), Name: r.text("scriptName"), Find: r.text("findRegex"),
		Replace: r.text("replaceString"), Trim: r.texts("trimStrings"),
		Placement: r.placements("placement"), Disabled: r.boolean("disabled"),
		Display: r.boolean("markdownOnly"), Prompt: r.boolean("promptOnly"), OnEdit: r.boolean("runOnEdit"),
		Macros: r.mode("substituteRegex"), MinDepth: r.depth("minDepth"), MaxDepth: r.depth("maxDepth"),
	}
	if len(r.members) > 0 {
		s.Extra = r.members
	}
	return r.odd, nil
}
