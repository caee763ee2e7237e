package worldbook

import (
	"encoding/json"
	"math"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/loose"
)

// The profile part has the rules of a scan of world books: how deep keys are searched, what the
// lore may cost, and which behaviours of which program it has. [Exact] is SillyTavern as it is
// shipped, [Roleplay] what RoleplayConfig files ask for; any other is a value of [ProfileSettings] that
// begins with one of them.

// ProfileSettings are the rules of a scan. Their JSON names are SillyTavern's where it
// has the setting. [Exact] and [Roleplay] are the two ready-made profiles; a profile
// is nothing but a value of this type.
//
// Begin with one of them and change what should differ: the zero value searches no
// message and has a budget of one token, so that only constant entries which ignore the
// budget are active.
type ProfileSettings struct {
	// Depth is the number of newest messages that keys are searched in.
	Depth int `json:"world_info_depth"`
	// MinActivations deepens the search until so many entries are active.
	MinActivations int `json:"world_info_min_activations"`
	// MinActivationsDepthMax limits that depth; 0 is no limit.
	MinActivationsDepthMax int `json:"world_info_min_activations_depth_max"`
	// Budget is the share of the context in percent that entries may use.
	Budget float64 `json:"world_info_budget"`
	// BudgetCap limits the budget in tokens; 0 is no limit.
	BudgetCap int `json:"world_info_budget_cap"`
	// IncludeNames makes the speaker's name part of the searched text.
	IncludeNames bool `json:"world_info_include_names"`
	// Recursive lets the texts of activated entries activate further ones.
	Recursive bool `json:"world_info_recursive"`
	// MaxRecursionSteps limits the number of loops of any kind; 0 is no limit, and below
	// 0 there is no loop at all.
	MaxRecursionSteps int  `json:"world_info_max_recursion_steps"`
	CaseSensitive     bool `json:"world_info_case_sensitive"`
	MatchWholeWords   bool `json:"world_info_match_whole_words"`
	UseGroupScoring   bool `json:"world_info_use_group_scoring"`
	// CharacterStrategy orders global against character books.
	CharacterStrategy Strategy `json:"world_info_character_strategy"`
	// OverflowAlert asks the host to show a warning on overflow. A scan does not
	// read it.
	OverflowAlert bool `json:"world_info_overflow_alert"`

	// QuirksOff names the odd behaviours of SillyTavern that are not wanted.
	QuirksOff []Quirk `json:"quirks_off,omitempty"`
	// Decorators is the reading of @@ lines; empty is SillyTavern's.
	Decorators DecoratorSyntax `json:"decorators,omitempty"`
	// OrderAscending examines and pays small orders first. Off, large ones.
	// Texts stand in ascending order either way.
	OrderAscending bool `json:"order_ascending,omitempty"`
	// RegexIgnoreCase makes regex keys ignore case unless the entry is case
	// sensitive. Off, only their flag i counts.
	RegexIgnoreCase bool `json:"regex_ignore_case,omitempty"`
	// RegexPerMessage tests a regex against each bare message by itself, so that
	// ^ and $ are its ends. Off, against the joined window.
	RegexPerMessage bool `json:"regex_per_message,omitempty"`
	// SkipInvalidRegex drops a key /…/ that is no valid regex. Off, it is plain
	// text.
	SkipInvalidRegex bool `json:"skip_invalid_regex,omitempty"`
	// DepthExcludesCurrent counts Depth from the message before the newest one,
	// so that one more is searched.
	DepthExcludesCurrent bool `json:"depth_excludes_current,omitempty"`
	// SpendMessages keeps an entry with sticky or cooldown from being activated
	// again by the messages that were in the chat at its last activation.
	SpendMessages bool `json:"spend_messages,omitempty"`
	// WholeWords names the rule for word edges; empty is SillyTavern's.
	WholeWords WordRule `json:"whole_words,omitempty"`
	// Words decides whole words instead of WholeWords, where not nil. It must be
	// safe for concurrent use and a pure function.
	Words WordBoundary `json:"-"`
}

// Strategy orders the entries of global books against those of the character's.
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
	// DecoratorsSillyTavern knows @@activate and @@dont_activate.
	DecoratorsSillyTavern DecoratorSyntax = ""
	// DecoratorsCardV3 knows those of Character Card V3 and RisuAI. It also reads
	// the member use_regex of an entry (Entry.Extra of package worldbook): all its keys are regexes
	// then, with or without slashes, secondary and excluding keys do not count,
	// and one bad pattern keeps the keys from ever matching.
	DecoratorsCardV3 DecoratorSyntax = "card_v3"
	// DecoratorsOff takes the lines as text.
	DecoratorsOff DecoratorSyntax = "off"
)

// WordRule names a built-in rule for whole words.
type WordRule string

// The rules.
const (
	// WordsASCII ends a word at everything but A-Z, a-z, 0-9 and _.
	WordsASCII WordRule = ""
	// WordsChinese ends a word where the letters, digits and underscores of a script with blanks between words
	// end, also for keys of several words, and adds an approximation for Chinese that needs no dictionary: a Chinese key
	// is no whole word if one of the usual endings that make a new noun out of another
	// stands right behind it (魔法师, 魔法学院 by 学): 师 者 家 士 员 学 院 and a few more. What
	// stands before it does not matter. It is right about 学习魔法, 魔法师 and 这是魔法吗, and
	// wrong about words that only a dictionary knows (package segment).
	WordsChinese WordRule = "chinese"
)

// WordBoundary decides whether text[start:end] is a whole word of text. A text
// is one message, folded to lower case unless the key is case sensitive. Plug in
// a dictionary segmenter for languages without blanks.
type WordBoundary interface {
	IsWord(text string, start, end int) bool
}

// Exact returns SillyTavern 1.19.0 as it is shipped: its default settings and
// all of its odd behaviours.
func Exact() ProfileSettings {
	return ProfileSettings{
		Depth: 2, Budget: 25, IncludeNames: true, Recursive: true,
		MatchWholeWords: true, CharacterStrategy: StrategyCharacterFirst,
	}
}

// Roleplay returns the profile for RoleplayConfig files (package roleplay): the current
// message and the four before it, bare texts, regexes per message that ignore
// case, Chinese whole words, small orders first, a quarter of the context but at
// most 1500 tokens, and none of the odd behaviours.
func Roleplay() ProfileSettings {
	return ProfileSettings{
		Depth: 4, DepthExcludesCurrent: true, Budget: 25, BudgetCap: 1500,
		CharacterStrategy: StrategyCharacterFirst, OrderAscending: true,
		RegexIgnoreCase: true, RegexPerMessage: true, SkipInvalidRegex: true,
		SpendMessages: true, WholeWords: WordsChinese, QuirksOff: AllQuirks(),
	}
}

// wholeSettings are the settings that count something, with what a fraction is made
// of: what is compared with them in SillyTavern comes out the same.
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

// bounded keeps what a function makes of a number within the ints of every platform.
func bounded(f func(float64) float64) func(float64) float64 {
	return func(n float64) float64 { return max(-math.MaxInt32, min(f(n), math.MaxInt32)) }
}

// UnmarshalJSON implements [json.Unmarshaler]. Members that are missing or null leave
// a setting as it is. Numbers may be texts and, where they count something, fractions,
// as in files that other programs wrote; what is no number is an error.
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
