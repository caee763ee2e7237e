//go:build unix

package crash

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
)

// ending is the end or the pause of a process that holds a lease.
type ending struct {
	reason string
	at     string         // the point at which it happens
	signal syscall.Signal // SIGKILL, or SIGSTOP until a second process has played
	calls  int            // calls of the model in total
	second string         // outcome of the second process
	late   string         // outcome of the first process, if it continues
	once   bool           // a call that may have been paid for is not repeated
}

var endings = []ending{
	{"killed before it may pay", atCheck, syscall.SIGKILL, 1, "completed turn_0001", "", false},
	{"killed in the call", atCall, syscall.SIGKILL, 2, "completed turn_0001", "", false},
	{"killed in the call, which is not made again", atCall, syscall.SIGKILL, 1, "failed call_lost", "", true},
	{"killed before the commit: the answer is kept", atCommit, syscall.SIGKILL, 1, "completed turn_0001", "", false},
	{"killed after the commit", atCommitted, syscall.SIGKILL, 1, "completed turn_0001 replayed", "", false},
	{"stopped before it may pay", atCheck, syscall.SIGSTOP, 1, "completed turn_0001", "failed lease_lost", false},
	{"stopped in the call: its answer comes late", atCall, syscall.SIGSTOP, 2, "completed turn_0001", "failed lease_lost", false},
	{"stopped before the commit: its commit comes late", atCommit, syscall.SIGSTOP, 1, "completed turn_0001", "failed lease_lost", false},
	{"stopped after the commit", atCommitted, syscall.SIGSTOP, 1, "completed turn_0001 replayed", "completed turn_0001", false},
}

// Hold kills or stops a process that holds a lease, at each point of a turn, while a second process
// plays the same turn. The turn must be committed once, and its outcome must be known to the second
// process. A model answer that has arrived must not be paid for again. The late process must be
// refused.
func Hold(t *testing.T, store campaign.Store, where string, env ...string) {
	engine, err := newEngine(store, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range endings {
		t.Run(f.reason, func(t *testing.T) {
			t.Parallel()
			ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
			if _, err := engine.Create(t.Context(), state.Setup{ID: f.reason, Characters: []state.Character{ann},
				Settings: queueing}); err != nil {
				t.Fatal(err)
			}
			model := newModel(t, f.at == atCall)
			env := append([]string{envWhere + "=" + where, envName + "=" + f.reason, envModel + "=" + model.server.URL}, env...)
			if f.once {
				env = append(env, envOnce+"=1")
			}
			f.play(t, store.(campaign.Cluster), model, env)
			if paid := model.paid.Load(); paid != int64(f.calls) {
				t.Errorf("%d calls were paid for, want %d", paid, f.calls)
			}
			version := int64(2)
			if f.once {
				version = 1 // the turn waits until it is submitted again
			}
			if c, err := engine.Rebuild(t.Context(), f.reason); err != nil || c.Version != version {
				t.Errorf("rebuilt version %d, want %d: %v", c.Version, version, err)
			}
		})
	}
}

// play runs the first process up to its point and then runs the second one. It does not wait for
// the lease to expire: Acquire for its owner with a duration of 0 ends it.
func (f ending) play(t *testing.T, store campaign.Cluster, model *countingModel, env []string) {
	gated := model.gate != nil
	first := run(t, append(env, envHalt+"="+f.at))
	if gated {
		<-model.reached
	} else if at := first.nextReport(); at.At != f.at {
		t.Fatalf("it is not at %s, but: %+v", f.at, at)
	}
	if err := first.Process.Signal(f.signal); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Acquire(t.Context(), f.reason, f.at, 0); err != nil {
		t.Fatal(err)
	}
	if second := run(t, env).nextReport(); second.Outcome != f.second {
		t.Errorf("the second process: %+v, want %s", second, f.second)
	}
	if gated {
		close(model.gate)
	}
	if f.late == "" {
		return
	}
	if err := first.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(first.in, "\n")
	if late := first.nextReport(); late.Outcome != f.late {
		t.Errorf("the first process: %+v, want %s", late, f.late)
	}
}

// process is a running holder.
type process struct {
	*child
	t       *testing.T
	reports *json.Decoder
}

func run(t *testing.T, env []string) *process {
	t.Helper()
	c, err := startChild(env...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return &process{c, t, json.NewDecoder(c.out)}
}

// nextReport returns the next report of the process.
func (p *process) nextReport() (s report) {
	p.t.Helper()
	if err := p.reports.Decode(&s); err != nil {
		_ = p.Process.Kill()
		p.t.Fatalf("a process said nothing: %v, %v: %s", err, p.Wait(), p.stderr.String())
	}
	return s
}

// countingModel is a server of a model. Its first answer waits for the gate, if there is one.
type countingModel struct {
	server  *httptest.Server
	paid    atomic.Int64
	gate    chan struct{}
	reached chan struct{}
}

func newModel(t *testing.T, gated bool) *countingModel {
	m := &countingModel{reached: make(chan struct{})}
	if gated {
		m.gate = make(chan struct{})
	}
	m.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := m.paid.Add(1); n == 1 && m.gate != nil {
			close(m.reached)
			<-m.gate
		}
		fmt.Fprint(w, "Dust.")
	}))
	t.Cleanup(m.server.Close)
	return m
}
