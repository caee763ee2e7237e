package worldbook

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/loose"
)

// This file has the settings of a scan: how deep keys are searched, the budget of the lore, and the
// behaviours to follow. [Exact] is SillyTavern with its default settings. [Roleplay] is for
// RoleplayConfig files. Other profiles are values of [ProfileSettings] that start from one of them.

// ProfileSettings are the rules of a scan. Their JSON names are SillyTavern's if it has the
// setting. [Exact] and [Roleplay] are the two predefined profiles.
//
// Start with one of them and change what should differ. The zero value searches no message and has
// a budget of one token, so only constant entries that ignore the budget are active.
type ProfileSettings struct {
	// Depth is the number of newest messages that are searched for keys.
	Depth int `json:"world_info_depth"`
	// MinActivations deepens the search until so many entries are active.
	MinActivations int `json:"world_info_min_activations"`
	// MinActivationsDepthMax limits that depth; 0 means no limit.
	MinActivationsDepthMax int `json:"world_info_min_activations_depth_max"`
	// Budget is the share of the context that entries may use, in percent.
	Budget float64 `json:"world_info_budget"`
	// BudgetCap limits the budget in tokens; 0 means no limit.
	BudgetCap int `json:"world_info_budget_cap"`
	// IncludeNames makes the speaker's name part of the searched text.
	IncludeNames bool `json:"world_info_include_names"`
	// Recursive lets the texts of activated entries activate more entries.
	Recursive bool `json:"world_info_recursive"`
	// MaxRecursionSteps limits the number of loops of any kind. 0 means no limit. Below 0 there are
	// no loops.
	MaxRecursionSteps int  `json:"world_info_max_recursion_steps"`
	CaseSensitive     bool `json:"world_info_case_sensitive"`
	MatchWholeWords   bool `json:"world_info_match_whole_words"`
	UseGroupScoring   bool `json:"world_info_use_group_scoring"`
	// CharacterStrategy orders entries of global books relative to entries of the character.
	CharacterStrategy Strategy `json:"world_info_character_strategy"`
	// OverflowAlert asks the host to show a warning on overflow. A scan does not read it.
	OverflowAlert bool `json:"world_info_overflow_alert"`

	// QuirksOff lists the odd behaviours of SillyTavern that are switched off.
	QuirksOff []Quirk `json:"quirks_off,omitempty"`
	// Decorators selects how @@ lines are read; empty is SillyTavern's way.
	Decorators DecoratorSyntax `json:"decorators,omitempty"`
	// OrderAscending examines and pays entries with a small order first; otherwise those with a
	// large order. Texts are placed in ascending order in both cases.
	OrderAscending bool `json:"order_ascending,omitempty"`
	// RegexIgnoreCase makes regex keys ignore case unless the entry is case sensitive. Otherwise
	// only their flag i counts.
	RegexIgnoreCase bool `json:"regex_ignore_case,omitempty"`
	// RegexPerMessage tests a regex against each bare message alone, so that ^ and $ match its
	// ends. Otherwise the regex is tested against the joined window.
	RegexPerMessage bool `json:"regex_per_message,omitempty"`
	// SkipInvalidRegex drops a key /…/ that is not a valid regex. Otherwise the key is plain text.
	SkipInvalidRegex bool `json:"skip_invalid_regex,omitempty"`
	// DepthExcludesCurrent counts Depth from the message before the newest one, so that one more
	// message is searched.
	DepthExcludesCurrent bool `json:"depth_excludes_current,omitempty"`
	// SpendMessages keeps an entry with sticky or cooldown from being activated again by messages
	// that were already in the chat at its last activation.
	SpendMessages bool `json:"spend_messages,omitempty"`
	// Limits limit the entries of books and sources, in addition to the budget. A candidate that
	// exceeds a limit is refused; later candidates that fit are not. Entries that ignore the budget
	// are never refused, but count. A book can limit itself: the member extensions.talewright of
	// its JSON has the members tokens and entries.
	Limits []Limit `json:"limits,omitempty"`
	// Fold lists spellings that plain keys ignore. With chinese, a traditional Chinese character
	// equals its simplified one: 发 finds 發 and 髮. With width, a full-width letter, digit or sign
	// equals the ordinary one, and half-width katakana equal full-width ones. Keys /…/ do not
	// ignore them. SillyTavern ignores neither.
	Fold []string `json:"fold,omitempty"`
	// WholeWords names the rule for word boundaries; empty is SillyTavern's rule.
	WholeWords WordRule `json:"whole_words,omitempty"`
	// Words, if not nil, decides whole words instead of WholeWords. It must be safe for concurrent
	// use and a pure function.
	Words WordBoundary `json:"-"`
}

// Limit is a limit for the entries of one scan. With Book it counts only the entries of that book,
// as the [ID] names it. With Source it counts only entries of books attached there. With neither it
// counts all entries.
type Limit struct {
	Book   string `json:"book,omitempty"`
	Source Source `json:"source,omitempty"`
	// Tokens is the greatest number of tokens of their texts together, and Entries the greatest
	// number of active entries; 0 means no limit.
	Tokens  int `json:"tokens,omitempty"`
	Entries int `json:"entries,omitempty"`
}

// Source is the kind of place where a book is attached. It decides the place of the book's entries
// in the entry list, see [Compile].
type Source string

// The sources. A character has one primary book and any number of extra ones.
const (
	SourceGlobal         Source = "global"
	SourceCharacter      Source = "character"
	SourceCharacterExtra Source = "character_extra"
	SourceChat           Source = "chat"
	SourcePersona        Source = "persona"
)

// allSources are the sources of a book. The first one that a book has counts.
var allSources = []Source{SourceGlobal, SourceChat, SourcePersona, SourceCharacter, SourceCharacterExtra}

// Strategy orders the entries of global books relative to the entries of the character's books.
type Strategy int

// The strategies. Any other value means Evenly.
const (
	StrategyEvenly         Strategy = 0 // one list, sorted together
	StrategyCharacterFirst Strategy = 1
	StrategyGlobalFirst    Strategy = 2
)

// DecoratorSyntax selects how @@ lines at the top of a content are read.
type DecoratorSyntax string

// The syntaxes.
const (
	// DecoratorsSillyTavern reads @@activate and @@dont_activate.
	DecoratorsSillyTavern DecoratorSyntax = ""
	// DecoratorsCardV3 reads the decorators of Character Card V3 and RisuAI. It also reads the
	// member use_regex of an entry ([Entry.Extra]). Then all keys of the entry are regexes, with or
	// without slashes, secondary and excluding keys are ignored, and one invalid pattern keeps all
	// keys from matching.
	DecoratorsCardV3 DecoratorSyntax = "card_v3"
	// DecoratorsOff keeps the lines as text.
	DecoratorsOff DecoratorSyntax = "off"
)

// WordRule names a built-in rule for whole words.
type WordRule string

// The rules.
const (
	// WordsASCII ends a word at every character except A-Z, a-z, 0-9 and _.
	WordsASCII WordRule = ""
	// WordsChinese applies to scripts with blanks between words and to Chinese. In a script with
	// blanks, a word ends where its letters, digits and underscores end. This also applies to keys
	// of several words.
	//
	// For Chinese it approximates without a dictionary. A Chinese key is not a whole word if a
	// usual ending that forms a new noun comes directly after it. Such endings are 师 者 家 士 员
	// 学 院 and a few more, as in 魔法师, 魔法学院 (by 学). The text before the key does not
	// matter. The rule is right about 学习魔法, 魔法师 and 这是魔法吗, and wrong about words that
	// only a dictionary knows (package segment).
	WordsChinese WordRule = "chinese"
	// WordsUnicode ends a word where letters, marks, digits and underscores end, in all scripts
	// with blanks between words, and between Korean and other letters. This also applies to keys of
	// several words. In scripts without blanks every character is a word. A Korean word may be
	// followed by particles and endings that fit its last sound: 엘프 is a word in 엘프가,
	// 엘프에게는 and 엘프입니다, and not in 엘프족.
	WordsUnicode WordRule = "unicode"
)

// WordBoundary decides whether text[start:end] is a whole word of text. A text is one message,
// folded to lower case unless the key is case sensitive. Use a dictionary segmenter for languages
// without blanks.
type WordBoundary interface {
	IsWord(text string, start, end int) bool
}

// Exact returns the profile of SillyTavern 1.19.0: its default settings and all of its odd
// behaviours.
func Exact() ProfileSettings {
	return ProfileSettings{
		Depth: 2, Budget: 25, IncludeNames: true, Recursive: true,
		MatchWholeWords: true, CharacterStrategy: StrategyCharacterFirst,
	}
}

// Roleplay returns the profile for RoleplayConfig files. It scans the current message and the four
// before it, as bare texts. Regexes run on each message and ignore case, and Chinese keys are whole
// words. Small orders come first. The budget is a quarter of the context but at most 1500 tokens.
// There are no odd behaviours.
func Roleplay() ProfileSettings {
	return ProfileSettings{
		Depth: 4, DepthExcludesCurrent: true, Budget: 25, BudgetCap: 1500,
		CharacterStrategy: StrategyCharacterFirst, OrderAscending: true,
		RegexIgnoreCase: true, RegexPerMessage: true, SkipInvalidRegex: true,
		SpendMessages: true, WholeWords: WordsChinese, QuirksOff: AllQuirks(),
	}
}

// wholeSettings lists the settings that are whole numbers, with their rounding. The rounding is
// chosen so that comparisons give the same results as in SillyTavern.
var wholeSettings = map[string]func(float64) float64{
	"world_info_depth":                     bounded(math.Trunc),
	"world_info_min_activations":           bounded(math.Ceil),
	"world_info_min_activations_depth_max": bounded(math.Floor),
	"world_info_budget_cap":                bounded(math.Ceil),
	"world_info_max_recursion_steps":       bounded(math.Ceil),
	"world_info_character_strategy":        bounded(asIs),
	"world_info_budget":                    asIs,
}

func asIs(n float64) float64 { return n }

// bounded limits the result of a function to the int range of every platform.
func bounded(f func(float64) float64) func(float64) float64 {
	return func(n float64) float64 { return max(-math.MaxInt32, min(f(n), math.MaxInt32)) }
}

// UnmarshalJSON implements [json.Unmarshaler]. Members that are missing or null do not change a
// setting. Numbers may be texts and, for whole settings, fractions, as in files of other programs.
// Any other value is an error.
func (s *ProfileSettings) UnmarshalJSON(data []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	loose.Numbers(all, wholeSettings)
	type plain ProfileSettings
	tidy, err := openjson.Marshal(all)
	if err != nil {
		return err
	}
	return json.Unmarshal(tidy, (*plain)(s))
}

// Quirk is one odd behaviour of SillyTavern 1.19.0 that this package reproduces. QUIRKS.md describes each of
// them. All are on unless [ProfileSettings.QuirksOff] lists them.
//
// Its values, with their numbers in QUIRKS.md: blank-key (Q1), group-removal (Q2),
// group-cooldown (Q3), raw-group-keys (Q4), extra-depth (Q5), waiting-levels (Q6),
// missing-depth (Q7), forgotten-texts (Q8), decorators-only (Q9), reversed-ties (Q11),
// forced-reroll (Q12), hand-set-effect (Q13).
type Quirk string

// The quirks.
const (
	// quirkBlankKey (Q1): a key of blanks is found everywhere. Off: never.
	quirkBlankKey Quirk = "blank-key"
	// quirkGroupRemoval (Q2): removing an already removed group member removes
	// the last candidate, an unrelated entry. Off: it removes nothing.
	quirkGroupRemoval Quirk = "group-removal"
	// quirkGroupCooldown (Q3): a grouped sticky entry is removed while the
	// cooldown stored at its activation runs. Off: sticky protects it.
	quirkGroupCooldown Quirk = "group-cooldown"
	// quirkRawGroupKeys (Q4): group scores use unexpanded, untrimmed keys. Off:
	// the keys that matching uses.
	quirkRawGroupKeys Quirk = "raw-group-keys"
	// quirkExtraDepth (Q5): minimum activations may search one message deeper
	// than their limit and than the chat. Off: not.
	quirkExtraDepth Quirk = "extra-depth"
	// quirkWaitingLevels (Q6): waiting delay levels run even with recursion off
	// or after an overflow. Off: they do not.
	quirkWaitingLevels Quirk = "waiting-levels"
	// quirkMissingDepth (Q7): an entry at a depth without a depth opens a group
	// of its own unless there is one at depth 4. Off: its depth is 4.
	quirkMissingDepth Quirk = "missing-depth"
	// quirkForgottenTexts (Q8): later loops do not charge the texts of entries
	// that prevent recursion. Off: all activated texts are charged.
	quirkForgottenTexts Quirk = "forgotten-texts"
	// quirkDecoratorsOnly (Q9): a content made of decorator lines only keeps
	// them. Off: it is empty.
	quirkDecoratorsOnly Quirk = "decorators-only"
	// quirkReversedTies (Q11): texts of equal order are in reverse activation order. In outlets
	// they are in activation order, but outlets descend. Off: activation order everywhere, and
	// outlets ascend like all other lists.
	quirkReversedTies Quirk = "reversed-ties"
	// quirkForcedReroll (Q12): a forced entry that failed its roll rolls again in
	// the next loop. Off: it has failed.
	quirkForcedReroll Quirk = "forced-reroll"
	// quirkHandSetEffect (Q13): an effect set by hand is never applied, see
	// Compiled.SetSticky. Off: it is.
	quirkHandSetEffect Quirk = "hand-set-effect"
)

var allQuirkNames = [...]Quirk{
	quirkBlankKey, quirkGroupRemoval, quirkGroupCooldown, quirkRawGroupKeys, quirkExtraDepth, quirkWaitingLevels,
	quirkMissingDepth, quirkForgottenTexts, quirkDecoratorsOnly, quirkReversedTies, quirkForcedReroll, quirkHandSetEffect,
}

// AllQuirks returns all quirks by ascending number. It does not contain Q10, the exception that
// some group names cause in SillyTavern, because it is not reproduced.
func AllQuirks() []Quirk { return slices.Clone(allQuirkNames[:]) }

// hasQuirk reports whether a quirk is on.
func (s *ProfileSettings) hasQuirk(name Quirk) bool { return !slices.Contains(s.QuirksOff, name) }
