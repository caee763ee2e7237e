package game

import "github.com/talewright/talewright/rules"

// ReplyRules is the dialect of [Rules.ReplyRules]. It sends marked passages, such as status
// blocks, to variables, events or the host. A passage stays in the text if its rule does not hide
// it.
func ReplyRules() Dialect {
	return Dialect{Name: nameReplyRules, bind: func(g *compiler) Dialect {
		set, found := rules.CompileReplies(g.content.Rules.ReplyRules, g.content.Rules.Variables)
		g.problems.addAll("", found)
		opens := "<【["
		for _, r := range g.content.Rules.ReplyRules {
			if r.Match.Tag == "" {
				opens = "" // a pattern may match anything
			}
		}
		return Dialect{Name: nameReplyRules, Opens: opens,
			Read: func(text string, _ Scope) []Span { return readPassages(set, text, g.Reason(reasonTooManyBlocks)) }}
	}}
}

func readPassages(set *rules.ReplySet, text, tooMany string) []Span {
	r := set.Apply(text)
	var out []Span
	for _, p := range r.Passages {
		s := Span{From: p.From, To: p.To, Effects: p.Effects}
		if !p.Hidden {
			s.To = s.From
		}
		out = append(out, s)
	}
	if r.Cut {
		out = append(out, Span{Refused: tooMany})
	}
	for _, id := range r.GivenUp {
		out = append(out, Span{Warning: "the pattern of reply rule " + id + " takes too long on this reply"})
	}
	return out
}
