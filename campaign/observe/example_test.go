package observe_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// walk plays one turn of a small campaign with an observer.
func walk(o observe.Observer) {
	g, problems := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Observe: o,
		Model: llmtest.NewScripted(
			llmtest.Reply{Calls: []llm.ToolCall{{Name: "fly", Arguments: "{}"}}},
			llmtest.Text("Rain falls."))})
	if err = errors.Join(problems.Err(), err); err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	if _, err = engine.Create(ctx, state.Setup{ID: "mill", Characters: []state.Character{ann}}); err != nil {
		fmt.Println(err)
		return
	}
	if _, err = engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."}); err != nil {
		fmt.Println(err)
	}
}

// Log writes the important moments, here without times.
func ExampleLog() {
	walk(observe.Log(slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Value.Kind() == slog.KindDuration {
				return slog.Attr{}
			}
			return a
		}}))))
	// Output:
	// level=INFO msg="model answered" campaign=mill instruction=submit run=1 attempt=1 again=0 finish=tool_calls calls=1
	// level=INFO msg="call refused" campaign=mill instruction=submit run=1 attempt=1 tool=other code=tool_unknown
	// level=INFO msg=retrying campaign=mill instruction=submit run=1 attempt=2 why=refused_calls
	// level=INFO msg="model answered" campaign=mill instruction=submit run=1 attempt=2 again=0 finish=stop calls=0
	// level=INFO msg=committed campaign=mill instruction=submit run=1 version=2 record=turn turn=turn_0001 changes=0
	// level=INFO msg=ended campaign=mill instruction=submit run=1 status=completed reason="" turn=turn_0001 version=2 attempts=2 retries=1
}

// An observer counts what models get wrong.
func ExampleFunc() {
	refused := map[string]int{}
	walk(observe.Func(func(_ observe.Place, m observe.Moment) {
		if call, ok := m.(observe.CallRefused); ok {
			refused[string(call.Code)]++
		}
	}))
	fmt.Println(refused)
	// Output: map[tool_unknown:1]
}

// Only one of several observers receives the texts.
func ExampleVerbose() {
	print := func(name string) observe.Observer {
		return observe.Func(func(_ observe.Place, m observe.Moment) {
			if begun, ok := m.(observe.Begun); ok {
				fmt.Printf("%s: %q\n", name, begun.Line)
			}
		})
	}
	walk(observe.All(print("log"), observe.Verbose(print("audit"))))
	// Output:
	// log: ""
	// audit: "I wait."
}

// A host that runs a machine itself also calls the observers itself.
func ExampleTell() {
	o := observe.Func(func(p observe.Place, m observe.Moment) {
		fmt.Printf("%s: %+v\n", p.Campaign, m)
		panic("not again")
	})
	_, err := observe.Tell(context.Background(), o, observe.Place{Campaign: "mill"}, observe.Waiting{QuestionID: "q1", Calls: 2})
	fmt.Println(err)
	// Output:
	// mill: {QuestionID:q1 Calls:2}
	// observe: an observer panicked: not again
}

// An observer that wraps others asks whether one of them wants texts.
func ExampleWantsTexts() {
	quiet := observe.Log(slog.New(slog.DiscardHandler))
	fmt.Println(observe.WantsTexts(quiet), observe.WantsTexts(observe.All(quiet, observe.Verbose(quiet))))
	// Output: false true
}

// Words from servers and models are cut before they reach an observer.
func ExampleBounded() {
	long := observe.CallRefused{Tool: strings.Repeat("x", 1<<20)}
	fmt.Println(len(observe.Bounded(long).(observe.CallRefused).Tool))
	// Output: 256
}

// CountLore shows which entries of a campaign its players have met.
func ExampleCountLore() {
	g, problems := game.Compile(game.Content{Lore: game.Lore{Settings: worldbook.Exact(), Books: []worldbook.Attachment{{Book: worldbook.Book{
		Name: "mill", Entries: []worldbook.Entry{
			{UID: "1", Comment: "The wheel", Keys: []string{"wheel"}, Content: "It turns."},
			{UID: "2", Keys: []string{"miler"}, Content: "The miller is old."},
		}}}}}})
	engine, err := campaign.New(campaign.Config{Game: g, Model: llmtest.NewScripted(llmtest.Text("It turns."), llmtest.Text("He nods."))})
	if err = errors.Join(problems.Err(), err); err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	_, err = engine.Create(ctx, state.Setup{ID: "mill", Characters: []state.Character{ann}})
	for _, line := range []string{"I stop the wheel.", "I greet the miller."} {
		if err == nil {
			_, err = engine.Turn(ctx, "mill", turn.Submit{Text: line})
		}
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	use, err := observe.CountLore(g.Book(), engine.History(ctx, "mill", state.HistoryPage{}))
	fmt.Printf("%v%v\n", use, err)
	// Output:
	// 1 of 2 turns: mill.1 (The wheel): keyword "wheel" × 1
	// 0 of 2 turns: mill.2
	// <nil>
}

// ExampleCampaignReport_WriteHTML writes the page of a campaign of one turn.
func ExampleCampaignReport_WriteHTML() {
	g, problems := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Model: llmtest.NewScripted(llmtest.Text("Rain <i>falls</i>."))})
	if err = errors.Join(problems.Err(), err); err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	now, err := engine.Create(ctx, state.Setup{ID: "mill", Title: "The Mill", Characters: []state.Character{ann}})
	if err == nil {
		_, err = engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."})
	}
	var page strings.Builder
	err = errors.Join(err, observe.CampaignReport{Game: g, Campaign: now, Turns: engine.History(ctx, "mill", state.HistoryPage{}),
		Branches: engine.Branches(ctx, "mill", state.HistoryBranches{})}.WriteHTML(&page))
	fmt.Println(strings.Contains(page.String(), "<title>The Mill</title>"), strings.Contains(page.String(), "Rain &lt;i&gt;falls&lt;/i&gt;."), err)
	// Output: true true <nil>
}

// ExampleRuleGraph_WriteHTML writes the page of a rule, with the name of its variable.
func ExampleRuleGraph_WriteHTML() {
	g := observe.RuleGraph{Title: "The Mill", Rules: game.Rules{
		Variables: []rules.Variable{{ID: "dust", Name: "Dust", Type: rules.TypeNumber}},
		Rules: []rules.Rule{{ID: "dusty", Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Actions: effect.Actions{effect.SetVariable{Path: "dust", Operation: effect.Add, Value: tree.Int(1)}}}},
	}}
	var page strings.Builder
	err := g.WriteHTML(&page)
	fmt.Println(strings.Contains(page.String(), `<div><span class="old">writes</span> Dust</div>`), err)
	// Output: true <nil>
}

// ExampleReport_For shows a report in Chinese.
func ExampleReport_For() {
	g, problems := game.Compile(game.Content{})
	r := observe.Of(state.Turn{ID: "turn_0001", Index: 1, Text: "Rain falls."}, turn.Explanation{}).For(g, state.Campaign{}, "zh")
	var page strings.Builder
	err := r.WriteHTML(&page)
	fmt.Println(strings.Contains(page.String(), "<h1>第 1 回合</h1>"), problems.Err(), err)
	// Output: true <nil> <nil>
}
