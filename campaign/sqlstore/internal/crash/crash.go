// Package crash kills processes that use a store, and checks the data that they leave. The
// processes are writers of entries ([Run]), engines that play campaigns ([Contend]) or serve them
// ([Serve]), and a holder of a lease ([Hold]). [Answer] runs two processes that answer one
// question, and kills none. A test executes itself again as the process:
//
//	func TestMain(m *testing.M) {
//		crash.Main(func(ctx context.Context, where string) (campaign.Store, error) { … })
//		os.Exit(m.Run())
//	}
package crash

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/talewright/talewright/campaign"
)

const (
	envWhere = "TALEWRIGHT_CRASH_WHERE" // the data of the store; set in all processes that a test starts
	envName  = "TALEWRIGHT_CRASH_NAME"  // the name of the writer
)

// campaigns is the number of campaigns that the writers share.
const campaigns = 3

// Main plays the part of a process that a test has started: a writer, or what the environment names
// instead. Then it does not return. In the process of the test itself it does nothing.
func Main(open func(ctx context.Context, where string) (campaign.Store, error)) {
	where := os.Getenv(envWhere)
	if where == "" {
		return
	}
	store, err := open(context.Background(), where)
	for errors.Is(err, campaign.ErrUnavailable) { // the server restarts, or a different process writes for a long time
		store, err = open(context.Background(), where)
	}
	model, lease, people, from := os.Getenv(envModel), os.Getenv(envServe), os.Getenv(envAnswer), os.Getenv(envFrom)
	switch {
	case err != nil:
	case model != "":
		if err = hold(store, os.Getenv(envName), model, os.Stdin, os.Stdout); err == nil {
			os.Exit(0)
		}
	case lease != "":
		err = serve(store, lease)
	case people != "":
		if err = answer(store, people, os.Stdin, os.Stdout); err == nil {
			os.Exit(0)
		}
	case from != "":
		err = play(store, os.Getenv(envName), from, os.Stdout)
	default:
		err = write(store, os.Getenv(envName), os.Stdout)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// write appends entries until it is killed, and prints each acknowledged one. Every second entry is
// large, so that a kill often comes in the middle of a write.
func write(store campaign.Store, name string, out io.Writer) error {
	ctx := context.Background()
	var heads [campaigns]int64
	for n := 0; ; n++ {
		id, head := campaignID(n%campaigns), &heads[n%campaigns]
		tag := fmt.Sprintf("%s.%d", name, n)
		var snapshot []byte
		if n%7 == 0 {
			snapshot = bytes.Repeat([]byte("snapshot"), 2000)
		}
		for written := false; !written; {
			entry := campaign.Entry{Version: *head + 1, Kind: "turn",
				Data: []byte(tag + " " + strings.Repeat("x", (37<<10)*(n%2)))}
			err := store.Append(ctx, id, entry, snapshot)
			switch {
			case err == nil:
				written = true
				*head++
			case errors.Is(err, campaign.ErrVersionConflict): // a different process, or a writer that was killed
				for entry, err := range store.Records(ctx, id, *head) {
					if err != nil {
						return err
					}
					*head = entry.Version
				}
			case !errors.Is(err, campaign.ErrUnavailable): // a repeated entry is written once
				return err
			}
		}
		if _, err := fmt.Fprintf(out, "%d %d %s\n", n%campaigns, *head, tag); err != nil {
			return err
		}
	}
}

func campaignID(i int) string { return "crash/" + strconv.Itoa(i) }

// place is the place of an acknowledged entry.
type place struct {
	campaign int
	version  int64
}

// Kills returns the number of kills: the number in TALEWRIGHT_CRASH, else 10.
func Kills(t *testing.T) int {
	text := os.Getenv("TALEWRIGHT_CRASH")
	if text == "" {
		return 10
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("TALEWRIGHT_CRASH=%s is not a number of kills", text)
	}
	return n
}

// Run repeatedly starts two writers and kills both at a random moment. Each time, reopen opens the
// data that they left, and check verifies it. Every acknowledged entry must be there exactly once,
// in logs without gaps.
func Run(t *testing.T, where string, reopen func() campaign.Store, check func(campaign.Store) error) {
	const writers = 2
	kills := Kills(t)
	random := rand.New(rand.NewPCG(20260102, 1))
	acknowledged := map[place]string{}
	for k := 0; k < kills; k += writers {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for w := range writers {
			name, after, spin := fmt.Sprintf("%d.%d", k, w), random.IntN(25), random.IntN(60000)
			wg.Go(func() {
				acks := writer(t, where, name, after, spin)
				mu.Lock()
				defer mu.Unlock()
				for p, tag := range acks {
					if was, twice := acknowledged[p]; twice {
						t.Errorf("version %d of campaign %d was acknowledged to %s and %s", p.version, p.campaign, was, tag)
					}
					acknowledged[p] = tag
				}
			})
		}
		wg.Wait()
		if err := check(reopen()); err != nil {
			t.Fatalf("after kill %d: %v", k+writers, err)
		}
	}
	lost, doubled := compare(t, reopen(), acknowledged)
	t.Logf("kills %d, acknowledged %d, lost %d, doubled %d", kills, len(acknowledged), lost, doubled)
	if lost+doubled > 0 || len(acknowledged) == 0 {
		t.Fail()
	}
}

// child is a process of this test program.
type child struct {
	*exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	stderr bytes.Buffer
}

// startChild executes the test program again, with further variables of the environment.
func startChild(env ...string) (*child, error) {
	c := &child{Cmd: exec.Command(os.Args[0])}
	c.Env, c.Stderr = append(os.Environ(), env...), &c.stderr
	var errIn, errOut error
	c.in, errIn = c.StdinPipe()
	c.out, errOut = c.StdoutPipe()
	return c, errors.Join(errIn, errOut, c.Start())
}

// writer runs one process, kills it after it has reported a number of entries, and returns all
// reported entries.
func writer(t *testing.T, where, name string, after, spin int) map[place]string {
	process, err := startChild(envWhere+"="+where, envName+"="+name)
	if err != nil {
		t.Error(err)
		return nil
	}
	acks := map[place]string{}
	lines := bufio.NewReader(process.out)
	killed := false
	for {
		if len(acks) >= after && !killed {
			for range spin { // a short wait, so that the kill comes during the next commit
				runtime.Gosched()
			}
			killed = true
			_ = process.Process.Kill()
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			break // an incomplete line acknowledges nothing
		}
		var p place
		var tag string
		if _, err := fmt.Sscan(line, &p.campaign, &p.version, &tag); err != nil {
			t.Errorf("writer %s said %q", name, line)
		}
		acks[p] = tag
	}
	if err := process.Wait(); !killed {
		t.Errorf("writer %s ended by itself: %v: %s", name, err, process.stderr.String())
	}
	return acks
}

// compare counts acknowledged entries that are missing, and entries that are stored twice.
func compare(t *testing.T, store campaign.Store, acknowledged map[place]string) (lost, doubled int) {
	seen := map[string]bool{}
	there := map[place]string{}
	for i := range campaigns {
		last := int64(0)
		for entry, err := range store.Records(t.Context(), campaignID(i), 0) {
			if errors.Is(err, campaign.ErrNotFound) {
				break // no writer has reached this campaign yet
			}
			if err != nil {
				t.Fatal(err)
			}
			if entry.Version != last+1 {
				t.Errorf("campaign %d: entry %d follows on %d", i, entry.Version, last)
			}
			last = entry.Version
			tag, _, _ := strings.Cut(string(entry.Data), " ")
			there[place{i, entry.Version}] = tag
			if seen[tag] {
				doubled++
			}
			seen[tag] = true
		}
	}
	for p, tag := range acknowledged {
		if there[p] != tag {
			lost++
		}
	}
	return lost, doubled
}
