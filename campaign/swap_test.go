package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// paying is a game in which each turn pays an amount. version names the content.
func paying(t *testing.T, amount int64, version string) *campaign.Game {
	t.Helper()
	var c campaign.Content
	c.Extensions.Version = version
	c.Rules.Variables = []rules.Variable{{ID: "gold", Type: rules.TypeNumber}}
	c.Rules.Rules = []rules.Rule{{ID: "pay", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: effect.Actions{
		effect.SetVariable{Path: "gold", Operation: effect.Add, Value: tree.Int(amount)}}}}
	g, problems := campaign.Compile(c)
	if len(problems.AtLeast(campaign.Problem{}.Severity)) > 0 {
		t.Fatal(problems)
	}
	return g
}

func gold(t *testing.T, e *campaign.Engine) int64 {
	t.Helper()
	c, err := e.Campaign(context.Background(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	n, _ := c.State.Variables.Int("gold")
	return n
}

// TestSwap: a swap takes effect with the next turn, of a loaded campaign too, and records name their
// content. A replay with other content says so.
func TestSwap(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	gate := llmtest.NewGate()
	slow := llmtest.Text("Slow.")
	slow.Gate = gate
	store := new(campaign.MemoryStore)
	e, err := campaign.New(campaign.Config{Game: paying(t, 1, "one"), Store: store, Model: llmtest.NewScripted(slow, llmtest.Text("Fast."), llmtest.Text("Fast."))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Create(ctx, campaign.Setup{ID: "demo", Characters: []campaign.Character{{ID: "ann", Name: "Ann"}}}); err != nil {
		t.Fatal(err)
	}
	say := func() error {
		o, err := e.Turn(ctx, "demo", campaign.Submit{Text: "I wait."})
		return errors.Join(err, o.Err())
	}
	done := make(chan error)
	go func() { done <- say() }()
	<-gate.Reached()
	e.Swap(paying(t, 10, "two"))
	e.Swap(nil) // changes nothing
	gate.Open()
	if err := <-done; err != nil || gold(t, e) != 1 {
		t.Errorf("the running turn: %d, %v", gold(t, e), err)
	}
	if err := say(); err != nil || gold(t, e) != 11 {
		t.Errorf("the next turn: %d, %v", gold(t, e), err)
	}
	var contents []string
	for entry, err := range store.Records(ctx, "demo", 1) {
		if err != nil {
			t.Fatal(err)
		}
		rec, err := entry.Record()
		if err != nil {
			t.Fatal(err)
		}
		contents = append(contents, rec.Content)
	}
	if got := strings.Join(contents, " "); got != "one two" {
		t.Errorf("the records name %q", got)
	}
	if _, err := e.Rebuild(ctx, "demo"); !errors.Is(err, turn.ErrDiverged) || !strings.Contains(fmt.Sprint(err), `played with the content "one", and the content is now "two"`) {
		t.Errorf("a replay with other content: %v", err)
	}
	same := paying(t, 10, "three") // other bytes, the same rules
	e.Swap(same)
	if err := say(); err != nil || gold(t, e) != 21 {
		t.Errorf("%d, %v", gold(t, e), err)
	}
}

// TestSwapWithoutAChange: content with another version and the same rules replays.
func TestSwapWithoutAChange(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	e, err := campaign.New(campaign.Config{Game: paying(t, 1, "one"), Model: llmtest.NewScripted(llmtest.Text("A."))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Create(ctx, campaign.Setup{ID: "demo", Characters: []campaign.Character{{ID: "ann", Name: "Ann"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Turn(ctx, "demo", campaign.Submit{Text: "I wait."}); err != nil {
		t.Fatal(err)
	}
	e.Swap(paying(t, 1, "two"))
	if _, err := e.Rebuild(ctx, "demo"); err != nil {
		t.Error(err)
	}
}

// A host uses changed content without a restart.
func ExampleEngine_Swap() {
	ctx := context.Background()
	first, _ := campaign.Compile(campaign.Content{})
	e, err := campaign.New(campaign.Config{Game: first, Model: llmtest.NewScripted(llmtest.Text("The bell rings."))})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := e.Create(ctx, campaign.Setup{ID: "demo", Characters: []campaign.Character{{ID: "ann", Name: "Ann"}}}); err != nil {
		fmt.Println(err)
	}
	changed, _ := campaign.Compile(campaign.Content{Rules: campaign.Rules{Rules: []rules.Rule{{ID: "bell",
		Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: effect.Actions{effect.Notify{Message: "It is noon."}}}}}})
	e.Swap(changed)
	o, err := e.Turn(ctx, "demo", campaign.Submit{Text: "I wait."})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(o.Turn.Text, o.Turn.Trace.Notices[0].Message)
	// Output: The bell rings. It is noon.
}

// A host tells its players why an instruction was not run, in the language of the game.
func ExampleEngine_Texts() {
	ctx := context.Background()
	g, _ := campaign.Compile(campaign.Content{Extensions: campaign.Extensions{Texts: new(game.Chinese())}})
	e, err := campaign.New(campaign.Config{Game: g, Model: llmtest.NewScripted()})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := e.Create(ctx, campaign.Setup{ID: "demo", Characters: []campaign.Character{{ID: "ann", Name: "安"}}}); err != nil {
		fmt.Println(err)
	}
	_, err = e.Do(ctx, "demo", campaign.Undo{})
	if refusal, ok := errors.AsType[*campaign.Refusal](err); ok {
		fmt.Println(e.Texts().Refusal(string(refusal.Code)))
	}
	// Output: 还没有进行过任何回合。
}
