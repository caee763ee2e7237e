package rules_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// declaredWorld declares a variable of each kind that the gate distinguishes, some at the root and
// some in the modules of a document.
func declaredWorld(t testing.TB) (*rules.Program, *memvars.System, rules.State) {
	t.Helper()
	number := func(v rules.Variable) rules.Variable {
		v.Type, v.Min, v.Max = rules.TypeNumber, new(0.0), new(100.0)
		return v
	}
	off := false
	p, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		number(rules.Variable{ID: "gold", Name: "Gold coins", Default: tree.Int(10)}),
		number(rules.Variable{ID: "hp", Path: "stat_data.hp"}),
		number(rules.Variable{ID: "level", Path: "stat_data.world.level"}),
		number(rules.Variable{ID: "inner", Path: "play_character_data.inner.deep", Internal: true}),
		number(rules.Variable{ID: "buried", Path: "stat_data.cave.deep", Internal: true}),
		number(rules.Variable{ID: "secret", Internal: true, Default: tree.Int(41)}),
		number(rules.Variable{ID: "veiled", AIAccess: rules.AINone, Default: tree.Int(42)}),
		number(rules.Variable{ID: "off", Enabled: &off, Default: tree.Int(43)}),
		number(rules.Variable{ID: "shown", AIAccess: rules.AIRead, Default: tree.Int(44)}),
		{ID: "met", Type: rules.TypeBoolean, OnceTrue: true},
		{ID: "mood", Type: rules.TypeString, Default: tree.Text("calm")},
		{ID: "bag", Type: rules.TypeJSON, Default: tree.Object(
			tree.Member{Key: "rope", Value: tree.Int(1)})},
		{ID: "wealth", Type: rules.TypeNumber, Formula: "gold * 2"},
	}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	sys, bad := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
	if err := bad.Err(); err != nil {
		t.Fatal(err)
	}
	doc := parseDoc(t, `{"stat_data":{"hp":[20,"hit points"],"world":[{"level":3},"the world"],"cave":{"deep":7},"note":"x"},
		"play_character_data":{"inner":{"deep":45}},"assa_data":{"global_set":{}}}`)
	return p, sys, p.Complete(rules.State{Variables: doc})
}

func parseDoc(t testing.TB, text string) tree.Document {
	t.Helper()
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := tree.NewDocument(v)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestGateJudgesEveryLanguage shows that the schema applies to commands of every language and to
// every part of the document.
func TestGateJudgesEveryLanguage(t *testing.T) {
	for _, c := range []struct {
		text, at, want string
		code           memvars.Code
		by             memvars.Actor
		reason         string
	}{
		{`set_status('gold', 30)`, "gold", "30", "", "", "any command reaches a variable by its id"},
		{`memory('Gold coins', 31)`, "gold", "31", "", "", "or by its display name"},
		{`set_attribute('gold', '32')`, "gold", "32", "", "", "a numeric text is a number"},
		{`memory('gold', 500)`, "gold", "100", "", "", "kept within bounds"},
		{`memory('gold', -500)`, "gold", "0", "", "", "kept within bounds"},
		{`memory('gold', 'lots')`, "gold", "10", memvars.TypeMismatch, "", "another type"},
		{`delete('gold')`, "gold", "10", memvars.StructuralBranch, "", "always has a value"},
		{`_.set('gold', 10, 33)`, "gold", "33", "", "", "the other language knows the name too"},
		{`_.add('gold', 500);`, "gold", "100", "", "", "and is bounded too"},
		{`set_status('hp', 500)`, "stat_data.hp", `[100,"hit points"]`, "", "", "within a pair"},
		{`set_attribute('hp', 5)`, "stat_data.hp", `[5,"hit points"]`, "", "", "by its id from another module"},
		{`_.set('hp', 20, 500);`, "stat_data.hp", `[100,"hit points"]`, "", "", "within a pair"},
		{`_.set('hp[0]', 20, -9);`, "stat_data.hp", `[0,"hit points"]`, "", "", "named by its place in the pair"},
		{`set_status('world', {"level": 900})`, "stat_data.world", `[{"level":100},"the world"]`, "", "",
			"written as part of something larger"},
		{`_.set('world[0]', {"level": 900});`, "stat_data.world", `[{"level":100},"the world"]`, "", "",
			"written as part of something larger"},
		{`_.remove('world[0]', 'level');`, "stat_data.world", `[{"level":3},"the world"]`,
			memvars.StructuralBranch, "", "a part that is declared is not removed"},
		{`memory('met', true)`, "met", "true", "", "", "a flag"},
		{`memory('met', true) memory('met', false)`, "met", "true", memvars.OnceTrue, "", "once true it stays"},
		{`memory('secret', 1)`, "secret", "41", memvars.BadPath, "", "internal: there is no such name"},
		{`memory('veiled', 1)`, "veiled", "42", memvars.BadPath, "", "not for models"},
		{`memory('off', 1)`, "off", "43", memvars.BadPath, "", "not active"},
		{`memory('shown', 1)`, "shown", "44", memvars.PermissionDenied, "", "read only"},
		{`memory('shown', 1)`, "shown", "1", "", memvars.User, "a player is no model"},
		{`memory('secret', 1)`, "secret", "41", memvars.BadPath, memvars.User, "internal for players too"},
		{`memory('secret', 1)`, "secret", "1", "", memvars.Host, "the host may"},
		{`memory('secret', 900)`, "secret", "100", "", memvars.Host, "within bounds"},
		{`set_attribute('inner.deep', 1)`, "play_character_data.inner.deep", "45", memvars.PathNotFound, "",
			"internal, named by its place: it is as if it were not there"},
		{`set_attribute('inner', {"deep": 1})`, "play_character_data.inner.deep", "45",
			"", "", "internal, within something larger: set adds no members"},
		{`memory('bag', 'sword', 2)`, "bag", `{"rope":1,"sword":2}`, "", "", "a part of a variable"},
		{`memory('bag', {"sword": 2})`, "bag", `{"rope":1,"sword":2}`, "", "", "merged"},
		{`memory('bag', 'nothing')`, "bag", `{"rope":1}`, memvars.TypeMismatch, "", "a structure is guarded"},
		{`delete('bag', 'rope')`, "bag", `{}`, "", "", "a part goes"},
		{`_.set('bag.rope', 3);`, "bag", `{"rope":3}`, "", "", "a part, in the other language"},
		{`memory('wealth', 1)`, "wealth", "20", memvars.ReadonlyDerived, memvars.Host, "a formula's result"},
		{`set_status('mood', 7)`, "mood", `"calm"`, memvars.TypeMismatch, "", "a text stays a text"},
	} {
		t.Run(c.text+" by "+string(c.by), func(t *testing.T) {
			p, sys, st := declaredWorld(t)
			by := c.by
			if by == "" {
				by = memvars.AI
			}
			doc, res := sys.With(p.Gate(st)).Apply(st.Variables, c.text, by)
			path, err := tree.ParsePath(c.at)
			if err != nil {
				t.Fatal(err)
			}
			if got := doc.Lookup(path).String(); got != c.want {
				t.Errorf("%s: it is %s, want %s; %+v", c.reason, got, c.want, res.Calls)
			}
			last := res.Calls[len(res.Calls)-1]
			if last.Code != c.code {
				t.Errorf("%s: code %q, want %q (%s)", c.reason, last.Code, c.code, last.Hint)
			}
			if changed := !doc.Equal(st.Variables); changed != (len(res.Changes) > 0) {
				t.Errorf("%s: changed %v, told %+v", c.reason, changed, res.Changes)
			}
			for _, ch := range res.Changes {
				if was, is := sys.Read(st.Variables, ch.Path), sys.Read(doc, ch.Path); !was.Equal(ch.Old) || !is.Equal(ch.New) {
					t.Errorf("%s: told %s from %s to %s, it went from %s to %s",
						c.reason, ch.Path, ch.Old, ch.New, was, is)
				}
			}
		})
	}
}

// TestGateHoldsAgainstRandomWriters applies random writes in every language to the declared
// variables. No write avoids bounds, type, once or access.
func TestGateHoldsAgainstRandomWriters(t *testing.T) {
	p, sys, start := declaredWorld(t)
	rnd := rand.New(rand.NewPCG(7, 7))
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	names := []string{"gold", "Gold coins", "hp", "level", "inner", "secret", "veiled", "off", "shown", "met",
		"mood", "bag", "wealth", "stat_data.hp", "world", "world.level", "world[0]", "inner.deep", "hp[0]",
		"bag.rope", "stat_data", "note", "stat_data.world.0.level"}
	values := []string{"5", "-900", "900", "'7'", "true", "false", "null", "'x'", `{"level": 999}`, `{"deep": 1}`,
		"[999, 'hit points']", "[1]", "{}", "1e400", `{"hp": 999, "world": {"level": -3}}`}
	write := func() string {
		n, v := pick(names...), pick(values...)
		switch rnd.IntN(10) {
		case 0:
			return fmt.Sprintf("set_status('%s', %s);", n, v)
		case 1:
			return fmt.Sprintf("set_attribute('%s', %s);", n, v)
		case 2:
			return fmt.Sprintf("memory('%s', %s);", n, v)
		case 3:
			return fmt.Sprintf("memory('%s', '%s', %s);", n, pick(names...), v)
		case 4:
			return fmt.Sprintf("delete('%s');", n)
		case 5:
			return fmt.Sprintf("delete('%s', '%s');", n, pick("rope", "all", "level", "0"))
		case 6:
			return fmt.Sprintf("_.set('%s', %s);", n, v)
		case 7:
			return fmt.Sprintf("_.add('%s', %s);", n, v)
		case 8:
			return fmt.Sprintf("_.remove('%s');", n)
		}
		return fmt.Sprintf(`<JSONPatch>[{"op":"%s","path":"/%s","value":%s}]</JSONPatch>`,
			pick("replace", "add", "remove"), strings.ReplaceAll(n, ".", "/"), strings.ReplaceAll(v, "'", `"`))
	}
	st := start
	applied := 0
	for range 6000 {
		if rnd.IntN(300) == 0 {
			st = start
		}
		met, _ := st.Variables.Root().Get("met").AsBool()
		text := write()
		doc, res := sys.With(p.Gate(st)).Apply(st.Variables, text, memvars.AI)
		for _, c := range res.Calls {
			if c.Status == memvars.Applied {
				applied++
			}
		}
		// After the commands come the formulas, and then a directive.
		st.Variables = doc
		st, _ = p.Follow(st)
		asked := rules.ParseDirectives(fmt.Sprintf("[%s: set %s]", pick(names...), pick(values...)), rules.DirectiveOptions{})
		kept, _ := p.FilterWrites(st, effect.By("model", asked.Effects...))
		st = p.Apply(st, kept, rules.Options{}).State
		holds(t, sys, text, start.Variables, st.Variables, met)
		if t.Failed() {
			return
		}
	}
	if applied < 300 {
		t.Errorf("only %d commands did anything: the test shows too little", applied)
	}
}

// holds checks a document against the schema of declaredWorld.
func holds(t *testing.T, sys *memvars.System, text string, start, doc tree.Document, met bool) {
	t.Helper()
	for _, at := range []tree.Path{
		{"gold"}, {"stat_data", "hp"}, {"stat_data", "world", "level"},
	} {
		n, ok := sys.Read(doc, at).AsFloat()
		if !ok || n < 0 || n > 100 {
			t.Errorf("%s: %s is %s", text, at, sys.Read(doc, at))
		}
	}
	for _, at := range []tree.Path{
		{"play_character_data", "inner", "deep"}, {"secret"}, {"veiled"}, {"off"}, {"shown"},
	} {
		if !doc.Lookup(at).Equal(start.Lookup(at)) {
			t.Errorf("%s: %s became %s", text, at, doc.Lookup(at))
		}
	}
	if now, ok := doc.Root().Get("met").AsBool(); !ok || met && !now {
		t.Errorf("%s: met is %s", text, doc.Root().Get("met"))
	}
	if doc.Root().Get("mood").Kind() != tree.KindText {
		t.Errorf("%s: mood is %s", text, doc.Root().Get("mood"))
	}
	if bag := doc.Root().Get("bag"); !bag.IsObject() && !bag.IsArray() {
		t.Errorf("%s: bag is %s", text, bag)
	}
	gold, _ := doc.Root().Get("gold").AsFloat()
	if wealth, _ := doc.Root().Get("wealth").AsFloat(); wealth != 2*gold {
		t.Errorf("%s: wealth is %v at %v gold", text, wealth, gold)
	}
}

// TestModelsSeeNoHiddenVariable searches the texts for a model for the values of hidden variables,
// with and without the marks of the document.
func TestModelsSeeNoHiddenVariable(t *testing.T) {
	p, sys, st := declaredWorld(t)
	bound := sys.With(p.Gate(st))
	for _, how := range []memvars.RenderOptions{{}, {Hidden: true}, {Format: "yaml", LeafStyle: "value"}} {
		text := bound.Render(st.Variables, how)
		for _, canary := range []string{"41", "42", "43", "45", "secret", "veiled", "off", "deep"} {
			if strings.Contains(text, canary) {
				t.Errorf("%+v shows %s: %s", how, canary, text)
			}
		}
		for _, seen := range []string{"gold", "44", "hp", "level"} {
			if !strings.Contains(text, seen) {
				t.Errorf("%+v does not show %s: %s", how, seen, text)
			}
		}
	}
	_, res := bound.Apply(st.Variables, `set_attribute('inner.deeq', 1) memory('secre.x', 1) set_status('of', 1)`, memvars.AI)
	for _, c := range res.Calls {
		for _, canary := range []string{"deep", "secret", "off"} {
			if strings.Contains(c.Hint, canary) {
				t.Errorf("the hint tells of %s: %s", canary, c.Hint)
			}
		}
	}
}

// TestGateKeepsDeclaredItems: the passes of a document remove no declared variable.
func TestGateKeepsDeclaredItems(t *testing.T) {
	p, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "potions", Path: "assa_data.global_set.背包.potion.num", Type: rules.TypeNumber, Default: tree.Int(3)},
	}})
	st := p.Complete(rules.State{Variables: parseDoc(t, `{"assa_data":{"global_set":{"背包":{
		"potion":{"num":1},"herb":{"num":1}}}}}`)})
	sys, bad := memvars.Compile(memvars.Options{})
	if err := bad.Err(); err != nil {
		t.Fatal(err)
	}
	doc, _ := sys.With(p.Gate(st)).Apply(st.Variables,
		`memory('global_set.背包.herb.num', 0) memory('potions', 0)`, memvars.AI)
	if got := doc.Lookup(tree.Path{"assa_data", "global_set", "背包"}).String(); got != `{"potion":{"num":0}}` {
		t.Errorf("the bag holds %s", got)
	}
}

// TestRulesHearCommandsByVariable: a change of a declared variable is one event under its id with
// the whole value, for any written part of the document.
func TestRulesHearCommandsByVariable(t *testing.T) {
	p, sys, st := declaredWorld(t)
	for _, c := range []struct{ text, want string }{
		{`set_status('hp', 5)`, `hp 20 5`},
		{`memory('gold', 20) memory('gold', 30)`, `gold 10 30`},
		{`memory('bag', 'sword', 2) delete('bag', 'rope')`, `bag {"rope":1} {"sword":2}`},
		{`_.set('world[0]', {"level": 7});`, `level 3 7|stat_data.world.0 {"level":3} {"level":7}`},
		{`set_status('note', 'y')`, `stat_data.note "x" "y"`},
		{`memory('gold', 20) memory('gold', 10)`, ``},
	} {
		doc, res := sys.With(p.Gate(st)).Apply(st.Variables, c.text, memvars.AI)
		var told []string
		for _, e := range p.Heard(st.Variables, doc, res.Changes) {
			id, _ := e.Get("variableId").AsText()
			told = append(told, fmt.Sprint(id, " ", e.Get("oldValue"), " ", e.Get("newValue")))
		}
		if got := strings.Join(told, "|"); got != c.want {
			t.Errorf("%s: heard %s, want %s", c.text, got, c.want)
		}
	}
}

// TestHiddenVariableIsLikeNone: a model gets the same answer for a hidden variable and for an
// unknown one.
func TestHiddenVariableIsLikeNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`set_attribute('inner.deep', 1)`, `set_attribute('inner.deep', 45, 'x')`, `set_attribute('inner.deep.more', 1)`,
		`set_attribute('inner', {"deep": 1})`, `set_attribute('inner', {"deep": "text"})`, `set_attribute('deep', 1)`,
		`delete('deep')`, `memory('deep', 1)`,
		`_.set('cave.deep', 1);`, `_.set('cave.deep', 7, 1);`, `_.set('cave.deep', 'text');`, `_.add('cave.deep', 1);`, `_.remove('cave.deep');`, `_.set('cave.deep.more', 1);`,
	} {
		for _, by := range []memvars.Actor{memvars.AI, memvars.User} {
			p, sys, st := declaredWorld(t)
			answer := func(text string) memvars.CallResult {
				_, res := sys.With(p.Gate(st)).Apply(st.Variables, text, by)
				if len(res.Calls) != 1 {
					t.Fatalf("%s: %+v", text, res.Calls)
				}
				return res.Calls[0]
			}
			hidden, none := answer(text), answer(strings.ReplaceAll(text, "deep", "damp"))
			hidden.Hint = strings.ReplaceAll(hidden.Hint, "deep", "damp")
			hidden.Near = strings.ReplaceAll(hidden.Near, "deep", "damp")
			if got, want := fmt.Sprintf("%+v", hidden), fmt.Sprintf("%+v", none); got != want {
				t.Errorf("%s by %s: hidden %s\nnot there %s", text, by, got, want)
			}
		}
	}
}

// TestHiddenVariablesChangeNoAnswer plays the same random messages, in every language, in a game
// with hidden variables and in a game without them. The model gets the same text. The hidden
// variables keep their values and their places among the others.
func TestHiddenVariablesChangeNoAnswer(t *testing.T) {
	t.Parallel()
	const (
		whole = `{"a":1,"stat_data":{"hp":[20,"hit points"],"cave":{"deep":771,"wide":2,"old":[1,{"gem":3,"dust":1},5]},"note":"x",
			"hall":[{"key":9,"lamp":1},"the hall"],"list":[1,2]},"traitor":"Ann","b":{"c":1},
			"assa_data":{"global_set":{"npc":{"bob":{"mood":1,"plan":{"x":1}}}},"summary":{"small":{}},"free":{"z":1}}}`
		open = `{"a":1,"stat_data":{"hp":[20,"hit points"],"cave":{"wide":2,"old":[1,{"dust":1},5]},"note":"x",
			"hall":[{"lamp":1},"the hall"],"list":[1,2]},"b":{"c":1},
			"assa_data":{"global_set":{"npc":{"bob":{"mood":1}}},"summary":{"small":{}},"free":{"z":1}}}`
	)
	shown := []rules.Variable{{ID: "hp", Path: "stat_data.hp", Type: rules.TypeNumber, Min: new(0.0), Max: new(100.0)}}
	secret := []rules.Variable{
		{ID: "deep", Path: "stat_data.cave.deep", Type: rules.TypeNumber, Internal: true},
		{ID: "gem", Path: "stat_data.cave.old[1].gem", Type: rules.TypeNumber, Internal: true},
		{ID: "key", Path: "stat_data.hall.key", Type: rules.TypeNumber, Internal: true},
		{ID: "traitor", Type: rules.TypeString, Internal: true},
		{ID: "plan", Path: "assa_data.global_set.npc.bob.plan", Type: rules.TypeJSON, Internal: true},
		{ID: "unborn", Path: "assa_data.free.unborn", Type: rules.TypeNumber, Internal: true},
	}
	names := []string{"deep", "gem", "key", "traitor", "plan", "unborn", "cave", "cave.deep", "cave.old", "cave.old[1].gem", "cave.old[1]",
		"hall", "hall.key", "hall[0].key", "hall[0]", "cave.deep.more", "stat_data.cave", "traitor.x", "global_set.npc.bob.plan",
		"global_set.npc.bob", "global_set.npc", "global_set.npc.bob.plan.x", "free", "free.unborn", "free.z", "free.unborn.x", "list", "list[1]",
		"hp", "note", "nowhere", "b", "b.c", "a", "summary.small"}
	pointers := []string{"/cave/deep", "/cave", "/cave/old/1/gem", "/cave/old/1", "/cave/old/0", "/hall/0/key", "/hall", "/note", "/list/0", "/list/-", "/nowhere", "/cave/deep/x", ""}
	values := []string{"5", "'x'", "7", "null", "{}", `{"deep": 1, "wide": 3}`, `{"plan": 1, "mood": 2}`, `{"cave": {"deep": 1}}`, `{"unborn": 1}`,
		"[1]", `{"key": 1}`, `[{"key": 1}, "x"]`, "true", `{"gem": 2, "dust": 9}`, `'global_set.npc.bob.plan'`, `'free.unborn'`, `'free.new'`}
	rnd := rand.New(rand.NewPCG(3, 5))
	pick := func(list []string) string { return list[rnd.IntN(len(list))] }
	command := func() string {
		name, value := pick(names), pick(values)
		switch rnd.IntN(16) {
		case 0, 1:
			return fmt.Sprintf("set_status('%s', %s)", name, value)
		case 2:
			return fmt.Sprintf("set_attribute('%s', %s, %s)", name, value, pick(values))
		case 3, 4:
			return fmt.Sprintf("memory('%s', %s)", name, value)
		case 5:
			return fmt.Sprintf("memory('%s', '%s', %s)", name, pick(names), value)
		case 6:
			return fmt.Sprintf("memory('%s', '%s')", name, pick(names))
		case 7:
			return fmt.Sprintf("delete('%s')", name)
		case 8:
			return fmt.Sprintf("delete('%s', '%s')", name, pick([]string{"all", "deep", "plan", "unborn", "0", "1", "gem"}))
		case 9:
			return fmt.Sprintf("_.set('%s', %s);", name, value)
		case 10:
			return fmt.Sprintf("_.add('%s', 2);", name)
		case 11:
			return fmt.Sprintf("_.insert('%s', '%s', %s);", name, pick([]string{"deep", "key", "0", "new"}), value)
		case 12:
			return fmt.Sprintf("_.remove('%s');", name)
		case 13:
			return fmt.Sprintf("_.move('%s', '%s');", name, pick(names))
		}
		patch := fmt.Sprintf(`{"op":"%s","path":"%s","from":"%s","value":%s}`, pick([]string{"add", "replace", "remove", "move", "copy", "test", "insert", "delta"}),
			pick(pointers), pick(pointers), strings.ReplaceAll(value, "'", `"`))
		return "<JsonPatch>[" + patch + "]</JsonPatch>"
	}
	for i := range 6000 {
		sys, problems := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})},
			AutoCreate: i%2 == 0, MoveOverwrite: i%3 == 0, Merge: []string{"deep", "shallow", "replace"}[i%3], OnError: []string{"skip", "skip", "skip", "abort"}[i%4]})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		text := command()
		for range rnd.IntN(3) {
			text += " " + command()
		}
		by := []memvars.Actor{memvars.AI, memvars.User}[i/2%2]
		play := func(doc string, vars ...rules.Variable) (rules.State, tree.Document, memvars.Result) {
			p, problems := rules.Compile(rules.Content{Variables: vars})
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			st := rules.State{Variables: parseDoc(t, doc)}
			after, result := sys.With(p.Gate(st)).Apply(st.Variables, text, by)
			return st, after, result
		}
		_, _, want := play(open, shown...)
		st, after, got := play(whole, append(secret, shown...)...)
		if a, b := fmt.Sprintf("%+v", sys.Feedback(got.Calls)), fmt.Sprintf("%+v", sys.Feedback(want.Calls)); a != b {
			t.Fatalf("%s by %s:\nwith hidden variables %s\nwithout them          %s", text, by, a, b)
		}
		for _, v := range secret {
			path := tree.Path{v.ID}
			if v.Path != "" {
				path, _ = tree.ParsePath(v.Path)
			}
			if was, is := sys.Read(st.Variables, path), sys.Read(after, path); was.Exists() != is.Exists() || !was.Equal(is) {
				t.Fatalf("%s by %s: %s was %s and is %s", text, by, v.ID, was, is)
			}
		}
		if i := after.Root().IndexOf("traitor"); i < 1 || after.Root().KeyAt(i-1) != "stat_data" {
			t.Fatalf("%s by %s: the variables are in another order: %s", text, by, after)
		}
		if len(got.Changes) == 0 && !after.Same(st.Variables) {
			t.Fatalf("%s by %s: nothing was told of and there is another document: %s", text, by, after)
		}
		for _, c := range got.Changes {
			for _, canary := range []string{"Ann", `"gem":3`, `771`, `"key":9`} {
				if strings.Contains(c.String(), canary) {
					t.Fatalf("%s by %s: a change tells of %s: %s", text, by, canary, c)
				}
			}
		}
	}
}
