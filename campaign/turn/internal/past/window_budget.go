package past

import (
	"cmp"
	"math"
	"slices"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// The budget of a prompt is in tokens of the provider. Its texts are counted by an estimate, or by
// a tokenizer that does not know the template around them. The provider's report for each turn
// shows the error of the count. The next prompt is assembled for a window that is corrected by this
// error. The texts are counted as before, so one count is used for all turns.

// Budget returns the budget for the prompt of the turn.
func (w Window) Budget() prompt.Budget {
	b := w.Game.Content().Prompt.Budget
	b.Counter = w.Past.Tokens.Counter(w.Game.Counter())
	if b.Context == 0 {
		return b
	}
	b.Context = estimate(w.Turn, b.Context)
	b.Response = estimate(w.Turn, b.Response) + ToolTokens(w.Turn)
	b.TurnReserve = estimate(w.Turn, b.TurnReserve)
	b.TurnReserve = cmp.Or(b.TurnReserve, b.Context/8)
	return b
}

// ContextSize returns the size of the model's window, in counted tokens.
func (w Window) ContextSize() int {
	if n := w.Game.Content().Prompt.Budget.Context; n > 0 {
		return estimate(w.Turn, n)
	}
	const unlimited = 1 << 20
	return unlimited
}

// estimate converts a number of the provider's tokens to counted tokens.
func estimate(v draft.Turn, tokens int) int {
	if r := v.Campaign.TokenRatio; r > 0 && v.Values.Bool(settingkey.Calibrate) {
		return int(float64(tokens) / r)
	}
	return tokens
}

// ToolTokens returns the number of tokens of the tools in the request.
func ToolTokens(v draft.Turn) int {
	n := 0
	for _, name := range v.NativeTools() {
		n += v.Game.ToolTokens(name)
	}
	return n
}

// The limits of [state.Campaign.TokenRatio]. A ratio beyond them is not caused by a tokenizer. It
// comes from a server that counts something else, such as only the tokens that were not in its
// cache.
const (
	leastRatio = 0.5
	mostRatio  = 2
	// leastSample is the smallest estimate that is used. Below it, the tokens that a provider adds
	// to each prompt distort the ratio too much.
	leastSample = 200
)

// promptCut is the code of the adapter's warning that the server has read, and counted, only a part
// of the prompt.
const promptCut = "prompt_cut"

// Calibrated returns the ratio after the provider's report about the first request of a turn, which
// is the first of its attempts. The first report counts fully, each later report counts a quarter.
func Calibrated(ratio float64, estimated int, attempts []state.Attempt) float64 {
	if len(attempts) == 0 || slices.ContainsFunc(attempts[0].ModelWarnings, func(w llm.Warning) bool { return w.Code == promptCut }) {
		return ratio
	}
	reported := attempts[0].Usage
	if estimated < leastSample || reported == nil || reported.PromptTokens <= 0 {
		return ratio
	}
	sample := max(leastRatio, min(float64(reported.PromptTokens)/float64(estimated), mostRatio))
	if ratio > 0 {
		sample = ratio + (sample-ratio)/4
	}
	return math.Round(sample*1000) / 1000
}
