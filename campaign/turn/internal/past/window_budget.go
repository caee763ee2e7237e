package past

import (
	"math"
	"slices"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// The budget of a prompt is in tokens of the provider, and what counts its texts is an estimate, or a
// tokenizer that knows nothing of the template around them. What the provider reports of each turn says
// by how much it is wrong, and the next prompt is assembled for a window that is smaller or larger by
// that. The texts themselves are counted as before, so that one count serves all turns.

// Budget is the room for the prompt of the turn.
func (w Window) Budget() prompt.Budget {
	b := w.Game.Content().Budget
	b.Counter = w.Past.Tokens.Counter(w.Game.Counter())
	if b.Context == 0 {
		return b
	}
	b.Context = estimate(w.Turn, b.Context)
	b.Response = estimate(w.Turn, b.Response) + ToolTokens(w.Turn)
	b.TurnReserve = estimate(w.Turn, b.TurnReserve)
	if b.TurnReserve == 0 {
		b.TurnReserve = b.Context / 8
	}
	return b
}

// ContextSize is the size of the model's window, in the same tokens.
func (w Window) ContextSize() int {
	if n := w.Game.Content().Budget.Context; n > 0 {
		return estimate(w.Turn, n)
	}
	const unlimited = 1 << 20
	return unlimited
}

// estimate is a number of the provider's tokens in those that texts are counted in.
func estimate(v draft.Turn, tokens int) int {
	if r := v.Campaign.TokenRatio; r > 0 && v.Values.Bool(setting.Calibrate) {
		return int(float64(tokens) / r)
	}
	return tokens
}

// ToolTokens is what the tools take that the request lists.
func ToolTokens(v draft.Turn) int {
	n := 0
	for _, name := range v.NativeTools() {
		n += v.Game.ToolTokens(name)
	}
	return n
}

// The bounds of [state.Campaign.TokenRatio]. Beyond them is no tokenizer but a server that counts
// something else, such as what was not in its cache.
const (
	leastRatio = 0.5
	mostRatio  = 2
	// leastSample is an estimate below which what a provider adds to each prompt says more than
	// what it counts.
	leastSample = 200
)

// promptCut is the code of the warning that adapters give for a prompt of which the server has
// read, and counted, only a part.
const promptCut = "prompt_cut"

// Calibrated is the ratio after what the provider has reported of the first request of a turn, the first of
// its attempts: the first report counts whole, those after it a quarter each.
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
