package observe

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// builder collects the items of one section at a time.
type builder struct {
	source
	items []Item
}

// add adds an item. The text is a word of the pages, or a format.
func (b *builder) add(mark Mark, name, text string, args ...any) {
	b.items = append(b.items, Item{Mark: mark, Name: name, Text: strings.TrimSpace(b.say(text, args...))})
}

// text adds a text unless it is empty.
func (b *builder) text(name, text string) {
	if text != "" {
		b.items = append(b.items, Item{Mark: Note, Name: name, Text: text})
	}
}

func (b *builder) title() string {
	t := b.turn
	title := b.say("r.title", t.Index, t.ID, t.BranchID)
	if !t.Timestamp.IsZero() {
		title += t.Timestamp.UTC().Format(", 2006-01-02 15:04:05 UTC")
	}
	return title
}

func (b *builder) addTurn() {
	t := b.turn
	b.text(cmp.Or(t.ActorID, b.Of("r.line")), t.UserInput)
	for _, r := range t.Replies {
		b.text(r.Speaker, r.Text)
	}
	if len(t.Replies) == 0 {
		b.text(b.Of("r.answer"), t.Text)
	}
	b.text(b.Of("r.original"), t.Original)
	for _, c := range t.EditFindings {
		b.add(Note, b.Of("r.edited"), "%s", b.claim(c))
	}
	if n := len(t.Continued); n > 0 {
		b.add(Note, b.Of("r.continued"), "r.times", n)
	}
	b.text(b.Of("r.heard"), strings.Join(t.Audience, ", "))
	if t.DialogType != "" {
		b.add(Note, b.Of("r.dialog"), "%s, %s", t.DialogType, t.DialogTypeSource)
	}
	if t.Generation != "" {
		b.add(Note, b.Of("r.generation"), "%s", t.Generation)
	}
	b.text(b.Of("r.instructions"), t.Instructions)
	if t.AlternativeOf != "" {
		b.add(Note, b.Of("r.other"), "r.other.to", t.AlternativeOf)
	}
	if t.RetriesUsed > 0 {
		b.add(Note, b.Of("r.again"), "r.times", t.RetriesUsed)
	}
}

func (b *builder) addCast() {
	choice := b.turn.Trace.Cast
	if choice == nil {
		return
	}
	b.add(Note, b.Of("r.speakers"), "%s", cmp.Or(strings.Join(choice.Speakers, ", "), b.Of("r.nobody")))
	for _, n := range choice.Trace {
		mark := Note
		if slices.Contains(choice.Speakers, n.ID) {
			mark = Done
		}
		text := b.either("cast", string(n.Reason))
		if n.Draw != nil {
			text += b.say("r.drew", *n.Draw)
		}
		b.add(mark, n.ID, "%s", text)
	}
	for _, id := range b.turn.Dropped {
		b.add(Refused, id, "r.dropped")
	}
}

func (b *builder) addMemory() {
	for _, m := range b.turn.Trace.Memories {
		mark := Refused
		if m.Status == state.MemoryShown {
			mark = Done
		}
		b.items = append(b.items, Item{Mark: mark, Name: m.ID, Tokens: m.Tokens,
			Text: b.say("r.memory", m.TurnID, m.Score, b.either("memory", string(m.Status)))})
	}
}

// nameOf returns the ID of an entry with its comment.
func nameOf(id, comment string) string {
	if comment != "" {
		id += " (" + comment + ")"
	}
	return id
}

// reason returns the reason for which an entry was active, as [worldbook.Reason] writes it, in words.
func (w words) reason(reason string) string {
	quoted, ok := strings.CutPrefix(reason, "key ")
	key, err := strconv.QuotedPrefix(quoted)
	if !ok || err != nil {
		return w.either("lore", reason)
	}
	kind, _ := strings.CutPrefix(quoted[len(key):], " in ")
	message := -1
	if n, isMessage := strings.CutPrefix(kind, "message "); isMessage {
		if at, err := strconv.Atoi(n); err == nil {
			kind, message = "message", at
		}
	}
	return w.say("r.key", key, w.place(kind, message))
}

// gate returns the text for what stopped an entry.
func (w words) gate(gate string) string {
	if why := w["gate."+gate]; why != "" {
		return why
	}
	word, _, _ := strings.Cut(gate, " ")
	if why := w["gate."+word]; why != "" {
		return why + ": " + gate
	}
	return gate
}

// activation says what activated an entry, or what stopped it and what had activated it before.
func (b *builder) activation(e worldbook.Explanation) string {
	text := ""
	switch {
	case e.Active:
		text = b.reason(e.Reason.String())
	case e.Reason != nil:
		text = b.gate(e.Gate) + b.say("r.after", b.reason(e.Reason.String()))
	default:
		text = b.gate(e.Gate)
	}
	for i, id := range e.Path {
		text = b.say(map[bool]string{true: "r.via", false: "r.then"}[i == 0], text, id)
	}
	return text
}

// place says where a key was found.
func (w words) place(kind string, message int) string {
	switch {
	case kind != "message":
		return w.either("place", kind)
	case message == 0:
		return w.Of("newest")
	}
	return w.say("earlier", message)
}

// farGates are the gates of entries that were not close to activation. All other entries were near.
var farGates = []string{"disabled", "no key found", "not examined", "blank key", "its book is closed"}

func (b *builder) addLore() {
	for _, l := range b.turn.Trace.Lore {
		b.add(Done, nameOf(l.ID, l.Comment), "%s", b.reason(l.Why))
	}
	played := b.turn.ID != ""
	for _, e := range b.why.Lore {
		mark := Near
		switch {
		case e.Active && played: // it is listed above
			continue
		case e.Active:
			mark = Done
		case slices.Contains(farGates, e.Gate):
			if mark = Note; played {
				continue
			}
		}
		b.add(mark, nameOf(e.ID.String(), e.Comment), "%s", b.activation(e))
	}
	for _, key := range b.turn.Trace.Fuses {
		b.add(Refused, key, "r.fuse")
	}
	for _, id := range b.turn.Trace.Opened {
		b.add(Done, id, "r.opened")
	}
	for _, id := range b.turn.Trace.Closed {
		b.add(Done, id, "r.closed")
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
		text := b.either("status", p.Status)
		if p.Count > 0 {
			text += b.say("r.lines", p.Count)
		}
		if p.Reason != "" {
			text += ": " + b.either("because", p.Reason)
		}
		b.items = append(b.items, Item{Mark: mark, Name: name, Text: text, Tokens: p.Tokens})
	}
}

func (b *builder) addReplies() {
	for i, a := range b.turn.Attempts {
		name, mark := b.say("r.reply", i+1), Done
		if a.Updates {
			name = b.say("r.update", i+1)
		}
		if b.isRejected(i) {
			mark = Refused
		}
		b.add(mark, name, "%s", a.Output)
		for _, c := range a.Calls {
			b.add(Note, name, "r.calls", c.Name, c.Arguments)
		}
		for _, f := range a.FailedCalls {
			b.add(Refused, name, "r.failed", f.ID, f.Tool, cmp.Or(f.Message, string(f.Reason)))
		}
		for _, c := range a.Conflicts {
			b.add(Refused, name, "%s", b.claim(c))
		}
		for _, c := range a.Warnings {
			b.add(Note, name, "%s", b.claim(c))
		}
		for _, q := range a.Questions {
			b.add(Note, name, "r.question", q.N, q.Kind, q.Quote, b.answer(q.N, a.Answers, nil))
		}
		if a.Finish != "" {
			b.add(Note, name, "r.finish", a.Finish)
		}
		if a.NoProgress {
			b.add(Note, name, "r.same")
		}
		for _, w := range a.ModelWarnings {
			b.add(Note, name, "r.warning", w.Code, b.sentence(w.Detail))
		}
		if u := a.Usage; u != nil {
			b.add(Note, name, "r.usage", u.PromptTokens, u.CachedTokens, u.CompletionTokens)
		}
		b.text(b.say("r.thought", name), a.Reasoning)
	}
	for _, c := range b.turn.Overridden {
		b.add(Note, b.Of("r.overridden"), "%s", b.claim(c))
	}
}

// claim returns a contradiction with its quote.
func (b *builder) claim(c conflict.Conflict) string {
	text := c.Kind
	if c.EntityID != "" {
		text = b.say("r.of", c.Kind, c.EntityID)
	}
	if c.Quote != "" {
		text += b.say("r.said", c.Quote)
	}
	if c.Asked != nil {
		text += b.say("r.found", c.Asked.Kind, b.answer(c.Asked.Answer.N, []conflict.Verdict{c.Asked.Answer}, nil))
	}
	if len(c.Expected) > 0 || len(c.Found) > 0 {
		text += b.say("r.facts", facts(c.Expected), facts(c.Found))
	}
	return text
}

// facts returns the facts of a text or of the state, by name.
func facts(f conflict.Facts) string {
	v, _ := tree.Of(f) // facts are numbers, texts and lists of texts
	return v.String()
}

// addClaims lists the claims that the model declares for its text, each with the call that it
// names.
func (b *builder) addClaims() {
	list, problem := declared.Read(b.turn.Structured.Get(declared.Member))
	if problem != "" {
		b.add(Refused, b.Of("r.list"), "%s", problem)
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
			what = append(what, strings.TrimLeft(b.say("r.said", c.Quote), ", ，"))
		}
		mark, rests := b.claimSupport(c.Call)
		b.add(mark, strings.TrimSpace(c.Kind+" "+c.Who), "%s", strings.Join(append(what, rests), ", "))
	}
}

// claimSupport reports in words whether the call for a claim took effect.
func (b *builder) claimSupport(call string) (Mark, string) {
	switch n := b.lastReply(); {
	case call == "":
		return Note, b.Of("r.rests.none")
	case slices.ContainsFunc(b.turn.Applied, func(a state.Applied) bool { return a.ID == call }):
		return Done, b.say("r.rests.done", call)
	case n >= 0 && slices.ContainsFunc(b.turn.Attempts[n].FailedCalls, func(f state.FailedCall) bool { return f.ID == call }):
		return Refused, b.say("r.rests.refused", call)
	default:
		return Note, b.say("r.rests.idle", call)
	}
}

func (b *builder) addCalls() {
	for _, a := range b.turn.Applied {
		text := b.say("r.gave", a.Args, a.Result)
		if a.Reason != "" {
			text += b.say("r.because", a.Reason)
		}
		b.add(Done, a.Tool+" "+a.ID, "%s", text)
	}
	for _, g := range b.turn.Approvals {
		mark := Done
		if g.Verdict == state.Deny {
			mark = Refused
		}
		b.add(mark, g.Tool+" "+g.CallID, "%s", b.approval(g))
	}
	for _, code := range b.turn.Unresolved {
		b.add(Refused, b.Of("r.unresolved"), "%s", b.unresolved(code))
	}
}

// unresolved returns the text with which calls were refused for a reason, or its code.
func (b *builder) unresolved(code state.CallCode) string {
	for _, a := range slices.Backward(b.turn.Attempts) {
		for _, f := range a.FailedCalls {
			if f.Reason == code && f.Message != "" {
				return f.Message
			}
		}
	}
	return string(code)
}

// approval says who decided what about a call, and why.
func (w words) approval(g state.ApprovalGiven) string {
	text := w.say("r.by", w.either("verdict", string(g.Verdict)), cmp.Or(g.By, w.Of("r.somebody")))
	if g.Reason != "" {
		text += ": " + g.Reason
	}
	return text
}

// ruleTexts are the texts of [rules.Trace] about what stopped a rule: its kind, a number and the rest.
var ruleTexts = regexp.MustCompile(`^(condition|stop condition|chance|cooldown|count|none of) ([0-9.e+-]+)(?:: | left| of | conditions holds)(.*)$`)

// ruleText returns what stopped a rule in words.
func (w words) ruleText(text string) string {
	found := ruleTexts.FindStringSubmatch(text)
	if found == nil || w["stopped."+found[1]] == "" {
		return text
	}
	return w.say("stopped."+found[1], found[2], found[3])
}

// farGatesOfRules are the gates of rules that were not close to firing.
var farGatesOfRules = []string{"fired", "disabled", "module", "pattern", "once"}

func (b *builder) addRules() {
	for _, f := range b.turn.Trace.Fired {
		text := b.say("r.fired", f.Event.Type, f.Hop+1)
		if len(f.Effects) > 0 {
			v, _ := tree.Of(f.Effects) // effects have a JSON form
			text += ": " + v.String()
		}
		b.add(Done, f.ID, "%s", text)
	}
	for _, r := range b.why.Rules {
		if !slices.Contains(farGatesOfRules, r.Gate) {
			b.add(Near, r.ID, "%s", b.ruleText(r.Text))
		}
	}
	for _, n := range b.turn.Trace.Notices {
		b.add(Done, b.Of("notice"), "%s", n.Message)
	}
	for _, e := range b.turn.Trace.Cut {
		b.add(Refused, e.Type, "chain")
	}
}

func (b *builder) addHooks() {
	for _, h := range b.turn.Trace.Hooks {
		mark := Done
		text := b.say("r.hook", h.EventType, b.either("hook", string(h.Status)))
		if h.Status == act.StatusSkipped {
			mark = Near
			text += ", " + b.either("hook", string(h.Reason))
		}
		if h.Error != "" {
			mark = Refused
			text += ": " + b.sentence(h.Error)
		}
		b.add(mark, cmp.Or(h.HookName, h.HookID), "%s", text)
	}
}

func (b *builder) addTexts() {
	for _, s := range b.turn.Trace.Scripts {
		if s.Problem != "" {
			b.add(Refused, s.Script, "%s", b.sentence(s.Problem))
			continue
		}
		b.add(Done, s.Script, "r.matches", s.Matches)
	}
	for _, r := range b.turn.Trace.Rewrites {
		b.add(Done, cmp.Or(r.By, b.Of("r.host")), "r.rewrite", r.Target, r.Times, r.Find, r.Text)
	}
}

func (b *builder) addChanges() {
	for _, c := range b.turn.Changes {
		b.add(Done, c.Path.String(), "r.change", b.valueText(c.Old), b.valueText(c.New), cmp.Or(c.By, b.Of("the turn")))
	}
	for _, c := range b.turn.Commands {
		if c.Status == memvars.Rejected {
			b.add(Refused, b.Of("r.command"), "%s", c)
		}
	}
	for _, r := range b.turn.Trace.Refused {
		b.add(Refused, r.Path, "r.write", cmp.Or(r.By, b.Of("r.somebody")), r.Reason, r.Text)
	}
}

// valueText returns a value as text. An absent value is "nothing".
func (b *builder) valueText(v tree.Value) string {
	if !v.Exists() {
		return b.Of("nothing")
	}
	return v.String()
}

func (b *builder) addChance() {
	if draws := b.turn.Trace.Draws; len(draws) > 0 {
		list := make([]string, len(draws))
		for i, d := range draws {
			list[i] = fmt.Sprintf("%.3f", d)
		}
		b.add(Note, b.Of("r.drawn"), "%s", strings.Join(list, " "))
	}
}

func (b *builder) addWarnings() {
	for _, w := range b.turn.Trace.Warnings {
		b.add(Note, "", "%s", b.sentence(w))
	}
}
