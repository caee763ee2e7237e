package observe

import (
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
)

// The limits of the fields of a moment other than texts, and of an error in a log.
const (
	maxIDLen    = 256 // bytes of an ID or a word
	maxIDs      = 64  // elements of a list
	maxErrorLen = 1 << 10
)

// Bounded returns a moment with IDs and words cut at 256 bytes, and lists cut at 64 elements.
// Servers, models and players choose some of them. Texts are not cut, except the message of
// [Logged], which is cut at 1 KiB. [Tell] does this for every observer.
func Bounded(m Moment) Moment {
	switch m := m.(type) {
	case Begun:
		return Begun{ActorID: cut(m.ActorID), ClientTurnID: cut(m.ClientTurnID), Line: m.Line}
	case LoreActivated:
		return LoreActivated{cutList(m.IDs)}
	case PromptAssembled:
		m.Speaker = cut(m.Speaker)
		return m
	case ModelAsked:
		m.Retry, m.Model = cut(m.Retry), cut(m.Model)
		return m
	case ModelAnswered:
		m.Model, m.Finish, m.Failed = cut(m.Model), llm.FinishReason(cut(string(m.Finish))), turn.FailureCode(cut(string(m.Failed)))
		m.Warnings = cutList(m.Warnings)
		return m
	case Retrying:
		return Retrying{m.Attempt, cut(m.Why)}
	case CallRefused:
		m.Tool, m.Code = cut(m.Tool), state.CallCode(cut(string(m.Code)))
		return m
	case ConflictFound:
		m.Kind = cut(m.Kind)
		return m
	case CallApplied:
		m.Tool = cut(m.Tool)
		return m
	case RulesFired:
		return RulesFired{cutList(m.IDs)}
	case HooksRan:
		m.Event = cut(m.Event)
		return m
	case Waiting:
		return Waiting{cut(m.QuestionID), m.Calls}
	case Committed:
		m.TurnID = cut(m.TurnID)
		return m
	case Logged:
		return Logged{cut(m.By), cut(m.Level), utf8text.Cut(m.Message, maxErrorLen)}
	case Ended:
		m.Reason, m.TurnID = cut(m.Reason), cut(m.TurnID)
		return m
	}
	return m // durations, counts and words of the library
}

func cut(text string) string { return utf8text.Cut(text, maxIDLen) }

func cutList(list []string) []string {
	long := func(text string) bool { return len(text) > maxIDLen }
	if len(list) <= maxIDs && !slices.ContainsFunc(list, long) {
		return list
	}
	out := slices.Clone(list[:min(len(list), maxIDs)])
	for i := range out {
		out[i] = cut(out[i])
	}
	return out
}
