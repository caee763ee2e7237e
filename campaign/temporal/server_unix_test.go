//go:build unix

package temporal_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/temporal"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// envServer names the command "temporal". The tests start a server with it.
const envServer = "TALEWRIGHT_TEMPORAL"

// envHistories makes the tests write their histories to testdata, for TestHistoriesReplay.
const envHistories = "TALEWRIGHT_TEMPORAL_HISTORIES"

// The variables of a worker process.
const (
	envWorker = "TALEWRIGHT_TEMPORAL_WORKER" // address of the server
	envFile   = "TALEWRIGHT_TEMPORAL_FILE"
	envModel  = "TALEWRIGHT_TEMPORAL_MODEL"
	envDie    = "TALEWRIGHT_TEMPORAL_DIE" // where to die, once
	envOnce   = "TALEWRIGHT_TEMPORAL_ONCE"
)

func TestMain(m *testing.M) {
	if os.Getenv(envWorker) != "" {
		if err := work(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work runs a worker process.
func work() error {
	store, err := sqlite.Open(context.Background(), os.Getenv(envFile), sqlite.Options{Shared: true})
	if err != nil {
		return err
	}
	engine, err := engineOn(&deadly{store, os.Getenv(envDie)}, remote(os.Getenv(envModel)), os.Getenv(envOnce) != "")
	if err != nil {
		return err
	}
	c, err := client.Dial(client.Options{HostPort: os.Getenv(envWorker), Identity: "worker", Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler))})
	if err != nil {
		return err
	}
	w := worker.New(c, "campaigns", temporal.WorkerOptions())
	if err := temporal.Register(w, temporal.Worker{Engine: engine}); err != nil {
		return err
	}
	if err := w.Start(); err != nil {
		return err
	}
	stopped := worker.InterruptCh() // by a deployment
	go func() {
		<-stopped
		w.Stop()
		os.Exit(0)
	}()
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends
	return nil
}

func engineOn(store campaign.Store, model llm.Model, once bool) (*campaign.Engine, error) {
	g, problems := game.Compile(heardOf())
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return campaign.New(campaign.Config{Game: g, Store: store, Model: model, Sharing: campaign.Sharing{Lease: time.Second, PayOnce: once}})
}

// deadly is a store that kills the process before or after a call.
type deadly struct {
	*sqlite.Store
	at string
}

func (s *deadly) die(at string) {
	if s.at == at {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

func (s *deadly) SaveAnswer(ctx context.Context, id string, fence int64, key string, data []byte) error {
	err := s.Store.SaveAnswer(ctx, id, fence, key, data)
	if !strings.HasSuffix(key, "/call") {
		s.die("after the answer")
	}
	return err
}

func (s *deadly) Append(ctx context.Context, id string, e campaign.Entry, snapshot []byte) error {
	s.die("before the commit")
	err := s.Store.Append(ctx, id, e, snapshot)
	s.die("after the commit")
	return err
}

// remote is a model on a server that counts requests.
type remote string

func (url remote) Generate(ctx context.Context, r llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, string(url), nil)
		var text []byte
		if err == nil {
			var resp *http.Response
			if resp, err = http.DefaultClient.Do(req); err == nil {
				text, err = io.ReadAll(resp.Body)
				_ = resp.Body.Close()
			}
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for chunk, err := range llmtest.NewScripted(llmtest.Text(string(text))).Generate(ctx, r) {
			if !yield(chunk, err) {
				return
			}
		}
	}
}

// site has a Temporal server, a model and a file with campaigns.
type site struct {
	t       *testing.T
	command string // starts the server
	file    string // the data of the server
	server  *exec.Cmd
	address string
	dial    client.Client
	mu      sync.Mutex
	paid    int
	hold    chan struct{} // a call waits until it is closed; nil: no call waits
	asked   chan struct{} // gets a value for each call
	model   *httptest.Server
	reply   string // the reply of the model; empty: weather
}

// newSite starts the server, or skips the test.
func newSite(t *testing.T) *site {
	t.Helper()
	command := os.Getenv(envServer)
	if command == "" {
		t.Skip("no Temporal here: set " + envServer + " to the command, see the README")
	}
	s := &site{t: t, command: command, file: filepath.Join(t.TempDir(), "temporal.db"), address: freeAddress(t), asked: make(chan struct{}, 1000)}
	out := s.start()
	t.Cleanup(func() { s.stop() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		c, err := client.DialContext(ctx, client.Options{HostPort: s.address, Identity: "player", Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler))})
		if err == nil {
			if _, err = c.CheckHealth(ctx, nil); err == nil {
				s.dial = c
				break
			}
			c.Close()
		}
		if ctx.Err() != nil {
			t.Fatalf("the server does not come up: %v\n%s", err, out.String())
		}
	}
	t.Cleanup(s.dial.Close)
	s.model = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.model.Close)
	return s
}

// start starts the server on its existing data and returns its output.
func (s *site) start() *bytes.Buffer {
	s.t.Helper()
	host, port, _ := net.SplitHostPort(s.address)
	s.server = exec.Command(s.command, "server", "start-dev", "--headless", "--ip", host, "--port", port, "--log-level", "error",
		"--db-filename", s.file)
	var out bytes.Buffer
	s.server.Stdout, s.server.Stderr = &out, &out
	if err := s.server.Start(); err != nil {
		s.t.Fatal(err)
	}
	return &out
}

// stop kills the server.
func (s *site) stop() {
	_ = s.server.Process.Kill()
	_ = s.server.Wait()
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (s *site) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.paid++
	n, hold := s.paid, s.hold
	s.mu.Unlock()
	s.asked <- struct{}{}
	if hold != nil {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	}
	if s.reply != "" {
		fmt.Fprint(w, s.reply)
		return
	}
	fmt.Fprintf(w, "Rain, for %d hours.", n+1)
}

// holdCalls makes calls of the model wait until the returned function is called.
func (s *site) holdCalls() (goOn func()) {
	hold := make(chan struct{})
	s.mu.Lock()
	s.hold = hold
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		s.hold = nil
		s.mu.Unlock()
		close(hold)
	}
}

func (s *site) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.paid
}

// table is a campaign "inn" in a file.
type table struct {
	*site
	file   string
	engine *campaign.Engine
	store  *sqlite.Store
	player temporal.Client
	once   bool
}

func (s *site) newTable(t *testing.T, once bool, settings ...string) *table {
	t.Helper()
	file := filepath.Join(t.TempDir(), "campaigns.db")
	store, err := sqlite.Open(t.Context(), file, sqlite.Options{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	engine, err := engineOn(store, remote(s.model.URL), once)
	if err != nil {
		t.Fatal(err)
	}
	setup := inn()
	for _, text := range settings {
		if err := json.Unmarshal([]byte(text), &setup.Settings); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := engine.Create(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	for len(s.asked) > 0 {
		<-s.asked
	}
	s.t = t
	return &table{s, file, engine, store, temporal.Client{Temporal: s.dial, TaskQueue: "campaigns",
		Options: temporal.Options{Heartbeat: 2 * time.Second}}, once}
}

// worker starts a worker process, which dies at the given point.
func (b *table) worker(die string) *os.Process {
	b.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envWorker+"="+b.address, envFile+"="+b.file, envModel+"="+b.model.URL, envDie+"="+die)
	if b.once {
		cmd.Env = append(cmd.Env, envOnce+"=1")
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	word := make([]byte, len("ready"))
	if _, err := io.ReadFull(out, word); err != nil {
		b.t.Fatalf("the worker does not come up: %v: %s", err, stderr.String())
	}
	return cmd.Process
}

// submit begins a turn and returns a channel for its outcome.
func (b *table) submit(n int) <-chan turn.Outcome {
	done := make(chan turn.Outcome, 1)
	go func() {
		o, err := b.player.Submit(b.t.Context(), "inn", turn.Submit{Text: fmt.Sprintf("I wait %d.", n), ClientTurnID: fmt.Sprint(n)})
		if err != nil {
			b.t.Errorf("turn %d: %v", n, err)
		}
		done <- o
	}()
	return done
}

// TestDeployment stops a worker during a call of the model, as every deployment does. The worker
// finishes the call, which is paid for once, with and without PayOnce. A different worker finishes
// the turn.
func TestDeployment(t *testing.T) {
	s := newSite(t)
	for _, once := range []bool{false, true} {
		t.Run(fmt.Sprintf("once %v", once), func(t *testing.T) { // the workers end with the subtest: the next table has its own file
			b, before := s.newTable(t, once), s.calls()
			first := b.worker("")
			goOn := s.holdCalls()
			outcome := b.submit(1)
			<-s.asked
			if err := first.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			b.worker("")
			goOn()
			wantOutcome(t, <-outcome, "completed turn_0001")
			turns, rebuild := b.check()
			paid := s.calls() - before
			t.Logf("stopped in the call, once %v: paid %d, committed %d, rebuild: %s", once, paid, turns, rebuild)
			if turns != 1 || paid != 1 || rebuild != "identical" {
				t.Errorf("paid %d, committed %d", paid, turns)
			}
		})
	}
}

// check returns the number of committed turns, and whether the log replays to the stored campaign.
func (b *table) check() (turns int, rebuild string) {
	b.t.Helper()
	seen := map[string]bool{}
	for rec, err := range campaign.Decoded(b.store.Records(b.t.Context(), "inn", 0)) {
		if err != nil {
			b.t.Fatal(err)
		}
		if rec.Turn != nil {
			if turns++; seen[rec.Turn.ClientTurnID] {
				b.t.Errorf("the line %q was committed twice", rec.Turn.UserInput)
			}
			seen[rec.Turn.ClientTurnID] = true
		}
	}
	if _, err := b.engine.Rebuild(b.t.Context(), "inn"); err != nil {
		return turns, err.Error()
	}
	return turns, "identical"
}

// TestKilledWorkers kills the worker of a step with SIGKILL at each critical point. A different
// process finishes the turn (ST-13).
func TestKilledWorkers(t *testing.T) {
	s := newSite(t)
	for _, c := range []struct {
		at    string
		once  bool
		paid  int
		want  string
		turns int
	}{
		{"in the call", false, 2, "completed turn_0001", 1},
		{"in the call", true, 1, "failed call_lost", 0},
		{"after the answer", false, 1, "completed turn_0001", 1},
		{"before the commit", false, 1, "completed turn_0001", 1},
		{"after the commit", false, 1, "completed turn_0001", 1},
	} {
		t.Run(fmt.Sprintf("%s, once %v", c.at, c.once), func(t *testing.T) {
			b, before, begun := s.newTable(t, c.once), s.calls(), time.Now()
			first := b.worker(c.at)
			var outcome <-chan turn.Outcome
			if c.at == "in the call" {
				goOn := s.holdCalls()
				outcome = b.submit(1)
				<-s.asked
				_ = first.Kill()
				goOn()
			} else {
				outcome = b.submit(1)
				_, _ = first.Wait()
			}
			b.worker("")
			wantOutcome(t, <-outcome, c.want)
			turns, rebuild := b.check()
			paid := s.calls() - before
			if c.at == "in the call" {
				b.record("killed_in_the_call" + map[bool]string{true: "_once"}[c.once])
			}
			t.Logf("killed %s, once %v: paid %d, committed %d, rebuild: %s, %.1f s", c.at, c.once, paid, turns, rebuild, time.Since(begun).Seconds())
			if paid != c.paid || turns != c.turns || rebuild != "identical" {
				t.Errorf("paid %d, want %d; committed %d, want %d", paid, c.paid, turns, c.turns)
			}
		})
	}
}

// TestTwentyTurns plays with two workers. One of them is killed repeatedly, during a call and at
// random points. Each of the twenty turns must be committed once.
func TestTwentyTurns(t *testing.T) {
	s := newSite(t)
	b := s.newTable(t, false)
	workers := []*os.Process{b.worker(""), b.worker("")}
	kills := 0
	for n := range 20 {
		outcome := b.submit(n)
		if n%5 == 4 {
			for len(s.asked) > 0 {
				<-s.asked
			}
			<-s.asked
			_ = workers[kills%2].Kill()
			workers[kills%2] = b.worker("")
			kills++
		}
		wantOutcome(t, <-outcome, fmt.Sprintf("completed turn_%04d", n+1))
	}
	turns, rebuild := b.check()
	bytes, events := b.record("turn")
	t.Logf("20 turns, kills %d, paid %d, committed %d, rebuild: %s; the history of the last turn has %d bytes in %d events",
		kills, s.calls(), turns, rebuild, bytes, events)
	if turns != 20 || rebuild != "identical" || s.calls() > 20+kills {
		t.Errorf("committed %d, paid %d", turns, s.calls())
	}
}

// record returns the size of the last workflow's history. With TALEWRIGHT_TEMPORAL_HISTORIES it
// also writes the file for TestHistoriesReplay.
func (b *table) record(name string) (size, events int) {
	b.t.Helper()
	var all history.History
	list := b.dial.GetWorkflowHistory(b.t.Context(), "campaign/inn", "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for list.HasNext() {
		event, err := list.Next()
		if err != nil {
			b.t.Fatal(err)
		}
		all.Events = append(all.Events, event)
		size += proto.Size(event)
	}
	if os.Getenv(envHistories) != "" {
		data, err := protojson.Marshal(&all)
		if err == nil {
			err = os.WriteFile(filepath.Join("testdata", "histories", name+".json"), data, 0o644)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
	return size, len(all.Events)
}

// TestPlayersOnAServer checks on a real server: cancellation, progress, one instruction at a time,
// and a repeated submission.
func TestPlayersOnAServer(t *testing.T) {
	s := newSite(t)
	b := s.newTable(t, false)
	b.worker("")
	goOn := s.holdCalls()
	first := b.submit(1)
	<-s.asked
	o, err := b.player.Submit(t.Context(), "inn", turn.Submit{Text: "Another line.", ClientTurnID: "x"})
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, o, "refused campaign_busy")
	p, err := b.player.Progress(t.Context(), "inn")
	if err != nil || p.Committed || p.Stop != "generate" {
		t.Errorf("%+v: %v", p, err)
	}
	if err := b.player.Cancel(t.Context(), "inn"); err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, <-first, "cancelled cancelled")
	b.record("cancelled")
	goOn()

	goOn = s.holdCalls()
	first = b.submit(1)
	<-s.asked
	again := b.submit(1) // it waits for the first, or comes after it
	goOn()
	wantOutcome(t, <-first, "completed turn_0001")
	if o := <-again; o.Status != turn.Completed || o.Turn.ID != "turn_0001" {
		t.Errorf("the same submission ended as %v", o)
	}
	if err := b.player.Cancel(t.Context(), "inn"); err != nil {
		t.Errorf("nothing runs, and that is %v", err)
	}
	if turns, rebuild := b.check(); turns != 1 || rebuild != "identical" {
		t.Error(turns, rebuild)
	}
}

// TestServerGoesAway kills the server while the model answers, and restarts it after the answer has
// arrived. The step is retried. The answer is paid for once and the turn committed once. The next
// turn does the same.
func TestServerGoesAway(t *testing.T) {
	s := newSite(t)
	b := s.newTable(t, false)
	b.worker("")
	goOn := s.holdCalls()
	outcome := b.submit(1)
	<-s.asked
	s.stop()
	goOn()
	db, err := sql.Open("sqlite", b.file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for kept := 0; kept == 0; { // until the answer has arrived
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM talewright_answer").Scan(&kept); err != nil {
			t.Fatal(err)
		}
	}
	s.start()
	wantOutcome(t, <-outcome, "completed turn_0001")
	wantOutcome(t, <-b.submit(2), "completed turn_0002")
	turns, rebuild := b.check()
	t.Logf("the server was away: paid %d, committed %d, rebuild: %s", s.calls(), turns, rebuild)
	if s.calls() != 2 || turns != 2 || rebuild != "identical" {
		t.Errorf("paid %d, committed %d", s.calls(), turns)
	}
}

// TestNobodyApproves checks that a waiting turn ends its workflow and a durable timer discards it.
// The next turn is approved in time, by a process without an engine.
func TestNobodyApproves(t *testing.T) {
	s := newSite(t)
	s.reply = `{"text": "You step into the Mill.", "tool_calls": [{"tool": "move", "args": {"actor_id": "ann", "to_area_id": "mill"}}]}`
	b := s.newTable(t, false, askAll)
	b.worker("")
	b.player.Options.AnswerWithin = time.Second
	wantOutcome(t, <-b.submit(1), "awaiting_approval")
	if err := s.dial.GetWorkflow(t.Context(), "campaign/inn/approval_0002", "").Get(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if q, err := b.engine.Pending(t.Context(), "inn"); err != nil || q != nil {
		t.Fatalf("%v waits: %v", q, err)
	}
	b.player.Options.AnswerWithin = time.Hour
	outcome := <-b.submit(2)
	wantOutcome(t, outcome, "awaiting_approval")
	o, err := b.player.Do(t.Context(), "inn", turn.Approve{Question: outcome.Approval.ID, Decisions: outcome.Approval.All(state.Approve, "")})
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, o, "completed turn_0001")
	if turns, rebuild := b.check(); turns != 1 || rebuild != "identical" {
		t.Error(turns, rebuild)
	}
}
