package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
)

// press acts on a button: its verb, what it is about, the version of the campaign, and the room. A
// user could send any text as a press, so everything is checked again. The press is the ID of its
// instruction. So it acts once, also if it is delivered twice or two players press it.
func (b *Bot) press(ctx context.Context, u Update) error {
	part := strings.SplitN(u.Press, " ", 4)
	if len(part) != 4 {
		return nil // no button of ours
	}
	if u.Room != "" && u.Room != part[3] {
		return nil // a button of a different room
	}
	verb, about := part[0], part[1]
	u.Room, u.ID = part[3], u.Press
	if b.known.player(u).has(u.ID) {
		return nil // delivered twice
	}
	c, err := b.Engine.Campaign(ctx, u.Room)
	if errors.Is(err, campaign.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	who := characterOf(c, u.User)
	if !c.State.InParty(who) {
		return b.say(ctx, u.place(), b.in("(only players may do this; write a line to become one)"))
	}
	head, _ := c.Turn(c.State.HeadTurnID)
	approves := c.PendingApproval != nil && c.PendingApproval.Question.ActorID == who
	decides := c.PendingConflict != nil && c.PendingConflict.ActorID == who
	ofHead := map[string]campaign.Input{"back": campaign.PreviousAnswer{}, "next": campaign.NextAnswer{}, "undo": campaign.Undo{},
		"swipe": campaign.Regenerate{Swipe: true, ClientTurnID: u.Press, ExpectedHead: about}}
	in := ofHead[verb]
	play := func(in campaign.Input) error {
		return b.play(ctx, u, func(state.Campaign) (campaign.Input, string) { return in, "" })
	}
	switch {
	case in != nil && (head.ID != about || !state.Knows(head.Audience, who)):
		return b.say(ctx, u.place(), b.in("(this is not the newest turn any more)"))
	case verb == "swipe":
		return play(in)
	case verb == "agree" && approves:
		return play(campaign.Approve{Question: about, By: u.User, Decisions: c.PendingApproval.Question.All(state.Approve, "")})
	case verb == "deny" && approves:
		return play(campaign.Approve{Question: about, By: u.User, Decisions: c.PendingApproval.Question.All(state.Deny, "the player refuses")})
	case verb == "decide" && decides:
		return play(campaign.ResolveConflict{Decision: state.Decision(about), By: u.User})
	case verb == "branches":
		return b.branches(ctx, u, c)
	case verb == "branch":
		in = campaign.SwitchBranch{BranchID: about}
	case in == nil:
		return b.say(ctx, u.place(), b.in("(this is not for you to decide, or not any more)"))
	}
	outcome, err := b.Engine.Do(ctx, u.Room, campaign.Once{ID: u.Press, Input: in})
	if err != nil {
		return b.refused(ctx, u, err)
	}
	b.known.player(u).add(u.ID)
	if outcome.Replayed {
		return nil
	}
	return b.showHead(ctx, u, head)
}

// showHead shows the newest turn, after it has changed. If the old one was a single message, the
// new one replaces it.
func (b *Bot) showHead(ctx context.Context, u Update, old state.Turn) error {
	c, err := b.Engine.Campaign(ctx, u.Room)
	if err != nil {
		return err
	}
	s := &screen{bot: b, update: u, campaign: c, views: map[string]*view{}}
	head, ok := c.Turn(c.State.HeadTurnID)
	if !ok {
		return b.say(ctx, u.place(), b.in("(the story is at its beginning)"))
	}
	who, viewer := characterOf(c, u.User), ""
	if u.Private {
		viewer = who
	}
	if short := b.Limit == 0 || len(utf16.Encode([]rune(old.Text))) <= b.Limit; short && u.Message != "" &&
		slices.Contains(everybodyIf(head.Audience), viewer) {
		s.view(viewer).ids = []string{u.Message}
	}
	outcome := campaign.Outcome{Turn: &head, Version: c.Version}
	if m, ok := s.message(outcome, who); ok && u.Private && len(head.Audience) == 0 {
		return s.view(who).show(ctx, m, true) // the room does not know of a secret turn
	}
	return s.finish(ctx, outcome)
}

// branches offers the branches of the campaign. It shows no text of theirs, because a turn of a
// branch may be secret.
func (b *Bot) branches(ctx context.Context, u Update, c state.Campaign) error {
	m := Message{Text: b.in("The branches of the story:")}
	version := strings.Split(u.Press, " ")[2]
	for branch, err := range b.Engine.Branches(ctx, u.Room, state.HistoryBranches{Limit: 8}) {
		if err != nil {
			return err
		}
		label := branch.ID
		if branch.ID == c.BranchID {
			label = fmt.Sprintf(b.in("%s (here)"), label)
		}
		m.Buttons = append(m.Buttons, Button{Label: label, Press: strings.Join([]string{"branch", branch.ID, version, u.Room}, " ")})
	}
	return (&view{bot: b, place: u.place()}).show(ctx, m, true)
}
