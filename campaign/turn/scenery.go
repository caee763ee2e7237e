package turn

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/hookevent"
	"github.com/talewright/talewright/campaign/turn/internal/view"
	"github.com/talewright/talewright/campaign/turn/internal/window"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
)

// scenery is what texts and prompts of a turn are made of: the game, the campaign and what
// the turn has found so far. It is for reading; only what is known of the past grows with it.
type scenery struct {
	window.Window
	scan     *worldbook.Result
	memories []string
	// marks says that lines of the history are marked as private.
	marks bool
}

// viewOf is what can be seen of the turn now.
func viewOf(t *run) view.Turn {
	return view.Turn{
		Game: t.game, Campaign: &t.next, State: &t.stage.Staged.State, In: &t.order.in, Dialog: &t.dialog.kind,
		Ask: t.order.ask, Line: t.order.line, Head: t.order.head, Values: t.values,
		Spoken: t.casting.spoken, Speaker: t.casting.speaking(), Draw: t.stage.Draw, Narrating: t.talk.narrating,
		Suggestions: t.order.suggestions,
	}
}

// windowOf is what the turn sees of the past.
func windowOf(t *run) window.Window { return window.Window{Turn: viewOf(t), Past: &t.past.Past} }

// occasionOf is what hooks may hear of the turn now.
func occasionOf(t *run) hookevent.Occasion {
	t.eventSeq++
	w := windowOf(t)
	last, _ := w.Played(t.next.State.HeadTurnID)
	return hookevent.Occasion{
		Turn: w.Turn, ID: fmt.Sprintf("evt_%04d_%03d", t.next.Version+1, t.eventSeq), // unique in the log
		Last: last, Memories: len(t.found.memories), Forced: len(t.found.forced), Lore: len(t.found.scan.Activated),
		Answer: hookevent.Answer{First: t.out.reply.First, Text: t.out.last.Text, Usage: t.out.reply.Usage},
		Call:   t.out.calling.call, Failed: t.out.calling.ruling.Failed, Result: t.out.calling.ruling.Judgement.Result,
		Kept: t.casting.kept, Changes: t.stage.Staged.Changes, Shown: t.shownText,
	}
}

func (t *run) scenery() scenery {
	return scenery{Window: windowOf(t), scan: &t.found.scan, memories: t.found.memories}
}

// prompter writes prompts, and the texts that scripts change. It works on a copy of the state and
// of the trace, which the turn takes over by [run.took].
type prompter struct {
	scenery
	own   state.State // what the state of the scenery is here
	trace turntrace.Trace
	text  *textPrompt // the prompt as one text, nil for messages
}

// prompter returns one for the turn as it stands.
func (t *run) prompter() *prompter {
	p := &prompter{scenery: t.scenery(), own: t.stage.Staged.State, trace: t.stage.Staged.Trace}
	p.State = &p.own
	return p
}

// took takes over what a prompter has written down: the variables of macros, what was told once and
// is told no more, and the trace.
func (t *run) took(p *prompter) {
	t.stage.Staged.State, t.stage.Staged.Trace = p.own, p.trace
}

// scripted is a stored text after the scripts for it.
func (t *run) scripted(text string, where script.Where) string {
	if text == "" || !t.game.Scripts().Wants(where) {
		return text
	}
	p := t.prompter()
	defer t.took(p)
	return p.scripted(text, where)
}

func (p *prompter) warn(format string, args ...any) {
	p.trace.Warnings = append(p.trace.Warnings, fmt.Sprintf(format, args...))
}
