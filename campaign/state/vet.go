package state

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/internal/utf8text"
)

// Codes of the problems of a setup.
const (
	// UnreadMember: the engine does not read a JSON member.
	codeUnreadMember talewright.Code = "unread_member"
	// NoTurnOrder: several characters can act, and no setting says in which order.
	codeNoTurnOrder talewright.Code = "no_turn_order"
	// DuplicateName: two characters have the same name.
	codeDuplicateName talewright.Code = "duplicate_name"
	// OutOfRange: a number without a meaning.
	codeOutOfRange talewright.Code = "out_of_range"
)

// maxUnread limits the problems of one setup. An imported chat can have thousands of turns, each
// with its own unknown members.
const maxUnread = 100

// Vet returns warnings about a setup. Engine.Create writes them to its logger.
//
// The first warning is about a party of several members without the setting turn.order. The default
// lets only the selected member act, and the lines of the others are refused.
//
// Further warnings are about characters with the name of an earlier character, and countdowns below 0.
//
// The others are about JSON members that the engine does not read, at any depth. Each has its path
// and the name that was probably meant. The campaign keeps such members for the host and ignores
// them. At most 100 are listed.
func (s Setup) Vet() talewright.Problems {
	found := slices.Concat(s.vetTurnOrder(), s.vetNames(), s.vetTimers())
	s.Extra = maps.Clone(s.Extra)
	for _, name := range append(ForeignMembers(), "settings_snapshot", "settings_revision") { // these are read
		delete(s.Extra, name)
	}
	var v unreadMembers
	v.walk("", reflect.ValueOf(s))
	return append(found, v.problems...)
}

// vetNames returns a warning for each character with the name of an earlier one.
func (s Setup) vetNames() (list talewright.Problems) {
	first := map[string]string{}
	for i, c := range s.Characters {
		name := strings.ToLower(strings.TrimSpace(c.Name))
		if id, known := first[name]; known && name != "" {
			list = append(list, talewright.Problem{Path: fmt.Sprintf("characters[%d].name", i), ID: c.ID, Code: codeDuplicateName, Severity: talewright.Warning,
				Text: fmt.Sprintf("the name of %q too: a text that names one of them does not say which; write a different name", id)})
			continue
		}
		first[name] = c.ID
	}
	return list
}

// vetTimers returns a warning for each countdown with a duration below 0.
func (s Setup) vetTimers() (list talewright.Problems) {
	for i, t := range s.Timers {
		if t.Duration < 0 {
			list = append(list, talewright.Problem{Path: fmt.Sprintf("timers[%d].duration", i), ID: t.ID, Code: codeOutOfRange, Severity: talewright.Warning,
				Text: "below 0: the countdown ends as soon as time passes; write a duration above 0"})
		}
	}
	return list
}

// vetTurnOrder returns a warning if several characters can act and the order of their turns is not
// set.
func (s Setup) vetTurnOrder() talewright.Problems {
	members := len(s.Selected.Party)
	if s.Selected.Party == nil { // all characters are the party
		members = len(s.Characters)
	}
	var snapshot setting.Snapshot // it is read as settings
	_ = json.Unmarshal(s.Extra["settings_snapshot"], &snapshot)
	for _, given := range []setting.Snapshot{s.Settings, s.GlobalSettings, snapshot} {
		if given[settingkey.TurnOrder].Exists() {
			return nil
		}
	}
	if members < 2 {
		return nil
	}
	return talewright.Problems{{Path: "settings." + settingkey.TurnOrder, Code: codeNoTurnOrder, Severity: talewright.Warning,
		Text: fmt.Sprintf("missing, and the party has %d members: only the selected one may act; "+
			`write "free", "round_robin" or "active_actor", or list in selected.party_character_ids who acts`, members)}}
}

// ForeignMembers returns the members of exported campaigns with states that a setup does not
// contain. Creating a campaign refuses a setup in which one of them is not empty.
func ForeignMembers() []string {
	return []string{"branches", "checkpoints", "pending_conflict", "rollback_pending", "snapshots", "state", "stored_conflicts"}
}

// unreadMembers collects the problems of one setup.
type unreadMembers struct{ problems talewright.Problems }

// walk visits the exported fields and reports the members in each Extra.
func (u *unreadMembers) walk(path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			u.walk(path, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			u.walk(path+"["+strconv.Itoa(i)+"]", v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			u.walk(member(path, k.String()), v.MapIndex(k))
		}
	case reflect.Struct:
		u.structure(path, v)
	}
}

func (u *unreadMembers) structure(path string, v reflect.Value) {
	var known []string
	var extra reflect.Value
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Name == "Extra":
			extra = v.Field(i)
		case f.IsExported():
			known = append(known, name)
			u.walk(member(path, name), v.Field(i))
		}
	}
	if !extra.IsValid() {
		return
	}
	kept, _ := extra.Interface().(map[string]json.RawMessage)
	slices.Sort(known)
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if len(u.problems) == maxUnread {
			return
		}
		hint := "here are " + strings.Join(known, ", ")
		if word, ok := utf8text.Suggest(name, known); ok {
			hint = fmt.Sprintf("did you mean %q?", word)
		}
		u.problems = append(u.problems, talewright.Problem{Path: member(path, name), Code: codeUnreadMember, Severity: talewright.Warning,
			Text: fmt.Sprintf("the engine does not read %q; it is kept for the host; %s", name, hint)})
	}
}

// member returns the path of a member.
func member(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }
