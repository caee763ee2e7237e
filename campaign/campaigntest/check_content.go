package campaigntest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// checkLore checks whether an entry was active in the turn. If not, it explains why.
func checkLore(m *snapshot, args []string) checkResult {
	if m.activated == nil {
		for _, l := range traceOf(m.outcome).Lore {
			if meansEntry(args[0], l.ID, l.Comment) {
				return checkResult{holds: true, got: fmt.Sprintf("%s was active: %s", args[0], l.Why)}
			}
		}
	}
	return m.lore(args[0])
}

// lore checks an entry by the explanation of the step: for a hear step, and for an entry that was not
// active.
func (m *snapshot) lore(name string) checkResult {
	a := checkResult{got: "the entry was not active"}
	var known []string
	for _, x := range m.explanation().Lore {
		id := x.ID.String()
		if !meansEntry(name, id, x.Comment) {
			known = append(known, loreName(x))
			continue
		}
		if x.Active && m.activated != nil {
			return checkResult{holds: true, got: "the entry was active: " + x.String()}
		}
		a.why = append(a.why, x.String())
	}
	if a.why == nil && known != nil {
		return unknownName("entry", name, known)
	}
	return a
}

// meansEntry reports whether name is the comment, the ID, or the uid of an entry. The uid is the end of
// the ID.
func meansEntry(name, id, comment string) bool {
	uid := id[strings.LastIndexByte(id, '.')+1:]
	return strings.EqualFold(name, comment) || strings.EqualFold(name, id) || strings.EqualFold(name, uid)
}

// loreName returns the name of an entry for people.
func loreName(x worldbook.Explanation) string {
	if x.Comment != "" {
		return x.Comment
	}
	return x.ID.String()
}

// checkRule checks whether a rule fired in the turn. If not, it explains why.
func checkRule(m *snapshot, args []string) checkResult {
	if m.activated == nil {
		for _, f := range traceOf(m.outcome).Fired {
			if f.ID == args[0] {
				return checkResult{holds: true, got: fmt.Sprintf("%s fired on %s", f.ID, f.Event)}
			}
		}
	}
	a := checkResult{got: "it did not fire"}
	var known []string
	for _, r := range m.explanation().Rules {
		if r.ID != args[0] {
			known = append(known, r.ID)
			continue
		}
		if r.Gate == "fired" {
			return checkResult{holds: true, got: "it fired"}
		}
		a.why = append(a.why, m.whyRule(r))
	}
	if a.why = mostUsefulLines(a.why); a.why != nil {
		return a
	}
	if m.outcome == nil && m.activated == nil || m.hasRule(args[0]) {
		return checkResult{got: "it did not fire: there was no turn"}
	}
	return unknownName("rule", args[0], slices.Compact(slices.Sorted(slices.Values(known))))
}

// mostUsefulLines returns the reasons why a rule did not fire, each once. There is one for each event.
// The events that its trigger does not match are left out, unless there are no others.
func mostUsefulLines(lines []string) (list []string) {
	isMatched := func(line string) bool { return !strings.Contains(line, gateTexts["pattern"]) }
	hasMatched := slices.ContainsFunc(lines, isMatched)
	for _, line := range lines {
		if (isMatched(line) || !hasMatched) && !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}

// hasRule reports whether the content has a rule or reaction with the ID.
func (m *snapshot) hasRule(id string) bool {
	c := m.game.Content().Rules
	return slices.ContainsFunc(c.Rules, func(r rules.Rule) bool { return r.ID == id }) ||
		slices.ContainsFunc(c.Reactions, func(r reactions.Reaction) bool { return r.ID == id })
}

func checkPrompt(m *snapshot, args []string) checkResult {
	size := 0 // of all requests
	for _, r := range m.requests {
		for _, message := range r.Messages {
			if strings.Contains(message.Text, args[0]) {
				return checkResult{holds: true, got: "it is in a message of role " + string(message.Role)}
			}
			size += len(message.Text)
		}
	}
	return checkResult{got: fmt.Sprintf("no request has it: %s, %d bytes", count(len(m.requests), "request", "requests"), size), why: m.whyBlocks()}
}

func checkBlock(m *snapshot, args []string) checkResult {
	var known []string
	if m.activated != nil {
		known = m.activated.blocks
	}
	a := checkResult{got: "the block is not in the prompt"}
	for _, p := range traceOf(m.outcome).Prompt {
		if p.Status == "kept" || p.Status == "truncated" {
			known = append(known, p.Key)
		} else if p.Key == args[0] {
			a.why = append(a.why, strings.TrimSpace(p.Key+": "+p.Status+" "+p.Reason))
		}
	}
	if slices.Contains(known, args[0]) {
		return checkResult{holds: true, got: "the block is in the prompt"}
	}
	if a.why == nil {
		a.why = append(a.why, "the prompt has the blocks "+joinNames(known))
	}
	return a
}

// whyBlocks lists the blocks that are missing from the prompt or changed in it.
func (m *snapshot) whyBlocks() (list []string) {
	for _, p := range traceOf(m.outcome).Prompt {
		if p.Status != "kept" {
			list = append(list, strings.TrimSpace("block "+p.Key+" "+p.Status+" "+p.Reason+" ("+strconv.Itoa(p.Tokens)+" tokens)"))
		}
	}
	return list
}
