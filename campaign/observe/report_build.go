package observe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// builder collects the items of one section at a time.
type builder struct {
	turn  state.Turn
	why   turn.Explanation
	items []Item
}

func (b *builder) add(mark Mark, name, format string, args ...any) {
	b.items = append(b.items, Item{Mark: mark, Name: name, Text: strings.TrimSpace(fmt.Sprintf(format, args...))})
}

// text adds a text unless it is empty.
func (b *builder) text(name, text string) {
	if text != "" {
		b.items = append(b.items, Item{Mark: Note, Name: name, Text: text})
	}
}

func (b *builder) title() string {
	t := b.turn
	title := fmt.Sprintf("Turn %d (%s, branch %s)", t.Index, t.ID, t.BranchID)
	if !t.Timestamp.IsZero() {
		title += t.Timestamp.UTC().Format(", 2006-01-02 15:04:05 UTC")
	}
	return title
}

func (b *builder) addTurn() {
	t := b.turn
	b.text(cmp.Or(t.ActorID, "line"), t.UserInput)
	for _, r := range t.Replies {
		b.text(r.Speaker, r.Text)
	}
	if len(t.Replies) == 0 {
		b.text("answer", t.Text)
	}
	if t.DialogType != "" {
		b.add(Note, "dialog type", "%s, %s", t.DialogType, t.DialogTypeSource)
	}
	if t.Generation != "" {
		b.add(Note, "generation", "%s", t.Generation)
	}
	b.text("instructions", t.Instructions)
	if t.AlternativeOf != "" {
		b.add(Note, "another answer", "to the line of %s", t.AlternativeOf)
	}
	if t.RetriesUsed > 0 {
		b.add(Note, "asked again", "%d times", t.RetriesUsed)
	}
}

func (b *builder) addCast() {
	choice := b.turn.Trace.Cast
	if choice == nil {
		return
	}
	b.add(Note, "speakers", "%s", cmp.Or(strings.Join(choice.Speakers, ", "), "nobody"))
	for _, n := range choice.Trace {
		mark := Note
		if slices.Contains(choice.Speakers, n.ID) {
			mark = Done
		}
		text := string(n.Reason)
		if n.Draw != nil {
			text += fmt.Sprintf(", drew %.3f", *n.Draw)
		}
		b.add(mark, n.ID, "%s", text)
	}
	for _, id := range b.turn.Dropped {
		b.add(Refused, id, "the reply could not be brought in line with the state")
	}
}

func (b *builder) addMemory() {
	for _, m := range b.turn.Trace.Memories {
		mark := Refused
		if m.Status == state.MemoryShown {
			mark = Done
		}
		b.items = append(b.items, Item{Mark: mark, Name: m.ID, Tokens: m.Tokens,
			Text: fmt.Sprintf("of %s, score %.3g, %s", m.TurnID, m.Score, m.Status)})
	}
}

// farGates are the gates of entries that were not close to activation. All other entries were near.
var farGates = []string{"disabled", "no key found", "not examined", "blank key", "its book is closed"}

func (b *builder) addLore() {
	for _, l := range b.turn.Trace.Lore {
		name := l.ID
		if l.Comment != "" {
			name += " (" + l.Comment + ")"
		}
		b.add(Done, name, "%s", l.Why)
	}
	for _, e := range b.why.Lore {
		if !e.Active && !slices.Contains(farGates, e.Gate) {
			id, why, _ := strings.Cut(e.String(), ": ")
			b.add(Near, id, "%s", why)
		}
	}
	for _, key := range b.turn.Trace.Fuses {
		b.add(Refused, key, "the search was given up: it takes too many steps")
	}
	for _, id := range b.turn.Trace.Opened {
		b.add(Done, id, "the line opened the module")
	}
	for _, id := range b.turn.Trace.Closed {
		b.add(Done, id, "the line closed the module")
	}
}

func (b *builder) addPrompt() {
	for _, p := range b.turn.Trace.Prompt {
		mark := Refused
		switch p.Status {
		case "kept", "truncated":
			mark = Done
		case "empty", "not_due", "unused", "unlisted", "disabled":
			mark = Note
		}
		name := p.Key
		if p.Speaker != "" {
			name = p.Speaker + ": " + name
		}
		text := p.Status
		if p.Count > 0 {
			text += fmt.Sprintf(", lines: %d", p.Count)
		}
		if p.Reason != "" {
			text += ": " + p.Reason
		}
		b.items = append(b.items, Item{Mark: mark, Name: name, Text: text, Tokens: p.Tokens})
	}
}

func (b *builder) addReplies() {
	for i, a := range b.turn.Attempts {
		name := fmt.Sprintf("reply %d", i+1)
		mark := Done
		switch {
		case a.Updates:
			name = fmt.Sprintf("update %d", i+1)
		case i < b.lastReply() || len(a.FailedCalls) > 0:
			mark = Refused
		}
		b.add(mark, name, "%s", a.Output)
		for _, c := range a.Calls {
			b.add(Note, name, "calls %s %s", c.Name, c.Arguments)
		}
		for _, f := range a.FailedCalls {
			b.add(Refused, name, "call %s of %s: %s %s", f.ID, f.Tool, f.Reason, f.Message)
		}
		for _, c := range a.Conflicts {
			b.add(Refused, name, "%s", claim(c))
		}
		for _, c := range a.Warnings {
			b.add(Note, name, "%s", claim(c))
		}
		for _, q := range a.Questions {
			b.add(Note, name, "question %d, %s: %q: %s", q.N, q.Kind, q.Quote, answerOf(q.N, a.Answers))
		}
		if a.Finish != "" {
			b.add(Note, name, "ended because of %s", a.Finish)
		}
		if a.NoProgress {
			b.add(Note, name, "failed in the same ways as the one before")
		}
		for _, w := range a.ModelWarnings {
			b.add(Note, name, "warning %s %s", w.Code, w.Detail)
		}
		if u := a.Usage; u != nil {
			b.add(Note, name, "%d tokens of prompt (%d from a cache), %d of reply", u.PromptTokens, u.CachedTokens, u.CompletionTokens)
		}
		b.text(name+", thought", a.Reasoning)
	}
	for _, c := range b.turn.Overridden {
		b.add(Note, "overridden", "%s", claim(c))
	}
}

// lastReply returns the index of the last output that is no answer to a second request, -1 without
// one.
func (b *builder) lastReply() int {
	n := len(b.turn.Attempts) - 1
	for n >= 0 && b.turn.Attempts[n].Updates {
		n--
	}
	return n
}

// answerOf returns the answer to a question.
func answerOf(n int, answers []conflict.Verdict) string {
	for _, a := range answers {
		if a.N == n {
			text := a.Asserted
			for _, what := range []string{a.EntityID, a.Place} {
				if what != "" {
					text += ", " + what
				}
			}
			if a.Value != nil {
				text += fmt.Sprintf(", %d", *a.Value)
			}
			return text
		}
	}
	return "no answer"
}

// claim returns a contradiction with its quote.
func claim(c conflict.Conflict) string {
	text := c.Kind
	if c.EntityID != "" {
		text += " of " + c.EntityID
	}
	if c.Quote != "" {
		text += fmt.Sprintf(", said in %q", c.Quote)
	}
	if c.Asked != nil {
		text += fmt.Sprintf(", found by asking (%s: %s)", c.Asked.Kind, answerOf(c.Asked.Answer.N, []conflict.Verdict{c.Asked.Answer}))
	}
	if len(c.Expected) > 0 || len(c.Found) > 0 {
		text += fmt.Sprintf(": the state has %v, the text %v", facts(c.Expected), facts(c.Found))
	}
	return text
}

// facts returns the facts of a text or of the state, by name.
func facts(f conflict.Facts) string {
	v, err := tree.Of(f)
	if err != nil {
		return fmt.Sprint(f)
	}
	return v.String()
}

// addClaims lists the claims that the model declares for its text, each with the call that it
// names.
func (b *builder) addClaims() {
	list, problem := declared.Read(b.turn.Structured.Get(declared.Member))
	if problem != "" {
		b.add(Refused, "list", "%s", problem)
	}
	for _, c := range list {
		what := []string{}
		if c.Amount != nil {
			what = append(what, fmt.Sprintf("%+d", *c.Amount))
		}
		if c.Value != nil {
			what = append(what, fmt.Sprint(*c.Value))
		}
		for _, word := range []string{c.State, c.Place} {
			if word != "" {
				what = append(what, word)
			}
		}
		if c.Quote != "" {
			what = append(what, fmt.Sprintf("said in %q", c.Quote))
		}
		mark, rests := b.standing(c.Call)
		b.add(mark, strings.TrimSpace(c.Kind+" "+c.Who), "%s", strings.Join(append(what, rests), ", "))
	}
}

// standing returns whether the call for a claim took effect.
func (b *builder) standing(call string) (Mark, string) {
	switch n := b.lastReply(); {
	case call == "":
		return Note, "rests on no call"
	case slices.ContainsFunc(b.turn.Applied, func(a state.Applied) bool { return a.ID == call }):
		return Done, "rests on " + call
	case n >= 0 && slices.ContainsFunc(b.turn.Attempts[n].FailedCalls, func(f state.FailedCall) bool { return f.ID == call }):
		return Refused, "rests on " + call + ", which was refused"
	default:
		return Note, "rests on " + call + ", which changed nothing"
	}
}

func (b *builder) addCalls() {
	for _, a := range b.turn.Applied {
		text := fmt.Sprintf("%s gave %s", a.Args, a.Result)
		if a.Reason != "" {
			text += ", because: " + a.Reason
		}
		b.add(Done, a.Tool+" "+a.ID, "%s", text)
	}
	for _, g := range b.turn.Approvals {
		mark := Done
		if g.Verdict == state.Deny {
			mark = Refused
		}
		text := fmt.Sprintf("%s by %s", g.Verdict, cmp.Or(g.By, "somebody"))
		if g.Reason != "" {
			text += ": " + g.Reason
		}
		b.add(mark, g.Tool+" "+g.CallID, "%s", text)
	}
	for _, code := range b.turn.Unresolved {
		b.add(Refused, "unresolved", "%s", code)
	}
}

// farGatesOfRules are the gates of rules that were not close to firing.
var farGatesOfRules = []string{"fired", "disabled", "module", "pattern", "once"}

func (b *builder) addRules() {
	for _, f := range b.turn.Trace.Fired {
		text := fmt.Sprintf("on %s, hop %d", f.Event.Type, f.Hop+1)
		if len(f.Effects) > 0 {
			if v, err := tree.Of(f.Effects); err == nil {
				text += ": " + v.String()
			}
		}
		b.add(Done, f.ID, "%s", text)
	}
	for _, r := range b.why.Rules {
		if !slices.Contains(farGatesOfRules, r.Gate) {
			b.add(Near, r.ID, "%s", r.Text)
		}
	}
	for _, n := range b.turn.Trace.Notices {
		b.add(Done, "notice", "%s", n.Message)
	}
	for _, e := range b.turn.Trace.Cut {
		b.add(Refused, e.Type, "not heard: the chain of rules was too long")
	}
}

func (b *builder) addHooks() {
	for _, h := range b.turn.Trace.Hooks {
		mark := Done
		text := fmt.Sprintf("on %s: %s", h.EventType, h.Status)
		if h.Status == act.StatusSkipped {
			mark = Near
			text += ", " + string(h.Reason)
		}
		if h.Error != "" {
			mark = Refused
			text += ": " + h.Error
		}
		b.add(mark, cmp.Or(h.HookName, h.HookID), "%s", text)
	}
}

func (b *builder) addTexts() {
	for _, s := range b.turn.Trace.Scripts {
		if s.Problem != "" {
			b.add(Refused, s.Script, "%s", s.Problem)
			continue
		}
		b.add(Done, s.Script, "%d matches", s.Matches)
	}
	for _, r := range b.turn.Trace.Rewrites {
		b.add(Done, cmp.Or(r.By, "host"), "%s, %d places: %q becomes %q", r.Target, r.Times, r.Find, r.Text)
	}
}

func (b *builder) addChanges() {
	for _, c := range b.turn.Changes {
		b.add(Done, c.Path.String(), "%s to %s, by %s", shown(c.Old), shown(c.New), cmp.Or(c.By, "the turn"))
	}
	for _, c := range b.turn.Commands {
		if c.Status == memvars.Rejected {
			b.add(Refused, "command", "%s", c)
		}
	}
	for _, r := range b.turn.Trace.Refused {
		b.add(Refused, r.Path, "a write by %s: %s %s", cmp.Or(r.By, "somebody"), r.Reason, r.Text)
	}
}

// shown returns a value as text, or "nothing" if there is none.
func shown(v tree.Value) string {
	if !v.Exists() {
		return "nothing"
	}
	return v.String()
}

func (b *builder) addChance() {
	if draws := b.turn.Trace.Draws; len(draws) > 0 {
		list := make([]string, len(draws))
		for i, d := range draws {
			list[i] = fmt.Sprintf("%.3f", d)
		}
		b.add(Note, "drawn", "%s", strings.Join(list, " "))
	}
}

func (b *builder) addWarnings() {
	for _, w := range b.turn.Trace.Warnings {
		b.add(Note, "", "%s", w)
	}
}
