package main

import (
	"context"
	"errors"
	"log"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
)

// telegram translates between Telegram and a [chat.Bot]. A room is a chat, a user is a user, and
// both have decimal IDs. The private chat of a user has the ID of the user.
type telegram struct {
	api  *bot.Bot
	chat *chat.Bot
}

// newTelegram returns a bot. Set the clock of its chat before the first update.
func newTelegram(engine *campaign.Engine, token string, options ...bot.Option) (*telegram, error) {
	t := &telegram{}
	api, err := bot.New(token, append(options, bot.WithDefaultHandler(t.handle),
		bot.WithNotAsyncHandlers(), bot.WithWorkers(64), // so that Start waits for its turns
		bot.WithAllowedUpdates(bot.AllowedUpdates{"message", "callback_query"}))...)
	t.api = api
	t.chat = &chat.Bot{Engine: engine, Service: t, Limit: 4096, Quote: true, Every: time.Second}
	return t, err
}

// handle answers an update of Telegram. The ID of the update is the ID of the turn, so an update
// that Telegram delivers twice is played once.
func (t *telegram) handle(ctx context.Context, _ *bot.Bot, u *models.Update) {
	in := chat.Update{ID: strconv.FormatInt(u.ID, 10)}
	switch {
	case u.Message != nil && u.Message.From != nil && !u.Message.From.IsBot:
		in.User, in.Name = person(*u.Message.From)
		in.Private = u.Message.Chat.Type == models.ChatTypePrivate
		if in.Text = u.Message.Text; strings.HasPrefix(in.Text, "/start") && in.Private {
			in.Room, in.Text = in.User, "" // a campaign of their own, if they play in no group
			_, err := t.send(ctx, in.User, "", chat.Message{Text: "(write what you do; to play with others, add me to a group)"})
			t.log(err)
		} else if strings.HasPrefix(in.Text, "/") && !chat.IsLeave(in.Text) {
			return // a command for a different bot
		}
		if !in.Private {
			in.Room = strconv.FormatInt(u.Message.Chat.ID, 10)
		}
	case u.CallbackQuery != nil:
		q := u.CallbackQuery
		_, err := t.api.AnswerCallbackQuery(ctx, &bot.AnswerCallbackQueryParams{CallbackQueryID: q.ID}) // ends the spinner of the button
		t.log(err)
		in.User, in.Name = person(q.From)
		in.Press = q.Data
		if m := q.Message.Message; m != nil {
			in.Private = m.Chat.Type == models.ChatTypePrivate
			in.Message = messageID(m)
		}
	default:
		return
	}
	t.log(t.chat.Deliver(ctx, in))
}

func (t *telegram) log(err error) {
	if err != nil {
		log.Print(err)
	}
}

func person(u models.User) (id, name string) {
	return strconv.FormatInt(u.ID, 10), strings.TrimSpace(u.FirstName + " " + u.LastName)
}

// messageID returns the ID of a message, with its chat, so that a press never changes a message of a
// different chat.
func messageID(m *models.Message) string {
	return strconv.FormatInt(m.Chat.ID, 10) + "/" + strconv.Itoa(m.ID)
}

// chatOf returns the chat of a place: the private chat of a user, or the room.
func chatOf(p chat.Place) string {
	if p.User != "" {
		return p.User
	}
	return p.Room
}

// Send implements [chat.Service].
func (t *telegram) Send(ctx context.Context, p chat.Place, m chat.Message) (string, error) {
	id, err := t.send(ctx, chatOf(p), "", m)
	if errors.Is(err, bot.ErrorForbidden) && p.User != "" {
		err = chat.ErrUnreachable
	}
	return id, err
}

// Edit implements [chat.Service]. It sends a new message instead of one that is gone.
func (t *telegram) Edit(ctx context.Context, p chat.Place, id string, m chat.Message) error {
	in, number, _ := strings.Cut(id, "/")
	if in != chatOf(p) {
		number = ""
	}
	_, err := t.send(ctx, chatOf(p), number, m)
	if errors.Is(err, bot.ErrorBadRequest) && strings.Contains(err.Error(), "message is not modified") {
		return nil
	}
	if errors.Is(err, bot.ErrorBadRequest) && strings.Contains(err.Error(), "not found") {
		_, err = t.send(ctx, chatOf(p), "", m)
	}
	return err
}

// send sends a message, or changes the one with a number.
func (t *telegram) send(ctx context.Context, to, number string, m chat.Message) (id string, err error) {
	var keys models.ReplyMarkup
	if len(m.Buttons) > 0 {
		rows := &models.InlineKeyboardMarkup{}
		for some := range slices.Chunk(m.Buttons, 3) {
			var row []models.InlineKeyboardButton
			for _, b := range some {
				row = append(row, models.InlineKeyboardButton{Text: b.Label, CallbackData: b.Press})
			}
			rows.InlineKeyboard = append(rows.InlineKeyboard, row)
		}
		keys = rows
	}
	var sent *models.Message
	if n, _ := strconv.Atoi(number); n > 0 {
		sent, err = t.api.EditMessageText(ctx, &bot.EditMessageTextParams{ChatID: to, MessageID: n, Text: m.Text, ReplyMarkup: keys})
	} else {
		sent, err = t.api.SendMessage(ctx, &bot.SendMessageParams{ChatID: to, Text: m.Text, ReplyMarkup: keys})
	}
	if many, ok := errors.AsType[*bot.TooManyRequestsError](err); ok {
		err = &chat.Wait{For: time.Duration(max(1, many.RetryAfter)) * time.Second}
	}
	if err != nil {
		return "", err
	}
	return messageID(sent), nil
}
