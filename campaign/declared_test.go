package campaign_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// asked plays a turn and returns its outcome and everything that the model received.
func asked(t testing.TB, m *turn.Machine, in turn.Input, outputs ...string) (turn.Outcome, string) {
	t.Helper()
	o, seen, _ := drive(t, m, in, outputs...)
	return o, jsonOf(t, seen)
}

// declaring returns content with the given variables, in the JSON of authors, and rules.
func declaring(t testing.TB, variables, ruleList string) game.Content {
	t.Helper()
	c := game.Content{Rules: game.Rules{Commands: memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}}}}
	if err := json.Unmarshal([]byte(variables), &c.Rules.Variables); err != nil {
		t.Fatal(err)
	}
	if ruleList != "" {
		if err := json.Unmarshal([]byte(ruleList), &c.Rules.Rules); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestEveryFieldOfAVariablePlays plays one turn for each field of a declared variable, with and
// without the field. The requests or the final variables must differ.
func TestEveryFieldOfAVariablePlays(t *testing.T) {
	for _, c := range []struct {
		field, without, with string
		reply                string
		want                 string // the variables after the turn, with the field
		sent                 string // in the request with the field; with "!": not in it
	}{
		{field: "id", without: `{"id":"x","type":"number"}`, with: `{"id":"gold","type":"number"}`,
			reply: "memory('gold', 3);", want: `{"gold":3}`},
		{field: "name", without: `{"id":"g","type":"number"}`, with: `{"id":"g","name":"gold","type":"number"}`,
			reply: "memory('gold', 3);", want: `{"g":3}`},
		{field: "type", without: `{"id":"g","type":"json"}`, with: `{"id":"g","type":"string"}`,
			reply: "memory('g', 3);", want: `{"g":""}`},
		{field: "path", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","path":"stat_data.g"}`,
			reply: "set_status('g', 3);", want: `{"stat_data":{"g":3}}`},
		{field: "defaultValue", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","defaultValue":41}`,
			reply: "Rain.", want: `{"g":41}`, sent: `41`},
		{field: "min", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","min":-5}`,
			reply: "memory('g', -50);", want: `{"g":-5}`},
		{field: "max", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","max":5}`,
			reply: "_.set('g', 0, 50);", want: `{"g":5}`},
		{field: "formula", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","formula":"4 + 3"}`,
			reply: "memory('g', 50);", want: `{"g":7}`},
		{field: "onceTrue", without: `{"id":"g","type":"boolean"}`, with: `{"id":"g","type":"boolean","onceTrue":true}`,
			reply: "memory('g', true); memory('g', false);", want: `{"g":true}`},
		{field: "aiAccess read", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","aiAccess":"read"}`,
			reply: "memory('g', 50);", want: `{"g":0}`, sent: `\"g\":0`},
		{field: "aiAccess none", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","aiAccess":"none"}`,
			reply: "memory('g', 50);", want: `{"g":0}`, sent: `!\"g\":0`},
		{field: "internal", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","internal":true}`,
			reply: "memory('g', 50);", want: `{"g":0}`, sent: `!\"g\":0`},
		{field: "enabled", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","enabled":false}`,
			reply: "memory('g', 50);", want: `{"g":0}`, sent: `!\"g\":0`},
		{field: "activation", without: `{"id":"g","type":"number"}`,
			with: `{"id":"g","type":"number","activation":{"mode":"conditions","conditions":[
				{"variableId":"hp.ren","operator":"lt","value":10}]}}`,
			reply: "memory('g', 50);", want: `{"g":0}`, sent: `!\"g\":0`},
		{field: "worldbookId", without: `{"id":"g","type":"number"}`, with: `{"id":"g","type":"number","worldbookId":"night"}`,
			reply: "memory('g', 50);", want: `{"g":0}`, sent: `!\"g\":0`},
	} {
		t.Run(c.field, func(t *testing.T) {
			play := func(variable string) (after, sent string) {
				content := declaring(t, "["+variable+"]", "")
				content.Rules.Modules = []rules.Module{{ID: "night", Activation: rules.Activation{
					Mode: rules.ModeConditions, Conditions: []rules.Condition{{VariableID: "hp.ren",
						Operator: rules.Lt, Value: tree.Int(10)}}}}}
				m := begin(t, content)
				_, sent = asked(t, m, turn.Submit{Text: "Look around"}, "Rain falls. "+c.reply)
				return m.Campaign().State.Variables.String(), sent
			}
			after, sent := play(c.with)
			if after != c.want {
				t.Errorf("the variables are %s, want %s", after, c.want)
			}
			plainAfter, plainSent := play(c.without)
			if plainAfter == after && plainSent == sent {
				t.Error("nothing of the turn differs by the field")
			}
			if word, hidden := strings.CutPrefix(c.sent, "!"); strings.Contains(sent, word) == hidden {
				t.Errorf("the model was sent %q: %v\n%s", word, !hidden, sent)
			}
		})
	}
	t.Run("scope", func(t *testing.T) {
		m := begin(t, declaring(t, `[{"id":"hard","type":"number","scope":"setup"},{"id":"gold","type":"number"}]`, ""))
		say(t, m, "Go", "Rain.")
		say(t, m, "Go", "Rain. memory('hard', 1); memory('gold', 1);")
		checkpoints := m.Campaign().Checkpoints
		step(t, m, turn.RollBack{To: checkpoints[len(checkpoints)-2].TurnID}, turn.Committed{})
		if got := m.Campaign().State.Variables.String(); got != `{"hard":1,"gold":0}` {
			t.Errorf("after the rollback: %s", got)
		}
		say(t, m, "Go", "Rain. memory('hard', 2); memory('gold', 5);")
		step(t, m, turn.SwitchBranch{BranchID: "main"}, turn.Committed{})
		if got := m.Campaign().State.Variables.String(); got != `{"hard":2,"gold":1}` {
			t.Errorf("on the old branch: %s", got)
		}
	})
	t.Run("scope of a private value", func(t *testing.T) {
		for name, back := range map[string]func(m *turn.Machine){
			"rollback":   func(m *turn.Machine) { step(t, m, turn.RollBack{To: state.StartTurnID}, turn.Committed{}) },
			"regenerate": func(m *turn.Machine) { play(t, m, turn.Regenerate{}, "Snow falls.") },
		} {
			m := begin(t, declaring(t, `[{"id":"crest","type":"string","scope":"setup"}]`, ""), `{"settings": {"turn.order": "free"}}`)
			play(t, m, turn.Submit{ActorID: "ren", Audience: []string{"ren"}, Text: "I choose."}, "Rain. memory('crest', 'a black swan');")
			back(m)
			if got := m.Campaign().State.Variables.String(); got != `{"crest":"a black swan"}` {
				t.Errorf("after the %s: %s", name, got)
			}
			for actor, knows := range map[string]bool{"mei": false, "ren": true} {
				_, sent := asked(t, m, turn.Submit{ActorID: actor, Text: "Look around"}, "Rain falls.")
				if strings.Contains(sent, "a black swan") != knows {
					t.Errorf("after the %s, the prompt for %s has what only Ren knows: %v\n%s", name, actor, !knows, sent)
				}
			}
		}
	})
}

// TestDefaultsCountFromTheFirstTurn: conditions, macros and the prompt have declared defaults and
// the values of formulas before the first write, and no rule fires for them. A save that is older
// than the declarations gets them too.
func TestDefaultsCountFromTheFirstTurn(t *testing.T) {
	content := declaring(t, `[{"id":"gold","type":"number","defaultValue":500},
		{"id":"rank","type":"number","formula":"gold / 5"},
		{"id":"mood","name":"Her mood","path":"stat_data.her.mood","type":"string","defaultValue":"calm"}]`,
		`[{"id":"rich","trigger":{"type":"variable-crossed","variableId":"rank","direction":"rises-above","threshold":50},
			"actions":[{"type":"notify","message":"You became rich!"}]},
		{"id":"any","trigger":{"type":"state-change","variableId":"rank"},
			"actions":[{"type":"notify","message":"It changed!"}]}]`)
	content.People.Persona = "They own {{var::gold}} and rank {{var::rank}}, {{var::mood}}, {{var::Her mood}}."
	content.Lore.Books = []worldbook.Attachment{{Book: worldbook.Book{Entries: []worldbook.Entry{{
		UID: "vault", Constant: true, Content: "The vault glitters.", Probability: 100,
		Conditions: json.RawMessage(
			`[{"variableId":"gold","operator":"gte","value":500},{"variableId":"mood","operator":"eq","value":"calm"}]`),
	}}}}}
	old := begin(t, game.Content{}).Campaign()
	g := compile(t, content)
	start, err := turn.Begin(g, cave(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := start.State.Variables.String(); got != `{"gold":500,"rank":100,"stat_data":{"her":{"mood":"calm"}}}` {
		t.Errorf("a new campaign has %s", got)
	}
	for name, c := range map[string]state.Campaign{"new": start, "older save": old} {
		t.Run(name, func(t *testing.T) {
			m := turn.NewMachine(g, c)
			out, sent := asked(t, m, turn.Submit{Text: "Look"}, "Rain.")
			for _, want := range []string{"They own 500 and rank 100, calm, calm.", "The vault glitters.", `\"gold\":500`} {
				if !strings.Contains(sent, want) {
					t.Errorf("the model was not sent %q:\n%s", want, sent)
				}
			}
			if len(out.Turn.Trace.Fired) > 0 || len(out.Turn.Changes) > 0 {
				t.Errorf("fired %+v, changed %+v", out.Turn.Trace.Fired, out.Turn.Changes)
			}
			out, _ = asked(t, m, turn.Submit{Text: "Look"}, "Rain. memory('gold', 600);")
			if n := len(out.Turn.Trace.Fired); n != 1 || out.Turn.Trace.Fired[0].ID != "any" {
				t.Errorf("a real change fired %+v", out.Turn.Trace.Fired)
			}
		})
	}
}

// TestRulesHearModelsByVariable: a command on an element is a change of the variable there, within
// its limits.
func TestRulesHearModelsByVariable(t *testing.T) {
	m := begin(t, declaring(t, `[{"id":"hp","path":"stat_data.life","type":"number","max":20,"defaultValue":20}]`,
		`[{"id":"low","trigger":{"type":"variable-crossed","variableId":"hp","direction":"drops-below","threshold":5},
			"actions":[{"type":"modify-variable","variableId":"hp","operation":"add","value":900}]}]`))
	out := say(t, m, "Go", "A blow. set_status('life', 1);")
	if len(out.Turn.Trace.Fired) != 1 || m.Campaign().State.Variables.String() != `{"stat_data":{"life":20}}` {
		t.Errorf("fired %+v, variables %s", out.Turn.Trace.Fired, m.Campaign().State.Variables)
	}
}

// TestSetupIsHeldToTheDeclarations: initial values are brought within limits; a value that cannot
// be is reported.
func TestSetupIsHeldToTheDeclarations(t *testing.T) {
	g := compile(t, declaring(t, `[{"id":"gold","type":"number","max":99},{"id":"mood","type":"string"}]`, ""))
	start, err := turn.Begin(g, cave(t, `{"variables":{"gold":500,"note":1}}`))
	if err != nil || start.State.Variables.String() != `{"gold":99,"note":1,"mood":""}` {
		t.Errorf("%s %v", start.State.Variables, err)
	}
	if _, err = turn.Begin(g, cave(t, `{"variables":{"mood":7}}`)); err == nil || !strings.Contains(err.Error(), "mood") {
		t.Errorf("a mood of 7: %v", err)
	}
}

// canaries are values that no model may see, in every way of hiding a variable.
const canaries = `[
	{"id":"traitor","type":"string","defaultValue":"CANARY-internal","internal":true},
	{"id":"oracle","type":"string","defaultValue":"CANARY-none","aiAccess":"none"},
	{"id":"dormant","type":"string","defaultValue":"CANARY-inactive","activation":{"mode":"manual"},"enabled":false},
	{"id":"deep","path":"assa_data.world_set.npc.ann.truth","type":"string","defaultValue":"CANARY-deep","internal":true},
	{"id":"bag","type":"json","defaultValue":{"rope":1}},
	{"id":"gold","type":"number","defaultValue":10}]`

// TestNoModelSeesAHiddenVariable plays random turns of a hostile model that writes, moves, deletes
// and requests hidden variables in every dialect. No request contains their values.
func TestNoModelSeesAHiddenVariable(t *testing.T) {
	testkit.WithoutRace(t)
	const document = `{"variables":{
		"stat_data":{"x":1,"world_shard":{"name":"Mistvale"},"shadow":{"_showInEJS":false,"plot":"CANARY-shadow"},"_meta":"CANARY-meta"},
		"assa_data":{"world_set":{"npc":{"ann":{"age":20},"bob":{"_showInEJS":false,"plan":"CANARY-bob","_seed":"CANARY-seed"}},
			"settings":{"law":"none","cult":{"_showInEJS":false,"_seed":"CANARY-cult"}}},"global_set":{"npc":{}}}}}`
	names := []string{"traitor", "oracle", "dormant", "deep", "bag", "gold", "world_set.npc", "world_set.npc.ann",
		"world_set.npc.ann.truth", "world_set.npc.bob", "world_set.settings", "global_set.npc", "shadow", "shadow.plot",
		"shadow.plox", "_meta", "x", "stat_data.shadow"}
	values := []string{"'x'", "5", "{}", "'{{var::traitor}} {{getvar::oracle}} {{var::stat_data.shadow.plot}}'", "null",
		"'global_set.npc.stolen'", `{"truth":"mine"}`, "'world_set.settings.copy'"}
	m := begin(t, declaring(t, canaries, ""), document)
	rnd := rand.New(rand.NewPCG(5, 5))
	pick := func(list []string) string { return list[rnd.IntN(len(list))] }
	write := func() string {
		n, v := pick(names), pick(values)
		switch rnd.IntN(8) {
		case 0:
			return fmt.Sprintf("set_status('%s', %s);", n, v)
		case 1:
			return fmt.Sprintf("memory('%s', %s);", n, v)
		case 2:
			return fmt.Sprintf("memory('%s', '%s', %s);", n, pick(names), v)
		case 3:
			return fmt.Sprintf("delete('%s', 'all');", n)
		case 4:
			return fmt.Sprintf("delete('%s');", n)
		case 5:
			return fmt.Sprintf("_.set('%s', 'a', %s);", n, v)
		case 6:
			return fmt.Sprintf("_.remove('%s');", n)
		}
		return fmt.Sprintf("set_status('%s', 'guess', %s);", n, v)
	}
	turns := 250
	if testing.Short() {
		turns = 40
	}
	for i := range turns {
		reply := fmt.Sprintf("Turn %d passes. %s %s %s", i, write(), write(), write())
		out, sent := asked(t, m, turn.Submit{Text: "And then? ann bob x Mistvale"}, reply)
		if at := strings.Index(sent, "CANARY"); at >= 0 {
			t.Fatalf("turn %d: the model was sent %s", i, sent[max(0, at-300):at+60])
		}
		if out.Status != turn.Completed {
			t.Fatalf("turn %d: %+v", i, out)
		}
		vars := m.Campaign().State.Variables
		for id, want := range map[string]string{"traitor": "CANARY-internal", "oracle": "CANARY-none",
			"dormant": "CANARY-inactive"} {
			if got, _ := vars.Root().Get(id).AsText(); got != want {
				t.Fatalf("turn %d: %s is %q after %s", i, id, got, reply)
			}
		}
		if got, _ := vars.Get("assa_data.world_set.npc.ann.truth"); got != "CANARY-deep" {
			t.Fatalf("turn %d: the deep one is %q after %s", i, got, reply)
		}
	}
}
