package reactions

import (
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// The yumina part imports the worlds of another engine: their variables, rules, reactions,
// modules and entries load without edits, and what cannot be carried over is listed.
//
//	world, problems := reactions.LoadYumina(data, reactions.YuminaOptions{})
//	program, more := rules.Compile(world.Content())
//	book, err := world.BookJSON() // the entries, for worldbook/format

// The scanner of world books lives in a package that this one must not know, and both know
// the file format that lorebooks are exchanged in. So an imported world leaves as such a
// file, in which every member means what it means to everyone, and the entry itself goes
// along as it was for whoever understands more.

// BookJSON returns the entries in the form of a SillyTavern world info file, for
// worldbook/format and every other program that reads those.
//
//	uid               the entry's id, which is also what [effect.ToggleEntry] names
//	comment, content  name and content
//	key, keysecondary the keywords
//	selective         there are secondary keywords
//	selectiveLogic    0 AND_ANY, 1 NOT_ALL, 2 NOT_ANY, 3 AND_ALL
//	constant          sent always, or on its conditions alone because it has no keywords
//	disable           off, or a greeting, which is no lore
//	order             the position, where that is a number, else 100
//	position          0, before the character
//	matchWholeWords, caseSensitive, preventRecursion, excludeRecursion
//	conditions        {"conditions": […], "conditionLogic": …}, a gate for [YuminaGate]
//	extensions.yumina the whole entry as it was, [YuminaEntry] reads it again
//
// Two things have no member there: a module is in extensions.yumina alone, as worldbookId,
// and so is a position that is not a number. Members that world info has and worlds do not
// are left out, which means their defaults.
func (w YuminaWorld) BookJSON() ([]byte, error) {
	entries := make([]tree.Member, len(w.Entries))
	for i, e := range w.Entries {
		v, err := e.bookEntry()
		if err != nil {
			return nil, err
		}
		entries[i] = tree.Member{Key: tree.Int(int64(i)).String(), Value: v}
	}
	return tree.Object(
		tree.Member{Key: "name", Value: tree.Text(w.Name)},
		tree.Member{Key: "entries", Value: tree.Object(entries...)},
	).MarshalJSON()
}

// YuminaGate decides the conditions member that [YuminaWorld.BookJSON] writes, for the hook that
// package worldbook has for it. What is no such member holds: it is not this package's.
func YuminaGate(conditions []byte, vars rules.Vars) bool {
	f, err := authorjson.Read(conditions)
	if err != nil {
		return true
	}
	list, logic := authorjson.List(f, "conditions", rules.ReadCondition), rules.Logic(f.Text("conditionLogic"))
	return rules.ConditionsHold(list, logic, vars)
}

// bookEntry writes one entry. Absent members are left out by [tree.Object].
func (e YuminaEntry) bookEntry() (tree.Value, error) {
	own, err := e.MarshalJSON()
	if err != nil {
		return tree.Value{}, err
	}
	whole, err := tree.ParseValue(own)
	if err != nil {
		return tree.Value{}, err
	}
	onConditions := len(e.Keywords) == 0 && len(e.Conditions) > 0
	greeting := e.Role == "greeting"
	off := e.Enabled != nil && !*e.Enabled || greeting
	logic := selectiveLogic(e.SecondaryKeywordLogic)
	order := tree.Int(100)
	if e.Position.Kind() == tree.KindNumber {
		order = e.Position
	}
	return tree.Object(
		tree.Member{Key: "uid", Value: tree.Text(e.ID)},
		tree.Member{Key: "key", Value: texts(e.Keywords)},
		tree.Member{Key: "keysecondary", Value: texts(e.SecondaryKeywords)},
		tree.Member{Key: "comment", Value: tree.Text(e.Name)},
		tree.Member{Key: "content", Value: tree.Text(e.Content)},
		tree.Member{Key: "constant", Value: tree.Bool(!greeting && (e.AlwaysSend || onConditions))},
		tree.Member{Key: "selective", Value: tree.Bool(len(e.SecondaryKeywords) > 0)},
		tree.Member{Key: "selectiveLogic", Value: tree.Int(logic)},
		tree.Member{Key: "order", Value: order},
		tree.Member{Key: "position", Value: tree.Int(0)},
		tree.Member{Key: "disable", Value: tree.Bool(off)},
		tree.Member{Key: "excludeRecursion", Value: tree.Bool(e.ExcludeRecursion)},
		tree.Member{Key: "preventRecursion", Value: tree.Bool(e.PreventRecursion)},
		tree.Member{Key: "caseSensitive", Value: tree.Bool(false)},
		tree.Member{Key: "matchWholeWords", Value: tree.Bool(e.MatchWholeWords)},
		tree.Member{Key: "conditions", Value: e.gate(whole)},
		tree.Member{Key: "extensions", Value: tree.Object(
			tree.Member{Key: "yumina", Value: whole})},
	), nil
}

// gate is the conditions member, absent for an entry without conditions and for one that
// is sent always, which never asks them.
func (e YuminaEntry) gate(whole tree.Value) tree.Value {
	if len(e.Conditions) == 0 || e.AlwaysSend {
		return tree.Value{}
	}
	return tree.Object(
		tree.Member{Key: "conditions", Value: whole.Get("conditions")},
		tree.Member{Key: "conditionLogic", Value: whole.Get("conditionLogic")})
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
func texts(list []string) tree.Value {
	values := make([]tree.Value, len(list))
	for i, s := range list {
		values[i] = tree.Text(s)
	}
	return tree.Array(values...)
}
