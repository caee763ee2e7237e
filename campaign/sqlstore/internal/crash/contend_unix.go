//go:build unix

package crash

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/turn"
)

// Contest describes processes whose engines play the same campaigns, and how the test disturbs
// them.
type Contest struct {
	Where   string   // the store, for those processes
	Env     []string // for those processes, in addition to the test's environment
	Workers int      // at least 2
	Kills   int      // number of SIGKILLs
	Pauses  int      // number of SIGSTOPs; SIGCONT follows when others have made progress
	Restart func()   // kills the server and starts it again; nil: there is no server
	// Restarts is the number of calls of Restart.
	Restarts int
}

// resumeAfter ends a pause in which no process makes progress: the stopped process may hold what
// all others wait for.
const resumeAfter = 300 * time.Millisecond

// contest is a running [Contest].
type contest struct {
	Contest
	t            *testing.T
	random       *rand.Rand
	workers      []*worker
	reports      chan workerReport
	acknowledged map[string]played // by campaign and key
	acks         int
}

// worker is a slot for a process. After a kill, a new process takes the slot.
type worker struct {
	place   int
	process *os.Process
	next    int // number of its next turn
	stopped bool
	killed  bool
	resume  int // the pause ends at this number of acknowledgements
}

// workerReport is a turn that a process reported, or the end of the process.
type workerReport struct {
	worker *worker
	turn   played
	end    error // of the process, nil while it runs
}

// Contend lets engines play and disturbs them at random. Every acknowledged turn must be stored
// exactly once. Every campaign must be one line of turns without gaps. A replay of its log must
// give the stored campaign.
func Contend(t *testing.T, store campaign.Store, c Contest) {
	engine, err := newEngine(store, 0)
	if err == nil {
		err = begin(t.Context(), engine)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := &contest{Contest: c, t: t, random: rand.New(rand.NewPCG(20260103, uint64(c.Workers))),
		reports: make(chan workerReport), acknowledged: map[string]played{}}
	for i := range c.Workers {
		run.workers = append(run.workers, &worker{place: i})
	}
	t.Cleanup(run.end)
	for _, w := range run.workers {
		run.start(w)
	}
	run.disturb()
	run.finish()
	lost, doubled := run.compare(engine, store)
	t.Logf("contend: workers %d, kills %d, pauses %d, restarts %d, acknowledged %d, lost %d, doubled %d",
		c.Workers, c.Kills, c.Pauses, c.Restarts, len(run.acknowledged), lost, doubled)
	if lost+doubled > 0 || len(run.acknowledged) == 0 {
		t.Fail()
	}
}

// lease returns the duration of a worker's leases. Every third worker uses no leases and disturbs
// the others.
func (c *contest) lease(w *worker) time.Duration {
	if w.place%3 == 2 {
		return -1
	}
	return 400 * time.Millisecond
}

// start starts a process in a slot.
func (c *contest) start(w *worker) {
	process, err := startChild(append(slices.Clone(c.Env), envWhere+"="+c.Where, envName+fmt.Sprintf("=w%d", w.place),
		envFrom+fmt.Sprintf("=%d", w.next), envLease+"="+c.lease(w).String())...)
	if err != nil {
		c.t.Fatal(err)
	}
	w.process, w.stopped, w.killed = process.Process, false, false
	go func() {
		lines := json.NewDecoder(process.out)
		for {
			var p played
			if err := lines.Decode(&p); err != nil {
				break // an incomplete line acknowledges nothing
			}
			c.reports <- workerReport{worker: w, turn: p}
		}
		_, _ = io.Copy(io.Discard, process.out)
		c.reports <- workerReport{worker: w, end: fmt.Errorf("%v: %s", process.Wait(), process.stderr.String())}
	}()
}

// end kills the remaining processes if the test failed early.
func (c *contest) end() {
	for _, w := range c.workers {
		if w.process != nil && !w.killed {
			_ = w.process.Kill()
		}
	}
}

// nextReport waits for the next report of a worker and records it. It returns false for the end of a process.
func (c *contest) nextReport() bool {
	var timer <-chan time.Time
	if slices.ContainsFunc(c.workers, func(w *worker) bool { return w.stopped }) {
		timer = time.After(resumeAfter)
	}
	var got workerReport
	for got.worker == nil {
		select {
		case got = <-c.reports:
		case <-timer:
			c.resume(true)
		}
	}
	w := got.worker
	if got.end != nil {
		if !w.killed {
			c.t.Fatalf("worker %d ended by itself: %v", w.place, got.end)
		}
		return false
	}
	c.acks++
	w.next = got.turn.N + 1
	key := fmt.Sprint(got.turn.Campaign, " ", got.turn.Key)
	if was, known := c.acknowledged[key]; known && was.TurnID != got.turn.TurnID {
		c.t.Errorf("submission %s was acknowledged as %s and as %s", key, was.TurnID, got.turn.TurnID)
	}
	c.acknowledged[key] = got.turn
	c.resume(false)
	return true
}

// resume ends the pauses that are due, or all.
func (c *contest) resume(all bool) {
	for _, w := range c.workers {
		if w.stopped && (all || c.acks >= w.resume) {
			w.stopped = false
			c.signal(w, syscall.SIGCONT)
		}
	}
}

func (c *contest) signal(w *worker, s syscall.Signal) {
	if err := w.process.Signal(s); err != nil {
		c.t.Errorf("worker %d: %v: %v", w.place, s, err)
	}
}

// kill kills the process in a slot.
func (c *contest) kill(w *worker) {
	w.killed = true
	c.signal(w, syscall.SIGKILL)
	for c.nextReport() { // turns that it reported before count
	}
}

// disturb executes the planned disturbances in random order while turns are played.
func (c *contest) disturb() {
	const kill, pause, restart = 0, 1, 2
	var plan []int
	plan = append(plan, slices.Repeat([]int{kill}, c.Kills)...)
	plan = append(plan, slices.Repeat([]int{pause}, c.Pauses)...)
	plan = append(plan, slices.Repeat([]int{restart}, c.Restarts)...)
	c.random.Shuffle(len(plan), func(i, j int) { plan[i], plan[j] = plan[j], plan[i] })
	for _, what := range plan {
		for range 1 + c.random.IntN(2*c.Workers) {
			c.nextReport()
		}
		w := c.workers[c.random.IntN(c.Workers)]
		switch what {
		case kill:
			c.kill(w)
			c.start(w)
		case pause:
			running := 0
			for _, other := range c.workers {
				if !other.stopped && other != w {
					running++
				}
			}
			if running == 0 {
				c.resume(true)
			}
			w.stopped, w.resume = true, c.acks+1+c.random.IntN(3*c.Workers)
			c.signal(w, syscall.SIGSTOP)
		case restart:
			c.Restart()
		}
	}
}

// finish waits until every worker has made progress once more, and kills each one after that. So
// fast workers leave the rest to slow ones.
func (c *contest) finish() {
	c.resume(true)
	before := map[*worker]int{}
	for _, w := range c.workers {
		before[w] = w.next
	}
	for len(before) > 0 {
		c.nextReport()
		for w, next := range before {
			if w.next > next {
				c.kill(w)
				delete(before, w)
			}
		}
	}
}

// compare counts acknowledged turns that are missing, and turns that are stored twice.
func (c *contest) compare(engine *campaign.Engine, store campaign.Store) (lost, doubled int) {
	there := map[string]string{} // turn ids by campaign and key
	for i := range campaigns {
		if _, err := engine.Rebuild(c.t.Context(), campaignID(i)); err != nil {
			c.t.Errorf("campaign %d: %v", i, err)
		}
		version, parent := int64(0), ""
		for entry, err := range store.Records(c.t.Context(), campaignID(i), 0) {
			var rec turn.Record
			if err == nil {
				rec, err = entry.Record()
			}
			if err != nil {
				c.t.Fatal(err)
			}
			if version++; entry.Version != version {
				c.t.Fatalf("campaign %d: entry %d stands in place %d", i, entry.Version, version)
			}
			if rec.Turn == nil {
				continue
			}
			if parent != "" && rec.Turn.ParentID != parent {
				c.t.Errorf("campaign %d: %s follows on %s, not on %s", i, rec.Turn.ID, rec.Turn.ParentID, parent)
			}
			parent = rec.Turn.ID
			key := fmt.Sprint(i, " ", rec.Turn.ClientTurnID)
			if _, known := there[key]; known {
				doubled++
			}
			there[key] = rec.Turn.ID
		}
	}
	for key, got := range c.acknowledged {
		if there[key] != got.TurnID {
			lost++
		}
	}
	return lost, doubled
}
