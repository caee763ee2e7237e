package campaign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// TestPromptTellsTheLanguages: the prompt explains how to request changes if there is something to
// write, and only then.
func TestPromptTellsTheLanguages(t *testing.T) {
	t.Parallel()
	chinese := game.Chinese()
	for _, c := range []struct {
		name       string
		content    game.Content
		setup      string
		has, lacks []string
	}{
		{"nothing to write", game.Content{}, "", nil, []string{"How to change variables"}},
		{"nothing that the model may write", game.Content{Rules: game.Rules{Variables: []rules.Variable{
			{ID: "secret", Type: rules.TypeNumber, Internal: true}, {ID: "law", Type: rules.TypeNumber, AIAccess: rules.AIRead}}}}, "",
			nil, []string{"How to change variables", "secret"}},
		{"declared variables", game.Content{Rules: game.Rules{Variables: potions()}}, "",
			[]string{"# How to change variables", "[id: +2]", "- hp_potions (药水): number 0…5", "- mood: string"},
			[]string{"secret", "- law", "[updates:", "[已隐藏]"}},
		{"in Chinese", game.Content{Rules: game.Rules{Variables: potions()}, Extensions: game.Extensions{Texts: &chinese}}, "",
			[]string{"# 如何修改变量", "用方括号修改变量", "你可以修改的变量："}, []string{"How to"}},
		{"modules", game.Content{}, `{"variables": {"stat_data": {"gold": 5}}}`,
			[]string{"set_status('path', value); below stat_data"}, []string{"[id: +2]", "long one"}},
		{"something hidden", game.Content{}, `{"variables": {"assa_data": {"vault": {"_showInEJS": false, "code": 1}}}}`,
			[]string{"[已隐藏] stands for something"}, nil},
		{"a full short memory", game.Content{}, `{"variables": {"assa_data": {"config": {"flags": {"clean_small_flag": true}},
			"summary": {"small": {"1": "a"}, "big": {}}}}}`,
			[]string{"memory('summary.big', 'a new key'"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := campaign.Config{Game: compile(t, c.content), Model: scripted("Dust falls.")}
			seen := observed(&cfg)
			turnOf(t, newEngine(t, cfg, c.setup), turn.Submit{Text: "I wait."})
			text := blocks((*seen)[0])["languages"]
			wantHas(t, "the block", text, c.has...)
			for _, no := range c.lacks {
				if strings.Contains(text, no) {
					t.Errorf("the block has %q:\n%s", no, text)
				}
			}
		})
	}
}

// TestFreeTalkTeachesNoLanguage: if nothing can be changed, the prompt does not explain how.
func TestFreeTalkTeachesNoLanguage(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Game: compile(t, game.Content{Rules: game.Rules{Variables: potions()}}), Model: scripted("Dust falls.")}
	seen := observed(&cfg)
	turnOf(t, newEngine(t, cfg, `{"settings": {"dialog.manual_type": "free_chat"}}`), turn.Submit{Text: "I wait."})
	if text := blocks((*seen)[0])["languages"]; text != "" {
		t.Errorf("told:\n%s", text)
	}
}

// TestFreeTalkChangesNothing: a model changes no variable in a dialog type whose prompt does not explain
// how. The changes are refused, and leave the text.
func TestFreeTalkChangesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ settings, want string }{
		{`"dialog.manual_type": "scene"`, "8 7 applied applied"},
		{`"dialog.manual_type": "chat"`, "8 7 applied applied"},
		{`"dialog.manual_type": "rules"`, "3 3 rejected rejected"},
		{`"dialog.manual_type": "free_chat"`, "3 3 rejected rejected"},
		{`"dialog.manual_type": "free_chat", "dialog.tool_types": ["free_chat"]`, "8 7 applied applied"},
	} {
		list := []rules.Variable{{ID: "gold", Type: rules.TypeNumber, Default: tree.Int(3)}, {ID: "silver", Type: rules.TypeNumber, Default: tree.Int(3)}}
		e := newEngine(t, campaign.Config{Game: compile(t, game.Content{Rules: game.Rules{Variables: list}}),
			Model: scripted("Dust falls. set_status('gold', 8); [silver: +4]")}, `{"settings": {`+c.settings+`}}`)
		o := turnOf(t, e, turn.Submit{Text: "I wait."})
		vars := campaignOf(t, e).State.Variables
		got := fmt.Sprint(vars.Root().Get("gold"), vars.Root().Get("silver"))
		for _, receipt := range o.Turn.Commands {
			got += " " + string(receipt.Status)
		}
		if got != c.want || o.Turn.Text != "Dust falls." {
			t.Errorf("%s: %s and %q, want %s", c.settings, got, o.Turn.Text, c.want)
		}
		rebuilt(t, e)
	}
}

// TestRefusedChangesSpeakTheLanguageOfTheTexts: refusals of dialects are in the language of the
// engine's texts.
func TestRefusedChangesSpeakTheLanguageOfTheTexts(t *testing.T) {
	t.Parallel()
	chinese := game.Chinese()
	cfg := campaign.Config{Game: compile(t, game.Content{Rules: game.Rules{Variables: potions()}, Extensions: game.Extensions{Texts: &chinese}}),
		Model: scripted("尘埃落下。[law: 2]", "风起。")}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	turnOf(t, e, turn.Submit{Text: "我等。"})
	turnOf(t, e, turn.Submit{Text: "我等。"})
	wantHas(t, "the feedback", blocks((*seen)[1])["command_feedback"], "下列修改被拒绝", "law: 现在不能由你修改")
}

// TestEveryDialectRefusesInChinese: in a Chinese campaign no dialect reports errors to the model in
// English. Codes, IDs and operations stay as the model must write them.
func TestEveryDialectRefusesInChinese(t *testing.T) {
	t.Parallel()
	chinese := game.Chinese()
	many := strings.Repeat("【状态】药水：1【/状态】", 1100)
	for _, c := range []struct {
		name    string
		dialect game.Dialect
		reply   string
		has     []string
	}{
		{"commands", game.Commands(), "风起。set_status('hp_potions', '多');", []string{"该字段的类型是数字"}},
		{"commands: what is declared", game.Commands(), "风起。set_status('law', 2);", []string{"law 只能读取，不能修改"}},
		{"a bracket: an operation that does not fit", game.Directives(game.DirectiveOptions{}), "风起。[mood: +2]",
			[]string{"mood: add 只能用于数字，而这里是文字"}},
		{"a bracket: a value that does not fit", game.Directives(game.DirectiveOptions{}), "风起。[hp_potions: 很多]",
			[]string{"类型为 number 的变量不能是文字"}},
		{"a bracket: not closed", game.Directives(game.DirectiveOptions{}), "风起。[hp_potions: +1", []string{"缺少结尾的方括号"}},
		{"a patch", game.Directives(game.DirectiveOptions{}), `风起。<jsonpatch>[{"op": "swap", "path": "/a"}, {"op": "replace"}]</jsonpatch>`,
			[]string{"第 1 个操作：没有操作 \"swap\"", "第 2 个操作：路径要写成 /a/b 的形式"}},
		{"a receipt", game.Directives(game.DirectiveOptions{Strict: true}), "风起。[hp_potions: 1]", []string{"请在回复最后单独写一行 [updates: 1]"}},
		{"a batch", game.Directives(game.DirectiveOptions{Strict: true}), "风起。[mood: +1]\n[updates: 1]", []string{"add 只能用于数字"}},
		{"reply rules", game.ReplyRules(), "风起。" + many, []string{"一次回复中的标记段落过多"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			content := game.Content{Rules: game.Rules{Variables: potions(), Dialects: []game.Dialect{c.dialect}}, Extensions: game.Extensions{Texts: &chinese}}
			if strings.Contains(c.reply, many) {
				content.Rules.ReplyRules = statusRule(true)
			}
			cfg := campaign.Config{Game: compile(t, content), Model: scripted(c.reply, "尘埃落下。")}
			seen := observed(&cfg)
			e := newEngine(t, cfg)
			turnOf(t, e, turn.Submit{Text: "我等。"})
			turnOf(t, e, turn.Submit{Text: "我等。"})
			text := blocks((*seen)[1])["command_feedback"]
			wantHas(t, "the feedback", strings.ReplaceAll(text, `\"`, `"`), append(c.has, "下列修改被拒绝")...)
			for _, english := range []string{" the ", " is ", "there ", "takes", "works on", "operation "} {
				if strings.Contains(text, english) {
					t.Errorf("the feedback has %q:\n%s", english, text)
				}
			}
		})
	}
}

// TestAcceptedTextRunsNothing: a text that a person accepts is cleaned like any other. Its requests
// are not applied.
func TestAcceptedTextRunsNothing(t *testing.T) {
	t.Parallel()
	const text = "You step into the Hall. [hp_potions: -1] 【状态】药水：1【/状态】"
	m := begin(t, game.Content{Rules: game.Rules{Variables: potions(), ReplyRules: statusRule(true)}}, `{"settings": {"retry.max_retries": 0}}`)
	if o := say(t, m, "I go.", text); o.Status != turn.Conflict {
		t.Fatalf("%+v", o)
	}
	o := play(t, m, turn.ResolveConflict{Decision: state.DecideAccept})
	if err := o.Err(); err != nil {
		t.Fatal(err)
	}
	if o.Turn.Text != "You step into the Hall." || len(o.Turn.Commands) > 0 {
		t.Errorf("text %q, receipts %+v", o.Turn.Text, o.Turn.Commands)
	}
	if n, _ := m.Campaign().State.Variables.Get("hp_potions"); fmt.Sprint(n) != "3" {
		t.Errorf("hp_potions = %v", n)
	}
}

// TestCharactersAreNotForDialects: values that tools change cannot be written in brackets, not even
// if an author declares a variable of that name.
func TestCharactersAreNotForDialects(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{Rules: game.Rules{Variables: []rules.Variable{
		{ID: "hp", Type: rules.TypeJSON, Default: value(t, `{}`)}, {ID: "hp.ren", Type: rules.TypeNumber}}}})
	o := say(t, m, "I wait.", "Dust falls. [hp.ren: 1] [hp.ren: -3]")
	if err := o.Err(); err != nil {
		t.Fatal(err)
	}
	if c, _ := m.Campaign().State.Character("ren"); c.HP.Current != 10 {
		t.Errorf("hp %d", c.HP.Current)
	}
	for _, r := range o.Turn.Commands {
		if r.Status != memvars.Rejected || r.Code != memvars.PermissionDenied {
			t.Errorf("%+v", r)
		}
	}
	if len(o.Turn.Commands) != 2 {
		t.Errorf("receipts %+v", o.Turn.Commands)
	}
}

// TestDialectsPassTheGuardsOfCommands: the host's limits for commands and the protection of
// variables also apply to brackets.
func TestDialectsPassTheGuardsOfCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, reply, path, want string
		code                    memvars.Code
	}{
		{"a protected node", "[assa_data: delete vault]", "assa_data.vault.gold", "5", memvars.ProtectedNode},
		{"a rule of the host", "[gold: +5]", "stat_data.gold", "2", memvars.PermissionDenied},
		{"a branch of the frame", "[assa_data: merge {\"summary\": 1}]", "assa_data.summary.small.1", "a", memvars.StructuralBranch},
		{"what is free", "[assa_data: merge {\"note\": {\"a\": 1}}]", "assa_data.note.a", "1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := begin(t, game.Content{Rules: game.Rules{
				Variables: []rules.Variable{{ID: "assa_data", Type: rules.TypeJSON},
					{ID: "gold", Type: rules.TypeNumber, Path: "stat_data.gold"}},
				Commands: memvars.Options{Rules: []memvars.Rule{{Actor: memvars.AI, Path: "stat_data.gold"}}},
			}}, `{"variables": {"stat_data": {"gold": 2}, "assa_data": {"vault": {"_is_protected": true, "gold": 5},
				"summary": {"small": {"1": "a"}, "big": {}}}}}`)
			o := say(t, m, "I look.", "Dust falls. "+c.reply)
			if err := o.Err(); err != nil {
				t.Fatal(err)
			}
			if got, _ := m.Campaign().State.Variables.Get(c.path); fmt.Sprint(got) != c.want {
				t.Errorf("%s = %v, want %s", c.path, got, c.want)
			}
			if len(o.Turn.Commands) != 1 || o.Turn.Commands[0].Code != c.code || o.Turn.Text != "Dust falls." {
				t.Errorf("%q %+v", o.Turn.Text, o.Turn.Commands)
			}
		})
	}
}

// TestUnderstoodTextIsCutOnly: text that no dialect understands stays unchanged, quoted or not.
func TestUnderstoodTextIsCutOnly(t *testing.T) {
	t.Parallel()
	const text = "He writes: \"[note: five]\" and\n```\nx = [1]\n```\n\n  - 【x】 <b>bold</b>"
	m := begin(t, game.Content{Rules: game.Rules{Variables: potions(), ReplyRules: statusRule(true)}})
	if o := say(t, m, "I read.", text); o.Turn == nil || o.Turn.Text != text {
		t.Errorf("%+v", o)
	}
}

// TestDialectMistakes: all are reported at once, each with its place.
func TestDialectMistakes(t *testing.T) {
	t.Parallel()
	_, problems := game.Compile(game.Content{Rules: game.Rules{
		ReplyRules: []rules.ReplyRule{{ID: "r", Match: rules.ReplyMatch{Pattern: "("}}},
		Dialects:   []game.Dialect{{}, {Name: "a"}, shout(), shout(), game.CommandLanguage(nil)},
	}})
	err := problems.Err()
	if err == nil {
		t.Fatal("no error")
	}
	wantHas(t, "the error", err.Error(), "dialects[0]: the dialect has no name; give it one", `dialects[1]: "a" has no Read`,
		`dialects[3]: the name "shout" is taken`, "dialects[4]: the dialect has no name; give it one")
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.String())
	}
	wantHas(t, "the problems", strings.Join(texts, "\n"), "replyRules: nothing reads them")
	_, problems = game.Compile(game.Content{Rules: game.Rules{ReplyRules: []rules.ReplyRule{{ID: "r", Match: rules.ReplyMatch{Pattern: "("}}}}})
	err = problems.Err()
	if err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0].Path, "replyRules[0]") {
		t.Errorf("%v %v", problems, err)
	}
}

// TestHostileSpans: a dialect that reports false matches does no harm.
func TestHostileSpans(t *testing.T) {
	t.Parallel()
	const text = "尘埃落下。It is quiet."
	bad := game.Dialect{Name: "bad", Read: func(text string, _ game.Scope) []game.Span {
		return []game.Span{{From: -1, To: 2}, {From: 1, To: 3}, {From: 5, To: 2}, {From: 0, To: 1 << 40},
			{From: 15, To: 22}, {From: 18, To: len(text)}, {From: 15, To: 15, Refused: strings.Repeat("no ", 5000)}}
	}}
	m := begin(t, game.Content{Rules: game.Rules{Dialects: []game.Dialect{bad}}})
	o := say(t, m, "I wait.", text)
	if o.Turn == nil || o.Turn.Text != "尘埃落下。" {
		t.Fatalf("%+v", o)
	}
	if n := len(jsonOf(t, m.Campaign().State.Feedback)); n > 1000 {
		t.Errorf("feedback of %d bytes", n)
	}
}
