package crash

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

const (
	envModel = "TALEWRIGHT_CRASH_MODEL" // makes a process a holder; the value is the address of its model
	envHalt  = "TALEWRIGHT_CRASH_HALT"  // where it waits for a line; also the name of its owner
	envOnce  = "TALEWRIGHT_CRASH_ONCE"  // it pays for a call only once
)

// The points where a holder waits.
const (
	atCall      = "call"      // while the model answers; its server waits, and not the holder
	atCheck     = "check"     // before the check whether the call may be paid for
	atCommit    = "commit"    // the answer is stored
	atCommitted = "committed" // the commit is done but not reported
)

// leaseOfHolders is the duration of a lease. It is longer than any delay on a busy machine, so no
// lease ends or is renewed by chance. The test ends the lease of a stopped process, see
// [ending.play].
const leaseOfHolders = 10 * time.Minute

// holder is a store that reports the point that its process has reached, and waits there once.
type holder struct {
	campaign.Cluster
	halt string
	in   *bufio.Reader
	out  *json.Encoder
}

// report is a report of a holder: a point, or the end of its turn.
type report struct{ At, Outcome string }

// wait reports a point and waits for a line, if it is the point of the test.
func (h *holder) wait(at string) {
	if h.halt != at {
		return
	}
	h.halt = ""
	_ = h.out.Encode(report{At: at})
	_, _ = h.in.ReadString('\n')
}

// Renew waits before the first renewal, which comes no later than the check.
func (h *holder) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	h.wait(atCheck)
	return h.Cluster.Renew(ctx, id, fence, d)
}

// Append waits before a commit, or after it.
func (h *holder) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	h.wait(atCommit)
	err := h.Cluster.Append(ctx, id, entry, snapshot)
	h.wait(atCommitted)
	return err
}

// hold plays one turn of a campaign, with a model in a different process.
func hold(store campaign.Store, id, model string, in io.Reader, out io.Writer) error {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		return err
	}
	h := &holder{store.(campaign.Cluster), os.Getenv(envHalt), bufio.NewReader(in), json.NewEncoder(out)}
	engine, err := campaign.New(campaign.Config{Game: g, Store: h, Model: served(model), Sharing: campaign.Sharing{
		Lease: leaseOfHolders,
		Owner: os.Getenv(envHalt), PayOnce: os.Getenv(envOnce) != "",
	}})
	if err != nil {
		return err
	}
	o, err := engine.Turn(context.Background(), id, turn.Submit{Text: "I wait.", ClientTurnID: "c1"})
	if err != nil {
		return err
	}
	outcome := string(o.Status) + " " + o.Reason
	if o.Turn != nil {
		outcome += o.Turn.ID
	}
	if o.Replayed {
		outcome += " replayed"
	}
	return h.out.Encode(report{Outcome: strings.TrimSpace(outcome)})
}

// served is a model at an address. The body of the response is its text.
type served string

// Generate implements llm.Model.
func (s served) Generate(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, string(s), nil)
		var resp *http.Response
		if err == nil {
			resp, err = http.DefaultClient.Do(req)
		}
		if err != nil {
			yield(nil, fmt.Errorf("the model: %w", err))
			return
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			yield(nil, fmt.Errorf("the model: %w", err))
			return
		}
		_ = yield(llm.TextDelta{Text: string(text)}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
	}
}
