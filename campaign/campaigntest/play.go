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

// T is what the kit uses of a [testing.T].
type T interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Table is where a game is played: what players say, what the model answers, what has to come
// of it. [Play] returns one.
//
// A turn, and every other instruction, is carried out when [Table.Want], another instruction or
// the end of the test comes: before that its answers can be given. The methods return the
// Table, so that they can be written behind one another.
type Table struct{ *rounds }

// rounds are the steps of a game for a test: the one that is being written, and what came of those before.
type rounds struct {
	t     T
	party *party
	open  *ScenarioStep // what was said and is not played yet
	owed  string        // how the last step ended, if that was not well, and nobody has wanted it
	over  bool          // the test has failed in a way that ends it
}

// Play begins a campaign for a test. Content with mistakes ends the test with all of them, and
// so does a setup. At the end of the test the last turn is played, and the log is played again
// to see that it leads to the same.
func Play(t T, content game.Content, setup state.Setup) *Table {
	t.Helper()
	c, err := compile(content)
	if err != nil {
		t.Fatalf("the content has mistakes:\n%v", err)
	}
	p, err := c.party(setup, false)
	if err != nil {
		t.Fatalf("the campaign cannot begin:\n%v", err)
	}
	g := &Table{&rounds{t: t, party: p}}
	t.Cleanup(g.finish)
	return g
}

// step opens a step, and ends the one before.
func (g *rounds) step(do string, args ...string) *ScenarioStep {
	g.t.Helper()
	if g.play() && awaits(g.party.last.outcome, do) {
		g.owed = ""
	}
	g.settle()
	g.open = &ScenarioStep{Do: do, Args: args}
	return g.open
}

func (g *rounds) answering(what string) *ScenarioStep {
	g.t.Helper()
	if g.open == nil {
		g.t.Fatalf("%s belongs behind an instruction, such as Say, and before what is wanted of it", what)
		return &ScenarioStep{} // for a T that goes on
	}
	return g.open
}

// Say is a line of the acting character's player.
func (g *Table) Say(line string) *Table {
	g.t.Helper()
	g.step("say", line)
	return g
}

// As names the character who says the line before.
func (g *Table) As(character string) *Table {
	g.t.Helper()
	g.answering("As").As = character
	return g
}

// Do is any instruction of package turn.
func (g *Table) Do(in turn.Input) *Table {
	g.t.Helper()
	s, err := doing(in)
	if err != nil {
		g.t.Fatalf("the instruction cannot be stored: %v", err)
	}
	g.settle()
	g.open = &s
	return g
}

// Decide is what a person does about a conflict; text and calls are those of an override.
func (g *Table) Decide(what state.Decision, text string, calls ...ScenarioCall) *Table {
	g.t.Helper()
	s := g.step("decide", string(what), text)
	if len(calls) > 0 {
		s.Replies = []ScenarioReply{{Calls: calls}}
	}
	return g
}

// Rollback goes back to the checkpoint of a turn, such as "turn_0001".
func (g *Table) Rollback(turnID string) *Table {
	g.t.Helper()
	g.step("rollback", turnID)
	return g
}

// Approve lets calls count that wait for approval: all of them, but for those of tools that an
// answer is about, see [Edit] and [Deny].
func (g *Table) Approve(but ...ScenarioAnswer) *Table {
	g.t.Helper()
	g.step("approve").Answers = but
	return g
}

// Swipe asks for another answer to the last line.
func (g *Table) Swipe() *Table {
	g.t.Helper()
	g.step("swipe")
	return g
}

// Choose goes back to another of the answers to the last line, by the id of its turn.
func (g *Table) Choose(turnID string) *Table {
	g.t.Helper()
	g.step("choose", turnID)
	return g
}

// Undo returns from a rollback.
func (g *Table) Undo() *Table {
	g.t.Helper()
	g.step("undo")
	return g
}

// Set changes a setting.
func (g *Table) Set(key string, value any) *Table {
	g.t.Helper()
	g.step("set", key, jsonOf(value))
	return g
}

// Model is the next reply of the model to the line before. Several are given one after the
// other: to requests that follow on calls without narration, and to re-generations.
func (g *Table) Model(text string, calls ...ScenarioCall) *Table {
	g.t.Helper()
	s := g.answering("Model")
	s.Replies = append(s.Replies, ScenarioReply{Text: text, Calls: calls})
	return g
}

// Fail lets the model fail, in place of a reply.
func (g *Table) Fail(code llm.ErrorCode) *Table {
	g.t.Helper()
	s := g.answering("Fail")
	s.Replies = append(s.Replies, ScenarioReply{Fail: code})
	return g
}

// Dice says what the next throws of a die with twenty sides show. A throw is one draw of the
// campaign's; rules, hooks, macros and lore draw from the same source, in the order in which
// they need it.
func (g *Table) Dice(shows ...int) *Table {
	g.t.Helper()
	for _, n := range shows {
		g.Draws((float64(n) - 0.5) / 20)
	}
	return g
}

// Draws says what the next random numbers are, from 0 to below 1.
func (g *Table) Draws(numbers ...float64) *Table {
	g.t.Helper()
	s := g.answering("Draws")
	s.Draws = append(s.Draws, numbers...)
	return g
}

// At says what time it is from the instruction before on.
func (g *Table) At(now time.Time) *Table {
	g.t.Helper()
	g.answering("At").Clock = now
	return g
}

// Route is the router's answer: a dialog type.
func (g *Table) Route(dialogType string) *Table {
	g.t.Helper()
	g.answering("Route").Route = dialogType
	return g
}

// Judge is what the judge finds in each narration.
func (g *Table) Judge(findings ...conflict.Verdict) *Table {
	g.t.Helper()
	g.answering("Judge").Verdicts = findings
	return g
}

// Summary is the summary, if one is asked for.
func (g *Table) Summary(text string) *Table {
	g.t.Helper()
	g.answering("Summary").Summary = text
	return g
}

// SinkFails lets deliveries of hooks fail: to memory, workflow, worldbook or log.
func (g *Table) SinkFails(kind, what string) *Table {
	g.t.Helper()
	s := g.answering("SinkFails")
	if s.Sinks == nil {
		s.Sinks = map[string]string{}
	}
	s.Sinks[kind] = what
	return g
}

// Want looks at what has come of everything so far: at the state, and at the last instruction.
// What is not as it has to be is an error of the test, and is explained.
func (g *Table) Want(checks ...ScenarioCheck) *Table {
	g.t.Helper()
	if !g.play() {
		return g
	}
	var faults []string
	for _, c := range checks {
		if excuses(c) {
			g.owed = ""
		}
		if fault := g.party.last.verify(c); fault != "" {
			faults = append(faults, fault)
		}
	}
	g.report(faults)
	return g
}

// Campaign is the campaign as it stands.
func (g *Table) Campaign() state.Campaign {
	g.t.Helper()
	g.play()
	return g.party.last.after
}

// Outcome is how the last instruction ended.
func (g *Table) Outcome() turn.Outcome {
	g.t.Helper()
	g.play()
	g.owed = "" // the test looks for itself
	if g.party.last.outcome == nil {
		return turn.Outcome{}
	}
	return *g.party.last.outcome
}

// Requests are what the model was asked in the last instruction.
func (g *Table) Requests() []llm.Request {
	g.t.Helper()
	g.play()
	return g.party.last.requests
}

// Happened says what the last instruction has led to, line by line.
func (g *Table) Happened() string {
	g.t.Helper()
	g.play()
	return g.party.last.happened()
}

// Why says of each entry of the world book and of each rule why it took part in the last
// instruction, or what kept it from that.
func (g *Table) Why() turn.Explanation {
	g.t.Helper()
	g.play()
	return g.party.last.explanation()
}

// play carries out what was said, if it was not yet, and reports whether the test goes on.
func (g *rounds) play() bool {
	g.t.Helper()
	if g.open == nil || g.over {
		return !g.over
	}
	s := *g.open
	g.open = nil
	m, err := g.party.play(context.Background(), s)
	if err != nil {
		g.over = true
		g.t.Fatalf("%s: %v", title(s), err)
		return false
	}
	g.owed = m.owed()
	g.report(append(m.faults, laws{&m}.broken()...))
	return true
}

// settle ends a step: one that did not end well has to be wanted.
func (g *rounds) settle() {
	g.t.Helper()
	if g.play() && g.owed != "" {
		g.report([]string{g.owed})
	}
	g.owed = ""
}

// finish ends the game.
func (g *rounds) finish() {
	g.t.Helper()
	g.settle()
	if !g.over {
		for _, fault := range g.party.atEnd(context.Background()) {
			g.t.Errorf("%s", fault)
		}
	}
}

// report tells of faults, and of what happened.
func (g *rounds) report(faults []string) {
	g.t.Helper()
	if len(faults) > 0 {
		g.t.Errorf("%s", g.party.last.tell(faults))
	}
}

// owed says how a step ended, if not well, and not for a reason that is told already.
func (m *moment) owed() string {
	if m.outcome == nil || m.outcome.Err() == nil || len(m.faults) > 0 {
		return ""
	}
	text := "it ended as " + ended(m.outcome) + ", and nobody wants that: write want outcome " + ended(m.outcome) + ", or mend the script"
	for _, line := range lines(m.why) {
		text += "\n  why: " + line
	}
	return text
}

// tell puts faults together with what happened.
func (m *moment) tell(faults []string) string {
	var b strings.Builder
	b.WriteString(title(m.step) + "\n")
	for _, f := range faults {
		b.WriteString(indented(f))
	}
	b.WriteString("what happened:\n" + indented(m.happened()))
	return b.String()
}

func title(s ScenarioStep) string {
	line, _, _ := strings.Cut((ScenarioStep{Do: s.Do, Args: s.Args}).String(), "\n")
	if line == "" {
		return "at the beginning"
	}
	return utf8text.Clip(line, 120)
}

// indented are lines, each two blanks further in.
func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}
