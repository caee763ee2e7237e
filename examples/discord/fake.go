package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"

	"github.com/bwmarrin/discordgo"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
	"github.com/talewright/talewright/llm/llmtest"
)

// fake is the part of Discord's HTTP interface that the bot uses. As a transport it takes the place
// of Discord's servers. The place of an ephemeral message is its interaction's token.
type fake struct {
	*httptest.Server
	gateway http.HandlerFunc // may be nil
	changed *sync.Cond
	places  map[string][]*shown
	closed  map[string]bool // places that refuse messages, with 403, and tokens that are too old, with 401
	acks    map[string]bool // interactions
	busy    []int           // seconds to wait, for the next messages and edits; 0: accepted
	log     []string
	nextID  int
}

// shown is a message as users see it.
type shown struct {
	ID         string `json:"id"`
	Content    string `json:"content"`
	Flags      int    `json:"flags"`
	Components []struct {
		Components []struct {
			Label, Custom_ID string
		} `json:"components"`
	} `json:"components"`
	Mentions struct{ Parse []string } `json:"allowed_mentions"`
}

func newFake() *fake {
	f := &fake{changed: sync.NewCond(new(sync.Mutex)), places: map[string][]*shown{}, closed: map[string]bool{}, acks: map[string]bool{}}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	return f
}

// RoundTrip implements [http.RoundTripper].
func (f *fake) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(f.URL, "http://")
	return http.DefaultTransport.RoundTrip(r)
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/socket") {
		f.gateway(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	f.changed.L.Lock()
	defer f.changed.L.Unlock()
	code, answer := f.call(r.Method, strings.Split(strings.TrimPrefix(r.URL.Path, "/api/v9/"), "/"), body)
	f.changed.Broadcast()
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

func (f *fake) call(method string, path []string, body []byte) (code int, answer any) {
	f.nextID++
	switch {
	case path[0] == "gateway":
		return 200, map[string]any{"url": strings.Replace(f.URL, "http", "ws", 1) + "/socket"}
	case path[0] == "applications": // commands
		return 200, json.RawMessage(body)
	case path[0] == "interactions":
		if f.acks[path[1]] {
			return 400, map[string]any{"code": 40060, "message": "Interaction has already been acknowledged."}
		}
		f.acks[path[1]] = true
		if strings.Contains(string(body), `"type":5`) {
			f.places[path[2]] = []*shown{{ID: "@original", Content: "thinking", Flags: 64}}
		}
		return 200, nil
	case path[0] == "users":
		var to struct{ Recipient_ID string }
		_ = json.Unmarshal(body, &to)
		return 200, map[string]any{"id": "dm-" + to.Recipient_ID}
	case len(path) == 2: // a channel
		return 200, channel(path[1])
	case path[2] == "threads":
		return 201, channel(fmt.Sprint("thread-", f.nextID))
	case path[0] == "webhooks": // replies: /webhooks/APP/TOKEN and /webhooks/APP/TOKEN/messages/ID
		return f.message(method, path[2], path[3:], body)
	}
	return f.message(method, path[1], path[2:], body) // /channels/ID/messages and /channels/ID/messages/ID
}

// channel returns the JSON of a channel. The bot has the ID bot.
func channel(id string) map[string]any {
	kind := discordgo.ChannelTypeGuildText
	if strings.HasPrefix(id, "thread") {
		kind = discordgo.ChannelTypeGuildPublicThread
	}
	return map[string]any{"id": id, "type": kind, "owner_id": "bot", "guild_id": "guild"}
}

// message sends, edits or deletes a message of a place.
func (f *fake) message(method, place string, path []string, body []byte) (code int, answer any) {
	m := &shown{ID: strconv.Itoa(f.nextID)}
	if json.Unmarshal(body, m); method != http.MethodDelete {
		f.log = append(f.log, method+" "+place+": "+m.Content)
	}
	if len(f.busy) > 0 {
		wait := f.busy[0]
		if f.busy = f.busy[1:]; wait > 0 {
			return 429, map[string]any{"message": "You are being rate limited.", "retry_after": wait}
		}
	}
	switch n := len([]rune(m.Content)); {
	case f.closed[place] && strings.HasPrefix(place, "token"):
		return 401, map[string]any{"code": 50027, "message": "Invalid Webhook Token"}
	case f.closed[place]:
		return 403, map[string]any{"code": 50007, "message": "Cannot send messages to this user"}
	case method != http.MethodDelete && (n == 0 || n > 2000 || m.Mentions.Parse == nil || len(m.Mentions.Parse) > 0):
		return 400, map[string]any{"message": "no content, or mentions"}
	case method == http.MethodPost:
		f.places[place] = append(f.places[place], m)
		return 200, map[string]any{"id": m.ID}
	}
	for i, old := range f.places[place] {
		if old.ID != path[1] && path[1] != "@original" {
			continue
		}
		if method == http.MethodDelete {
			f.places[place] = append(f.places[place][:i], f.places[place][i+1:]...)
			return 204, nil
		}
		m.ID, m.Flags = old.ID, old.Flags
		*old = *m
		return 200, map[string]any{"id": m.ID}
	}
	return 404, map[string]any{"code": 10008, "message": "Unknown Message"}
}

// line is a message of a user in a thread, or a direct message.
func (f *fake) line(user, place, content string) *discordgo.Message {
	f.nextID++
	m := &discordgo.Message{ID: strconv.Itoa(f.nextID), ChannelID: place, Content: content, Author: &discordgo.User{ID: user, Username: user}}
	if !strings.HasPrefix(place, "dm") {
		m.GuildID = "guild"
	}
	return m
}

// command is a slash command of a user.
func (f *fake) command(user, place, name, text string) *discordgo.Interaction {
	return f.interaction(user, place, discordgo.InteractionApplicationCommand, discordgo.ApplicationCommandInteractionData{Name: name,
		Options: []*discordgo.ApplicationCommandInteractionDataOption{{Type: discordgo.ApplicationCommandOptionString, Name: "text", Value: text}}})
}

func (f *fake) interaction(user, place string, kind discordgo.InteractionType, data discordgo.InteractionData) *discordgo.Interaction {
	f.nextID++
	id := strconv.Itoa(f.nextID)
	i := &discordgo.Interaction{ID: id, AppID: "app", Token: "token-" + id, ChannelID: place, Type: kind, Data: data}
	if who := (&discordgo.User{ID: user, Username: user}); strings.HasPrefix(place, "dm") {
		i.User = who
	} else {
		i.GuildID, i.Member = "guild", &discordgo.Member{User: who}
	}
	return i
}

// press presses the button with a label below the newest message of a place. An ephemeral message is
// shown in a thread.
func (f *fake) press(user, place, thread, label string) *discordgo.Interaction {
	m := f.last(place)
	for _, row := range m.Components {
		for _, b := range row.Components {
			if b.Label == label {
				i := f.interaction(user, thread, discordgo.InteractionMessageComponent, discordgo.MessageComponentInteractionData{CustomID: b.Custom_ID})
				i.Message = &discordgo.Message{ID: m.ID, Flags: discordgo.MessageFlags(m.Flags)}
				if m.Flags > 0 { // what is a reply to the press may change the message
					f.places[i.Token] = []*shown{f.places[place][len(f.places[place])-1]}
				}
				return i
			}
		}
	}
	return f.interaction(user, thread, discordgo.InteractionPing, nil)
}

// last returns the newest message of a place.
func (f *fake) last(place string) shown {
	f.changed.L.Lock()
	defer f.changed.L.Unlock()
	if all := f.places[place]; len(all) > 0 {
		return *all[len(all)-1]
	}
	return shown{}
}

// connect returns a bot that uses the fake, without its gateway.
func (f *fake) connect(ctx context.Context, model *llmtest.Scripted) (*discord, error) {
	engine, _, err := (&chat.Flags{}).Open(ctx, campaign.Config{Model: model})
	if err != nil {
		return nil, err
	}
	d, err := newDiscord(ctx, engine, "token", f)
	if err == nil {
		d.api.State.User, d.api.State.Application = &discordgo.User{ID: "bot"}, &discordgo.Application{ID: "app"}
	}
	return d, err
}

// demonstrate plays a session with a scripted model, and prints what each player reads.
func demonstrate(ctx context.Context, out io.Writer) error {
	f := newFake()
	defer f.Close()
	d, err := f.connect(ctx, llmtest.NewScripted(llmtest.Text("The inn is warm."), llmtest.Text("A dog sleeps by the fire."),
		llmtest.Text("The key is cold."), llmtest.Text("It has three teeth.")))
	if err != nil {
		return err
	}
	d.chat.Every = 0
	d.message(ctx, f.line("ann", "thread", "I come in."))
	d.message(ctx, f.line("bob", "thread", "I look around."))
	whisper := f.command("ann", "thread", "whisper", "@bob I show you the key.")
	d.interaction(ctx, whisper)
	d.interaction(ctx, f.press("bob", "dm-bob", "dm-bob", "Other answer"))
	for _, p := range [][2]string{{"thread", "The thread"}, {whisper.Token, "Ann's reply"}, {"dm-ann", "Ann's direct messages"}, {"dm-bob", "Bob's direct messages"}} {
		fmt.Fprintln(out, p[1])
		for _, m := range f.places[p[0]] {
			fmt.Fprintln(out, "  "+strings.ReplaceAll(m.Content, "\n\n", " | "))
		}
	}
	return nil
}
