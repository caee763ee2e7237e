package rules

import (
	"github.com/talewright/talewright/internal/braces"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/param"
)

// effectTexts returns the texts of an effect in which parameters are filled in: its
// own top-level ones, none inside of structures.
func effectTexts(e Effect) []string {
	switch e := e.(type) {
	case SetVariable:
		s, _ := e.Value.AsText()
		if _, ok := param.Key(e.ValueRef); ok {
			s = "{" + e.ValueRef + "}"
		}
		return []string{s}
	case Notify:
		return []string{e.Message, e.Style, e.Title, e.Image}
	case SendContext:
		return []string{e.Message, e.Role}
	case PlayAudio:
		return []string{e.TrackID, e.Action, e.Channel, e.ChainTo}
	case RequestAI:
		return []string{e.Prompt}
	case ShowMoment:
		return []string{e.Title, e.Message, e.Image, e.Collect}
	case Emit:
		var out []string
		for _, v := range e.Event.Fields.Members() {
			if s, ok := v.AsText(); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// effectHasTokens is asked once, at compile time.
func effectHasTokens(e Effect) bool {
	for _, s := range effectTexts(e) {
		if param.HasToken(s) {
			return true
		}
	}
	return false
}

// fillEffect returns the effect with the parameters of an event filled in.
func fillEffect(e Effect, params tree.Value) Effect {
	// Effects are values, so that the program's own stays as the author wrote it.
	fill := func(s *string) { *s = fillText(*s, params) }
	switch e := e.(type) {
	case SetVariable:
		prompt := goesIntoPrompts(e.Path)
		text, isText := e.Value.AsText()
		switch key, isParam := param.Key(e.ValueRef); {
		case isParam && prompt:
			e.Value, e.ValueRef = asData(params.Get(key)), ""
		case isParam:
			e.Value, e.ValueRef = paramValue(params, key), ""
		case prompt && isText:
			e.Value = tree.Text(fillWith(text, params, braces.Escape))
		default:
			e.Value = fillValue(e.Value, params)
		}
		return e
	case Notify:
		fill(&e.Message)
		fill(&e.Style)
		fill(&e.Title)
		fill(&e.Image)
		return e
	case SendContext:
		e.Message = fillWith(e.Message, params, braces.Escape)
		fill(&e.Role)
		return e
	case PlayAudio:
		fill(&e.TrackID)
		fill(&e.Action)
		fill(&e.Channel)
		fill(&e.ChainTo)
		return e
	case RequestAI:
		fill(&e.Prompt)
		return e
	case ShowMoment:
		fill(&e.Title)
		fill(&e.Message)
		fill(&e.Image)
		fill(&e.Collect)
		return e
	case Emit:
		// Only fields of events keep the type of a parameter: others may compare with it.
		members := make([]tree.Member, 0, e.Event.Fields.Len())
		for k, v := range e.Event.Fields.Members() {
			members = append(members, tree.Member{Key: k, Value: fillValue(v, params)})
		}
		e.Event = NewEvent(e.Event.Type, members...)
		return e
	}
	return e
}
