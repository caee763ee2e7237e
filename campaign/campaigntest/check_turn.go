package campaigntest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
)

func checkHook(m *snapshot, args []string) checkResult {
	a := checkResult{got: "the hook did not run"}
	var known []string
	for _, h := range m.game.Content().Rules.Hooks {
		known = append(known, h.ID)
		if h.Name == args[0] {
			known = append(known, h.Name)
		}
	}
	if !slices.Contains(known, args[0]) {
		return unknownName("hook", args[0], known)
	}
	for _, l := range traceOf(m.outcome).Hooks {
		if l.HookID == args[0] || l.HookName == args[0] {
			if l.Status == act.StatusSuccess {
				return checkResult{holds: true, got: "the hook ran on " + l.EventType}
			}
			a.why = append(a.why, fmt.Sprintf("on %s: %s %s %s", l.EventType, l.Status, l.Reason, l.Error))
		}
	}
	return a
}

func checkNarration(m *snapshot, args []string) checkResult {
	text := m.turn().Text
	if m.outcome == nil || m.outcome.Turn == nil {
		return checkResult{got: "there is no narration"}
	}
	return checkResult{holds: strings.Contains(text, args[0]), got: "the narration is " + strconv.Quote(utf8text.Clip(text, 400))}
}

func checkSpeaker(m *snapshot, args []string) checkResult {
	members := namesOf(m.game.Content().People.Cast, func(c game.CastMember) string { return c.CharacterID })
	if !slices.Contains(members, args[0]) {
		return unknownName("member of the cast", args[0], members)
	}
	a := checkResult{got: args[0] + " did not speak", why: m.whoSpeaks()}
	for _, r := range m.turn().Replies {
		if r.Speaker == args[0] {
			a.got = args[0] + " said " + strconv.Quote(utf8text.Clip(r.Text, 200))
			a.holds = a.holds || strings.Contains(r.Text, second(args))
		}
	}
	return a
}

// whoSpeaks returns how the speakers of a turn were chosen, line by line.
func (m *snapshot) whoSpeaks() (list []string) {
	if chosen := traceOf(m.outcome).Cast; chosen != nil {
		for line := range strings.Lines(chosen.String()) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

func checkApplied(m *snapshot, args []string) checkResult {
	for _, a := range m.turn().Applied {
		if a.Tool == args[0] {
			return checkResult{holds: true, got: fmt.Sprintf("%s was accepted: %s", a.Tool, a.Result)}
		}
	}
	if unknown := m.unknownTool(args[0]); unknown.isUnknownName {
		return unknown
	}
	return checkResult{got: "no call of " + args[0] + " was accepted", why: m.whyCalls(args[0])}
}

func checkRefused(m *snapshot, args []string) checkResult {
	a := checkResult{got: "no call of " + args[0] + " was refused", why: m.whyCalls(args[0])}
	for _, f := range m.failedCalls() {
		if f.Tool != args[0] {
			continue
		}
		code := string(f.Reason)
		if second(args) == "" || second(args) == code || second(args) == string(f.OriginalReason) {
			return checkResult{holds: true, got: fmt.Sprintf("%s was refused: %s", f.Tool, code)}
		}
		a.got = fmt.Sprintf("%s was refused, but as %s", f.Tool, code)
	}
	if unknown := m.unknownTool(args[0]); unknown.isUnknownName {
		return unknown
	}
	return a
}

// unknownTool returns the result of a check of a tool that is not registered, and otherwise an empty
// result.
func (m *snapshot) unknownTool(name string) checkResult {
	if _, known := m.game.Tool(name); known {
		return checkResult{}
	}
	return unknownName("tool", name, slices.Clone(m.game.Tools().Names()))
}

// conflicts returns the conflicts of all outputs that blocked a narration.
func (m *snapshot) conflicts() (list []conflict.Conflict) {
	for _, a := range m.attempts() {
		for _, c := range a.Conflicts {
			if c.Severity == conflict.Block {
				list = append(list, c)
			}
		}
	}
	return list
}

func checkConflict(m *snapshot, args []string) checkResult {
	if suggestion, ok := suggestConflict(m, first(args)); ok {
		return checkResult{isUnknownName: true, got: fmt.Sprintf("there is no conflict %q: did you mean %s?", first(args), suggestion)}
	}
	a := checkResult{got: "no narration contradicted the state"}
	for _, c := range m.conflicts() {
		a.got = fmt.Sprintf("a narration contradicted the state: %s %q", c.Kind, c.Quote)
		if first(args) == "" || first(args) == c.Kind {
			a.holds = true
			return a
		}
	}
	return a
}

// suggestConflict returns a kind of conflict that is similar to kind, if no detector reports kind. A
// judge may report any kind, so an unknown kind without a similar one is not a mistake.
func suggestConflict(m *snapshot, kind string) (string, bool) {
	var known []string
	for _, d := range append(conflict.Builtin(), m.game.Content().Extensions.Detectors...) {
		known = append(known, d.Kinds...)
	}
	for _, v := range m.step.Verdicts {
		known = append(known, v.Kind)
	}
	if slices.Contains(known, kind) {
		return "", false
	}
	return utf8text.Suggest(kind, known)
}

func checkRetries(m *snapshot, args []string) checkResult {
	used := 0
	if m.outcome != nil {
		used = m.outcome.RetriesUsed
	}
	a := checkResult{holds: args[0] == strconv.Itoa(used), got: "the turn used " + count(used, "re-generation", "re-generations")}
	for i, attempt := range m.attempts() {
		if faults := faultsOf(attempt); len(faults) > 0 {
			a.why = append(a.why, fmt.Sprintf("reply %d: %s", i+1, strings.Join(faults, ", ")))
		}
	}
	return a
}

func checkOutcome(m *snapshot, args []string) checkResult {
	if m.outcome == nil {
		return checkResult{got: "nothing was carried out"}
	}
	if !slices.Contains(endings, args[0]) {
		return unknownName("way to end", args[0], slices.Clone(endings))
	}
	holds := string(m.outcome.Status) == args[0] && (second(args) == "" || second(args) == m.outcome.Reason)
	return checkResult{holds: holds, got: "it ended as " + endText(m.outcome), why: errorLines(m.failure)}
}

// endings are the ways in which an instruction may end.
var endings = []string{
	string(turn.Completed), string(turn.Conflict), string(turn.Failed), string(turn.Cancelled), string(turn.Waiting),
	string(turn.Refused), string(turn.Discarded),
}

// endText returns how an instruction ended, as scenarios write it.
func endText(o *turn.Outcome) string { return strings.TrimSpace(string(o.Status) + " " + o.Reason) }

// errorLines splits the text of an error into lines; none for nil.
func errorLines(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func checkNotice(m *snapshot, args []string) checkResult {
	return checkTexts(m.notices(), args[0], "the player was told ", "what the player was told: ")
}

// notices returns the messages that the player got in addition to the narration.
func (m *snapshot) notices() (list []string) {
	for _, n := range traceOf(m.outcome).Notices {
		list = append(list, n.Message)
	}
	if m.outcome != nil {
		list = append(list, m.outcome.Messages...)
	}
	return list
}

// effects returns the effects that the host and the sinks got.
func (m *snapshot) effects() []effect.Effect {
	list := slices.Clone(m.delivered)
	if m.outcome != nil {
		for _, c := range m.outcome.Host {
			list = append(list, c.Effect)
		}
	}
	return list
}

func checkEffect(m *snapshot, args []string) checkResult {
	var got []string
	for _, e := range m.effects() {
		name := effect.Name(e)
		if name == args[0] {
			return checkResult{holds: true, got: "the host was given " + name}
		}
		got = append(got, name)
	}
	return checkResult{got: "the host was given " + joinNames(got)}
}

func checkWarning(m *snapshot, args []string) checkResult {
	return checkTexts(traceOf(m.outcome).Warnings, args[0], "there is the warning ", "the warnings: ")
}

// checkTexts checks whether one of several texts contains a text. found and others begin the sentence
// about it, or about all texts.
func checkTexts(texts []string, contains, found, others string) checkResult {
	for _, text := range texts {
		if strings.Contains(text, contains) {
			return checkResult{holds: true, got: found + strconv.Quote(text)}
		}
	}
	return checkResult{got: others + quotedList(texts)}
}

// quotedList joins quoted texts.
func quotedList(texts []string) string {
	if len(texts) == 0 {
		return "none"
	}
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = strconv.Quote(utf8text.Clip(t, 200))
	}
	return strings.Join(quoted, ", ")
}
