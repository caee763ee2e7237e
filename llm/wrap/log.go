package wrap

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"time"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
)

// Log returns a model that writes one record for each reply of m when it has ended: at level Info,
// or Warn if it failed. The attributes of the request are the model and the numbers of messages and
// tools. The attributes of the reply are the time until the first chunk and until the end, the
// length of text and reasoning in bytes, the number of calls, usage, finish reason and warnings. An
// error has its code, status and text. The text of players and models is not logged. A server
// controls finish reasons, codes and error texts. So words are truncated to 256 bytes and an error
// to 1 KiB, and at most 64 warnings are written. A nil logger means slog.Default().
func Log(m llm.Model, logger *slog.Logger) llm.Model {
	logger = cmp.Or(logger, slog.Default())
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			e := logEntry{start: time.Now(), calls: map[int]bool{}}
			defer func() { e.write(ctx, logger, req) }()
			for chunk, err := range m.Generate(ctx, req) {
				e.see(chunk, err)
				if !yield(chunk, err) {
					return
				}
			}
		})
	})
}

// The limits on a server's texts in a log entry.
const (
	longestWord  = 256 // bytes
	longestError = 1 << 10
	mostWarnings = 64
	mostCalls    = 1 << 16
)

// logEntry collects the data of a reply for its record.
type logEntry struct {
	start           time.Time
	first           time.Duration
	begun, done     bool
	text, reasoning int
	calls           map[int]bool // at most mostCalls
	usage           *llm.Usage
	finish          llm.FinishReason
	warnings        []string
	err             error
}

// see processes the next chunk or error.
func (e *logEntry) see(chunk llm.Chunk, err error) {
	if !e.begun {
		e.begun, e.first = true, time.Since(e.start)
	}
	switch c := chunk.(type) {
	case llm.TextDelta:
		e.text += len(c.Text)
	case llm.ReasoningDelta:
		e.reasoning += len(c.Text)
	case llm.CallDelta:
		if len(e.calls) < mostCalls {
			e.calls[c.Index] = true
		}
	case llm.UsageReport:
		e.usage = &c.Usage
	case llm.Warning:
		if len(e.warnings) < mostWarnings {
			e.warnings = append(e.warnings, utf8text.Cut(c.Code, longestWord))
		}
	case llm.Done:
		e.done, e.finish = true, c.Reason
	}
	if err != nil {
		e.err = err
	}
}

func (e *logEntry) write(ctx context.Context, logger *slog.Logger, req llm.Request) {
	level, message := slog.LevelInfo, "model replied"
	attrs := []slog.Attr{
		slog.String("model", req.Model), slog.Int("messages", len(req.Messages)), slog.Int("tools", len(req.Tools)),
		slog.Duration("first", e.first), slog.Duration("took", time.Since(e.start)),
		slog.Int("text", e.text), slog.Int("reasoning", e.reasoning), slog.Int("calls", len(e.calls)),
	}
	if e.usage != nil {
		attrs = append(attrs, slog.Int("prompt_tokens", e.usage.PromptTokens),
			slog.Int("completion_tokens", e.usage.CompletionTokens), slog.Int("cached_tokens", e.usage.CachedTokens))
	}
	if len(e.warnings) > 0 {
		attrs = append(attrs, slog.Any("warnings", e.warnings))
	}
	switch {
	case e.err != nil:
		level, message = slog.LevelWarn, "model failed"
		if failure, ok := errors.AsType[*llm.Error](e.err); ok {
			attrs = append(attrs, slog.String("code", utf8text.Cut(string(failure.Code), longestWord)), slog.Int("status", failure.Status))
		}
		attrs = append(attrs, slog.String("error", utf8text.Cut(e.err.Error(), longestError)))
	case e.done:
		attrs = append(attrs, slog.String("finish", utf8text.Cut(string(e.finish), longestWord)))
	default:
		message = "model was left"
	}
	logger.LogAttrs(ctx, level, message, attrs...)
}
