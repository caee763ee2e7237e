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
	// 1 of 2 turns: mill.1 (The wheel): key "wheel" 1
	// 0 of 2 turns: mill.2
	// <nil>
}
