package turn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/braces"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/scene"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// A cast is several characters that the model plays. Who of them speaks in a turn is decided once,
// after the player's line; then the course goes through the prompt, the model and the judgement for
// each of them, and settles the turn when the last has spoken.

// casting is who of a cast speaks in a turn, and how far it is.
type casting struct {
	speakers []string    // ids, in order; nobody without a cast
	at       int         // who speaks now
	attempts int         // of the turn, before those of this reply
	retries  int         // likewise
	before   state.State // as who speaks has found it
	kept     bool        // the reply of who speaks now is kept
	raw      []string    // the replies that are kept, as the model wrote them
}

// speaking is the id of the member who speaks now, "" without a cast and when all have.
func (c *casting) speaking() string {
	if c.at < len(c.speakers) {
		return c.speakers[c.at]
	}
	return ""
}

// hasCast reports whether the model plays several characters in this turn.
func (t *run) hasCast() bool { return len(t.casting.speakers) > 0 || t.stage.Staged.Trace.Cast != nil }

// chooseSpeakers decides who of the cast speaks. Where nobody does, the player's line stands alone.
func (m *Machine) chooseSpeakers() Stop {
	t := m.turn
	if len(m.game.Cast()) == 0 {
		return onward
	}
	choice, err := t.cast()
	if err != nil { // a submission that calls one who cannot speak was refused
		t.stage.Staged.Warn("cast: %v", err)
	}
	t.stage.Staged.Trace.Cast = &choice
	t.casting.speakers = choice.Speakers
	if len(choice.Speakers) == 0 {
		t.stage.Settle()
		return atSettle
	}
	t.beginReply()
	return onward
}

// cast chooses the speakers. A swipe is answered by those who answered the line before.
func (t *run) cast() (cast.Choice, error) {
	var choice cast.Choice
	if t.again != nil && t.in.Generation == worldbook.Swipe && t.ask.Speaker == "" {
		head, _ := t.next.Turn(t.again.head.HeadTurnID)
		for _, r := range head.Replies {
			if _, here := t.game.Member(r.Speaker); here {
				choice.Speakers = append(choice.Speakers, r.Speaker)
				choice.Trace = append(choice.Trace, cast.Note{ID: r.Speaker, Reason: cast.Spoke})
			}
		}
	}
	if len(choice.Speakers) > 0 {
		return choice, nil
	}
	return cast.Choose(t.round())
}

// round is what decides who speaks.
func (t *run) round() cast.Round {
	r := cast.Round{
		Order: cast.Order(t.values.Text(setting.CastOrder)), SelfReply: t.values.Bool(setting.CastSelfReply),
		Members: t.game.Cast(), Force: t.in.Speaker, Chat: t.scenery().castLines(), Input: t.in.Text, Random: t.stage.Draw,
	}
	switch {
	case t.suggest != nil:
		r.Kind = cast.Kind(t.in.Generation) // of which there are the same words
	case t.in.Auto:
		r.Kind = cast.Auto
	}
	return r
}

// suggestedBy decides for which member of the cast suggestions are written: the prompt has that
// one's card, and nobody speaks.
func (t *run) suggestedBy() {
	if len(t.game.Cast()) == 0 {
		return
	}
	choice, err := cast.Choose(t.round())
	if err != nil {
		t.stage.Staged.Warn("cast: %v", err)
	}
	t.casting.speakers = choice.Speakers
}

// castLines are the newest messages before this turn, back to the player's last one: nothing before
// it counts for who speaks next.
func (sc scenery) castLines() []cast.Line {
	log := sc.conversation()
	var out []cast.Line
	for i, player := len(log.Messages)-1, false; i >= 0 && !player; i-- {
		line := cast.Line{By: cast.ByNarrator, Name: log.Messages[i].Name, Text: log.Messages[i].Text}
		switch by := log.Said[i]; {
		case by.Role == llm.User:
			line.By, player = cast.ByPlayer, true
		case by.Speaker != "":
			line.By, line.ID = cast.ByMember, by.Speaker
		}
		out = append(out, line)
	}
	slices.Reverse(out)
	return out
}

// beginReply forgets the reply of the speaker before, so that this one is asked for afresh.
func (t *run) beginReply() {
	c := &t.casting
	c.attempts, c.retries, c.kept = len(t.attempts), t.retries, false
	t.request, t.sent, t.text, t.tooLong, t.retryWhy = request.Request{}, 0, nil, nil, ""
	t.rounds, t.narrating, t.resultsTold = 0, false, len(t.stage.Staged.Applied)
	t.last, t.asks, t.forced = answer.Answer{}, nil, nil
	t.findings, t.blocking, t.unsettled = nil, nil, nil
	t.court.refused = map[string]state.CallCode{} // what was refused to another
}

// hasSpeaker reports whether it is a member of a cast who speaks.
func (t *run) hasSpeaker() bool { return t.casting.speaking() != "" }

// firstReply reports whether nobody has spoken yet in this turn.
func (t *run) firstReply() bool { return t.casting.at == 0 }

func (t *run) speakerPayload() []tree.Member {
	id := t.casting.speaking()
	return []tree.Member{{Key: "speaker", Value: tree.Text(id)}, {Key: "name", Value: tree.Text(t.scenery().memberName(id))}}
}

func (t *run) spokenPayload() []tree.Member {
	out := t.speakerPayload()
	if n := len(t.spoken); t.casting.kept {
		return append(out, tree.Member{Key: "text", Value: tree.Text(t.spoken[n-1].Text)})
	}
	return append(out, tree.Member{Key: "dropped", Value: tree.Bool(true)})
}

// keepReply takes a reply over that has passed, and what it asks for: the next speaker finds it.
func (m *Machine) keepReply() Stop {
	t := m.turn
	if !t.hasSpeaker() {
		return atSettle
	}
	t.stage.ModelAsks(t.last.Text, t.asks)
	t.addReply()
	t.stage.Chain(t.replyEvents()...)
	t.refused = append(t.refused, t.unsettled...)
	t.waved = append(t.waved, t.accepted...)
	t.unsettled, t.accepted = nil, nil
	t.stage.Settle()
	return atSpoken
}

// addReply notes what was said.
func (t *run) addReply() {
	t.spoken = append(t.spoken, state.Reply{Speaker: t.casting.speaking(),
		Text: t.cleanNarration(t.last.Text), Structured: t.last.Extra})
	t.casting.raw, t.casting.kept = append(t.casting.raw, t.last.Text), true
}

// dropReply leaves out a reply that could not be brought in line with the state.
func (m *Machine) dropReply() Stop {
	t := m.turn
	t.stage.Undo()
	t.dropped = append(t.dropped, t.casting.speaking())
	return atSpoken
}

// nextSpeaker goes on to the next one. If no reply at all has passed, a person decides.
func (m *Machine) nextSpeaker() Stop {
	t := m.turn
	if t.casting.at+1 == len(t.casting.speakers) && len(t.spoken) == 0 {
		return m.report()
	}
	t.casting.at++
	t.beginReply()
	if t.hasSpeaker() {
		return atSpeaker
	}
	return onward
}

// replyTexts are the replies of the turn, one for each who spoke.
func (t *run) replyTexts() []string {
	if !t.hasCast() {
		return []string{t.cleanNarration(t.last.Text)}
	}
	out := make([]string, len(t.spoken))
	for i, r := range t.spoken {
		out[i] = r.Text
	}
	return out
}

// rawReply is all that the model wrote in the replies of the turn.
func (t *run) rawReply() string {
	if !t.hasCast() {
		return t.last.Text
	}
	return strings.Join(t.casting.raw, betweenReplies)
}

// playerLines is what the player said, nothing where the cast goes on by itself.
func (t *run) playerLines() []string {
	if !t.line {
		return nil
	}
	return []string{t.in.Text}
}

// betweenReplies stands between the replies of a turn where they are one text.
const betweenReplies = "\n\n"

// withoutName is a reply without the name of its speaker in front, which models copy from the
// history.
func withoutName(text, name string) string {
	rest, named := strings.CutPrefix(strings.TrimSpace(text), name)
	if !named || name == "" {
		return text
	}
	for _, colon := range []string{":", "："} {
		if said, ok := strings.CutPrefix(rest, colon); ok {
			return strings.TrimSpace(said)
		}
	}
	return text
}

// shownTurn is a turn as its player sees it.
func (sc scenery) shownTurn(t state.Turn) *Shown {
	if len(t.Replies) == 0 {
		return &Shown{Text: sc.displayed(t.Text, sc.charName())}
	}
	shown := &Shown{Replies: slices.Clone(t.Replies)}
	for i, r := range shown.Replies {
		text := sc.displayed(r.Text, sc.memberName(r.Speaker))
		if i+1 < len(shown.Replies) {
			text += betweenReplies
		}
		shown.Text += text
		shown.Replies[i].Text = text
	}
	return shown
}

// writing is the kind of answer that a prompt asks for: behind the reply of another one a line is
// continued by nobody.
func (sc scenery) writing() worldbook.GenerationType {
	if len(sc.spoken) > 0 {
		return ""
	}
	return sc.in.Generation
}

// replyEvents are those of the newest reply: rules and reactions hear of each by itself, since what has
// fired once does not fire again for the same cause. The line goes before the first.
func (t *run) replyEvents() []rules.Event {
	said := event.ModelMessage(t.spoken[len(t.spoken)-1].Text)
	if len(t.spoken) > 1 || !t.line {
		return []rules.Event{said}
	}
	return []rules.Event{event.PlayerMessage(t.in.Text), said}
}

// castEvents are the events of a turn that nobody has heard of yet.
func (t *run) castEvents(all []rules.Event) []rules.Event {
	return slices.DeleteFunc(all, func(e rules.Event) bool {
		return e.Type == event.TypeModelMessage || e.Type == event.TypePlayerMessage && (!t.line || len(t.spoken) > 0)
	})
}

// autoRounds counts the rounds since the player's last line.
func autoRounds(before int, in Submit) int {
	if in.Auto {
		return before + 1
	}
	return 0
}

// member returns the member of the cast who speaks.
func (sc scenery) member() (game.CastMember, bool) { return sc.game.Member(sc.playing) }

// card is that of whom the model plays, nil for a plain game master.
func (sc scenery) card() *card.Card {
	if m, ok := sc.member(); ok {
		return m.Card
	}
	return sc.game.Content().Card
}

// sheet is what the prompt holds of the cards of a cast.
func (sc scenery) sheet() cast.Sheet {
	texts := sc.game.Content().CastTexts
	s, _ := cast.MakeSheet(sc.game.Cast(), nil, sc.playing, cast.Putting{
		Cards: cast.Cards(sc.values.Text(setting.CastCards)), Prefix: texts.Prefix, Suffix: texts.Suffix,
		Scenario: texts.Scenario, Examples: texts.Examples,
	})
	return s
}

// castCard is the card of the prompt, and the texts between the messages. In each text {{char}} is
// the owner of the card that it is from, so that all are expanded here and data behind it.
func (p *prompter) castCard() (fields macro.Card, between []scene.Injection) {
	s, env := p.sheet(), p.promptEnv()
	text := func(t cast.Text) string {
		return braces.Escape(t.Expand(func(part, id, char string) string { return p.expandPart(&env, part, id, char) }))
	}
	fields = macro.Card{
		Description: text(s.Description), Personality: text(s.Personality), Scenario: text(s.Scenario),
		Examples: text(s.Examples),
	}
	if c := p.card(); c != nil {
		own := cardFields(*c)
		own.Description, own.Personality, own.Scenario, own.Examples = fields.Description, fields.Personality, fields.Scenario, fields.Examples
		own.DepthPrompt = ""
		fields = own
	}
	for i, d := range s.Depth {
		between = append(between, scene.Injection{Key: "char.depth." + strconv.Itoa(i), Text: text(d.Text),
			Depth: d.Depth, Role: llm.Role(d.Role)})
	}
	return fields, between
}

// expandPart expands a part of a card for its owner. What macros write the parts behind it find.
func (p *prompter) expandPart(env *prompt.Env, text, id, char string) string {
	if !strings.ContainsAny(text, "{<") { // most have no macro
		return text
	}
	env.Char, env.Macros = char, cast.Macros(p.game.Cast(), id)
	run := macro.NewRun(*env)
	out := run.Expand(text, macro.Full)
	p.keepRun(run)
	if values, written := run.Vars(); written {
		env.Vars = values
	}
	if values, written := run.Globals(); written {
		env.Globals = values
	}
	return out
}

// canSpeak reports whether there is a member of the cast with the id, and a card.
func (m *Machine) canSpeak(id string) bool {
	_, ok := m.game.Member(id)
	return ok
}

// autoRounds is how many rounds may follow each other without the player.
func (m *Machine) autoRounds(values setting.Values) int {
	if len(m.game.Cast()) == 0 {
		return 0
	}
	return values.Int(setting.CastAutoReplies)
}
