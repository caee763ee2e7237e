package seedbook

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// ErrNotConfig is returned for JSON that is no RoleplayConfig.
var ErrNotConfig = errors.New("seedbook: not a roleplay config")

// Config is a RoleplayConfig.
type Config struct {
	CharacterCard string
	// Book holds worldBookEntries, Settings the seed profile with the config's
	// scan depth, recursion switch and token budget.
	Book     worldbook.Book
	Settings worldbook.Settings
	// Extra holds the other members.
	Extra map[string]json.RawMessage
}

// Compile prepares the config's book for scanning.
func (c *Config) Compile() (*worldbook.Compiled, []worldbook.Problem) {
	return worldbook.Compile([]worldbook.Attachment{{Book: c.Book}}, c.Settings)
}

type config struct {
	CharacterCard      string                       `json:"characterCard"`
	Entries            []map[string]json.RawMessage `json:"worldBookEntries"`
	ScanDepth          *int                         `json:"scanDepth"`
	EnableRecursion    bool                         `json:"enableRecursion"`
	TokenBudgetPercent *float64                     `json:"tokenBudgetPercent"`
	TokenBudgetCap     *int                         `json:"tokenBudgetCap"`
}

// Parse reads a RoleplayConfig. name becomes the name of the book. Missing
// members have the defaults of the document: scan depth 4, a budget of 25
// percent and at most 1500 tokens, no recursion; position before, AND_ANY, order
// 100, depth 0, no probability check. The problems name unknown positions and
// rules, which count as the defaults.
func Parse(name string, data []byte) (Config, []worldbook.Problem, error) {
	var src config
	extra, err := openjson.Decode(data, &src)
	if err != nil {
		return Config{}, nil, fmt.Errorf("%w: %v", ErrNotConfig, err)
	}
	out := Config{CharacterCard: src.CharacterCard, Settings: worldbook.Seed(), Extra: extra}
	out.Book.Name = name
	out.Settings.Recursive = src.EnableRecursion
	if src.ScanDepth != nil {
		out.Settings.Depth = *src.ScanDepth
	}
	if src.TokenBudgetPercent != nil {
		out.Settings.Budget = *src.TokenBudgetPercent
	}
	if src.TokenBudgetCap != nil {
		out.Settings.BudgetCap = *src.TokenBudgetCap
	}
	r := reader{}
	for i, e := range src.Entries {
		out.Book.Entries = append(out.Book.Entries, r.entry(e, i))
	}
	return out, r.problems, nil
}

// ParseEntry reads one WorldBookEntry.
func ParseEntry(data []byte) (worldbook.Entry, []worldbook.Problem, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return worldbook.Entry{}, nil, fmt.Errorf("%w: %v", ErrNotConfig, err)
	}
	r := reader{}
	e := r.entry(members, 0)
	return e, r.problems, nil
}

// reader collects the problems of entries.
type reader struct {
	problems []worldbook.Problem
	path     string
}

// seedEntry is a WorldBookEntry.
type seedEntry struct {
	UID               string          `json:"uid"`
	Name              string          `json:"name"`
	Content           string          `json:"content"`
	Keywords          []string        `json:"keywords"`
	SecondaryKeywords []string        `json:"secondaryKeywords"`
	SelectiveLogic    string          `json:"selectiveLogic"`
	Position          string          `json:"position"`
	Depth             int             `json:"depth"`
	Role              string          `json:"role"`
	OutletName        string          `json:"outletName"`
	Order             float64         `json:"order"`
	Constant          bool            `json:"constant"`
	Disable           bool            `json:"disable"`
	Sticky            int             `json:"sticky"`
	Cooldown          int             `json:"cooldown"`
	Delay             int             `json:"delay"`
	Probability       float64         `json:"probability"`
	UseProbability    bool            `json:"useProbability"`
	ScanDepth         *int            `json:"scanDepth"`
	CaseSensitive     bool            `json:"caseSensitive"`
	MatchWholeWords   bool            `json:"matchWholeWords"`
	ExcludeRecursion  bool            `json:"excludeRecursion"`
	PreventRecursion  bool            `json:"preventRecursion"`
	Conditions        json.RawMessage `json:"conditions"`
}

func (r *reader) problem(code worldbook.Code, member, format string, args ...any) {
	r.problems = append(r.problems, lore.Problem(code, r.path+"."+member, fmt.Sprintf(format, args...)))
}

// entry reads one entry member by member, so that a mistake in one leaves the
// others alone.
func (r *reader) entry(members map[string]json.RawMessage, i int) worldbook.Entry {
	r.path = fmt.Sprintf("worldBookEntries[%d]", i)
	src := seedEntry{Order: 100, Probability: 100}
	extra := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		one, _ := openjson.Marshal(map[string]json.RawMessage{name: members[name]})
		unknown, err := openjson.Decode(one, &src)
		if err != nil {
			r.problem("bad_type", name, "has the wrong type: the default counts")
		}
		maps.Copy(extra, unknown)
	}
	if len(extra) == 0 {
		extra = nil
	}
	return worldbook.Entry{
		UID: src.UID, Comment: src.Name, Content: src.Content, Keys: src.Keywords,
		SecondaryKeys: src.SecondaryKeywords, Selective: len(src.SecondaryKeywords) > 0,
		Logic: r.logic(src.SelectiveLogic), Position: r.position(src.Position), Depth: src.Depth,
		Role: r.role(src.Role), OutletName: src.OutletName, Order: src.Order, Constant: src.Constant,
		Disable: src.Disable, Sticky: src.Sticky, Cooldown: src.Cooldown, Delay: src.Delay,
		Probability: src.Probability, UseProbability: src.UseProbability, GroupWeight: 100,
		ScanDepth: src.ScanDepth, CaseSensitive: &src.CaseSensitive, MatchWholeWords: &src.MatchWholeWords,
		ExcludeRecursion: src.ExcludeRecursion, PreventRecursion: src.PreventRecursion,
		Conditions: src.Conditions, Extra: extra,
	}
}

func (r *reader) logic(name string) worldbook.Logic {
	l, ok := worldbook.ParseLogic(name)
	if !ok && name != "" {
		r.problem("unknown_logic", "selectiveLogic", "%q is none of AND_ANY, AND_ALL, NOT_ANY, NOT_ALL", name)
	}
	return l
}

func (r *reader) position(name string) worldbook.Position {
	p, ok := worldbook.ParsePosition(name)
	switch {
	case name == "":
		return worldbook.BeforeCharacter
	case !ok:
		r.problem("unknown_position", "position", "%q is no position: before counts", name)
		return worldbook.BeforeCharacter
	}
	return p
}

func (r *reader) role(name string) worldbook.Role {
	switch strings.ToLower(name) {
	case "user":
		return worldbook.RoleUser
	case "assistant":
		return worldbook.RoleAssistant
	case "", "system":
	default:
		r.problem("unknown_role", "role", "%q is none of system, user, assistant", name)
	}
	return worldbook.RoleSystem
}

// Row is one row of the table world_book_activations, without its ids of the
// session and the prompt.
type Row struct {
	EntryUID string `json:"entry_uid"`
	// LastActivatedMessageIndex is the length of the chat at the activation.
	LastActivatedMessageIndex *int `json:"last_activated_message_index"`
	StickyRemaining           int  `json:"sticky_remaining"`
	CooldownRemaining         int  `json:"cooldown_remaining"`
}

// Rows writes the state of a book as rows, sorted by entry. length is the number
// of messages in the chat. Entries whose effects are over and that nothing
// remembers have no row.
func Rows(s worldbook.State, book string, length int) []Row {
	rows := map[string]*Row{}
	row := func(key string) *Row {
		uid, ok := strings.CutPrefix(key, book+".")
		if !ok {
			return &Row{} // of another book
		}
		if rows[uid] == nil {
			rows[uid] = &Row{EntryUID: uid}
		}
		return rows[uid]
	}
	for key, r := range s.Sticky {
		if r.End > length {
			at := row(key)
			at.StickyRemaining, at.LastActivatedMessageIndex = r.End-length, new(r.Start)
		}
	}
	for key, r := range s.Cooldown {
		if r.End > length {
			at := row(key)
			at.CooldownRemaining, at.LastActivatedMessageIndex = r.End-length, new(r.Start)
		}
	}
	for key, last := range s.Last {
		row(key).LastActivatedMessageIndex = new(last.At)
	}
	var out []Row
	for _, uid := range slices.Sorted(maps.Keys(rows)) {
		out = append(out, *rows[uid])
	}
	return out
}

// FromRows makes a state of rows. Hand it to [worldbook.Compiled.Adopt] before
// scanning.
func FromRows(rows []Row, book string, length int) worldbook.State {
	s := worldbook.State{
		Sticky: map[string]worldbook.Record{}, Cooldown: map[string]worldbook.Record{},
		Last: map[string]worldbook.Past{},
	}
	for _, r := range rows {
		id := worldbook.ID{Book: book, UID: r.EntryUID}
		start := length - 1
		if r.LastActivatedMessageIndex != nil {
			start = min(*r.LastActivatedMessageIndex, length)
			s.Last[id.String()] = worldbook.Past{At: start}
		}
		if r.StickyRemaining > 0 {
			s.Sticky[id.String()] = worldbook.Record{Start: start, End: length + r.StickyRemaining}
		}
		if r.CooldownRemaining > 0 {
			s.Cooldown[id.String()] = worldbook.Record{Start: start, End: length + r.CooldownRemaining}
		}
	}
	return s
}
