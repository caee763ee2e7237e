package turn

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// occasion is what hooks may hear of a turn when an event is raised: its payloads are made here.
type occasion struct {
	scenery
	id      string // of the event
	out     *output
	casting *casting
	forced  int           // entries of lore that were found by meaning
	changes []tree.Change // of the turn
	shown   func() string // the text for the player
}

// question is a question to the hooks. The event carries the ids of the campaign, of the
// companion and of the player.
func (o occasion) question(event string, payload []tree.Member) *question.Hooks {
	companion := o.Companion()
	if o.In.Channel != "" && !slices.ContainsFunc(payload, func(p tree.Member) bool { return p.Key == "channel" }) {
		payload = append(payload, tree.Member{Key: "channel", Value: tree.Text(o.In.Channel)})
	}
	if kind := o.GenerationKind(); kind != worldbook.Normal {
		payload = append(payload, tree.Member{Key: "generation", Value: tree.Text(string(kind))})
	}
	id := cmp.Or(o.Speaker, companion.ID)
	return &question.Hooks{
		Event: on.Event{
			ID: o.id, Type: event, Source: "campaign", ConversationID: o.Campaign.ID,
			CharacterID: id, UserID: cmp.Or(o.In.UserID, o.In.ActorID), Payload: tree.Object(payload...),
		},
		State: o.State.Hooks,
		Env: hooks.Env{
			Now: o.In.At, Character: companion.Mood, Relationship: companion.Relationship,
			Vars: o.Readable(), Limits: o.Game.Content().HookLimits,
		},
		Set: o.Game.Hooks(),
	}
}

// tellArrival is what is known of a line before it is looked at.
func (o occasion) tellArrival() []tree.Member {
	return []tree.Member{
		{Key: "channel", Value: tree.Text(o.In.Channel)},
		{Key: "content_preview", Value: tree.Text(stage.Preview(o.In.Text))},
	}
}

func (o occasion) tellSaid() []tree.Member {
	return []tree.Member{{Key: "content", Value: tree.Text(o.In.Text)}}
}

// tellPlan is what the engine is about to answer with: the kind of dialog, and the mood of the
// companion.
func (o occasion) tellPlan() []tree.Member {
	plan := []tree.Member{{Key: "intent", Value: tree.Text(o.Dialog.ID)}}
	if mood := o.Companion().Mood.Get("mood"); mood.Exists() {
		plan = append(plan, tree.Member{Key: "tone", Value: mood})
	}
	return plan
}

func (o occasion) tellRemembered() []tree.Member {
	return []tree.Member{{Key: "memory_count", Value: tree.Int(int64(len(o.memories)))}}
}

func (o occasion) tellSpeaker() []tree.Member {
	id := o.casting.speaking()
	return []tree.Member{{Key: "speaker", Value: tree.Text(id)}, {Key: "name", Value: tree.Text(o.MemberName(id))}}
}

// tellKnowledge counts the entries of lore that were found by meaning.
func (o occasion) tellKnowledge() []tree.Member {
	return []tree.Member{{Key: "entry_count", Value: tree.Int(int64(o.forced))}}
}

func (o occasion) tellLore() []tree.Member {
	count := tree.Int(int64(len(o.scan.Activated)))
	return []tree.Member{{Key: "entry_count", Value: count}}
}

// tellMood is what events about the companion carry.
func (o occasion) tellMood() []tree.Member {
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

func (o occasion) tellChunk() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(o.out.reply.First)}}
}

func (o occasion) tellReply() []tree.Member {
	payload := []tree.Member{{Key: "text", Value: tree.Text(o.out.last.Text)}}
	if o.out.reply.Usage != nil {
		if usage, err := tree.Of(o.out.reply.Usage); err == nil {
			payload = append(payload, tree.Member{Key: "usage", Value: usage})
		}
	}
	return payload
}

func (o occasion) tellCall() []tree.Member {
	return []tree.Member{
		{Key: "tool", Value: tree.Text(o.out.calling.call.Tool)}, {Key: "args", Value: o.out.calling.call.Args},
	}
}

func (o occasion) tellRuling() []tree.Member {
	if failed := o.out.calling.ruling.Failed; failed != nil {
		return append(o.tellCall(), tree.Member{Key: "error", Value: tree.Text(string(failed.Reason))})
	}
	return append(o.tellCall(), tree.Member{Key: "result", Value: o.out.calling.ruling.Judgement.Result})
}

func (o occasion) tellSpoken() []tree.Member {
	out := o.tellSpeaker()
	if n := len(o.casting.spoken); o.casting.kept {
		return append(out, tree.Member{Key: "text", Value: tree.Text(o.casting.spoken[n-1].Text)})
	}
	return append(out, tree.Member{Key: "dropped", Value: tree.Bool(true)})
}

// tellChange lists what the turn changed, for hooks.
func (o occasion) tellChange() []tree.Member {
	var changes []tree.Member
	for _, c := range o.changes {
		changes = append(changes, tree.Member{Key: c.Path.String(), Value: tree.Object(
			tree.Member{Key: "old", Value: c.Old}, tree.Member{Key: "new", Value: c.New})})
	}
	return []tree.Member{{Key: "changes", Value: tree.Object(changes...)}}
}

func (o occasion) tellText() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(o.shown())}}
}

// tellClock is the time that has passed since hooks last heard of the clock, and since the
// last turn.
func (o occasion) tellClock() []tree.Member {
	from, active := o.Campaign.ClockPassed, o.Campaign.CreatedAt
	if from.IsZero() {
		from = o.Campaign.CreatedAt
	}
	if last, ok := o.turn(o.Campaign.State.HeadTurnID); ok {
		active = last.Timestamp
	}
	payload := members(on.ClockPayload(from, o.In.At, active))
	if o.In.Elapsed != 0 {
		payload = append(payload, tree.Member{Key: "elapsed", Value: tree.Float(o.In.Elapsed)})
	}
	return payload
}

// members lists the members of a payload.
func members(payload tree.Value) (list []tree.Member) {
	for key, v := range payload.Members() {
		list = append(list, tree.Member{Key: key, Value: v})
	}
	return list
}
