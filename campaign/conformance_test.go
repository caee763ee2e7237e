package campaign_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

type scenario struct {
	ID string `json:"id"`
	// For people.
	Group, Description, Tags, Note json.RawMessage

	Campaign     state.Setup      `json:"campaign"`
	Dice         []int            `json:"dice"`
	Router       []map[string]any `json:"router"`
	Judge        []map[string]any `json:"judge"`
	Steps        []scenarioStep   `json:"steps"`
	Expect       []map[string]any `json:"expect"`
	PromptChecks []promptCheck    `json:"prompt_checks"`
}

type scenarioStep struct {
	Op            string            `json:"op"`
	ActorID       string            `json:"actor_id"`
	Input         string            `json:"input"`
	ClientTurnID  string            `json:"client_turn_id"`
	ExpectedHead  string            `json:"expected_head"`
	Outputs       []json.RawMessage `json:"outputs"`
	SummaryUpdate string            `json:"summary_update"`
	Patch         setting.Snapshot  `json:"patch"`
	Label         string            `json:"label"`
	To            string            `json:"to"`
	Decision      state.Decision    `json:"decision"`
	Text          string            `json:"text"`
	ToolCalls     tree.Value        `json:"tool_calls"`
	CharacterID   string            `json:"character_id"`
	Fields        tree.Value        `json:"fields"`
	Submissions   []scenarioStep    `json:"submissions"`
}

type promptCheck struct {
	Step          int      `json:"step"`
	Attempt       int      `json:"attempt"`
	BlocksPresent []string `json:"blocks_present"`
	BlocksAbsent  []string `json:"blocks_absent"`
	Contains      []string `json:"contains"`
	NotContains   []string `json:"not_contains"`
	KindsTail     []string `json:"kinds_tail"`
}

// TestConformance runs the recorded scenarios (CA-48).
func TestConformance(t *testing.T) {
	testkit.Suite{Dir: "testdata/conformance"}.Run(t, readScenarios)
}

// readScenarios reads a file of scenarios. A file in a different format has no cases.
func readScenarios(t *testing.T, file string, data []byte) (out []testkit.RecordedCase) {
	t.Helper()
	var doc struct {
		Format string            `json:"format"`
		Cases  []json.RawMessage `json:"cases"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if doc.Format != "campaign-conformance/1" {
		return nil
	}
	group := strings.TrimSuffix(filepath.Base(file), ".json")
	for i, raw := range doc.Cases {
		var c scenario
		strict := json.NewDecoder(bytes.NewReader(raw))
		strict.DisallowUnknownFields() // an unknown member would not be tested
		err := strict.Decode(&c)
		name := group + "/" + c.ID
		if c.ID == "" {
			name = fmt.Sprintf("%s/%d", group, i)
		}
		out = append(out, testkit.RecordedCase{Name: name, Run: func(t *testing.T) {
			if err != nil {
				t.Fatal(err)
			}
			runScenario(t, c)
		}})
	}
	return out
}

// stage is a running scenario.
type stage struct {
	t      *testing.T
	engine *campaign.Engine
	id     string
	mu     sync.Mutex
	// scripts holds the remaining outputs, one script for every submission of the step: concurrent
	// turns have separate scripts.
	scripts [][]json.RawMessage
	gate    chan struct{} // blocks the first model call if not nil
	entered chan struct{}
	asked   question.Request // the latest request
	seen    []sentRequest    // requests of the step
	all     map[[2]int]question.Request
	step    int
}

// sentRequest is a request of a submission of the step.
type sentRequest struct {
	submission int
	question.Request
}

// submissionKey is the context key for the number of a submission in its step.
type submissionKey struct{}

func runScenario(t *testing.T, c scenario) {
	s := &stage{t: t, id: c.Campaign.ID, all: map[[2]int]question.Request{}}
	if s.id == "" {
		s.id, c.Campaign.ID = "case", "case"
	}
	content := game.Content{Prompt: game.Prompt{SummarizeAfter: 1 << 30}}
	if len(c.Dice) > 0 {
		content.Extensions.Random = func(_, n uint64) float64 { // d20 faces as numbers in [0, 1)
			return (float64(c.Dice[n%uint64(len(c.Dice))]) - 0.5) / 20
		}
	}
	g, problems := game.Compile(content)
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		t.Fatalf("compile: %v %v", err, problems)
	}
	routes, verdicts := 0, 0
	s.engine, err = campaign.New(campaign.Config{
		Game: g, Store: &campaign.MemoryStore{}, Model: s,
		Now:     func() time.Time { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC) },
		Observe: requests(s.observe),
		Services: campaign.Services{
			Route: func(context.Context, question.Route) (state.RouteDecision, error) {
				if routes++; routes > len(c.Router) {
					t.Error("the router was asked once too often")
					return state.RouteDecision{}, errors.New("no answer left")
				}
				answer := c.Router[routes-1]
				if text, isError := answer["error"].(string); isError {
					return state.RouteDecision{}, errors.New(text)
				}
				var d state.RouteDecision
				return d, remarshal(answer, &d)
			},
			Judge: func(_ context.Context, q question.Judge) ([]conflict.Verdict, error) {
				if len(q.Questions) > 0 && len(c.Judge) == 0 {
					return nil, nil // the cases do not say what texts mean
				}
				if verdicts++; verdicts > len(c.Judge) {
					t.Error("the judge was asked once too often")
					return nil, errors.New("no answer left")
				}
				answer := c.Judge[verdicts-1]
				if answer["error"] != nil {
					return nil, errors.New(fmt.Sprint(answer["error"]))
				}
				var v []conflict.Verdict
				return v, remarshal(answer["conflicts"], &v)
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.engine.Create(t.Context(), c.Campaign); err != nil {
		t.Fatal(err)
	}
	if len(c.Expect) != len(c.Steps) {
		t.Fatalf("%d steps, %d expectations", len(c.Steps), len(c.Expect))
	}
	for i, step := range c.Steps {
		s.step, s.seen = i, nil
		got := s.play(step)
		for n, r := range s.seen {
			s.all[[2]int{i, n + 1}] = r.Request
		}
		where := fmt.Sprintf("step %d (%s)", i, step.Op)
		for key := range c.Expect[i] {
			if !slices.Contains(expectable, key) {
				t.Errorf("%s: the runner does not know %q", where, key)
			}
		}
		compare(t, where, c.Expect[i], got)
	}
	for _, p := range c.PromptChecks {
		s.checkPrompt(p)
	}
	if _, err := s.engine.Rebuild(t.Context(), s.id); err != nil {
		t.Errorf("rebuild: %v", err)
	}
}

// expectable are the members of an expectation.
var expectable = []string{
	"status", "reason", "replayed", "error", "errors", "changed", "auto_changed", "revision", "ok",
	"attempts", "retries_used", "applied", "text", "turn_id", "dialog_type", "dialog_type_source",
	"unresolved_failures", "overridden_conflicts", "attempt_log", "conflict_report", "failed_calls",
	"prefix_stable", "state", "outcomes",
}

func remarshal(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

func (s *stage) observe(_ string, g question.Generate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = g.Request
}

// Generate plays the next output of the script of the submission.
func (s *stage) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		s.mu.Lock()
		gate, entered := s.gate, s.entered
		s.gate = nil
		s.mu.Unlock()
		if gate != nil {
			close(entered)
			<-gate
		}
		out := s.next(ctx)
		var answer struct {
			Raw   *string `json:"raw"`
			Error string  `json:"error"`
		}
		if err := json.Unmarshal(out, &answer); err != nil {
			yield(nil, err)
			return
		}
		switch {
		case answer.Error == "cancelled":
			yield(nil, context.Canceled)
		case answer.Error != "":
			yield(nil, &llm.Error{Code: llm.ErrorCode(answer.Error)})
		case answer.Raw != nil:
			_ = yield(llm.TextDelta{Text: *answer.Raw}, nil) && yield(llm.Done{}, nil)
		default:
			_ = yield(llm.TextDelta{Text: string(out)}, nil) && yield(llm.Done{}, nil)
		}
	}
}

func (s *stage) next(ctx context.Context) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := ctx.Value(submissionKey{}).(int)
	s.seen = append(s.seen, sentRequest{n, s.asked})
	if len(s.scripts[n]) == 0 {
		s.t.Errorf("step %d, submission %d: the model was asked once too often", s.step, n)
		return json.RawMessage(`{"error":"transport"}`)
	}
	out := s.scripts[n][0]
	s.scripts[n] = s.scripts[n][1:]
	return out
}

func (s *stage) play(step scenarioStep) map[string]any {
	switch step.Op {
	case "turn":
		return s.outcome(step, submitOf(step))
	case "resolve_conflict":
		return s.outcome(step, turn.ResolveConflict{
			Decision: step.Decision, Text: step.Text, ToolCalls: step.ToolCalls})
	case "concurrent":
		return s.concurrent(step)
	case "patch_settings":
		return s.patch(step)
	case "select_actor":
		return s.command(turn.SelectActor{ActorID: step.ActorID})
	case "checkpoint":
		return s.command(turn.MakeCheckpoint{Label: step.Label})
	case "rollback":
		return s.command(turn.RollBack{To: step.To})
	case "undo_rollback":
		return s.command(turn.UndoRollBack{})
	case "set_character":
		return s.command(turn.SetCharacter{CharacterID: step.CharacterID, Fields: step.Fields})
	}
	s.t.Fatalf("unknown step %q", step.Op)
	return nil
}

func submitOf(step scenarioStep) turn.Submit {
	return turn.Submit{ActorID: step.ActorID, Text: step.Input,
		ClientTurnID: step.ClientTurnID, ExpectedHead: step.ExpectedHead}
}

func (s *stage) outcome(step scenarioStep, in turn.Input) map[string]any {
	s.scripts = [][]json.RawMessage{step.Outputs}
	out, err := s.engine.Do(context.WithValue(s.t.Context(), submissionKey{}, 0), s.id, in)
	if left := len(s.scripts[0]); left > 0 && err == nil && out.Status != turn.Refused {
		s.t.Errorf("step %d: %d outputs of the script are left", s.step, left)
	}
	if step.SummaryUpdate != "" && out.Status == turn.Completed {
		summary := s.campaign().State.Summary // all but the text stays
		summary.Text, summary.CoversThrough = step.SummaryUpdate, ""
		if _, err := s.engine.Do(s.t.Context(), s.id, turn.Summarized{Summary: summary}); err != nil {
			s.t.Error(err)
		}
	}
	got := s.report(out, err)
	got["prefix_stable"] = s.prefixStable(0)
	got["state"] = s.state()
	return got
}

func (s *stage) command(in turn.Input) map[string]any {
	_, err := s.engine.Do(s.t.Context(), s.id, in)
	got := map[string]any{"ok": err == nil, "state": s.state()}
	if err != nil {
		got["error"] = refusalCode(err)
	}
	return got
}

// recordedProblems has the form of the problems of a patch in the cases.
func recordedProblems(problems talewright.Problems) (out []any) {
	for _, p := range problems {
		out = append(out, map[string]any{"key": p.Path, "code": string(p.Code), "detail": p.Text})
	}
	return out
}

func refusalCode(err error) string {
	if r, ok := errors.AsType[*state.Refusal](err); ok {
		return string(r.Code)
	}
	return err.Error()
}

func (s *stage) patch(step scenarioStep) map[string]any {
	out, err := s.engine.Do(s.t.Context(), s.id, turn.PatchSettings{Patch: step.Patch})
	got := map[string]any{"ok": err == nil, "state": s.state()}
	if r, ok := errors.AsType[*state.Refusal](err); ok {
		got["errors"] = recordedProblems(r.Problems)
		return got
	}
	got["changed"], got["auto_changed"] = plain(out.Changed), plain(out.AutoChanged)
	got["revision"] = s.campaign().SettingsRevision
	return got
}

// concurrent blocks the first submission's model call while the others are submitted in order. Then
// it unblocks the call.
func (s *stage) concurrent(step scenarioStep) map[string]any {
	s.gate, s.entered = make(chan struct{}), make(chan struct{})
	gate, entered := s.gate, s.entered
	outcomes := make([]any, len(step.Submissions))
	var wg sync.WaitGroup
	s.scripts = nil
	for _, sub := range step.Submissions {
		s.scripts = append(s.scripts, sub.Outputs)
	}
	for i, sub := range step.Submissions {
		done := make(chan struct{})
		line := s.engine.Waiting(s.id)
		wg.Go(func() {
			defer close(done)
			ctx := context.WithValue(context.Background(), submissionKey{}, i)
			out, err := s.engine.Turn(ctx, s.id, submitOf(sub))
			got := s.report(out, err)
			got["prefix_stable"] = s.prefixStable(i)
			outcomes[i] = got
		})
		if i > 0 {
			s.engine.AwaitQueue(s.id, line, done)
			continue
		}
		select {
		case <-entered:
		case <-done: // it was refused
		}
	}
	close(gate)
	wg.Wait()
	return map[string]any{"outcomes": outcomes, "state": s.state()}
}

// report converts an outcome into the form of the cases.
func (s *stage) report(o turn.Outcome, err error) map[string]any {
	got := map[string]any{"replayed": o.Replayed}
	if err != nil {
		got["error"] = refusalCode(err)
		if r, ok := errors.AsType[*state.Refusal](err); ok {
			got["failed_calls"] = plain(r.FailedCalls)
		}
		return got
	}
	got["status"], got["reason"] = string(o.Status), o.Reason
	got["attempts"], got["retries_used"] = len(o.Attempts), o.RetriesUsed
	got["dialog_type"], got["dialog_type_source"] = o.DialogType, o.DialogTypeSource
	log := []any{}
	for _, a := range o.Attempts {
		log = append(log, attemptLog(a))
	}
	got["attempt_log"] = log
	got["applied"] = []any{}
	if o.Turn != nil {
		got["turn_id"], got["text"] = o.Turn.ID, o.Turn.Text
		got["applied"] = plain(o.Turn.Applied)
		got["unresolved_failures"] = plain(o.Turn.Unresolved)
		got["overridden_conflicts"] = plain(o.Turn.Overridden)
	}
	if o.Report != nil {
		got["conflict_report"] = plain(o.Report)
	}
	return got
}

func attemptLog(a state.Attempt) map[string]any {
	warnings := []string{}
	for _, w := range a.Warnings {
		warnings = append(warnings, w.Kind)
	}
	slices.Sort(warnings)
	return map[string]any{"failed_calls": plain(a.FailedCalls), "warnings": plain(warnings),
		"conflicts": plain(a.Conflicts)}
}

func (s *stage) campaign() state.Campaign {
	c, err := s.engine.Campaign(s.t.Context(), s.id)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func (s *stage) state() map[string]any {
	c := s.campaign()
	hp, place, alive := map[string]any{}, map[string]any{}, map[string]any{}
	for _, ch := range c.State.Characters {
		hp[ch.ID], place[ch.ID] = ch.HP.Current, ch.AreaID
		alive[ch.ID] = string(ch.Status.AliveState)
	}
	checkpoints := []any{}
	for _, cp := range c.Checkpoints {
		checkpoints = append(checkpoints, map[string]any{"turn_id": cp.TurnID, "label": cp.Label})
	}
	return map[string]any{
		"head": c.State.HeadTurnID, "hp": hp, "position": place, "alive_state": alive,
		"turn_count": c.State.TurnCount, "branch": c.BranchID, "checkpoints": checkpoints,
		"rollback_pending": plain(c.RollbackPending), "milestone": plain(c.State.Milestone),
		"settings_revision": c.SettingsRevision, "active_actor_id": c.State.Selected.ActorID,
		"lifecycle": plain(c.State.Lifecycle), "summary": plain(c.State.Summary),
		"future_route_decision": plain(c.Dialog.RouteDecision), "version": c.Version,
		"dialog_type_selected": c.Dialog.TypeSelected,
	}
}

// prefixStable reports whether every request of a submission begins with the previous one.
func (s *stage) prefixStable(submission int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var own []question.Request
	for _, r := range s.seen {
		if r.submission == submission {
			own = append(own, r.Request)
		}
	}
	for i := 1; i < len(own); i++ {
		a, b := own[i-1].Messages, own[i].Messages
		if len(b) < len(a) || !reflect.DeepEqual(plain(a), plain(b[:len(a)])) {
			return false
		}
	}
	return true
}

func (s *stage) checkPrompt(p promptCheck) {
	req, ok := s.all[[2]int{p.Step, p.Attempt}]
	if !ok {
		s.t.Errorf("no request for step %d attempt %d", p.Step, p.Attempt)
		return
	}
	var blocks, kinds []string
	var text strings.Builder
	for _, m := range req.Messages {
		if m.Kind == question.KindSystemBlock {
			blocks = append(blocks, m.Block)
		}
		kinds = append(kinds, string(m.Kind))
		text.WriteString(m.Message.Text + "\n")
	}
	for _, b := range p.BlocksPresent {
		if !slices.Contains(blocks, b) {
			s.t.Errorf("step %d attempt %d: block %s is missing from %v", p.Step, p.Attempt, b, blocks)
		}
	}
	for _, b := range p.BlocksAbsent {
		if slices.Contains(blocks, b) {
			s.t.Errorf("step %d attempt %d: block %s should not be there", p.Step, p.Attempt, b)
		}
	}
	for _, c := range p.Contains {
		if !strings.Contains(text.String(), c) {
			s.t.Errorf("step %d attempt %d: %q is missing", p.Step, p.Attempt, c)
		}
	}
	for _, c := range p.NotContains {
		if strings.Contains(text.String(), c) {
			s.t.Errorf("step %d attempt %d: %q should not be there", p.Step, p.Attempt, c)
		}
	}
	tail := kinds[max(0, len(kinds)-len(p.KindsTail)):]
	if len(p.KindsTail) > 0 && !slices.Equal(tail, p.KindsTail) {
		s.t.Errorf("step %d attempt %d: ends in %v, want %v", p.Step, p.Attempt, tail, p.KindsTail)
	}
}
