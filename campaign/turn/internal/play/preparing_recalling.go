package play

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
)

// WhichTurns returns the question for turns that the running turn needs and the head does not hold.
func WhichTurns(t *Turn) *question.Past {
	if t.Past.Reach > 0 {
		return nil // the turns are in memory
	}
	w := t.Window()
	reach := w.Reach(w.Dialog.HistoryTurns)
	if q := t.Past.QuestionFor(w.Campaign.Newest(w.Campaign.State.HeadTurnID, reach), w.Campaign); q != nil {
		return q
	}
	t.Past.Reach = reach
	return nil
}

// WhatToRecall returns the question to the memory, with the newest messages.
func WhatToRecall(t *Turn) *memory.Query {
	if w := t.Window(); wantsMemories(w.Turn) {
		return memoryQuery(w)
	}
	return nil
}

// Recalled stores the items of the memory, best first.
func Recalled(t *Turn, items []memory.Item, failed string) {
	if failed != "" {
		t.Stage.Pending.Warn("memory: %s", failed)
	}
	t.Found.Recalled = slices.Clone(items)
	slices.SortStableFunc(t.Found.Recalled, func(a, b memory.Item) int { return cmp.Compare(b.Score, a.Score) })
}

// WhichRemembered returns the question for the turns of these items that the head does not hold.
func WhichRemembered(t *Turn) *question.Past {
	return t.Past.QuestionFor(turnsOf(t.Found.Recalled, &t.Next), &t.Next)
}

// JudgeMemories makes lines of the prompt from the items of the memory.
func JudgeMemories(t *Turn) {
	texts := t.Texts()
	t.Found.Memories = append(t.Found.Memories, memoryLines(texts, t.Found.Recalled)...)
	t.MergeTexts(texts)
}
