package turn

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/scripting"
	"github.com/talewright/talewright/campaign/turn/internal/view"
	"github.com/talewright/talewright/campaign/turn/internal/window"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// A cast is several characters that the model plays. Who of them speaks in a turn is decided once,
// after the player's line; then the course goes through the prompt, the model and the judgement for
// each of them, and settles the turn when the last has spoken.

// casting is who of a cast speaks in a turn, and how far it is.
type casting struct {
	chosen   bool        // who speaks was decided, if it is nobody
	speakers []string    // ids, in order; nobody without a cast
	at       int         // who speaks now
	attempts int         // of the turn, before those of this reply
	retries  int         // likewise
	before   state.State // as who speaks has found it
	kept     bool        // the reply of who speaks now is kept
	raw      []string    // the replies that are kept, as the model wrote them

	spoken     []state.Reply       // what members of the cast have said
	dropped    []string            // those of them whose replies were left out
	refused    []state.FailedCall  // refused calls of earlier outputs, whose results the model has seen
	overridden []conflict.Conflict // conflicts of earlier outputs that a person overrode
}

// speaking is the id of the member who speaks now, "" without a cast and when all have.
func (c *casting) speaking() string {
	if c.at < len(c.speakers) {
		return c.speakers[c.at]
	}
	return ""
}

// has reports whether the model plays several characters in this turn.
func (c *casting) has() bool { return len(c.speakers) > 0 || c.chosen }

// chooseSpeakers decides who of the cast speaks. Where nobody does, the player's line stands alone.
func chooseSpeakers(t *run) next {
	if len(t.game.Cast()) == 0 {
		return toNext
	}
	choice, err := speakers(windowOf(t), t.order.again)
	if err != nil { // a submission that calls one who cannot speak was refused
		t.stage.Staged.Warn("cast: %v", err)
	}
	t.stage.Staged.Trace.Cast = &choice
	t.casting.chosen, t.casting.speakers = true, choice.Speakers
	if len(choice.Speakers) == 0 {
		t.stage.Settle()
		return toSettle
	}
	beginReply(t)
	return toNext
}

// suggestBy decides for which member of the cast suggestions are written: the prompt has that
// one's card, and nobody speaks.
func suggestBy(t *run) {
	if len(t.game.Cast()) == 0 {
		return
	}
	choice, err := cast.Choose(round(windowOf(t)))
	if err != nil {
		t.stage.Staged.Warn("cast: %v", err)
	}
	t.casting.speakers = choice.Speakers
}

// speakers chooses who of the cast speaks. A swipe is answered by those who answered the line before.
func speakers(sc window.Window, again *renewal) (cast.Choice, error) {
	var choice cast.Choice
	if again != nil && sc.In.Generation == worldbook.Swipe && sc.Ask.Speaker == "" {
		head, _ := sc.Campaign.Turn(again.head.HeadTurnID)
		for _, r := range head.Replies {
			if _, here := sc.Game.Member(r.Speaker); here {
				choice.Speakers = append(choice.Speakers, r.Speaker)
				choice.Trace = append(choice.Trace, cast.Note{ID: r.Speaker, Reason: cast.Spoke})
			}
		}
	}
	if len(choice.Speakers) > 0 {
		return choice, nil
	}
	return cast.Choose(round(sc))
}

// round is what decides who speaks.
func round(sc window.Window) cast.Round {
	r := cast.Round{
		Order: cast.Order(sc.Values.Text(setting.CastOrder)), SelfReply: sc.Values.Bool(setting.CastSelfReply),
		Members: sc.Game.Cast(), Force: sc.In.Speaker, Chat: sc.CastLines(), Input: sc.In.Text, Random: sc.Draw,
	}
	switch {
	case sc.Suggestions > 0:
		r.Kind = cast.Kind(sc.In.Generation) // of which there are the same words
	case sc.In.Auto:
		r.Kind = cast.Auto
	}
	return r
}

// texts are the replies of the turn, one for each who spoke; without a cast the narration.
func (c *casting) texts(narration func() string) []string {
	if !c.has() {
		return []string{narration()}
	}
	out := make([]string, len(c.spoken))
	for i, r := range c.spoken {
		out[i] = r.Text
	}
	return out
}

// written is all that the model wrote in the replies of the turn, the last of which is given.
func (c *casting) written(last string) string {
	if !c.has() {
		return last
	}
	return strings.Join(c.raw, betweenReplies)
}

// heardNow are those of the newest reply: rules and reactions hear of each by itself, since what has
// fired once does not fire again for the same cause. The line goes before the first.
func (c *casting) heardNow(o *order) []rules.Event {
	said := event.ModelMessage(c.spoken[len(c.spoken)-1].Text)
	if len(c.spoken) > 1 || !o.line {
		return []rules.Event{said}
	}
	return []rules.Event{event.PlayerMessage(o.in.Text), said}
}

// heardLast are the events of a turn that nobody has heard of yet.
func (c *casting) heardLast(o *order, all []rules.Event) []rules.Event {
	return slices.DeleteFunc(all, func(e rules.Event) bool {
		return e.Type == event.TypeModelMessage || e.Type == event.TypePlayerMessage && (!o.line || len(c.spoken) > 0)
	})
}

// add notes what the speaker said: as it is shown, and as the model wrote it.
func (c *casting) add(said state.Reply, raw string) {
	said.Speaker = c.speaking()
	c.spoken, c.raw, c.kept = append(c.spoken, said), append(c.raw, raw), true
}

// beginReply forgets the reply of the speaker before, so that this one is asked for afresh.
func beginReply(t *run) {
	c := &t.casting
	c.attempts, c.retries, c.kept = len(t.attempts), t.retries, false
	t.talk.request, t.talk.sent, t.talk.text, t.talk.tooLong, t.talk.why = request.Request{}, 0, nil, nil, ""
	t.talk.rounds, t.talk.narrating, t.talk.told = 0, false, len(t.stage.Staged.Applied)
	t.out.last, t.out.asks, t.found.forced = answer.Answer{}, nil, nil
	t.out.findings, t.out.blocking, t.out.unsettled = nil, nil, nil
	t.calls.Refused = map[string]state.CallCode{} // what was refused to another
}

// hasSpeaker reports whether it is a member of a cast who speaks.
func hasSpeaker(t *run) bool { return t.casting.speaking() != "" }

// firstReply reports whether nobody has spoken yet in this turn.
func firstReply(t *run) bool { return t.casting.at == 0 }

// keepReply takes a reply over that has passed, and what it asks for: the next speaker finds it.
func keepReply(t *run) next {
	if t.casting.speaking() == "" {
		return toSettle
	}
	t.stage.ModelAsks(t.out.last.Text, t.out.asks)
	t.casting.add(state.Reply{Text: t.narration(), Structured: t.out.last.Extra}, t.out.last.Text)
	t.stage.Chain(t.casting.heardNow(&t.order)...)
	t.casting.refused = append(t.casting.refused, t.out.unsettled...)
	t.casting.overridden = append(t.casting.overridden, t.out.accepted...)
	t.out.unsettled, t.out.accepted = nil, nil
	t.stage.Settle()
	return toSpoken
}

// nextSpeaker goes on to the next one. If no reply at all has passed, a person decides.
func nextSpeaker(t *run) next {
	if t.casting.at+1 == len(t.casting.speakers) && len(t.casting.spoken) == 0 {
		return toReport
	}
	t.casting.at++
	beginReply(t)
	if t.casting.speaking() != "" {
		return toSpeaker
	}
	return toNext
}

// betweenReplies stands between the replies of a turn where they are one text.
const betweenReplies = "\n\n"

// shownTurn is a turn as its player sees it.
func shownTurn(v view.Turn, t state.Turn) *Shown {
	if len(t.Replies) == 0 {
		return &Shown{Text: scripting.Displayed(v, t.Text, v.CharName())}
	}
	shown := &Shown{Replies: slices.Clone(t.Replies)}
	for i, r := range shown.Replies {
		text := scripting.Displayed(v, r.Text, v.MemberName(r.Speaker))
		if i+1 < len(shown.Replies) {
			text += betweenReplies
		}
		shown.Text += text
		shown.Replies[i].Text = text
	}
	return shown
}

// autoRounds counts the rounds since the player's last line.
func autoRounds(before int, in state.Submission) int {
	if in.Auto {
		return before + 1
	}
	return 0
}

// canSpeak reports whether there is a member of the cast with the id, and a card.
func canSpeak(g *game.Game, id string) bool {
	_, ok := g.Member(id)
	return ok
}

// mostRounds is how many rounds may follow each other without the player.
func mostRounds(g *game.Game, values setting.Values) int {
	if len(g.Cast()) == 0 {
		return 0
	}
	return values.Int(setting.CastAutoReplies)
}

// canHear reports whether all of them are characters of the campaign or members of the cast.
func canHear(m *Machine, ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		_, here := m.base.State.Character(id)
		return !here && !canSpeak(m.game, id)
	})
}
