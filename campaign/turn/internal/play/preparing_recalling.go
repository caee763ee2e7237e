package play

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
)

// WhichTurns asks for turns that the running one needs and the head does not hold.
func WhichTurns(t *Turn) *question.Past {
	if t.Past.Reach > 0 {
		return nil // they are at hand
	}
	w := t.Window()
	reach := w.Reach(w.Dialog.HistoryTurns)
	if q := t.Past.Asks(w.Campaign.Newest(w.Campaign.State.HeadTurnID, reach), w.Campaign); q != nil {
		return q
	}
	t.Past.Reach = reach
	return nil
}

// WhatToRecall asks the memory for what belongs to the newest messages.
func WhatToRecall(t *Turn) *memory.Query {
	if w := t.Window(); wantsMemories(w.Turn) {
		return memoryQuery(w)
	}
	return nil
}

// Recalled takes what the memory gave, best first.
func Recalled(t *Turn, items []memory.Item, failed string) {
	if failed != "" {
		t.Stage.Staged.Warn("memory: %s", failed)
	}
	t.Found.Recalled = slices.Clone(items)
	slices.SortStableFunc(t.Found.Recalled, func(a, b memory.Item) int { return cmp.Compare(b.Score, a.Score) })
}

// WhichRemembered asks for the turns that those items are about, where the head does not
// hold them.
func WhichRemembered(t *Turn) *question.Past {
	return t.Past.Asks(turnsOf(t.Found.Recalled, &t.Next), &t.Next)
}

// JudgeMemories makes lines of the prompt out of what the memory gave.
func JudgeMemories(t *Turn) {
	texts := t.Texts()
	t.Found.Memories = append(t.Found.Memories, memoryLines(texts, t.Found.Recalled)...)
	t.Took(texts)
}
