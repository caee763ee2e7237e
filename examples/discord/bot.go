package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
)

// discord translates between Discord and a [chat.Bot]. A room is a thread that the bot has started.
// A private message is an ephemeral reply if the user has acted in the thread within the last
// minutes, and a direct message if not.
type discord struct {
	api     *discordgo.Session
	chat    *chat.Bot
	turns   sync.WaitGroup
	replies sync.Map // from places to the newest *reply there
}

// reply is an interaction. Ephemeral messages are only possible as replies to it, for 15 minutes.
type reply struct {
	*discordgo.Interaction
	until   time.Time
	waiting atomic.Bool // Discord shows that the bot is thinking
}

// commands are the slash commands.
var commands = []*discordgo.ApplicationCommand{
	{Name: "story", Description: "Begin a story in a thread", Options: text("The title of the thread")},
	{Name: "whisper", Description: "A secret line, in the thread of a story", Options: text("What you do. Begin with @ and a name if others hear it")},
}

func text(what string) []*discordgo.ApplicationCommandOption {
	return []*discordgo.ApplicationCommandOption{{Type: discordgo.ApplicationCommandOptionString, Name: "text", Description: what, Required: true}}
}

// newDiscord returns a bot. It plays when its session is open.
func newDiscord(ctx context.Context, engine *campaign.Engine, token string, transport http.RoundTripper) (*discord, error) {
	api, err := discordgo.New("Bot " + token)
	if err != nil {
		return nil, err
	}
	api.ShouldRetryOnRateLimit = false // the chat waits, and leaves out edits
	api.SyncEvents = true              // so that each event is counted in turns before the session is closed
	api.Client.Transport = transport
	api.Identify.Intents = discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages | discordgo.IntentMessageContent
	d := &discord{api: api}
	d.chat = &chat.Bot{Engine: engine, Service: d, Limit: 2000, Quote: true, Every: time.Second, Now: time.Now}
	api.AddHandler(func(_ *discordgo.Session, m *discordgo.MessageCreate) {
		d.turns.Go(func() { d.message(ctx, m.Message) })
	})
	api.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) {
		d.turns.Go(func() { d.interaction(ctx, i.Interaction) })
	})
	return d, nil
}

// run plays until the context ends, and until all turns are over.
func (d *discord) run(ctx context.Context) error {
	if err := d.api.Open(); err != nil {
		return err
	}
	_, err := d.api.ApplicationCommandBulkOverwrite(d.api.State.Application.ID, "", commands, discordgo.WithContext(ctx))
	if err == nil {
		<-ctx.Done()
	}
	err = errors.Join(err, d.api.Close())
	d.turns.Wait()
	return err
}

// message answers a message in a story, or a direct message. Its ID is the ID of the turn, so a
// message that Discord delivers twice is played once.
func (d *discord) message(ctx context.Context, m *discordgo.Message) {
	if m.Author == nil || m.Author.Bot {
		return
	}
	u := chat.Update{ID: m.ID, User: m.Author.ID, Name: m.Author.DisplayName(), Text: m.Content, Private: m.GuildID == ""}
	if !u.Private {
		if !d.isStory(ctx, m.ChannelID) {
			return
		}
		u.Room = m.ChannelID
	}
	logError(d.chat.Deliver(ctx, u))
}

// isStory reports whether a channel is a thread that the bot has started.
func (d *discord) isStory(ctx context.Context, id string) bool {
	c, err := d.api.State.Channel(id)
	if err != nil {
		c, err = d.api.Channel(id, discordgo.WithContext(ctx))
	}
	logError(err)
	return err == nil && c.IsThread() && c.OwnerID == d.api.State.User.ID
}

func logError(err error) {
	if err != nil {
		log.Print(err)
	}
}

var mention = regexp.MustCompile(`<@!?(\d+)>`)

// interaction answers a command or a button. It has to be acknowledged within three seconds. It is
// acknowledged once, so nothing happens if Discord delivers it twice.
func (d *discord) interaction(ctx context.Context, i *discordgo.Interaction) {
	who := i.User // in a direct message
	if i.Member != nil {
		who = i.Member.User
	}
	if who == nil {
		return
	}
	ack := &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource,
		Data: &discordgo.InteractionResponseData{Flags: discordgo.MessageFlagsEphemeral}}
	if i.Type == discordgo.InteractionMessageComponent {
		ack = &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredMessageUpdate}
	}
	if err := d.api.InteractionRespond(i, ack, discordgo.WithContext(ctx)); err != nil {
		logError(err)
		return
	}
	u := chat.Update{ID: i.ID, User: who.ID, Name: who.DisplayName(), Private: i.GuildID == ""}
	r := &reply{Interaction: i, until: d.chat.Now().Add(14 * time.Minute)}
	if i.GuildID != "" {
		d.replies.Store(chat.Place{Room: i.ChannelID, User: who.ID}, r)
	}
	switch i.Type {
	case discordgo.InteractionMessageComponent:
		u.Press, u.Message = i.MessageComponentData().CustomID, "channel "+i.ChannelID+" "+i.Message.ID
		if i.Message.Flags&discordgo.MessageFlagsEphemeral != 0 {
			u.Private, u.Message = true, "reply "+i.Token+" @original"
		}
		logError(d.chat.Deliver(ctx, u))
	case discordgo.InteractionApplicationCommand:
		r.waiting.Store(true)
		data := i.ApplicationCommandData()
		if len(data.Options) == 0 {
			return
		}
		line := data.Options[0].StringValue()
		switch {
		case data.Name == "story":
			thread, err := d.api.ThreadStart(i.ChannelID, line, discordgo.ChannelTypeGuildPublicThread, 24*60, discordgo.WithContext(ctx))
			answer := "(no thread can be started here)"
			if err == nil {
				answer = "(the story begins in <#" + thread.ID + ">: write there what you do)"
			}
			_, err = d.Send(ctx, chat.Place{Room: i.ChannelID, User: who.ID}, chat.Message{Text: answer})
			logError(err)
		case d.isStory(ctx, i.ChannelID):
			u.Room, u.Private, u.Text = i.ChannelID, true, mention.ReplaceAllString(line, "@$1")
			logError(d.chat.Deliver(ctx, u))
		default:
			_, err := d.Send(ctx, chat.Place{Room: i.ChannelID, User: who.ID}, chat.Message{Text: "(whisper in the thread of a story)"})
			logError(err)
		}
		if r.waiting.Load() { // everything was shown elsewhere
			logError(d.api.InteractionResponseDelete(i, discordgo.WithContext(ctx)))
		}
	}
}

// Send implements [chat.Service]. The ID of a message says how it can be changed: as a message of a
// channel, or as a reply to an interaction with a token.
func (d *discord) Send(ctx context.Context, p chat.Place, m chat.Message) (string, error) {
	if p.User == "" {
		return d.post(ctx, p.Room, m)
	}
	if found, ok := d.replies.Load(p); ok && d.chat.Now().Before(found.(*reply).until) {
		id, err := d.reply(ctx, found.(*reply), m)
		if !gone(err) {
			return id, err
		}
		d.replies.Delete(p)
	}
	c, err := d.api.UserChannelCreate(p.User, discordgo.WithContext(ctx))
	if err != nil {
		return "", wait(err)
	}
	id, err := d.post(ctx, c.ID, m)
	if refused, ok := errors.AsType[*discordgo.RESTError](err); ok && refused.Response.StatusCode == http.StatusForbidden {
		err = chat.ErrUnreachable
	}
	return id, err
}

// post sends a message to a channel. Nobody is mentioned, whatever players and models write.
func (d *discord) post(ctx context.Context, channel string, m chat.Message) (string, error) {
	sent, err := d.api.ChannelMessageSendComplex(channel, &discordgo.MessageSend{Content: m.Text, Components: buttons(m),
		AllowedMentions: nobody}, discordgo.WithContext(ctx))
	if err != nil {
		return "", wait(err)
	}
	return "channel " + channel + " " + sent.ID, nil
}

// reply sends an ephemeral message. The first one takes the place of the acknowledgement.
func (d *discord) reply(ctx context.Context, r *reply, m chat.Message) (string, error) {
	if r.waiting.Load() {
		id := "reply " + r.Token + " @original"
		err := d.change(ctx, id, m)
		if err == nil {
			r.waiting.Store(false)
		}
		return id, err
	}
	sent, err := d.api.FollowupMessageCreate(r.Interaction, true, &discordgo.WebhookParams{Content: m.Text, Components: buttons(m),
		AllowedMentions: nobody, Flags: discordgo.MessageFlagsEphemeral}, discordgo.WithContext(ctx))
	if err != nil {
		return "", wait(err)
	}
	return "reply " + r.Token + " " + sent.ID, nil
}

// Edit implements [chat.Service]. It sends a new message instead of one that is gone, or that is
// elsewhere: a secret never replaces a message in a thread.
func (d *discord) Edit(ctx context.Context, p chat.Place, id string, m chat.Message) error {
	if strings.HasPrefix(id, "channel "+p.Room+" ") == (p.User == "") {
		if err := d.change(ctx, id, m); !gone(err) {
			return err
		}
	}
	_, err := d.Send(ctx, p, m)
	return err
}

func (d *discord) change(ctx context.Context, id string, m chat.Message) (err error) {
	part, keys := strings.Fields(id), buttons(m)
	if part[0] == "reply" {
		_, err = d.api.WebhookMessageEdit(d.api.State.Application.ID, part[1], part[2], &discordgo.WebhookEdit{Content: &m.Text,
			Components: &keys, AllowedMentions: nobody}, discordgo.WithContext(ctx))
	} else {
		_, err = d.api.ChannelMessageEditComplex(&discordgo.MessageEdit{Channel: part[1], ID: part[2], Content: &m.Text,
			Components: &keys, AllowedMentions: nobody}, discordgo.WithContext(ctx))
	}
	return wait(err)
}

var nobody = &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}

// buttons returns the buttons of a message, in rows of five.
func buttons(m chat.Message) []discordgo.MessageComponent {
	rows := []discordgo.MessageComponent{}
	for some := range slices.Chunk(m.Buttons, 5) {
		var row discordgo.ActionsRow
		for _, b := range some {
			row.Components = append(row.Components, discordgo.Button{Label: b.Label, Style: discordgo.SecondaryButton, CustomID: b.Press})
		}
		rows = append(rows, row)
	}
	return rows
}

// wait returns the error of the chat for a limit of Discord.
func wait(err error) error {
	if limit, ok := errors.AsType[*discordgo.RateLimitError](err); ok {
		return &chat.Wait{For: limit.RetryAfter}
	}
	return err
}

// gone reports whether a message does not exist any more, or can no longer be changed because its
// token is too old.
func gone(err error) bool {
	refused, ok := errors.AsType[*discordgo.RESTError](err)
	return ok && (refused.Response.StatusCode == http.StatusNotFound || refused.Response.StatusCode == http.StatusUnauthorized)
}
