package campaign_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// bomb implements every interface of a host; one of them panics or fails, once.
type bomb struct {
	*campaign.MemoryStore
	memory.Index
	mu   sync.Mutex
	at   string // the interface that panics next; empty: none
	err  error  // returned instead of the panic
	skip int    // the number of calls before the panic
	went int    // the number of panics and errors
	came map[string]int

	calls []string // what the model asks for in addition to an injury
}

func (b *bomb) pass(at string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.came == nil {
		b.came = map[string]int{}
	}
	b.came[at]++
	if b.at == at {
		if b.skip--; b.skip >= 0 {
			return nil
		}
		b.at, b.skip = "", 0
		b.went++
		if b.err == nil {
			panic("boom at " + at)
		}
		return b.err
	}
	return nil
}

func (b *bomb) Append(ctx context.Context, id string, e campaign.Entry, snapshot []byte) error {
	if err := b.pass("append"); err != nil {
		return err
	}
	err := b.MemoryStore.Append(ctx, id, e, snapshot)
	return cmp.Or(b.pass("appended"), err)
}

func (b *bomb) Load(ctx context.Context, id string) (campaign.Saved, error) {
	if err := cmp.Or(b.pass("load"), b.pass("read")); err != nil {
		return campaign.Saved{}, err
	}
	return b.MemoryStore.Load(ctx, id)
}

func (b *bomb) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	if err := cmp.Or(b.pass("records"), b.pass("read")); err != nil {
		return func(yield func(campaign.Entry, error) bool) { yield(campaign.Entry{}, err) }
	}
	return b.MemoryStore.Records(ctx, id, after)
}

func (b *bomb) Acquire(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	if err := b.pass("acquire"); err != nil {
		return 0, err
	}
	return b.MemoryStore.Acquire(ctx, id, owner, d)
}

func (b *bomb) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	if err := b.pass("renew"); err != nil {
		return err
	}
	return b.MemoryStore.Renew(ctx, id, fence, d)
}

func (b *bomb) Release(ctx context.Context, id string, fence int64) error {
	if err := b.pass("release"); err != nil {
		return err
	}
	return b.MemoryStore.Release(ctx, id, fence)
}

func (b *bomb) Answer(ctx context.Context, id, key string) ([]byte, error) {
	if err := b.pass("answer"); err != nil {
		return nil, err
	}
	return b.MemoryStore.Answer(ctx, id, key)
}

func (b *bomb) SaveAnswer(ctx context.Context, id string, fence int64, key string, data []byte) error {
	if err := b.pass("save answer"); err != nil {
		return err
	}
	return b.MemoryStore.SaveAnswer(ctx, id, fence, key, data)
}

func (b *bomb) ListInboxes(ctx context.Context, after string, limit int) ([]string, error) {
	if err := b.pass("list inboxes"); err != nil {
		return nil, err
	}
	return b.MemoryStore.ListInboxes(ctx, after, limit)
}

func (b *bomb) PutPost(ctx context.Context, id string, p campaign.InboxPost) (campaign.InboxPost, error) {
	if err := b.pass("put post"); err != nil {
		return campaign.InboxPost{}, err
	}
	return b.MemoryStore.PutPost(ctx, id, p)
}

func (b *bomb) OldestPost(ctx context.Context, id string) (campaign.InboxPost, bool, error) {
	if err := b.pass("oldest post"); err != nil {
		return campaign.InboxPost{}, false, err
	}
	return b.MemoryStore.OldestPost(ctx, id)
}

func (b *bomb) FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error {
	if err := b.pass("finish post"); err != nil {
		return err
	}
	return b.MemoryStore.FinishPost(ctx, id, fence, key, outcome)
}

func (b *bomb) Find(ctx context.Context, id, key string) (version int64, err error) {
	if err := b.pass("find"); err != nil {
		return 0, err
	}
	return b.MemoryStore.Find(ctx, id, key)
}

func (b *bomb) List(ctx context.Context, p campaign.Page) ([]campaign.Info, error) {
	if err := b.pass("list"); err != nil {
		return nil, err
	}
	return b.MemoryStore.List(ctx, p)
}

func (b *bomb) Delete(ctx context.Context, id string) error {
	if err := b.pass("delete"); err != nil {
		return err
	}
	return b.MemoryStore.Delete(ctx, id)
}

func (b *bomb) Seal(_ campaign.Place, plain []byte) ([]byte, error) {
	return plain, b.pass("seal")
}

func (b *bomb) Open(_ campaign.Place, sealed []byte) ([]byte, error) {
	return sealed, b.pass("open")
}

func (b *bomb) Recall(ctx context.Context, q memory.Query) ([]memory.Item, error) {
	if err := b.pass("recall"); err != nil {
		return nil, err
	}
	return b.Index.Recall(ctx, q)
}

func (b *bomb) Remember(ctx context.Context, id string, t memory.Turn) error {
	if err := b.pass("remember"); err != nil {
		return err
	}
	return b.Index.Remember(ctx, id, t)
}

func (b *bomb) Has(ctx context.Context, id, turnID string) (bool, error) {
	if err := b.pass("seen"); err != nil {
		return false, err
	}
	return b.Index.Has(ctx, id, turnID)
}

func (b *bomb) Retrieve(context.Context, []worldbook.Message, int) ([]worldbook.ID, error) {
	return nil, b.pass("retrieve")
}

// Generate answers with a call that needs approval, so that every interface is called.
func (b *bomb) Generate(_ context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
	asked := b.pass("generate")
	return func(yield func(llm.Chunk, error) bool) {
		if err := cmp.Or(asked, b.pass("connect")); err != nil {
			yield(nil, err)
			return
		}
		if !yield(llm.TextDelta{Text: output("You are cut. ", append(b.calls, hurt("ren", "-1"))...)}, nil) {
			return
		}
		if err := b.pass("stream"); err != nil {
			yield(nil, err)
			return
		}
		yield(llm.Done{Reason: llm.FinishStop}, nil)
	}
}

// content returns content in which every function is the bomb's.
func (b *bomb) content() game.Content {
	return game.Content{Prompt: game.Prompt{SummarizeAfter: 1}, Lore: game.Lore{
		Retrieval: game.Retrieval{Limit: 1},
		Books:     []worldbook.Attachment{{Book: worldbook.Book{Name: "book", Entries: []worldbook.Entry{{UID: "1", Content: "Bats.", Keys: []string{"bat"}, Vectorized: true}}}}},
	},
		Rules: game.Rules{Dialects: []game.Dialect{game.Commands(), {Name: "own", Read: func(string, game.Scope) []game.Span {
			_ = b.pass("dialect") // it cannot fail
			return nil
		}}}},
		Extensions: game.Extensions{Detectors: []conflict.Named{{Name: "manners", Kinds: []string{"swearing"}, Detector: conflict.DetectorFunc(func(*conflict.Reading) []conflict.Conflict {
			_ = b.pass("detector") // it cannot fail
			return []conflict.Conflict{{Kind: "swearing", Severity: conflict.Warn}}
		})}}},
	}
}

// config returns the configuration of an engine with the bomb everywhere.
func (b *bomb) config(t *testing.T, log *bytes.Buffer) campaign.Config {
	return campaign.Config{
		Game: compile(t, b.content()), Store: b, Codec: b, Model: b, Services: campaign.Services{
			Memory:    b,
			Retriever: b,
			Goal: func(context.Context, campaign.GoalQuestion) (state.Goal, error) {
				return state.Goal{Text: "Wake the sleeping dragon"}, b.pass("goal")
			},
			Route: func(context.Context, question.Route) (state.RouteDecision, error) {
				return state.RouteDecision{}, cmp.Or(b.pass("route"), errors.New("no idea"))
			},
			Judge: func(context.Context, question.Judge) ([]conflict.Verdict, error) {
				return nil, b.pass("judge")
			},
			Summarize: func(_ context.Context, q question.Summarize) (state.Summary, error) {
				return state.Summary{Text: "In short."}, b.pass("summarize")
			},
			Approver: func(_ context.Context, q state.ApprovalQuestion) (*turn.Approve, error) {
				return &turn.Approve{Decisions: q.All(state.Approve, "")}, b.pass("approve")
			},
		}, Sharing: campaign.Sharing{Lease: time.Hour},
		Logger: slog.New(slog.NewTextHandler(log, nil)),
		Now:    func() time.Time { _ = b.pass("now"); return noon },
	}
}

const bombSettings = `{"settings": {"tools.approval": "all", "dialog.auto_route_enabled": true, "conflict.judge": "full"}}`

// hostPanics lists what panics in the second turn of a campaign, and how that turn ends: with an
// outcome or with an error. The first renewal of the lease is for the router, and a turn is played
// without the router.
var hostPanics = []struct{ at, outcome string }{
	{"generate", "failed panicked"}, {"connect", "failed panicked"}, {"stream", "failed panicked"},
	{"dialect", "failed panicked"}, {"detector", "failed panicked"},
	{"approve", "awaiting_approval"},
	{"route", "completed turn_0002"}, {"judge", "completed turn_0002"}, {"summarize", "completed turn_0002"},
	{"retrieve", "completed turn_0002"}, {"recall", "completed turn_0002"}, {"remember", "completed turn_0002"}, {"seen", "completed turn_0002"},
	{"append", ""}, {"appended", ""}, {"load", ""}, {"records", ""}, {"acquire", ""}, {"release", ""},
	{"answer", ""}, {"save answer", ""}, {"seal", ""}, {"open", ""}, {"now", ""}, {"renew", "completed turn_0002"},
}

// TestHostPanics: a panic of any interface of the host is a typed failure or error, and its stack
// is logged. After any panic the campaign continues normally: the same line is played once.
func TestHostPanics(t *testing.T) {
	t.Parallel()
	told := make([]string, len(hostPanics))
	t.Cleanup(func() {
		var golden strings.Builder
		for i, c := range hostPanics {
			fmt.Fprintf(&golden, "%s\n%s", c.at, told[i])
		}
		testkit.Golden(t, "testdata/panics.golden", golden.String())
	})
	for i, c := range hostPanics {
		t.Run(c.at, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			b := &bomb{MemoryStore: &campaign.MemoryStore{}}
			cfg := b.config(t, &log)
			e, err := campaign.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			createCave(t, e, bombSettings)
			wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go.", ClientTurnID: "c1"}), "completed turn_0001")
			if c.at == "load" || c.at == "seen" || c.at == "open" { // only a fresh engine calls it
				if e, err = campaign.New(cfg); err != nil {
					t.Fatal(err)
				}
			}
			b.at = c.at
			in := turn.Submit{Text: "I go on.", ClientTurnID: "c2"}
			o, err := e.Turn(t.Context(), "cave", in)
			if b.went != 1 {
				t.Fatalf("nothing panicked: %v, %v", filltest.Words(o), err)
			}
			if got := filltest.Words(o); err == nil && got != c.outcome || err != nil && c.outcome != "" {
				t.Errorf("%q, %v", got, err)
			}
			if failed := cmp.Or(err, o.Err()); c.outcome == "" || c.outcome == "failed panicked" {
				if p, is := errors.AsType[*turn.Panic](failed); !is || !strings.Contains(p.Error(), "boom at "+c.at) || len(p.Stack) == 0 {
					t.Errorf("the error is %v", failed)
				}
			}
			told[i] = logLines(log.String())
			if !strings.Contains(log.String(), "boom at "+c.at) || !strings.Contains(log.String(), "panics_test.go") {
				t.Errorf("the log: %.300s", log.String())
			}
			if o, err = e.Turn(t.Context(), "cave", in); err != nil || o.Turn == nil || o.Turn.ID != "turn_0002" {
				t.Fatalf("the same line again: %s, %v", filltest.Words(o), err)
			}
			wantOutcome(t, turnOf(t, e, turn.Submit{Text: "And on."}), "completed turn_0003")
			if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
				t.Error(err)
			}
			if got := campaignOf(t, e); len(got.Turns) != 3 || hpOf(t, e, "ren") != 7 {
				t.Errorf("%d turns, ren has %d", len(got.Turns), hpOf(t, e, "ren"))
			}
		})
	}
}

// stepPanics lists what else panics in the content of [TestPanicsStepByStep], and how the turn ends.
var stepPanics = []struct{ at, outcome string }{
	{"macro", "failed panicked"}, {"rule", "awaiting_approval"},
	{"action", "completed turn_0002"}, {"tool", "completed turn_0002"}, {"outside", "completed turn_0002"},
}

// TestPanicsStepByStep: after a panic of the host or of the content, a turn ends the same way with
// [campaign.Engine.Do] and with steps: the same outcome, failure and version, or the same error.
func TestPanicsStepByStep(t *testing.T) {
	t.Parallel()
	for _, c := range slices.Concat(hostPanics, stepPanics) {
		t.Run(c.at, func(t *testing.T) {
			t.Parallel()
			var ended [2]string
			for i, play := range []func(*testing.T, *campaign.Engine, turn.Input) (turn.Outcome, error){
				func(t *testing.T, e *campaign.Engine, in turn.Input) (turn.Outcome, error) {
					return e.Do(t.Context(), "cave", in)
				}, inSteps,
			} {
				b := &bomb{MemoryStore: &campaign.MemoryStore{}, calls: []string{`{"tool": "bell"}`}}
				var log bytes.Buffer
				cfg := b.config(t, &log)
				cfg.Game = compile(t, b.hostContent(t))
				e := fresh(t, cfg)
				createCave(t, e, bombSettings, `{"allowlist": ["hp_delta", "bell"]}`)
				wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go.", ClientTurnID: "c1"}), "completed turn_0001")
				if c.at == "load" || c.at == "seen" || c.at == "open" { // only a fresh engine calls it
					e = fresh(t, cfg)
				}
				in := turn.Submit{Text: "I go on.", ClientTurnID: "c2", At: noon}
				b.at = c.at
				o, err := play(t, e, in)
				if b.went != 1 {
					t.Fatalf("%d: nothing panicked: %s, %v", i, did(o, err), log.String())
				}
				if ended[i] = did(o, err); err == nil {
					ended[i] += fmt.Sprintf(", version %d", o.Version)
				}
				if got := filltest.Words(o); err == nil && got != c.outcome || err != nil && c.outcome != "" {
					t.Errorf("%d: %q, %v, want %q", i, got, err, c.outcome)
				}
				if o, err = play(t, e, in); err != nil || o.Turn == nil || o.Turn.ID != "turn_0002" {
					t.Errorf("%d: the same line again: %s", i, did(o, err))
				}
			}
			if ended[0] != ended[1] {
				t.Errorf("it ends with\n%s\nand with steps\n%s", ended[0], ended[1])
			}
		})
	}
}

// hostContent is content with a function of the bomb for each extension of the host.
func (b *bomb) hostContent(t *testing.T) game.Content {
	t.Helper()
	content := b.content()
	own, err := macro.NewSet(macro.Macro{Name: "omen", Func: func(*macro.Call) string {
		_ = b.pass("macro") // it cannot fail
		return "An owl."
	}})
	if err != nil {
		t.Fatal(err)
	}
	actions := &act.Table{}
	if err := actions.Register("ring", act.Type{Handler: func(context.Context, act.Call) (act.Outcome, error) {
		return act.Outcome{}, b.pass("action")
	}}); err != nil {
		t.Fatal(err)
	}
	content.People.Persona = "{{omen}}"
	content.Rules.Rules = []rules.Rule{luck()}
	content.Rules.Actions = actions
	content.Rules.Hooks = []hooks.Hook{{ID: "h", Name: "h", Event: hooks.On(act.AfterTurnStarted), Actions: []act.Action{act.New("ring")}}}
	content.Extensions.Macros = own
	content.Extensions.Random = func(uint64, uint64) float64 {
		_ = b.pass("rule") // it cannot fail
		return 0.5
	}
	content.Extensions.Tools = []tool.Tool{{Name: "bell", Description: "d", Manual: "m", Params: map[string]tool.Param{},
		Reasons: map[state.CallCode]string{}, Affects: []string{tool.AffectsNothing},
		Outside: func(context.Context, tool.Call) tool.Answer {
			_ = b.pass("outside") // it cannot fail
			return tool.Answer{}
		},
		Judge: func(tool.Call, tool.View) tool.Judgement {
			_ = b.pass("tool") // it cannot fail
			return tool.Judgement{Result: tree.Object()}
		}}}
	return content
}

// luck is a rule that draws a random number in every turn.
func luck() rules.Rule {
	return rules.Rule{ID: "luck", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Chance: new(50.0), Actions: effect.Actions{
		effect.SetVariable{Path: "luck", Operation: effect.Set, Value: tree.Int(1)}}}
}

// inSteps plays an instruction step by step, and hands over its results.
func inSteps(t *testing.T, e *campaign.Engine, in turn.Input) (turn.Outcome, error) {
	j, before := journalOf(t, in), int64(0)
	for range 50 {
		step, err := e.Step(t.Context(), "cave", j, nil)
		if err != nil {
			return turn.Outcome{}, err
		}
		if before = cmp.Or(before, step.Base); step.Outcome == nil {
			j = j.Then(step)
			continue
		}
		if step.Committed {
			for p, err := range e.Handover(t.Context(), "cave", before) {
				if err != nil {
					return turn.Outcome{}, err
				}
				if last, is := p.(campaign.Finished); is {
					step.Outcome.Version = last.Outcome.Version
				}
			}
		}
		return *step.Outcome, nil
	}
	t.Fatal("it does not end")
	return turn.Outcome{}, nil
}

// logLines returns the lines of a log without times, stacks and the findings about the setup.
func logLines(log string) string {
	log = regexp.MustCompile(`(?m) stack=.*$`).ReplaceAllString(log, "")
	log = regexp.MustCompile(`(?m)^.*campaign: setup: .*\n`).ReplaceAllString(log, "")
	return regexp.MustCompile(`(?m)^(?:time=\S+ )?`).ReplaceAllString(strings.TrimSuffix(log, "\n"), "\t") + "\n"
}

// TestHostPanicsBetweenTurns: the same outside of turns.
func TestHostPanicsBetweenTurns(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	b := &bomb{MemoryStore: &campaign.MemoryStore{}}
	cfg := b.config(t, &log)
	e := fresh(t, cfg)
	wantPanic := func(what string, err error) {
		t.Helper()
		if _, is := errors.AsType[*turn.Panic](err); !is {
			t.Errorf("%s: %v", what, err)
		}
	}
	noGoal := cave(t, bombSettings, `{"goal": {}}`)
	for _, at := range []string{"goal", "append", "seal", "records"} {
		b.at = at
		_, err := e.Create(t.Context(), noGoal)
		wantPanic("create, "+at, err)
	}
	if _, err := e.Create(t.Context(), noGoal); err != nil {
		t.Fatal(err)
	}
	turnOf(t, e, turn.Submit{Text: "I go."})
	var exported bytes.Buffer
	if err := e.Export(t.Context(), "cave", &exported); err != nil {
		t.Fatal(err)
	}
	for what, call := range map[string]func() error{
		"checkpoint": func() error { _, err := e.Do(t.Context(), "cave", turn.MakeCheckpoint{Label: "x"}); return err },
		"campaign":   func() error { _, err := e.Campaign(t.Context(), "cave"); return err },
		"fork":       func() error { _, err := e.Fork(t.Context(), "cave", "turn_0001", "other"); return err },
		"rebuild":    func() error { _, err := e.Rebuild(t.Context(), "cave"); return err },
		"export":     func() error { return e.Export(t.Context(), "cave", new(bytes.Buffer)) },
		"post": func() error {
			_, err := e.Post(t.Context(), "cave", turn.Submit{Text: "x", ClientTurnID: "p"})
			return err
		},
		"step": func() error {
			j, err := turn.JournalOf(turn.Submit{Text: "x", At: noon})
			if err == nil {
				_, err = e.Step(t.Context(), "cave", j, nil)
			}
			return err
		},
		"handover": func() error {
			for _, err := range e.Handover(t.Context(), "cave", 0) {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"import": func() error {
			_, err := e.Import(t.Context(), bytes.NewReader(exported.Bytes()))
			return err
		},
	} {
		b.at = "read"
		wantPanic(what, call())
	}
	for what, read := range readings { // an engine that has loaded nothing
		b.at = "read"
		_, err := read(t.Context(), fresh(t, cfg))
		wantPanic(what, err)
	}
	b.at, b.skip = "read", 1 // after the campaign was loaded
	_, err := fresh(t, cfg).Compare(t.Context(), "cave", state.HistorySpan{A: "turn_0001", B: "turn_0001"})
	wantPanic("compare", err)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go on."}), "completed turn_0002")
}

// TestServeSurvivesPanics: the process survives, the other campaigns are served, and the post is
// not lost. The post fails if the model or the content panicked, and is retried if the store did.
func TestServeSurvivesPanics(t *testing.T) {
	for _, c := range []struct{ at, want string }{
		{"generate", "failed panicked"}, {"stream", "failed panicked"}, {"detector", "failed panicked"},
		{"append", "completed turn_0001"}, {"records", "completed turn_0001"}, {"acquire", "completed turn_0001"},
		{"list inboxes", "completed turn_0001"}, {"progress", "completed turn_0001"},
	} {
		t.Run(c.at, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				b := &bomb{MemoryStore: &campaign.MemoryStore{}}
				e, err := campaign.New(b.config(t, &log))
				if err != nil {
					t.Fatal(err)
				}
				createCave(t, e, bombSettings)
				postTo(t, e, "c1", "One.")
				postTo(t, e, "c2", "Two.")
				b.at = c.at
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := e.Serve(ctx, 2, func(string, campaign.Progress) { _ = b.pass("progress") }); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Serve: %v", err)
				}
				if b.went != 1 {
					t.Fatal("nothing panicked")
				}
				if got := postTo(t, e, "c1", "One."); got != c.want {
					t.Errorf("the post is %q", got)
				}
				want := "completed turn_0002"
				if c.want == "failed panicked" {
					want = "completed turn_0001"
				}
				if got := postTo(t, e, "c2", "Two."); got != want {
					t.Errorf("the next post is %q", got)
				}
			})
		})
	}
}

// TestPanicAfterApproval: if the content panics while an approver's answer is applied, or later in
// the turn, the question stays, however the turn is driven. A person may answer it.
func TestPanicAfterApproval(t *testing.T) {
	t.Parallel()
	drivers := map[string]func(h *steps, in turn.Input) turn.Outcome{
		"do":    func(h *steps, in turn.Input) turn.Outcome { return do(h.t, h.engine(), in) },
		"steps": (*steps).do,
	}
	for _, name := range []string{"do", "steps", "do, later", "steps, later"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			driver, _, later := strings.Cut(name, ", ")
			play := drivers[driver]
			approved, armed := false, false
			var log bytes.Buffer
			actions := &act.Table{}
			if err := actions.Register("arm", act.Type{Handler: func(context.Context, act.Call) (act.Outcome, error) {
				armed = approved
				return act.Outcome{}, nil
			}}); err != nil {
				t.Fatal(err)
			}
			boom := func() {
				if armed {
					panic("boom")
				}
			}
			content := game.Content{Rules: game.Rules{Actions: actions, Dialects: []game.Dialect{game.Commands(), {Name: "own", Read: func(string, game.Scope) []game.Span {
				boom()
				return nil
			}}}}, Extensions: game.Extensions{Random: func(seed, n uint64) float64 { boom(); return game.Random(seed, n) }}}
			if later {
				content.Rules.Hooks = []hooks.Hook{{ID: "h", Name: "h", Event: hooks.On(act.AfterTurnStarted), Actions: []act.Action{act.New("arm")}}}
				content.Rules.Rules = []rules.Rule{luck()}
			}
			h := newSteps(t, campaign.Config{Game: compile(t, content), Model: scripted(output("You lose 3 HP.", hurt("ren", "-3"))),
				Logger: slog.New(slog.NewTextHandler(&log, nil)),
				Services: campaign.Services{Approver: func(_ context.Context, q state.ApprovalQuestion) (*turn.Approve, error) {
					approved, armed = true, !later
					return &turn.Approve{Decisions: q.All(state.Approve, "")}, nil
				}}}, askAll)
			wantOutcome(t, play(h, turn.Submit{Text: "I go in."}), "awaiting_approval")
			if !armed || !strings.Contains(log.String(), "boom") || !strings.Contains(log.String(), "panics_test.go") {
				t.Errorf("the log: %.300s", log.String())
			}
			approved, armed = false, false
			wantOutcome(t, play(h, answer(t, h.engine(), state.Approve, "")), "completed turn_0001")
			if hp := hpOf(t, h.engine(), "ren"); hp != 7 {
				t.Errorf("ren has %d", hp)
			}
		})
	}
}
