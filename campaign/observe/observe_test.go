package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// kinds returns the names of moments, with their distinguishing fields.
func kinds(moments []observe.Moment) []string {
	var out []string
	for _, m := range moments {
		name := strings.TrimPrefix(fmt.Sprintf("%T", m), "observe.")
		switch m := m.(type) {
		case observe.PhaseBegun:
			name += " " + string(m.Phase)
		case observe.PhaseEnded:
			name += " " + string(m.Phase)
		case observe.Stored:
			name += " " + string(m.Call)
		case observe.ModelAsked:
			name += fmt.Sprintf(" %d %s", m.Attempt, m.Retry)
		case observe.ModelAnswered:
			name += fmt.Sprintf(" %d %s", m.Attempt, m.Failed)
		case observe.CallRefused:
			name += fmt.Sprintf(" %s %s", m.Tool, m.Code)
		case observe.ConflictFound:
			name += " " + m.Kind
		case observe.Ended:
			name += " " + string(m.Status) + " " + m.Reason
		}
		out = append(out, strings.TrimSpace(name))
	}
	return out
}

// TestMomentsOfATurn lists the moments of a turn with two bad answers, in order: EX-13.
func TestMomentsOfATurn(t *testing.T) {
	t.Parallel()
	var seen recorder
	play(t, opened(t, campaign.Config{Observe: &seen}))
	want := strings.Split(`Begun
Stored acquire
Admitted
Stored load
PhaseBegun prompting
HooksRan
LoreActivated
PromptAssembled
PhaseEnded prompting
PhaseBegun generating
Stored answer
ModelAsked 1
ModelAnswered 1
Stored save_answer
PhaseEnded generating
PhaseBegun adjudicating
CallRefused other tool_unknown
CallRefused move unknown_area
PhaseEnded adjudicating
PhaseBegun retrying
HooksRan
PhaseEnded retrying
PhaseBegun generating
Retrying
Stored answer
ModelAsked 2 refused_calls
ModelAnswered 2
Stored save_answer
PhaseEnded generating
PhaseBegun adjudicating
ConflictFound hp_change_unsettled
PhaseEnded adjudicating
PhaseBegun retrying
HooksRan
PhaseEnded retrying
PhaseBegun generating
Retrying
Stored answer
ModelAsked 3 hp_change_unsettled
ModelAnswered 3
Stored save_answer
PhaseEnded generating
PhaseBegun adjudicating
PhaseEnded adjudicating
PhaseBegun settling
PhaseEnded settling
PhaseBegun committing
Stored append
PhaseEnded committing
Committed
CallApplied
RulesFired
Stored release
Ended completed`, "\n")
	if diff := cmp.Diff(want, kinds(seen.moments)); diff != "" {
		t.Error(diff)
	}
	for i, p := range seen.places {
		if p.Campaign != "mill" || p.Instruction != "submit" || p.Run != 1 || i > 0 && p.At.Before(seen.places[i-1].At) {
			t.Errorf("moment %d is at %+v", i, p)
		}
	}
}

// TestTextsAreForThoseWhoAsk: no text of people, authors or models reaches an observer or the log
// unless it asks for texts. This is so also next to an observer that asks (EX-13).
func TestTextsAreForThoseWhoAsk(t *testing.T) {
	t.Parallel()
	var quiet, loud recorder
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	play(t, opened(t, campaign.Config{ModelName: "bard",
		Observe: observe.All(&quiet, observe.Verbose(&loud), observe.Log(logger))}))
	if text := fmt.Sprintf("%+v", quiet.moments) + log.String(); strings.Contains(text, "canary") {
		at := strings.Index(text, "canary")
		t.Errorf("a text was told: …%s…", text[max(0, at-200):min(len(text), at+40)])
	}
	var all []string
	for _, m := range loud.moments {
		if asked, ok := m.(observe.ModelAsked); ok {
			all = append(all, fmt.Sprint(asked.Generation.Request.Messages))
		}
		if answered, ok := m.(observe.ModelAnswered); ok {
			all = append(all, fmt.Sprint(answered.Reply.Text))
		}
		all = append(all, fmt.Sprintf("%+v", m))
	}
	for _, want := range []string{"canary-line", "canary-lore", "canary-reply", "canary-id", "The canary door falls on Ann, who"} {
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("%s was not told to the one who asked", want)
		}
	}
	if len(quiet.moments) != len(loud.moments) {
		t.Errorf("%d and %d moments", len(quiet.moments), len(loud.moments))
	}
}

// stored returns the stored data of the campaign.
func stored(t *testing.T, s campaign.Store) string {
	t.Helper()
	var out strings.Builder
	for entry, err := range s.Records(t.Context(), "mill", 0) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%d %s\n", entry.Version, entry.Data)
	}
	return out.String()
}

// vandal modifies everything that it receives.
type vandal struct{}

func (vandal) Observe(ctx context.Context, _ observe.Place, m observe.Moment) context.Context {
	switch m := m.(type) {
	case observe.ModelAsked:
		g := m.Generation
		for i := range g.Request.Messages {
			g.Request.Messages[i].Message.Text = "nothing"
		}
		for i := range g.Request.Tools {
			g.Request.Tools[i].Name = "nothing"
		}
	case observe.ModelAnswered:
		m.Reply.Text = "nothing"
		for i := range m.Reply.ToolCalls {
			m.Reply.ToolCalls[i].Arguments = "{}"
		}
		if m.Usage != nil {
			m.Usage.PromptTokens = -1
		}
	case observe.LoreActivated:
		clear(m.IDs)
	case observe.RulesFired:
		clear(m.IDs)
	}
	ended, end := context.WithCancel(ctx)
	end()
	return ended
}

// TestObserversChangeNothing: the stored data is the same, byte for byte, with any observer. The
// test has no observer, a log, an observer that overwrites everything and cancels its contexts, and
// an observer that panics.
func TestObserversChangeNothing(t *testing.T) {
	t.Parallel()
	panics := observe.Func(func(observe.Place, observe.Moment) { panic("the observer is broken") })
	var want string
	for name, o := range map[string]observe.Observer{
		"nobody": nil, "a log": observe.Log(slog.New(slog.DiscardHandler)), "a vandal": observe.Verbose(vandal{}),
		"one that panics": panics, "both": observe.All(panics, observe.Verbose(vandal{})),
	} {
		store := &campaign.MemoryStore{}
		e := opened(t, campaign.Config{Store: store, Observe: o})
		play(t, e)
		if _, err := e.Rebuild(t.Context(), "mill"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := stored(t, store); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%s: the store holds something else:\n%s", name, cmp.Diff(want, got))
		}
	}
}

// TestActionLogReachesTheLog: a line of the action log is in the log of the application, at its own
// level, once, without asking for texts.
func TestActionLogReachesTheLog(t *testing.T) {
	t.Parallel()
	var list []hooks.Hook
	for _, level := range []string{"debug", "info", "warning", "error", "shout"} {
		var h hooks.Hook
		if err := json.Unmarshal([]byte(`{"id":"`+level+`","name":"n","event":"character.after_turn.finished",
			"actions":[{"type":"log","level":"`+level+`","message":"An owl hoots."}]}`), &h); err != nil {
			t.Fatal(err)
		}
		list = append(list, h)
	}
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	g, problems := game.Compile(game.Content{Rules: game.Rules{Hooks: list}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	e := opened(t, campaign.Config{Game: g, Model: llmtest.NewScripted(llmtest.Text("Night falls.")), Observe: observe.Log(logger)})
	if _, err := e.Turn(t.Context(), "mill", turn.Submit{Text: "I wait."}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "An owl hoots.") {
			level, _, _ := strings.Cut(line[strings.Index(line, "level=")+len("level="):], " ")
			got = append(got, level)
		}
	}
	if want := []string{"DEBUG", "INFO", "WARN", "ERROR", "INFO"}; !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
}

// TestPanicsAreLogged: once for an instruction, with the stack. Other observers still receive all
// moments.
func TestPanicsAreLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var seen recorder
	e := opened(t, campaign.Config{Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Observe: observe.All(observe.Func(func(observe.Place, observe.Moment) { panic("out of order") }), &seen)})
	play(t, e)
	if n := strings.Count(log.String(), "an observer panicked: out of order"); n != 1 {
		t.Errorf("%d lines: %s", n, log.String())
	}
	if got := kinds(seen.moments); !strings.HasPrefix(got[len(got)-1], "Ended completed") {
		t.Errorf("the other one heard %q", got)
	}
}

type key struct{}

// named adds the names of running parts to contexts.
type named struct{ seen []string }

func (n *named) Observe(ctx context.Context, _ observe.Place, m observe.Moment) context.Context {
	path, _ := ctx.Value(key{}).(string)
	n.seen = append(n.seen, strings.TrimPrefix(fmt.Sprintf("%s|%T", path, m), "|"))
	switch m := m.(type) {
	case observe.Begun:
		path = "turn"
	case observe.PhaseBegun:
		path += "/" + string(m.Phase)
	case observe.ModelAsked:
		path += fmt.Sprintf("/model %d", m.Attempt)
	default:
		return nil // means ctx
	}
	return context.WithValue(ctx, key{}, path)
}

// TestValuesOfObservers: a value that an observer adds to a context reaches the model and the
// observer itself, until the end of the part that it was added for.
func TestValuesOfObservers(t *testing.T) {
	t.Parallel()
	var asked []string
	inner := answers()
	model := llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		asked = append(asked, fmt.Sprint(ctx.Value(key{})))
		if ctx.Value(other{}) != "host" {
			t.Error("the values of the host are gone")
		}
		return inner.Generate(ctx, req)
	})
	var n named
	e := opened(t, campaign.Config{Model: model, Observe: observe.All(&n)})
	if _, err := e.Turn(context.WithValue(t.Context(), other{}, "host"), "mill", line); err != nil {
		t.Fatal(err)
	}
	want := []string{"turn/generating/model 1", "turn/generating/model 2", "turn/generating/model 3"}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{"turn/generating/model 2|observe.ModelAnswered", "turn/generating|observe.PhaseEnded",
		"turn|observe.Committed", "turn|observe.Ended"} {
		if !slices.Contains(n.seen, want) {
			t.Errorf("%q was not seen: %q", want, n.seen)
		}
	}
}

// TestSeveralObserversAreOne: a host may call what All returns like any observer.
func TestSeveralObserversAreOne(t *testing.T) {
	t.Parallel()
	var a, b recorder
	ctx := context.WithValue(t.Context(), other{}, "host")
	got := observe.All(&a, observe.All(&b)).Observe(ctx, observe.Place{Campaign: "mill"}, observe.Admitted{})
	if len(a.moments) != 1 || len(b.moments) != 1 || got.Value(other{}) != "host" {
		t.Errorf("%+v and %+v, %v", a.moments, b.moments, got)
	}
}

type other struct{}

// breaking is a store that fails to append.
type breaking struct{ campaign.MemoryStore }

func (s *breaking) Append(ctx context.Context, id string, e campaign.Entry, snapshot []byte) error {
	if e.Version > 1 {
		return errors.New("disk full")
	}
	return s.MemoryStore.Append(ctx, id, e, snapshot)
}

// TestEverythingEnds: the last moment of an instruction reports its result, for every kind of
// result.
func TestEverythingEnds(t *testing.T) {
	t.Parallel()
	failing := llmtest.NewScripted(llmtest.Reply{Err: &llm.Error{Code: llm.CodeAuth, Message: "canary-key"}})
	mute := llmtest.NewScripted(llmtest.Text("Ann loses 3 hp."), llmtest.Text("Ann loses 3 hp."), llmtest.Text("Ann loses 3 hp."), llmtest.Text("Ann loses 3 hp."))
	for _, tc := range []struct {
		name  string
		cfg   campaign.Config
		in    turn.Input
		want  string
		heard string
	}{
		{"completed", campaign.Config{}, line, "Ended completed", "CallApplied"},
		{"a model that fails", campaign.Config{Model: failing}, line, "Ended failed auth", "ModelAnswered 1 auth"},
		{"a conflict", campaign.Config{Model: mute}, line, "Ended conflict", "ConflictFound hp_change_unsettled"},
		{"a refusal", campaign.Config{}, turn.Submit{ActorID: "bob", Text: "x"}, "Ended refused actor_not_in_party", "Begun"},
		{"a refused instruction", campaign.Config{}, turn.UndoRollBack{}, "Ended", "Begun"},
		{"a store that fails", campaign.Config{Store: &breaking{}}, line, "Ended", "Stored append"},
		{"nothing", campaign.Config{}, nil, "Ended", "Begun"},
	} {
		var seen recorder
		tc.cfg.Observe = &seen
		_, err := opened(t, tc.cfg).Do(t.Context(), "mill", tc.in)
		got := kinds(seen.moments)
		if len(got) == 0 || got[len(got)-1] != tc.want || !slices.Contains(got, tc.heard) {
			t.Errorf("%s: want %q and at the end %q, got %q", tc.name, tc.heard, tc.want, got)
			continue
		}
		ended := seen.moments[len(got)-1].(observe.Ended)
		if !errors.Is(err, ended.Err) || (err == nil) != (ended.Err == nil) {
			t.Errorf("%s: the error is %v, told was %v", tc.name, err, ended.Err)
		}
		for _, p := range seen.places {
			if p.Campaign != "mill" || p.Run != 1 || p.At.IsZero() {
				t.Errorf("%s: place %+v", tc.name, p)
			}
		}
		if strings.Contains(fmt.Sprintf("%+v", seen.moments), "canary-key") {
			t.Errorf("%s: the words of a provider were told", tc.name)
		}
	}
}

// TestSuggestionsAreSeen: a suggestion has moments too, and its kind.
func TestSuggestionsAreSeen(t *testing.T) {
	t.Parallel()
	var seen recorder
	e := opened(t, campaign.Config{Observe: &seen, Model: llmtest.NewScripted(llmtest.Text(`["Go home."]`))})
	if _, err := e.Do(t.Context(), "mill", turn.Suggest{N: 1}); err != nil {
		t.Fatal(err)
	}
	if seen.places[0].Instruction != "suggest" || !slices.Contains(kinds(seen.moments), "ModelAsked 1") {
		t.Errorf("%+v %q", seen.places[0], kinds(seen.moments))
	}
}

// TestLogTable: the table in the documentation lists exactly the log records, in order.
func TestLogTable(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string][]string{}
	for _, row := range regexp.MustCompile(`(?m)^//\t(\S.*?)  +(debug|info|warn) +(.*)$`).FindAllStringSubmatch(string(doc), -1) {
		keys, _, _ := strings.Cut(row[3], ";")
		table[row[1]] = append([]string{row[2]}, strings.Split(keys, ", ")...)
	}
	if len(table) < 15 {
		t.Fatalf("the table has %d rows", len(table))
	}
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	play(t, opened(t, campaign.Config{Observe: observe.Log(logger)}))
	for text := range strings.Lines(out.String()) {
		m := regexp.MustCompile(`level=(\S+) msg=("[^"]*"|\S+) campaign=mill instruction=submit run=1 ?(.*)`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("the record %q", text)
		}
		row, ok := table[strings.Trim(m[2], `"`)]
		if !ok {
			t.Errorf("the table lacks %s", m[2])
			continue
		}
		if row[0] != strings.ToLower(m[1]) {
			t.Errorf("%s has the level %s", m[2], m[1])
		}
		at := 1
		for _, attr := range regexp.MustCompile(`(\w+)=`).FindAllStringSubmatch(m[3], -1) {
			i := slices.Index(row[at:], attr[1])
			if i < 0 {
				t.Errorf("%s: the table lacks %q, or has it at another place", m[2], attr[1])
				continue
			}
			at += i + 1
		}
	}
}

// TestWordsAreBounded: log records and moments contain only limited text from servers, models and
// players.
func TestWordsAreBounded(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	long := strings.Repeat("x", 1<<20)
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var last observe.Moment
	both := observe.All(observe.Func(func(_ observe.Place, m observe.Moment) { last = m }), observe.Log(logger))
	for _, m := range []observe.Moment{
		observe.Begun{ActorID: long, ClientTurnID: long}, observe.LoreActivated{IDs: append(make([]string, 9999), long)},
		observe.PromptAssembled{Speaker: long}, observe.ModelAsked{Retry: long, Model: long},
		observe.ModelAnswered{Finish: llm.FinishReason(long), Warnings: []string{long}}, observe.ModelAnswered{Failed: turn.FailureCode(long)},
		observe.Retrying{Why: long}, observe.CallRefused{Tool: long, Code: state.CallCode(long)}, observe.ConflictFound{Kind: long},
		observe.CallApplied{Tool: long}, observe.RulesFired{IDs: []string{long}}, observe.HooksRan{Event: long},
		observe.Waiting{QuestionID: long}, observe.Logged{By: long, Level: long, Message: long}, observe.Committed{TurnID: long}, observe.Ended{Reason: long, TurnID: long},
		observe.Stored{Err: errors.New(long)}, observe.LeaseLost{Err: errors.New(long)},
	} {
		out.Reset()
		if _, err := observe.Tell(t.Context(), both, observe.Place{}, m); err != nil {
			t.Error(err)
		}
		if out.Len() == 0 || out.Len() > 3<<10 {
			t.Errorf("%T: %d bytes are logged", m, out.Len())
		}
		data, err := json.Marshal(last)
		if err != nil || len(data) > 3<<10 {
			t.Errorf("%T: an observer is told %d bytes, %v", m, len(data), err)
		}
	}
}

// TestTellForHostsWithoutAnEngine: the same rules apply to hosts that run a machine themselves.
func TestTellForHostsWithoutAnEngine(t *testing.T) {
	t.Parallel()
	var seen recorder
	ctx, err := observe.Tell(t.Context(), observe.All(&seen, nil, observe.Func(func(observe.Place, observe.Moment) { panic("x") })),
		observe.Place{Campaign: "c"}, observe.Begun{Line: "canary"})
	if p, ok := errors.AsType[*observe.Panic](err); !ok || p.Value != "x" || len(p.Stack) == 0 || ctx == nil {
		t.Errorf("%v, %v", ctx, err)
	}
	if diff := cmp.Diff([]observe.Moment{observe.Begun{}}, seen.moments); diff != "" {
		t.Error(diff)
	}
	if ctx, err := observe.Tell(t.Context(), nil, observe.Place{}, observe.Begun{}); ctx != t.Context() || err != nil {
		t.Errorf("%v, %v", ctx, err)
	}
}
