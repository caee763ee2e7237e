package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
	"github.com/talewright/talewright/llm/llmtest"
)

// fake is the part of Telegram's HTTP interface that the bot uses. It refuses what Telegram refuses.
type fake struct {
	*httptest.Server
	changed *sync.Cond
	updates []map[string]any
	chats   map[string][]*shown
	started map[string]bool // users whose private chat with the bot has begun
	busy    []int           // seconds to wait, for the next messages and edits; 0: accepted
	broken  int             // how often updates are refused
	log     []string
}

// shown is a message as users see it.
type shown struct {
	Text string
	Keys models.InlineKeyboardMarkup
}

func newFake() *fake {
	f := &fake{changed: sync.NewCond(new(sync.Mutex)), chats: map[string][]*shown{}, started: map[string]bool{}}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseMultipartForm(1 << 20) // a method without parameters has no form
	f.changed.L.Lock()
	defer f.changed.L.Unlock()
	result, err := f.call(r.Context(), path.Base(r.URL.Path), r.FormValue)
	answer := map[string]any{"ok": err == nil, "result": result}
	if err != nil {
		code, text, _ := strings.Cut(err.Error(), " ")
		answer["error_code"], _ = strconv.Atoi(code)
		answer["description"] = text
		after, _ := strconv.Atoi(text[strings.LastIndex(text, " ")+1:])
		answer["parameters"] = map[string]int{"retry_after": after}
	}
	f.changed.Broadcast()
	_ = json.NewEncoder(w).Encode(answer)
}

func (f *fake) call(ctx context.Context, method string, in func(string) string) (any, error) {
	to, text := in("chat_id"), in("text")
	switch method {
	case "getUpdates":
		if f.broken > 0 {
			f.broken--
			return nil, errors.New("502 Bad Gateway")
		}
		offset, _ := strconv.Atoi(in("offset"))
		defer context.AfterFunc(ctx, f.changed.Broadcast)()
		for ctx.Err() == nil {
			if i := slices.IndexFunc(f.updates, func(u map[string]any) bool { return u["update_id"].(int) >= offset }); i >= 0 {
				return f.updates[i:], nil
			}
			f.changed.Wait()
		}
		return []any{}, nil
	case "answerCallbackQuery":
		return true, nil
	case "sendMessage", "editMessageText":
		f.log = append(f.log, strings.TrimSpace(method+" "+to+" "+in("message_id"))+": "+text)
		if len(f.busy) > 0 {
			wait := f.busy[0]
			if f.busy = f.busy[1:]; wait > 0 {
				return nil, fmt.Errorf("429 Too Many Requests: retry after %d", wait)
			}
		}
		if to[0] != '-' && !f.started[to] {
			return nil, errors.New("403 Forbidden: bot can't initiate conversation with a user")
		}
		if n := len([]rune(text)); n == 0 || n > 4096 {
			return nil, errors.New("400 Bad Request: message is empty or too long")
		}
		m := shown{Text: text}
		_ = json.Unmarshal([]byte(cmp.Or(in("reply_markup"), "{}")), &m.Keys)
		number := len(f.chats[to]) + 1
		if method == "sendMessage" {
			f.chats[to] = append(f.chats[to], &m)
		} else if number, _ = strconv.Atoi(in("message_id")); number < 1 || number > len(f.chats[to]) {
			return nil, errors.New("400 Bad Request: message to edit not found")
		} else if old := f.chats[to][number-1]; fmt.Sprint(*old) == fmt.Sprint(m) {
			return nil, errors.New("400 Bad Request: message is not modified")
		} else {
			*old = m
		}
		return f.message(to, number), nil
	}
	return map[string]any{"id": 1, "is_bot": true, "first_name": "Bot"}, nil // getMe
}

// message returns the JSON of a message.
func (f *fake) message(to string, number int) map[string]any {
	id, _ := strconv.ParseInt(to, 10, 64)
	kind := "group"
	if id > 0 {
		kind = "private"
	}
	return map[string]any{"message_id": number, "date": 1, "chat": map[string]any{"id": id, "type": kind}}
}

// update makes an update with the next ID, and returns it.
func (f *fake) update(kind string, user int, name string, value map[string]any) *models.Update {
	f.changed.L.Lock()
	defer f.changed.L.Unlock()
	value["from"] = map[string]any{"id": user, "first_name": name}
	f.updates = append(f.updates, map[string]any{"update_id": len(f.updates) + 1, kind: value})
	f.changed.Broadcast()
	data, _ := json.Marshal(f.updates[len(f.updates)-1]) // numbers and texts
	u := new(models.Update)
	_ = json.Unmarshal(data, u)
	return u
}

// write writes a line to a chat.
func (f *fake) write(user int, name, to, text string) *models.Update {
	m := f.message(to, 1)
	m["text"] = text
	f.started[to] = true
	return f.update("message", user, name, m)
}

// press presses the button with a label below the newest message of a chat.
func (f *fake) press(user int, name, to, label string) *models.Update {
	data := ""
	for _, row := range f.last(to).Keys.InlineKeyboard {
		for _, b := range row {
			if b.Text == label {
				data = b.CallbackData
			}
		}
	}
	return f.update("callback_query", user, name, map[string]any{"id": "q", "data": data, "message": f.message(to, len(f.chats[to]))})
}

// last returns the newest message of a chat.
func (f *fake) last(to string) shown {
	f.changed.L.Lock()
	defer f.changed.L.Unlock()
	if all := f.chats[to]; len(all) > 0 {
		return *all[len(all)-1]
	}
	return shown{}
}

// demonstrate plays a session with a scripted model, and prints what each chat shows.
func demonstrate(ctx context.Context, out io.Writer) (err error) {
	engine, store, err := (&chat.Flags{}).Open(ctx, campaign.Config{Model: llmtest.NewScripted(
		llmtest.Text("The inn is warm."), llmtest.Text("A dog sleeps by the fire."), llmtest.Text("The key is cold."), llmtest.Text("It has three teeth."))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	f := newFake()
	defer f.Close()
	t, err := newTelegram(engine, "1:demo", bot.WithServerURL(f.URL))
	if err != nil {
		return err
	}
	t.chat.Every = 0
	t.api.ProcessUpdate(ctx, f.write(7, "Ann", "-100", "I come in."))
	t.api.ProcessUpdate(ctx, f.write(8, "Bob", "-100", "I look around."))
	t.api.ProcessUpdate(ctx, f.write(8, "Bob", "8", "/start"))
	t.api.ProcessUpdate(ctx, f.write(7, "Ann", "7", "@Bob I show you the key."))
	t.api.ProcessUpdate(ctx, f.press(8, "Bob", "8", "Other answer"))
	for _, name := range []string{"-100", "7", "8"} {
		fmt.Fprintln(out, map[string]string{"-100": "The group", "7": "Ann's chat", "8": "Bob's chat"}[name])
		for _, m := range f.chats[name] {
			fmt.Fprintln(out, "  "+strings.ReplaceAll(m.Text, "\n\n", " | "))
		}
	}
	return nil
}
