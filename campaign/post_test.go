package campaign_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// postTo posts a line, and returns its outcome: "" while it waits.
func postTo(t *testing.T, e *campaign.Engine, id, text string) string {
	t.Helper()
	o, err := e.Post(t.Context(), "cave", turn.Submit{Text: text, ClientTurnID: id})
	switch refusal, refused := errors.AsType[*state.Refusal](err); {
	case refused:
		return string(refusal.Code)
	case err != nil:
		t.Fatal(err)
	case o == nil:
		return ""
	}
	o.Replayed = false // a repeated request always says so
	return filltest.Words(*o)
}

// serveFor lets engines serve for some time.
func serveFor(t *testing.T, d time.Duration, engines ...*campaign.Engine) (told []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, e := range engines {
		wg.Go(func() {
			err := e.Serve(ctx, 2, func(id string, p campaign.Progress) {
				mu.Lock()
				defer mu.Unlock()
				if f, ok := p.(campaign.Finished); ok && !f.Outcome.Replayed {
					told = append(told, id+" "+string(f.Outcome.Status))
				}
			})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Serve: %v", err)
			}
		})
	}
	wg.Wait()
	return told
}

func textsOf(c state.Campaign) (out []string) {
	for _, t := range c.Turns {
		out = append(out, t.UserInput)
	}
	return out
}

// TestPostsArePlayedOnceInOrder: two processes serve, and one of them plays each post, in order. A
// repeated post returns the turn.
func TestPostsArePlayedOnceInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &campaign.MemoryStore{}
		one, two := llmtest.NewScripted(), llmtest.NewScripted()
		for range 20 {
			one.Add(llmtest.Text("Dust."))
			two.Add(llmtest.Text("Dust."))
		}
		first, second := leasingEngine(t, store, "first", one), leasingEngine(t, store, "second", two)
		createCave(t, first)
		var want []string
		for i := range 12 {
			text := fmt.Sprint("line ", i)
			if got := postTo(t, first, fmt.Sprint("c", i), text); got != "" {
				t.Errorf("posted: %s", got)
			}
			want = append(want, text)
		}
		if got := postTo(t, second, "c3", "another line"); got != "refused idempotency_conflict" {
			t.Errorf("another line under the same id: %q", got)
		}
		told := serveFor(t, time.Minute, first, second)
		if paid := len(one.Requests()) + len(two.Requests()); len(told) != 12 || paid != 12 {
			t.Errorf("%d turns were played, and %d calls paid for: %q", len(told), paid, told)
		}
		if got := textsOf(campaignOf(t, first)); !slices.Equal(got, want) {
			t.Errorf("played %q, want %q", got, want)
		}
		for i := range 12 {
			if got, want := postTo(t, second, fmt.Sprint("c", i), fmt.Sprint("line ", i)), fmt.Sprintf("completed turn_%04d", i+1); got != want {
				t.Errorf("post %d: %q, want %q", i, got, want)
			}
		}
		if _, err := second.Rebuild(t.Context(), "cave"); err != nil {
			t.Error(err)
		}
	})
}

// TestPostOfADeadProcess: a second process continues a post after the first one is stopped. The
// post is committed once, and paid for once if the answer had arrived.
func TestPostOfADeadProcess(t *testing.T) {
	for at, paid := range map[string]int{"check": 1, "call": 2, "commit": 1} {
		synctest.Test(t, func(t *testing.T) {
			store := &campaign.MemoryStore{}
			stopped := &stoppedStore{MemoryStore: store, at: at, onward: make(chan struct{}), here: make(chan struct{})}
			reply := llmtest.Text("Dust.")
			if at == "call" {
				reply.Gate = llmtest.NewGate() // is never opened
			}
			model := llmtest.NewScripted(reply, llmtest.Text("Dust."))
			first, second := leasingEngine(t, stopped, "first", model), leasingEngine(t, store, "second", model)
			createCave(t, second)
			postTo(t, second, "c1", "I wait.")
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- first.Serve(ctx, 1, nil) }()
			if at != "call" {
				<-stopped.here
			}
			synctest.Wait()
			serveFor(t, time.Minute, second)
			cancel()
			close(stopped.onward)
			<-done
			if got := postTo(t, first, "c1", "I wait."); got != "completed turn_0001" {
				t.Errorf("%s: %q", at, got)
			}
			if n := len(model.Requests()); n != paid {
				t.Errorf("%s: %d calls were paid for, want %d", at, n, paid)
			}
			if c := campaignOf(t, second); c.Version != 2 {
				t.Errorf("%s: version %d", at, c.Version)
			}
		})
	}
}

// TestPostsThatChangeNothing: a refused or failed post is finished, and a repeated post returns its
// outcome. Later posts are played.
func TestPostsThatChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &campaign.MemoryStore{}
		model := llmtest.NewScripted(llmtest.Fail(&llm.Error{Code: llm.CodeInvalidRequest}), llmtest.Text("Dust."))
		e := leasingEngine(t, store, "", model)
		createCave(t, e)
		postTo(t, e, "c1", "I wait.")
		postTo(t, e, "c2", " ")
		postTo(t, e, "c3", "I wait on.")
		serveFor(t, time.Minute, e)
		for id, want := range map[string]string{"c1": "failed invalid_request", "c2": "refused empty_input", "c3": "completed turn_0001"} {
			text := map[string]string{"c1": "I wait.", "c2": " ", "c3": "I wait on."}[id]
			if got := postTo(t, e, id, text); got != want {
				t.Errorf("%s: %q, want %q", id, got, want)
			}
		}
		if n := len(model.Requests()); n != 2 {
			t.Errorf("%d calls were paid for", n)
		}
		// The same line with the same ID is played if it is sent to the engine directly.
		model.Add(llmtest.Text("Fog."))
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait.", ClientTurnID: "c1"}), "completed turn_0002")
		if got := postTo(t, e, "c1", "I wait."); got != "completed turn_0002" {
			t.Errorf("posted once more: %q", got)
		}
	})
}

// TestPostsAreBounded: the number of waiting posts and their size are limited; the refusals name
// the limits.
func TestPostsAreBounded(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted()})
	for i := range campaign.MaxWaitingPosts {
		if got := postTo(t, e, fmt.Sprint("c", i), "I wait."); got != "" {
			t.Fatalf("post %d: %s", i, got)
		}
	}
	for _, c := range []struct {
		id, text string
		code     state.RefusalCode
		limit    string
	}{
		{"more", "I wait.", state.QueueFull, fmt.Sprintf("%d posts wait", campaign.MaxWaitingPosts)},
		{"long", strings.Repeat("x", 1048576), state.TextTooLong, "at most 1048576 are posted"},
	} {
		_, err := e.Post(t.Context(), "cave", turn.Submit{Text: c.text, ClientTurnID: c.id})
		if r, ok := errors.AsType[*state.Refusal](err); !ok || r.Code != c.code || !strings.Contains(r.Detail, c.limit) || err.Error() != r.Error() {
			t.Errorf("%s: %v", c.id, err)
		}
	}
	if got := postTo(t, e, "c3", "I wait."); got != "" {
		t.Errorf("what waits in a full inbox: %q", got)
	}
	for reason, in := range map[string]turn.ModelInstruction{
		"without an id": turn.Submit{Text: "I wait."}, "which moves nothing": turn.Suggest{ClientTurnID: "s"},
	} {
		if _, err := e.Post(t.Context(), "cave", in); err == nil || !strings.Contains(err.Error(), "needs a client turn id") {
			t.Errorf("a post %s: %v", reason, err)
		}
	}
	if _, err := e.Post(t.Context(), "nowhere", turn.Submit{Text: "I wait.", ClientTurnID: "c"}); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("an unknown campaign: %v", err)
	}
}

// TestStoreIsNoCluster: with a store that is not a Cluster, engines play without leases and do not
// save answers, posts are refused, and a follower polls.
func TestStoreIsNoCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &campaign.MemoryStore{}
		model := scripted("Dust.", "Moss.")
		e := newEngine(t, campaign.Config{Store: struct{ campaign.Store }{shared}, Model: model})
		_, posted := e.Post(t.Context(), "cave", turn.Submit{Text: "I wait.", ClientTurnID: "c"})
		_, next := e.NextPost(t.Context(), "cave")
		for call, err := range map[string]error{"Post": posted, "NextPost": next,
			"DropPost": e.DropPost(t.Context(), "cave", "c", ""), "Serve": e.Serve(t.Context(), 1, nil)} {
			if !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("%s: %v", call, err)
			}
		}
		if _, err := shared.Acquire(t.Context(), "cave", "somebody", time.Hour); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		for rec, err := range e.Watch(t.Context(), "cave", 0) {
			if err != nil {
				t.Fatal(err)
			}
			if rec.Version == 2 {
				break
			}
			wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("the follower found the record after %s", took)
		}
	})
}

// TestPostsWaitForPeople: while a turn waits for an approval, later posts wait too. They are played
// after people have answered.
func TestPostsWaitForPeople(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, campaign.Config{Model: scripted(output("A bat bites you. You lose 3 HP.", hurt("ren", "-3")), "Dust.")}, askAll)
		postTo(t, e, "c1", "I climb.")
		postTo(t, e, "c2", "I wait.")
		serveFor(t, time.Minute, e)
		if got := postTo(t, e, "c1", "I climb."); got != "awaiting_approval" {
			t.Errorf("the first: %q", got)
		}
		if got := postTo(t, e, "c2", "I wait."); got != "" {
			t.Errorf("the second: %q", got)
		}
		wantOutcome(t, approved(t, e, answer(t, e, state.Approve, "")), "completed turn_0001")
		serveFor(t, time.Minute, e)
		if got := postTo(t, e, "c1", "I climb."); got != "completed turn_0001" {
			t.Errorf("the first: %q", got)
		}
		if got := postTo(t, e, "c2", "I wait."); got != "completed turn_0002" {
			t.Errorf("the second: %q", got)
		}
	})
}

// TestPostsAreSealed: the codec seals the waiting posts in the store, each for its place.
func TestPostsAreSealed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &campaign.MemoryStore{}
		e := newEngine(t, campaign.Config{Store: store, Codec: rot{}, Model: scripted("Dust.")})
		postTo(t, e, "c1", "I wait.")
		p, found, err := store.OldestPost(t.Context(), "cave")
		if err != nil || !found || strings.Contains(string(p.Data), "I wait") || p.Key == "c1" {
			t.Errorf("%q, %v", p.Data, err)
		}
		serveFor(t, time.Minute, e)
		if got := postTo(t, e, "c1", "I wait."); got != "completed turn_0001" {
			t.Errorf("got %q", got)
		}
	})
}

// TestPostsOfAnyBytes: the store keeps IDs and lines that are not UTF-8. The post is played once, a
// repeated post gets its outcome, and so does the same line by Turn.
func TestPostsOfAnyBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &campaign.MemoryStore{}
		e := leasingEngine(t, store, "first", llmtest.NewScripted(llmtest.Text("Dust.")))
		createCave(t, e)
		const id, line = "c\xff\xfe", "I wait\xff\xfe."
		for range 2 {
			if got := postTo(t, e, id, line); got != "" {
				t.Fatalf("posted: %s", got)
			}
		}
		serveFor(t, time.Minute, e)
		if p, err := e.NextPost(t.Context(), "cave"); p != nil || err != nil {
			t.Fatal("the post waits still", err)
		}
		for _, e := range []*campaign.Engine{e, leasingEngine(t, store, "second", llmtest.NewScripted())} {
			if got := postTo(t, e, id, line); got != "completed turn_0001" {
				t.Errorf("posted again: %s", got)
			}
			wantOutcome(t, turnOf(t, e, turn.Submit{Text: line, ClientTurnID: id}), "completed turn_0001 replayed")
		}
		if c := campaignOf(t, e); c.Turns[0].UserInput != "I wait\ufffd\ufffd." || len(c.Turns) != 1 {
			t.Errorf("%d turns: %q", len(c.Turns), c.Turns[0].UserInput)
		}
	})
}

// TestDeadLetters: a post that cannot be read blocks later posts until it is removed. A repeated
// post then reports that.
func TestDeadLetters(t *testing.T) {
	for what, data := range map[string]string{"junk": "\xff{", "nothing": "", "another program's": `{"value":[{"input":"juggle"}]}`,
		"two instructions": `{"value":[{"input":"submit"},{"input":"submit"}]}`} {
		synctest.Test(t, func(t *testing.T) {
			store := &campaign.MemoryStore{}
			e := leasingEngine(t, store, "first", llmtest.NewScripted(llmtest.Text("Dust.")))
			createCave(t, e)
			if strings.HasPrefix(data, "{") {
				data = string(summed([]byte(data)))
			}
			key := turnlog.Key("c1")
			if _, err := store.PutPost(t.Context(), "cave", campaign.InboxPost{Key: key, At: noon, Data: []byte(data)}); err != nil {
				t.Fatal(err)
			}
			if got := postTo(t, e, "c2", "I wait."); got != "" {
				t.Fatal(got)
			}
			if told := serveFor(t, time.Minute, e); len(told) != 0 {
				t.Fatalf("%s: it is passed over: %q", what, told)
			}
			next, err := e.NextPost(t.Context(), "cave")
			if err != nil || next.Key != key || !next.At.Equal(noon) || next.Instruction != nil || next.Err == nil {
				t.Fatalf("%s: %+v, %v", what, next, err)
			}
			if err := e.DropPost(t.Context(), "cave", turnlog.Key("c2"), ""); !errors.Is(err, campaign.ErrNotFound) {
				t.Errorf("%s: a later post is dropped: %v", what, err)
			}
			if err := e.DropPost(t.Context(), "cave", next.Key, "no program reads it"); err != nil {
				t.Fatal(err)
			}
			if told := serveFor(t, time.Minute, e); len(told) != 1 {
				t.Errorf("%s: the next one is not played: %q", what, told)
			}
			if got := postTo(t, e, "c1", "I knock."); got != "failed post_dropped" {
				t.Errorf("%s: posted again: %q", what, got)
			}
			for _, over := range []string{key, turnlog.Key("c2"), "c2"} { // dropped, played, not a key
				err := e.DropPost(t.Context(), "cave", over, "")
				if !errors.Is(err, campaign.ErrNotFound) || errors.Is(err, campaign.ErrDeleted) || !strings.Contains(err.Error(), "does not wait") {
					t.Errorf("%s: %q is dropped: %v", what, over, err)
				}
			}
			if got := postTo(t, e, "c2", "I wait."); got != "completed turn_0001" {
				t.Errorf("%s: what is over was dropped: %s", what, got)
			}
		})
	}
}

// TestDropPostWaits: a running post is not dropped.
func TestDropPostWaits(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	e := leasingEngine(t, store, "first", llmtest.NewScripted())
	createCave(t, e)
	if got := postTo(t, e, "c1", "I wait."); got != "" {
		t.Fatal(got)
	}
	if _, err := store.Acquire(t.Context(), "cave", "another", time.Hour); err != nil {
		t.Fatal(err)
	}
	err := e.DropPost(t.Context(), "cave", turnlog.Key("c1"), "")
	if r, ok := errors.AsType[*state.Refusal](err); !ok || r.Code != state.CampaignBusy || !strings.Contains(r.Detail, "another") || err.Error() != r.Error() {
		t.Errorf("got %v", err)
	}
}

// TestFingerprints: a line has a different fingerprint with a different audience, speaker or kind
// (CA-37).
func TestFingerprints(t *testing.T) {
	t.Parallel()
	seen := map[string]turn.ModelInstruction{}
	for _, in := range []turn.ModelInstruction{
		turn.Submit{Text: "a"}, turn.Submit{Text: "a", Audience: []string{"ren"}}, turn.Submit{Text: "a\x00to\x00ren"},
		turn.Submit{Text: "a", Speaker: "to\x00ren"}, turn.Submit{Text: "a", Audience: []string{"ren", "mei"}},
		turn.Submit{Text: "a", Audience: []string{"ren\x00mei"}}, turn.Submit{Text: "a 3:ren"}, turn.Submit{Auto: true},
		turn.Submit{Text: "\x00auto"}, turn.Submit{Text: "proceed\x00"}, turn.Proceed{}, turn.Proceed{Instructions: "a"},
		turn.Proceed{Speaker: "a"}, turn.Proceed{Audience: []string{"a"}}, turn.Regenerate{Instructions: "a"}, turn.Regenerate{Speaker: "a"},
		turn.Regenerate{Swipe: true}, turn.Continue{}, turn.Continue{Instructions: "a"}, turn.Suggest{N: 1}, turn.Suggest{Instructions: "1"},
		turn.Submit{ActorID: "mei", Text: "a"}, turn.Submit{ActorID: "mei\x00a", Text: ""},
	} {
		sum := in.Ticket().By("ren")
		if other, taken := seen[sum]; taken {
			t.Errorf("%#v and %#v have one fingerprint", in, other)
		}
		seen[sum] = in
	}
}

// TestTimesWithoutAForm: a time that cannot be stored is refused before the model is called.
func TestTimesWithoutAForm(t *testing.T) {
	t.Parallel()
	e := leasingEngine(t, &campaign.MemoryStore{}, "first", llmtest.NewScripted())
	createCave(t, e)
	late := time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait.", At: late}), "refused invalid_time")
	for _, in := range []turn.Input{turn.PassTime{At: late}, &turn.EndCampaign{At: late}} {
		_, err := e.Do(t.Context(), "cave", in)
		if r, ok := errors.AsType[*state.Refusal](err); !ok || r.Code != state.InvalidTime || !strings.Contains(r.Detail, "99999") {
			t.Errorf("%T: %v", in, err)
		}
	}
	if _, err := e.Post(t.Context(), "cave", turn.Submit{Text: "I wait.", ClientTurnID: "a", At: late}); err == nil || !strings.Contains(err.Error(), "invalid_time") {
		t.Errorf("posted: %v", err)
	}
	if _, err := e.Create(t.Context(), state.Setup{ID: "b", CreatedAt: late, Turns: []state.Turn{{Timestamp: late}}}); err == nil ||
		!strings.Contains(err.Error(), "created_at: the year is 99999") || !strings.Contains(err.Error(), "turns[0].timestamp: the year") {
		t.Errorf("created: %v", err)
	}
	early := time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)
	if _, err := e.Create(t.Context(), state.Setup{ID: "b", CreatedAt: noon, UpdatedAt: early}); err == nil ||
		!strings.Contains(err.Error(), "updated_at: the year is -1") {
		t.Errorf("created: %v", err)
	}
}

// TestTextsHaveBounds: lines, and texts from before the campaign, are at most as long as an answer.
func TestTextsHaveBounds(t *testing.T) {
	t.Parallel()
	e := leasingEngine(t, &campaign.MemoryStore{}, "first", llmtest.NewScripted())
	createCave(t, e)
	long := strings.Repeat("a", turn.MaxReplyBytes+1)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: long}), "refused text_too_long")
	setup := cave(t)
	setup.ID, setup.Greeting = "b", long
	setup.Turns = []state.Turn{{UserInput: long}, {Text: long}, {Replies: []state.Reply{{Text: "a"}, {Text: long}}}}
	_, err := e.Create(t.Context(), setup)
	for _, want := range []string{"greeting", "turns[0].user_input", "turns[1].text", "turns[2].replies[1].text"} {
		if err == nil || !strings.Contains(err.Error(), want+": 1048577 bytes: at most 1048576 are read") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestServeTellsNobody: Serve accepts nil as the progress function, and logs nothing.
func TestServeTellsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		e := newEngine(t, campaign.Config{Model: scripted("Dust."), Logger: slog.New(slog.NewTextHandler(&log, nil))})
		postTo(t, e, "c1", "I wait.")
		log.Reset()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := e.Serve(ctx, 1, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Serve: %v", err)
		}
		if got := postTo(t, e, "c1", "I wait."); got != "completed turn_0001" || log.Len() > 0 {
			t.Errorf("the post: %q, and logged:\n%s", got, &log)
		}
	})
}

// TestServeTriesAgain: a post that cannot be played now is played later. An error of the store is
// logged. It is no error that a different process or a different call plays the campaign.
func TestServeTriesAgain(t *testing.T) {
	full := errors.New("no space left")
	for _, c := range []struct {
		reason string
		store  refusingStore
		held   time.Duration // by a different process
		beside bool          // a different call plays
		logged bool
	}{
		{reason: "nothing is wrong"},
		{reason: "no lease", store: refusingStore{acquire: full, failures: 1}, logged: true},
		{reason: "the inbox cannot be read", store: refusingStore{oldest: full, failures: 1}, logged: true},
		{reason: "a different process", held: 30 * time.Second},
		{reason: "a different call", beside: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			c.store.MemoryStore = &campaign.MemoryStore{}
			e := newEngine(t, campaign.Config{Store: &c.store, Model: replying("Dust."), Logger: slog.New(slog.NewTextHandler(&log, nil))})
			postTo(t, e, "c1", "I wait.")
			if c.held > 0 {
				if _, err := c.store.MemoryStore.Acquire(t.Context(), "cave", "a different process", c.held); err != nil {
					t.Fatal(err)
				}
			}
			want := "completed turn_0001"
			if c.beside {
				gate := make(chan struct{})
				go func() {
					for range e.Stream(t.Context(), "cave", turn.Submit{Text: "I go."}) {
						<-gate
					}
				}()
				time.AfterFunc(30*time.Second, func() { close(gate) })
				want = "completed turn_0002"
			}
			synctest.Wait()
			serveFor(t, time.Hour, e)
			if got := postTo(t, e, "c1", "I wait."); got != want {
				t.Errorf("%s: the post: %q", c.reason, got)
			}
			if logged := strings.Contains(log.String(), "posts were not run"); logged != c.logged {
				t.Errorf("%s: logged:\n%s", c.reason, &log)
			}
		})
	}
}

// TestServeEndsDuringATurn: a post whose turn is cancelled by the end of Serve still waits, also if
// Serve ends by a deadline.
func TestServeEndsDuringATurn(t *testing.T) {
	deadline := func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, time.Second)
	}
	cancelled := func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(time.Second, cancel)
		return ctx, cancel
	}
	for _, ends := range []func(context.Context) (context.Context, context.CancelFunc){deadline, cancelled} {
		synctest.Test(t, func(t *testing.T) {
			slow := llmtest.Text("Fog.")
			slow.Gate = llmtest.NewGate() // is never opened
			model := llmtest.NewScripted(slow, llmtest.Text("Dust."))
			e := newEngine(t, campaign.Config{Model: model})
			postTo(t, e, "c1", "I wait.")
			ctx, cancel := ends(t.Context())
			defer cancel()
			if err := e.Serve(ctx, 1, nil); !errors.Is(err, ctx.Err()) {
				t.Errorf("Serve: %v", err)
			}
			if w, err := e.NextPost(t.Context(), "cave"); w == nil || err != nil {
				t.Errorf("after %v %+v waits; %v", ctx.Err(), w, err)
			}
			serveFor(t, time.Minute, e)
			if got := postTo(t, e, "c1", "I wait."); got != "completed turn_0001" || len(model.Requests()) != 2 {
				t.Errorf("after %v the post is %q, with %d calls", ctx.Err(), got, len(model.Requests()))
			}
		})
	}
}

// failingPlaces is a codec of which the calls for the places of a kind fail; "" is no kind.
type failingPlaces struct{ seal, open string }

func (c *failingPlaces) Seal(p campaign.Place, plain []byte) ([]byte, error) {
	if c.seal != "" && strings.HasPrefix(p.Kind, c.seal) {
		return nil, errTorn
	}
	return plain, nil
}

func (c *failingPlaces) Open(p campaign.Place, sealed []byte) ([]byte, error) {
	if c.open != "" && strings.HasPrefix(p.Kind, c.open) {
		return nil, errTorn
	}
	return sealed, nil
}

// TestPostsWithAFailingCodec: a post waits until its turn and its outcome can be stored.
func TestPostsWithAFailingCodec(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		codec := &failingPlaces{}
		e := newEngine(t, campaign.Config{Codec: codec, Model: replying("Dust.")})
		for _, c := range []struct{ fails, id, text, want string }{
			{"turn", "c1", "I wait.", "completed turn_0001"}, {"post", "c2", " ", "refused empty_input"},
		} {
			if got := postTo(t, e, c.id, c.text); got != "" {
				t.Fatal(got)
			}
			codec.seal = c.fails
			serveFor(t, time.Minute, e)
			codec.seal = ""
			if got := postTo(t, e, c.id, c.text); got != "" {
				t.Errorf("%s cannot be sealed, and the post has ended: %s", c.fails, got)
			}
			serveFor(t, time.Hour, e)
			if got := postTo(t, e, c.id, c.text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		}
		codec.open = "post"
		if o, err := e.Post(t.Context(), "cave", turn.Submit{Text: " ", ClientTurnID: "c2"}); !errors.Is(err, errTorn) {
			t.Errorf("an outcome that cannot be read: %+v, %v", o, err)
		}
	})
}

// TestMemoryStoreRefuses: a call with a cancelled context, or for an unknown campaign, is an error.
func TestMemoryStoreRefuses(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &campaign.MemoryStore{}
	if _, err := s.List(ctx, campaign.Page{}); !errors.Is(err, context.Canceled) {
		t.Errorf("List: %v", err)
	}
	if _, err := s.Stats(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Stats: %v", err)
	}
	if _, _, err := s.OldestPost(t.Context(), "cave"); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("OldestPost: %v", err)
	}
	if err := s.Release(t.Context(), "cave", 1); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("Release: %v", err)
	}
}

// TestGoalsThatDoNotFit: a service that fails, or that returns a bad goal, ends Create.
func TestGoalsThatDoNotFit(t *testing.T) {
	t.Parallel()
	for what, goal := range map[string]func(context.Context, campaign.GoalQuestion) (state.Goal, error){
		"a macro": func(context.Context, campaign.GoalQuestion) (state.Goal, error) {
			return state.Goal{Text: "Say {{user}}."}, nil
		},
		string(llm.CodeAuth): campaign.GoalBy(llmtest.NewScripted(llmtest.Fail(&llm.Error{Code: llm.CodeAuth})), "", llm.Options{}, false),
	} {
		e, err := campaign.New(campaign.Config{Game: compile(t, game.Content{}), Model: scripted(), Services: campaign.Services{Goal: goal}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Create(t.Context(), cave(t, `{"goal": {}}`)); !errors.Is(err, campaign.ErrNoGoal) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
