package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
)

// This file reads RoleplayConfig files: a world book with its scan settings for worldbook.Roleplay,
// and the table of its activation rows.
//
// An entry becomes a world book entry as follows:
//
//	uid, content, depth, role, outletName, order, constant, disable,
//	probability, useProbability, scanDepth, caseSensitive, matchWholeWords,
//	sticky, cooldown, delay, excludeRecursion, preventRecursion, conditions
//	                       the fields of that name
//	                       (a uid that is a number counts as its text)
//	name                   comment
//	keywords               keys
//	secondaryKeywords      secondary keys; selective if there are any
//	selectiveLogic         the rule of that name, AND_ANY if missing
//	position               the position of that name, before if missing
//
// Members without a counterpart stay with the entry and the config. So does a value whose type does
// not fit its field.

// roleplayNotBook is the start of the problem text for other files.
const roleplayNotBook = "roleplay: not a roleplay config"

// Codes of problems of this format: names in an entry that the format does not have.
const (
	codeUnknownLogic    talewright.Code = "unknown_logic"
	codeUnknownPosition talewright.Code = "unknown_position"
	codeUnknownRole     talewright.Code = "unknown_role"
)

// Roleplay is a RoleplayConfig.
type Roleplay struct {
	CharacterCard string
	// Book is worldBookEntries. Settings is the profile worldbook.Roleplay with the config's scan
	// depth, recursion switch and token budget.
	Book     worldbook.Book
	Settings worldbook.ProfileSettings
	// Extra holds the other members.
	Extra map[string]json.RawMessage
	// Request holds the other members of the request body, such as the name of the prompt, if the
	// config was its member roleplayConfig; otherwise nil.
	Request map[string]json.RawMessage
}

// Compile prepares the config's book for scanning.
func (c *Roleplay) Compile() (*worldbook.Compiled, talewright.Problems) {
	return worldbook.Compile([]worldbook.Attachment{{Book: c.Book}}, c.Settings)
}

// ParseRoleplay reads a RoleplayConfig, or a request body that has one as its member
// roleplayConfig. name is the name of the book. If it is empty, the member name of the request is
// used. Comments (// and /* */) are skipped.
//
// Missing members have the defaults of the document. For a book they are scan depth 4, a budget of
// 25 percent and at most 1500 tokens, and no recursion. For an entry they are position before,
// AND_ANY, order 100, depth 0, and no probability check. A missing caseSensitive or matchWholeWords
// uses the settings, in which both are off.
//
// An entry without a uid uses its index in the list as uid, so that it has its own timers. If a
// different entry has that uid, it is prefixed with "#".
//
// The problems list values of a different type, two entries with one uid, and unknown positions,
// rules and roles. Such values are replaced by the defaults. Values of a different type stay in
// Extra, like members without a field.
func ParseRoleplay(name string, data []byte) (Roleplay, talewright.Problems) {
	return loreRead(roleplayNotBook, data, func(src *source) (Roleplay, error) { return roleplayParse(src, name) })
}

func roleplayParse(src *source, name string) (Roleplay, error) {
	file := src.Object()
	if file == nil {
		return Roleplay{}, errors.New("it is not an object")
	}
	out := Roleplay{Settings: worldbook.Roleplay()}
	out.Book.Name = name
	if loreGiven(file["roleplayConfig"]) && file["worldBookEntries"] == nil {
		out.Request = file
		file = src.Member(file, "roleplayConfig")
		if file == nil {
			return Roleplay{}, fmt.Errorf("roleplayConfig is %s, not an object",
				openjson.Kind(out.Request["roleplayConfig"]))
		}
		delete(out.Request, "roleplayConfig")
		if name == "" {
			out.Book.Name = loreText(out.Request["name"])
		}
	}
	entries := file["worldBookEntries"]
	delete(file, "worldBookEntries")
	r := &reader{source: src, members: file}
	take(r, "characterCard", &out.CharacterCard)
	take(r, "scanDepth", &out.Settings.Depth)
	take(r, "enableRecursion", &out.Settings.Recursive)
	take(r, "tokenBudgetPercent", &out.Settings.Budget)
	take(r, "tokenBudgetCap", &out.Settings.BudgetCap)
	if len(file) > 0 {
		out.Extra = file
	}
	items, err := src.Items("worldBookEntries", entries)
	if err != nil {
		return Roleplay{}, err
	}
	ids := identities{}
	for item := range items {
		e := entry(src, item)
		ids.add(src, item, e.UID)
		out.Book.Entries = append(out.Book.Entries, e)
	}
	ids.complete(out.Book.Entries)
	return out, nil
}

// identities stores the paths of entries by uid.
type identities struct {
	paths  map[string]string
	places []int // of the entries, in the source list
}

// add records the uid of an entry that has one.
func (ids *identities) add(src *source, item loreItem, uid string) {
	ids.places = append(ids.places, item.Index)
	if uid == "" {
		return
	}
	if first, ok := ids.paths[uid]; ok {
		src.Add(duplicate, item.Path+".uid", "is the uid of "+first+
			" too: the two are treated as one entry; give each its own")
		return
	}
	if ids.paths == nil {
		ids.paths = map[string]string{}
	}
	ids.paths[uid] = item.Path
}

// complete gives each entry without a uid a uid of its own. Each uid of the author is tried at most
// once, so the work is linear in the list.
func (ids *identities) complete(entries []worldbook.Entry) {
	for i := range entries {
		if entries[i].UID != "" {
			continue
		}
		uid := strconv.Itoa(ids.places[i])
		for ids.paths[uid] != "" {
			uid = "#" + uid
		}
		entries[i].UID = uid
	}
}

// reader takes members out of an object. The members that remain at the end have no field.
type reader struct {
	*source
	path    string
	members object
}

// take reads a member into a variable. The variable keeps its default value if the member is
// missing, null or of a different type.
func take[T any](r *reader, name string, into *T) {
	raw := r.members[name]
	var v T
	switch {
	case !loreGiven(raw):
	case json.Unmarshal(raw, &v) != nil:
		r.problem(badType, name, "must be %s, not %s: the default is used",
			wanted(into), openjson.Kind(raw))
		return
	default:
		*into = v
	}
	delete(r.members, name)
}

// wanted returns the name of the JSON type that a variable needs.
func wanted(into any) string {
	switch into.(type) {
	case *string:
		return "a text"
	case *bool, **bool:
		return "true or false"
	case *[]string:
		return "a list of texts"
	case *int, **int:
		return "a whole number"
	}
	return "a number"
}

// texts takes a list of texts without elements that are not texts. If there are such elements, the
// whole list also stays in the object.
func (r *reader) texts(name string, into *[]string) {
	raw := r.members[name]
	if loreGiven(raw) && raw[0] == '[' {
		var complete bool
		if *into, complete = r.List(join(r.path, name), raw); complete {
			delete(r.members, name)
		}
		return
	}
	take(r, name, into)
}

// uid reads the id of an entry. A number becomes its text, because SillyTavern numbers its entries.
func (r *reader) uid() (uid string) {
	var number json.Number
	if raw := r.members["uid"]; len(raw) > 0 && raw[0] != '"' && json.Unmarshal(raw, &number) == nil && number != "" {
		delete(r.members, "uid")
		return number.String()
	}
	take(r, "uid", &uid)
	return uid
}

// problem reports a problem with a member.
func (r *reader) problem(code talewright.Code, name, format string, args ...any) {
	r.Add(code, join(r.path, name), fmt.Sprintf(format, args...))
}

// entry reads one entry member by member, so that a mistake in one member does not affect the
// others.
func entry(src *source, item loreItem) worldbook.Entry {
	r := &reader{src, item.Path, item.object}
	e := worldbook.Entry{Order: 100, Probability: 100, GroupWeight: 100}
	e.UID = r.uid()
	take(r, "name", &e.Comment)
	take(r, "content", &e.Content)
	r.texts("keywords", &e.Keys)
	r.texts("secondaryKeywords", &e.SecondaryKeys)
	e.Selective = len(e.SecondaryKeys) > 0
	e.Logic = takeName(r, "selectiveLogic", worldbook.AndAll, codeUnknownLogic,
		"%q is not AND_ANY, AND_ALL, NOT_ANY or NOT_ALL: AND_ANY is used")
	e.Position = takeName(r, "position", worldbook.PositionInOutlet, codeUnknownPosition, "%q is not a position: before is used")
	take(r, "depth", &e.Depth)
	e.Role = r.role()
	take(r, "outletName", &e.OutletName)
	take(r, "order", &e.Order)
	take(r, "constant", &e.Constant)
	take(r, "disable", &e.Disable)
	take(r, "sticky", &e.Sticky)
	take(r, "cooldown", &e.Cooldown)
	take(r, "delay", &e.Delay)
	take(r, "probability", &e.Probability)
	take(r, "useProbability", &e.UseProbability)
	take(r, "scanDepth", &e.ScanDepth)
	take(r, "caseSensitive", &e.CaseSensitive)
	take(r, "matchWholeWords", &e.MatchWholeWords)
	take(r, "excludeRecursion", &e.ExcludeRecursion)
	take(r, "preventRecursion", &e.PreventRecursion)
	take(r, "conditions", &e.Conditions)
	if len(r.members) > 0 {
		e.Extra = r.members
	}
	return e
}

// takeName takes a member that is the name of one of the values from 0 to last. A missing or unknown
// name means 0.
func takeName[T interface {
	~int
	fmt.Stringer
}](r *reader, member string, last T, unknown talewright.Code, problem string) T {
	var name string
	take(r, member, &name)
	for v := range last + 1 {
		if v.String() == name {
			return v
		}
	}
	if name != "" {
		r.problem(unknown, member, problem, name)
	}
	return 0
}

func (r *reader) role() worldbook.Role {
	var name string
	take(r, "role", &name)
	switch strings.ToLower(name) {
	case "user":
		return worldbook.RoleUser
	case "assistant":
		return worldbook.RoleAssistant
	case "", "system":
	default:
		r.problem(codeUnknownRole, "role",
			"%q is not system, user or assistant: system is used", name)
	}
	return worldbook.RoleSystem
}

// RoleplayRow is one row of the table world_book_activations, without the ids of the session and
// the prompt.
type RoleplayRow struct {
	EntryUID string `json:"entry_uid"`
	// LastActivatedAt is the time of the activation, or nil if it is unknown.
	LastActivatedAt *time.Time `json:"last_activated_at"`
	// LastActivatedMessageIndex is the length of the chat at the activation.
	LastActivatedMessageIndex *int `json:"last_activated_message_index"`
	StickyRemaining           int  `json:"sticky_remaining"`
	CooldownRemaining         int  `json:"cooldown_remaining"`
}

// RoleplayRows writes the state of a book as rows, sorted by entry. If the book was scanned with
// the settings of [worldbook.Roleplay], each entry that was ever active has a row. The argument
// length is the number of messages in the chat. The function at returns the time at which the chat
// had a number of messages, or the zero time if it is unknown. If at is nil, LastActivatedAt is
// empty.
func RoleplayRows(s worldbook.State, book string, length int, at func(length int) time.Time) []RoleplayRow {
	rows := map[string]*RoleplayRow{}
	row := func(key string, activated int) *RoleplayRow {
		uid, ok := strings.CutPrefix(key, book+".")
		if !ok {
			return &RoleplayRow{} // of a different book
		}
		if rows[uid] == nil {
			rows[uid] = &RoleplayRow{EntryUID: uid}
		}
		rows[uid].LastActivatedMessageIndex = &activated
		return rows[uid]
	}
	for key, r := range s.Sticky {
		if r.End > length {
			row(key, r.Start).StickyRemaining = r.End - length
		}
	}
	for key, r := range s.Cooldown {
		if r.End > length {
			row(key, r.Start).CooldownRemaining = r.End - length
		}
	}
	for key, last := range s.Last {
		row(key, last[0])
	}
	var out []RoleplayRow
	for _, uid := range slices.Sorted(maps.Keys(rows)) {
		entry := *rows[uid]
		if index := entry.LastActivatedMessageIndex; index != nil && at != nil {
			if t := at(*index); !t.IsZero() {
				entry.LastActivatedAt = &t
			}
		}
		out = append(out, entry)
	}
	return out
}

// FromRoleplayRows converts rows to a state. Times are not read. Pass the state to
// [worldbook.Compiled.Adopt] before scanning.
func FromRoleplayRows(rows []RoleplayRow, book string, length int) worldbook.State {
	s := worldbook.State{
		Sticky: map[string]worldbook.Record{}, Cooldown: map[string]worldbook.Record{},
		Last: map[string][2]int{},
	}
	for _, r := range rows {
		id := worldbook.ID{Book: book, UID: r.EntryUID}
		start := length - 1
		if r.LastActivatedMessageIndex != nil {
			start = min(*r.LastActivatedMessageIndex, length)
			s.Last[id.String()] = [2]int{start}
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
