package crash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/turn"
)

const envServe = "TALEWRIGHT_CRASH_SERVE" // makes a process a serving one; the value is the duration of its leases

// serve executes posts until the process is killed.
func serve(store campaign.Store, lease string) error {
	d, err := time.ParseDuration(lease)
	if err != nil {
		return err
	}
	engine, err := newEngine(store, d)
	if err != nil {
		return err
	}
	return engine.Serve(context.Background(), campaigns, nil)
}

// lines are the posted lines of the campaigns, and how many of them were played.
type lines struct {
	posted [campaigns][]string
	played [campaigns]int
}

func (l *lines) all() (posted, played int) {
	for i := range campaigns {
		posted, played = posted+len(l.posted[i]), played+l.played[i]
	}
	return posted, played
}

// Serve posts to campaigns that other processes serve, and kills those processes. Each post must be
// played exactly once, in the order of its campaign. This process follows the campaigns to check
// that.
func Serve(t *testing.T, store campaign.Store, where string, env ...string) {
	const workers, turnsPerKill, ahead = 3, 4, 12
	kills := (Kills(t) + 1) / 2
	engine, err := newEngine(store, 0)
	if err == nil {
		err = begin(t.Context(), engine)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute+time.Duration(kills)*10*time.Second)
	defer cancel()
	var servers [workers]*exec.Cmd
	start := func(i int) {
		servers[i] = exec.Command(os.Args[0])
		servers[i].Env = append(append(os.Environ(), env...), envWhere+"="+where, envServe+"=400ms")
		servers[i].Stderr = os.Stderr
		if err := servers[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	kill := func(i int) {
		_ = servers[i].Process.Kill()
		_ = servers[i].Wait() // it was killed
	}
	for i := range workers {
		start(i)
		defer func() { kill(i) }()
	}
	random := rand.New(rand.NewPCG(20260104, 1))
	var l lines
	steps := follow(ctx, engine)
	for killed := 0; ; {
		posted, played := l.all()
		if played == (kills+1)*turnsPerKill && posted == played {
			break
		}
		if played >= (killed+1)*turnsPerKill && killed < kills {
			i := random.IntN(workers)
			kill(i)
			start(i)
			killed++
		}
		if posted < (kills+1)*turnsPerKill && posted < played+ahead {
			l.post(ctx, t, engine, posted)
			continue
		}
		select {
		case s := <-steps:
			l.compare(t, s)
		case <-ctx.Done():
			t.Errorf("%d of %d lines were played, and it goes on no more", played, posted)
		}
		if t.Failed() {
			return
		}
	}
	for i := range campaigns {
		if c, err := engine.Rebuild(ctx, campaignID(i)); err != nil || len(c.Turns) != len(l.posted[i]) {
			t.Errorf("campaign %d: %d turns, posted were %d: %v", i, len(c.Turns), len(l.posted[i]), err)
		}
	}
	posted, played := l.all()
	t.Logf("serve: workers %d, kills %d, posted %d, played %d, lost %d, doubled 0", workers, kills, posted, played, posted-played)
}

// post posts the next line.
func (l *lines) post(ctx context.Context, t *testing.T, engine *campaign.Engine, n int) {
	at, line := n%campaigns, fmt.Sprint("line ", n)
	for again := false; ; again = true {
		o, err := engine.Post(ctx, campaignID(at), turn.Submit{Text: line, ClientTurnID: line})
		if errors.Is(err, campaign.ErrUnavailable) {
			continue
		}
		if err != nil || o != nil && !again { // a repeated post may already be played
			t.Fatalf("post %d: %v, %v", n, o, err)
		}
		l.posted[at] = append(l.posted[at], line)
		return
	}
}

// step is a record of a campaign, or the error of following it.
type step struct {
	campaign int
	rec      turn.Record
	err      error
}

// follow follows all campaigns.
func follow(ctx context.Context, engine *campaign.Engine) <-chan step {
	steps := make(chan step)
	for i := range campaigns {
		go func() {
			for rec, err := range engine.Watch(ctx, campaignID(i), 1) {
				if errors.Is(err, campaign.ErrUnavailable) {
					continue
				}
				select {
				case steps <- step{i, rec, err}:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	return steps
}

func (l *lines) compare(t *testing.T, s step) {
	t.Helper()
	if s.err != nil {
		t.Errorf("campaign %d, after %d lines: %v", s.campaign, l.played[s.campaign], s.err)
		return
	}
	want := l.posted[s.campaign][l.played[s.campaign]:]
	if s.rec.Turn == nil || len(want) == 0 || s.rec.Turn.UserInput != want[0] {
		t.Errorf("campaign %d, record %d (%s) is no turn of the next line of %q", s.campaign, s.rec.Version, s.rec.Kind, want)
		return
	}
	l.played[s.campaign]++
}
