package act

import "slices"

// The defaults of a [LogBook].
const (
	defaultKeep  = 500
	defaultLimit = 50
)

// LogBook keeps the newest logs in memory. The zero LogBook is ready to use. It is not safe for
// concurrent use.
type LogBook struct {
	// Keep is the number of logs to keep; 0 means 500.
	Keep int `json:"keep,omitempty"`
	// Entries holds the logs, the oldest first. It is trimmed when it holds more than twice Keep.
	// Logs never returns more than Keep.
	Entries []Log `json:"entries,omitempty"`
}

// LogQuery selects logs.
type LogQuery struct {
	HookID string // empty means all hooks
	Limit  int    // the most logs to return; 0 means 50, negative means all
}

// Add appends logs, the oldest first, in the order in which a run returns them.
func (b *LogBook) Add(logs ...Log) {
	b.Entries = append(b.Entries, logs...)
	// Trimming at twice the number keeps the cost of a log constant for any Keep.
	if keep := b.keep(); len(b.Entries) > 2*keep {
		b.Entries = slices.Clone(b.Entries[len(b.Entries)-keep:])
	}
}

// Logs returns the kept logs that match the query, the newest first.
func (b *LogBook) Logs(q LogQuery) []Log {
	if q.Limit == 0 {
		q.Limit = defaultLimit
	}
	var out []Log
	oldest := max(0, len(b.Entries)-b.keep())
	for i := len(b.Entries) - 1; i >= oldest && (q.Limit < 0 || len(out) < q.Limit); i-- {
		if q.HookID == "" || b.Entries[i].HookID == q.HookID {
			out = append(out, b.Entries[i])
		}
	}
	return out
}

// keep returns Keep or its default.
func (b *LogBook) keep() int {
	if b.Keep <= 0 {
		return defaultKeep
	}
	return b.Keep
}
