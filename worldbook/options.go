package worldbook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
)

// This file has the rules of an entry that SillyTavern does not have.

// Options are rules of an entry that SillyTavern does not have. In JSON they are the member
// extensions.talewright of the entry, so that files for SillyTavern keep them. Members of that
// object without a field survive reading and writing. Compile reports unknown members and values of
// a wrong type.
type Options struct {
	// When is a boolean expression of keys, for example
	//
	//	(dragon OR wyrm) AND NOT "dragon boat"
	//
	// The entry is found if the expression is true for its window. If the entry has keys, a primary
	// key and the secondary rule must be true too. Words without an operator between them are one
	// key. A key in quotation marks ("…", “…” or 「…」) may contain anything. A key /…/ is a
	// regular expression. The rules of the entry for letter case and whole words apply.
	//
	// The operators are AND, OR and NOT in capitals, or &, | and !. The signs may be doubled or in
	// full width. NOT binds tighter than AND, and AND tighter than OR. An entry whose expression
	// cannot be read is never found by its keys, and Compile reports it.
	When string
	// StickyRounds, CooldownRounds and DelayRounds replace Sticky, Cooldown and Delay of the entry
	// if they are above 0. They count rounds instead of messages ([Input.Round]). An entry with
	// StickyRounds stays active in so many rounds after the round of its activation. Then, or after
	// the round of its activation, CooldownRounds keeps it inactive in so many rounds. DelayRounds
	// keeps it inactive in the first so many rounds of the chat.
	StickyRounds, CooldownRounds, DelayRounds int
	// From lists the sources whose texts the keys are searched in. The words player and model mean
	// their lines ([Message.Role]), lore means the texts of other entries, and note means
	// [Input.Injections]. Any other text means the lines of the speaker of that name
	// ([Message.Name] or one of [Message.Aliases]), in any letter case. The texts of the character and the persona that the entry asks for are searched too.
	// Empty means all sources. The scan depth counts all messages.
	From []string
	// Actors limits the entry to turns in which one of these characters acts ([Input.Actors]), in
	// any letter case. Empty means all turns.
	Actors []string
	// MaxTokens limits the tokens of the entry's text; 0 means no limit. A longer text is cut at
	// its end or, if Trim is start, at its beginning. [Activation.Trimmed] has the removed text.
	MaxTokens int
	Trim      string // end, which is the default, or start
	// Requires names entries that must be active in the same scan. The entry waits until all of them
	// are active. A name is a uid of the same book, or the text of an [ID].
	Requires []string
	// Excludes names entries that are never active together with this entry. The first active one
	// stays. In one loop, an entry comes before the entries that it excludes; of entries that
	// exclude each other, the first one in the list does.
	Excludes []string
	// Replaces names a set of entries. A scan activates at most one entry of a set: the entry that
	// was called last. A new message that contains a primary key calls an entry, and so does the
	// host by [Input.Forced]. The called entry stays active in later scans, until a different entry
	// of the set is called. An entry of the set that is active for a different reason, such as a
	// constant entry, is the default. It is active while no called entry is active.
	Replaces string
	// Fold lists the spellings in which the keys of the entry are compared with texts, in addition
	// to the spellings of [ProfileSettings.Fold].
	Fold []string
}

// ownMember is the member of extensions that holds the options.
const ownMember = "talewright"

// noSuchFold is the problem of an unknown name in Fold.
const noSuchFold = "there is no spelling %q: use chinese or width"

// optionField connects a member to its field.
type optionField struct {
	name string
	at   any // *string, *int or *[]string
}

func (o *Options) fields() []optionField {
	return []optionField{
		{"when", &o.When},
		{"stickyRounds", &o.StickyRounds},
		{"cooldownRounds", &o.CooldownRounds},
		{"delayRounds", &o.DelayRounds},
		{"from", &o.From},
		{"actors", &o.Actors},
		{"maxTokens", &o.MaxTokens},
		{"trim", &o.Trim},
		{"requires", &o.Requires},
		{"excludes", &o.Excludes},
		{"replaces", &o.Replaces},
		{"fold", &o.Fold},
	}
}

// set reads a value into the field. If the value has a wrong type, it returns a description of the
// required type.
func (f optionField) set(raw json.RawMessage) (must string) {
	if json.Unmarshal(raw, f.at) == nil {
		return ""
	}
	switch at := f.at.(type) {
	case *string:
		return "a text"
	case *int:
		return "a whole number"
	case *[]string:
		*at = nil // what was read before the mistake does not count
	}
	return "a list of texts"
}

// isZero reports whether the field has its zero value. An empty list is zero.
func (f optionField) isZero() bool {
	switch at := f.at.(type) {
	case *string:
		return *at == ""
	case *int:
		return *at == 0
	case *[]string:
		return len(*at) == 0
	}
	return false
}

// optionMistake is a member of the options that cannot be used.
type optionMistake struct{ member, text string }

// readOptions reads the options from the extensions of an entry. It returns nil if no entry has links.
func readOptions(extensions json.RawMessage) (*Options, []optionMistake) {
	raw, ok := ownExtension(extensions)
	if !ok {
		return nil, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil, []optionMistake{{"", "must be an object, not " + openjson.Kind(raw) + ": correct it"}}
	}
	o := new(Options)
	var mistakes []optionMistake
	some := false
	for _, f := range o.fields() {
		value, given := members[f.name]
		delete(members, f.name)
		if !given || bytes.Equal(bytes.TrimSpace(value), []byte("null")) {
			continue
		}
		if must := f.set(value); must != "" {
			mistakes = append(mistakes, optionMistake{f.name, fmt.Sprintf("must be %s, not %s: correct it", must, openjson.Kind(value))})
			continue
		}
		some = some || !f.isZero()
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		mistakes = append(mistakes, optionMistake{name, "there is no such option: correct the name or remove it"})
	}
	if !some {
		return nil, mistakes
	}
	return o, mistakes
}

// ownExtension returns the member of this library in the extensions of an entry or a book.
func ownExtension(extensions json.RawMessage) (json.RawMessage, bool) {
	if !bytes.Contains(extensions, []byte(ownMember)) {
		return nil, false
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(extensions, &all) != nil {
		return nil, false
	}
	raw, ok := all[ownMember]
	return raw, ok
}

// sameOptions compares options. Nil and empty options are equal.
func sameOptions(a, b *Options) bool { return bytes.Equal(a.members(nil), b.members(nil)) }

// members writes the options over the members of an object, and removes the members whose fields
// are zero. It returns nil if no member is left.
func (o *Options) members(over map[string]json.RawMessage) json.RawMessage {
	if o == nil {
		o = new(Options)
	}
	out := map[string]json.RawMessage{}
	maps.Copy(out, over)
	for _, f := range o.fields() {
		delete(out, f.name)
		if !f.isZero() {
			out[f.name], _ = openjson.Marshal(f.at) // texts and numbers always encode
		}
	}
	if len(out) == 0 {
		return nil
	}
	body, _ := openjson.Marshal(out)
	return body
}

// within returns the extensions of an entry with the options. If the options equal the
// options of the file, the result is the bytes of the file.
func (o *Options) within(extensions json.RawMessage) json.RawMessage {
	if o == nil && !bytes.Contains(extensions, []byte(ownMember)) {
		return extensions
	}
	was, _ := readOptions(extensions)
	if sameOptions(was, o) {
		return extensions
	}
	var all, own map[string]json.RawMessage
	if json.Unmarshal(extensions, &all) != nil || all == nil {
		all = map[string]json.RawMessage{}
	}
	if json.Unmarshal(all[ownMember], &own) != nil {
		own = nil
	}
	delete(all, ownMember)
	if body := o.members(own); body != nil {
		all[ownMember] = body
	}
	out, err := openjson.Marshal(all)
	if err != nil {
		return extensions
	}
	return out
}

// clone copies the options.
func (o *Options) clone() *Options {
	if o == nil {
		return nil
	}
	out := *o
	for _, f := range out.fields() {
		if list, ok := f.at.(*[]string); ok {
			*list = slices.Clone(*list)
		}
	}
	return &out
}
