package campaigntest

import (
	"context"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
)

// T is the part of [testing.T] that this package uses.
type T interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Test plays one game for a test: what players say, what the model answers, and what must follow.
// [Play] returns one.
//
// An instruction is recorded first and runs later: at the next instruction, when a result is read
// ([Test.Want], [Test.Outcome] and others), or at the end of the test. Its answers can be given
// until then. The methods return the Test, so calls can be chained.
type Test struct {
	t             T
	session       *session
	recorded      *ScenarioStep // the step that is not run yet; nil: none
	unexpectedEnd string        // the fault of the last step if it did not end well; "" after a check that accepts it
	isOver        bool          // the test has failed and cannot continue
}

// Play begins a campaign for a test. Mistakes in content or setup end the test; all mistakes of the
// content are reported. At the end of the test, Play runs the last instruction and replays the log.
// The replay must give the same campaign.
func Play(t T, content game.Content, setup state.Setup) *Test {
	t.Helper()
	c, err := compile(content)
	if err != nil {
		t.Fatalf("the content has mistakes:\n%v", err)
	}
	p, err := c.newSession(setup, false)
	if err != nil {
		t.Fatalf("the campaign cannot begin:\n%v", err)
	}
	g := &Test{t: t, session: p}
	t.Cleanup(g.endGame)
	return g
}

// newStep ends the recorded step and records a new one. do and args are as in [ScenarioStep].
func (g *Test) newStep(do string, args ...string) *ScenarioStep {
	g.t.Helper()
	if g.runRecorded() && answersOutcome(g.session.last.outcome, do) { // so the outcome was expected
		g.unexpectedEnd = ""
	}
	g.endStep()
	g.recorded = &ScenarioStep{Do: do, Args: args}
	return g.recorded
}

// begin is newStep for a step that is complete.
func (g *Test) begin(do string, args ...string) *Test {
	g.t.Helper()
	g.newStep(do, args...)
	return g
}

// recordedStep returns the recorded step for a method that adds to it. The test fails if there is none.
func (g *Test) recordedStep(what string) *ScenarioStep {
	g.t.Helper()
	if g.recorded == nil {
		g.t.Fatalf("%s must come after an instruction, such as Say, and before its checks", what)
		return &ScenarioStep{} // for a T whose Fatalf returns
	}
	return g.recorded
}

// Say submits a line of the acting character's player.
func (g *Test) Say(line string) *Test {
	g.t.Helper()
	return g.begin("say", line)
}

// As names the character who says the recorded line.
func (g *Test) As(character string) *Test {
	g.t.Helper()
	g.recordedStep("As").As = character
	return g
}

// Do records any instruction of package turn.
func (g *Test) Do(in turn.Input) *Test {
	g.t.Helper()
	s, err := stepOf(in)
	if err != nil {
		g.t.Fatalf("the instruction cannot be stored: %v", err)
	}
	g.endStep()
	g.recorded = &s
	return g
}

// Decide records a person's decision about a conflict. text and calls are used by an override.
func (g *Test) Decide(what state.Decision, text string, calls ...ScenarioCall) *Test {
	g.t.Helper()
	s := g.newStep("decide", string(what), text)
	if len(calls) > 0 {
		s.Replies = []ScenarioReply{{Calls: calls}}
	}
	return g
}

// Rollback restores the checkpoint of a turn, such as "turn_0001".
func (g *Test) Rollback(turnID string) *Test {
	g.t.Helper()
	return g.begin("rollback", turnID)
}

// Approve accepts all calls that wait for approval. The answers name exceptions by tool, see [Edit]
// and [Deny].
func (g *Test) Approve(but ...ScenarioAnswer) *Test {
	g.t.Helper()
	g.newStep("approve").Answers = but
	return g
}

// Swipe requests a different answer to the last line.
func (g *Test) Swipe() *Test {
	g.t.Helper()
	return g.begin("swipe")
}

// Choose selects an earlier answer to the last line, by the ID of its turn.
func (g *Test) Choose(turnID string) *Test {
	g.t.Helper()
	return g.begin("choose", turnID)
}

// Undo takes back the newest turn. Do with turn.Redo restores it.
func (g *Test) Undo() *Test {
	g.t.Helper()
	return g.begin("undo")
}

// Set changes a setting.
func (g *Test) Set(key string, value any) *Test {
	g.t.Helper()
	return g.begin("set", key, jsonOf(value))
}

// Model adds a reply of the model to the recorded instruction. Several replies are given in order.
// The engine requests a further reply after calls without narration, and for each re-generation.
func (g *Test) Model(text string, calls ...ScenarioCall) *Test {
	g.t.Helper()
	s := g.recordedStep("Model")
	s.Replies = append(s.Replies, ScenarioReply{Text: text, Calls: calls})
	return g
}

// Fail makes the model fail instead of giving a reply.
func (g *Test) Fail(code llm.ErrorCode) *Test {
	g.t.Helper()
	s := g.recordedStep("Fail")
	s.Replies = append(s.Replies, ScenarioReply{Fail: code})
	return g
}

// Dice sets the results of the next throws of a twenty-sided die. A throw is one draw of the
// campaign. Rules, hooks, macros and lore draw from the same source, in the order in which they
// run.
func (g *Test) Dice(shows ...int) *Test {
	g.t.Helper()
	for _, n := range shows {
		g.Draws((float64(n) - 0.5) / 20)
	}
	return g
}

// Draws sets the next random numbers, from 0 to below 1.
func (g *Test) Draws(numbers ...float64) *Test {
	g.t.Helper()
	s := g.recordedStep("Draws")
	s.Draws = append(s.Draws, numbers...)
	return g
}

// At sets the clock, beginning with the recorded instruction.
func (g *Test) At(now time.Time) *Test {
	g.t.Helper()
	g.recordedStep("At").Clock = now
	return g
}

// Route sets the router's answer: a dialog type.
func (g *Test) Route(dialogType string) *Test {
	g.t.Helper()
	g.recordedStep("Route").Route = dialogType
	return g
}

// Judge sets the judge's findings for each narration.
func (g *Test) Judge(findings ...conflict.Verdict) *Test {
	g.t.Helper()
	g.recordedStep("Judge").Verdicts = findings
	return g
}

// Summary sets the summary that is returned if the engine requests one.
func (g *Test) Summary(text string) *Test {
	g.t.Helper()
	g.recordedStep("Summary").Summary = text
	return g
}

// SinkFails makes deliveries of hooks fail. kind is memory, workflow, worldbook or log; what is the
// error text.
func (g *Test) SinkFails(kind, what string) *Test {
	g.t.Helper()
	s := g.recordedStep("SinkFails")
	if s.Sinks == nil {
		s.Sinks = map[string]string{}
	}
	s.Sinks[kind] = what
	return g
}

// Want checks the state after everything so far, and the result of the last instruction. Each
// failed check is an error of the test, with an explanation.
func (g *Test) Want(checks ...ScenarioCheck) *Test {
	g.t.Helper()
	if !g.runRecorded() {
		return g
	}
	var faults []string
	for _, c := range checks {
		if acceptsFailure(c) {
			g.unexpectedEnd = ""
		}
		if fault := g.session.last.verify(c); fault != "" {
			faults = append(faults, fault)
		}
	}
	g.reportFaults(faults)
	return g
}

// Campaign returns the current campaign.
func (g *Test) Campaign() state.Campaign {
	g.t.Helper()
	g.runRecorded()
	return g.session.last.after
}

// Outcome returns how the last instruction ended.
func (g *Test) Outcome() turn.Outcome {
	g.t.Helper()
	g.runRecorded()
	g.unexpectedEnd = "" // the test checks the outcome itself
	if g.session.last.outcome == nil {
		return turn.Outcome{}
	}
	return *g.session.last.outcome
}

// Requests returns the requests that the model got during the last instruction.
func (g *Test) Requests() []llm.Request {
	g.t.Helper()
	g.runRecorded()
	return g.session.last.requests
}

// Happened describes the results of the last instruction, line by line.
func (g *Test) Happened() string {
	g.t.Helper()
	g.runRecorded()
	return g.session.last.describe()
}

// Why explains for each entry of the world book and each rule why it took part in the last
// instruction, or why it did not.
func (g *Test) Why() turn.Explanation {
	g.t.Helper()
	g.runRecorded()
	return g.session.last.explanation()
}

// runRecorded runs the recorded step, if there is one, and checks the laws. It reports whether the test
// can continue.
func (g *Test) runRecorded() bool {
	g.t.Helper()
	if g.recorded == nil || g.isOver {
		return !g.isOver
	}
	s := *g.recorded
	g.recorded = nil
	m, err := g.session.playStep(context.Background(), s)
	if err != nil {
		g.isOver = true
		g.t.Fatalf("%s: %v", title(s), err)
		return false
	}
	g.unexpectedEnd = m.unexpectedEnd()
	g.reportFaults(append(m.faults, laws{&m}.broken()...))
	return true
}

// endStep runs the recorded step. An end that is not success is a fault, unless a check has accepted it.
func (g *Test) endStep() {
	g.t.Helper()
	if g.runRecorded() && g.unexpectedEnd != "" {
		g.reportFaults([]string{g.unexpectedEnd})
	}
	g.unexpectedEnd = ""
}

// endGame ends the last step, and checks the log at the end of the test.
func (g *Test) endGame() {
	g.t.Helper()
	g.endStep()
	if !g.isOver {
		for _, fault := range g.session.checkEnd(context.Background()) {
			g.t.Errorf("%s", fault)
		}
	}
}

// reportFaults fails the test with the faults and a description of what happened.
func (g *Test) reportFaults(faults []string) {
	g.t.Helper()
	if len(faults) > 0 {
		g.t.Errorf("%s", g.session.last.describeFaults(faults))
	}
}

// unexpectedEnd returns a fault if the step did not end well, and no other fault of the step says so.
func (m *snapshot) unexpectedEnd() string {
	if m.outcome == nil || m.outcome.Err() == nil || len(m.faults) > 0 {
		return ""
	}
	text := "it ended as " + endText(m.outcome) + ", and nobody wants that: write want outcome " + endText(m.outcome) + ", or mend the script"
	for _, line := range errorLines(m.failure) {
		text += "\n  why: " + line
	}
	return text
}

// describeFaults returns the text of faults, with the step and a description of what happened.
func (m *snapshot) describeFaults(faults []string) string {
	var b strings.Builder
	b.WriteString(title(m.step) + "\n")
	for _, f := range faults {
		b.WriteString(indented(f))
	}
	b.WriteString("what happened:\n" + indented(m.describe()))
	return b.String()
}

// title returns the first line of a step, for messages.
func title(s ScenarioStep) string {
	line, _, _ := strings.Cut((ScenarioStep{Do: s.Do, Args: s.Args}).String(), "\n")
	if line == "" {
		return "at the beginning"
	}
	return utf8text.Clip(line, 120)
}

// indented indents each line of a text by two spaces.
func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}
