package worldbook

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// Input is the input of one scan. Scan neither changes nor keeps any of it.
type Input struct {
	// Messages is the visible chat, oldest first. Its length is the unit of all timed effects.
	// Leave out hidden messages. For a swipe, leave out the reply that is being replaced.
	Messages []Message `json:"messages,omitempty"`
	// Earlier is the number of earlier messages that are not passed. They count in the length and
	// are not searched. If [Compiled.Reach] messages are passed, no match is missed.
	Earlier int `json:"earlier,omitempty"`
	// Round is the number of the current round, from 1: the unit of effects that count rounds
	// ([Options]). A round is a line of a player and the replies to it. 0 counts the messages of the
	// role user, or every second message if no message has a role. Earlier messages count two to a
	// round.
	Round int `json:"round,omitempty"`
	// User and Char replace the macros {{user}} and {{char}}, in any letter case, if Expand is nil.
	User string `json:"user,omitempty"`
	Char string `json:"char,omitempty"`
	// Expand replaces the macros of a key or a content. It is called only for texts that contain
	// "{{" or, in any letter case, <user>, <bot>, <char>, <group> or <charifnotgroup>. It must
	// return the same result for the same key during one scan. A content is expanded at most once
	// per scan.
	Expand func(text string) string `json:"-"`
	// ExpandKey replaces the macros of a key instead of Expand, if the key has macros other than the
	// names. It must return the same result for the same key during one scan.
	ExpandKey func(text string) string `json:"-"`
	// Rendered returns the text that the prompt will have for the expanded content of an entry, for
	// example after its templates. The budget counts this text. It is called at most once per entry
	// and scan. Nil counts the content.
	Rendered func(id ID, content string) string `json:"-"`
	// SearchRendered makes recursion search the texts of Rendered. Otherwise it searches the contents
	// as written.
	SearchRendered bool `json:"-"`
	// Speaker is the current character for [Entry.CharacterFilter].
	Speaker Speaker `json:"speaker"`
	// Actors are the names of the characters who act now, for [Options]: the player's character and
	// the answering character. A character may have several names, such as an id.
	Actors []string `json:"actors,omitempty"`
	// ContextSize is the model's context in tokens, the base of the budget.
	ContextSize int `json:"contextSize,omitempty"`
	// CountTokens returns the number of tokens of a text. Nil estimates as prompt.EstimateTokens
	// does. The budget counts the running text of all entries so far, so that a counter that is not
	// additive counts right. With CountEach it counts each entry's text and a newline alone and
	// adds up, which is much cheaper with an exact tokenizer.
	CountTokens func(text string) int `json:"-"`
	CountEach   bool                  `json:"countEach,omitempty"`
	// Type is the kind of generation; empty is [Normal].
	Type GenerationType `json:"type,omitempty"`
	// DryRun does not change the state and applies no stored effect. For a preview that applies
	// them, scan without DryRun and drop the returned state.
	DryRun bool `json:"dryRun,omitempty"`
	// Data holds texts that entries may include in their search.
	Data ScanData `json:"data"`
	// Injections are prompt texts that are searched for every entry, in order of registration, with
	// macros expanded. Empty texts are ignored. Include the author's note only on turns that insert
	// it.
	Injections []string `json:"injections,omitempty"`
	// Forced entries are activated without a key.
	Forced []Forced `json:"forced,omitempty"`
	// Random returns numbers in [0,1) for probabilities and group choices. Nil returns 0: every
	// probability above 0 passes, and the first group member wins.
	Random func() float64 `json:"-"`
	// NoteOmitted says that the author's note is not inserted on this turn. Then [Result.Note] is
	// empty.
	NoteOmitted bool `json:"noteOmitted,omitempty"`
	// Overlay switches and adds entries for this scan.
	Overlay Overlay `json:"overlay"`
	// Condition decides on entries with [Entry.Conditions]. If nil, all pass.
	Condition func(conditions json.RawMessage) bool `json:"-"`
	// Replies is the number of assistant messages. Greeting is the number of the chat's first
	// greeting. Both are for Card V3 decorators.
	Replies  int `json:"replies,omitempty"`
	Greeting int `json:"greeting,omitempty"`
	// Icon is the user's active icon, for the decorator is_user_icon.
	Icon string `json:"icon,omitempty"`
	// Explain asks for [Result.Trace].
	Explain bool `json:"explain,omitempty"`
	// Cache stores the keys found in messages. If nil, the cache of the compiled book is used. A
	// cache never changes a result.
	Cache *Cache `json:"-"`
}

// expand replaces the macros of a text.
func (in *Input) expand(text string) string {
	if in.Expand != nil {
		return in.Expand(text)
	}
	return match.Names(text, in.User, in.Char)
}

// expandKey replaces the macros of a key.
func (in *Input) expandKey(text string) string {
	if in.ExpandKey != nil && hasMoreThanNames(text) {
		return in.ExpandKey(text)
	}
	return in.expand(text)
}

// hasMoreThanNames reports whether a key has macros other than the names of the user and the character.
func hasMoreThanNames(key string) bool { return match.In(match.Names(key, "", "")) }

// round returns the number of the current round.
func (in *Input) round() int {
	if in.Round > 0 {
		return in.Round
	}
	lines, known := 0, false
	for i := range in.Messages {
		role := in.Messages[i].Role
		known = known || role != ""
		if role == roleUser {
			lines++
		}
	}
	if !known {
		lines = (len(in.Messages) + 1) / 2
	}
	return (in.Earlier+1)/2 + lines
}

// The values of [Message.Role].
const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// Speaker is the current character for character filters.
type Speaker struct {
	// Name is the character's file name without extension. If empty, there is no current character,
	// and filters by tag do not apply.
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

// Forced names an entry to activate without a key. Override, a JSON object, replaces members of the
// entry for this scan. Unknown ids are ignored.
type Forced struct {
	ID       ID              `json:"id"`
	Override json.RawMessage `json:"override,omitempty"`
}

// Overlay changes the entries for one scan. The compiled book does not change.
type Overlay struct {
	// Switch turns entries on (their Disable is ignored) or off. The name is an entry's [ID] as
	// text, or only a uid, which means all entries with it. The full name takes precedence.
	Switch map[string]bool `json:"switch,omitempty"`
	// Add adds entries that no book has.
	Add []Attachment `json:"add,omitempty"`
	// Without removes entries of the compiled books for this scan, by their [ID] as text. Entries
	// of Add may reuse their ids. Among entries of equal order they then have the old places.
	Without []string `json:"without,omitempty"`
	// Closed names books whose entries are excluded from this scan, even if they are switched on or
	// forced. This includes books of Add. An entry belongs to the book that its [ID] names.
	Closed []string `json:"closed,omitempty"`
	// Hidden names entries that are excluded from this scan, as Closed does for books. The names
	// are as in Switch.
	Hidden []string `json:"hidden,omitempty"`
}

// Message is one visible line of a chat.
type Message struct {
	// Name is the speaker. With [ProfileSettings.IncludeNames] the searched text is "Name: Text".
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
	// Role is user for a line of a player, and assistant for a line of the model. Empty is not
	// known. Only [Options] read it.
	Role string `json:"role,omitempty"`
	// Aliases are further names of the speaker. Only [Options] read them.
	Aliases []string `json:"aliases,omitempty"`
}

// GenerationType is the kind of reply to generate. [Entry.Triggers] can limit entries to some
// kinds.
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

// IsKnown reports whether triggers can name the type. An entry whose [Entry.Triggers] are all
// unknown is never active.
func (t GenerationType) IsKnown() bool { return t.known() == t }

// known maps unknown types to Normal.
func (t GenerationType) known() GenerationType {
	if slices.Contains([]GenerationType{Continue, Impersonate, Swipe, Regenerate, Quiet}, t) {
		return t
	}
	return Normal
}

// Cache stores which keys of a compiled book occur in which texts. It is bounded, safe for
// concurrent use, and never changes a result. Every compiled book has one. If chats are many and
// long, give each chat its own cache with [Input.Cache].
type Cache struct{ texts match.Cache }

// NewCache returns a cache for at least size and at most twice as many texts, fewer if they have
// more than 16 KB on average. Size 0 is a size for a few dozen chats. With a size below 0 nothing
// is cached.
func NewCache(size int) *Cache {
	c := new(Cache)
	c.texts.Limit(size)
	return c
}

// Retriever finds entries by meaning, for example by a vector search. Only this part may be slow or
// fail, so it runs before the scan: [Retrieve] calls it and returns its entries as forced entries
// for the scan ([Input.Forced]).
//
// It searches the entries that are marked for it ([Entry.Vectorized]). [Compiled.Entries] lists
// them with the ids to return. A scan ignores ids that its books do not have, so an index that is
// older than the book does no harm. A found entry needs no key. All other rules apply: disabled,
// filtered, delayed or cooling entries stay inactive, and groups, probability and the budget decide
// as usual.
//
// Hosts call one retriever from many chats at once, so it must be safe for concurrent use.
type Retriever interface {
	// Retrieve returns the ids of at most limit entries that match the messages, oldest first. The
	// best entry comes first, and equally good entries are in the order of [Compiled.Entries], so
	// that equal queries have equal answers. An empty result is not an error. It returns the error
	// of ctx when ctx ends. It must neither change nor keep messages.
	Retrieve(ctx context.Context, messages []Message, limit int) ([]ID, error)
}

// Retrieve calls r with the newest depth messages and returns the found entries as forced entries
// for [Input.Forced], each id once and at most limit of them. With a depth or a limit below 1, or
// an empty chat, it does not call r. The error is the error of r; a turn may continue without the
// found entries.
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
