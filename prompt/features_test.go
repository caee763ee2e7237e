package prompt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
)

// TestFeatures has one test for each row of the list of features.
func TestFeatures(t *testing.T) {
	t.Parallel()
	for name, show := range map[string]func(*testing.T){
		"PR-03 the blocks of a campaign's turn":              campaignBlocks,
		"PR-03 each dialog type has its blocks":              dialogTypes,
		"PR-04 variables without hidden and meta fields":     visibleVariables,
		"PR-07 a counter of the host decides what fits":      hostCounter,
		"PR-07 the estimate is good for Chinese":             chineseEstimate,
		"PR-07 the estimate is calibrated by reported usage": calibratedEstimate,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			show(t)
		})
	}
}

// lighthouse is a campaign with a text in every block: it has a summary and pins, and enough turns
// for acceleration.
func lighthouse() state.Setup {
	return state.Setup{
		ID: "lighthouse",
		World: state.World{
			Background: "A foggy coast.", Rules: []state.WorldRule{{Text: "No magic."}},
		},
		Map:       state.Map{Areas: []state.MapArea{{ID: "pier", Name: "Pier"}}},
		Goal:      state.Goal{Text: "Relight the lamp"},
		Milestone: state.Milestone{Value: 2},
		Summary:   state.Summary{Text: "The keeper is gone.", Pins: []string{"Ann fears water."}},
		Settings: setting.Snapshot{
			"context.full_context_enabled": tree.Bool(false), "context.compress_enabled": tree.Bool(true)},
		Characters: []state.Character{{
			ID: "ann", Name: "Ann", AreaID: "pier", HP: state.HP{Current: 7, Max: 10},
		}},
	}
}

// lighthouseTurn plays a turn of the lighthouse and returns the requests to the model.
func lighthouseTurn(t *testing.T, setup state.Setup, replies ...llmtest.Reply) []question.Request {
	t.Helper()
	g, problems := game.Compile(game.Content{})
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	var asked []question.Request
	engine, err := campaign.New(campaign.Config{
		Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(replies...),
		Observe: observe.Verbose(observe.Func(func(_ observe.Place, m observe.Moment) {
			if m, ok := m.(observe.ModelAsked); ok {
				asked = append(asked, m.Generation.Request)
			}
		})),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Create(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	outcome, err := engine.Turn(t.Context(), setup.ID, turn.Submit{Text: "I look around."})
	if err != nil || outcome.Status != turn.Completed {
		t.Fatalf("%s %s, %v", outcome.Status, outcome.Reason, err)
	}
	return asked
}

// wantText checks that a text contains the pieces in order.
func wantText(t *testing.T, text string, pieces ...string) {
	t.Helper()
	rest := text
	for _, piece := range pieces {
		_, after, found := strings.Cut(rest, piece)
		if !found {
			t.Fatalf("no %q at its place in:\n%s", piece, text)
		}
		rest = after
	}
}

// textOf joins the messages of a request.
func textOf(r question.Request) string {
	var list []string
	for _, m := range r.Messages {
		list = append(list, m.Message.Text)
	}
	return strings.Join(list, "\n\n")
}

func campaignBlocks(t *testing.T) {
	asked := lighthouseTurn(t, lighthouse(),
		llmtest.Text("Nobody is here.").
			AndCall("hp_delta", "target_character_id", "bob", "delta", -1, "cause", "cold"),
		llmtest.Text("Nobody is here."))
	texts := game.English()
	wantText(t, textOf(asked[0]),
		"# What happened before\nThe keeper is gone.",
		"# Never forget\n- Ann fears water.",
		"# Tools\n", "# How to answer\n"+texts.DialogScene,
		"# Authoritative status\n- Ann (ann): HP 7/10, alive, Pier (pier)",
		texts.Acceleration[1],
		"I look around.")
	if len(asked) != 2 {
		t.Fatalf("%d requests, want a second one for the refused call", len(asked))
	}
	again := asked[1].Messages
	if diff := cmp.Diff(asked[0].Messages, again[:len(asked[0].Messages)]); diff != "" {
		t.Errorf("the second request begins otherwise:\n%s", diff)
	}
	feedback := again[len(again)-1]
	if feedback.Kind != question.KindToolFeedback {
		t.Errorf("the last message is %s", feedback.Kind)
	}
	wantText(t, feedback.Message.Text, texts.ToolFeedback, "hp_delta", "unknown_target")
}

func dialogTypes(t *testing.T) {
	texts := game.English()
	const all = "World, Rules of the world, Party, Goal, What happened before, Never forget, " +
		"Tools, How to answer, Map, Authoritative status"
	for kind, want := range map[string]struct{ blocks, instructions string }{
		game.SceneDialog:  {all, texts.DialogScene},
		game.ActionDialog: {all, texts.DialogAction},
		game.RulesDialog: {"Rules of the world, How to answer, Authoritative status",
			texts.DialogRules},
		game.FreeChatDialog: {"Party, What happened before, Never forget, How to answer, " +
			"Authoritative status", texts.DialogFreeChat},
	} {
		setup := lighthouse()
		setup.Settings["dialog.manual_type"] = tree.Text(kind)
		text := textOf(lighthouseTurn(t, setup, llmtest.Text("Nobody is here."))[0])
		var got []string
		for line := range strings.Lines(text) {
			if heading, found := strings.CutPrefix(line, "# "); found {
				got = append(got, strings.TrimSpace(heading))
			}
		}
		if diff := cmp.Diff(want.blocks, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
		wantText(t, text, "# How to answer\n"+want.instructions)
	}
}

func visibleVariables(t *testing.T) {
	doc, err := tree.ParseDocument([]byte(`{
		"stat_data": {"weather": ["fog", "what it is like outside"]},
		"assa_data": {"world_set": {"npc": {
			"keeper": {"mood": "grim", "_secret_note": "he is the ghost", "_is_protected": true},
			"ghost": {"name": "Elias", "_showInEJS": false}
		}}}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	pieces := prompt.Scene{System: "You keep the lighthouse.", State: sys.Render(doc, memvars.RenderOptions{})}
	env := prompt.Env{User: "Ann", Char: "Orin"}
	history := []prompt.Line{{Role: llm.User, Text: "Hello?"}}
	got := assemble(t, prompt.Default(),
		prompt.Input{Blocks: pieces.Blocks(env, history), History: history}, prompt.Budget{})
	text := got.Messages[len(got.Messages)-1].Text // the state comes after the history
	wantText(t, text, "fog", "keeper", "grim", "ghost", memvars.Placeholder)
	for _, m := range got.Messages {
		for _, hidden := range []string{
			"Elias", "he is the ghost", "_secret_note", "_showInEJS", "_is_protected"} {
			if strings.Contains(m.Text, hidden) {
				t.Errorf("the prompt shows %q:\n%s", hidden, m.Text)
			}
		}
	}
}

// bay is a history of three lines with ten words each.
func bay() []prompt.Line {
	line := strings.TrimSpace(strings.Repeat("wave ", 10))
	return []prompt.Line{
		{Role: llm.User, Text: line}, {Role: llm.Assistant, Text: line}, {Role: llm.User, Text: line},
	}
}

// linesThatFit is the number of lines of the bay in a window of that many tokens.
func linesThatFit(t *testing.T, context int, counter prompt.TokenCounter) int {
	t.Helper()
	got, err := prompt.Assemble(plain(), prompt.Input{History: bay()}, prompt.Env{},
		prompt.Budget{Context: context, PerMessage: new(0), Counter: counter})
	if err != nil {
		t.Fatal(err)
	}
	return len(got.Messages)
}

func hostCounter(t *testing.T) {
	words := counterFunc(func(s string) int { return len(strings.Fields(s)) })
	bytes := counterFunc(func(s string) int { return len(s) })
	for _, c := range []struct {
		counter prompt.TokenCounter
		context int
		want    int
	}{
		{words, 35, 3}, {words, 25, 2}, {bytes, 155, 3}, {bytes, 105, 2}, {bytes, 60, 1},
	} {
		if got := linesThatFit(t, c.context, c.counter); got != c.want {
			t.Errorf("%d lines fit into %d, want %d", got, c.context, c.want)
		}
	}
}

// chineseEstimate compares the estimate with the count of the vocabulary o200k_base, and with the
// rule of four characters per token for English.
func chineseEstimate(t *testing.T) {
	const exact = 141
	text := "这个世界的魔法分为四大元素：火、水、风、土。" +
		"雨落下来，老铁匠收起了摊子，沿着湿滑的石板路慢慢走回家。他没有回头，也没有说一句话。" +
		"夜色渐深，码头上的灯一盏接一盏地熄灭，只剩下海浪拍打木桩的声音。" +
		"你推开沉重的橡木门，冷风夹着雪花扑面而来。大厅里空无一人，壁炉中的火早已熄灭，桌上却还放着半杯温热的茶。"
	if got := prompt.EstimateTokens(text); got < exact*95/100 || got > exact*105/100 {
		t.Errorf("%d tokens, want %d within 5 %%", got, exact)
	}
	if thumb := len([]rune(text)) / 4; thumb > exact/2 {
		t.Errorf("the rule of thumb has %d tokens: the text shows nothing", thumb)
	}
}

// calibratedEstimate takes the scale from the usage that a provider reports.
func calibratedEstimate(t *testing.T) {
	estimated := 0
	for _, line := range bay() {
		estimated += prompt.EstimateTokens(line.Text)
	}
	reported := llm.Usage{PromptTokens: 45}
	calibrated := prompt.TokenEstimator{Scale: float64(reported.PromptTokens) / float64(estimated)}
	if got := calibrated.Count(bay()[0].Text); got != 15 {
		t.Errorf("a third of the request has %d tokens, want 15", got)
	}
	if got := linesThatFit(t, 35, prompt.TokenEstimator{}); got != 3 {
		t.Errorf("%d lines by the plain estimate, want 3", got)
	}
	if got := linesThatFit(t, 35, calibrated); got != 2 {
		t.Errorf("%d lines by the calibrated one, want 2", got)
	}
}
