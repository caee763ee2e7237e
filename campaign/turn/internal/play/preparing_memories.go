package play

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// wantsMemories reports whether the memory is asked in a turn.
func wantsMemories(v draft.Turn) bool {
	return v.In.Recall && v.Dialog.Has(game.BlockMemory) && v.Values.Int(settingkey.MaxMemory) > 0
}

// memoryQuery returns the question to the memory, with the newest messages.
func memoryQuery(w past.Window) *memory.Query {
	q := &memory.Query{
		Campaign: w.Campaign.ID, Branch: w.Campaign.BranchID, Head: w.Campaign.State.HeadTurnID,
		Before: w.FirstShown(), Limit: w.Values.Int(settingkey.MaxMemory),
	}
	if w.Mode() != state.AudienceOff {
		q.Viewer = w.In.ActorID
	}
	if all := w.Listener(); all.Shared { // the answer must not lack what all know because one knows more
		q.Hearers, q.Public = all.Group, len(all.Group) == 0
	}
	chat := w.Chat()
	for _, message := range slices.Backward(chat[max(0, len(chat)-past.RecallTexts):]) {
		if strings.TrimSpace(message.Text) != "" {
			q.Texts = append(q.Texts, message.Text)
		}
	}
	return q
}

// turnsOf returns the IDs of the turns of items that lead to the head, in their order.
func turnsOf(items []memory.Item, c *state.Campaign) (turns []string) {
	for _, item := range items {
		if c.LeadsTo(item.TurnID, c.State.HeadTurnID) && !slices.Contains(turns, item.TurnID) {
			turns = append(turns, item.TurnID)
		}
	}
	slices.Sort(turns)
	return turns
}

// memoryLines makes lines of the prompt from the items of the memory, best first. The trace of the
// texts records the status of each item.
func memoryLines(t *prepare.Texts, items []memory.Item) (lines []string) {
	tokensLeft := t.Values.Int(settingkey.MaxMemory)
	var scripts *macro.Run
	for _, item := range items {
		traced := state.TraceMemory{ID: item.ID, TurnID: item.TurnID, Score: item.Score}
		text := ""
		if traced.Status = memoryStatus(t.Window, item); traced.Status == state.MemoryShown {
			text = memoryLine(t, item, &scripts)
			traced.Tokens = t.Game.Counter().Count(text)
			tokensLeft -= traced.Tokens // when the budget is used up, no later item is shown: the items are in the order of their scores
		}
		if traced.Status == state.MemoryShown && (tokensLeft < 0 || text == "") {
			traced.Status = state.MemoryCut
		}
		if traced.Status == state.MemoryShown {
			lines = append(lines, text)
		}
		t.Trace.Memories = append(t.Trace.Memories, traced)
	}
	t.Keep(scripts)
	return lines
}

// memoryStatus returns the reason why an item of the memory is not shown, or [state.MemoryShown]. An
// item may belong to an undone turn or be private. This is checked here, because a memory of the host
// may not check it.
func memoryStatus(w past.Window, item memory.Item) state.MemoryStatus {
	if !w.Campaign.LeadsTo(item.TurnID, w.Campaign.State.HeadTurnID) {
		return state.MemoryUndone
	}
	listener := w.Listener()
	switch turn, ok := w.Played(item.TurnID); {
	case !ok:
		return state.MemoryUndone // the start of the campaign
	case turn.Memory().Hash() != item.Hash:
		return state.MemoryEdited
	case !listener.Sees(item.Witnesses) || !listener.Sees(turn.Audience):
		return state.MemoryUnwitnessed
	}
	return state.MemoryShown
}

// memoryLine returns the line of an item with the index of its turn, after the scripts that change
// the reply of that turn for the prompt. It names the speakers, if there are several. It returns "" if
// the scripts leave no text.
func memoryLine(t *prepare.Texts, item memory.Item, scripts **macro.Run) string {
	turn, _ := t.Played(item.TurnID)
	depth := t.DepthOf(turn)
	var said []string
	for _, part := range memoryParts(t.Window, turn, item.Text) {
		text := part.text
		t.Prompted(scripts, script.Where{Placement: script.AIOutput, ForPrompt: true, Depth: &depth, Name: cmp.Or(part.speaker, t.CharName())}, &text)
		if text = strings.Join(strings.Fields(text), " "); text == "" {
			continue
		}
		if part.speaker != "" {
			text = part.speaker + ": " + text
		}
		said = append(said, text)
	}
	if len(said) == 0 {
		return ""
	}
	witnesses, _ := state.CommonAudience(item.Witnesses, turn.Audience)
	begin := strings.ReplaceAll(t.Game.Texts().Remembered, "{turn}", strconv.Itoa(turn.Index))
	return begin + t.WitnessMark(t.Viewer().Mark(witnesses)) + strings.Join(said, " ")
}

// memoryPart is a part of a memory with the name of its speaker; "" is not shown.
type memoryPart struct{ speaker, text string }

// memoryParts divides a memory by the speakers of its turn: the player, if there are several, and the
// members of the cast. A text that is not part of the turn, such as a summary, is one part without a
// speaker.
func memoryParts(w past.Window, turn *state.Turn, text string) (parts []memoryPart) {
	whole := turn.UserInput + "\n" + turn.Text
	from := strings.Index(whole, text)
	if from < 0 {
		return []memoryPart{{text: text}}
	}
	rest := from + len(text)
	add := func(speaker string, end int) { // whole[end:] belongs to the next speakers
		if end = min(end, rest); end > from {
			parts, from = append(parts, memoryPart{speaker, whole[from:end]}), end
		}
	}
	speaker, at := "", 0
	if turn.UserInput != "" && (w.HasSeveralPlayers() || w.ActorName(turn.ActorID) != w.UserName()) {
		speaker, at = w.ActorName(turn.ActorID), len(turn.UserInput)
		if len(turn.Replies) == 0 {
			add(speaker, at)
			speaker = w.TellerName()
		}
	}
	for _, r := range turn.Replies {
		begin := strings.Index(whole[at:], r.Text)
		if begin < 0 { // the text was edited
			continue
		}
		add(speaker, at+begin)
		speaker, at = w.MemberName(r.Speaker), at+begin+len(r.Text)
	}
	add(speaker, rest)
	return parts
}
