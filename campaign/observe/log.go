package observe

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/talewright/talewright/internal/utf8text"
)

// Log returns an observer that writes a log record for each moment, see the table in the package
// documentation. It writes no texts except the texts of [Logged], each at its own level. A nil
// logger means [slog.Default].
func Log(logger *slog.Logger) Observer {
	return logObserver{cmp.Or(logger, slog.Default())}
}

type logObserver struct{ logger *slog.Logger }

func (o logObserver) Observe(ctx context.Context, p Place, m Moment) context.Context {
	r := recordOf(Bounded(m))
	if r.message == "" || !o.logger.Enabled(ctx, r.level) {
		return ctx
	}
	attrs := append([]slog.Attr{slog.String("campaign", p.Campaign), slog.String("instruction", p.Instruction),
		slog.Uint64("run", p.Run)}, r.attrs...)
	if p.Step > 0 {
		attrs = append(attrs, slog.Int("step", p.Step))
	}
	o.logger.LogAttrs(ctx, r.level, r.message, attrs...)
	return ctx
}

// record is the log record of a moment; without a message nothing is written.
type record struct {
	level   slog.Level
	message string
	attrs   []slog.Attr
}

func recordOf(m Moment) record {
	switch m := m.(type) {
	case Begun:
		return debugRecord("begun", slog.String("actor", m.ActorID), slog.String("client_turn_id", m.ClientTurnID))
	case Admitted:
		return debugRecord("admitted", slog.Duration("waited", m.Waited), slog.Int64("fence", m.Fence))
	case PhaseEnded:
		return debugRecord("phase", slog.String("phase", string(m.Phase)), slog.Duration("took", m.Took))
	case LoreActivated:
		return debugRecord("lore", slog.Int("active", len(m.IDs)), slog.Any("ids", m.IDs))
	case PromptAssembled:
		return debugRecord("prompt", slog.Int("tokens", m.Tokens), slog.Int("parts", m.Parts), slog.Int("dropped", m.Dropped),
			slog.String("speaker", m.Speaker))
	case ModelAsked:
		return debugRecord("model asked", slog.Int("attempt", m.Attempt), slog.Int("again", m.Again), slog.String("retry", m.Retry),
			slog.String("model", m.Model), slog.Int("messages", m.Messages), slog.Int("tools", m.Tools), slog.Bool("updates", m.Updates))
	case ModelAnswered:
		return answeredRecord(m)
	case Retrying:
		return infoRecord("retrying", slog.Int("attempt", m.Attempt), slog.String("why", m.Why))
	case CallRefused:
		return infoRecord("call refused", slog.Int("attempt", m.Attempt), slog.String("tool", m.Tool), slog.String("code", string(m.Code)))
	case ConflictFound:
		return infoRecord("conflict", slog.Int("attempt", m.Attempt), slog.String("kind", m.Kind), slog.String("severity", string(m.Severity)))
	case CallApplied:
		return debugRecord("call applied", slog.String("tool", m.Tool))
	case RulesFired:
		return debugRecord("rules fired", slog.Any("ids", m.IDs))
	case HooksRan:
		return debugRecord("hooks ran", slog.String("event", m.Event), slog.Int("ran", m.Ran), slog.Int("skipped", m.Skipped),
			slog.Int("failed", m.Failed), slog.Duration("took", m.Took))
	case Asked:
		r := debugRecord("asked", slog.String("question", string(m.Question)), slog.Duration("took", m.Took))
		if m.Failed {
			r.level = slog.LevelWarn
		}
		return r
	case Waiting:
		return infoRecord("waiting", slog.String("question_id", m.QuestionID), slog.Int("calls", m.Calls))
	case Stored:
		r := debugRecord("store", slog.String("call", string(m.Call)), slog.Int64("version", m.Version), slog.Duration("took", m.Took))
		return r.failed(slog.LevelWarn, m.Err)
	case LeaseLost:
		return infoRecord("lease lost").failed(slog.LevelWarn, m.Err)
	case Committed:
		return infoRecord("committed", slog.Int64("version", m.Version), slog.String("record", string(m.Record)),
			slog.String("turn", m.TurnID), slog.Int("changes", m.Changes), slog.Duration("took", m.Took))
	case Logged:
		return record{levelOf(m.Level), "log", []slog.Attr{slog.String("by", m.By), slog.String("text", m.Message)}}
	case Ended:
		return endedRecord(m)
	}
	return record{} // a phase is logged at its end
}

// levelOf returns the level of a line of an author; an unknown name means info.
func levelOf(name string) slog.Level {
	switch name {
	case "debug":
		return slog.LevelDebug
	case "warning":
		return slog.LevelWarn
	case "error":
		return slog.LevelError
	}
	return slog.LevelInfo
}

func answeredRecord(m ModelAnswered) record {
	attrs := []slog.Attr{slog.Int("attempt", m.Attempt), slog.Int("again", m.Again), slog.Duration("first", m.First),
		slog.Duration("took", m.Took)}
	if m.Failed != "" {
		return record{slog.LevelWarn, "model failed", append(attrs, slog.String("code", string(m.Failed)),
			slog.Int("status", m.Status), slog.Bool("retryable", m.Retryable))}
	}
	attrs = append(attrs, slog.String("finish", string(m.Finish)), slog.Int("calls", m.Calls))
	if m.Usage != nil {
		attrs = append(attrs, slog.Int("prompt_tokens", m.Usage.PromptTokens),
			slog.Int("completion_tokens", m.Usage.CompletionTokens), slog.Int("cached_tokens", m.Usage.CachedTokens))
	}
	if m.Kept {
		attrs = append(attrs, slog.Bool("kept", true))
	}
	if len(m.Warnings) > 0 {
		attrs = append(attrs, slog.Any("warnings", m.Warnings))
	}
	return record{slog.LevelInfo, "model answered", attrs}
}

func endedRecord(m Ended) record {
	if m.Next != "" {
		return debugRecord("stepped", slog.String("next", string(m.Next)), slog.Duration("took", m.Took))
	}
	r := infoRecord("ended", slog.String("status", string(m.Status)), slog.String("reason", m.Reason), slog.String("turn", m.TurnID),
		slog.Int64("version", m.Version), slog.Int("attempts", m.Attempts), slog.Int("retries", m.Retries), slog.Duration("took", m.Took))
	if m.Status == "failed" {
		r.level = slog.LevelWarn
	}
	return r.failed(slog.LevelError, m.Err)
}

func debugRecord(message string, attrs ...slog.Attr) record {
	return record{slog.LevelDebug, message, attrs}
}

func infoRecord(message string, attrs ...slog.Attr) record {
	return record{slog.LevelInfo, message, attrs}
}

// failed adds an error, if there is one.
func (r record) failed(level slog.Level, err error) record {
	if err != nil {
		r.level, r.attrs = level, append(r.attrs, slog.String("error", utf8text.Cut(err.Error(), maxErrorLen)))
	}
	return r
}
