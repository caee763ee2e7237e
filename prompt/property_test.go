package prompt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// roughCounter is not additive: joined texts can have more tokens than their parts.
type roughCounter struct{}

func (roughCounter) Count(text string) int {
	return len(text)/3 + 2*strings.Count(text, "\n")*strings.Count(text, "e")/5
}

var counters = []prompt.TokenCounter{runeCounter{}, prompt.TokenEstimator{}, roughCounter{}}

// randomText has words, line ends, macros and text that looks like macros.
func randomText(r *rand.Rand) string {
	words := []string{
		"the", "tower", "{{user}}", "{{char}}", "\n", "雾", "{{setvar::a::1}}", "{{.a++}}",
		"{{unknown}}",
		"<START>", "Mara: hello", "{{if 1}}yes{{/if}}", "{{trim}}", " ", "bridge\n", "}}", "{{",
	}
	var parts []string
	for range r.IntN(12) {
		parts = append(parts, words[r.IntN(len(words))])
	}
	return strings.Join(parts, " ")
}

func randomInput(r *rand.Rand) prompt.Input {
	layout := prompt.Default()
	var in prompt.Input
	roles := []llm.Role{"", llm.System, llm.User, llm.Assistant}
	for i := range r.IntN(16) {
		b := prompt.Block{
			Key: fmt.Sprintf("b%d", i), Text: randomText(r), Role: roles[r.IntN(len(roles))],
			Slot: layout.Slots[r.IntN(len(layout.Slots))].Name, Literal: r.IntN(4) == 0,
		}
		if r.IntN(4) == 0 {
			b.Depth = new(r.IntN(6))
		}
		if r.IntN(4) == 0 {
			b.Keep = new(r.IntN(1000))
		}
		if r.IntN(5) == 0 {
			b.Order = new(r.IntN(200))
		}
		b.Truncate = []prompt.Cut{"", "", prompt.CutStart, prompt.CutEnd}[r.IntN(4)]
		b.Required = r.IntN(8) == 0
		if r.IntN(6) == 0 {
			b.MaxTokens = 1 + r.IntN(9)
		}
		if r.IntN(6) == 0 {
			b.Source.Kind = []prompt.Kind{prompt.KindPrompt, prompt.KindWorld, prompt.KindNote, "injection"}[r.IntN(4)]
		}
		switch r.IntN(12) {
		case 0:
			b.Format = "<{0}>"
		case 1:
			b.Original = new(randomText(r))
		case 2:
			b.Text = []string{"", " ", "\n"}[r.IntN(3)]
		case 3:
			b.Above = []prompt.Block{{Key: b.Key + ".above", Text: randomText(r)}}
		}
		if r.IntN(12) == 0 {
			b.Key = "b0"
		}
		in.Blocks = append(in.Blocks, b)
	}
	for i := range r.IntN(14) {
		l := prompt.Line{Role: roles[1+r.IntN(3)], Text: randomText(r), Hidden: r.IntN(9) == 0}
		if r.IntN(6) == 0 {
			id := fmt.Sprintf("c%d", i)
			l.Role = llm.Assistant
			l.Calls = []llm.ToolCall{{ID: id, Name: "roll", Arguments: `{"d":6}`},
				{ID: id + "b", Name: "roll"}}
			l.Results = []string{"4"}
		}
		in.History = append(in.History, l)
	}
	in.Tools = r.IntN(3) > 0
	in.Generation = []worldbook.GenerationType{"", worldbook.Continue, worldbook.Quiet, worldbook.Swipe}[r.IntN(4)]
	in.ContinueByPrefill = r.IntN(2) == 0
	in.Control, in.Replacement = randomText(r), randomText(r)
	if r.IntN(3) == 0 {
		in.Prefill = "Then"
	}
	in.HistoryStart, in.TrimSlack = r.IntN(4), r.IntN(30)
	return in
}

func randomBudget(r *rand.Rand) prompt.Budget {
	b := prompt.Budget{Counter: counters[r.IntN(len(counters))], PerMessage: new(r.IntN(5))}
	if r.IntN(5) > 0 {
		b.Context, b.Response = 40+r.IntN(500), r.IntN(30)
		b.TurnReserve = r.IntN(20)
	}
	if r.IntN(3) == 0 {
		b.Caps = []prompt.Cap{{Slot: "settings", Max: 20}, {Kind: prompt.KindHistory, Percent: 30}}
	}
	return b
}

func randomLayout(r *rand.Rand) prompt.Layout {
	layout := prompt.Default()
	layout.Squash, layout.SendBlank = r.IntN(3) == 0, r.IntN(3) == 0
	layout.Names = []prompt.NameStyle{"", prompt.NamesContent, prompt.NamesField}[r.IntN(3)]
	if r.IntN(4) == 0 {
		layout.HistoryMacros = "full"
	}
	if r.IntN(5) == 0 {
		layout.Slots[8].Form = prompt.Separate
	}
	return layout
}

// TestProperties builds random prompts and checks properties of all prompts: PR-05, PR-06, PR-13.
func TestProperties(t *testing.T) {
	t.Parallel()
	env := prompt.Env{User: "Mara", Char: "Orin"}
	refused := uint64(0)
	rounds := uint64(600)
	if testkit.Race {
		rounds = 80
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(seed, 1))
		layout, in, budget := randomLayout(r), randomInput(r), randomBudget(r)
		before := toJSON(t, in)
		got, err := prompt.Assemble(layout, in, env, budget)
		if diff := cmp.Diff(before, toJSON(t, in)); diff != "" {
			t.Fatalf("seed %d: the input changed:\n%s", seed, diff)
		}
		if err != nil {
			tooSmall, ok := errors.AsType[*prompt.BudgetError](err)
			if !ok || tooSmall.Tokens <= tooSmall.Room {
				t.Fatalf("seed %d: %v", seed, err)
			}
			refused++
			continue
		}
		again, err := prompt.Assemble(layout, in, env, budget)
		if diff := cmp.Diff(toJSON(t, got), toJSON(t, again)); diff != "" || err != nil {
			t.Fatalf("seed %d: a second build differs: %v\n%s", seed, err, diff)
		}
		check := func(what string, err error) {
			if err != nil {
				t.Errorf("seed %d: %s: %v\n%s", seed, what, err, got.Report)
			}
		}
		check("size", withinRoom(got, budget))
		check("calls", callsAnswered(got.Messages))
		check("report", reportCovers(in, got))
		check("required", requiredSent(layout, in, got))
		check("order", sameOrder(t, layout, in, env, got))
		check("extend", extends(got, budget))
	}
	if refused == 0 || refused > rounds/2 {
		t.Errorf("%d of %d budgets were too small: the generator is off", refused, rounds)
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func size(messages []llm.Message, budget prompt.Budget) int {
	return prompt.SharedPrefix(messages, messages, budget).Tokens
}

func withinRoom(got prompt.Result, budget prompt.Budget) error {
	tokens := size(got.Messages, budget)
	if tokens != got.Tokens || len(got.Messages) != len(got.Origins) {
		return fmt.Errorf("%d tokens are reported as %d", tokens, got.Tokens)
	}
	room := max(budget.Context-budget.Response-budget.TurnReserve-3, 0) // an empty prompt always fits
	if budget.Context > 0 && tokens > room {
		return fmt.Errorf("%d tokens in a room of %d", tokens, room)
	}
	return nil
}

func callsAnswered(messages []llm.Message) error {
	for i, m := range messages {
		for j, c := range m.ToolCalls {
			if i+j+1 >= len(messages) || messages[i+j+1].ToolCallID != c.ID {
				return fmt.Errorf("call %s of message %d has no result behind it", c.ID, i)
			}
		}
		if m.Role == llm.Tool && (i == 0 ||
			messages[i-1].Role != llm.Tool && len(messages[i-1].ToolCalls) == 0) {
			return fmt.Errorf("result %d has no call before it", i)
		}
	}
	return nil
}

func reportCovers(in prompt.Input, got prompt.Result) error {
	for _, b := range in.Blocks {
		covered := slices.ContainsFunc(got.Report.Lines, func(l prompt.ReportLine) bool {
			return l.Key == b.Key || l.Source.ID == b.Key
		})
		if !covered {
			return fmt.Errorf("no line for %s", b.Key)
		}
	}
	for _, l := range got.Report.Lines {
		sent := l.Status == prompt.Kept || l.Status == "truncated"
		if l.Status == "" || sent != (l.Message >= 0) {
			return fmt.Errorf("line %+v", l)
		}
		if sent && !isPiece(l) && !slices.Contains(got.Origins[l.Message].Keys, l.Key) {
			return fmt.Errorf("message %d does not know that it holds %s", l.Message, l.Key)
		}
	}
	return nil
}

// isPiece reports whether a line belongs to a piece of a different block.
func isPiece(l prompt.ReportLine) bool { return strings.HasPrefix(l.Reason, "part of ") }

// requiredSent checks that nothing required was dropped.
func requiredSent(layout prompt.Layout, in prompt.Input, got prompt.Result) error {
	for i, b := range in.Blocks {
		same := func(x prompt.Block) bool { return x.Key == b.Key }
		if slices.ContainsFunc(in.Blocks[i+1:], same) {
			continue // the later one is used
		}
		slot := slices.IndexFunc(layout.Slots, func(s prompt.Slot) bool { return s.Name == b.Slot })
		required := b.Required || b.Depth == nil && b.Keep == nil && layout.Slots[slot].Required
		line, _ := got.Report.Line(b.Key)
		cut := line.Status == "truncated" && (b.MaxTokens == 0 || line.Before <= b.MaxTokens)
		if required && (line.Status == prompt.Dropped || cut) {
			return fmt.Errorf("%s is %s", b.Key, line.Status)
		}
	}
	return nil
}

// sameOrder checks that dropping never reorders: the sent messages are a subsequence of the
// messages without a limit.
func sameOrder(t *testing.T, layout prompt.Layout, in prompt.Input, env prompt.Env,
	got prompt.Result) error {
	in.HistoryStart = 0
	whole, err := prompt.Assemble(layout, in, env, prompt.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	all := keys(whole)
	for _, key := range keys(got) {
		i := slices.Index(all, key)
		if i < 0 {
			return fmt.Errorf("%s stands in another place than without a limit", key)
		}
		all = all[i+1:]
	}
	return nil
}

func keys(r prompt.Result) []string {
	var list []string
	for _, o := range r.Origins {
		for _, key := range o.Keys {
			if len(list) == 0 || list[len(list)-1] != key { // several messages of one line
				list = append(list, key)
			}
		}
	}
	return list
}

// extends checks that follow-ups do not change anything before them.
func extends(got prompt.Result, budget prompt.Budget) error {
	followUps := []llm.Message{
		{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: "roll"}}},
		{Role: llm.Tool, ToolCallID: "x", Text: "4"},
	}
	longer, err := got.Extend(budget, followUps...)
	if err != nil {
		if !errors.Is(err, prompt.ErrBudget) {
			return err
		}
		return nil
	}
	head := len(got.Messages)
	for head > 0 && slices.Contains([]string{"control", "prefill"}, got.Origins[head-1].Slot) {
		head--
	}
	want := slices.Concat(got.Messages[:head], followUps, got.Messages[head:])
	if diff := cmp.Diff(want, longer.Messages); diff != "" {
		return errors.New(diff)
	}
	if shared := longer.Report.Shared; shared == nil || shared.Messages != head {
		return fmt.Errorf("shared prefix %+v, want %d messages", shared, head)
	}
	for _, l := range longer.Report.Lines {
		if l.Message >= 0 && !isPiece(l) && !slices.Contains(longer.Origins[l.Message].Keys, l.Key) {
			return fmt.Errorf("the report puts %s into message %d", l.Key, l.Message)
		}
	}
	return withinRoom(longer, prompt.Budget{
		Context: budget.Context, Response: budget.Response,
		Counter: budget.Counter, PerMessage: budget.PerMessage,
	})
}

// TestPresetProperties builds random scenes with presets of SillyTavern, and as one text, and
// checks the same properties: PR-06, PR-12.
func TestPresetProperties(t *testing.T) {
	t.Parallel()
	rounds := uint64(200)
	if testkit.Race {
		rounds = 30
	}
	built := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(seed, 5))
		in, budget := randomInput(r), randomBudget(r)
		in.Blocks, budget.Context = nil, 3*budget.Context
		env := prompt.Env{User: "Mara", Char: "Orin", Persona: randomText(r), Card: macro.Card{
			Description: randomText(r), Examples: randomText(r), PostHistory: randomText(r),
		}}
		pieces := prompt.Scene{System: randomText(r), State: randomText(r), Lore: []prompt.Lore{
			{Text: randomText(r), Position: "before"},
			{Text: randomText(r), Position: "at_depth", Depth: new(r.IntN(4))},
			{Text: randomText(r), Position: "em_top"},
		}, Note: prompt.AuthorNote{Text: randomText(r), Interval: new(r.IntN(3))}}
		preset := tavern.Default()
		preset.Squash, preset.Names = r.IntN(2) == 0, tavern.Names(r.IntN(4)-1)
		before := toJSON(t, []any{in, pieces, preset})
		got, err := preset.Assemble(pieces, in, env, budget)
		again, errAgain := preset.Assemble(pieces, in, env, budget)
		if errors.Is(err, prompt.ErrBudget) && errors.Is(errAgain, prompt.ErrBudget) {
			continue
		}
		if err != nil || toJSON(t, got) != toJSON(t, again) ||
			before != toJSON(t, []any{in, pieces, preset}) {
			t.Fatalf("seed %d: %v, or a second build differs, or the input changed", seed, err)
		}
		built++
		for what, err := range map[string]error{
			"size": withinRoom(got, budget), "calls": callsAnswered(got.Messages),
			"report": reportCovers(in, got), "extend": extends(got, budget),
		} {
			if err != nil {
				t.Errorf("seed %d: %s: %v\n%s", seed, what, err, got.Report)
			}
		}
		chatML := tavern.ChatML()
		text, err := tavern.Render(pieces, in, env, budget, tavern.DefaultContext(), &chatML)
		room := max(budget.Context-budget.Response-budget.TurnReserve-3, 0) // an empty prompt always fits
		if err == nil && budget.Context > 0 && text.Tokens > room {
			t.Errorf("seed %d: a text of %d tokens in a room of %d", seed, text.Tokens, room)
		}
	}
	if built < int(rounds)/2 {
		t.Errorf("only %d of %d prompts were built", built, rounds)
	}
}

// TestDroppingIsMonotone shrinks the budget one token at a time. A smaller budget keeps a subset of
// the history, and of blocks of one size. Blocks of different sizes behave differently by design:
// if a large block no longer fits, smaller ones after it are still tried.
func TestDroppingIsMonotone(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testkit.Cases(16, 4)) {
		r := rand.New(rand.NewPCG(seed, 2))
		in := prompt.Input{Blocks: []prompt.Block{{Key: "main", Slot: "main", Text: "SYS"}}}
		length := 0
		if seed%2 == 0 { // blocks of one size compete with lines of the same size
			length = 12
			for i := range 6 {
				in.Blocks = append(in.Blocks, prompt.Block{
					Key: fmt.Sprint("w", i), Depth: new(r.IntN(4)), Order: new(i),
					Text: strings.Repeat("w", length), Keep: new(r.IntN(1000)),
				})
			}
		}
		for range 12 {
			n := length
			if n == 0 {
				n = 1 + r.IntN(40)
			}
			in.History = append(in.History,
				prompt.Line{Role: llm.User, Text: strings.Repeat("h", n)})
		}
		var larger []string
		for context := 800; context > 0; context-- {
			got, err := prompt.Assemble(prompt.Default(), in, prompt.Env{},
				prompt.Budget{Context: context, Counter: runeCounter{}, PerMessage: new(2)})
			if err != nil {
				break
			}
			now := keys(got)
			for _, key := range now {
				if larger != nil && !slices.Contains(larger, key) {
					t.Fatalf("seed %d, context %d: %s came back", seed, context, key)
				}
			}
			larger = now
		}
	}
}
