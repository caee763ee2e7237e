package campaign

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/prompt/script"
)

// generate asks the model.
func (m *Machine) generate() error {
	t := m.turn
	if t.tooLong != nil {
		t.warn("%v", t.tooLong)
		return m.fail(Failed, Failure{Kind: FailurePrompt, Code: reasonTooLong, Err: t.tooLong})
	}
	return m.raise(hooks.EventBeforeModelCall, nil, func() error {
		m.phase = Generating
		t.settle() // what hooks did before the call is no part of an output
		g := &Generation{
			Request: t.request, Attempt: len(t.attempts) + 1, Retry: t.retryWhy,
			Intercept: t.values.Bool(setting.InterceptOutput) || t.game.rewritesReplies(),
		}
		return m.ask(Todo{Generate: g}, func(in Input) error {
			switch in := in.(type) {
			case Replied:
				return m.replied(in)
			case GenerateFailed:
				why := Failure{Kind: FailureModel, Code: in.Reason, Retry: in.Retry, RetryAfter: in.RetryAfter}
				if in.Cancelled {
					why.Kind, why.Retry = FailureCancelled, true
					return m.fail(Cancelled, why)
				}
				return m.fail(Failed, why)
			}
			return unexpected(in, "a reply")
		})
	})
}

// replied reads an output and judges its calls.
func (m *Machine) replied(in Replied) error {
	m.phase = Adjudicating
	t := m.turn
	t.undo()
	t.last = t.game.readAnswer(readOutput(in.Text, in.ToolCalls), t.scope())
	if kind := in.unfinished(); kind != "" {
		t.last.broken = kind
	}
	t.last.text = t.scripted(t.last.text, script.Where{Placement: script.AIOutput})
	if t.last.broken == "" && len(t.last.calls) == 0 && t.cleanNarration(t.last.text) == "" {
		t.last.broken = emptyOutput // commands alone tell the player nothing
	}
	attempt := Attempt{Output: in.Text, Calls: in.ToolCalls, Usage: in.Usage,
		Reasoning: t.scripted(in.Reasoning, script.Where{Placement: script.Reasoning}), ModelWarnings: in.Warnings}
	if in.Finish != llm.FinishStop && in.Finish != llm.FinishToolCalls {
		attempt.Finish = in.Finish
	}
	t.attempts = append(t.attempts, attempt)
	t.unsettled, t.findings = nil, nil
	payload := []memvars.Member{{Key: "text", Value: memvars.Text(t.last.text)}}
	if in.Usage != nil {
		if usage, err := valueOf(in.Usage); err == nil {
			payload = append(payload, memvars.Member{Key: "usage", Value: usage})
		}
	}
	return m.raise(hooks.EventAfterModelCall, payload, func() error {
		if t.last.broken != "" {
			t.findings = []conflict.Conflict{conflict.OutputConflict(t.last.broken, t.in.Text)}
			return m.decide()
		}
		t.court.narrating = t.narrating
		return m.judgeCalls(0, map[string]bool{})
	})
}

// judgeCalls judges the calls from the given one on, each on the state that the
// ones before left, with the hooks around each. Far beyond turn.max_tool_calls the
// rest has one ruling together.
func (m *Machine) judgeCalls(i int, seen map[string]bool) error {
	t := m.turn
	if i == len(t.last.calls) {
		return m.judgeNarration()
	}
	raw := t.last.calls[i]
	rest := 1 // calls that this ruling is about
	if i >= t.court.maxCalls+maxCallsListed {
		rest = len(t.last.calls) - i
	}
	about := []memvars.Member{
		{Key: "tool", Value: memvars.Text(raw.tool)}, {Key: "args", Value: raw.args},
	}
	return m.raise(hooks.EventBeforeToolCall, about, func() error {
		r := t.court.judge(i, raw, seen, t.staged.state)
		if rest > 1 {
			r.failed.Message = tooManyText(rest)
		}
		after := slices.Clone(about)
		if r.failed != nil {
			t.unsettled = append(t.unsettled, *r.failed)
			after = append(after, memvars.Member{Key: "error", Value: memvars.Text(r.failed.Reason)})
		} else {
			t.carryOut(r)
			after = append(after, memvars.Member{Key: "result", Value: r.judgement.Result})
		}
		return m.raise(hooks.EventAfterToolCall, after, func() error { return m.judgeCalls(i+rest, seen) })
	})
}

// carryOut applies an accepted call to what is staged.
func (t *turn) carryOut(r ruling) {
	p := &t.staged
	from := len(p.evidence)
	t.apply(byTool+r.call.Tool, asData(r.judgement.Effects))
	p.applied = append(p.applied, Applied{
		ID: r.call.ID, Tool: r.call.Tool, Args: r.call.Args, Reason: r.call.Reason,
		Result: r.judgement.Result,
	})
	tool, _ := t.game.tools.Get(r.call.Tool)
	// The evidence of one call stands in one action.
	action := conflict.Action{
		Tool: r.call.Tool, Args: raw(r.call.Args), Result: raw(r.judgement.Result),
		Affects: tool.Affects, CharacterIDs: p.state.named(r.call.Args), Rolls: rollsOf(r),
	}
	for _, e := range p.evidence[from:] {
		action.HP = append(action.HP, e.HP...)
		action.Lives = append(action.Lives, e.Lives...)
		action.Moves = append(action.Moves, e.Moves...)
	}
	p.evidence = append(p.evidence[:from], action)
}

// named lists the characters that arguments of a call name by their ids.
func (s State) named(args memvars.Value) []string {
	var out []string
	for _, v := range args.Members() {
		if id, ok := v.AsText(); ok && s.characterIndex(id) >= 0 && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func raw(v memvars.Value) json.RawMessage { return json.RawMessage(v.AppendJSON(nil)) }

// rollsOf reads dice out of a result: a tool that rolls says roll and total.
func rollsOf(r ruling) []conflict.Roll {
	roll, ok1 := r.judgement.Result.Get("roll").AsNumber()
	total, ok2 := r.judgement.Result.Get("total").AsNumber()
	if !ok1 || !ok2 {
		return nil
	}
	actor, _ := r.judgement.Result.Get("actor_id").AsText()
	a, _ := roll.Int64()
	b, _ := total.Int64()
	return []conflict.Roll{{CharacterID: actor, Roll: int(a), Total: int(b)}}
}

// judgeNarration looks for contradictions between the text and the state.
func (m *Machine) judgeNarration() error {
	t := m.turn
	opts := t.conflictOptions()
	narration := t.last.text
	if t.planning() {
		narration = "" // the text of the planning phase is dropped
	}
	clean := t.cleanNarration(narration)
	t.findings = append(conflict.Detect(clean, t.structured(), t.view(), opts), t.leaks(opts)...)
	if opts.Judge != conflict.JudgeConfirm && opts.Judge != conflict.JudgeFull ||
		opts.Mode == conflict.Off || clean == "" {
		return m.decide()
	}
	q := &JudgeQuestion{
		Narration: clean, Expected: t.staged.state.expectedState(),
		Applied: slices.Clone(t.staged.applied), Findings: slices.Clone(t.findings),
	}
	return m.ask(Todo{Judge: q}, func(in Input) error {
		judged, ok := in.(Judged)
		if !ok {
			return unexpected(in, "a verdict")
		}
		if judged.Error != "" {
			t.warn("judge: %s", judged.Error)
		} else {
			t.findings = conflict.MergeJudge(clean, t.findings, judged.Verdicts, opts)
		}
		return m.decide()
	})
}

func (t *turn) conflictOptions() conflict.Options {
	opts := conflict.Options{
		Mode:          conflict.Mode(t.values.Text(setting.ConflictMode)),
		HPQualitative: conflict.Level(t.values.Text(setting.HPQualitative)),
		Judge:         conflict.JudgeMode(t.values.Text(setting.Judge)),
		Extra:         t.game.content.Detectors,
		Detectors:     map[string]conflict.Level{},
	}
	for name, level := range t.values.Get(setting.Detectors).Members() {
		word, _ := level.AsText()
		opts.Detectors[name] = conflict.Level(word)
	}
	return opts
}

func (t *turn) structured() map[string]json.RawMessage {
	if t.last.extra.Len() == 0 {
		return nil
	}
	out := map[string]json.RawMessage{}
	for key, v := range t.last.extra.Members() {
		out[key] = raw(v)
	}
	return out
}

// view is the state after the actions of this turn, as detectors see it.
func (t *turn) view() conflict.View {
	s := t.staged.state
	v := conflict.View{
		ActorID: t.in.ActorID, Party: s.Selected.Party,
		Goal:         conflict.Goal{Text: t.next.Goal.Text, Hidden: t.next.Goal.Hidden},
		Actions:      t.staged.evidence,
		CheckAllowed: slices.Contains(t.next.Allowlist, "check"),
	}
	for _, c := range s.Characters {
		v.Characters = append(v.Characters, conflictCharacter(c))
	}
	for _, a := range s.Map.Areas {
		v.Areas = append(v.Areas, conflict.Area{
			ID: a.ID, Name: a.Name, Aliases: a.Aliases, Parent: a.Parent, Locked: a.Locked})
	}
	for _, p := range s.Map.Paths {
		v.Connections = append(v.Connections, conflict.Connection{From: p.From, To: p.To})
	}
	for _, r := range s.World.Rules {
		v.Rules = append(v.Rules, conflict.WorldRule{ID: r.ID, Keywords: r.Keywords})
	}
	return v
}

func conflictCharacter(c Character) conflict.Character {
	out := conflict.Character{
		ID: c.ID, Name: c.Name, Aliases: c.Aliases, AliveState: string(c.Status.AliveState),
		HP: conflict.HP{Current: c.HP.Current, Max: c.HP.Max}, AreaID: c.AreaID,
	}
	for key, v := range c.Attributes.Members() {
		text, isText := v.AsText()
		if !isText {
			text = v.String()
		}
		out.Card = append(out.Card, conflict.CardField{Label: key, Value: text})
	}
	for _, s := range c.Skills {
		field := conflict.CardField{Label: s.Name}
		if s.Level != nil {
			field.Value = fmt.Sprint(*s.Level)
		}
		out.Card = append(out.Card, field)
	}
	return out
}

// planning reports whether this is the phase in which only calls count.
func (t *turn) planning() bool {
	return t.values.Text(setting.TurnMode) == "plan_narrate" && !t.narrating && t.offersTools()
}

// decide looks at everything that is wrong with an output, and goes on, back, or
// gives up.
func (m *Machine) decide() error {
	t := m.turn
	blocking, warnings := split(t.findings)
	blocking = blocking[:min(len(blocking), maxConflicts)]
	warnings = warnings[:min(len(warnings), maxConflicts)]
	at := &t.attempts[len(t.attempts)-1]
	at.FailedCalls, at.Conflicts, at.Warnings = t.unsettled, blocking, warnings
	at.NoProgress = sameFaults(t.attempts)
	*at = t.forPeople(*at)
	calls := len(t.last.calls)
	refusals := len(t.unsettled) > 0 && t.values.Text(setting.OnRejection) != "commit_partial"
	switch {
	case len(blocking) > 0 || refusals:
		return m.retry(blocking)
	case t.planning():
		return m.narrate()
	case t.last.text == "" && calls > 0:
		return m.nextRound()
	}
	return m.settling()
}

// nextRound lets the model see the results of its calls before it narrates.
func (m *Machine) nextRound() error {
	t := m.turn
	t.rounds++
	if t.rounds >= t.values.Int(setting.MaxToolRounds) {
		t.findings = append(t.findings, conflict.OutputConflict(emptyOutput, t.in.Text))
		blocking, _ := split(t.findings)
		t.attempts[len(t.attempts)-1].Conflicts = blocking
		return m.retry(blocking)
	}
	t.settle()
	t.refused = append(t.refused, t.unsettled...)
	t.continueRequest()
	t.retryWhy = ""
	return m.generate()
}

// narrate starts the second phase of plan_narrate.
func (m *Machine) narrate() error {
	t := m.turn
	t.settle()
	t.refused = append(t.refused, t.unsettled...)
	t.narrating = true
	t.continueRequest()
	t.appendMessage(KindNarrate, llm.User, t.game.texts.Narrate)
	t.retryWhy = ""
	return m.generate()
}

// retry asks again with feedback, as long as the budget lasts.
func (m *Machine) retry(blocking []conflict.Conflict) error {
	m.phase = Retrying
	t := m.turn
	limit := t.values.Int(setting.MaxRetries)
	if t.retries < limit {
		t.retries++
		t.feedback(blocking, limit-t.retries)
		t.retryWhy = faultClasses(t.unsettled, blocking)
		t.undo()
		return m.generate()
	}
	if len(blocking) == 0 && t.last.text != "" && !t.planning() {
		return m.settling() // refused calls, but a narration that agrees with the state
	}
	return m.giveUp(blocking)
}

// giveUp leaves the decision to a person. The state stays as it was.
func (m *Machine) giveUp(blocking []conflict.Conflict) error {
	t := m.turn
	last := t.attempts[len(t.attempts)-1]
	report := ConflictReport{
		CampaignID: t.next.ID, ActorID: t.in.ActorID, UserInput: t.asked.Text, ClientTurnID: t.in.ClientTurnID,
		Attempts: len(t.attempts), MaxRetries: t.values.Int(setting.MaxRetries),
		Conflicts:   append([]conflict.Conflict{}, last.Conflicts...),
		FailedCalls: append([]FailedCall{}, last.FailedCalls...),
		Expected:    t.next.State.expectedState(), History: t.attempts, Options: reportOptions(),
	}
	next := t.next
	next.PendingConflict = &report
	if t.in.ClientTurnID != "" {
		if next.Conflicts == nil {
			next.Conflicts = map[string]StoredConflict{}
		}
		next.Conflicts[t.in.ClientTurnID] = StoredConflict{
			Fingerprint: fingerprint(t.asked), Report: report, RetriesUsed: t.retries,
			DialogType: t.kind.ID, DialogTypeSource: t.source}
	}
	outcome := &Outcome{
		Status: Conflict, Report: &report, Attempts: t.attempts, RetriesUsed: t.retries,
		DialogType: t.kind.ID, DialogTypeSource: t.source,
	}
	announce := m.wanted(Announce{Event: EventTurnConflict, At: t.in.At, Channel: t.in.Channel,
		Payload: memvars.Object(memvars.Member{Key: "kinds",
			Value: memvars.Text(faultClasses(t.unsettled, blocking))})})
	return m.commit(kindConflict, t.in.At, next, nil, func() Todo {
		return Todo{Announce: announce, Outcome: outcome}
	})
}

// fail ends a turn that could not be played. Only what its acceptance changed
// stays.
func (m *Machine) fail(status OutcomeStatus, why Failure) error {
	t := m.turn
	outcome := &Outcome{
		Status: status, Reason: why.Code, Failure: &why, Attempts: t.attempts, RetriesUsed: t.retries,
		DialogType: t.kind.ID, DialogTypeSource: t.source,
	}
	if !t.headChanged {
		return m.finish(Todo{Outcome: outcome})
	}
	return m.commit(kindFailed, t.in.At, t.next, nil, func() Todo { return Todo{Outcome: outcome} })
}

func split(all []conflict.Conflict) (blocking, warnings []conflict.Conflict) {
	for _, c := range all {
		if c.Severity == conflict.Block {
			blocking = append(blocking, c)
		} else {
			warnings = append(warnings, c)
		}
	}
	return blocking, warnings
}

// sameFaults reports whether the last attempt failed in the same ways as the one
// before.
func sameFaults(attempts []Attempt) bool {
	n := len(attempts)
	if n < 2 {
		return false
	}
	a, b := faultKinds(attempts[n-2]), faultKinds(attempts[n-1])
	return len(b) > 0 && slices.Equal(a, b)
}

func faultKinds(a Attempt) []string {
	var kinds []string
	for _, f := range a.FailedCalls {
		reason := f.Reason
		if f.OriginalReason != "" {
			reason = f.OriginalReason
		}
		kinds = append(kinds, "call "+f.Tool+" "+reason)
	}
	for _, c := range a.Conflicts {
		kinds = append(kinds, c.Kind+" "+c.EntityID)
	}
	slices.Sort(kinds)
	return kinds
}

// faultClasses names what was wrong, without any text of the model's.
func faultClasses(failed []FailedCall, blocking []conflict.Conflict) string {
	var out []string
	if len(failed) > 0 {
		out = append(out, "refused_calls")
	}
	for _, c := range blocking {
		if !slices.Contains(out, c.Kind) {
			out = append(out, c.Kind)
		}
	}
	return strings.Join(out, ",")
}

// feedbackJSON encodes what is told to the model.
func feedbackJSON(v any) string {
	data, err := openjson.Marshal(v)
	if err != nil {
		return "{}" // plain strings, numbers and JSON values always encode
	}
	return string(data)
}
