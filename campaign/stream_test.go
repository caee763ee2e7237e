package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// events plays a turn and lists the events of the stream, one line each; pieces of one kind are
// joined with "|".
func events(t testing.TB, e *campaign.Engine, in turn.Input) []string {
	t.Helper()
	var out []string
	last := ""
	add := func(kind, text string) {
		if kind == last {
			out[len(out)-1] += "|" + text
			return
		}
		out, last = append(out, kind+text), kind
	}
	for p, err := range e.Stream(t.Context(), "cave", in) {
		if err != nil {
			add("error ", err.Error())
			continue
		}
		switch p := p.(type) {
		case campaign.AttemptStarted:
			add(fmt.Sprint("attempt ", p.Attempt, map[bool]string{true: " goes on"}[p.Continues], " "), p.Retry)
		case campaign.Provisional:
			add(fmt.Sprint("provisional ", p.Attempt, " "), p.Text)
		case campaign.Retracted:
			add(fmt.Sprint("retracted ", p.Attempt), "")
		case campaign.Narration:
			add("narration ", p.Text)
		case campaign.HostEffect:
			add("effect ", p.By+" "+p.Effect.EffectType())
		case campaign.Finished:
			add("finished ", string(p.Outcome.Status)+" "+strings.Join(p.Messages, ","))
		}
	}
	return out
}

// TestStream: what a consumer sees, in order (CA-23, CA-39).
func TestStream(t *testing.T) {
	t.Parallel()
	const atOnce = `{"settings": {"conflict.intercept_output": false, "retry.max_retries": 1}}`
	const conflict = "You step into the Hall. It is dark."
	for _, c := range []struct {
		name    string
		setup   string
		outputs []string
		want    []string
	}{
		{"intercepted: sentences after the commit, nothing of the refused attempt",
			`{}`, []string{conflict, "You wait. Dust falls!\nNothing else."},
			[]string{"attempt 1 ", "attempt 2 location_unsettled",
				"narration You wait.| Dust falls!\n|Nothing else.", "finished completed "}},
		{"at once: a refused attempt is retracted before the next begins",
			atOnce, []string{conflict, "You wait."},
			[]string{"attempt 1 ", "provisional 1 You| step into| the| Hall. It| is| dark.",
				"retracted 1", "attempt 2 location_unsettled", "provisional 2 You| wait.",
				"narration You wait.", "finished completed "}},
		{"at once: the last refused attempt is retracted too",
			atOnce, []string{conflict, conflict},
			[]string{"attempt 1 ", "provisional 1 You| step into| the| Hall. It| is| dark.",
				"retracted 1", "attempt 2 location_unsettled",
				"provisional 2 You| step into| the| Hall. It| is| dark.",
				"retracted 2", "finished conflict "}},
		{"at once: calls without a narration are no text of the turn",
			atOnce, []string{output("", moveHall), "You are there."},
			[]string{"attempt 1 ", "attempt 2 ", "provisional 2 You| are| there.",
				"narration You are there.", "finished completed "}},
		{"at once: of an object only the narration, commands left out",
			atOnce, []string{`{"text": "You wait.\nset_status('a', 1)", "tool_calls": []}`},
			[]string{"attempt 1 ", "provisional 1 You| wait.", "narration You wait.", "finished completed "}},
		{"at once: a thought whose begin is in the prompt is taken back",
			atOnce, []string{"I call nothing.</think>\nYou wait."},
			[]string{"attempt 1 ", "provisional 1 I call| nothing.", "retracted 1", "provisional 1 You wait.",
				"narration You wait.", "finished completed "}},
		{"at once: the indent of a paragraph is no text", atOnce, []string{"\u3000\u3000你等待。\n尘埃set_status('a', 1)落下。"},
			[]string{"attempt 1 ", "provisional 1 你等待。|\n尘埃|落下。", "narration 你等待。\n|尘埃落下。", "finished completed "}},
		{"at once: the text beside calls that are planned is not shown",
			`{"settings": {"conflict.intercept_output": false, "turn.mode": "plan_narrate"}}`,
			[]string{"You step into the Hall. " + output("", moveHall), "You are there."},
			[]string{"attempt 1 ", "attempt 2 ", "provisional 2 You| are| there.", "narration You are there.", "finished completed "}},
		{"a refusal", `{"lifecycle": {"ended": true}}`, nil, []string{"finished refused "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, campaign.Config{Model: scripted(c.outputs...)}, c.setup)
			if diff := cmp.Diff(c.want, events(t, e, turn.Submit{Text: "I go."})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestFramesOfLocalModels: calls in the frame of a chat template count as calls. Players never see
// the frame, not even while the text comes (CA-15, LL-19).
func TestFramesOfLocalModels(t *testing.T) {
	t.Parallel()
	const args = `{"actor_id": "ren", "to_area_id": "hall"}`
	for name, frame := range map[string]string{
		"hermes":   "<tool_call>\n{\"name\": \"move\", \"arguments\": " + args + "}\n</tool_call>",
		"mistral":  `[TOOL_CALLS][{"name": "move", "arguments": ` + args + `}]`,
		"mistral2": "[TOOL_CALLS]\nmove[ARGS]" + args,
		"llama":    "<function=move>" + args + "</function>",
		"llama3":   `<|python_tag|>{"name": "move", "parameters": ` + args + `}<|eom_id|>`,
		"llama4":   `<|python_start|>[move(actor_id="ren", to_area_id="hall")]<|python_end|>`,
		"qwen":     "<tool_call>\n<function=move>\n<parameter=actor_id>\nren\n</parameter>\n<parameter=to_area_id>\nhall\n</parameter>\n</function>\n</tool_call>",
		"glm":      "<tool_call>move\n<arg_key>actor_id</arg_key>\n<arg_value>ren</arg_value>\n<arg_key>to_area_id</arg_key>\n<arg_value>hall</arg_value>\n</tool_call>",
		"deepseek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>move\n```json\n" + args + "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
		"kimi":     "<|tool_calls_section_begin|><|tool_call_begin|>functions.move:0<|tool_call_argument_begin|>" + args + "<|tool_call_end|><|tool_calls_section_end|>",
		"seed":     "assistant_structured.tool_calls: [{\"tool\": \"move\", \"args\": " + args + ",}]",
	} {
		for _, text := range []string{"你来到大厅。\n" + frame, frame} {
			outputs := []string{text, "你来到大厅。"}
			e := newEngine(t, campaign.Config{Model: scripted(outputs...)}, `{"settings": {"conflict.intercept_output": false}}`)
			var shown strings.Builder
			var last turn.Outcome
			for p, err := range e.Stream(t.Context(), "cave", turn.Submit{Text: "我去大厅。"}) {
				if err != nil {
					t.Fatal(err)
				}
				switch p := p.(type) {
				case campaign.Provisional:
					shown.WriteString(p.Text)
				case campaign.Finished:
					last = p.Outcome
				}
			}
			switch {
			case last.Turn == nil || last.RetriesUsed > 0 || last.Turn.Text != "你来到大厅。" || len(last.Turn.Applied) != 1:
				t.Errorf("%s: %s", name, jsonOf(t, last))
			case shown.String() != last.Turn.Text:
				t.Errorf("%s: shown %q", name, shown.String())
			}
		}
	}
}

// TestStreamRetractsWhatChanged: shown text that is not in the turn is retracted before the final
// text comes.
func TestStreamRetractsWhatChanged(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("[known only to Ren] You wait.", " And wait.")},
		`{"settings": {"conflict.intercept_output": false}}`)
	for _, c := range []struct {
		in   turn.Input
		want []string
	}{
		{turn.Submit{Text: "I wait.", Audience: []string{"ren"}}, // a mark that is copied from the history
			[]string{"attempt 1 ", "provisional 1 [known only to Ren] You wait.", "retracted 1", "narration You wait.", "finished completed "}},
		{turn.Continue{}, []string{"attempt 1 goes on ", "provisional 1 And| wait.", "narration You wait.| And wait.", "finished completed "}},
	} {
		if diff := cmp.Diff(c.want, events(t, e, c.in)); diff != "" {
			t.Errorf("%T (-want +got):\n%s", c.in, diff)
		}
	}
}

// TestStreamFailureRetracts: if the model breaks off, the shown text is retracted.
func TestStreamFailureRetracts(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Repeats: -1, Model: llmtest.NewScripted(
		llmtest.Reply{Text: "You go", Cut: true})},
		`{"settings": {"conflict.intercept_output": false}}`)
	want := []string{"attempt 1 ", "provisional 1 You", "retracted 1", "finished failed "}
	if diff := cmp.Diff(want, events(t, e, turn.Submit{Text: "I go."})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestBrokenReplyIsAskedForAgain: a reply that broke off after its beginning is requested again, as
// often as the host wants. Nothing of it takes effect, and the shown text is retracted.
func TestBrokenReplyIsAskedForAgain(t *testing.T) {
	t.Parallel()
	cut, whole := llmtest.Reply{Text: "You go", Cut: true}, llmtest.Text("You go on.")
	late := llmtest.Reply{Text: "You go", Err: &llm.Error{Code: llm.CodeRateLimit, Retry: true, RetryAfter: time.Second}}
	refused := llmtest.Reply{Text: "You go", Err: &llm.Error{Code: llm.CodeFiltered}}
	const open = `{"settings": {"conflict.intercept_output": false}}`
	for _, c := range []struct {
		reason  string
		repeats int
		setup   string
		replies []llmtest.Reply
		want    []string
	}{
		{"once by default", 0, `{}`, []llmtest.Reply{cut, whole}, []string{"attempt 1 ", "narration You go on.", "finished completed "}},
		{"what was shown is taken back", 0, open, []llmtest.Reply{cut, whole},
			[]string{"attempt 1 ", "provisional 1 You", "retracted 1", "provisional 1 You go| on.", "narration You go on.", "finished completed "}},
		{"once is not twice", 0, `{}`, []llmtest.Reply{cut, cut, whole}, []string{"attempt 1 ", "finished failed "}},
		{"twice", 2, `{}`, []llmtest.Reply{cut, cut, whole}, []string{"attempt 1 ", "narration You go on.", "finished completed "}},
		{"never", -1, `{}`, []llmtest.Reply{cut, whole}, []string{"attempt 1 ", "finished failed "}},
		{"not before the begin: that is for wrap.Retry", 0, `{}`, []llmtest.Reply{{Cut: true}, whole}, []string{"attempt 1 ", "finished failed "}},
		{"not at once where the provider wants a wait", 0, `{}`, []llmtest.Reply{late, whole}, []string{"attempt 1 ", "finished failed "}},
		{"not where it cannot help", 0, `{}`, []llmtest.Reply{refused, whole}, []string{"attempt 1 ", "finished failed "}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, campaign.Config{Repeats: c.repeats, Model: llmtest.NewScripted(c.replies...)}, c.setup)
			got := events(t, e, turn.Submit{Text: "I go."})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestStreamHandsOver: effects for the host and messages of hooks come with the turn. A hook on the
// commit adds its effects before the end.
func TestStreamHandsOver(t *testing.T) {
	t.Parallel()
	one := func(typ, key, text string) []act.Action {
		return []act.Action{act.New(typ, tree.Member{Key: key, Value: tree.Text(text)})}
	}
	g := compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 1}, Rules: game.Rules{Hooks: []hooks.Hook{
		{ID: "note", Name: "note", Event: hooks.Patterns{"reply.before_send"},
			Actions: one("message", "content", "Well done.")},
		{ID: "log", Name: "log", Event: hooks.Patterns{"reply.before_send"},
			Actions: one("log", "message", "before")},
		{ID: "after", Name: "after", Event: hooks.Patterns{game.EventTurnCommitted},
			Actions: one("workflow", "workflow", "mail")},
	}}})
	e := newEngine(t, campaign.Config{Game: g, Model: scripted("You wait.", "You wait.")})
	want := []string{"attempt 1 ", "narration You wait.", "effect hooks write-log|hooks start-workflow",
		"finished completed Well done."}
	for range 2 {
		if diff := cmp.Diff(want, events(t, e, turn.Submit{Text: "I wait."})); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}

// TestStreamFinishesOnce: a follow-up of a turn has no separate outcome, and its failure does not
// fail the turn.
func TestStreamFinishesOnce(t *testing.T) {
	t.Parallel()
	store := &brokenStore{}
	g := compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 1}})
	e := newEngine(t, campaign.Config{Game: g, Store: store, Model: scripted("1", "2", "3"),
		Services: campaign.Services{Summarize: func(context.Context, question.Summarize) (state.Summary, error) {
			store.broken = true
			return state.Summary{Text: "They counted."}, nil
		}}})
	want := []string{"attempt 1 ", "narration 1", "finished completed "}
	for i, text := range []string{"1", "2"} {
		want[1] = "narration " + text
		if diff := cmp.Diff(want, events(t, e, turn.Submit{Text: "On."})); diff != "" {
			t.Errorf("turn %d (-want +got):\n%s", i+1, diff)
		}
	}
	store.broken = false
	want[1] = "narration 3"
	if diff := cmp.Diff(want, events(t, e, turn.Submit{Text: "On."})); diff != "" {
		t.Errorf("turn 3 (-want +got):\n%s", diff)
	}
}

// watchful is a model that notes whether the context was running at the end of a call.
type watchful struct {
	llm.Model
	running bool
}

func (w *watchful) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		defer func() { w.running = ctx.Err() == nil }()
		w.Model.Generate(ctx, req)(yield)
	}
}

// TestStreamStop: a consumer that stops before the commit leaves nothing. If it stops after the
// commit, the turn is stored.
func TestStreamStop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		stop  func(campaign.Progress) bool
		turns int
	}{
		{"at the attempt", func(p campaign.Progress) bool { _, ok := p.(campaign.AttemptStarted); return ok }, 0},
		{"at a provisional piece", func(p campaign.Progress) bool { _, ok := p.(campaign.Provisional); return ok }, 0},
		{"at the text", func(p campaign.Progress) bool { _, ok := p.(campaign.Narration); return ok }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := &watchful{Model: scripted("You wait. Dust falls.", "You wait.")}
			e := newEngine(t, campaign.Config{Model: model}, `{"settings": {"conflict.intercept_output": false}}`)
			for p, err := range e.Stream(t.Context(), "cave", turn.Submit{Text: "I wait."}) {
				if err != nil {
					t.Fatal(err)
				}
				if c.stop(p) {
					break
				}
			}
			if n := len(campaignOf(t, e).Turns); n != c.turns {
				t.Errorf("%d turns, want %d", n, c.turns)
			}
			if model.running != (c.turns > 0) {
				t.Errorf("the context of the model was running: %t", model.running)
			}
			o := turnOf(t, e, turn.Submit{Text: "I wait."}) // the campaign is free again
			wantOutcome(t, o, fmt.Sprintf("completed turn_%04d", c.turns+1))
		})
	}
}

// TestStreamStopsTheModel: no more of an answer is read after the consumer has stopped, also of a model
// that does not look at its context.
func TestStreamStopsTheModel(t *testing.T) {
	t.Parallel()
	const all = 1000
	read := 0
	model := llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			for read < all && yield(llm.TextDelta{Text: "You wait. "}, nil) {
				read++
			}
		}
	})
	e := newEngine(t, campaign.Config{Model: model}, `{"settings": {"conflict.intercept_output": false}}`)
	for p, err := range e.Stream(t.Context(), "cave", turn.Submit{Text: "I wait."}) {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := p.(campaign.Provisional); ok {
			break
		}
	}
	if read == all {
		t.Error("the whole answer was read")
	}
}

// TestStreamPanic: a consumer that panics does not block the campaign.
func TestStreamPanic(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("You wait.", "You wait.")})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		for range e.Stream(t.Context(), "cave", turn.Submit{Text: "I wait."}) {
			panic("the screen broke")
		}
	}()
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
}

func TestStreamIsSingleUse(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("You wait.", "Again.")})
	seq := e.Stream(t.Context(), "cave", turn.Submit{Text: "I wait."})
	var last error
	for range 2 {
		for _, last = range seq {
		}
	}
	if last == nil || !strings.Contains(last.Error(), "ranged over once") {
		t.Errorf("the second time: %v", last)
	}
	if n := len(campaignOf(t, e).Turns); n != 1 {
		t.Errorf("%d turns, want 1", n)
	}
}

// TestDetectorsOfTheHost take part in the repair (CA-33).
func TestDetectorsOfTheHost(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{Extensions: game.Extensions{Detectors: []conflict.Named{{Name: "manners",
		Kinds: []string{"swearing"}, Detector: conflict.DetectorFunc(func(r *conflict.Reading) []conflict.Conflict {
			if !strings.Contains(r.Narration, "damn") {
				return nil
			}
			return []conflict.Conflict{{Kind: "swearing", Severity: conflict.Block, Quote: "damn"}}
		})}}}})
	e := newEngine(t, campaign.Config{Game: g, Model: scripted("A damn bat.", "A bat.")})
	o := turnOf(t, e, turn.Submit{Text: "I look."})
	if o.RetriesUsed != 1 || o.Turn.Text != "A bat." || o.Attempts[0].Conflicts[0].Kind != "swearing" {
		t.Errorf("%+v", o)
	}
}

// TestStreamShowsAPaidAnswer: an answer of a process that ended before its commit is shown like a
// streamed one, without commands.
func TestStreamShowsAPaidAnswer(t *testing.T) {
	t.Parallel()
	b := &bomb{MemoryStore: &campaign.MemoryStore{}, err: errDiskFull}
	cfg := campaign.Config{Store: b, Game: compile(t, game.Content{}), Model: scripted("You go. set_status('x', 1); It is dark.")}
	e := newEngine(t, cfg, `{"settings": {"conflict.intercept_output": false}}`)
	in := turn.Submit{Text: "I go.", ClientTurnID: "c1", At: noon}
	b.at = "append"
	if _, err := e.Turn(t.Context(), "cave", in); !errors.Is(err, errDiskFull) {
		t.Fatal(err)
	}
	var shown strings.Builder
	final := ""
	for p, err := range fresh(t, cfg).Stream(t.Context(), "cave", in) {
		if err != nil {
			t.Fatal(err)
		}
		switch p := p.(type) {
		case campaign.Provisional:
			shown.WriteString(p.Text)
		case campaign.Finished:
			final = p.Outcome.Turn.Text
		}
	}
	if shown.String() != final || final != "You go. It is dark." {
		t.Errorf("shown %q, in the turn %q", shown.String(), final)
	}
}

// TestNoModel: a turn on an engine without a model fails, and the error says what to set.
func TestNoModel(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: campaign.NoModel})
	o := turnOf(t, e, turn.Submit{Text: "I wait."})
	if err := o.Err(); err == nil || o.Failure.Err == nil || !strings.Contains(o.Failure.Err.Error(), "set Config.Model") {
		t.Errorf("%v, %+v", err, o.Failure)
	}
}
