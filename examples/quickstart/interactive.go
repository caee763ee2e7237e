package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// interactive lets a person play. It ends at the end of the input, with /quit or with Ctrl-C.
func (s *session) interactive(ctx context.Context, in io.Reader) error {
	fmt.Fprintln(s.out, s.texts.help)
	lines := readLines(in)
	for {
		fmt.Fprint(s.out, "\n"+s.out.paint(bold, s.texts.prompt))
		var line string
		var open bool
		select {
		case line, open = <-lines:
		case <-ctx.Done():
		}
		if !open || ctx.Err() != nil {
			break
		}
		line = strings.TrimSpace(line)
		if line == "/quit" {
			break
		}
		if err := s.obey(ctx, line); err != nil {
			if errors.Is(err, context.Canceled) {
				break
			}
			fmt.Fprintf(s.out, "  ! %v\n", err)
		}
	}
	fmt.Fprintln(s.out, "\n"+s.texts.quit)
	return s.rebuild(context.WithoutCancel(ctx))
}

// obey runs one line of the player.
func (s *session) obey(ctx context.Context, line string) error {
	switch line {
	case "":
		return nil
	case "/back":
		c, err := s.engine.Campaign(ctx, s.id)
		if err != nil {
			return err
		}
		turns := c.BranchTurns()
		if len(turns) == 0 {
			return s.refused(&state.Refusal{Code: state.CheckpointNotFound})
		}
		return s.refused(s.rollback(ctx, turns[len(turns)-1].ParentID))
	case "/undo":
		return s.refused(s.undo(ctx))
	case "/why":
		return s.refused(s.why(ctx))
	case "/help":
		fmt.Fprintln(s.out, s.texts.help)
		return nil
	}
	if is, err := s.decided(ctx, line); is {
		return err
	}
	if strings.HasPrefix(line, "/") { // a misspelled command, which is not for the model
		word, _, _ := strings.Cut(line, " ")
		fmt.Fprintf(s.out, "  ! "+s.texts.unknown+"\n", word)
		return nil
	}
	return s.turn(ctx, line)
}

// why explains the last turn.
func (s *session) why(ctx context.Context) error {
	c, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	r, err := s.engine.Report(ctx, s.id, c.State.HeadTurnID)
	if err != nil {
		return err
	}
	fmt.Fprint(s.out, r)
	return nil
}

// readLines reads in the background, so that a signal does not wait for input.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			lines <- scanner.Text()
		}
	}()
	return lines
}

// waiting shows activity while the model runs.
type waiting struct {
	once sync.Once
	done chan struct{}
	gone chan struct{}
}

// wait starts to show dots after a second, if a real model is used.
func (s *session) wait() *waiting {
	w := &waiting{done: make(chan struct{}), gone: make(chan struct{})}
	if !s.live {
		close(w.gone)
		return w
	}
	go func() {
		defer close(w.gone)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprint(s.out, ".")
			case <-w.done:
				return
			}
		}
	}()
	return w
}

func (w *waiting) stop() {
	w.once.Do(func() { close(w.done) })
	<-w.gone
}
