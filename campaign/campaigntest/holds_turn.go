package campaigntest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
)

func holdsHook(m *snapshot, args []string) answer {
	a := answer{got: "the hook did not run"}
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
				return answer{is: true, got: "the hook ran on " + l.EventType}
			}
			a.why = append(a.why, fmt.Sprintf("on %s: %s %s %s", l.EventType, l.Status, l.Reason, l.Error))
		}
	}
	return a
}

func holdsText(m *snapshot, args []string) answer {
	text := m.turn().Text
	if m.outcome == nil || m.outcome.Turn == nil {
		return answer{got: "there is no narration"}
	}
	return answer{is: strings.Contains(text, args[0]), got: "the narration is " + strconv.Quote(utf8text.Clip(text, 400))}
}

func holdsSpeaker(m *snapshot, args []string) answer {
	var members []string
	for _, c := range m.game.Content().People.Cast {
		members = append(members, c.CharacterID)
	}
	if !slices.Contains(members, args[0]) {
		return unknownName("member of the cast", args[0], members)
	}
	a := answer{got: args[0] + " did not speak", why: m.whoSpeaks()}
	for _, r := range m.turn().Replies {
		if r.Speaker == args[0] {
			a.got = args[0] + " said " + strconv.Quote(utf8text.Clip(r.Text, 200))
			a.is = a.is || strings.Contains(r.Text, second(args))
		}
	}
	return a
}

// whoSpeaks says how the speakers of a turn were chosen.
func (m *snapshot) whoSpeaks() (list []string) {
	if chosen := traceOf(m.outcome).Cast; chosen != nil {
		for line := range strings.Lines(chosen.String()) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

func holdsApplied(m *snapshot, args []string) answer {
	for _, a := range m.turn().Applied {
		if a.Tool == args[0] {
			return answer{is: true, got: fmt.Sprintf("%s was accepted: %s", a.Tool, a.Result)}
		}
	}
	if none := m.tool(args[0]); none.unknown {
		return none
	}
	return answer{got: "no call of " + args[0] + " was accepted", why: m.whyCalls(args[0])}
}

func holdsRefused(m *snapshot, args []string) answer {
	a := answer{got: "no call of " + args[0] + " was refused", why: m.whyCalls(args[0])}
	for _, f := range m.failedCalls() {
		if f.Tool != args[0] {
			continue
		}
		code := string(f.Reason)
		if second(args) == "" || second(args) == code || second(args) == string(f.OriginalReason) {
			return answer{is: true, got: fmt.Sprintf("%s was refused: %s", f.Tool, code)}
		}
		a.got = fmt.Sprintf("%s was refused, but as %s", f.Tool, code)
	}
	if none := m.tool(args[0]); none.unknown {
		return none
	}
	return a
}

// tool returns what is wrong with the name of a tool, an empty answer if it is registered.
func (m *snapshot) tool(name string) answer {
	if _, known := m.game.Tool(name); known {
		return answer{}
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

func holdsConflict(m *snapshot, args []string) answer {
	if near, slip := conflictMeant(m, first(args)); slip {
		return answer{unknown: true, got: fmt.Sprintf("there is no conflict %q: did you mean %s?", first(args), near)}
	}
	a := answer{got: "no narration contradicted the state"}
	for _, c := range m.conflicts() {
		a.got = fmt.Sprintf("a narration contradicted the state: %s %q", c.Kind, c.Quote)
		if first(args) == "" || first(args) == c.Kind {
			a.is = true
			return a
		}
	}
	return a
}

// conflictMeant suggests the kind of conflict that was probably meant, if no detector reports the
// given kind. A judge may report any kind, so other unknown names are not a mistake.
func conflictMeant(m *snapshot, kind string) (string, bool) {
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

func holdsRetries(m *snapshot, args []string) answer {
	used := 0
	if m.outcome != nil {
		used = m.outcome.RetriesUsed
	}
	a := answer{is: args[0] == strconv.Itoa(used), got: "the turn used " + count(used, "re-generation", "re-generations")}
	for i, attempt := range m.attempts() {
		if faults := faultsOf(attempt); len(faults) > 0 {
			a.why = append(a.why, fmt.Sprintf("reply %d: %s", i+1, strings.Join(faults, ", ")))
		}
	}
	return a
}

func holdsOutcome(m *snapshot, args []string) answer {
	if m.outcome == nil {
		return answer{got: "nothing was carried out"}
	}
	if !slices.Contains(endings, args[0]) {
		return unknownName("way to end", args[0], slices.Clone(endings))
	}
	is := string(m.outcome.Status) == args[0] && (second(args) == "" || second(args) == m.outcome.Reason)
	return answer{is: is, got: "it ended as " + ended(m.outcome), why: lines(m.why)}
}

// endings are the ways in which an instruction may end.
var endings = []string{
	string(turn.Completed), string(turn.Conflict), string(turn.Failed), string(turn.Cancelled), string(turn.Waiting),
	string(turn.Refused), string(turn.Discarded),
}

// ended returns how an instruction ended, as scenarios write it.
func ended(o *turn.Outcome) string { return strings.TrimSpace(string(o.Status) + " " + o.Reason) }

// lines splits the text of an error into lines; none for nil.
func lines(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func holdsNotice(m *snapshot, args []string) answer {
	said := m.notices()
	for _, text := range said {
		if strings.Contains(text, args[0]) {
			return answer{is: true, got: "the player was told " + strconv.Quote(text)}
		}
	}
	return answer{got: "what the player was told: " + quotedList(said)}
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

func holdsEffect(m *snapshot, args []string) answer {
	var got []string
	for _, e := range m.effects() {
		name := effect.Name(e)
		if name == args[0] {
			return answer{is: true, got: "the host was given " + name}
		}
		got = append(got, name)
	}
	return answer{got: "the host was given " + listed(got)}
}

func holdsWarning(m *snapshot, args []string) answer {
	warnings := traceOf(m.outcome).Warnings
	for _, w := range warnings {
		if strings.Contains(w, args[0]) {
			return answer{is: true, got: "there is the warning " + strconv.Quote(w)}
		}
	}
	return answer{got: "the warnings: " + quotedList(warnings)}
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
