package campaign

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// Config is what an [Engine] works with. Game, Store and Model are required; the
// rest may be left out.
type Config struct {
	Game  *game.Game
	Store Store     // nil keeps campaigns in memory, as a [MemoryStore] does
	Model llm.Model // [NoModel] for an engine that only reads

	// Codec compresses or encrypts what goes to the store; nil means JSON as it is. It
	// has to stay the same for the campaigns of a store.
	Codec Codec

	// Options and ModelName go into every request.
	Options   llm.Options
	ModelName string

	// Route, Judge and Summarize answer the questions of the same names; without
	// them a routed turn falls back to the manual type, nothing is judged, and no
	// summary is made. Summarize is asked once for each of [question.Summarize.Parts]. Where the
	// store is a [Ledger], an answer that had arrived before the process ended is not asked for again.
	Route     func(context.Context, question.Route) (state.RouteDecision, error)
	Judge     func(context.Context, question.Judge) ([]conflict.Verdict, error)
	Summarize func(context.Context, question.Summarize) (state.Summary, error)
	// Goal finds the goal of a campaign that is created without one, see package goal; nil leaves it
	// without. From then on it is the campaign's, and nobody changes it. Its answer is stored with the
	// campaign and nowhere before: a Create that is repeated asks again.
	Goal func(context.Context, GoalQuestion) (state.Goal, error)
	// Approver is asked about calls that wait for approval, see package approval: with the
	// whole question, on the goroutine of the turn. nil as an answer means later, and so does
	// an error: the turn then waits for [turn.Approve]. Without it every turn with such calls
	// does. An answer needs neither the id of the question nor a time.
	Approver func(context.Context, state.ApprovalQuestion) (*turn.Approve, error)
	// Retriever finds lore by meaning, where [game.Content.Retrieval] asks for it.
	Retriever worldbook.Retriever
	// Memory remembers what was said and finds it again, for the block "memory" of prompts;
	// nil means none.
	Memory Memory
	// Sinks deliver the external effects of hooks while the hooks run.
	Sinks act.Sinks

	// Observe is told what the instructions of campaigns do while they do it, see package observe;
	// nil means nobody. It cannot change or break a turn.
	Observe observe.Observer
	// Clock tells the time of what is observed; nil means time.Now. It is not Now, so that
	// what is stored stays the same whether somebody observes or not.
	Clock func() time.Time

	// Logger gets what goes wrong and is part of no outcome: panics of tools,
	// announcements and summaries that were lost, what [state.Setup.Vet] finds. nil means silence.
	Logger *slog.Logger

	// Now tells the time of instructions that carry none; nil means time.Now.
	Now func() time.Time
	// SnapshotEvery is the number of records between two snapshots of the campaign's head;
	// 0 means 32, and more where the head holds very many turns.
	SnapshotEvery int
	// Repeats is how often a turn asks for a reply again that broke off after its beginning,
	// which [wrap.Retry] does not: nothing of it counts, and what was shown of it is
	// [Retracted]. 0 means once, a negative number never.
	Repeats int
	// Lease is for how long a campaign is lent to this engine at a time, where the store is a
	// [Desk]; 0 means 20 seconds, a negative duration never, and 100 milliseconds are the
	// least. It is renewed every third of that, so it only says how long others wait for a
	// process that has died.
	Lease time.Duration
	// Owner names this engine at the [Desk]. A process that is started again under the same
	// name takes over at once what the one before it held; two that run at the same time need
	// two names. Empty means a new name for each engine: what a process held that died is
	// lent again when its lease is over.
	Owner string
	// PayOnce says that a call of a model whose process died, or lost the campaign, before the
	// answer came is not made again by itself, where the store is a [Ledger]: the turn fails
	// once as [turn.CallLost], and who submits it again pays again. Without it the next
	// process makes the call at once.
	PayOnce bool
	// KeepLoaded is the number of idle campaigns that stay in memory; 0 means 256.
	// Others are loaded from the store when they are needed.
	KeepLoaded int
}

// Memory remembers what was said in long campaigns, and finds what belongs to the newest
// lines. [memory.Index] is one in the memory of the process; campaign/memory/embed has one that
// asks a server of embeddings. It has to be safe for concurrent use.
//
// The machine leaves out of an answer what does not belong to the story: items of turns that do
// not lead to the head, whose text is another one by now, or that the acting character did
// not witness. An item therefore carries the id and the [memory.Turn.Hash] of its turn.
type Memory interface {
	// Recall returns what belongs to the texts of the query, best first. A failure leaves
	// the turn without memories.
	Recall(ctx context.Context, q memory.Query) ([]memory.Item, error)
	// Remember is told of every turn after its commit, at least once, parents before their
	// children; again when the campaign is loaded, when there is a new summary, and when a turn
	// has a new text. A failure fails no turn: it is repeated after the next one, but for a new
	// text, which is not found then.
	Remember(ctx context.Context, campaignID string, t memory.Turn) error
}

// Seer is a [Memory] that says what it was told of. It is told of everything that it lacks, so
// that it may keep nothing when the process ends: the log has all of it.
type Seer interface {
	Seen(ctx context.Context, campaignID, turnID string) (bool, error)
}

// Engine runs campaigns: it keeps a [turn.Machine] for each, and does what the machine
// asks for with a model, a store and the host's functions. It is safe for
// concurrent use; one campaign runs one instruction at a time. Several engines in
// several processes may share a store: each looks for what the others have committed
// before it carries out an instruction.
type Engine struct {
	cfg       Config
	archive   archive
	observers watch.Engine
	runs      atomic.Uint64 // the instructions so far
	desk      Desk          // nil: campaigns are not lent
	owner     string        // who this is at the desk
	sessions  sessions
}

// shortestLease is more than the way to a database and back takes.
const shortestLease = 100 * time.Millisecond

// sessions are the campaigns that are loaded, or about to be.
type sessions struct {
	keep int // of those that nobody uses
	mu   sync.Mutex
	all  map[string]*session
	idle map[string]*session // those that nobody uses
}

// session is one campaign in this process.
type session struct {
	id         string
	users      int            // calls that hold the session, guarded by the lock of all
	mu         sync.Mutex     // held while an instruction runs
	machine    *turn.Machine  // nil until loaded, and after a lost race
	played     turnlog.Played // what the machine has was played with
	queue      queue
	times      turnlog.Times
	memoryTold remembered
	submitted  turnlog.Turns
	conflicts  turnlog.Conflicts
	last       atomic.Pointer[state.Campaign] // what the machine has, for readers beside a turn
}

// remembered is what the memory was told of a campaign.
type remembered struct {
	turns   int           // of the log, by their number
	summary state.Summary // the last one
	version int64         // of the campaign whose turns it knows as they read then; 0: of none yet
}

// New returns an engine, or nil and an error that reports every required field that is missing.
func New(cfg Config) (*Engine, error) {
	var errs []error
	if cfg.Game == nil {
		errs = append(errs, errors.New("campaign: Config.Game is missing; see Compile"))
	}
	if cfg.Store == nil {
		cfg.Store = new(MemoryStore)
	}
	if cfg.Model == nil {
		errs = append(errs, errors.New("campaign: Config.Model is missing; use NoModel for an engine that only reads"))
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.KeepLoaded == 0 {
		cfg.KeepLoaded = 256
	}
	switch {
	case cfg.Lease == 0:
		cfg.Lease = 20 * time.Second
	case cfg.Lease > 0:
		cfg.Lease = max(cfg.Lease, shortestLease)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	e := &Engine{cfg: cfg, archive: archive{cfg.Store, cfg.Codec},
		sessions: sessions{keep: cfg.KeepLoaded, all: map[string]*session{}, idle: map[string]*session{}}}
	e.observers = watch.Engine{Observer: cfg.Observe, Clock: cfg.Clock, Game: cfg.Game, Panicked: func(id string, err error) {
		cfg.Logger.Error("campaign: an observer panicked", "campaign", id, "error", err)
	}}
	if cfg.Lease > 0 {
		e.desk, _ = cfg.Store.(Desk)
		e.owner = cmp.Or(cfg.Owner, rand.Text())
	}
	return e, nil
}

// snapshotDue reports whether a snapshot goes with a record. The distance does not grow with
// the log, since a snapshot does not either; only a campaign whose prompts have no bound holds
// all of its turns, and is written the less often the more they are.
func (c Config) snapshotDue(version int64, turns int) bool {
	every := int64(c.SnapshotEvery)
	if every == 0 {
		for every = 32; every*16 <= int64(turns); {
			every *= 2
		}
	}
	return version%every == 0
}

// hold returns the session of a campaign, to be released after use.
func (l *sessions) hold(id string) *session {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.all[id]
	if !ok {
		s = &session{id: id}
		l.all[id] = s
	}
	delete(l.idle, id)
	s.users++
	return s
}

// release gives a session back. When too many campaigns are loaded, those that
// nobody uses are forgotten; which of them does not matter.
func (l *sessions) release(s *session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.users--; s.users == 0 {
		l.idle[s.id] = s
	}
	for id := range l.idle {
		if len(l.idle) <= l.keep {
			return
		}
		delete(l.idle, id)
		delete(l.all, id)
	}
}

// forget makes the next instruction load the campaign again.
func (s *session) forget() {
	s.machine = nil
	s.last.Store(nil)
}

// Campaign returns a campaign as of its last commit, by whichever process. It neither
// waits for a running turn nor keeps one from starting.
func (e *Engine) Campaign(ctx context.Context, id string) (c state.Campaign, err error) {
	defer caught(e.cfg.Logger, id, inStore, &err)
	s := e.sessions.hold(id)
	defer e.sessions.release(s)
	known := s.last.Load()
	if known == nil {
		c, err := e.archive.campaign(ctx, id)
		return c, notLoaded(id, err)
	}
	c, err = turn.Follow(*known, e.archive.changes(ctx, id, known.Version))
	if err != nil {
		return state.Campaign{}, notLoaded(id, err)
	}
	return c, nil
}

// notLoaded is the error for a campaign that could not be loaded, nil if there is none.
func notLoaded(id string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("campaign: load %q: %w", id, err)
}
