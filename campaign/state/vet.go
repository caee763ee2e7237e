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
	"github.com/talewright/talewright/internal/meant"
)

// UnreadMember is the code of a JSON member of a setup that the engine does not read.
const UnreadMember talewright.Code = "unread_member"

// maxUnread bounds the problems of one setup: a chat that was played elsewhere can have thousands of
// turns, each with members of its own.
const maxUnread = 100

// Vet returns a warning for each JSON member of the setup that the engine does not read, at any depth,
// with its place and the name that was probably meant. Such a member is kept for the host, and the
// campaign begins without it. At most 100 are listed. Engine.Create writes them to its logger.
func (s Setup) Vet() talewright.Problems {
	s.Extra = maps.Clone(s.Extra)
	for _, name := range append(ForeignMembers(), "settings_snapshot", "settings_revision") { // these are read
		delete(s.Extra, name)
	}
	var v unreadMembers
	v.walk("", reflect.ValueOf(s))
	return v.problems
}

// ForeignMembers returns the members of campaigns that ran elsewhere which speak of states that a setup does
// not hold. Creating a campaign refuses those that say something.
func ForeignMembers() []string {
	return []string{"branches", "checkpoints", "pending_conflict", "rollback_pending", "snapshots", "state", "stored_conflicts"}
}

// unreadMembers collects the problems of one setup.
type unreadMembers struct{ problems talewright.Problems }

// walk goes through the fields that JSON has, and reports what types keep in Extra.
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
		case f.IsExported() && name != "" && name != "-":
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
		if word, ok := meant.Closest(name, known); ok {
			hint = fmt.Sprintf("did you mean %q?", word)
		}
		u.problems = append(u.problems, talewright.Problem{Path: member(path, name), Code: UnreadMember, Severity: talewright.Warning,
			Text: fmt.Sprintf("the engine does not read %q; it is kept for the host; %s", name, hint)})
	}
}

// member is the path of a member.
func member(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }
