package main

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
)

//go:embed page.html
var page []byte

// server plays campaigns over HTTP. It is the [chat.Service] of its own bot: it sends the events of
// a room to the open pages of its players.
type server struct {
	bot *chat.Bot
	key []byte // signs the tokens of players

	mu    sync.Mutex
	rooms map[string]*room
}

// room has the newest messages of a campaign, and the open pages. It is dropped when nobody is
// there. The campaign stays in the store.
type room struct {
	run       string // random; IDs of events begin with it, so a room that was dropped has other IDs
	seq       int
	messages  []*event
	listeners map[*listener]bool
	busy      map[string]bool // players with a running line
}

// event is a message as it reads now. A change gives it a new Seq.
type event struct {
	chat.Message
	ID  string `json:"id"`
	To  string `json:"to,omitempty"` // the player who alone may read it
	Seq int    `json:"-"`
	run string
}

// listener is an open page of a player.
type listener struct {
	user   string
	events chan event
}

const (
	maxMessages = 200 // kept in memory for pages that connect again
	maxWaiting  = 256 // events for a page that is slow; then it has to connect again
)

func newServer(engine *campaign.Engine, key []byte) *server {
	s := &server{key: key, rooms: map[string]*room{}}
	s.bot = &chat.Bot{Engine: engine, Service: s}
	return s
}

// handler serves the page, and for each room: join, lines and events.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'")
		_, _ = w.Write(page)
	})
	mux.HandleFunc("POST /rooms/{room}/join", s.join)
	mux.HandleFunc("POST /rooms/{room}/lines", s.line)
	mux.HandleFunc("GET /rooms/{room}/events", s.events)
	return mux
}

var (
	roomName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)
	notName  = regexp.MustCompile(`[^\pL\pN]+`)
)

// join returns the token of a new player. The token is the only way to act and read as this player.
func (s *server) join(w http.ResponseWriter, r *http.Request) {
	var in struct{ Name string }
	if !roomName.MatchString(r.PathValue("room")) {
		http.Error(w, "a room has 1 to 32 of a-z, 0-9 and -", http.StatusBadRequest)
		return
	}
	if !read(w, r, &in) {
		return
	}
	name := []rune(strings.Trim(notName.ReplaceAllString(in.Name, "_"), "_"))
	user := cmp.Or(string(name[:min(len(name), 24)]), "player") + "-" + strings.ToLower(rand.Text()[:8])
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"user": user, "token": user + "." + s.sign(r.PathValue("room"), user)})
}

func (s *server) sign(room, user string) string {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%s %s", room, user)
	return hex.EncodeToString(mac.Sum(nil))
}

// player returns the player of a request, or answers it.
func (s *server) player(w http.ResponseWriter, r *http.Request) (room, user string, ok bool) {
	room = r.PathValue("room")
	token := cmp.Or(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.URL.Query().Get("token"))
	user, sign, _ := strings.Cut(token, ".")
	if !hmac.Equal([]byte(sign), []byte(s.sign(room, user))) {
		http.Error(w, "join the room first", http.StatusUnauthorized)
		return "", "", false
	}
	return room, user, true
}

// line plays a line, or presses a button. It answers when the turn is over. The page sends a line
// again with the same ID if it does not know whether the line was played.
func (s *server) line(w http.ResponseWriter, r *http.Request) {
	room, user, ok := s.player(w, r)
	var in struct {
		ID, Text, Press, Message string
		Private                  bool
	}
	if !ok || !read(w, r, &in) {
		return
	}
	if !s.begin(room, user) {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "your last line is still playing", http.StatusTooManyRequests)
		return
	}
	defer s.end(room, user)
	name, _, _ := strings.Cut(user, "-")
	err := s.bot.Handle(r.Context(), chat.Update{ID: user + " " + in.ID, Room: room, User: user, Name: name,
		Text: in.Text, Private: in.Private, Press: in.Press, Message: in.Message})
	if err != nil {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "the line was not played; send it again", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// read reads the JSON of a request, or answers it.
func read(w http.ResponseWriter, r *http.Request, in any) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(in); err != nil {
		http.Error(w, "this needs JSON of at most 64 KiB", http.StatusBadRequest)
		return false
	}
	return true
}

// begin reports whether a player may play a line now: one after the other.
func (s *server) begin(name, user string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.room(name)
	if r.busy[user] {
		return false
	}
	r.busy[user] = true
	return true
}

func (s *server) end(name, user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.room(name).busy, user)
	s.drop(name)
}

// drop removes a room without players. The caller holds the lock.
func (s *server) drop(name string) {
	if r := s.room(name); len(r.listeners)+len(r.busy) == 0 {
		delete(s.rooms, name)
	}
}

// room returns a room. The caller holds the lock.
func (s *server) room(name string) *room {
	if s.rooms[name] == nil {
		s.rooms[name] = &room{run: rand.Text()[:8], listeners: map[*listener]bool{}, busy: map[string]bool{}}
	}
	return s.rooms[name]
}

// Send implements [chat.Service].
func (s *server) Send(_ context.Context, p chat.Place, m chat.Message) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.room(p.Room).add(p, m), nil
}

// add adds a message and sends it.
func (r *room) add(p chat.Place, m chat.Message) (id string) {
	e := &event{Message: m, ID: fmt.Sprintf("%s-%d", r.run, r.seq+1), To: p.User}
	r.messages = append(r.messages, e)
	r.messages = r.messages[max(0, len(r.messages)-maxMessages):]
	r.publish(e)
	return e.ID
}

// Edit implements [chat.Service]. It changes only a message that was sent to the same place. If
// that is gone, it sends a new one.
func (s *server) Edit(_ context.Context, p chat.Place, id string, m chat.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.room(p.Room)
	i := slices.IndexFunc(r.messages, func(e *event) bool { return e.ID == id && e.To == p.User })
	if i < 0 {
		r.add(p, m)
		return nil
	}
	r.messages[i].Message = m
	r.publish(r.messages[i])
	return nil
}

// publish sends an event to the pages that may show it.
func (r *room) publish(e *event) {
	r.seq++
	e.Seq, e.run = r.seq, r.run
	for l := range r.listeners {
		if !e.readBy(l.user) {
			continue
		}
		select {
		case l.events <- *e:
		default: // it does not read; it connects again and gets what it has missed
			delete(r.listeners, l)
			close(l.events)
		}
	}
}

func (e *event) readBy(user string) bool { return e.To == "" || e.To == user }

// events streams the messages that a player may read, as server-sent events. A page that connects
// again says which event was its last one, and gets the changes since.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	name, user, ok := s.player(w, r)
	if !ok {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	l := &listener{user: user, events: make(chan event, maxWaiting)}
	missed, fresh := s.listen(name, l, r.Header.Get("Last-Event-ID"))
	if fresh {
		fmt.Fprint(w, "event: reset\ndata:\n\n")
		s.history(r.Context(), w, name, user, missed)
	}
	for _, e := range missed {
		e.write(w)
	}
	defer s.leave(name, l)
	for {
		_ = http.NewResponseController(w).Flush() // a page that is gone ends the context
		select {
		case <-r.Context().Done():
			return
		case e, open := <-l.events:
			if !open {
				return
			}
			e.write(w)
		}
	}
}

// listen adds a page. It returns the events that the page has missed, and reports whether the page
// has to begin with them because it comes from elsewhere.
func (s *server) listen(name string, l *listener, lastEvent string) (missed []event, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, last := s.room(name), 0
	if n, err := fmt.Sscanf(lastEvent, r.run+"-%d", &last); n == 0 || err != nil {
		fresh = true
	}
	for _, e := range r.messages {
		if e.Seq > last && e.readBy(l.user) {
			missed = append(missed, *e)
		}
	}
	if !fresh {
		slices.SortFunc(missed, func(a, b event) int { return cmp.Compare(a.Seq, b.Seq) })
	}
	r.listeners[l] = true
	return missed, fresh
}

func (s *server) leave(name string, l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.room(name).listeners, l)
	s.drop(name)
}

// history writes the turns that the room no longer has in memory, as far as the player has heard
// them. The events that follow have the others.
func (s *server) history(ctx context.Context, w http.ResponseWriter, name, user string, following []event) {
	past, _ := s.bot.History(ctx, name, user) // a room without a campaign has no history
	for _, p := range past {
		if slices.ContainsFunc(following, func(e event) bool { return e.Turn == p.Turn && (p.Turn != "" || e.Text == p.Text) }) {
			continue
		}
		e := event{ID: p.Turn, Message: p.Message}
		if p.Private {
			e.To = user
		}
		e.write(w)
	}
}

// write writes an event. A turn from the history has no ID in the stream: a page that connects
// again gets it again.
func (e event) write(w http.ResponseWriter) {
	data, _ := json.Marshal(e) // texts only
	if e.run != "" {
		fmt.Fprintf(w, "id: %s-%d\n", e.run, e.Seq)
	}
	fmt.Fprintf(w, "data: %s\n\n", data)
}
