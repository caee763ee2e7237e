package play

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// This file creates the events of a turn for hooks: the question to the hooks and the payload of
// each event. A part of a payload is empty if its subject does not exist yet.

// HookQuestion returns the question to the hooks about an event. The event has the IDs of the
// campaign, of the companion and of the player.
func (t *Turn) HookQuestion(event string, payload []tree.Member) *question.Hooks {
	t.eventSeq++
	v := t.View()
	companion := v.Companion()
	if v.In.Channel != "" && !slices.ContainsFunc(payload, func(p tree.Member) bool { return p.Key == "channel" }) {
		payload = append(payload, tree.Member{Key: "channel", Value: tree.Text(v.In.Channel)})
	}
	if kind := v.GenerationKind(); kind != worldbook.Normal {
		payload = append(payload, tree.Member{Key: "generation", Value: tree.Text(string(kind))})
	}
	return &question.Hooks{
		Event: act.Event{
			ID:   fmt.Sprintf("evt_%04d_%03d", t.Next.Version+1, t.eventSeq), // unique in the log
			Type: event, Source: "campaign", ConversationID: t.Next.ID, CharacterID: cmp.Or(v.Speaker, companion.ID),
			UserID: cmp.Or(v.In.UserID, v.In.ActorID), Payload: tree.Object(payload...),
		},
		State: v.State.Hooks,
		Env: hooks.Env{
			Now: v.In.At, Character: companion.Mood, Relationship: companion.Relationship,
			Others: others(v.State.Characters), Vars: v.Readable(), Limits: t.Game.Content().Rules.HookLimits,
		},
		Set: t.Game.Hooks(),
	}
}

// others returns the characters that actions may name.
func others(list []state.Character) []hooks.Person {
	out := make([]hooks.Person, len(list))
	for i, c := range list {
		out[i] = hooks.Person{ID: c.ID, Name: c.Name, Character: c.Mood, Relationship: c.Relationship}
	}
	return out
}

// ArrivalPayload returns the payload for a line before it is processed.
func (t *Turn) ArrivalPayload() []tree.Member {
	return []tree.Member{
		{Key: "channel", Value: tree.Text(t.Order.In.Channel)},
		{Key: "content_preview", Value: tree.Text(draft.Preview(t.Order.In.Text))},
	}
}

// LinePayload returns the payload for an accepted line.
func (t *Turn) LinePayload() []tree.Member {
	return []tree.Member{{Key: "content", Value: tree.Text(t.Order.In.Text)}}
}

// PlanPayload returns the payload for the planned answer: the dialog type, and the mood of the
// companion.
func (t *Turn) PlanPayload() []tree.Member {
	plan := []tree.Member{{Key: "intent", Value: tree.Text(t.Dialog.Kind.ID)}}
	if mood := t.View().Companion().Mood.Get("mood"); mood.Exists() {
		plan = append(plan, tree.Member{Key: "tone", Value: mood})
	}
	return plan
}

// MemoriesPayload returns the number of memories in the prompt.
func (t *Turn) MemoriesPayload() []tree.Member {
	return []tree.Member{{Key: "memory_count", Value: tree.Int(int64(len(t.Found.Memories)))}}
}

// SpeakerPayload returns the payload with the speaking member of the cast.
func (t *Turn) SpeakerPayload() []tree.Member {
	id := t.Casting.Speaking()
	return []tree.Member{{Key: "speaker", Value: tree.Text(id)}, {Key: "name", Value: tree.Text(t.View().MemberName(id))}}
}

// KnowledgePayload returns the number of lore entries found by meaning.
func (t *Turn) KnowledgePayload() []tree.Member {
	return []tree.Member{{Key: "entry_count", Value: tree.Int(int64(len(t.Found.Forced)))}}
}

// LorePayload returns the number of active lore entries.
func (t *Turn) LorePayload() []tree.Member {
	count := tree.Int(int64(len(t.Found.Scan.Activated)))
	return []tree.Member{{Key: "entry_count", Value: count}}
}

// MoodPayload returns the payload of events about the companion.
func (t *Turn) MoodPayload() []tree.Member {
	c := t.View().Companion()
	var out []tree.Member
	for _, key := range []string{"mood", "mood_intensity", "energy"} {
		if v := c.Mood.Get(key); v.Exists() {
			out = append(out, tree.Member{Key: key, Value: v})
		}
	}
	for _, key := range []string{"affection", "trust"} {
		if v := c.Relationship.Get(key); v.Exists() {
			out = append(out, tree.Member{Key: key, Value: v})
		}
	}
	return out
}

// ChunkPayload returns the beginning of an answer.
func (t *Turn) ChunkPayload() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(t.Out.Reply.First)}}
}

// ReplyPayload returns an answer of the model, with its token usage.
func (t *Turn) ReplyPayload() []tree.Member {
	payload := []tree.Member{{Key: "text", Value: tree.Text(t.Out.Last.Text)}}
	if t.Out.Reply.Usage != nil {
		usage, _ := tree.Of(t.Out.Reply.Usage) // without a JSON form it is left out
		payload = append(payload, tree.Member{Key: "usage", Value: usage})
	}
	return payload
}

// CallPayload returns a call before it is judged.
func (t *Turn) CallPayload() []tree.Member {
	return []tree.Member{
		{Key: "tool", Value: tree.Text(t.Out.Calling.Call.Tool)}, {Key: "args", Value: t.Out.Calling.Call.Args},
	}
}

// RulingPayload returns a call with its result or error.
func (t *Turn) RulingPayload() []tree.Member {
	if failed := t.Out.Calling.Ruling.Failed; failed != nil {
		return append(t.CallPayload(), tree.Member{Key: "error", Value: tree.Text(string(failed.Reason))})
	}
	return append(t.CallPayload(), tree.Member{Key: "result", Value: t.Out.Calling.Ruling.Judgement.Result})
}

// SpokenPayload returns the reply of a member of the cast, or that it was dropped.
func (t *Turn) SpokenPayload() []tree.Member {
	out := t.SpeakerPayload()
	if n := len(t.Casting.Spoken); t.Casting.kept {
		return append(out, tree.Member{Key: "text", Value: tree.Text(t.Casting.Spoken[n-1].Text)})
	}
	return append(out, tree.Member{Key: "dropped", Value: tree.Bool(true)})
}

// ChangePayload returns the changes of the turn.
func (t *Turn) ChangePayload() []tree.Member {
	var changes []tree.Member
	for _, c := range t.Stage.Pending.Changes {
		changes = append(changes, tree.Member{Key: c.Path.String(), Value: tree.Object(
			tree.Member{Key: "old", Value: c.Old}, tree.Member{Key: "new", Value: c.New})})
	}
	return []tree.Member{{Key: "changes", Value: tree.Object(changes...)}}
}

// TextPayload returns the text for the player.
func (t *Turn) TextPayload() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(t.ShownText())}}
}

// ClockPayload returns the time that has passed since the last clock event and since the last turn.
func (t *Turn) ClockPayload() []tree.Member {
	from, active := t.Next.ClockPassed, t.Next.CreatedAt
	if from.IsZero() {
		from = t.Next.CreatedAt
	}
	if last, ok := t.Window().Played(t.Next.State.HeadTurnID); ok {
		active = last.Timestamp
	}
	payload := Members(act.ClockPayload(from, t.Order.In.At, active))
	if t.Order.In.Elapsed != 0 {
		payload = append(payload, tree.Member{Key: "elapsed", Value: tree.Float(t.Order.In.Elapsed)})
	}
	return payload
}

// Members returns the members of a payload.
func Members(payload tree.Value) (list []tree.Member) {
	for key, v := range payload.Members() {
		list = append(list, tree.Member{Key: key, Value: v})
	}
	return list
}
