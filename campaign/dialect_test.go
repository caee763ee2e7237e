package campaign_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// potions are declared variables of every kind of access.
func potions() []rules.Variable {
	return []rules.Variable{
		{ID: "hp_potions", Name: "药水", Type: rules.TypeNumber, Default: tree.Int(3), Min: new(0.0), Max: new(5.0)},
		{ID: "mood", Type: rules.TypeString},
		{ID: "secret", Type: rules.TypeNumber, Internal: true, Default: tree.Int(7)},
		{ID: "law", Type: rules.TypeNumber, AIAccess: rules.AIRead, Default: tree.Int(1)},
	}
}

func statusRule(hide bool) []rules.ReplyRule {
	return []rules.ReplyRule{{ID: "status", Match: rules.ReplyMatch{Tag: "状态"}, Hide: hide,
		To: []rules.ReplyRoute{{Kind: rules.ReplyFields}}}}
}

// shout is a dialect of a host: >>word raises an event.
func shout() game.Dialect {
	return game.Dialect{Name: "shout", Opens: ">", Read: func(text string, _ game.Scope) []game.Span {
		var out []game.Span
		for at := 0; ; {
			i := strings.Index(text[at:], ">>")
			if i < 0 {
				return out
			}
			from := at + i
			end := from + strings.IndexAny(text[from:]+" ", " \n.")
			out = append(out, game.Span{From: from, To: end, Effects: effect.List{
				effect.Emit{Event: event.New("shout:" + text[from+2:end])}}})
			at = end
		}
	}}
}

// TestDialectsPlay plays a turn in each dialect. It checks the text for players, the variables, the
// next prompt, and the replay of the log.
func TestDialectsPlay(t *testing.T) {
	t.Parallel()
	const modules = `{"variables": {"stat_data": {"weather": ["sun", "of today"], "gold": 5}, "assa_data": {"world_set": {}}}}`
	bell := []reactions.Reaction{{ID: "r", When: reactions.Pattern{EventType: "shout:bell"}, Conditions: []rules.Condition{},
		Then: reactions.Effects{effect.SetVariable{Path: "mood", Operation: effect.Set, Value: tree.Text("rung")}}}}
	for _, c := range []struct {
		name    string
		content game.Content
		setup   string
		reply   string
		shown   string
		vars    map[string]string
		told    []string // in the next prompt
		refused []string // codes of receipts
	}{
		{name: "commands", setup: modules,
			reply: "Rain falls.\n<updateMemory>\nset_status('weather', 'rain'); // it rains\n</updateMemory>", shown: "Rain falls.",
			vars: map[string]string{"stat_data.weather": "rain"}, told: []string{"set_status('path', value)"}},
		{name: "mvu in the options", setup: modules, content: game.Content{Rules: game.Rules{Commands: memvars.Options{
			Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}}}},
			reply: "You pay.\n<UpdateVariable>\n<Analysis>gold changes</Analysis>\n_.add('gold', -2);//paid\n</UpdateVariable>", shown: "You pay.",
			vars: map[string]string{"stat_data.gold": "3"}, told: []string{"_.add('path', number)"}},
		{name: "mvu in the list, commands closed", setup: modules, content: game.Content{
			Rules: game.Rules{Dialects: []game.Dialect{game.CommandLanguage(mvu.Dialect(mvu.Options{}))}}},
			reply: "You pay. _.add('gold', -2); And set_status('weather', 'rain').", shown: "You pay. And set_status('weather', 'rain').",
			vars: map[string]string{"stat_data.gold": "3", "stat_data.weather": "sun"}, told: []string{"_.set('path', value)"}},
		{name: "empty blocks", reply: "Dust.\n<updateMemory></updateMemory>\n</UpdateVariable>", shown: "Dust."},
		{name: "directives", content: game.Content{Rules: game.Rules{Variables: potions()}},
			reply: "You drink. [hp_potions: -1] It helps.\n[mood: set calm]\n[Note: beware]", shown: "You drink. It helps.\n[Note: beware]",
			vars: map[string]string{"hp_potions": "2", "mood": "calm"},
			told: []string{"[id: -2]", "- hp_potions (药水): number 0…5", "- mood: string"}},
		{name: "directives that a formula follows", content: game.Content{Rules: game.Rules{Variables: append(potions(),
			rules.Variable{ID: "double", Type: rules.TypeNumber, Formula: "hp_potions * 2"})}},
			reply: "You drink. [hp_potions: -1]", shown: "You drink.", vars: map[string]string{"hp_potions": "2", "double": "4"}},
		{name: "directives by display name", content: game.Content{Rules: game.Rules{Variables: potions()}, Extensions: game.Extensions{Texts: new(game.Chinese())}},
			reply: "你喝了一瓶。[药水: -1]", shown: "你喝了一瓶。", vars: map[string]string{"hp_potions": "2"}, told: []string{"你可以修改的变量"}},
		{name: "directives refused", content: game.Content{Rules: game.Rules{Variables: potions()}},
			reply: "You grin. [secret: 9] [law: 2] [hp_potions: set many]", shown: "You grin. [secret: 9]",
			vars:    map[string]string{"secret": "7", "law": "1", "hp_potions": "3"},
			refused: []string{"permission_denied", "wrong-type"},
			told:    []string{"These changes of your last answer were refused:", "not yours to write now"}},
		{name: "directives in one object", content: game.Content{Rules: game.Rules{Variables: potions()}},
			reply: `{"narrative": "You drink.", "stateChanges": [{"variableId": "hp_potions", "operation": "subtract", "value": 1}]}`,
			shown: "You drink.", vars: map[string]string{"hp_potions": "2"}},
		{name: "strict directives", content: game.Content{Rules: game.Rules{
			Variables: potions(),
			Dialects:  []game.Dialect{game.Directives(game.DirectiveOptions{Strict: true})},
		}},
			reply: "You drink. [hp_potions: -1]\n[updates: 1]", shown: "You drink.",
			vars: map[string]string{"hp_potions": "2"}, told: []string{"[updates: N]"}},
		{name: "strict directives without receipt", content: game.Content{Rules: game.Rules{
			Variables: potions(),
			Dialects:  []game.Dialect{game.Directives(game.DirectiveOptions{Strict: true})},
		}},
			reply: "You drink. [hp_potions: -1]", shown: "You drink.",
			vars: map[string]string{"hp_potions": "3"}, refused: []string{"unreadable"}, told: []string{"there are 0 receipts"}},
		{name: "reply rules", content: game.Content{Rules: game.Rules{Variables: potions(), ReplyRules: statusRule(true)}},
			reply: "The door shuts.\n【状态】药水：4瓶 | secret: 1【/状态】", shown: "The door shuts.",
			vars: map[string]string{"hp_potions": "4", "secret": "7"}},
		{name: "reply rules that show", content: game.Content{Rules: game.Rules{Variables: potions(), ReplyRules: statusRule(false)}},
			reply: "The door shuts.\n【状态】药水：4【/状态】", shown: "The door shuts.\n【状态】药水：4【/状态】",
			vars: map[string]string{"hp_potions": "4"}},
		{name: "a later dialect does not see", content: game.Content{Rules: game.Rules{Variables: potions(), ReplyRules: statusRule(true)}},
			reply: "Dusk. <状态>[hp_potions: -1]</状态> Night.", shown: "Dusk. Night.", vars: map[string]string{"hp_potions": "3"}},
		{name: "an empty list reads nothing", setup: modules, content: game.Content{Rules: game.Rules{Variables: potions(), Dialects: []game.Dialect{}}},
			reply: "You drink. [hp_potions: -1] set_status('weather', 'rain');", shown: "You drink. [hp_potions: -1] set_status('weather', 'rain');",
			vars: map[string]string{"stat_data.weather": "sun"}},
		{name: "of the host", content: game.Content{Rules: game.Rules{Variables: potions(), Reactions: bell, Dialects: []game.Dialect{shout(), game.Commands()}}},
			reply: "You shout. >>bell Silence.", shown: "You shout. Silence.", vars: map[string]string{"mood": "rung"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			store := &campaign.MemoryStore{}
			cfg := campaign.Config{Store: store, Game: compile(t, c.content), Model: scripted(c.reply, "Dust falls.")}
			seen := observed(&cfg)
			e := newEngine(t, cfg, c.setup)
			out := turnOf(t, e, turn.Submit{Text: "I act."})
			if err := out.Err(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.shown, out.Turn.Text); diff != "" {
				t.Errorf("shown (-want +got):\n%s", diff)
			}
			for path, want := range c.vars {
				got, _ := campaignOf(t, e).State.Variables.Get(path)
				if text := strings.Trim(jsonOf(t, got), `"`); got != nil && text != want || got == nil && !isDefault(c.content.Rules.Variables, path, want) {
					t.Errorf("%s = %v, want %s", path, got, want)
				}
			}
			var codes []string
			for _, r := range out.Turn.Commands {
				if r.Status == memvars.Rejected {
					codes = append(codes, string(r.Code))
				}
			}
			if diff := cmp.Diff(c.refused, codes); diff != "" {
				t.Errorf("receipts (-want +got):\n%s", diff)
			}
			turnOf(t, e, turn.Submit{Text: "I wait."})
			next := jsonOf(t, (*seen)[1].LLM())
			for _, want := range c.told {
				if !strings.Contains(strings.ReplaceAll(next, `\"`, `"`), want) {
					t.Errorf("the next prompt lacks %q:\n%s", want, next)
				}
			}
			if c.shown != c.reply && strings.Contains(next, strings.Trim(jsonOf(t, c.reply), `"`)) {
				t.Errorf("the next prompt shows the raw reply:\n%s", next)
			}
			if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
				t.Errorf("rebuild: %v", err)
			}
		})
	}
}

// isDefault reports whether a variable without a value in the document has that default.
// TestCommandsAreNoNarration: an output with tool calls and otherwise only commands has no
// narration. Its changes take effect, and the model is asked for the narration.
func TestCommandsAreNoNarration(t *testing.T) {
	content := declaring(t, `[{"id":"gold","type":"number"}]`, "")
	m := begin(t, content)
	o := play(t, m, turn.Submit{Text: "I search."}, output("memory('gold', 1);", hurt("ren", "-1")), "A bat bites. memory('gold', 2);")
	if s := m.Campaign().State; o.Status != turn.Completed || o.Turn.Text != "A bat bites." || o.RetriesUsed != 0 ||
		s.Variables.String() != `{"gold":2}` || s.Characters[0].HP.Current != 9 || len(o.Turn.Commands) != 2 {
		t.Errorf("%s %q after %d retries, variables %s, %+v", o.Status, o.Turn.Text, o.RetriesUsed, s.Variables, s.Characters[0].HP)
	}
	m = begin(t, content, `{"settings": {"retry.max_retries": 0}}`)
	if o := play(t, m, turn.Submit{Text: "In."}, output("memory('gold', 1);", moveLock)); o.Status != turn.Conflict {
		t.Errorf("a refused call and no narration: %s", o.Status)
	}
}

func isDefault(vars []rules.Variable, id, want string) bool {
	for _, v := range vars {
		if v.ID == id {
			return v.Default.String() == want
		}
	}
	return false
}

// TestHiddenVariablesLeaveNoTraceInFeedback: a reply may request a change of a variable that the
// model may not see, in any dialect. The next prompt is the same as in a game without that
// variable.
func TestHiddenVariablesLeaveNoTraceInFeedback(t *testing.T) {
	t.Parallel()
	shown := potions()[:2]
	secret := []rules.Variable{
		{ID: "inner", Type: rules.TypeNumber, Internal: true, Default: tree.Int(7)},
		{ID: "veiled", Name: "Veil", Type: rules.TypeJSON, AIAccess: rules.AINone, Default: tree.Object()},
		{ID: "asleep", Type: rules.TypeNumber, Enabled: new(false)},
	}
	strict := []game.Dialect{game.Directives(game.DirectiveOptions{Strict: true})}
	for _, c := range []struct {
		reply    string
		dialects []game.Dialect
	}{
		{"[inner: 9] [veiled: 1] [veiled.x: 1] [Veil: 2] [nowhere: 4] [hp_potions: many]", nil},
		{"[inner: 9] [updates: 1]", strict},
		{"[inner: 9] [veiled.x: 1] [nowhere: 2]\n[updates: 3]", strict},
		{"【状态】nowhere: 1 | inner: 1 | 药水：many | Veil: 3 | elsewhere: 4【/状态】", nil},
		{`{"narrative": "You drink.", "stateChanges": [{"variableId": "inner", "operation": "subtract", "value": 1}, {"variableId": "nowhere", "operation": "set", "value": 1}]}`, nil},
		{"set_status('inner', 1); memory('veiled', 'x', 2); delete('asleep'); memory('inner.x', 3);", nil},
		{"_.set('inner', 1); _.insert('veiled', 'x', 2); _.remove('asleep');", nil},
		{`<JsonPatch>[{"op":"replace","path":"/inner","value":1},{"op":"test","path":"/asleep","value":0}]</JsonPatch>`, nil},
	} {
		var replies []rules.ReplyRule
		if c.dialects == nil {
			replies = statusRule(false)
		}
		feedback := func(vars []rules.Variable) string {
			cfg := campaign.Config{Model: scripted("You look. "+c.reply, "Dust falls."), Game: compile(t, game.Content{Rules: game.Rules{
				Variables: vars, ReplyRules: replies, Dialects: c.dialects,
				Commands: memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}},
			}})}
			seen := observed(&cfg)
			e := newEngine(t, cfg)
			turnOf(t, e, turn.Submit{Text: "I act."})
			turnOf(t, e, turn.Submit{Text: "I wait."})
			return blocks((*seen)[1])["command_feedback"]
		}
		hidden, none := feedback(append(secret, shown...)), feedback(shown)
		if diff := cmp.Diff(none, hidden); diff != "" {
			t.Errorf("%s (-without the variables +with them):\n%s", c.reply, diff)
		}
	}
}

// TestSpanOfManyWrites: a span asks for several changes. The receipts of the refused ones are in the
// order of the request, and give no sign of a hidden variable. A warning of the dialect is in the
// trace.
func TestSpanOfManyWrites(t *testing.T) {
	t.Parallel()
	to := func(path string, v tree.Value) effect.Effect { return set(path, effect.Set, v) }
	wide := game.Dialect{Name: "wide", Opens: "@", Read: func(text string, _ game.Scope) []game.Span {
		at := strings.Index(text, "@all")
		if at < 0 {
			return nil
		}
		return []game.Span{{From: at, To: at + len("@all"), Warning: "an old form", Effects: effect.List{
			to("hp_potions", tree.Text("many")), to("secret", tree.Int(9)), to("mood", tree.Int(1)), to("law.x", tree.Int(2)),
			to("secret.deep", tree.Int(9)), to("nowhere", tree.Int(1)), to("characters.ren.hp", tree.Int(1)),
			to("hp_potions", tree.Text("more"))}}}
	}}
	e := newEngine(t, campaign.Config{Model: scripted("Dust. @all"), Game: compile(t, game.Content{
		Rules: game.Rules{Variables: potions(), Dialects: []game.Dialect{wide}}})})
	o := turnOf(t, e, turn.Submit{Text: "I wait."})
	wantHas(t, "the warnings", strings.Join(o.Turn.Trace.Warnings, "\n"), "dialect wide: an old form")
	var got []string
	for _, r := range o.Turn.Commands {
		path, _, _ := strings.Cut(r.Hint, ":")
		got = append(got, string(r.Code)+" "+path)
	}
	want := []string{"permission_denied law.x", // refused before the writes are tried
		"wrong-type hp_potions", "wrong-type hp_potions", "unknown-variable secret", "wrong-type mood", "unknown-variable secret.deep",
		"unknown-variable nowhere", "unknown-variable characters.ren.hp"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("receipts (-want +got):\n%s", diff)
	}
	rebuilt(t, e)
}
