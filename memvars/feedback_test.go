package memvars_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestFeedbackTellsNoSecrets: the feedback about rejected commands contains no key and no value
// that the prompt does not show (MV-24).
func TestFeedbackTellsNoSecrets(t *testing.T) {
	t.Parallel()
	doc := load(t, []byte(`{"play_character_data":{"_seed":{"luck":[7,""]}},
		"stat_data":{"_seed":42,"plan":{"_showInEJS":false,"traitor_Ann":1,"code":["4711",""]},"open":{"day":1}},
		"assa_data":{"global_set":{"npc":{"amy":{"_showInEJS":"false","secret_hat":1}}},
			"summary":{"big":{"s_one":"a","s_two":"b"},"small":{}},"config":{"hide_latest_count":1}}}`))
	sys, problems := memvars.Compile(memvars.Options{CheckOld: "reject"})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ reason, text string }{
		{"a name like a key of a hidden node", `set_status('plan.traitor_Anna', 1)`},
		{"a name like a hidden key", `set_status('_sead', 1)`},
		{"a name like one of the character", `set_attribute('_sead', 1)`},
		{"a value of another type in a hidden node", `set_status('plan.traitor_Ann', 'x')`},
		{"a value of another type under a hidden key", `set_status('_seed', 'x')`},
		{"a wrong old value", `set_status('plan.code', '1', '2')`},
		{"a wrong old value of a hidden object", `set_status('plan', 1, {"code": 2})`},
		{"the source of a move", `memory('global_set.npc.amy.secret_hut', 'global_set.npc.hat')`},
		{"one of the newest summaries", `memory('summary.big.s_tow', 'summary.big.x')`},
	} {
		for _, by := range []memvars.Actor{memvars.AI, memvars.User} {
			_, res := sys.Apply(doc, tt.text, by)
			told := sys.Feedback(res.Calls)
			if len(told) != 1 {
				t.Fatalf("%s: %+v", tt.text, res.Calls)
			}
			hint := told[0].Hint
			for _, secret := range []string{"traitor_Ann", "_seed", "number", "4711", "42", "secret_hat", "s_two", "code", "luck", "object"} {
				if strings.Contains(hint, secret) {
					t.Errorf("%s, %s: the hint %q names %s", tt.reason, tt.text, hint, secret)
				}
			}
		}
		if _, res := sys.Apply(doc, tt.text, memvars.Host); res.Calls[0].Status == memvars.Rejected && res.Calls[0].Hint == "" {
			t.Errorf("%s: the host is told nothing", tt.text)
		}
	}
	// Visible keys may be named.
	for text, want := range map[string]string{
		`set_status('open.dai', 1)`:                        `did you mean "day"?`,
		`set_status('open.day', 'x')`:                      "the field holds a number",
		`memory('summary.big.s_ona', 'summary.big.x')`:     `did you mean "s_one"?`,
		`memory('global_set.npc.ami', 'global_set.npc.x')`: `did you mean "amy"?`,
	} {
		if _, res := sys.Apply(doc, text, memvars.AI); res.Calls[0].Hint != want {
			t.Errorf("%s: hint %q, want %q", text, res.Calls[0].Hint, want)
		}
	}
}

// TestFeedbackIsBounded: the feedback in the next prompt is short and has the number of mistakes,
// however many and however long the wrong commands are (MV-26).
func TestFeedbackIsBounded(t *testing.T) {
	t.Parallel()
	doc := standard(t)
	long := strings.Repeat("很长", 50_000)
	text := strings.Repeat("*.foo(1);\n", 200) + strings.Repeat("set_status('nope.x',1); // "+long+"\n", 20) +
		"set_status('" + long + "', 1)\nset_status('a..[" + long + "', 1)\n*." + strings.Repeat("x", 100_000) + "(1);\n"
	sys := defaultSystem(t)
	_, res := sys.Apply(doc, text, memvars.AI)
	told := sys.Feedback(res.Calls)
	data, err := json.Marshal(told)
	if err != nil || len(data) > 20_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	last := told[len(told)-1]
	if want := fmt.Sprintf("and %d more: unknown_command 186, path_not_found 21, bad_path 1", 208); len(told) != 16 ||
		last.Code != memvars.MoreRejected || last.Hint != want {
		t.Errorf("%d told, the last is %+v", len(told), last)
	}
	for _, c := range res.Calls {
		if len(c.Hint) > 300 || len(c.Near) > 300 {
			t.Fatalf("a hint of %d and a quotation of %d bytes", len(c.Hint), len(c.Near))
		}
	}
	if got := sys.Feedback(res.Calls[:16]); len(got) != 16 || got[15].Code != memvars.UnknownCommand {
		t.Errorf("sixteen fit: %+v", got)
	}
	if sys.Feedback(nil) != nil {
		t.Error("nothing was rejected")
	}
}

// TestModelsWriteFilteredNodes: a node whose _showInEJS is false is not in the prompt, and a reply
// that mentions it again can still change it (MV-23, MV-24).
func TestModelsWriteFilteredNodes(t *testing.T) {
	t.Parallel()
	const npc = `{"好感度":33,"秘密":"x","_filter":true,"_showInEJS":%s}`
	doc := mustLoad(`{"assa_data":{"world_set":{"npc":{"灰衣人":` + fmt.Sprintf(npc, "false") + `}}}}`)
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if shown := sys.Render(doc, memvars.RenderOptions{}); strings.Contains(shown, "33") || !strings.Contains(shown, memvars.Placeholder) {
		t.Errorf("a prompt shows %s", shown)
	}
	after, res := sys.Apply(doc, `灰衣人 nods. memory('world_set.npc', '灰衣人', {"好感度": 40})`, memvars.AI)
	place := tree.Path{"assa_data", "world_set", "npc", "灰衣人"}
	want := strings.Replace(fmt.Sprintf(npc, "false"), "33", "40", 1)
	if got := after.Lookup(place).String(); got != want || res.Calls[0].Status != memvars.Applied {
		t.Errorf("%s, want %s: %+v", got, want, res.Calls)
	}
}
