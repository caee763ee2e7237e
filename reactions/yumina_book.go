package reactions

import (
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// The yumina files import the worlds of a different engine, Yumina. Its variables, rules,
// reactions, modules and entries load without edits. The problems list everything that cannot be
// carried over.
//
//	world, problems := reactions.ParseYumina(data, reactions.YuminaOptions{})
//	program, more := rules.Compile(world.Content())
//	book, err := world.BookJSON() // the entries, for worldbook/format

// This package must not import the package with the scanner of world books. Both use the file
// format in which lorebooks are exchanged. So an imported world is exported as such a file. Its
// members have their usual meaning, and the whole original entry is included for programs that
// understand it.

// BookJSON returns the entries as a SillyTavern world info file, for worldbook/format and every
// other program that reads such files.
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
// Two values have no member of their own: a module, and a position that is not a number. They are
// only in extensions.yumina (the module as worldbookId). Members of world info that worlds do not
// have are left out, which means their defaults.
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

// YuminaGate decides the conditions member that [YuminaWorld.BookJSON] writes. Use it for
// Input.Condition of package worldbook. Any other conditions hold, because they do not belong to
// this package.
func YuminaGate(conditions []byte, vars rules.Vars) bool {
	f, err := authorjson.Read(conditions)
	if err != nil {
		return true
	}
	list, logic := authorjson.List(f, "conditions", rules.ParseCondition), rules.Logic(f.Text("conditionLogic"))
	return rules.ConditionsHold(list, logic, vars)
}

// bookEntry converts one entry. [tree.Object] leaves out absent members.
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
		tree.Member{Key: "key", Value: authorjson.Texts(e.Keywords)},
		tree.Member{Key: "keysecondary", Value: authorjson.Texts(e.SecondaryKeywords)},
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

// gate returns the conditions member. It is absent for an entry without conditions and for an entry
// that is always sent, which ignores its conditions.
func (e YuminaEntry) gate(whole tree.Value) tree.Value {
	if len(e.Conditions) == 0 || e.AlwaysSend {
		return tree.Value{}
	}
	return tree.Object(
		tree.Member{Key: "conditions", Value: whole.Get("conditions")},
		tree.Member{Key: "conditionLogic", Value: whole.Get("conditionLogic")})
}

// selectiveLogic returns the number of a logic name in world info. An unknown name means AND_ANY,
// as in worlds.
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
