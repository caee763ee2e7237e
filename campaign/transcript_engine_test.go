package campaign_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// TestTranscriptsOfEngines plays campaigns with engines over stores. Each file of testdata/engines
// is a story. A command prints what it changes: what the model, the screen, the log, the observer
// and the store see. The first word after a command is the name of an engine. The commands:
//
//	content            JSON of content, see TestTranscripts; for the engines after it
//	engine             starts an engine; store, codec, every and memory set it up
//	create             starts the cave; JSON replaces members of its setup
//	do                 an instruction as JSON, then outputs of the model after ">"; "!" fails with a code, "!!" with a text
//	step               an instruction as in do, which the host runs step by step
//	play               several instructions, a line each; only the last one is printed
//	next, drop         the oldest post of the inbox
//	post, serve        post puts an instruction into the inbox; serve runs posts, with outputs
//	handover           what a dead process has left after a version
//	fail               the next call of the store with this name returns an error: append loses
//	                   the entry, appended keeps it
//	lease, release     another process leases the campaign
//	damage             damages a record of the store, or the snapshot
//	check, rebuild, repair, export, import, fork, forks, delete, impersonate
//	campaign, pending, history, branches, compare, report, explain, player, record, store, watch
//	                   look, and change nothing
func TestTranscriptsOfEngines(t *testing.T) {
	testkit.Run(t, "testdata/engines/*.txt", func(t *testing.T) func(testkit.Case) string {
		s := &studio{desk: &desk{t: t}, engines: map[string]*campaign.Engine{}, stores: map[string]*frail{}, model: &llmtest.Scripted{},
			shown: map[string]string{}}
		return s.handle
	})
}

// studio is some engines with one model.
type studio struct {
	desk    *desk // reads content
	engines map[string]*campaign.Engine
	stores  map[string]*frail
	over    map[string]string // the store of an engine
	model   *llmtest.Scripted
	broken  error             // the next answer of the model
	out     strings.Builder   // of the running command
	shown   map[string]string // what was printed last, by command
	export  []byte
	outcome turn.Outcome
	fence   int64
}

// frail is a store that can be damaged, and whose next call can fail. It prints what is written.
type frail struct {
	worn
	out  *strings.Builder
	fail string
}

func (f *frail) Append(ctx context.Context, id string, e campaign.Entry, snapshot []byte) error {
	failing := f.fail
	if failing == "append" || failing == "appended" {
		f.fail = ""
	}
	if failing == "append" {
		return errors.New("disk full")
	}
	err := f.worn.Append(ctx, id, e, snapshot)
	fmt.Fprintf(f.out, "stored %s %d %s", id, e.Version, e.Kind)
	fmt.Fprintf(f.out, " turn=%s key=%s fence=%d snapshot=%t\n", e.TurnID, e.Key, e.Fence, snapshot != nil)
	if err != nil {
		fmt.Fprintf(f.out, "  error: %v\n", err)
	}
	if failing == "appended" && err == nil {
		err = fmt.Errorf("line cut: %w", campaign.ErrUnavailable)
	}
	return err
}

func (f *frail) SaveAnswer(ctx context.Context, id string, fence int64, key string, answer []byte) error {
	fmt.Fprintf(f.out, "saved the answer %s fence=%d\n", key, fence)
	if f.fail == "answer" {
		f.fail = ""
		return campaign.ErrLeaseLost
	}
	return f.worn.SaveAnswer(ctx, id, fence, key, answer)
}

func (s *studio) handle(c testkit.Case) string {
	s.out.Reset()
	if c.Name == "content" {
		return s.desk.setContent(c)
	}
	var name string
	if len(c.Words) > 0 {
		name = c.Words[0]
	}
	if c.Name == "engine" {
		s.start(name, c)
		return ""
	}
	e := s.engines[name]
	if e == nil {
		s.desk.t.Fatalf("%s: no engine %q", c.Pos, name)
	}
	times := must(strconv.Atoi(c.Arg("times", "1")))
	input := c.Input
	for n := range times {
		s.out.Reset()
		c.Input = strings.ReplaceAll(input, "#", strconv.Itoa(n+1))
		if err := s.run(e, s.stores[name], c); err != nil {
			fmt.Fprintf(&s.out, "error: %v\n", err)
		}
		if ids := e.Running(); ids != nil {
			s.desk.t.Errorf("%s: the sessions of %q stay in use", c.Pos, ids)
		}
	}
	return almostAnHour.ReplaceAllString(s.out.String(), "an hour")
}

// almostAnHour is the rest of the lease of the other process.
var almostAnHour = regexp.MustCompile(`another (1h0m0s|59m59[.\d]*s)`)

func (s *studio) start(name string, c testkit.Case) {
	at := c.Arg("store", "main")
	store := &frail{worn: worn{MemoryStore: &campaign.MemoryStore{}}, out: &s.out}
	for n, one := range s.stores {
		if n == at || s.over[n] == at {
			store = one
		}
	}
	every, _ := strconv.Atoi(c.Arg("every", "0"))
	cfg := campaign.Config{Game: s.game(), Store: store, Model: llm.ModelFunc(s.generate), SnapshotEvery: every, ModelName: "storyteller",
		Now: func() time.Time { return noon.In(time.FixedZone("JST", 9*3600)) }, Clock: func() time.Time { return noon },
		Sharing: campaign.Sharing{Owner: name, PayOnce: c.Arg("pay", "") == "once"}}
	cfg.Logger = slog.New(slog.NewTextHandler(terseLog{&s.out}, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Value.Kind() == slog.KindDuration {
			return slog.Attr{}
		}
		return a
	}}))
	cfg.Observe = observe.Log(cfg.Logger)
	if c.Arg("codec", "") != "" {
		cfg.Codec = campaign.Deflate()
	}
	if c.Arg("memory", "") != "" {
		cfg.Services.Memory = &memory.Index{}
	}
	e, err := campaign.New(cfg)
	if err != nil {
		s.desk.t.Fatal(err)
	}
	if s.over == nil {
		s.over = map[string]string{}
	}
	s.engines[name], s.stores[name], s.over[name] = e, store, at
}

func (s *studio) game() *game.Game { return compile(s.desk.t, s.desk.content) }

// run runs a command, and prints what it does.
func (s *studio) run(e *campaign.Engine, store *frail, c testkit.Case) error {
	ctx, id := s.desk.t.Context(), c.Arg("id", "cave")
	word := ""
	if len(c.Words) > 1 {
		word = c.Words[1]
	}
	number, _ := strconv.ParseInt(word, 10, 64)
	switch c.Name {
	case "create":
		made, err := e.Create(ctx, cave(s.desk.t, c.Input))
		s.campaign(made)
		return err
	case "do":
		in, err := s.instruction(c)
		if err == nil {
			s.show(e.Stream(ctx, id, in))
		}
		return err
	case "step":
		in, err := s.instruction(c)
		if err != nil {
			return err
		}
		return s.step(ctx, e, id, in)
	case "play":
		instructions, output, _ := strings.Cut(c.Input, "\n> ")
		s.script([]string{output})
		for line := range strings.Lines(instructions) {
			in, err := turn.ParseInstruction([]byte(line))
			if err != nil {
				return err
			}
			s.out.Reset()
			s.show(e.Stream(ctx, id, in))
		}
		return nil
	case "pending":
		q, err := e.Pending(ctx, id)
		s.flat("question", q)
		return err
	case "post":
		in, err := s.instruction(c)
		if err != nil {
			return err
		}
		model, _ := turn.NeedsModel(in)
		o, err := e.Post(ctx, id, model)
		if o == nil || err != nil {
			return err
		}
		s.progress("known", campaign.Finished{Outcome: *o})
		return nil
	case "serve":
		return s.serve(e, c)
	case "next":
		post, err := e.NextPost(ctx, id)
		if post != nil {
			fmt.Fprintf(&s.out, "%s, posted at %v: %+v, %v\n", post.Key, post.At, post.Instruction, post.Err)
		}
		return err
	case "drop":
		return e.DropPost(ctx, id, word, "by hand")
	case "handover":
		s.show(e.Handover(ctx, id, number))
		return nil
	case "fail":
		store.fail = word
		return nil
	case "lease":
		fence, err := store.Acquire(ctx, id, "another", time.Hour)
		s.fence = fence
		return err
	case "release":
		return store.Release(ctx, id, s.fence)
	case "damage":
		version, _ := strconv.ParseInt(c.Arg("version", "0"), 10, 64)
		s.damage(store, word, version)
		return nil
	case "delete":
		return store.Delete(ctx, id)
	}
	return s.look(ctx, e, store, c, id, word)
}

// step runs an instruction step by step, and prints the phases between the steps.
func (s *studio) step(ctx context.Context, e *campaign.Engine, id string, in turn.Input) error {
	j := journalOf(s.desk.t, in)
	for {
		one, err := e.Step(ctx, id, j, func(p campaign.Progress) { s.progress("screen", p) })
		if err != nil {
			return err
		}
		if one.Outcome != nil {
			s.progress("outcome", campaign.Finished{Outcome: *one.Outcome})
			return nil
		}
		fmt.Fprintf(&s.out, "step to %s\n", one.Stop)
		j = j.Then(one)
	}
}

// look runs a command that reads or moves a campaign.
func (s *studio) look(ctx context.Context, e *campaign.Engine, store *frail, c testkit.Case, id, word string) error {
	switch c.Name {
	case "check":
		return e.Check(ctx, id)
	case "rebuild":
		rebuilt, err := e.Rebuild(ctx, id)
		fmt.Fprintf(&s.out, "version %d\n", rebuilt.Version)
		return err
	case "repair":
		note, err := e.Repair(ctx, id, state.RepairKeep(word))
		s.flat("repaired", note)
		return err
	case "export":
		var data bytes.Buffer
		err := e.Export(ctx, id, &data)
		if err != nil {
			return err
		}
		s.export = data.Bytes()
		for line := range strings.Lines(data.String()) {
			s.flat("line", json.RawMessage(line))
		}
		return nil
	case "import":
		data := s.export
		if cut, err := strconv.Atoi(word); err == nil {
			data = bytes.Join(bytes.SplitAfter(data, []byte("\n"))[:cut], nil)
		}
		got, err := e.Import(ctx, bytes.NewReader(data))
		s.campaign(got)
		return err
	case "fork":
		forked, err := e.Fork(ctx, id, word, c.Words[2])
		s.campaign(forked)
		return err
	case "forks":
		return list(s, "fork", e.Forks(ctx, campaign.Page{}))
	case "campaign":
		got, err := e.Campaign(ctx, id)
		s.campaign(got)
		return err
	case "history":
		limit, _ := strconv.Atoi(c.Arg("limit", "0"))
		for t, err := range e.History(ctx, id, state.HistoryPage{Limit: limit, Viewer: c.Arg("viewer", ""), Before: c.Arg("before", ""), Branch: c.Arg("branch", "")}) {
			if err != nil {
				return err
			}
			s.differ("turn "+t.ID, t)
		}
		return nil
	case "branches":
		return list(s, "branch", e.Branches(ctx, id, state.HistoryBranches{}))
	case "compare":
		got, err := e.Compare(ctx, id, state.HistorySpan{A: word, B: c.Words[2], Viewer: c.Arg("viewer", "")})
		s.flat("differs", got)
		return err
	}
	return s.read(ctx, e, store, c, id, word)
}

func (s *studio) read(ctx context.Context, e *campaign.Engine, store *frail, c testkit.Case, id, word string) error {
	switch c.Name {
	case "report":
		got, err := e.Report(ctx, id, word)
		s.out.WriteString(got.String())
		return err
	case "explain":
		got, err := e.Explain(ctx, id, turn.Submit{Text: c.Input}, "")
		s.flat("explained", got)
		return err
	case "player":
		shown, ok := s.outcome.ForPlayers(word)
		s.flat("sees", shown)
		fmt.Fprintf(&s.out, "sees it: %t\n", ok)
		return nil
	case "impersonate":
		s.script([]string{c.Input})
		text, err := e.Impersonate(ctx, id, word)
		fmt.Fprintf(&s.out, "line: %s\n", text)
		return err
	case "record":
		for entry, err := range store.Records(ctx, id, must(strconv.ParseInt(word, 10, 64))-1) {
			if err == nil && entry.Data[0] == '{' {
				s.flat("record", json.RawMessage(entry.Data))
			}
			return err
		}
		return nil
	case "watch":
		head := must(e.Campaign(ctx, id)).Version
		for rec, err := range e.Watch(ctx, id, must(strconv.ParseInt(word, 10, 64))) {
			if err != nil {
				return err
			}
			fmt.Fprintf(&s.out, "%d %s %v\n", rec.Version, rec.Kind, rec.At)
			if rec.Version >= head {
				break
			}
		}
		return nil
	case "store":
		return s.inventory(ctx, store, id)
	}
	s.desk.t.Fatalf("%s: unknown command %s", c.Pos, c.Name)
	return nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// inventory prints what a store contains.
func (s *studio) inventory(ctx context.Context, store *frail, id string) error {
	infos, err := store.List(ctx, campaign.Page{})
	for _, i := range infos {
		s.flat("campaign", i)
	}
	stats, _ := store.Stats(ctx)
	s.flat("stats", stats)
	if saved, err := store.Load(ctx, id); err == nil {
		fmt.Fprintf(&s.out, "snapshot %d, %d entries after it, cut %t\n", saved.SnapshotVersion, len(saved.Entries), saved.Cut)
	}
	if post, found, _ := store.OldestPost(ctx, id); found {
		s.flat("post", map[string]any{"seq": post.Seq, "key": post.Key, "at": post.At})
	}
	return err
}

func (s *studio) damage(store *frail, what string, version int64) {
	switch what {
	case "snapshot":
		store.snapshot = func(saved campaign.Saved) campaign.Saved { saved.Snapshot = half(saved.Snapshot); return saved }
	case "nothing":
		store.snapshot, store.entry, store.lost = nil, nil, 0
	case "end":
		store.snapshot = func(saved campaign.Saved) campaign.Saved { saved.Cut = true; return saved }
	case "lost":
		store.lost = version
	default:
		store.entry = wearing(version, half)
	}
}

// instruction reads a case: an instruction, and outputs for the model.
func (s *studio) instruction(c testkit.Case) (turn.Input, error) {
	text, outputs, _ := strings.Cut(c.Input, "\n> ")
	if outputs != "" {
		s.script(strings.Split(outputs, "\n> "))
	}
	return turn.ParseInstruction([]byte(text))
}

func (s *studio) script(outputs []string) {
	for _, out := range outputs {
		if text, broken := strings.CutPrefix(out, "!!"); broken {
			s.broken = errors.New(text)
			continue
		}
		if code, failing := strings.CutPrefix(out, "!"); failing {
			s.model.Add(llmtest.Fail(&llm.Error{Code: llm.ErrorCode(code), Message: "the model says no", Status: 500}))
			continue
		}
		reply := llmtest.Text(out)
		reply.Piece = 40
		s.model.Add(reply)
	}
}

// show prints the progress of an instruction.
func (s *studio) show(all iter.Seq2[campaign.Progress, error]) {
	for p, err := range all {
		if err != nil {
			fmt.Fprintf(&s.out, "error: %v\n", err)
			continue
		}
		s.progress("screen", p)
	}
}

func (s *studio) progress(what string, p campaign.Progress) {
	done, ended := p.(campaign.Finished)
	if !ended {
		s.flat(what, p)
		return
	}
	o := done.Outcome
	s.outcome = o
	fmt.Fprintf(&s.out, "%s, version %d\n", filltest.Words(o), o.Version)
	if o.Turn != nil {
		s.differ("turn "+o.Turn.ID, o.Turn)
		o.Turn = nil
	}
	done.Outcome = o
	s.flat(what, done)
}

// generate prints a request to the model as a difference to the request before it.
func (s *studio) generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	s.differ("request", req)
	if s.broken != nil {
		err := s.broken
		s.broken = nil
		return func(yield func(llm.Chunk, error) bool) { yield(nil, err) }
	}
	return s.model.Generate(ctx, req)
}

// terseLog writes lines of a log without what all lines of an instruction have in common.
type terseLog struct{ out *strings.Builder }

var common = regexp.MustCompile(`^level=DEBUG | campaign=cave instruction=\w+ run=\d+`)

func (l terseLog) Write(line []byte) (int, error) {
	if !bytes.Contains(line, []byte(" msg=begun ")) {
		l.out.Write(common.ReplaceAll(line, nil))
	} else {
		l.out.Write(line)
	}
	return len(line), nil
}

// serve runs the posts that wait.
func (s *studio) serve(e *campaign.Engine, c testkit.Case) error {
	ctx, cancel := context.WithCancel(s.desk.t.Context())
	defer cancel()
	s.script(strings.Split(strings.TrimPrefix(c.Input, "> "), "\n> "))
	left := strings.Count("\n"+c.Input, "\n> ")
	err := e.Serve(ctx, 1, func(id string, p campaign.Progress) {
		s.progress("screen of "+id, p)
		if _, ended := p.(campaign.Finished); ended {
			if left--; left == 0 {
				cancel()
			}
		}
	})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// flat prints a value, a line for each part.
func (s *studio) flat(what string, v any) {
	data, err := tree.ParseValue([]byte(jsonOf(s.desk.t, v)))
	if err != nil {
		s.desk.t.Fatal(err)
	}
	writeFlat(&s.out, what, data, 500)
}

// differ prints the lines of a value that were not in the value that was printed before.
func (s *studio) differ(what string, v any) {
	var text strings.Builder
	data, err := tree.ParseValue([]byte(jsonOf(s.desk.t, v)))
	if err != nil {
		s.desk.t.Fatal(err)
	}
	writeFlat(&text, "  ", data, 500)
	fmt.Fprintf(&s.out, "%s:\n%s", what, cmp.Or(lineDiff(s.shown[what], text.String()), "  the same\n"))
	s.shown[what] = text.String()
}

// campaign prints a campaign, and of its turns and conflicts only the IDs.
func (s *studio) campaign(c state.Campaign) {
	if c.ID == "" {
		return
	}
	ids := make([]string, len(c.Turns))
	for i, t := range c.Turns {
		ids[i] = t.ID
	}
	fmt.Fprintf(&s.out, "%q holds %v, conflicts %v\n", c.ID, ids, sortedKeys(c.Conflicts))
	c.Turns, c.Conflicts = nil, nil
	s.differ("campaign", c)
}

// list prints the values of a sequence.
func list[T any](s *studio, what string, all iter.Seq2[T, error]) error {
	for one, err := range all {
		s.flat(what, one)
		if err != nil {
			fmt.Fprintf(&s.out, "error: %v\n", err)
		}
	}
	return nil
}
