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
	ID       string         // ID of the event
	Last     *state.Turn    // the previous turn, nil for the first
	Memories int            // number of memory lines in the prompt
	Forced   int            // number of lore entries found by meaning
	Lore     int            // number of active lore entries
	Answer   eventAnswer    // the last answer of the model
	Call     answer.RawCall // the call that is judged
	Failed   *state.FailedCall
	Result   tree.Value    // result of the call, if it has not failed
	Kept     bool          // the reply of the speaking member of the cast is kept
	Changes  []tree.Change // changes of the turn
	Shown    func() string // the text for the player
}

// eventAnswer is the part of a model's answer that hooks may read.
type eventAnswer struct {
	First string // the first piece
	Text  string
	Usage *llm.Usage
}

// Question returns the question to the hooks. The event has the IDs of the campaign, of the
// companion and of the player.
func (data EventData) Question(event string, payload []tree.Member) *question.Hooks {
	companion := data.Companion()
	if data.In.Channel != "" && !slices.ContainsFunc(payload, func(p tree.Member) bool { return p.Key == "channel" }) {
		payload = append(payload, tree.Member{Key: "channel", Value: tree.Text(data.In.Channel)})
	}
	if kind := data.GenerationKind(); kind != worldbook.Normal {
		payload = append(payload, tree.Member{Key: "generation", Value: tree.Text(string(kind))})
	}
	id := cmp.Or(data.Speaker, companion.ID)
	return &question.Hooks{
		Event: act.Event{
			ID: data.ID, Type: event, Source: "campaign", ConversationID: data.Campaign.ID,
			CharacterID: id, UserID: cmp.Or(data.In.UserID, data.In.ActorID), Payload: tree.Object(payload...),
		},
		State: data.State.Hooks,
		Env: hooks.Env{
			Now: data.In.At, Character: companion.Mood, Relationship: companion.Relationship,
			Others: others(data.State.Characters), Vars: data.Readable(), Limits: data.Game.Content().Rules.HookLimits,
		},
		Set: data.Game.Hooks(),
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
func (data EventData) ArrivalPayload() []tree.Member {
	return []tree.Member{
		{Key: "channel", Value: tree.Text(data.In.Channel)},
		{Key: "content_preview", Value: tree.Text(draft.Preview(data.In.Text))},
	}
}

// LinePayload returns the payload for an accepted line.
func (data EventData) LinePayload() []tree.Member {
	return []tree.Member{{Key: "content", Value: tree.Text(data.In.Text)}}
}

// PlanPayload returns the payload for the planned answer: the dialog type, and the mood of the
// companion.
func (data EventData) PlanPayload() []tree.Member {
	plan := []tree.Member{{Key: "intent", Value: tree.Text(data.Dialog.ID)}}
	if mood := data.Companion().Mood.Get("mood"); mood.Exists() {
		plan = append(plan, tree.Member{Key: "tone", Value: mood})
	}
	return plan
}

// MemoriesPayload returns the number of memories in the prompt.
func (data EventData) MemoriesPayload() []tree.Member {
	return []tree.Member{{Key: "memory_count", Value: tree.Int(int64(data.Memories))}}
}

// SpeakerPayload returns the payload with the speaking member of the cast.
func (data EventData) SpeakerPayload() []tree.Member {
	id := data.Speaker
	return []tree.Member{{Key: "speaker", Value: tree.Text(id)}, {Key: "name", Value: tree.Text(data.MemberName(id))}}
}

// KnowledgePayload returns the number of lore entries found by meaning.
func (data EventData) KnowledgePayload() []tree.Member {
	return []tree.Member{{Key: "entry_count", Value: tree.Int(int64(data.Forced))}}
}

// LorePayload returns the number of active lore entries.
func (data EventData) LorePayload() []tree.Member {
	count := tree.Int(int64(data.Lore))
	return []tree.Member{{Key: "entry_count", Value: count}}
}

// MoodPayload returns the payload of events about the companion.
func (data EventData) MoodPayload() []tree.Member {
	c := data.Companion()
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
func (data EventData) ChunkPayload() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(data.Answer.First)}}
}

// ReplyPayload returns an answer of the model, with its token usage.
func (data EventData) ReplyPayload() []tree.Member {
	payload := []tree.Member{{Key: "text", Value: tree.Text(data.Answer.Text)}}
	if data.Answer.Usage != nil {
		usage, _ := tree.Of(data.Answer.Usage) // without a JSON form it is left out
		payload = append(payload, tree.Member{Key: "usage", Value: usage})
	}
	return payload
}

// CallPayload returns a call before it is judged.
func (data EventData) CallPayload() []tree.Member {
	return []tree.Member{
		{Key: "tool", Value: tree.Text(data.Call.Tool)}, {Key: "args", Value: data.Call.Args},
	}
}

// RulingPayload returns a call with its result or error.
func (data EventData) RulingPayload() []tree.Member {
	if failed := data.Failed; failed != nil {
		return append(data.CallPayload(), tree.Member{Key: "error", Value: tree.Text(string(failed.Reason))})
	}
	return append(data.CallPayload(), tree.Member{Key: "result", Value: data.Result})
}

// SpokenPayload returns the reply of a member of the cast, or that it was dropped.
func (data EventData) SpokenPayload() []tree.Member {
	out := data.SpeakerPayload()
	if n := len(data.Spoken); data.Kept {
		return append(out, tree.Member{Key: "text", Value: tree.Text(data.Spoken[n-1].Text)})
	}
	return append(out, tree.Member{Key: "dropped", Value: tree.Bool(true)})
}

// ChangePayload returns the changes of the turn.
func (data EventData) ChangePayload() []tree.Member {
	var changes []tree.Member
	for _, c := range data.Changes {
		changes = append(changes, tree.Member{Key: c.Path.String(), Value: tree.Object(
			tree.Member{Key: "old", Value: c.Old}, tree.Member{Key: "new", Value: c.New})})
	}
	return []tree.Member{{Key: "changes", Value: tree.Object(changes...)}}
}

// TextPayload returns the text for the player.
func (data EventData) TextPayload() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(data.Shown())}}
}

// ClockPayload returns the time that has passed since the last clock event and since the last turn.
func (data EventData) ClockPayload() []tree.Member {
	from, active := data.Campaign.ClockPassed, data.Campaign.CreatedAt
	if from.IsZero() {
		from = data.Campaign.CreatedAt
	}
	if data.Last != nil {
		active = data.Last.Timestamp
	}
	payload := Members(act.ClockPayload(from, data.In.At, active))
	if data.In.Elapsed != 0 {
		payload = append(payload, tree.Member{Key: "elapsed", Value: tree.Float(data.In.Elapsed)})
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
