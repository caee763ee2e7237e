package worldbook

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// Input is what one scan looks at. Scan changes none of it and keeps none of it.
type Input struct {
	// Messages is the visible chat, oldest first. Its length is the measure of
	// all timed effects. Leave out hidden messages, and for a swipe the reply
	// that is being replaced.
	Messages []Message `json:"messages,omitempty"`
	// Earlier is the number of messages before those, which are not at hand: they count in
	// the length, and are not searched. Nothing is missed if [Compiled.Reach] of them are given.
	Earlier int `json:"earlier,omitempty"`
	// User and Char replace the macros {{user}} and {{char}}, any letter case,
	// where Expand is nil.
	User string `json:"user,omitempty"`
	Char string `json:"char,omitempty"`
	// Expand replaces the macros of a key or a content. It is asked only about
	// texts that contain "{{" or, in any letter case, <user>, <bot>, <char>,
	// <group> or <charifnotgroup>. It must give the same answer for the same key
	// during one scan; a content is expanded at most once per scan.
	Expand func(text string) string `json:"-"`
	// Speaker is the current character for [Entry.CharacterFilter].
	Speaker Speaker `json:"speaker"`
	// ContextSize is the model's context in tokens, the base of the budget.
	ContextSize int `json:"contextSize,omitempty"`
	// CountTokens measures a text. Nil estimates as package prompt does
	// (prompt.EstimateTokens in prompt). The budget asks for the running text of all entries so far, so
	// that a counter that is not additive counts right; with CountEach it asks
	// for each entry's text and a newline by itself and adds up, which is much
	// cheaper with an exact tokenizer.
	CountTokens func(text string) int `json:"-"`
	CountEach   bool                  `json:"countEach,omitempty"`
	// Type is the kind of generation; empty is [Normal].
	Type GenerationType `json:"type,omitempty"`
	// DryRun leaves the state alone and applies no stored effect.
	DryRun bool `json:"dryRun,omitempty"`
	// Data are texts that entries may ask to be searched.
	Data ScanData `json:"data"`
	// Injections are prompt texts that every entry is searched in, in order of
	// registration, macros expanded. Empty ones do not count. The author's note is one only
	// on turns on which it is inserted.
	Injections []string `json:"injections,omitempty"`
	// Forced entries are activated without a key.
	Forced []Forced `json:"forced,omitempty"`
	// Random gives numbers in [0,1) for probabilities and group choices. Nil
	// gives 0: every probability above 0 passes, the first group member wins.
	Random func() float64 `json:"-"`
	// NoteOmitted says that the author's note is not inserted on this turn:
	// [Result.Note] is empty then.
	NoteOmitted bool `json:"noteOmitted,omitempty"`
	// Overlay switches and adds entries for this scan.
	Overlay Overlay `json:"overlay"`
	// Condition decides entries with [Entry.Conditions]. Nil lets all pass.
	Condition func(conditions json.RawMessage) bool `json:"-"`
	// Replies is the number of assistant messages, and Greeting the number of
	// the greeting that the chat began with, for Card V3 decorators.
	Replies  int `json:"replies,omitempty"`
	Greeting int `json:"greeting,omitempty"`
	// Icon is the user's active icon, for the decorator is_user_icon.
	Icon string `json:"icon,omitempty"`
	// Explain asks for [Result.Trace].
	Explain bool `json:"explain,omitempty"`
	// Cache holds what is known about messages. Nil uses the one that belongs to
	// the compiled book. It never changes a result.
	Cache *Cache `json:"-"`
}

// expand replaces the macros of a text.
func (in *Input) expand(text string) string {
	if in.Expand != nil {
		return in.Expand(text)
	}
	return match.Names(text, in.User, in.Char)
}

// Speaker is the current character as filters see it.
type Speaker struct {
	// Name is the character's file name without extension. Empty: there is no
	// current character, and filters by tag do not apply.
	Name string   `json:"name,omitempty"`
	Tags []string `json:"tags,omitempty"`
}

// ScanData are texts of the persona and the character.
type ScanData struct {
	PersonaDescription   string `json:"personaDescription,omitempty"`
	CharacterDescription string `json:"characterDescription,omitempty"`
	CharacterPersonality string `json:"characterPersonality,omitempty"`
	CharacterDepthPrompt string `json:"characterDepthPrompt,omitempty"`
	Scenario             string `json:"scenario,omitempty"`
	CreatorNotes         string `json:"creatorNotes,omitempty"`
}

// Forced names an entry to activate without a key. Override, a JSON object,
// replaces members of the entry for this scan. Ids of unknown entries are
// ignored.
type Forced struct {
	ID       ID              `json:"id"`
	Override json.RawMessage `json:"override,omitempty"`
}

// Overlay changes the entries for one scan. The compiled book stays untouched.
type Overlay struct {
	// Switch turns entries on (their Disable is ignored) or off. The name is an
	// entry's [ID] as text, or a uid alone, which means all entries that have it;
	// the full name wins.
	Switch map[string]bool `json:"switch,omitempty"`
	// Add brings in entries that no book has.
	Add []Attachment `json:"add,omitempty"`
	// Without names entries of the compiled books, by their [ID] as text, that are not there: those
	// of Add may take their ids.
	Without []string `json:"without,omitempty"`
	// Closed names books whose entries take no part in this scan, whatever switches them
	// on or forces them; those of Add too. An entry belongs to the book that its [ID] names.
	Closed []string `json:"closed,omitempty"`
	// Hidden names entries that take no part in this scan, as Closed does for books. The names
	// are those of Switch.
	Hidden []string `json:"hidden,omitempty"`
}

// Message is one visible line of a chat.
type Message struct {
	// Name is the speaker. With [ProfileSettings.IncludeNames] the text that keys are
	// searched in is "Name: Text".
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
}

// GenerationType is the kind of reply that is about to be asked for. Entries
// can be limited to some of them by [Entry.Triggers].
type GenerationType string

// The types that triggers can name. Any other text counts as [Normal].
const (
	Normal      GenerationType = "normal"
	Continue    GenerationType = "continue"
	Impersonate GenerationType = "impersonate"
	Swipe       GenerationType = "swipe"
	Regenerate  GenerationType = "regenerate"
	Quiet       GenerationType = "quiet"
)

// IsKnown reports whether the type is one of those that triggers can name. An entry whose
// [Entry.Triggers] are all unknown is never active.
func (t GenerationType) IsKnown() bool { return t.known() == t }

// known maps unknown types to Normal.
func (t GenerationType) known() GenerationType {
	switch t {
	case Continue, Impersonate, Swipe, Regenerate, Quiet:
		return t
	}
	return Normal
}

// Cache remembers which keys of a compiled book occur in which texts. It is
// bounded, safe for concurrent use, and never changes a result. Every compiled
// book has one; give each chat its own through [Input.Cache] where chats are
// many and long.
type Cache struct{ texts match.Cache }

// NewCache returns a cache that holds on to between size and twice as many
// texts, fewer if they have more than 16 KB on average. Size 0 is a size for a few
// dozen chats; below 0 nothing is kept.
func NewCache(size int) *Cache {
	c := new(Cache)
	c.texts.Limit(size)
	return c
}

// Retriever finds entries by meaning, for example by a vector search. It is the
// one thing here that may be slow or fail, so it runs before the scan: [Retrieve] asks it,
// and what it finds is forced into the scan ([Input.Forced]).
//
// What it searches is the entries that are marked for it ([Entry.Vectorized]), as
// [Compiled.Entries] lists them; the ids there are the ones to answer with. A scan ignores
// ids that its books do not have, so that an index which is older than the book does no harm.
// An entry that was found needs no key. All other rules stand: what is disabled, filtered,
// delayed or cooling down stays out, and groups, probability and the budget decide as usual.
//
// Hosts call one retriever from many chats at once, so it must be safe for concurrent use.
type Retriever interface {
	// Retrieve returns the ids of at most limit entries that belong to the
	// messages, oldest first. The best entry comes first, and equally good ones in the order
	// of [Compiled.Entries], so that equal questions have equal answers. Nothing found is no
	// error. It ends with the error of ctx when ctx does, and must neither change nor keep
	// messages.
	Retrieve(ctx context.Context, messages []Message, limit int) ([]ID, error)
}

// Retrieve asks r about the newest depth messages and returns what it finds as
// forced entries for [Input.Forced], each id once and at most limit of them. With a depth or
// a limit below 1, or an empty chat, r is not asked. The error is the retriever's own: a turn
// may well go on without what it would have found.
func Retrieve(ctx context.Context, r Retriever, chat []Message, depth, limit int) ([]Forced, error) {
	newest := chat[max(0, len(chat)-max(depth, 0)):]
	if len(newest) == 0 || limit < 1 {
		return nil, nil
	}
	ids, err := r.Retrieve(ctx, slices.Clone(newest), limit)
	if err != nil {
		return nil, err
	}
	var out []Forced
	for _, id := range ids {
		known := slices.ContainsFunc(out, func(f Forced) bool { return f.ID == id })
		if !known && len(out) < limit {
			out = append(out, Forced{ID: id})
		}
	}
	return out, nil
}
