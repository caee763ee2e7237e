package play

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// This file creates the events of a turn for hooks: the question to the hooks and the payload of
// each event. An [EventData] has the progress of the turn.

// EventData has the data of a turn that hooks may read when an event is raised. A field is empty if
// its subject does not exist yet.
type EventData struct {
	draft.Turn
	ID       string          // ID of the event
	Last     *state.Turn     // the previous turn, nil for the first
	Memories int             // number of memory lines in the prompt
	Forced   int             // number of lore entries found by meaning
	Lore     int             // number of active lore entries
	Answer   hookeventAnswer // the last answer of the model
	Call     answer.RawCall  // the call that is judged
	Failed   *state.FailedCall
	Result   tree.Value    // result of the call, if it has not failed
	Kept     bool          // the reply of the speaking member of the cast is kept
	Changes  []tree.Change // changes of the turn
	Shown    func() string // the text for the player
}

// hookeventAnswer is the part of a model's answer that hooks may read.
type hookeventAnswer struct {
	First string // the first piece
	Text  string
	Usage *llm.Usage
}

// Question returns the question to the hooks. The event has the IDs of the campaign, of the
// companion and of the player.
func (o EventData) Question(event string, payload []tree.Member) *question.Hooks {
	companion := o.Companion()
	if o.In.Channel != "" && !slices.ContainsFunc(payload, func(p tree.Member) bool { return p.Key == "channel" }) {
		payload = append(payload, tree.Member{Key: "channel", Value: tree.Text(o.In.Channel)})
	}
	if kind := o.GenerationKind(); kind != worldbook.Normal {
		payload = append(payload, tree.Member{Key: "generation", Value: tree.Text(string(kind))})
	}
	id := cmp.Or(o.Speaker, companion.ID)
	return &question.Hooks{
		Event: act.Event{
			ID: o.ID, Type: event, Source: "campaign", ConversationID: o.Campaign.ID,
			CharacterID: id, UserID: cmp.Or(o.In.UserID, o.In.ActorID), Payload: tree.Object(payload...),
		},
		State: o.State.Hooks,
		Env: hooks.Env{
			Now: o.In.At, Character: companion.Mood, Relationship: companion.Relationship,
			Others: others(o.State.Characters), Vars: o.Readable(), Limits: o.Game.Content().Rules.HookLimits,
		},
		Set: o.Game.Hooks(),
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
func (o EventData) ArrivalPayload() []tree.Member {
	return []tree.Member{
		{Key: "channel", Value: tree.Text(o.In.Channel)},
		{Key: "content_preview", Value: tree.Text(draft.Preview(o.In.Text))},
	}
}

// LinePayload returns the payload for an accepted line.
func (o EventData) LinePayload() []tree.Member {
	return []tree.Member{{Key: "content", Value: tree.Text(o.In.Text)}}
}

// PlanPayload returns the payload for the planned answer: the dialog type, and the mood of the
// companion.
func (o EventData) PlanPayload() []tree.Member {
	plan := []tree.Member{{Key: "intent", Value: tree.Text(o.Dialog.ID)}}
	if mood := o.Companion().Mood.Get("mood"); mood.Exists() {
		plan = append(plan, tree.Member{Key: "tone", Value: mood})
	}
	return plan
}

// MemoriesPayload returns the number of memories in the prompt.
func (o EventData) MemoriesPayload() []tree.Member {
	return []tree.Member{{Key: "memory_count", Value: tree.Int(int64(o.Memories))}}
}

// SpeakerPayload returns the payload with the speaking member of the cast.
func (o EventData) SpeakerPayload() []tree.Member {
	id := o.Speaker
	return []tree.Member{{Key: "speaker", Value: tree.Text(id)}, {Key: "name", Value: tree.Text(o.MemberName(id))}}
}

// KnowledgePayload returns the number of lore entries found by meaning.
func (o EventData) KnowledgePayload() []tree.Member {
	return []tree.Member{{Key: "entry_count", Value: tree.Int(int64(o.Forced))}}
}

// LorePayload returns the number of active lore entries.
func (o EventData) LorePayload() []tree.Member {
	count := tree.Int(int64(o.Lore))
	return []tree.Member{{Key: "entry_count", Value: count}}
}

// MoodPayload returns the payload of events about the companion.
func (o EventData) MoodPayload() []tree.Member {
	c := o.Companion()
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
func (o EventData) ChunkPayload() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(o.Answer.First)}}
}

// ReplyPayload returns an answer of the model, with its token usage.
func (o EventData) ReplyPayload() []tree.Member {
	payload := []tree.Member{{Key: "text", Value: tree.Text(o.Answer.Text)}}
	if o.Answer.Usage != nil {
		usage, _ := tree.Of(o.Answer.Usage) // without a JSON form it is left out
		payload = append(payload, tree.Member{Key: "usage", Value: usage})
	}
	return payload
}

// CallPayload returns a call before it is judged.
func (o EventData) CallPayload() []tree.Member {
	return []tree.Member{
		{Key: "tool", Value: tree.Text(o.Call.Tool)}, {Key: "args", Value: o.Call.Args},
	}
}

// RulingPayload returns a call with its result or error.
func (o EventData) RulingPayload() []tree.Member {
	if failed := o.Failed; failed != nil {
		return append(o.CallPayload(), tree.Member{Key: "error", Value: tree.Text(string(failed.Reason))})
	}
	return append(o.CallPayload(), tree.Member{Key: "result", Value: o.Result})
}

// SpokenPayload returns the reply of a member of the cast, or that it was dropped.
func (o EventData) SpokenPayload() []tree.Member {
	out := o.SpeakerPayload()
	if n := len(o.Spoken); o.Kept {
		return append(out, tree.Member{Key: "text", Value: tree.Text(o.Spoken[n-1].Text)})
	}
	return append(out, tree.Member{Key: "dropped", Value: tree.Bool(true)})
}

// ChangePayload returns the changes of the turn.
func (o EventData) ChangePayload() []tree.Member {
	var changes []tree.Member
	for _, c := range o.Changes {
		changes = append(changes, tree.Member{Key: c.Path.String(), Value: tree.Object(
			tree.Member{Key: "old", Value: c.Old}, tree.Member{Key: "new", Value: c.New})})
	}
	return []tree.Member{{Key: "changes", Value: tree.Object(changes...)}}
}

// TextPayload returns the text for the player.
func (o EventData) TextPayload() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(o.Shown())}}
}

// ClockPayload returns the time that has passed since the last clock event and since the last turn.
func (o EventData) ClockPayload() []tree.Member {
	from, active := o.Campaign.ClockPassed, o.Campaign.CreatedAt
	if from.IsZero() {
		from = o.Campaign.CreatedAt
	}
	if o.Last != nil {
		active = o.Last.Timestamp
	}
	payload := Members(act.ClockPayload(from, o.In.At, active))
	if o.In.Elapsed != 0 {
		payload = append(payload, tree.Member{Key: "elapsed", Value: tree.Float(o.In.Elapsed)})
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
