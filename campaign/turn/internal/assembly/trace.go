package assembly

import (
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/prompt"
)

// tracePrompt says what the prompt consisted of. The history is one line, and one more
// for what it had no room for: a record is not longer because the game is. shown is
// the number of messages that there were.
func (p *Prompter) tracePrompt(r prompt.Report, shown int) {
	history, gone := -1, turntrace.Prompt{Key: historyKey, Status: string(prompt.Dropped), Speaker: p.Speaker}
	out := &p.Trace.Prompt
	listed := 0
	for _, line := range r.Lines {
		one := turntrace.Prompt{Key: line.Key, Tokens: line.Tokens, Status: string(line.Status), Reason: line.Reason,
			Speaker: p.Speaker}
		if line.Key == game.SlotMain {
			one.Key = string(game.BlockPersona) // as the block of the request is called
		}
		if line.Source.Kind != prompt.KindHistory {
			*out = append(*out, one)
			continue
		}
		if history < 0 {
			history = len(*out)
			*out = append(*out, turntrace.Prompt{Key: historyKey, Status: string(prompt.Kept), Speaker: p.Speaker})
		}
		switch n := max(line.Count, 1); line.Status {
		case prompt.Kept:
			(*out)[history].Tokens += line.Tokens
			(*out)[history].Count += n
			listed += n
		case prompt.Dropped:
			gone.Reason = line.Reason
		default:
			listed += n
		}
	}
	if gone.Count = shown - listed; gone.Count > 0 && history >= 0 {
		*out = slices.Insert(*out, history, gone)
	}
}

// historyKey is the key of the history in the trace of a prompt.
const historyKey = "history"
