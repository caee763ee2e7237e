// Package chat plays campaigns on chat services, one campaign for each room. It is shared by the
// bots of the examples: a bot translates the messages of its service into an [Update] and
// implements [Service].
//
// Everybody who writes in a room is a player of its campaign. In a game, a player has a character of
// its party, and the campaign stores which. In a talk, a player is a new character. Only the player
// reads the answer to a private line, and the players that the line names: "@Bob I show you the key."
// What a player may read is decided in two places: by the audience of a piece of the stream, and by
// Outcome.ForPlayers. The text of a secret turn is never given to a different place.
package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
)

// Update is a message of a user, or a press of a button. Services deliver it at least once.
type Update struct {
	ID      string // the same for each delivery
	Room    string // empty for a private line: the room where the user wrote last
	User    string // the service's ID of the user
	Name    string
	Text    string
	Private bool   // only the user reads it
	Press   string // [Button.Press] of the pressed button
	Message string // the ID of the message with the button
}

// Place is where a message is shown: in a room, or privately to a user of the room.
type Place struct{ Room, User string }

// Message is text with buttons. Line is the line that the text answers, and By the name of its
// character, for services that do not show it.
type Message struct {
	By      string   `json:"by,omitempty"`
	Line    string   `json:"line,omitempty"`
	Text    string   `json:"text"`
	Turn    string   `json:"turn,omitempty"` // the ID of the turn that the text belongs to, when it is over
	Buttons []Button `json:"buttons,omitempty"`
}

// Button is a choice below a message. Press has at most 64 bytes if the ID of the room has at most
// 33.
type Button struct {
	Label string `json:"label"`
	Press string `json:"press"`
}

// Service shows messages. It must be safe for concurrent use. Its error may be a [*Wait].
type Service interface {
	Send(ctx context.Context, p Place, m Message) (id string, err error)
	Edit(ctx context.Context, p Place, id string, m Message) error
}

// Wait is the error of a service that refuses a message because there were too many.
type Wait struct{ For time.Duration }

// ErrUnreachable is the error of a service that may not write to a user privately.
var ErrUnreachable = errors.New("the user cannot be reached privately")

func (w *Wait) Error() string { return fmt.Sprintf("too many messages; wait %v", w.For) }

// Bot plays. Its fields must not change after the first Handle. It is safe for concurrent use.
type Bot struct {
	Engine   *campaign.Engine
	Service  Service
	Settings campaign.Settings                  // new campaigns get them, beside the settings that the bot needs
	Begin    func(player string) campaign.Setup // a new campaign, see [Flags.Begin]; nil: empty
	Closed   bool                               // a user who gets no character of a game cannot join
	Limit    int                                // the longest message, in UTF-16 units as services count; 0: no limit
	Quote    bool                               // private messages begin with the line of a different player
	Every    time.Duration                      // the shortest time between two changes of a message
	Now      func() time.Time                   // nil: time.Now
	Sleep    func(context.Context, time.Duration) error

	known recent
}

// Handle answers an update. The line /leave takes the user out of the room, and the next line of the
// user joins again. An update without a text only names the room of private lines, if the
// user has not written in a room. Handle returns errors of the store and of the service. Deliver the update
// again then: a turn that was already played is not played twice.
func (b *Bot) Handle(ctx context.Context, u Update) error {
	if u.Press != "" {
		return b.press(ctx, u)
	}
	if strings.TrimSpace(u.Text) == "" {
		if u.Room != "" {
			b.known.user(u.User).setRoom(u.Room, false)
		}
		return nil
	}
	if u.Room != "" {
		b.known.user(u.User).setRoom(u.Room, true)
	} else if u.Room = b.known.user(u.User).setRoom("", false); u.Room == "" {
		return b.say(ctx, Place{User: u.User}, b.in("(write in a room first: what you write here then belongs to its campaign)"))
	}
	if IsLeave(u.Text) {
		return b.leave(ctx, u)
	}
	return b.play(ctx, u, func(c state.Campaign) (campaign.Input, string) {
		line := campaign.Submit{Text: u.Text, ActorID: characterOf(c, u.User), UserID: u.User, Channel: u.Room, ClientTurnID: u.ID}
		unknown := ""
		if u.Private {
			line.Audience, line.Text, unknown = hearers(c, u)
		}
		return line, unknown
	})
}

// Deliver handles an update of a service that does not deliver it again after an error. It tries four
// times, and waits longer each time.
func (b *Bot) Deliver(ctx context.Context, u Update) (err error) {
	for i := range 4 {
		if i > 0 && b.sleep(ctx, time.Second<<(2*i)) != nil {
			return err
		}
		if err = b.Handle(ctx, u); err == nil {
			return nil
		}
	}
	return err
}

// hearers returns the characters who hear a private line, and the line without the names at its
// beginning. A name is the name of a character or the ID of a user; a space in it is written as "_". If
// no player or several have the name, hearers returns it.
func hearers(c state.Campaign, u Update) (ids []string, text, unknown string) {
	ids, text = []string{characterOf(c, u.User)}, strings.TrimSpace(u.Text)
	for c.ID != "" && strings.HasPrefix(text, "@") && len(ids) < 64 {
		name, rest, _ := strings.Cut(text[1:], " ")
		called := slices.DeleteFunc(slices.Clone(c.State.Characters), func(who campaign.Character) bool {
			return name != userOf(c, who.ID) && who.ID != name && !strings.EqualFold(strings.ReplaceAll(who.Name, " ", "_"), name)
		})
		if len(called) != 1 {
			return nil, "", name
		}
		ids, text = append(ids, called[0].ID), strings.TrimSpace(rest)
	}
	return ids, text, ""
}

// play runs the instruction of a user and shows its progress. It first creates the campaign of a new
// room, and adds a new player to the party. Nothing runs if instruct returns an unknown name.
func (b *Bot) play(ctx context.Context, u Update, instruct func(state.Campaign) (in campaign.Input, unknown string)) error {
	busy := &b.known.player(u).busy
	busy.Lock() // so that an update that is delivered again waits until its answer is shown
	defer busy.Unlock()
	s := &screen{bot: b, update: u, views: map[string]*view{}}
	for range maxPlayers {
		var err error
		if s.campaign, err = b.Engine.Campaign(ctx, u.Room); err != nil && !errors.Is(err, campaign.ErrNotFound) {
			return err
		}
		switch {
		case s.campaign.ID == "":
			err = b.create(ctx, u)
		case !s.campaign.State.InParty(characterOf(s.campaign, u.User)):
			err = b.join(ctx, u)
		default:
			in, unknown := instruct(s.campaign)
			if unknown != "" {
				return b.say(ctx, Place{Room: u.Room, User: u.User}, fmt.Sprintf(b.in("(no player, or more than one, is called %s)"), unknown))
			}
			var outcome campaign.Outcome
			if outcome, err = b.run(ctx, u.Room, in, s); err == nil && outcome.Reason != string(state.ActorNotInParty) {
				return s.finish(ctx, outcome)
			}
		}
		if err != nil {
			return b.refused(ctx, u, err)
		}
	}
	return fmt.Errorf("%s cannot join %s", u.User, u.Room)
}

// run runs an instruction, and passes what happens to the screen.
func (b *Bot) run(ctx context.Context, room string, in campaign.Input, s *screen) (outcome campaign.Outcome, err error) {
	for p, err := range b.Engine.Stream(ctx, room, in) {
		if err != nil {
			return outcome, err
		}
		switch p := p.(type) {
		case campaign.Provisional:
			s.text += p.Text
			s.show(ctx, p.Audience)
		case campaign.Retracted:
			s.text = ""
		case campaign.HostEffect:
			s.effects = append(s.effects, p)
		case campaign.Finished:
			outcome = p.Outcome
		}
	}
	return outcome, nil
}

// refused shows why an instruction was not run. The store's errors are returned.
func (b *Bot) refused(ctx context.Context, u Update, err error) error {
	if refusal, ok := errors.AsType[*campaign.Refusal](err); ok {
		text := b.in("(this room is full)")
		if refusal.Code != roomFull {
			text = "(" + b.Engine.Texts().Refusal(string(refusal.Code)) + ")"
		}
		return b.say(ctx, u.place(), text)
	}
	return err
}

// place returns where to answer an update that has no result to show.
func (u Update) place() Place {
	if u.Private {
		return Place{Room: u.Room, User: u.User}
	}
	return Place{Room: u.Room}
}

// say sends a message of the bot itself.
func (b *Bot) say(ctx context.Context, p Place, text string) error {
	return (&view{bot: b, place: p}).show(ctx, Message{Text: text}, true)
}
