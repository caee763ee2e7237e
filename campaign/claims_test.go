package campaign_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// listClaims asks models for lists of their claims.
const listClaims = `{"settings": {"conflict.claims": "listed", "retry.max_retries": 1}}`

// claimsOf returns a list in the form in which a model writes it after its text.
func claimsOf(claims string) string { return "\n<claims>[" + claims + "]</claims>" }

const lostThree = `{"kind": "hp", "who": "ren", "amount": -3, "call": "call_001"}`

// TestListedClaims: with conflict.claims a text must name the call that supports each of its claims
// (CA-57). Players see the text without the list, and the turn stores the list.
func TestListedClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		outputs []string
		kinds   []string // of the errors of the first output
		want    string   // the text, "" for a report
	}{
		{"nothing claimed", []string{"Dust falls."}, nil, "Dust falls."},
		{"listed", []string{output("You lose 3 HP."+claimsOf(lostThree), hurt("ren", "-3"))}, nil, "You lose 3 HP."},
		{"a member of the answer", []string{strings.Replace(output("You lose 3 HP.", hurt("ren", "-3")), `{"text"`, `{"claims": [`+lostThree+`], "text"`, 1)},
			nil, "You lose 3 HP."},
		{"beyond the list", []string{output("You lose 3 HP.", hurt("ren", "-3")), output("You lose 3 HP."+claimsOf(lostThree), hurt("ren", "-3"))},
			[]string{conflict.ClaimUnlisted}, "You lose 3 HP."},
		{"a warning", []string{"You are bleeding.", "You shiver."}, []string{"wound_unsettled"}, "You shiver."},
		{"a call that was not made", []string{"You shiver." + claimsOf(lostThree), "You shiver."}, []string{conflict.ClaimUnsupported}, "You shiver."},
		{"no list", []string{"You shiver.<claims>none</claims>", "You shiver."}, []string{conflict.ClaimsMalformed}, "You shiver."},
		{"a list alone", []string{claimsOf(""), "You shiver."}, []string{conflict.EmptyOutput}, "You shiver."},
		{"calls first", []string{output("", hurt("ren", "-3")), "You lose 3 HP." + claimsOf(lostThree)}, nil, "You lose 3 HP."},
		{"never listed", []string{output("You lose 3 HP.", hurt("ren", "-3")), output("You lose 3 HP.", hurt("ren", "-3"))},
			[]string{conflict.ClaimUnlisted}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := campaign.Config{Model: scripted(c.outputs...)}
			seen := observed(&cfg)
			e := newEngine(t, cfg, listClaims)
			o := turnOf(t, e, turn.Submit{Text: "I fight."})
			var kinds []string
			for _, f := range o.Attempts[0].Conflicts {
				kinds = append(kinds, f.Kind)
			}
			if !slices.Equal(kinds, c.kinds) {
				t.Errorf("conflicts %q, want %q", kinds, c.kinds)
			}
			wantHas(t, "how to answer", blocks((*seen)[0])["dialog"], "<claims>")
			if len(c.kinds) > 0 {
				wantHas(t, "what was wrong", jsonOf(t, (*seen)[1]), c.kinds...)
			}
			if c.want == "" {
				if o.Status != turn.Conflict {
					t.Errorf("%s", jsonOf(t, o))
				}
				return
			}
			if o.Turn == nil || o.Turn.Text != c.want || strings.Contains(o.Turn.Text, "claims") {
				t.Fatalf("%s", jsonOf(t, o))
			}
			if lists := strings.Contains(c.outputs[len(c.outputs)-1], "amount"); lists != o.Turn.Structured.Get(declared.Member).Exists() {
				t.Errorf("the turn keeps %s", o.Turn.Structured)
			}
		})
	}
}

// TestListedClaimsAreOff: without the setting a list is normal text, and the prompt does not ask
// for one.
func TestListedClaimsAreOff(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"", `{"settings": {"conflict.claims": "listed", "conflict.mode": "off"}}`} {
		cfg := campaign.Config{Model: scripted(output("You lose 3 HP."+claimsOf(`7`), hurt("ren", "-3")))}
		seen := observed(&cfg)
		o := turnOf(t, newEngine(t, cfg, settings), turn.Submit{Text: "I fight."})
		if o.Turn == nil || !strings.HasSuffix(o.Turn.Text, "</claims>") || strings.Contains(jsonOf(t, (*seen)[0]), "claims") {
			t.Errorf("%s: %s", settings, jsonOf(t, o))
		}
	}
}

// TestListedClaimsInChinese: a Chinese campaign asks for the list in Chinese, and reports its
// errors in Chinese.
func TestListedClaimsInChinese(t *testing.T) {
	t.Parallel()
	texts := game.Chinese()
	cfg := campaign.Config{Game: compile(t, game.Content{Extensions: game.Extensions{Texts: &texts}}),
		Model: scripted(output("你失去3点生命值。", hurt("ren", "-3")), output("你失去3点生命值。"+claimsOf(lostThree), hurt("ren", "-3")))}
	seen := observed(&cfg)
	o := turnOf(t, newEngine(t, cfg, listClaims), turn.Submit{Text: "我应战。"})
	if o.Turn == nil || o.Turn.Text != "你失去3点生命值。" || o.RetriesUsed != 1 {
		t.Fatalf("%s", jsonOf(t, o))
	}
	wantHas(t, "how to answer", blocks((*seen)[0])["dialog"], "玩家看不到这份列表")
	wantHas(t, "what was wrong", jsonOf(t, (*seen)[1]), "不在声明列表")
}

// TestListedClaimsByTool: with native tools the list is one of the tools. A call of it is not a
// call of the campaign.
func TestListedClaimsByTool(t *testing.T) {
	t.Parallel()
	model := llmtest.NewScripted(llmtest.Reply{Text: "You lose 3 HP.", Calls: []llm.ToolCall{
		{ID: "a", Name: "hp_delta", Arguments: `{"target_character_id": "ren", "delta": -3, "cause": "bat"}`},
		{ID: "b", Name: declared.ToolName, Arguments: `{"claims": [{"kind": "hp", "amount": -3, "call": "a"}]}`},
	}})
	cfg := campaign.Config{Model: model}
	seen := observed(&cfg)
	o := turnOf(t, newEngine(t, cfg, listClaims), turn.Submit{Text: "I fight."})
	if o.Turn == nil || o.RetriesUsed != 0 || len(o.Turn.Applied) != 1 || !o.Turn.Structured.Get(declared.Member).IsArray() {
		t.Fatalf("%s", jsonOf(t, o))
	}
	tools := (*seen)[0].Tools
	if n := len(tools); n == 0 || tools[n-1].Name != declared.ToolName || tools[n-1].Description == "" || len(tools[n-1].Parameters) == 0 {
		t.Errorf("%s", jsonOf(t, tools))
	}
}

// TestListedClaimsOfPeople: a text that a person writes or accepts needs no list, and shows none.
func TestListedClaimsOfPeople(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   turn.ResolveConflict
		want string
	}{
		{turn.ResolveConflict{Decision: state.DecideAccept}, "You are bleeding."},
		{turn.ResolveConflict{Decision: state.DecideOverride, Text: "You lose 2 HP.",
			ToolCalls: value(t, "["+hurt("ren", "-2")+"]")}, "You lose 2 HP."},
	} {
		e := newEngine(t, campaign.Config{Model: scripted("You are bleeding."+claimsOf(""), "You are bleeding."+claimsOf(""))}, listClaims)
		if o := turnOf(t, e, turn.Submit{Text: "I fight."}); o.Status != turn.Conflict {
			t.Fatalf("%s", jsonOf(t, o))
		}
		if o := do(t, e, c.in); o.Turn == nil || o.Turn.Text != c.want {
			t.Errorf("%s: %s", c.in.Decision, jsonOf(t, o))
		}
	}
}

// TestListedClaimsGoOn: a continuation lists the claims that it adds, not the earlier ones. It may
// name an earlier call of the turn.
func TestListedClaimsGoOn(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted(
		output("You lose 3 HP."+claimsOf(lostThree), hurt("ren", "-3")),
		output("Then you step into the Hall.", moveHall),
		output("Then you step into the Hall."+claimsOf(`{"kind": "place", "place": "hall", "call": "call_001"}`), moveHall),
	)}, listClaims)
	turnOf(t, e, turn.Submit{Text: "I fight."})
	o := do(t, e, turn.Continue{})
	if o.Turn == nil || o.Turn.Text != "You lose 3 HP. Then you step into the Hall." || o.RetriesUsed != 1 {
		t.Fatalf("%s", jsonOf(t, o))
	}
	if list := o.Turn.Attempts[1].Conflicts; len(list) != 1 || list[0].Field != "area_id" {
		t.Errorf("%s", jsonOf(t, list))
	}
}

// TestListedClaimsForAJudge: the judge receives the claims that the model lists.
func TestListedClaimsForAJudge(t *testing.T) {
	t.Parallel()
	var asked []question.Judge
	cfg := campaign.Config{Model: scripted(output("You lose 3 HP."+claimsOf(lostThree), hurt("ren", "-3")))}
	cfg.Services.Judge = func(_ context.Context, q question.Judge) ([]conflict.Verdict, error) {
		asked = append(asked, q)
		return nil, nil
	}
	o := turnOf(t, newEngine(t, cfg, `{"settings": {"conflict.claims": "listed", "conflict.judge": "full"}}`), turn.Submit{Text: "I fight."})
	if o.Turn == nil || len(asked) != 1 || len(asked[0].Claims) != 1 || asked[0].Claims[0].Call != "call_001" {
		t.Errorf("%s %s", jsonOf(t, o), jsonOf(t, asked))
	}
}

// TestListedClaimsKeepTheGoal: the words of a hidden goal are found in a list, too.
func TestListedClaimsKeepTheGoal(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted(
		"Dust falls."+claimsOf(`{"kind": "map", "quote": "Wake the sleeping dragon below the mountain"}`), "Dust falls.")}, listClaims)
	o := turnOf(t, e, turn.Submit{Text: "I wait."})
	if o.Turn == nil || o.RetriesUsed != 1 || !slices.ContainsFunc(o.Attempts[0].Conflicts, func(c conflict.Conflict) bool { return c.Kind == conflict.HiddenGoalLeak }) {
		t.Fatalf("%s", jsonOf(t, o))
	}
	if strings.Contains(jsonOf(t, o), "sleeping dragon") {
		t.Errorf("people read %s", jsonOf(t, o))
	}
}

// TestClaimsToolIsTaken: a host's tool cannot have the name of the engine's own tool.
func TestClaimsToolIsTaken(t *testing.T) {
	t.Parallel()
	mine := ringTool()
	mine.Name = declared.ToolName
	_, problems := game.Compile(game.Content{Extensions: game.Extensions{Tools: []tool.Tool{mine}}})
	if err := problems.Err(); err == nil || !strings.Contains(err.Error(), "list_claims") || !strings.Contains(err.Error(), "a different name") {
		t.Errorf("%v", problems)
	}
}
