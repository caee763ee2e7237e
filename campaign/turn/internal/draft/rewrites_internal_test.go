package draft

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// TestRewrites has a row for each result of a rewrite: the text, what the trace has of it, and why it
// is refused.
func TestRewrites(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("x", 1<<20)
	const prompt = effect.RewriteTarget("prompt")
	for _, c := range []struct {
		e          effect.Rewrite
		line, want string // the line and the messages afterwards, then the trace
	}{
		{effect.Rewrite{Target: effect.RewriteLine, Find: "go", Text: "run"}, "I go.", "I run. fog [rewritten 1]"},
		{effect.Rewrite{Target: effect.RewriteLine, Find: "fly", Text: "run"}, "I go.", "I go. fog []"},
		{effect.Rewrite{Target: effect.RewriteLine, Text: "I rest."}, "I go.", "I rest. fog [rewritten 1]"},
		{effect.Rewrite{Target: effect.RewriteLine, Find: "I go.", Text: " "}, "I go.", "I go. fog [refused empty]"},
		{effect.Rewrite{Target: effect.RewriteLine, Find: "go", Text: huge}, "I go.", "I go. fog [refused invalid_value]"},
		{effect.Rewrite{Target: prompt, Find: "o", Text: "i"}, "I go.", "I go. fig [rewritten 1]"},
		{effect.Rewrite{Target: prompt, Find: "sun", Text: "i"}, "I go.", "I go. fog []"},
		{effect.Rewrite{Target: prompt, Find: "o", Text: huge}, "I go.", "I go. fog [refused invalid_value]"},
		{effect.Rewrite{Target: prompt, Text: "i"}, "I go.", "I go. fog [refused invalid_value]"},
	} {
		var trace state.TurnTrace
		x := rewrites{Played: true, Line: &c.line}
		x.rewrite(&trace, c.e, "r")
		if mistake := c.e.Mistake() != nil; mistake != (len(x.prompt) == 0) && c.e.Target == prompt {
			t.Errorf("%+v: %d wait for the prompt", c.e, len(x.prompt))
		}
		sent := x.RewritePrompt(&trace, []question.Message{{Message: llm.Message{Text: "fog"}}}, 0)
		x.RefuseUnused(&trace)
		var traced []string
		for _, r := range trace.Rewrites {
			traced = append(traced, fmt.Sprint("rewritten ", r.Times))
		}
		for _, r := range trace.Refused {
			traced = append(traced, "refused "+r.Reason)
		}
		if got := fmt.Sprintf("%s %s %v", c.line, sent[0].Message.Text, traced); got != c.want {
			t.Errorf("%s %.10q: %q, want %q", c.e.Target, c.e.Find, got, c.want)
		}
	}
	var trace state.TurnTrace
	x := rewrites{}
	if x.rewrite(&trace, effect.Rewrite{Target: prompt, Find: "o", Text: "i"}, "r"); len(x.prompt) > 0 || len(trace.Refused) != 1 || trace.Refused[0].Text != "no turn is played" {
		t.Errorf("between turns: %+v, %+v", x.prompt, trace.Refused)
	}
	line := "I go."
	trace, x = state.TurnTrace{}, rewrites{Line: &line}
	x.rewrite(&trace, effect.Rewrite{Target: effect.RewriteLine, Text: "I run."}, "r")
	if x.veto(&trace, effect.Veto{Reason: "a ghost"}, "r"); line != "I go." || x.Veto != nil || len(trace.Refused) != 2 {
		t.Errorf("between turns: %q, %+v, %+v", line, x.Veto, trace.Refused)
	}
	trace, x = state.TurnTrace{}, rewrites{Played: true}
	for _, reason := range []string{"a ghost", "a wolf"} {
		x.veto(&trace, effect.Veto{Reason: reason}, "r")
	}
	if x.Veto == nil || x.Veto.Reason != "a ghost" || len(trace.Refused) > 0 {
		t.Errorf("the first veto is not kept: %+v, %+v", x.Veto, trace.Refused)
	}
}

// TestCallFacts: a call names each character once, and a roll needs a total.
func TestCallFacts(t *testing.T) {
	t.Parallel()
	args := tree.Object(tree.Member{Key: "from", Value: tree.Text("ren")}, tree.Member{Key: "to", Value: tree.Text("ren")},
		tree.Member{Key: "cause", Value: tree.Text("fire")})
	if got := namedCharacters(state.State{Characters: []state.Character{{ID: "ren"}}}, args); !slices.Equal(got, []string{"ren"}) {
		t.Errorf("named: %q", got)
	}
	roll := tree.Member{Key: "roll", Value: tree.Int(7)}
	if got := rollsOf(tree.Object(roll)); got != nil {
		t.Errorf("a roll without a total: %v", got)
	}
	if got := rollsOf(tree.Object(roll, tree.Member{Key: "total", Value: tree.Int(9)})); len(got) != 1 || got[0].Roll != 7 || got[0].Total != 9 {
		t.Errorf("a roll: %v", got)
	}
}

// TestNoTimePasses: a timer that is late does not end before time passes.
func TestNoTimePasses(t *testing.T) {
	t.Parallel()
	s := state.State{Timers: rules.Timers{{ID: "bell", Remaining: -1, Duration: 2, Repeat: true}}}
	if events := PassTime(&s, 0); len(events) != 0 || s.Timers[0].Remaining != -1 {
		t.Errorf("%d events, %+v", len(events), s.Timers)
	}
	if events := PassTime(&s, 1); len(events) != 1 || s.Timers[0].Remaining != 0 {
		t.Errorf("%d events, %+v", len(events), s.Timers)
	}
}
