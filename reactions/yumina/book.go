package yumina

import (
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules"
)

// The scanner of world books lives in a package that this one must not know, and both know
// the file format that lorebooks are exchanged in. So an imported world leaves as such a
// file, in which every member means what it means to everyone, and the entry itself goes
// along as it was for whoever understands more.

// BookJSON returns the entries in the form of a SillyTavern world info file, for
// worldbook/stbook and every other program that reads those.
//
//	uid               the entry's id, which is also what [rules.ToggleEntry] names
//	comment, content  name and content
//	key, keysecondary the keywords
//	selective         there are secondary keywords
//	selectiveLogic    0 AND_ANY, 1 NOT_ALL, 2 NOT_ANY, 3 AND_ALL
//	constant          sent always, or on its conditions alone because it has no keywords
//	disable           off, or a greeting, which is no lore
//	order             the position, where that is a number, else 100
//	position          0, before the character
//	matchWholeWords, caseSensitive, preventRecursion, excludeRecursion
//	conditions        {"conditions": […], "conditionLogic": …}, a gate for [Gate]
//	extensions.yumina the whole entry as it was, [Entry] reads it again
//
// Two things have no member there: a module is in extensions.yumina alone, as worldbookId,
// and so is a position that is not a number. Members that world info has and worlds do not
// are left out, which means their defaults.
func (w World) BookJSON() ([]byte, error) {
	entries := make([]memvars.Member, len(w.Entries))
	for i, e := range w.Entries {
		v, err := e.bookEntry()
		if err != nil {
			return nil, err
		}
		entries[i] = memvars.Member{Key: memvars.Int(int64(i)).String(), Value: v}
	}
	return memvars.Object(
		memvars.Member{Key: "name", Value: memvars.Text(w.Name)},
		memvars.Member{Key: "entries", Value: memvars.Object(entries...)},
	).MarshalJSON()
}

// Gate decides the conditions member that [World.BookJSON] writes, for the hook that
// package worldbook has for it. What is no such member holds: it is not this package's.
func Gate(conditions []byte, vars rules.Vars) bool {
	f, err := rules.ReadFields(conditions)
	if err != nil {
		return true
	}
	list, logic := f.Conditions("conditions"), rules.Logic(f.Text("conditionLogic"))
	return rules.Holds(list, logic, vars)
}

// bookEntry writes one entry. Absent members are left out by [memvars.Object].
func (e Entry) bookEntry() (memvars.Value, error) {
	own, err := e.MarshalJSON()
	if err != nil {
		return memvars.Value{}, err
	}
	whole, err := memvars.ParseValue(own)
	if err != nil {
		return memvars.Value{}, err
	}
	onConditions := len(e.Keywords) == 0 && len(e.Conditions) > 0
	greeting := e.Role == "greeting"
	off := e.Enabled != nil && !*e.Enabled || greeting
	logic := selectiveLogic(e.SecondaryKeywordLogic)
	order := memvars.Int(100)
	if e.Position.Kind() == memvars.KindNumber {
		order = e.Position
	}
	return memvars.Object(
		memvars.Member{Key: "uid", Value: memvars.Text(e.ID)},
		memvars.Member{Key: "key", Value: texts(e.Keywords)},
		memvars.Member{Key: "keysecondary", Value: texts(e.SecondaryKeywords)},
		memvars.Member{Key: "comment", Value: memvars.Text(e.Name)},
		memvars.Member{Key: "content", Value: memvars.Text(e.Content)},
		memvars.Member{Key: "constant", Value: memvars.Bool(!greeting && (e.AlwaysSend || onConditions))},
		memvars.Member{Key: "selective", Value: memvars.Bool(len(e.SecondaryKeywords) > 0)},
		memvars.Member{Key: "selectiveLogic", Value: memvars.Int(logic)},
		memvars.Member{Key: "order", Value: order},
		memvars.Member{Key: "position", Value: memvars.Int(0)},
		memvars.Member{Key: "disable", Value: memvars.Bool(off)},
		memvars.Member{Key: "excludeRecursion", Value: memvars.Bool(e.ExcludeRecursion)},
		memvars.Member{Key: "preventRecursion", Value: memvars.Bool(e.PreventRecursion)},
		memvars.Member{Key: "caseSensitive", Value: memvars.Bool(false)},
		memvars.Member{Key: "matchWholeWords", Value: memvars.Bool(e.MatchWholeWords)},
		memvars.Member{Key: "conditions", Value: e.gate(whole)},
		memvars.Member{Key: "extensions", Value: memvars.Object(
			memvars.Member{Key: "yumina", Value: whole})},
	), nil
}

// gate is the conditions member, absent for an entry without conditions and for one that
// is sent always, which never asks them.
func (e Entry) gate(whole memvars.Value) memvars.Value {
	if len(e.Conditions) == 0 || e.AlwaysSend {
		return memvars.Value{}
	}
	return memvars.Object(
		memvars.Member{Key: "conditions", Value: whole.Get("conditions")},
		memvars.Member{Key: "conditionLogic", Value: whole.Get("conditionLogic")})
}

// selectiveLogic is the number that world info has for a name. What is none means AND_ANY
// there as here.
func selectiveLogic(logic rules.Secondary) int64 {
	switch logic {
	case rules.NotAll:
		return 1
	case rules.NotAny:
		return 2
	case rules.AndAll:
		return 3
	}
	return 0
}

// texts is a list of strings, empty and not absent for none.
func texts(list []string) memvars.Value {
	values := make([]memvars.Value, len(list))
	for i, s := range list {
		values[i] = memvars.Text(s)
	}
	return memvars.Array(values...)
}
