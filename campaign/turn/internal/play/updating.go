package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// This file has the second request of a turn, which asks for changes of variables after the
// narration is accepted. It is written with the first request, from the same state and with the same
// random numbers, and leaves neither changed.

// Second is the second request of a turn, and the answer to it.
type Second struct {
	talk   *Exchange
	spoken int                 // number of replies of a cast in its prompt
	prompt []state.TracePrompt // the parts of its prompt, for the trace of the turn
	lore   []state.TraceLore   // the entries that only this request has, for the trace of the turn
	Text   string              // the answer; only its commands count
}

// prepareSecond writes the second request, if the turn has one. Writes of its texts are dropped,
// because they were already made for the first request.
func prepareSecond(t *Turn) {
	t.Second = nil
	w := t.Window()
	if t.Found.Second == nil || t.Stage.ReadOnly {
		return
	}
	w.Draw, w.Updating = t.Stage.Peek(), true
	p := &prepare.Prompter{Texts: prepare.New(w, state.TurnTrace{}), Scan: t.Found.Second, Memories: t.Found.Memories}
	p.Resume(t.Found.SecondTemplates)
	written, err := p.Write()
	if err != nil {
		t.Stage.Pending.Warn("updater: %v", err)
		return
	}
	second := &Second{spoken: len(t.Casting.raw), prompt: p.Trace.Prompt,
		talk: &Exchange{Request: written.Request, Text: written.Text, Assembled: written.Result}}
	t.Second = second
	for i := range second.prompt {
		second.prompt[i].Key = "update." + second.prompt[i].Key
	}
	for _, a := range t.Found.Second.Activated {
		isSame := func(b worldbook.Activation) bool { return a.ID == b.ID }
		if !slices.ContainsFunc(t.Found.Scan.Activated, isSame) {
			second.lore = append(second.lore, state.TraceLore{ID: a.ID.String(), Comment: a.Comment, Why: a.Reason.String(), Updates: true})
		}
	}
}

// SecondRequest returns the second request, nil if the turn has none: the prompt, the reply, and
// the instruction. If they do not fit, the turn continues without it.
func SecondRequest(t *Turn) *question.Generate {
	if t.Second == nil {
		return nil
	}
	exchange, p := t.Second.talk, &t.Stage.Pending
	budget := t.Window().Budget()
	replies := t.Casting.raw[t.Second.spoken:] // none if the last speaker was left out
	if !t.Casting.Active() {
		replies = []string{t.Written()}
	}
	for _, text := range replies {
		exchange.Append(budget, question.Message{Kind: question.KindHistory, Message: llm.Message{Role: llm.Assistant, Text: text}})
	}
	exchange.AppendText(question.KindUpdate, t.Game.Texts().Update, budget)
	if exchange.TooLong != nil {
		p.Warn("updater: %v", exchange.TooLong)
		return nil
	}
	exchange.Request.Tools, exchange.Request.Prefill = nil, ""
	exchange.Request.Messages = t.Stage.Rewrites.RewritePrompt(&p.Trace, exchange.Request.Messages, 0)
	p.Trace.Prompt, p.Trace.Lore = append(p.Trace.Prompt, t.Second.prompt...), append(p.Trace.Lore, t.Second.lore...)
	return &question.Generate{Request: exchange.Request, Attempt: len(t.Attempts) + 1, Intercept: true, Updates: true,
		Audience: t.Order.In.Audience}
}

// Updated records the answer to the second request. An unfinished answer has no effect.
func Updated(t *Turn, in Reply) {
	addAttempt(t, in).Updates = true
	if kind := in.Unfinished(); kind != "" {
		t.Stage.Pending.Warn("updater: %s", kind)
		return
	}
	t.Second.Text = in.Text
}
