package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// maxPlayers is the number of players of a room.
const maxPlayers = 32

// roomFull is the code of the refusal of a user who cannot join.
const roomFull state.RefusalCode = "room_full"

// playersKey is a setting of campaigns that play a game: an object from users to their characters. A
// rollback does not change settings, and prompts do not contain them. A campaign without this setting
// is a talk: there a user has the character with the ID of the user.
const playersKey = "chat.players"

// playersSetting is the definition of the setting.
var playersSetting = setting.Definition{Key: playersKey, Type: setting.JSON, Default: tree.Object(), EffectTags: []string{"ui"},
	Validation: setting.Validation{Text: "an object from users to characters"}}

// characterOf returns the ID of the character that a user plays. Before the user joins a game, the
// campaign has no character with this ID.
func characterOf(c state.Campaign, user string) string {
	users, game := c.Settings[playersKey]
	if id, ok := users.Get(user).AsText(); ok || !game {
		return cmp.Or(id, user)
	}
	for id := user; ; id += "_" {
		if _, known := c.State.Character(id); !known && userOf(c, id) == "" {
			return id
		}
	}
}

// userOf returns the user who plays a character, or "" if nobody does.
func userOf(c state.Campaign, character string) string {
	users, game := c.Settings[playersKey]
	if !game {
		return character
	}
	for user, id := range users.Members() {
		if id.Equal(tree.Text(character)) {
			return user
		}
	}
	return ""
}

// nameOf returns the name of a character.
func nameOf(c state.Campaign, character string) string {
	who, _ := c.State.Character(character)
	return cmp.Or(who.Name, character)
}

// newCharacter returns the character of a new player.
func newCharacter(u Update) campaign.Character {
	name := []rune(strings.Join(strings.Fields(u.Name), " "))
	return campaign.Character{ID: u.User, Name: cmp.Or(string(name[:min(len(name), 40)]), "Player "+u.User),
		HP: campaign.HP{Current: 10, Max: 10}}
}

// create creates the campaign of a room and shows its greeting. In a talk, the user replaces the first
// character. In a game, the user plays the first character of the party.
func (b *Bot) create(ctx context.Context, u Update) error {
	var setup campaign.Setup
	who := newCharacter(u)
	if b.Begin != nil {
		setup = b.Begin(who.Name)
	}
	settings := campaign.Settings{"turn.order": tree.Text("free"), "turn.concurrency": tree.Text("queue"),
		"conflict.intercept_output": tree.Bool(false)} // so that players see the text while it is written
	maps.Copy(settings, setup.Settings)
	maps.Copy(settings, b.Settings)
	if len(setup.Characters) == 0 {
		setup.Characters = []campaign.Character{{HP: who.HP}}
	}
	first := &setup.Characters[0]
	plays := first.ID
	if _, game := settings[playersKey]; game {
		if len(setup.Selected.Party) > 0 {
			plays = setup.Selected.Party[0]
		}
		settings[playersKey] = tree.Object(tree.Member{Key: u.User, Value: tree.Text(plays)})
	} else {
		for i := range setup.Turns {
			if t := &setup.Turns[i]; t.ActorID == first.ID {
				t.ActorID = who.ID
			}
		}
		first.ID, first.Name, plays = who.ID, who.Name, ""
	}
	seed := fnv.New64a()
	fmt.Fprint(seed, u.Room, u.ID)
	setup.ID, setup.Seed, setup.Settings = u.Room, seed.Sum64(), settings
	created, err := b.Engine.Create(ctx, setup)
	switch {
	case errors.Is(err, campaign.ErrExists): // a different message created it first
		return nil
	case err == nil && created.State.Greeting != "":
		err = b.say(ctx, Place{Room: u.Room}, created.State.Greeting)
	}
	return cmp.Or(err, b.introduce(ctx, u, created, plays))
}

// introduce shows which character of a game a user plays.
func (b *Bot) introduce(ctx context.Context, u Update, c state.Campaign, character string) error {
	if character == "" {
		return nil
	}
	return b.say(ctx, Place{Room: u.Room}, fmt.Sprintf(b.in("(%s plays %s)"), newCharacter(u).Name, nameOf(c, character)))
}

// join adds a player. In a game, the player gets the first character of the party that nobody plays.
// Without such a character, and in a talk, the player becomes a new character of the party. The users
// of a room join one after the other. A user who loses against a different process joins again.
func (b *Bot) join(ctx context.Context, u Update) error {
	busy := &b.known.room(u.Room).busy
	busy.Lock()
	defer busy.Unlock()
	c, err := b.Engine.Campaign(ctx, u.Room)
	if err != nil {
		return err
	}
	id := characterOf(c, u.User)
	users, game := c.Settings[playersKey]
	if game && !users.Get(u.User).Exists() {
		return b.claim(ctx, u, c, id)
	}
	if !game && len(c.State.Characters) >= maxPlayers {
		return &state.Refusal{Code: roomFull}
	}
	if _, known := c.State.Character(id); !known {
		active, _ := c.State.Character(c.State.Selected.ActorID)
		fields := tree.Object(tree.Member{Key: "name", Value: tree.Text(newCharacter(u).Name)}, tree.Member{Key: "area_id", Value: tree.Text(active.AreaID)},
			tree.Member{Key: "hp", Value: tree.Object(tree.Member{Key: "current", Value: tree.Int(10)}, tree.Member{Key: "max", Value: tree.Int(10)})})
		if _, err := b.Engine.Do(ctx, u.Room, campaign.SetCharacter{CharacterID: id, Fields: fields}); err != nil {
			return err
		}
	}
	_, err = b.Engine.Do(ctx, u.Room, campaign.SetParty{Members: append(slices.Clone(c.State.Selected.Party), id)})
	return err
}

// IsLeave reports whether a line asks to leave the room.
func IsLeave(line string) bool {
	command, _, _ := strings.Cut(strings.TrimSpace(line), "@") // Telegram adds the name of the bot
	return command == "/leave" || command == "/离开"
}

// leave takes a player out of the party. The character stays in the campaign, and nobody else can play
// it, because it knows secrets of the player.
func (b *Bot) leave(ctx context.Context, u Update) error {
	busy := &b.known.room(u.Room).busy
	busy.Lock()
	defer busy.Unlock()
	c, err := b.Engine.Campaign(ctx, u.Room)
	if err != nil && !errors.Is(err, campaign.ErrNotFound) {
		return err
	}
	id := characterOf(c, u.User)
	if !c.State.InParty(id) {
		return b.say(ctx, u.place(), b.in("(only players may do this; write a line to become one)"))
	}
	rest := slices.DeleteFunc(slices.Clone(c.State.Selected.Party), func(member string) bool { return member == id })
	if len(rest) == 0 {
		return b.say(ctx, u.place(), b.in("(the last player cannot leave)"))
	}
	if _, err := b.Engine.Do(ctx, u.Room, campaign.SetParty{Members: rest}); err != nil {
		return b.refused(ctx, u, err)
	}
	return b.say(ctx, Place{Room: u.Room}, fmt.Sprintf(b.in("(%s leaves; a line joins again)"), nameOf(c, id)))
}

// claim stores which character a user plays. The ID of the instruction is the number of players, so
// of two users who claim a character at the same moment, also in two processes, one is refused.
func (b *Bot) claim(ctx context.Context, u Update, c state.Campaign, id string) error {
	users, plays := c.Settings[playersKey], ""
	free := slices.IndexFunc(c.State.Selected.Party, func(id string) bool { return userOf(c, id) == "" })
	switch {
	case users.Len() >= maxPlayers || free < 0 && b.Closed:
		return &state.Refusal{Code: roomFull}
	case free >= 0:
		id = c.State.Selected.Party[free]
		plays = id
	}
	_, err := b.Engine.Do(ctx, u.Room, campaign.Once{ID: fmt.Sprint("player ", users.Len()), Input: campaign.PatchSettings{
		Patch: campaign.Settings{playersKey: users.With(u.User, tree.Text(id))}}})
	if refusal, ok := errors.AsType[*campaign.Refusal](err); ok && refusal.Code == state.IdempotencyConflict {
		return nil // the next attempt sees the player who was faster
	}
	return cmp.Or(err, b.introduce(ctx, u, c, plays))
}
