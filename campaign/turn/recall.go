package turn

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/audience"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/turn/internal/window"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// recalls reports whether the memory is asked in this turn.
func recalls(t *run) bool {
	return t.order.in.Recall && t.dialog.kind.Has(game.BlockMemory) && t.values.Int(setting.MaxMemory) > 0
}

// whatToRecall asks the memory for what belongs to the newest messages.
func whatToRecall(t *run) *memory.Query {
	if !recalls(t) {
		return nil
	}
	q := &memory.Query{
		Campaign: t.next.ID, Branch: t.next.BranchID, Head: t.next.State.HeadTurnID, Viewer: viewOf(t).Listener().Character,
		Before: windowOf(t).FirstShown(), Limit: t.values.Int(setting.MaxMemory),
	}
	chat := windowOf(t).Chat()
	for _, message := range slices.Backward(chat[max(0, len(chat)-window.RecallTexts):]) {
		if strings.TrimSpace(message.Text) != "" {
			q.Texts = append(q.Texts, message.Text)
		}
	}
	return q
}

// recalled takes what the memory gave, best first.
func recalled(t *run, found Recalled) {
	if found.Error != "" {
		t.stage.Staged.Warn("memory: %s", found.Error)
	}
	t.found.recalled = slices.Clone(found.Items)
	slices.SortStableFunc(t.found.recalled, func(a, b memory.Item) int { return cmp.Compare(b.Score, a.Score) })
}

// whichRemembered asks for the turns that those items are about, where the head does not
// hold them.
func whichRemembered(t *run) *question.Past {
	var about []string
	for _, item := range t.found.recalled {
		if t.next.LeadsTo(item.TurnID, t.next.State.HeadTurnID) && !slices.Contains(about, item.TurnID) {
			about = append(about, item.TurnID)
		}
	}
	slices.Sort(about)
	return t.past.Asks(about, &t.next)
}

// judgeMemories makes lines of the prompt out of what the memory gave.
func (t *run) judgeMemories() {
	p := t.prompter()
	left := t.values.Int(setting.MaxMemory)
	var scripts *macro.Run
	for _, item := range t.found.recalled {
		one := turntrace.Memory{ID: item.ID, TurnID: item.TurnID, Score: item.Score}
		line := ""
		if one.Status = p.fits(item); one.Status == turntrace.MemoryShown {
			line = p.memoryLine(item, &scripts)
			one.Tokens = t.game.Counter().Count(line)
			left -= one.Tokens // once it is used up, nothing follows: the order is that of the scores
		}
		if one.Status == turntrace.MemoryShown && (left < 0 || line == "") {
			one.Status = turntrace.MemoryCut
		}
		if one.Status == turntrace.MemoryShown {
			t.found.memories = append(t.found.memories, line)
		}
		p.trace.Memories = append(p.trace.Memories, one)
	}
	p.keepRun(scripts)
	t.took(p)
}

// fits says whether an item belongs to the story as it stands, whatever the memory believes.
func (sc scenery) fits(item memory.Item) turntrace.MemoryStatus {
	if !sc.Campaign.LeadsTo(item.TurnID, sc.Campaign.State.HeadTurnID) {
		return turntrace.MemoryUndone
	}
	listener := sc.Listener()
	switch about, ok := sc.Played(item.TurnID); {
	case !ok:
		return turntrace.MemoryUndone // the start
	case about.Memory().Hash() != item.Hash:
		return turntrace.MemoryEdited
	case !listener.Sees(item.Witnesses) || !listener.Sees(about.Audience):
		return turntrace.MemoryUnwitnessed
	}
	return turntrace.MemoryShown
}

// memoryLine is an item with the index of its turn, after the scripts that change the reply of that
// turn for the prompt; "" if they leave nothing of it.
func (p *prompter) memoryLine(item memory.Item, scripts **macro.Run) string {
	about, _ := p.Played(item.TurnID)
	depth, text := p.DepthOf(about), item.Text
	p.scriptPrompted(scripts, script.Where{Placement: script.AIOutput, ForPrompt: true, Depth: &depth, Name: p.CharName()}, &text)
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return ""
	}
	only, _ := audience.Both(item.Witnesses, about.Audience)
	return strings.ReplaceAll(p.Game.Texts().Remembered, "{turn}", strconv.Itoa(about.Index)) + p.Known(p.Viewer().Mark(only)) + text
}
