package wire

import (
	"context"
	"iter"
	"strings"

	"github.com/talewright/talewright/llm"
)

// LimitStops returns a model that sends at most the first most stop texts to m. If a request has
// more, the text of the reply is cut before the first stop text of any kind, and reading ends there.
// A reply that is cut has no usage report. 0 means no limit, a negative number sends none.
func LimitStops(m llm.Model, most int) llm.Model {
	if most == 0 {
		return m
	}
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		c := cutter{stops: req.Options.Stop}
		if len(c.stops) <= max(most, 0) {
			return m.Generate(ctx, req)
		}
		req.Options.Stop = c.stops[:max(most, 0):max(most, 0)]
		seq := m.Generate(ctx, req)
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			c := c
			c.yield = yield
			c.read(seq)
		})
	})
}

// cutter passes on a reply up to a stop text.
type cutter struct {
	stops []string
	yield func(llm.Chunk, error) bool
	held  string // the end of the text so far, if it may be the start of a stop text
}

func (c *cutter) read(seq iter.Seq2[llm.Chunk, error]) {
	for chunk, err := range seq {
		text, ok := chunk.(llm.TextDelta)
		switch _, done := chunk.(llm.Done); {
		case err == nil && ok:
			before, found := c.cut(text.Text)
			if !c.text(before) {
				return
			}
			if found {
				c.yield(llm.Done{Reason: llm.FinishStop}, nil)
				return
			}
			continue
		case done || err != nil:
			if !c.text(c.held) {
				return
			}
		}
		if !c.yield(chunk, err) || err != nil {
			return
		}
	}
}

// text passes on a piece of the text.
func (c *cutter) text(piece string) bool {
	return piece == "" || c.yield(llm.TextDelta{Text: piece}, nil)
}

// cut adds a piece of the text. It returns the text that is certain, and whether a stop text follows
// it. The result does not depend on how the text was cut into pieces.
func (c *cutter) cut(piece string) (before string, found bool) {
	text := c.held + piece
	end := len(text)
	for _, stop := range c.stops {
		if at := strings.Index(text[:end], stop); at >= 0 && stop != "" {
			end, found = at, true
		}
	}
	if found {
		return text[:end], true
	}
	for _, stop := range c.stops {
		for n := min(len(text), len(stop)-1); n > 0; n-- {
			if strings.HasSuffix(text, stop[:n]) {
				end = min(end, len(text)-n)
				break
			}
		}
	}
	c.held = text[end:]
	return text[:end], false
}
