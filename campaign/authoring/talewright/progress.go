package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/talewright/talewright/llm"
)

// progress says on a terminal that a command is at work, from its first tick on.
type progress struct {
	verb  string
	step  atomic.Value // a string: how far it is
	asked atomic.Int64 // requests to models
}

// show writes a line at each tick, over the line before it. The returned function removes the line and
// waits until nothing is written any more.
func (p *progress) show(out io.Writer, tick <-chan time.Time) (stop func()) {
	done := make(chan struct{})
	var shown sync.WaitGroup
	shown.Go(func() {
		for seconds := 0; ; {
			select {
			case <-tick:
				seconds++
				step, _ := p.step.Load().(string)
				fmt.Fprintf(out, "\r\x1b[K%s", strings.TrimSpace(fmt.Sprintf("%s: %d s %s", p.verb, seconds, step)))
			case <-done:
				if seconds > 0 {
					fmt.Fprint(out, "\r\x1b[K")
				}
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		shown.Wait()
	})
}

// reportStep records how far a command is.
func (t *terminal) reportStep(format string, args ...any) {
	t.progress.step.Store(fmt.Sprintf(format, args...))
}

// counted is a model whose requests are counted for the progress.
func (t *terminal) counted(model llm.Model) llm.Model { return countedModel{model, t} }

type countedModel struct {
	llm.Model
	t *terminal
}

// Generate implements [llm.Model].
func (m countedModel) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	m.t.reportStep("(%d requests)", m.t.progress.asked.Add(1))
	return m.Model.Generate(ctx, req)
}
