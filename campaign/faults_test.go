package campaign_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
)

// faultRun plays faultSteps with two engines over one store.
type faultRun struct {
	t        *testing.T
	bomb     *bomb
	cfg      campaign.Config
	engines  [2]*campaign.Engine
	log      bytes.Buffer
	data     bytes.Buffer // the exported campaign
	observed []string     // calls with an error
}

func newFaultRun(t *testing.T, b *bomb, cfg campaign.Config) *faultRun {
	t.Helper()
	r := &faultRun{t: t, bomb: b}
	b.MemoryStore, b.Index, b.came = &campaign.MemoryStore{}, memory.Index{}, nil
	cfg.SnapshotEvery, cfg.Sharing.Owner, cfg.Repeats = 3, "me", -1
	cfg.Logger = slog.New(slog.NewTextHandler(&r.log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "stack" {
			return slog.Attr{}
		}
		return a
	}}))
	cfg.Observe = observe.Verbose(observe.Func(func(_ observe.Place, m observe.Moment) {
		switch m := m.(type) {
		case observe.Stored:
			if m.Err != nil {
				r.observed = append(r.observed, fmt.Sprintf("%s %d", m.Call, m.Version))
			}
		case observe.Asked:
			if m.Failed {
				r.observed = append(r.observed, fmt.Sprintf("%s: %s", m.Question, m.Error))
			}
		case observe.ModelAnswered:
			if m.Failed != "" {
				r.observed = append(r.observed, fmt.Sprintf("model: %s, retryable %v", m.Failed, m.Retryable))
			}
		case observe.LeaseLost:
			r.observed = append(r.observed, "lease lost")
		}
	}))
	r.cfg = cfg
	for i := range r.engines {
		r.engines[i] = r.engine()
	}
	return r
}

// engine returns a new engine.
func (r *faultRun) engine() *campaign.Engine {
	r.t.Helper()
	e, err := campaign.New(r.cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	return e
}

// did returns the words for an outcome, or the error.
func did(o turn.Outcome, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	words := filltest.Words(o)
	if o.Failure != nil {
		words += fmt.Sprintf(" (%s, retry %v: %v)", o.Failure.Kind, o.Failure.Retry, o.Failure.Err)
	}
	return words
}

// counted returns the number of values of a sequence, or the error.
func counted[T any](seq func(func(T, error) bool)) string {
	n := 0
	for _, err := range seq {
		if err != nil {
			return fmt.Sprintf("%d, error: %v", n, err)
		}
		n++
	}
	return fmt.Sprint(n)
}

// faultStep is a call of an engine. A step that reads changes nothing.
type faultStep struct {
	name   string
	after  string // the steps before it
	engine int
	reads  bool
	do     func(r *faultRun, e *campaign.Engine) string
}

// faultSteps call every interface of a host.
var faultSteps = []faultStep{
	{"create", "", 0, false, func(r *faultRun, e *campaign.Engine) string {
		c, err := e.Create(r.t.Context(), cave(r.t, bombSettings, `{"goal": {}}`))
		return cmp.Or(errorText(err), c.Goal.Text)
	}},
	{"turn", "create", 0, false, submitting("c1")},
	{"same turn", "create, turn", 1, false, submitting("c1")},
	{"checkpoint", "create, turn", 0, false, doing(turn.MakeCheckpoint{Label: "here", At: noon})},
	{"undo", "create, turn", 1, false, doing(turn.Undo{At: noon})},
	{"undo once", "create, turn", 0, false, doing(turn.Once{ID: "o", Input: turn.Undo{At: noon}})},
	{"step by step", "create", 1, false, byStep(turn.Submit{Text: "I go.", ClientTurnID: "c3"}, 0)},
	{"undo step by step", "create, turn", 1, false, byStep(turn.Undo{}, 0)},
	{"known step", "create, turn", 1, false, byStep(turn.Submit{Text: "I go.", ClientTurnID: "c1"}, 0)},
	{"known undo step", "create, turn, undo once", 1, false, byStep(turn.Once{ID: "o", Input: turn.Undo{}}, 0)},
	{"second turn", "create, turn", 0, false, submitting("c2")},
	{"handover", "create, turn", 1, false, func(r *faultRun, e *campaign.Engine) string { return counted(e.Handover(r.t.Context(), "cave", 1)) }},
	{"post", "create", 0, false, func(r *faultRun, e *campaign.Engine) string {
		o, err := e.Post(r.t.Context(), "cave", turn.Submit{Text: "Later.", ClientTurnID: "p1", At: noon})
		return did(*cmp.Or(o, &turn.Outcome{}), err)
	}},
	{"next post", "create, post", 0, true, func(r *faultRun, e *campaign.Engine) string {
		w, err := e.NextPost(r.t.Context(), "cave")
		return cmp.Or(errorText(err), fmt.Sprint(w != nil))
	}},
	{"drop post", "create, post", 1, false, func(r *faultRun, e *campaign.Engine) string {
		return errorText(e.DropPost(r.t.Context(), "cave", turnlog.Key("p1"), "no time"))
	}},
	{"history", "create, turn", 0, true, func(r *faultRun, e *campaign.Engine) string {
		return counted(e.History(r.t.Context(), "cave", state.HistoryPage{}))
	}},
	{"branches", "create, turn", 0, true, func(r *faultRun, e *campaign.Engine) string {
		return counted(e.Branches(r.t.Context(), "cave", state.HistoryBranches{}))
	}},
	{"compare", "create, turn", 0, true, func(r *faultRun, e *campaign.Engine) string {
		_, err := e.Compare(r.t.Context(), "cave", state.HistorySpan{A: state.StartTurnID, B: "turn_0001"})
		return errorText(err)
	}},
	{"report", "create, turn", 0, true, func(r *faultRun, e *campaign.Engine) string {
		_, err := e.Report(r.t.Context(), "cave", "turn_0001")
		return errorText(err)
	}},
	{"explain", "create, turn", 0, true, func(r *faultRun, e *campaign.Engine) string {
		_, err := e.Explain(r.t.Context(), "cave", turn.Submit{Text: "I go."}, "Dust.")
		return errorText(err)
	}},
	{"campaign", "create, turn", 0, true, func(r *faultRun, _ *campaign.Engine) string {
		c, err := r.engine().Campaign(r.t.Context(), "cave")
		return cmp.Or(errorText(err), fmt.Sprint(c.Version))
	}},
	{"fork", "create, turn", 1, false, func(r *faultRun, e *campaign.Engine) string {
		c, err := e.Fork(r.t.Context(), "cave", "turn_0001", "other")
		return cmp.Or(errorText(err), fmt.Sprintf("%d turns", len(c.Turns)))
	}},
	{"forks", "create, turn, fork", 1, true, func(r *faultRun, e *campaign.Engine) string { return counted(e.Forks(r.t.Context(), campaign.Page{})) }},
	{"check", "create, turn", 0, true, func(r *faultRun, e *campaign.Engine) string { return errorText(e.Check(r.t.Context(), "cave")) }},
	{"repair", "create, turn", 0, true, func(r *faultRun, e *campaign.Engine) string {
		note, err := e.Repair(r.t.Context(), "cave", state.KeepLogged)
		return cmp.Or(errorText(err), fmt.Sprint(note == nil))
	}},
	{"rebuild", "create, turn", 1, true, func(r *faultRun, e *campaign.Engine) string {
		c, err := e.Rebuild(r.t.Context(), "cave")
		return cmp.Or(errorText(err), fmt.Sprint(c.Version))
	}},
	{"export", "create, turn", 0, false, func(r *faultRun, e *campaign.Engine) string {
		r.data.Reset()
		return errorText(e.Export(r.t.Context(), "cave", &r.data))
	}},
	{"delete", "create, turn, export", 0, false, func(r *faultRun, _ *campaign.Engine) string {
		return errorText(r.bomb.Delete(r.t.Context(), "cave"))
	}},
	{"import", "create, turn, export, delete", 0, false, func(r *faultRun, e *campaign.Engine) string {
		r.bomb.MemoryStore = &campaign.MemoryStore{} // a deleted campaign does not return
		c, err := e.Import(r.t.Context(), bytes.NewReader(r.data.Bytes()))
		return cmp.Or(errorText(err), fmt.Sprint(c.Version))
	}},
}

// byStep runs an instruction step by step. It is cancelled after some steps, unless that is 0;
// before the first one if it is negative.
func byStep(in turn.Input, cancelled int) func(*faultRun, *campaign.Engine) string {
	return func(r *faultRun, e *campaign.Engine) string {
		j, err := turn.JournalOf(turn.Stamp(in, noon))
		j.Cancelled = cancelled < 0
		for n := 1; err == nil && n < 50; n++ {
			var one turn.JournalStep
			if one, err = e.Step(r.t.Context(), "cave", j, nil); err == nil && one.Outcome != nil {
				return did(*one.Outcome, nil)
			}
			j = j.Then(one)
			j.Cancelled = j.Cancelled || n == cancelled
		}
		return did(turn.Outcome{}, err)
	}
}

func submitting(client string) func(*faultRun, *campaign.Engine) string {
	return doing(turn.Submit{Text: "I go.", ClientTurnID: client, At: noon})
}

func doing(in turn.Input) func(*faultRun, *campaign.Engine) string {
	return func(r *faultRun, e *campaign.Engine) string { return did(e.Do(r.t.Context(), "cave", in)) }
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return "error: " + err.Error()
}

// try does a step in which a call fails, and again after an error. It returns the result for the
// host.
func (r *faultRun) try(s faultStep, at string, n int, err error) string {
	r.log.Reset()
	r.observed = nil
	r.bomb.at, r.bomb.skip, r.bomb.err = at, n, err
	got := s.do(r, r.engines[s.engine])
	if r.bomb.at != "" {
		r.t.Errorf("%s: call %d of %s does not happen", s.name, n+1, at)
	}
	r.bomb.at = ""
	text := "\t" + got + "\n" + r.reported()
	if strings.Contains(got, "error:") || strings.Contains(got, "failed") {
		text += "\tagain: " + s.do(r, r.engines[s.engine]) + "\n"
	}
	return text
}

// reported returns what observers and the log received.
func (r *faultRun) reported() (text string) {
	for _, one := range r.observed {
		text += "\tobserved: " + one + "\n"
	}
	for line := range strings.Lines(r.log.String()) {
		if !strings.Contains(line, "campaign: setup:") || r.bomb.err == nil {
			text += "\tlogged: " + line
		}
	}
	return text
}

// end plays a turn, and returns the campaign.
func (r *faultRun) end() string {
	last := submitting("c9")(r, r.engines[1])
	_, err := r.engines[0].Rebuild(r.t.Context(), "cave")
	c, err2 := r.engine().Campaign(r.t.Context(), "cave")
	return last + errorText(cmp.Or(err, err2)) + jsonOf(r.t, c)
}

// errPanic stands for a panic.
var errPanic = errors.New("panic")

// errMisfit means an answer to a different question.
var errMisfit = errors.New("misfit")

var errLineCut, errDiskFull = fmt.Errorf("line cut: %w", campaign.ErrUnavailable), errors.New("disk full")

// faultsOf returns the possible errors of a call.
func faultsOf(at string) []error {
	switch at {
	case "read", "now", "dialect", "detector":
		return nil // the first is "load" or "records"; the others cannot fail
	case "append":
		return []error{errLineCut, errDiskFull, campaign.ErrLeaseLost, campaign.ErrVersionConflict}
	case "renew":
		return []error{errLineCut, campaign.ErrLeaseLost}
	case "acquire", "release", "appended", "put post":
		return []error{errLineCut, errDiskFull}
	case "approve":
		return []error{errDiskFull, errMisfit}
	case "generate":
		return []error{errDiskFull, &llm.Error{Code: llm.CodeOverloaded, Retry: true}}
	}
	return []error{errDiskFull}
}

// TestEveryCallFailsOnce lets each call of each interface of the host fail once. The file
// testdata/faults.golden has the result for the host, the data for observers and the log, and the
// result of a second try. The campaign is then the same as without the fault, unless the file says
// otherwise.
func TestEveryCallFailsOnce(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	b := &bomb{}
	cfg := b.config(t, new(bytes.Buffer))
	cfg.Services.Route = func(context.Context, question.Route) (state.RouteDecision, error) {
		return state.RouteDecision{DialogType: game.SceneDialog}, b.pass("route")
	}
	approve := cfg.Services.Approver
	cfg.Services.Approver = func(ctx context.Context, q state.ApprovalQuestion) (*turn.Approve, error) {
		answer, err := approve(ctx, q)
		if errors.Is(err, errMisfit) {
			return &turn.Approve{Question: "another"}, nil
		}
		return answer, err
	}
	var got strings.Builder
	reader := newFaultRun(t, b, cfg)
	for i, s := range faultSteps {
		played := func() *faultRun {
			r := newFaultRun(t, b, cfg)
			for _, before := range faultSteps[:i] {
				if slices.Contains(strings.Split(s.after, ", "), before.name) {
					before.do(r, r.engines[before.engine])
				}
			}
			return r
		}
		if s.reads {
			reader = played()
		}
		clean := played()
		clean.log.Reset()
		clean.observed, b.came, b.err = nil, nil, nil
		fmt.Fprintf(&got, "%s: %s\n", s.name, s.do(clean, clean.engines[s.engine]))
		got.WriteString(clean.reported())
		calls := b.came
		b.came = nil
		want := ""
		if !s.reads {
			want = clean.end()
		}
		for _, at := range slices.Sorted(maps.Keys(calls)) {
			for _, err := range append(faultsOf(at), nil) { // nil: the call panics
				seen := map[string][]int{}
				var order []string
				for n := range calls[at] {
					if s.name == "second turn" && at != "summarize" && (at != "append" || n < 2) || s.name == "undo once" {
						continue // as in the first turn, and as in undo
					}
					if err == nil && (n > 0 || !s.reads && at != "load" && !strings.HasSuffix(at, " post")) {
						continue
					}
					if n > 0 && (n < calls[at]-1 || strings.HasSuffix(s.name, "by step")) && (s.reads || calls[at] > 3) {
						continue
					}
					r := reader
					if !s.reads {
						r = played()
					}
					what := r.try(s, at, n, err)
					if !s.reads && r.end() != want {
						what += "\tthe campaign differs\n"
					}
					if seen[what] == nil {
						order = append(order, what)
					}
					seen[what] = append(seen[what], n+1)
				}
				for _, what := range order {
					fmt.Fprintf(&got, "%s, %s %v: %v\n%s", s.name, at, seen[what], cmp.Or(err, errPanic), what)
				}
			}
		}
	}
	testkit.Golden(t, "testdata/faults.golden", got.String())
}

// TestCancelledAtEveryStep: an instruction that is cancelled before the model has answered ends as
// cancelled. A model, a router and a judge are not asked after that.
func TestCancelledAtEveryStep(t *testing.T) {
	t.Parallel()
	b := &bomb{}
	cfg := b.config(t, new(bytes.Buffer))
	const cancelled = "cancelled cancelled (cancelled, retry true: <nil>) asked: route recall retrieve"
	for n, want := range []string{
		"cancelled cancelled (cancelled, retry true: <nil>) asked: recall retrieve",
		"completed turn_0001 asked: route recall retrieve generate judge approve", cancelled, cancelled, cancelled,
		"completed turn_0001 asked: route recall retrieve generate approve",
		"completed turn_0001 asked: route recall retrieve generate judge approve",
	} {
		r := newFaultRun(t, b, cfg)
		if _, err := r.engines[0].Create(t.Context(), cave(t, bombSettings)); err != nil {
			t.Fatal(err)
		}
		b.came = nil
		got := byStep(turn.Submit{Text: "I go."}, n-1)(r, r.engines[0]) + " asked:"
		for _, at := range []string{"route", "recall", "retrieve", "generate", "judge", "approve"} {
			if b.came[at] > 0 {
				got += " " + at
			}
		}
		if got != want {
			t.Errorf("after %d steps: %q, want %q", n-1, got, want)
		}
	}
}

// TestBusyCampaign: while an instruction runs, every other call that needs the campaign is refused.
func TestBusyCampaign(t *testing.T) {
	t.Parallel()
	var e *campaign.Engine
	var tried int
	model := leaving{scripted("Dust."), func() {
		for name, call := range map[string]func() error{
			"repair":    func() error { _, err := e.Repair(t.Context(), "cave", state.KeepLogged); return err },
			"drop post": func() error { return e.DropPost(t.Context(), "cave", "p", "") },
			"undo":      func() error { _, err := e.Do(t.Context(), "cave", turn.Undo{}); return err },
			"turn": func() error {
				o, err := e.Turn(t.Context(), "cave", turn.Submit{Text: "x"})
				return cmp.Or(err, o.Err())
			},
			"step": func() error { _, err := e.Step(t.Context(), "cave", journalOf(t, turn.Undo{}), nil); return err },
			"handover": func() error {
				for _, err := range e.Handover(t.Context(), "cave", 1) {
					return err
				}
				return nil
			},
		} {
			tried++
			if err := call(); !isRefused(err, state.CampaignBusy, "") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}}
	e = newEngine(t, campaign.Config{Model: model})
	if wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go."}), "completed turn_0001"); tried == 0 {
		t.Error("nothing was tried")
	}
}
