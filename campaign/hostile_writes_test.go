package campaign_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// hostileValue returns a value that is nested about as deep as a document or a record may be, or
// only a little.
func hostileValue(random *rand.Rand) tree.Value {
	levels := []int{0, tree.MaxDepth - 10, tree.MaxNesting - 15}[random.IntN(3)] + random.IntN(16)
	v := tree.Text("x")
	for range levels {
		if random.IntN(2) == 0 {
			v = tree.Array(v)
		} else {
			v = tree.Object(tree.Member{Key: "a", Value: v})
		}
	}
	return v
}

// hostileEffect returns an effect that writes such a value, or a variable into itself.
func hostileEffect(random *rand.Rand) effect.Effect {
	v, path := hostileValue(random), []string{"j", "j.a", "list", "far", "far.a.b", "mood", "j..a", "list[0]"}[random.IntN(8)]
	switch random.IntN(9) {
	case 0:
		return effect.SetVariable{Path: path, Operation: effect.Push, ValueRef: path}
	case 1:
		return effect.SetVariable{Path: path, Operation: effect.Append, ValueRef: path}
	case 2:
		return effect.ChangeState{CharacterID: "ann", Field: "f", New: v}
	case 3:
		return effect.ChangeRelationship{CharacterID: "ann", Field: "f", Old: v, New: v}
	case 4:
		return effect.Emit{Event: event.New("deep", tree.Member{Key: "params", Value: v})}
	case 5:
		return effect.Custom{Type: "deep", Data: tree.Object(tree.Member{Key: "k", Value: v})}
	case 6:
		return effect.SetVariable{Path: "@deep", Value: v}
	default:
		return effect.SetVariable{Path: path, Operation: []effect.Operation{
			effect.Set, effect.Push, effect.Merge, effect.Append, effect.Delete}[random.IntN(5)], Value: v}
	}
}

// hostileReply requests such writes in the dialects of models.
func hostileReply(random *rand.Rand) string {
	var text strings.Builder
	text.WriteString("Hello.")
	for range 4 {
		v := hostileValue(random)
		switch random.IntN(4) {
		case 0:
			fmt.Fprintf(&text, "\n[j: set %s]", v)
		case 1:
			fmt.Fprintf(&text, "\n[list: push %s]", v)
		case 2:
			fmt.Fprintf(&text, "\n<status>mood: %s</status>", v)
		default:
			fmt.Fprintf(&text, "\nset_status('stat_data.deep', %s);", v)
		}
	}
	return text.String()
}

// TestHostileWritesNeverEndATurn: with any writes by rules, reactions, hooks, directives, reply
// rules and commands, a turn ends as usual. A value that no record can hold is refused alone, and
// the game can be loaded again.
func TestHostileWritesNeverEndATurn(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	refused := 0
	seeds := uint64(testkit.Cases(12, 4))
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 1))
		content := echoing(t, func(string) effect.Effect { return hostileEffect(random) })
		for i := range 6 {
			rule := rules.Rule{ID: fmt.Sprint("r", i), Trigger: &rules.Trigger{Type: rules.EveryTurn}}
			if i%2 == 1 {
				rule.Trigger = &rules.Trigger{Type: rules.StateChange}
			}
			for range 3 {
				rule.Actions = append(rule.Actions, hostileEffect(random))
			}
			content.Rules.Rules = append(content.Rules.Rules, rule)
		}
		if seed%2 == 0 {
			content.Rules.Variables = []rules.Variable{
				{ID: "j", Type: rules.TypeJSON, Default: tree.Object()}, {ID: "list", Type: rules.TypeJSON, Default: tree.Array()},
				{ID: "far", Type: rules.TypeJSON, Path: "a.far", Default: tree.Object()}, {ID: "mood", Type: rules.TypeString, Default: tree.Text("m")},
			}
		}
		content.Rules.ReplyRules = []rules.ReplyRule{{ID: "s", Match: rules.ReplyMatch{Tag: "status"}, To: []rules.ReplyRoute{{Kind: rules.ReplyFields}}}}
		refused += hostileGame(t, content, random)
	}
	if refused < int(seeds)*8 {
		t.Errorf("only %d writes were refused", refused)
	}
}

// hostileGame plays some turns and returns how many effects were refused.
func hostileGame(t *testing.T, content game.Content, random *rand.Rand) (refused int) {
	t.Helper()
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	const turns = 5
	var replies []llmtest.Reply
	for range turns {
		replies = append(replies, llmtest.Text(hostileReply(random)))
	}
	store := &campaign.MemoryStore{}
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: llmtest.NewScripted(replies...)})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if _, err := engine.Create(ctx, mill()); err != nil {
		t.Fatal(err)
	}
	for n := range turns {
		outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I look around."})
		if err = cmp.Or(err, outcome.Err()); err != nil {
			t.Fatalf("turn %d: %.300v", n+1, err)
		}
		refused += len(outcome.Turn.Trace.Refused)
	}
	again, err := campaign.New(campaign.Config{Game: g, Store: store, Model: llmtest.NewScripted()})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := again.Campaign(ctx, "mill"); err != nil || len(c.Turns) != turns {
		t.Fatalf("loaded again: %d turns, %v", len(c.Turns), err)
	}
	return refused
}
