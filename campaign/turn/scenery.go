package turn

import (
	"fmt"

	"github.com/talewright/talewright/campaign/turn/internal/hookevent"
	"github.com/talewright/talewright/campaign/turn/internal/scripting"
	"github.com/talewright/talewright/campaign/turn/internal/view"
	"github.com/talewright/talewright/campaign/turn/internal/window"
	"github.com/talewright/talewright/prompt/script"
)

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

// textsOf are the texts of the turn as it stands, for scripts and macros.
func textsOf(t *run) *scripting.Texts { return scripting.New(windowOf(t), t.stage.Staged.Trace) }

// took takes over what scripts and macros have written down: the variables of macros, what was told once
// and is told no more, and the trace.
func (t *run) took(texts *scripting.Texts) {
	t.stage.Staged.State, t.stage.Staged.Trace = *texts.State, texts.Trace
}

// scripted is a stored text after the scripts for it.
func (t *run) scripted(text string, where script.Where) string {
	if text == "" || !t.game.Scripts().Wants(where) {
		return text
	}
	texts := textsOf(t)
	defer t.took(texts)
	return texts.Stored(text, where)
}
