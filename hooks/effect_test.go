package hooks_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// Hooks can use the effects of rules (HK-24): an action in the notation of rules has the same
// effect.
func TestActionsOfRules(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, tc := range []struct {
		reason, action string
		want           effect.Effect
	}{
		{"set a variable", `{"type":"modify-variable","variableId":"gold","operation":"add","value":5}`,
			effect.SetVariable{Path: "gold", Operation: "add", Value: tree.Int(5)}},
		{"the same in the form of records", `{"type":"set-variable","path":"gold","value":5}`,
			effect.SetVariable{Path: "gold", Value: tree.Int(5)}},
		{"toggle an entry", `{"type":"toggle-entry","entryId":"crypt","enabled":true}`,
			effect.ToggleEntry{ID: "crypt", Enabled: true}},
		{"toggle a rule", `{"type":"toggle-rule","ruleId":"omens","enabled":false}`, effect.ToggleRule{ID: "omens"}},
		{"fire a rule", `{"type":"trigger-rule","ruleId":"omens"}`, effect.TriggerRule{ID: "omens"}},
		{"raise an event", `{"type":"emit","event":{"type":"bell:rung","times":3}}`,
			effect.Emit{Event: event.New("bell:rung", member("times", tree.Int(3)))}},
		{"notify", `{"type":"notify-player","message":"The bell rings.","style":"danger"}`,
			effect.Notify{Message: "The bell rings.", Style: "danger"}},
		{"play", `{"type":"play-audio","trackId":"storm"}`, effect.PlayAudio{TrackID: "storm"}},
		{"instruct the model", `{"type":"inject-directive","directiveId":"d","content":"Whisper."}`,
			effect.InjectDirective{ID: "d", Content: "Whisper."}},
		{"and stop doing so", `{"type":"remove-directive","directiveId":"d"}`, effect.RemoveDirective{ID: "d"}},
		{"tell the model", `{"type":"send-context","message":"It rains.","role":"system"}`,
			effect.SendContext{Message: "It rains.", Role: "system"}},
		{"rewrite a text", `{"type":"rewrite","target":"reply","find":"elf","text":"faerie"}`,
			effect.Rewrite{Target: effect.RewriteReply, Find: "elf", Text: "faerie"}},
		{"stop the turn", `{"type":"veto","reason":"The gates are shut."}`, effect.Veto{Reason: "The gates are shut."}},
		{"switch a book", `{"type":"toggle-book","bookId":"deep","enabled":true}`, effect.ToggleBook{ID: "deep", Enabled: true}},
		{"end everything", `{"type":"end-campaign","reason":"the bell rang"}`, effect.EndCampaign{Reason: "the bell rang"}},
	} {
		res := runActions(t, hooks.Env{}, `[`+tc.action+`]`)
		wantCodes(t, res.Logs[0], act.CodeOK)
		if d := cmp.Diff(effect.List{tc.want}, res.Effects, cmp.Comparer(tree.Value.Equal)); d != "" {
			t.Errorf("%s:\n%s", tc.reason, d)
		}
		shown[value(tc.action).Get("type").String()] = true
	}
	for _, typ := range effect.Types() {
		if !(*act.Table)(nil).Has(typ) || !shown[tree.Text(typ).String()] {
			t.Errorf("an action of rules that hooks do not have, or that is not shown here: %s", typ)
		}
	}
}

// An action of rules is internal: it is kept or dropped with its hook.
func TestActionsOfRulesAreRolledBack(t *testing.T) {
	t.Parallel()
	const notice = `{"type":"notify-player","message":"m"}`
	for _, tc := range []struct {
		reason, hook string
		codes        []act.ResultCode
		effects      int
	}{
		{"atomic, and another action fails", `"atomic":true,"actions":[` + notice + `,{"type":"message"}]`,
			[]act.ResultCode{act.CodeRolledBack, act.CodeMissingParams}, 0},
		{"not atomic", `"actions":[` + notice + `,{"type":"message"}]`,
			[]act.ResultCode{act.CodeOK, act.CodeMissingParams}, 1},
		{"not repeated by a retry", `"max_retries":3,"actions":[` + notice + `,{"type":"message"}]`,
			[]act.ResultCode{act.CodeOK, act.CodeMissingParams}, 1},
		{"not permitted", `"permissions":{"actions":["message"]},"actions":[` + notice + `]`,
			[]act.ResultCode{act.CodeForbidden}, 0},
	} {
		list, problems := hooks.Parse([]byte(`[{"id":"h","name":"h","event":"e",` + tc.hook + `}]`))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		set, _ := hooks.Compile(list, nil)
		res := emit(t, set, act.Event{ID: "evt", Type: "e"}, hooks.Env{})
		wantCodes(t, res.Logs[0], tc.codes...)
		if len(res.Effects) != tc.effects {
			t.Errorf("%s: effects %v, want %d", tc.reason, res.Effects, tc.effects)
		}
	}
}

// Compile reports the mistakes in an action of rules.
func TestMistakesInActionsOfRules(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, action, want string }{
		{"a member is missing", `{"type":"toggle-rule","ruleId":"r"}`,
			"hooks[0].actions[0] (h): not readable: toggle-rule needs a ruleId, and enabled as true or false"},
		{"a wrong target", `{"type":"rewrite","target":"title","text":"t"}`,
			"hooks[0].actions[0] (h): not readable: rewrite needs a target (line, prompt or reply), " +
				"a text, and for a prompt what to find"},
		{"a whole prompt", `{"type":"rewrite","target":"prompt","text":"t"}`,
			"hooks[0].actions[0] (h): not readable: rewrite needs a target (line, prompt or reply), " +
				"a text, and for a prompt what to find"},
		{"no reason", `{"type":"veto"}`, "hooks[0].actions[0] (h): not readable: veto needs a reason that is a text"},
		{"no event", `{"type":"emit"}`, "hooks[0].actions[0].event (h): event is required"},
		{"a word of rules as hooks spell theirs", `{"type":"set_variable","path":"gold"}`,
			`hooks[0].actions[0].type (h): unknown action type set_variable; did you mean "set-variable"?`},
		{"what hooks have an action of their own for", `{"type":"prompt-inject","content":"c"}`,
			`hooks[0].actions[0].type (h): unknown action type prompt-inject; did you mean "prompt_inject"?`},
	} {
		list, _ := hooks.Parse([]byte(`[{"id":"h","name":"h","event":"e","actions":[` + tc.action + `]}]`))
		_, problems := hooks.Compile(list, &act.Table{})
		if len(problems) != 1 || problems[0].String() != tc.want {
			t.Errorf("%s: %v, want %s", tc.reason, problems, tc.want)
		}
	}
	late, _ := hooks.Parse([]byte(`[{"id":"h","name":"h","event":"reply.before_send","actions":[
		{"type":"veto","reason":"r"},{"type":"rewrite","target":"line","text":"t"},
		{"type":"rewrite","target":"reply","text":"t"}]}]`))
	problems := hooks.Vet(late, hooks.Host{})
	if !slices.EqualFunc(problems, []string{"hooks[0].actions[0].type", "hooks[0].actions[1].type"},
		func(p talewright.Problem, path string) bool { return p.Path == path && p.Code == "doubtful" }) {
		t.Errorf("too late: %v", problems)
	}
}
