//go:build unix

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/examples/internal/chat"
	"github.com/talewright/talewright/llm/llmtest"
)

// loadServer is a variable of the environment. If it is set, the test is the program, with this
// variable's lines as its options.
const loadServer = "TALEWRIGHT_LOAD_SERVER"

func TestMain(m *testing.M) {
	options := os.Getenv(loadServer)
	if options == "" {
		os.Exit(m.Run())
	}
	os.Args = append(os.Args[:1], strings.Split(options, "\n")...)
	go func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			_ = json.NewEncoder(os.Stdout).Encode(usage())
		}
		os.Exit(1) // the test has ended early
	}()
	main()
	http.DefaultClient.CloseIdleConnections() // to the model
	for range 1_000_000 {                     // connections that are closed end by themselves
		if runtime.NumGoroutine() <= 3 { // this one, the one above, and the one of package signal
			return
		}
		runtime.Gosched()
	}
	stacks := make([]byte, 1<<20)
	_, _ = os.Stderr.Write(stacks[:runtime.Stack(stacks, true)])
	os.Exit(1)
}

// used is what the server uses.
type used struct{ Heap, RSS uint64 } // bytes: after a garbage collection, and of the process; 0: unknown

func (u used) String() string {
	return fmt.Sprintf("%d MB (heap after a collection %d MB)", u.RSS>>20, u.Heap>>20)
}

func usage() (u used) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	status, _ := os.ReadFile("/proc/self/status")
	if found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status); found != nil {
		kB, _ := strconv.ParseUint(string(found[1]), 10, 64)
		u.RSS = kB << 10
	}
	u.Heap = m.HeapAlloc
	return u
}

// load is a test with many players, each alone in a room.
type load struct {
	players, lines int           // with lines = 0 they play until the time is over
	length, think  time.Duration // the length of the test, and the pause before a line
	moves          int           // every second player moves to a new room after so many lines
	answers        time.Duration // the model's time

	url  string
	over context.Context

	mu        sync.Mutex
	model     map[string]time.Duration // the time of the model, by the mark of the line
	own       []time.Duration          // the time of the rest, for lines without a disturbance
	first     []time.Duration          // the same for the first line of a campaign, which creates it
	rooms     map[string]int           // the acknowledged lines of each room
	twice     int                      // lines that were sent twice
	broken    int                      // lines whose request was broken off and sent again
	reconnect int                      // streams of events that were closed and opened again
}

// TestLoad plays many campaigns at once on a server in its own process. Players send lines twice, break
// off requests and connect again. Each acknowledged line is in its campaign exactly once, its answer was
// shown, and a replay is the same. LOAD=10m plays for ten minutes with a model that needs 200 ms, and
// prints what the server used. With LOAD_PAUSE=2s each player pauses before a line. LOAD_STORE names the
// store, for example an empty database of PostgreSQL.
//
//	LOAD=10m go test ./examples/http -run TestLoad -v -timeout 40m
func TestLoad(t *testing.T) {
	l := &load{players: 4, lines: 10, moves: 6, model: map[string]time.Duration{}, rooms: map[string]int{}}
	if given := os.Getenv("LOAD"); given != "" {
		length, err := time.ParseDuration(given)
		think, err2 := time.ParseDuration(cmp.Or(os.Getenv("LOAD_PAUSE"), "0s"))
		if err := cmp.Or(err, err2); err != nil {
			t.Fatal(err)
		}
		l.players, l.lines, l.moves, l.length, l.think, l.answers = 200, 0, 25, length, think, 200*time.Millisecond
	}
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 2 * l.players

	flags := chat.Flags{Store: cmp.Or(os.Getenv("LOAD_STORE"), filepath.Join(t.TempDir(), "c.db")), Game: writeGame(t),
		Context: 6000} // full after forty lines, so that memory can be flat
	model := httptest.NewServer(http.HandlerFunc(l.answer))
	defer model.Close()
	server := startServer(t, "-addr", "127.0.0.1:0", "-name", "fake", "-model", model.URL, "-store", flags.Store, "-game", flags.Game, "-context", strconv.Itoa(flags.Context))
	l.url = server.url
	begins := server.usage(t)

	var stop context.CancelFunc
	l.over, stop = context.WithCancel(t.Context())
	defer stop()
	fifth := make(chan used, 1)
	if l.length > 0 {
		time.AfterFunc(l.length, stop)
		time.AfterFunc(l.length/5, func() { fifth <- server.usage(t) })
	}
	begin := time.Now()
	var playing sync.WaitGroup
	for i := range l.players {
		playing.Go(func() { l.play(t, i) })
	}
	playing.Wait()
	took := time.Since(begin)
	ends := server.usage(t)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	cpu := server.stop(t).Seconds()

	lines := l.verify(t, flags)
	if l.length == 0 || t.Failed() {
		return // no figures
	}
	t.Logf("load: %d campaigns, %d at once, %.0f s: %d lines, %.1f per second; %d sent twice, %d broken off, %d reconnects; 0 lines lost or played twice",
		len(l.rooms), l.players, took.Seconds(), lines, float64(lines)/took.Seconds(), l.twice, l.broken, l.reconnect)
	t.Logf("load: a line without the model's time: %s; the first line of a campaign: %s", quantiles(l.own), quantiles(l.first))
	t.Logf("load: CPU of the server %.1f ms per line, %.0f%% of one core", 1000*cpu/float64(lines), 100*cpu/took.Seconds())
	t.Logf("load: memory %v at the beginning, %v after a fifth of the time, %v at the end", begins, <-fifth, ends)
}

func quantiles(d []time.Duration) string {
	if len(d) == 0 {
		return "none"
	}
	slices.Sort(d)
	at := func(percent int) time.Duration { return d[(len(d)-1)*percent/100].Round(time.Millisecond) }
	return fmt.Sprintf("%v p50, %v p95, %v p99", at(50), at(95), at(99))
}

// process is the process of the server.
type process struct {
	url      string
	cmd      *exec.Cmd
	in       io.Writer
	out      *bufio.Reader
	problems *bytes.Buffer
	reading  chan error
}

func startServer(t *testing.T, options ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(os.Args[0]), problems: &bytes.Buffer{}, reading: make(chan error, 1)}
	p.cmd.Env = append(os.Environ(), loadServer+"="+strings.Join(options, "\n"))
	in, err := p.cmd.StdinPipe()
	out, err2 := p.cmd.StdoutPipe()
	problems, err3 := p.cmd.StderrPipe()
	if err := cmp.Or(err, err2, err3, p.cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	p.in, p.out = in, bufio.NewReader(out)
	log := bufio.NewReader(problems)
	for p.url == "" {
		line, err := log.ReadString('\n')
		if err != nil {
			t.Fatalf("the server does not start: %s", line)
		}
		if _, address, ok := strings.Cut(strings.TrimSpace(line), "http://"); ok {
			p.url = "http://" + address + "/rooms/"
		}
	}
	go func() {
		_, err := io.Copy(p.problems, log)
		p.reading <- err
	}()
	return p
}

func (p *process) usage(t *testing.T) (u used) {
	_, err := p.in.Write([]byte("\n"))
	line, err2 := p.out.ReadBytes('\n')
	if err := cmp.Or(err, err2, json.Unmarshal(line, &u)); err != nil {
		t.Errorf("usage: %v", err)
	}
	return u
}

// stop interrupts the server, and returns the CPU time that it used. It fails the test if a goroutine is
// left.
func (p *process) stop(t *testing.T) time.Duration {
	t.Helper()
	err := p.cmd.Process.Signal(os.Interrupt)
	if err := cmp.Or(err, <-p.reading, p.cmd.Wait()); err != nil || p.problems.Len() > 0 {
		t.Errorf("the server ends with %v: %s", err, p.problems)
	}
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// writeGame writes a game for one player with a book of 200 entries and 60 rules, and returns the folder.
// A rule counts the lines.
func writeGame(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	type object = map[string]any
	entries := object{}
	var rules []object
	for i := range 200 {
		entries[strconv.Itoa(i)] = object{"uid": i, "comment": place(i), "key": []string{place(i)}, "position": 0,
			"content": "People in " + place(i) + " lock the doors at dusk. " + strings.Repeat("The old road goes past the mill. ", 8)}
	}
	for i := range 59 {
		rules = append(rules, object{"id": fmt.Sprint("seen-", i), "trigger": object{"type": "keyword", "keywords": []string{place(3 * i)}},
			"actions": []object{{"type": "modify-variable", "variableId": "places", "operation": "set", "value": i}}})
	}
	rules = append(rules, object{"id": "count", "trigger": object{"type": "turn-count", "everyNTurns": 1},
		"actions": []object{{"type": "modify-variable", "variableId": "lines", "operation": "add", "value": 1}}})
	variable := func(id string) object { return object{"id": id, "type": "number", "defaultValue": 0} }
	for name, content := range map[string]any{
		"game.yaml": object{"title": "The road", "greeting": "Sabel looks up.", "allowlist": []string{"hp_delta"}, "party": []string{"ann"}, "settings": object{"turn.order": "free"},
			"characters": []object{{"character_id": "ann", "name": "Ann", "hp": object{"current": 10, "max": 10}}, {"character_id": "sabel", "name": "Sabel", "hp": object{"current": 9, "max": 9}}}},
		"books/roads.yaml": object{"name": "roads", "entries": entries}, "rules.yaml": rules, "variables.yaml": []object{variable("lines"), variable("places")},
	} {
		data, err := json.Marshal(content) // YAML includes JSON
		file := filepath.Join(folder, name)
		if err := cmp.Or(err, os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// place returns the name of a place.
func place(i int) string { return string([]rune{rune('A' + i%20), 'o', rune('b' + i/20), 'e', 'n'}) }

// line returns a line of a player. Its mark is its last word.
func line(room string, n int) string {
	return fmt.Sprintf("I ask Sabel about the road from %s to %s. %s/%d", place(n%200), place((7*n+3)%200), room, n)
}

// reply returns the answer to a line with a mark. Of ten lines, one hurts and a later one heals.
func reply(mark string) (text string, delta int) {
	text = "Sabel wipes the counter and thinks about it for a while. " +
		strings.Repeat("The rain beats on the shutters, and somebody laughs in the yard. ", 4) + "At last Sabel nods at " + mark + "."
	switch {
	case strings.HasSuffix(mark, "3"):
		return text + " You lose 2 hit points.", -2
	case strings.HasSuffix(mark, "8"):
		return text + " You regain 2 hit points.", 2
	}
	return text, 0
}

var marks = regexp.MustCompile(`room-\d+-\d+/\d+`)

// answer is the model: it streams the reply to the last line.
func (l *load) answer(w http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	var in struct{ Messages []struct{ Content string } }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	mark := ""
	for _, m := range in.Messages {
		if found := marks.FindAllString(m.Content, -1); len(found) > 0 {
			mark = found[len(found)-1]
		}
	}
	if l.answers > 0 {
		select {
		case <-r.Context().Done():
			return
		case <-time.After(l.answers):
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(choice any) {
		data, _ := json.Marshal(map[string]any{"choices": []any{choice}})
		fmt.Fprintf(w, "data: %s\n\n", data)
		_ = http.NewResponseController(w).Flush()
	}
	text, delta := reply(mark)
	for i := 0; i < len(text); i += 40 {
		event(map[string]any{"index": 0, "delta": map[string]any{"content": text[i:min(i+40, len(text))]}})
	}
	if delta != 0 {
		event(map[string]any{"index": 0, "delta": map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call", "type": "function",
			"function": map[string]any{"name": "hp_delta", "arguments": fmt.Sprintf(`{"target_character_id":"ann","delta":%d,"cause":"rain"}`, delta)}}}}})
	}
	event(map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"})
	fmt.Fprint(w, "data: [DONE]\n\n")
	l.mu.Lock()
	defer l.mu.Unlock()
	l.model[mark] = time.Since(begin)
}

// player is a client with a stream of events that it can open again.
type player struct {
	client
	load   *load
	name   string // of the room
	lastID string // of the newest event

	lastTurn string
	finals   chan event
	close    context.CancelFunc
	closed   chan struct{}
}

// play plays lines until the time is over.
func (l *load) play(t *testing.T, i int) {
	var p *player
	for n := 1; l.over.Err() == nil && (l.lines == 0 || n <= l.lines); n++ {
		in := n
		if i%2 == 1 {
			in = (n-1)%l.moves + 1
		}
		if in == 1 {
			if p != nil {
				p.disconnect()
			}
			p = &player{load: l, name: fmt.Sprintf("room-%d-%d", i, n), finals: make(chan event, 1000)}
			p.room = l.url + p.name
			if !p.enter(t) {
				return
			}
		}
		if !p.say(t, in) {
			break
		}
		l.mu.Lock()
		l.rooms[p.name] = in
		l.mu.Unlock()
		if l.think > 0 {
			time.Sleep(l.think)
		}
	}
	p.disconnect()
}

// enter joins the room.
func (p *player) enter(t *testing.T) bool {
	answer, err := p.do(t.Context(), http.MethodPost, "/join", map[string]any{"name": "Ann"})
	if err != nil {
		t.Error(err)
		return false
	}
	var seat struct{ Token string }
	if err := cmp.Or(json.NewDecoder(answer).Decode(&seat), answer.Close()); err != nil {
		t.Error(err)
		return false
	}
	p.token = seat.Token
	return p.connect(t)
}

// connect opens the stream of events after the newest event.
func (p *player) connect(t *testing.T) bool {
	var ctx context.Context
	ctx, p.close = context.WithCancel(t.Context())
	p.closed = make(chan struct{})
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.room+"/events?token="+p.token, nil)
	if err == nil {
		request.Header.Set("Last-Event-ID", p.lastID)
		var answer *http.Response
		if answer, err = http.DefaultClient.Do(request); err == nil {
			go p.read(answer.Body)
			return true
		}
	}
	t.Error(err)
	close(p.closed)
	return false
}

// read reads events until the stream ends. A final answer has buttons.
func (p *player) read(body io.ReadCloser) {
	defer close(p.closed)
	defer func() { _ = body.Close() }()
	for lines := bufio.NewScanner(body); lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			p.lastID = id
		}
		var e event
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && json.Unmarshal([]byte(data), &e) == nil && len(e.Buttons) > 0 {
			p.finals <- e
		}
	}
}

func (p *player) disconnect() {
	p.close()
	<-p.closed
}

// say plays a line and waits for its answer. Some lines are sent twice or broken off. Some streams are
// opened again while a line is played, or after it.
func (p *player) say(t *testing.T, n int) bool {
	text := line(p.name, n)
	mark := fmt.Sprintf("%s/%d", p.name, n)
	body := map[string]any{"id": strconv.Itoa(n), "text": text}
	twice, broken, during, after := n%7 == 2, n%7 == 4, n%10 == 9, n%10 == 4
	var beside sync.WaitGroup
	if after {
		p.disconnect()
	}
	if during {
		beside.Go(func() { p.disconnect(); p.connect(t) })
	}
	if twice {
		beside.Go(func() { p.post(t, t.Context(), body) })
	}
	if broken {
		ctx, stop := context.WithTimeout(t.Context(), p.load.answers*time.Duration(n%9)/8)
		p.post(t, ctx, body)
		stop()
	}
	begin := time.Now()
	ok := p.post(t, t.Context(), body)
	took := time.Since(begin)
	if beside.Wait(); !ok {
		return false
	}
	if twice {
		ok = p.post(t, t.Context(), body)
	}
	if after {
		ok = p.connect(t) && ok
	}
	p.load.mu.Lock()
	switch {
	case twice:
		p.load.twice++
	case broken:
		p.load.broken++
	case n == 1:
		p.load.first = append(p.load.first, took-p.load.model[mark])
	default:
		p.load.own = append(p.load.own, took-p.load.model[mark])
	}
	if during || after {
		p.load.reconnect++
	}
	delete(p.load.model, mark)
	p.load.mu.Unlock()
	for {
		shown, open := p.next()
		switch want, _ := reply(mark); {
		case !open: // the server closes a stream that is slow
			if !p.connect(t) {
				return false
			}
		case shown.Turn == p.lastTurn: // of the history, or of the history and an event
		case shown.Line == text && shown.Text == want:
			p.lastTurn = shown.Turn
			return ok
		default:
			t.Errorf("the answer to %q is %q to %q", text, shown.Text, shown.Line)
			return false
		}
	}
}

// next returns the next final answer. It reports false if the stream has ended before one.
func (p *player) next() (shown event, open bool) {
	select {
	case shown = <-p.finals:
		return shown, true
	case <-p.closed:
	}
	select {
	case shown = <-p.finals:
		return shown, true
	default:
		return shown, false
	}
}

// post sends a line until it is acknowledged or the context ends. The same line must not play twice at
// the same moment, so the server may ask to wait.
func (p *player) post(t *testing.T, ctx context.Context, body map[string]any) bool {
	for {
		answer, err := p.do(ctx, http.MethodPost, "/lines", body)
		switch {
		case err == nil:
			return answer.Close() == nil
		case ctx.Err() != nil:
			return false
		case !strings.HasPrefix(err.Error(), "429 "):
			t.Errorf("%s: %v", p.name, err)
			return false
		}
		if p.load.answers > 0 {
			time.Sleep(p.load.answers)
		}
	}
}

// verify compares the campaigns in the store with what was acknowledged, and plays their logs again. It
// returns the number of lines.
func (l *load) verify(t *testing.T, flags chat.Flags) (all int) {
	engine, store, err := flags.Open(t.Context(), campaign.Config{Model: llmtest.NewScripted()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	for room, lines := range l.rooms {
		n := lines
		all += n
		for turn, err := range engine.History(t.Context(), room, state.HistoryPage{}) {
			want, _ := reply(fmt.Sprintf("%s/%d", room, n))
			if err != nil || turn.UserInput != line(room, n) || turn.Text != want {
				t.Errorf("%s: instead of line %d there is %q with %q, %v", room, n, turn.UserInput, turn.Text, err)
				break
			}
			n--
		}
		c, err := engine.Campaign(t.Context(), room)
		hp := 10
		for n := range lines {
			_, delta := reply(strconv.Itoa(n + 1))
			hp += delta
		}
		counted, _ := c.State.Variables.Int("lines")
		if ann, _ := c.State.Character("ann"); err != nil || n != 0 || counted != int64(lines) || ann.HP.Current != hp {
			t.Errorf("%s: %d of %d lines are missing, %d are counted, %d hit points are left instead of %d: %v", room, n, lines, counted, ann.HP.Current, hp, err)
		}
		again, err := engine.Rebuild(t.Context(), room)
		if err != nil || again.Version != c.Version {
			t.Errorf("%s: a replay gives version %d, not %d: %v", room, again.Version, c.Version, err)
		}
	}
	return all
}
