package campaign_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// CA-52: a turn without a line of the player is a normal turn, and contains no words of the player.
func TestProceed(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, ask, one, two, line string }{
		{"en", "A storm {{char}} comes.", "Thunder. Ren loses 2 hit points.", "Rain.", "I hide."},
		{"zh", "暴风雨来了。", "雷声。Ren失去2点生命。", "下雨了。", "我躲起来。"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			cfg := campaign.Config{Model: scripted(wound(tc.one, 2), tc.two, "…", "Yes.")}
			seen := observed(&cfg)
			e := newEngine(t, cfg, `{"settings": {"turn.order": "round_robin", "alternatives.keep_rolls": false}}`)
			in := turn.Proceed{Instructions: tc.ask, ClientTurnID: "p"}
			o, err := e.Do(t.Context(), "cave", in)
			if err != nil || o.Err() != nil || o.Turn.UserInput != "" || o.Turn.Index != 1 || o.Turn.Instructions != tc.ask {
				t.Fatalf("%v %s", err, jsonOf(t, o))
			}
			messages := (*seen)[0].Messages
			if last := messages[len(messages)-1]; last.Message.Text != tc.ask || last.Block != "control" {
				t.Errorf("the last message is %+v", last)
			}
			if slices.ContainsFunc(messages, func(m question.Message) bool { return m.Kind == question.KindPlayerInput }) {
				t.Errorf("somebody has said something:\n%s", askedText((*seen)[0]))
			}
			c := campaignOf(t, e)
			if c.State.Characters[0].HP.Current != 8 || c.State.Selected.ActorID != "ren" {
				t.Errorf("%d hit points, %s is next: a scene takes nobody's turn", c.State.Characters[0].HP.Current, c.State.Selected.ActorID)
			}
			if again, err := e.Do(t.Context(), "cave", in); err != nil || !again.Replayed {
				t.Errorf("repeated: %v %s", err, jsonOf(t, again))
			}
			// It has alternatives like other turns, and the same speaker is asked again.
			o = do(t, e, turn.Regenerate{})
			if o.Turn == nil || o.Turn.AlternativeOf != "turn_0001" || o.Turn.Text != tc.two || o.Turn.Instructions != tc.ask {
				t.Fatalf("another answer: %s", jsonOf(t, o))
			}
			turnOf(t, e, turn.Submit{Text: tc.line})
			history := slices.DeleteFunc(slices.Clone((*seen)[2].Messages), func(m question.Message) bool {
				return m.Kind != question.KindHistory && m.Kind != question.KindPlayerInput
			})
			if len(history) != 2 || history[0].Message.Text != tc.two || history[1].Message.Text != c.State.Characters[0].Name+": "+tc.line {
				t.Errorf("the history is %+v", history)
			}
			rebuilt(t, e)
		})
	}
}

// CA-52: a rule's request with @ai.request reaches the host, which lets the scene proceed with it.
func TestProceedAsRulesAsk(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "bell", Conditions: []rules.Condition{},
		Trigger: &rules.Trigger{Type: rules.EveryTurn}, MaxFireCount: new(1),
		Actions: effect.Actions{effect.RequestAI{Prompt: "The bell rings."}}}}}})
	cfg := campaign.Config{Game: g, Model: scripted("One.", "It rings.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	o := turnOf(t, e, turn.Submit{Text: "I wait."})
	for _, h := range o.Host {
		if ask, ok := h.Effect.(effect.RequestAI); ok {
			if _, err := e.Do(t.Context(), "cave", turn.Proceed{Instructions: ask.Prompt}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(*seen) != 2 || !strings.Contains(askedText((*seen)[1]), "The bell rings.") {
		t.Errorf("%d requests", len(*seen))
	}
}

// CA-52: a suggestion leaves no turn, no record and no state. A malformed answer gives fewer
// suggestions, and a repeated question is not paid for twice.
func TestSuggest(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, answer string
		ask          turn.Suggest
		want         []string
	}{
		{"a list in JSON", `["Run.", "Hide.", "Fight."]`, turn.Suggest{}, []string{"Run.", "Hide.", "Fight."}},
		{"in a fence, too many", "```json\n[\"跑。\", \"躲。\", \"打。\", \"逃。\"]\n```", turn.Suggest{N: 2}, []string{"跑。", "躲。"}},
		{"objects, doubles and others", `[{"text": "Run."}, 5, null, "Run.", {"x": 1}, "Hide."]`, turn.Suggest{}, []string{"Run.", "Hide."}},
		{"in the form of an answer", `{"text": "[\"Run.\", \"Hide.\"]"}`, turn.Suggest{}, []string{"Run.", "Hide."}},
		{"lines with numbers", "1. Run.\n2) Hide.\n\n- Fight.\n• Wait.\n3、等。", turn.Suggest{N: 9}, []string{"Run.", "Hide.", "Fight.", "Wait.", "等。"}},
		{"lines of speech", "*he waits*\n-5 degrees!", turn.Suggest{Kind: state.SuggestLines}, []string{"*he waits*", "-5 degrees!"}},
		{"one line whole", "I say:\n\"Who is there?\"", turn.Suggest{N: 1, Kind: state.SuggestLines}, []string{"I say:\n\"Who is there?\""}},
		{"nothing", "", turn.Suggest{}, nil},
		{"half a list", `["Run.", "Hi`, turn.Suggest{}, []string{"Run."}},
		{"a list as models break it", "['Run.', \"Hide.\", // or\n\"Fight.\",]", turn.Suggest{}, []string{"Run.", "Hide.", "Fight."}},
		{"a list in an object", `{"suggestions": ["Run.", "Hide.",]}`, turn.Suggest{}, []string{"Run.", "Hide."}},
		{"a list in an object that is JSON", `{"suggestions": ["Run.", "Hide."]}`, turn.Suggest{}, []string{"Run.", "Hide."}},
		{"one line in a list", "```json\n[\"Who is there?\"]\n```", turn.Suggest{N: 1, Kind: state.SuggestLines}, []string{"Who is there?"}},
		{"words around the items", "Two things:\n1. Run.\n   Fast.\n2. Hide.", turn.Suggest{}, []string{"Run.", "Hide."}},
		{"Chinese numbers", "如下：\n１．跑。\n二、躲。\n（3）打。\n④ 逃。", turn.Suggest{N: 9}, []string{"跑。", "躲。", "打。", "逃。"}},
		{"numbers of the text", "3.5 litres, please!\n10:30 at the gate?", turn.Suggest{Kind: state.SuggestLines}, []string{"3.5 litres, please!", "10:30 at the gate?"}},
		{"JSON of something else", `{"mood": {"a": 1}}`, turn.Suggest{}, nil},
		{"an empty list", `[]`, turn.Suggest{}, nil},
		{"a list within a line", "[He nods] Go north.\n[He waits] Stay.", turn.Suggest{}, []string{"[He nods] Go north.", "[He waits] Stay."}},
		{"the hidden goal", `["Run.", "Wake the sleeping dragon below the mountain!"]`, turn.Suggest{}, []string{"Run."}},
		{"commands", "Run. set_status('purse', 9)", turn.Suggest{}, []string{"Run."}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			store := &campaign.MemoryStore{}
			cfg := campaign.Config{Model: scripted("You stand there.", tc.answer), Store: store}
			seen := observed(&cfg)
			e := newEngine(t, cfg, `{"settings": {"conflict.intercept_output": false}}`)
			turnOf(t, e, turn.Submit{Text: "I wait."})
			before := jsonOf(t, campaignOf(t, e))
			tc.ask.ClientTurnID = "q"
			tc.ask.Instructions = "Be {{user}}."
			for p, err := range e.Stream(t.Context(), "cave", tc.ask) {
				if _, shown := p.(campaign.Provisional); shown || err != nil {
					t.Errorf("%T %v", p, err)
				}
			}
			got, err := e.Suggest(t.Context(), "cave", tc.ask) // the model has no third answer
			if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
				t.Errorf("suggestions (-want +got): %v\n%s", err, diff)
			}
			if text := askedText((*seen)[1]); !strings.Contains(text, tc.ask.Instructions) || !strings.Contains(text, "You stand there.") {
				t.Errorf("asked:\n%s", text)
			}
			if after := jsonOf(t, campaignOf(t, e)); after != before || len(recordsOf(t, store, "cave", 0)) != 2 {
				t.Errorf("something stays:\n%s", cmp.Diff(before, after))
			}
		})
	}
}

// TestSuggestionsReportTheirCost: the outcome has the answer with its thoughts, its usage and the
// warnings of the model.
func TestSuggestionsReportTheirCost(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{})
	step(t, m, turn.Suggest{N: 1}, turn.Replied{Text: `["Run."]`, Reasoning: "He is afraid.", Usage: &llm.Usage{PromptTokens: 7},
		Warnings: []llm.Warning{{Code: "seed", Detail: "no seed"}}})
	wantHas(t, "the attempt", jsonOf(t, m.Todo().Outcome.Attempts), `"output":"[\"Run.\"]"`, "He is afraid.", `"prompt_tokens":7`, "no seed")
}

// CA-52: suggestions are refused as turns are, and their failures are errors.
func TestSuggestRefused(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("I would run.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	for _, tc := range []struct {
		in   turn.Suggest
		code state.RefusalCode
	}{
		{turn.Suggest{ActorID: "nobody"}, state.ActorNotInParty},
		{turn.Suggest{Kind: "songs"}, state.UnknownSuggestion},
	} {
		if _, err := e.Suggest(t.Context(), "cave", tc.in); !isRefused(err, tc.code, "") {
			t.Errorf("%+v: %v", tc.in, err)
		}
	}
	if line, err := e.Impersonate(t.Context(), "cave", "Be brave."); line != "I would run." || err != nil {
		t.Errorf("%q %v", line, err)
	}
	wantHas(t, "the request", askedText((*seen)[0]), "Be brave.")
	if _, err := e.Impersonate(t.Context(), "cave", ""); err == nil {
		t.Error("the model has failed, but there is no error")
	}
	do(t, e, turn.EndCampaign{Reason: state.GoalAchieved})
	if _, err := e.Suggest(t.Context(), "cave", turn.Suggest{}); !isRefused(err, state.CampaignEnded, "") {
		t.Errorf("after the end: %v", err)
	}
}

// CA-52: each kind of generation activates the lore limited to it, and reaches macros and hooks.
func TestGenerationKinds(t *testing.T) {
	t.Parallel()
	kinds := []worldbook.GenerationType{worldbook.Normal, worldbook.Continue, worldbook.Impersonate, worldbook.Swipe,
		worldbook.Regenerate, worldbook.Quiet}
	book := worldbook.Book{Name: "kinds"}
	for _, kind := range kinds {
		book.Entries = append(book.Entries, worldbook.Entry{UID: string(kind), Constant: true, Probability: 100,
			Content: "Lore of " + string(kind) + ": {{lastGenerationType}}.", Triggers: []string{string(kind)}})
	}
	var heard []string
	var actions act.Table
	err := actions.Register("note", act.Type{Handler: func(_ context.Context, call act.Call) (act.Outcome, error) {
		kind, _ := call.Event.Payload.Get("generation").AsText()
		heard = append(heard, kind)
		return act.Outcome{}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	g := compile(t, game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{Book: book}}}, Rules: game.Rules{Actions: &actions, Hooks: []hooks.Hook{
		{ID: "kind", Name: "kind", Event: hooks.On(act.AfterTurnFinished), Actions: []act.Action{act.New("note")}}}}})
	cfg := campaign.Config{Game: g, Model: scripted("One.", "Two.", "Three.", "Four.", "Five.", "Six.", "Seven.", "Eight.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	for i, tc := range []struct {
		in   turn.Input
		kind worldbook.GenerationType
	}{
		{turn.Submit{Text: "I wait."}, worldbook.Normal},
		{turn.Continue{}, worldbook.Continue},
		{turn.Regenerate{}, worldbook.Regenerate},
		{turn.Regenerate{Swipe: true}, worldbook.Swipe},
		{turn.Suggest{}, worldbook.Quiet},
		{turn.Suggest{Kind: state.SuggestLines}, worldbook.Impersonate},
		{turn.Proceed{}, worldbook.Normal},
		{turn.Submit{Text: "I go.", Generation: worldbook.Normal}, worldbook.Normal}, // stored like a turn without a kind
	} {
		if o := do(t, e, tc.in); o.Turn != nil && o.Turn.Generation == worldbook.Normal {
			t.Errorf("%T: a normal kind is stored", tc.in)
		}
		text := askedText((*seen)[i])
		for _, kind := range kinds {
			want := "Lore of " + string(kind) + ": " + string(kind) + "."
			if strings.Contains(text, want) != (kind == tc.kind) {
				t.Errorf("%T: lore of %s is there: %v", tc.in, kind, kind != tc.kind)
			}
		}
	}
	// A hook runs once in a turn, also in a continued one, and never for suggestions.
	if diff := cmp.Diff([]string{"", "regenerate", "swipe", "", ""}, heard); diff != "" {
		t.Errorf("hooks hear (-want +got):\n%s", diff)
	}
	rebuilt(t, e)
}
