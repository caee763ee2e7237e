package turn

import (
	"math"
	"slices"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// The budget of a prompt is in tokens of the provider, and what counts its texts is an estimate, or a
// tokenizer that knows nothing of the template around them. What the provider reports of each turn says
// by how much it is wrong, and the next prompt is assembled for a window that is smaller or larger by
// that. The texts themselves are counted as before, so that one count serves all turns.

// budget is the room for the prompt of the turn.
func (sc scenery) budget() prompt.Budget {
	b := sc.Game.Content().Budget
	b.Counter = sc.past.tokens.Counter(sc.Game.Counter())
	if b.Context == 0 {
		return b
	}
	b.Context = sc.estimate(b.Context)
	b.Response = sc.estimate(b.Response) + sc.toolTokens()
	b.TurnReserve = sc.estimate(b.TurnReserve)
	if b.TurnReserve == 0 {
		b.TurnReserve = b.Context / 8
	}
	return b
}

// contextSize is the size of the model's window, in the same tokens.
func (sc scenery) contextSize() int {
	if n := sc.Game.Content().Budget.Context; n > 0 {
		return sc.estimate(n)
	}
	const unlimited = 1 << 20
	return unlimited
}

// estimate is a number of the provider's tokens in those that texts are counted in.
func (sc scenery) estimate(tokens int) int {
	if r := sc.Campaign.TokenRatio; r > 0 && sc.Values.Bool(setting.Calibrate) {
		return int(float64(tokens) / r)
	}
	return tokens
}

// toolTokens is what the tools take that the request lists.
func (sc scenery) toolTokens() int {
	n := 0
	for _, name := range sc.NativeTools() {
		n += sc.Game.ToolTokens(name)
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

// calibrated is the ratio after one more report: the first one counts whole, those after it a quarter
// each.
func calibrated(ratio float64, estimated int, reported *llm.Usage) float64 {
	if estimated < leastSample || reported == nil || reported.PromptTokens <= 0 {
		return ratio
	}
	sample := max(leastRatio, min(float64(reported.PromptTokens)/float64(estimated), mostRatio))
	if ratio > 0 {
		sample = ratio + (sample-ratio)/4
	}
	return math.Round(sample*1000) / 1000
}

// promptCut is the code of the warning that adapters give for a prompt of which the server has
// read, and counted, only a part.
const promptCut = "prompt_cut"

// calibrate notes in the campaign what the provider has reported of the first request of the turn.
func calibrate(t *run, next *state.Campaign) {
	if len(t.attempts) == 0 {
		return
	}
	first := t.attempts[0]
	if !slices.ContainsFunc(first.ModelWarnings, func(w llm.Warning) bool { return w.Code == promptCut }) {
		next.TokenRatio = calibrated(next.TokenRatio, t.talk.estimated, first.Usage)
	}
}
