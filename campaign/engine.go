package campaign

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
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

// Config configures an [Engine]. Game and Model are required. Without a Store, campaigns are kept
// in memory.
type Config struct {
	Game  *game.Game
	Store Store     // nil: a new [MemoryStore]
	Model llm.Model // [NoModel] for an engine that only reads

	// Options and ModelName go into every request.
	Options   llm.Options
	ModelName string

	Services Services // what the engine asks in addition to Model
	Sharing  Sharing  // how several engines share a [Cluster]

	// Codec compresses or encrypts what goes to the store; nil means plain JSON. It must stay the
	// same for all campaigns of a store.
	Codec Codec

	// Observe receives what the instructions of campaigns do while they run, see package observe;
	// nil means no observer. It cannot change or break a turn.
	Observe observe.Observer
	// Clock returns the time for observations; nil means time.Now. It is separate from Now, so that
	// the stored data is the same with and without an observer.
	Clock func() time.Time

	// Logger receives problems that are not part of an outcome: panics of tools, announcements and
	// summaries that were lost, the findings of [state.Setup.Vet]. nil discards them.
	Logger *slog.Logger

	// Now returns the time of instructions that carry none; nil means time.Now.
	Now func() time.Time
	// SnapshotEvery is the number of records between two snapshots of the campaign's head. 0 means
	// 32, and more if the head holds very many turns.
	SnapshotEvery int
	// Repeats is the number of times that a turn asks again for a reply that broke off after its
	// beginning. [wrap.Retry] does not repeat such a reply. A broken reply has no effect, and its
	// shown text is [Retracted]. 0 means once, a negative number never.
	Repeats int
	// KeepLoaded is the number of idle campaigns that stay in memory; 0 means 256. Other campaigns
	// are loaded from the store when they are needed.
	KeepLoaded int
}

// Services are the models and functions of the host that an [Engine] asks in addition to the model
// of the story. Each of them may be missing. All must be safe for concurrent use.
type Services struct {
	// Updater answers the second request of a turn, which asks for changes of variables, if the
	// setting variables.second_model is on; nil: Config.Model answers it too. UpdaterName replaces
	// Config.ModelName in these requests. If Updater fails, the turn continues without the changes,
	// and the trace of the turn has a warning.
	Updater     llm.Model
	UpdaterName string

	// Route, Judge and Summarize answer the questions of the same names. Without them a routed turn
	// falls back to the manual type, and no summary is made. Without Judge, findings are not judged,
	// and Config.Model answers the questions of the setting conflict.ask. Summarize is called
	// once for each of [question.Summarize.Parts]; a long answer is cut, see [turn.Summarized]. If the
	// store is a [Cluster], a question is not asked again if its answer had arrived before the process
	// ended.
	Route     func(context.Context, question.Route) (state.RouteDecision, error)
	Judge     func(context.Context, question.Judge) ([]conflict.Verdict, error)
	Summarize func(context.Context, question.Summarize) (state.Summary, error)
	// Goal finds the goal of a campaign that is created without one, see [GoalBy]. If Goal is nil,
	// the campaign has no goal. The goal is stored with the campaign and does not change
	// afterwards. It is not stored earlier: a Create that is repeated after an error asks again.
	// If the setup says that the goal is hidden, it is hidden whatever Goal returns.
	Goal func(context.Context, GoalQuestion) (state.Goal, error)
	// Approver is asked about calls that wait for approval, see [state.ApprovalQuestion]. It gets
	// the whole question, on the goroutine of the turn. A nil answer means later, and so does an
	// error: the turn then waits for [turn.Approve]. Without an Approver every turn with such calls
	// waits. An answer needs neither the ID of the question nor a time.
	Approver func(context.Context, state.ApprovalQuestion) (*turn.Approve, error)
	// Retriever finds lore by meaning, if [game.Lore.Retrieval] is set.
	Retriever worldbook.Retriever
	// Memory stores what was said and finds it again, for the block "memory" of prompts; nil means
	// no memory.
	Memory Memory
	// Sinks deliver the external effects of hooks while the hooks run.
	Sinks act.Sinks
}

// Sharing configures how several engines, in one process or in several, share a store that is a
// [Cluster]. Engines with other stores ignore it.
type Sharing struct {
	// Lease is the time for which this engine leases a campaign. 0 means 20 seconds, a negative
	// duration means no leases, and the minimum is 100 milliseconds. The engine renews a lease every
	// third of that time, so Lease only limits how long others wait for a process that has died.
	Lease time.Duration
	// Owner is the owner of the leases of this engine. A process that is restarted with the same
	// name takes over at once the leases of its predecessor. Two processes that run at the same
	// time need two names. Empty means a new name for each engine: the leases of a dead process are
	// then free when they expire.
	Owner string
	// PayOnce concerns a call of a model whose process died, or lost the campaign, before the
	// answer came. With PayOnce the call is not repeated automatically: the turn fails once as
	// [turn.CallLost]. If it is submitted again, the call is made and paid for again. Without
	// PayOnce the next process makes the call at once.
	PayOnce bool
}

// Memory stores what was said in long campaigns, and finds what belongs to the newest lines.
// [memory.Index] works in the memory of the process. [memory.Vectors] use a server of embeddings. A
// Memory must be safe for concurrent use.
//
// The machine removes from an answer the items that do not belong to the story. These are items of
// turns that do not lead to the head, items whose text has changed since, and items that the acting
// character did not witness. An item therefore carries the ID and the [memory.Turn.Hash] of its
// turn.
type Memory interface {
	// Recall returns the items that belong to the texts of the query, best first. If it fails, the
	// turn is played without memories.
	Recall(ctx context.Context, q memory.Query) ([]memory.Item, error)
	// Remember receives every turn after its commit, at least once, parents before their children.
	// It receives a turn again when the campaign is loaded, when there is a new summary, and when
	// the turn has a new text. A failure does not fail the turn: Remember is called again after the
	// next turn. It is not called again for a new text, which is then not found.
	Remember(ctx context.Context, campaignID string, t memory.Turn) error
}

// Tracker is a [Memory] that reports whether it has received a turn. The engine sends it every turn
// that it lacks, so it may lose everything when the process ends: the log has all of it.
type Tracker interface {
	Has(ctx context.Context, campaignID, turnID string) (bool, error)
}

// Engine runs campaigns. It has a [turn.Machine] for each campaign, and does what the machine asks
// for with a model, a store and the host's functions. It is safe for concurrent use; one campaign
// runs one instruction at a time. Several engines in several processes may share a store: each
// reads what the others have committed before it runs an instruction.
type Engine struct {
	cfg       Config
	current   atomic.Pointer[game.Game] // replaced by Swap
	archive   archive                   // the records in the store
	cluster   Cluster                   // nil: the store is not a Cluster
	observers watch.Engine
	runs      atomic.Uint64 // the number of instructions so far
	owner     string        // the owner of the leases of this engine
	sessions  sessions      // the campaigns in memory
}

// shortestLease is longer than a round trip to a database.
const shortestLease = 100 * time.Millisecond

// New returns an engine, or nil and an error that names every required field that is missing.
func New(cfg Config) (*Engine, error) {
	var errs []error
	if cfg.Game == nil {
		errs = append(errs, errors.New("campaign: Config.Game is missing; see Compile"))
	}
	cfg.Store = cmp.Or[Store](cfg.Store, new(MemoryStore))
	if cfg.Model == nil {
		errs = append(errs, errors.New("campaign: Config.Model is missing; use NoModel for an engine that only reads"))
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	cfg.KeepLoaded = cmp.Or(cfg.KeepLoaded, 256)
	switch {
	case cfg.Sharing.Lease == 0:
		cfg.Sharing.Lease = 20 * time.Second
	case cfg.Sharing.Lease > 0:
		cfg.Sharing.Lease = max(cfg.Sharing.Lease, shortestLease)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	e := &Engine{cfg: cfg, archive: archive{cfg.Store, cfg.Codec},
		sessions: sessions{maxIdle: cfg.KeepLoaded, all: map[string]*session{}, idle: map[string]*session{}}}
	e.current.Store(cfg.Game)
	e.observers = watch.Engine{Observer: cfg.Observe, Clock: cfg.Clock, Game: e.game, Panicked: func(id string, err error) {
		cfg.Logger.Error("campaign: an observer panicked", "campaign", id, "error", err)
	}}
	e.cluster, _ = cfg.Store.(Cluster)
	e.owner = cmp.Or(cfg.Sharing.Owner, rand.Text())
	return e, nil
}

// Swap replaces the content of the engine. An instruction that is running keeps the content with
// which it began, and the next instruction of each campaign uses the new content. Nothing else of a
// campaign changes, so its state may have variables that the new content does not declare.
//
// Records name the content with which they were played, see [game.Extensions]. A replay with other
// content says so if its result is different.
func (e *Engine) Swap(g *game.Game) {
	if g != nil {
		e.current.Store(g)
	}
}

// Texts returns the texts of the engine's game, in its language. Do not modify them. With
// [game.Texts.Refusal] a host tells players why an instruction was not run.
func (e *Engine) Texts() *game.Texts { return e.game().Texts() }

// game returns the present content.
func (e *Engine) game() *game.Game { return e.current.Load() }

// snapshotDue reports whether a snapshot is written with the record of a version. turns is the
// number of turns that the campaign holds. A longer log does not need rarer snapshots, because the
// size of a snapshot depends on the held turns. A campaign without a limit on its prompts holds all
// its turns: its snapshots grow, so they become rarer.
func (c Config) snapshotDue(version int64, turns int) bool {
	every := int64(c.SnapshotEvery)
	if every == 0 {
		for every = 32; every*16 <= int64(turns); {
			every *= 2
		}
	}
	return version%every == 0
}

// Campaign returns a campaign as of its last commit by any process. It does not wait for a running
// turn, and does not block a new one.
func (e *Engine) Campaign(ctx context.Context, id string) (c state.Campaign, err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	s := e.sessions.pin(id)
	defer e.sessions.unpin(s)
	known := s.lastCommit.Load()
	if known == nil {
		c, err := e.archive.campaign(ctx, id)
		return c, failedTo("load", id, err)
	}
	c, err = turn.Follow(*known, e.archive.changes(ctx, id, known.Version))
	if err != nil {
		return state.Campaign{}, failedTo("load", id, err)
	}
	return c, nil
}

// failedTo wraps the error of a method with what it could not do for a campaign. It returns a refusal
// as it is, and nil for nil.
func failedTo(what, id string, err error) error {
	if _, isRefusal := err.(*state.Refusal); isRefusal || err == nil {
		return err
	}
	return fmt.Errorf("campaign: %s %q: %w", what, id, err)
}
