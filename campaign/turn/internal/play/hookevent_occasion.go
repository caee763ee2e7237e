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

// The hookevent part makes the events of a turn that hooks hear of: what they are asked with, and what each
// event carries. In goes an [Occasion], which says how far the turn is; out come questions and payloads.

// Occasion is what hooks may hear of a turn when an event is raised. A field of something that has not come
// to pass is empty.
type Occasion struct {
	draft.Turn
	ID       string          // of the event
	Last     *state.Turn     // the turn before, nil for the first
	Memories int             // lines of the prompt
	Forced   int             // entries of lore that were found by meaning
	Lore     int             // entries that are active
	Answer   hookeventAnswer // the last one of the model
	Call     answer.RawCall  // the one that is judged
	Failed   *state.FailedCall
	Result   tree.Value    // of the call, if it has not failed
	Kept     bool          // the reply of the member of the cast who speaks is kept
	Changes  []tree.Change // of the turn
	Shown    func() string // the text for the player
}

// hookeventAnswer is what hooks may hear of an answer of the model.
type hookeventAnswer struct {
	First string // the piece that it began with
	Text  string
	Usage *llm.Usage
}

// Question is a question to the hooks. The event carries the ids of the campaign, of the
// companion and of the player.
func (o Occasion) Question(event string, payload []tree.Member) *question.Hooks {
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
			Others: others(o.State.Characters), Vars: o.Readable(), Limits: o.Game.Content().HookLimits,
		},
		Set: o.Game.Hooks(),
	}
}

// others are the characters that actions may name.
func others(list []state.Character) []hooks.Person {
	out := make([]hooks.Person, len(list))
	for i, c := range list {
		out[i] = hooks.Person{ID: c.ID, Name: c.Name, Character: c.Mood, Relationship: c.Relationship}
	}
	return out
}

// TellArrival is what is known of a line before it is looked at.
func (o Occasion) TellArrival() []tree.Member {
	return []tree.Member{
		{Key: "channel", Value: tree.Text(o.In.Channel)},
		{Key: "content_preview", Value: tree.Text(draft.Preview(o.In.Text))},
	}
}

// TellSaid is a line that was accepted.
func (o Occasion) TellSaid() []tree.Member {
	return []tree.Member{{Key: "content", Value: tree.Text(o.In.Text)}}
}

// TellPlan is what the engine is about to answer with: the kind of dialog, and the mood of the
// companion.
func (o Occasion) TellPlan() []tree.Member {
	plan := []tree.Member{{Key: "intent", Value: tree.Text(o.Dialog.ID)}}
	if mood := o.Companion().Mood.Get("mood"); mood.Exists() {
		plan = append(plan, tree.Member{Key: "tone", Value: mood})
	}
	return plan
}

// TellRemembered counts the memories in the prompt.
func (o Occasion) TellRemembered() []tree.Member {
	return []tree.Member{{Key: "memory_count", Value: tree.Int(int64(o.Memories))}}
}

// TellSpeaker is the member of the cast who speaks.
func (o Occasion) TellSpeaker() []tree.Member {
	id := o.Speaker
	return []tree.Member{{Key: "speaker", Value: tree.Text(id)}, {Key: "name", Value: tree.Text(o.MemberName(id))}}
}

// TellKnowledge counts the entries of lore that were found by meaning.
func (o Occasion) TellKnowledge() []tree.Member {
	return []tree.Member{{Key: "entry_count", Value: tree.Int(int64(o.Forced))}}
}

// TellLore counts the entries of lore that are active.
func (o Occasion) TellLore() []tree.Member {
	count := tree.Int(int64(o.Lore))
	return []tree.Member{{Key: "entry_count", Value: count}}
}

// TellMood is what events about the companion carry.
func (o Occasion) TellMood() []tree.Member {
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

// TellChunk is the beginning of an answer.
func (o Occasion) TellChunk() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(o.Answer.First)}}
}

// TellReply is an answer of the model, and what it took.
func (o Occasion) TellReply() []tree.Member {
	payload := []tree.Member{{Key: "text", Value: tree.Text(o.Answer.Text)}}
	if o.Answer.Usage != nil {
		if usage, err := tree.Of(o.Answer.Usage); err == nil {
			payload = append(payload, tree.Member{Key: "usage", Value: usage})
		}
	}
	return payload
}

// TellCall is a call before it is judged.
func (o Occasion) TellCall() []tree.Member {
	return []tree.Member{
		{Key: "tool", Value: tree.Text(o.Call.Tool)}, {Key: "args", Value: o.Call.Args},
	}
}

// TellRuling is a call and what came of it.
func (o Occasion) TellRuling() []tree.Member {
	if failed := o.Failed; failed != nil {
		return append(o.TellCall(), tree.Member{Key: "error", Value: tree.Text(string(failed.Reason))})
	}
	return append(o.TellCall(), tree.Member{Key: "result", Value: o.Result})
}

// TellSpoken is what became of the reply of a member of the cast.
func (o Occasion) TellSpoken() []tree.Member {
	out := o.TellSpeaker()
	if n := len(o.Spoken); o.Kept {
		return append(out, tree.Member{Key: "text", Value: tree.Text(o.Spoken[n-1].Text)})
	}
	return append(out, tree.Member{Key: "dropped", Value: tree.Bool(true)})
}

// TellChange lists what the turn changed, for hooks.
func (o Occasion) TellChange() []tree.Member {
	var changes []tree.Member
	for _, c := range o.Changes {
		changes = append(changes, tree.Member{Key: c.Path.String(), Value: tree.Object(
			tree.Member{Key: "old", Value: c.Old}, tree.Member{Key: "new", Value: c.New})})
	}
	return []tree.Member{{Key: "changes", Value: tree.Object(changes...)}}
}

// TellText is the text for the player.
func (o Occasion) TellText() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(o.Shown())}}
}

// TellClock is the time that has passed since hooks last heard of the clock, and since the
// last turn.
func (o Occasion) TellClock() []tree.Member {
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

// Members lists the members of a payload.
func Members(payload tree.Value) (list []tree.Member) {
	for key, v := range payload.Members() {
		list = append(list, tree.Member{Key: key, Value: v})
	}
	return list
}
