package campaigntest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/worldbook"
)

// holdsLore checks whether an entry was active in the turn. If not, it explains why.
func holdsLore(m *snapshot, args []string) answer {
	if m.heard == nil {
		for _, l := range traceOf(m.outcome).Lore {
			if named(args[0], l.ID, l.Comment) {
				return answer{is: true, got: fmt.Sprintf("%s was active: %s", args[0], l.Why)}
			}
		}
	}
	return m.lore(args[0])
}

// lore returns what the explanation says about an entry.
func (m *snapshot) lore(name string) answer {
	a := answer{got: "the entry was not active"}
	var known []string
	for _, x := range m.explanation().Lore {
		id := x.ID.String()
		if !named(name, id, x.Comment) {
			known = append(known, loreName(x))
			continue
		}
		if x.Active && m.heard != nil {
			return answer{is: true, got: "the entry was active: " + x.String()}
		}
		a.why = append(a.why, x.String())
	}
	if a.why == nil && known != nil {
		return unknownName("entry", name, known)
	}
	return a
}

// named reports whether name means an entry: by its comment, its ID, or the end of its ID.
func named(name, id, comment string) bool {
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

// holdsRule checks whether a rule fired in the turn. If not, it explains why.
func holdsRule(m *snapshot, args []string) answer {
	if m.heard == nil {
		for _, f := range traceOf(m.outcome).Fired {
			if f.ID == args[0] {
				return answer{is: true, got: fmt.Sprintf("%s fired on %s", f.ID, f.Event)}
			}
		}
	}
	a := answer{got: "it did not fire"}
	var known []string
	for _, r := range m.explanation().Rules {
		if r.ID != args[0] {
			known = append(known, r.ID)
			continue
		}
		if r.Gate == "fired" {
			return answer{is: true, got: "it fired"}
		}
		a.why = append(a.why, m.whyRule(r))
	}
	if a.why = nearest(a.why); a.why != nil {
		return a
	}
	if m.outcome == nil && m.heard == nil || m.hasRule(args[0]) {
		return answer{got: "it did not fire: there was no turn"}
	}
	return unknownName("rule", args[0], slices.Compact(slices.Sorted(slices.Values(known))))
}

// nearest returns the most useful lines, each once. Lines about events that do not concern the rule
// are returned only if there are no others.
func nearest(lines []string) (list []string) {
	unconcerned := func(line string) bool { return strings.Contains(line, gates["pattern"]) }
	far := !slices.ContainsFunc(lines, func(line string) bool { return !unconcerned(line) })
	for _, line := range lines {
		if (far || !unconcerned(line)) && !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}

// hasRule reports whether the content has a rule or reaction with the ID.
func (m *snapshot) hasRule(id string) bool {
	c := m.game.Content()
	for _, r := range c.Rules.Rules {
		if r.ID == id {
			return true
		}
	}
	for _, r := range c.Rules.Reactions {
		if r.ID == id {
			return true
		}
	}
	return false
}

func holdsPrompt(m *snapshot, args []string) answer {
	said := 0
	for _, r := range m.requests {
		for _, message := range r.Messages {
			if strings.Contains(message.Text, args[0]) {
				return answer{is: true, got: "it is in a message of role " + string(message.Role)}
			}
			said += len(message.Text)
		}
	}
	return answer{got: fmt.Sprintf("no request has it: %s, %d bytes", count(len(m.requests), "request", "requests"), said), why: m.whyBlocks()}
}

func holdsBlock(m *snapshot, args []string) answer {
	var known []string
	if m.heard != nil {
		known = m.heard.blocks
	}
	a := answer{got: "the block is not in the prompt"}
	for _, p := range traceOf(m.outcome).Prompt {
		if p.Status == "kept" || p.Status == "truncated" {
			known = append(known, p.Key)
		} else if p.Key == args[0] {
			a.why = append(a.why, strings.TrimSpace(p.Key+": "+p.Status+" "+p.Reason))
		}
	}
	if slices.Contains(known, args[0]) {
		return answer{is: true, got: "the block is in the prompt"}
	}
	if a.why == nil {
		a.why = append(a.why, "the prompt has the blocks "+listed(known))
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
