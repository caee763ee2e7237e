package effect

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/report"
)

// RandomKind is the kind of a [Random].
type RandomKind string

// The kinds of random operands.
const (
	RangeKind RandomKind = "range" // a number from Min to Max inclusive
	DiceKind  RandomKind = "dice"  // Count dice of Sides sides plus Modifier
	ListKind  RandomKind = "list"  // one of the candidates
)

// Random is an operand that is drawn when its rule fires.
//
// A list takes its candidates from Candidates or, with CandidatesVar, from a list variable. With a
// HistoryVar the last Cooldown picks are not drawn again. They are stored in that list variable,
// which a second effect extends. If no candidate remains, OnExhausted decides: "full" draws from
// all candidates, "keep" drops the effect. Weights apply only if each candidate has one and no
// weight is negative. A single candidate is taken without drawing.
type Random struct {
	Kind RandomKind `json:"kind"`

	// Min and Max are the limits of a range, in any order. By default a whole number is drawn,
	// limits included. With Integer false any number is drawn from Min up to but excluding Max.
	Min     float64 `json:"min,omitempty"`
	Max     float64 `json:"max,omitempty"`
	Integer *bool   `json:"integer,omitempty"`

	// Count dice with Sides sides each are drawn one by one and added to Modifier. At least one and
	// at most 1,000 dice are drawn. Without sides there is no operand.
	Count    int     `json:"count,omitempty"`
	Sides    int     `json:"sides,omitempty"`
	Modifier float64 `json:"modifier,omitempty"`

	// Candidates of a list are drawn as texts; empty candidates are left out.
	Candidates    []tree.Value `json:"candidates,omitempty"`
	CandidatesVar string       `json:"candidatesVar,omitempty"`
	Weights       []float64    `json:"weights,omitempty"`
	// HistoryVar, Cooldown and OnExhausted keep a list from repeating itself.
	HistoryVar  string `json:"historyVar,omitempty"`
	Cooldown    int    `json:"cooldown,omitempty"`
	OnExhausted string `json:"onExhausted,omitempty"` // full (empty) or keep

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Recorded games depend on the fixed order of draws. The chance of a rule comes first, then the
// operands of its effects from first to last, one die at a time.

// maxDice limits the dice of one effect.
const maxDice = 1000

// MarshalJSON writes the known fields and then the unknown ones.
func (r Random) MarshalJSON() ([]byte, error) { return authorjson.Write(r) }

// UnmarshalJSON reads all readable members and keeps the others in Extra.
func (r *Random) UnmarshalJSON(data []byte) error {
	v, err := tree.ParseValue(data)
	if err != nil {
		return err
	}
	*r = *ParseRandom(v)
	return nil
}

// ParseRandom reads an operand. A weight that is not a number makes the whole list of weights
// unusable instead of shifting the others.
func ParseRandom(v tree.Value) *Random {
	f := authorjson.Of(v)
	r := authorjson.Filled[Random](f)
	if v := f.Peek("candidates"); v.IsArray() {
		f.Take("candidates")
		r.Candidates = v.List()
	}
	if v := f.Peek("weights"); v.IsArray() {
		f.Take("weights")
		for _, w := range v.Elements() {
			n, ok := w.AsFloat()
			if !ok {
				n = -1 // not a weight: the list is not used
			}
			r.Weights = append(r.Weights, n)
		}
	}
	r.Extra = f.Rest()
	return &r
}

// draw returns the operand and, for a list with a history, the history that a second effect must
// write. ok is false if there is no operand.
func (r *Random) draw(read func(name string) tree.Value, random func() float64) (v, history tree.Value, ok bool) {
	switch r.Kind {
	case RangeKind:
		return r.drawRange(random), tree.Value{}, true
	case DiceKind:
		if r.Sides < 1 {
			return v, history, false
		}
		sum := r.Modifier
		for range min(max(r.Count, 1), maxDice) {
			sum += 1 + math.Floor(random()*float64(r.Sides))
		}
		return tree.Float(sum), tree.Value{}, true
	case ListKind:
		return r.drawList(read, random)
	}
	return v, history, false
}

// drawRange draws one number. For integers both limits are possible; otherwise the upper limit is
// not.
func (r *Random) drawRange(random func() float64) tree.Value {
	lo, hi := min(r.Min, r.Max), max(r.Min, r.Max)
	if math.IsInf(hi-lo, 0) { // the limits are finite but their difference is not
		f := random()
		return tree.Float(lo*(1-f) + hi*f)
	}
	if r.Integer != nil && !*r.Integer {
		return tree.Float(lo + random()*(hi-lo))
	}
	return tree.Float(lo + math.Floor(random()*(hi-lo+1)))
}

// drawList picks a candidate. Candidates are texts, because they are compared with the history,
// which is a list of texts.
func (r *Random) drawList(read func(name string) tree.Value, random func() float64) (v, history tree.Value, ok bool) {
	all, weights := r.candidates(read)
	past := r.past(read)
	eligible, eligibleWeights := all, weights
	// The window is the end of the history, even if other writes made the history longer.
	if window := min(r.Cooldown, len(past)); window > 0 {
		eligible, eligibleWeights = without(past[len(past)-window:], all, weights)
	}
	if len(eligible) == 0 { // all candidates were drawn recently
		if r.OnExhausted == "keep" || len(all) == 0 {
			return v, history, false
		}
		eligible, eligibleWeights = all, weights
	}
	pick := eligible[choose(len(eligible), eligibleWeights, random)]
	if r.HistoryVar != "" {
		// Clip, because the history may be a list of the document, which must not change.
		past = append(slices.Clip(past), pick)
		if r.Cooldown > 0 && len(past) > r.Cooldown {
			past = past[len(past)-r.Cooldown:]
		}
		history = authorjson.Texts(past)
	}
	return tree.Text(pick), history, true
}

// without returns the candidates that are not in recent, with their weights, if there are weights.
func without(recent, candidates []string, weights []float64) (left []string, leftWeights []float64) {
	isRecent := make(map[string]bool, len(recent))
	for _, pick := range recent {
		isRecent[pick] = true
	}
	for i, c := range candidates {
		if isRecent[c] {
			continue
		}
		left = append(left, c)
		if weights != nil {
			leftWeights = append(leftWeights, weights[i])
		}
	}
	return left, leftWeights
}

// candidates returns the candidates that are not empty as texts, and their weights if they apply.
func (r *Random) candidates(read func(name string) tree.Value) ([]string, []float64) {
	values := r.Candidates
	if r.CandidatesVar != "" {
		values = read(r.CandidatesVar).List()
	}
	// Weights correspond to the candidates as written, including empty ones. A list of a different
	// length or a negative weight is a mistake, so the weights are ignored.
	weighted := len(r.Weights) > 0 && len(r.Weights) == len(values) &&
		!slices.ContainsFunc(r.Weights, func(w float64) bool { return w < 0 })
	var texts []string
	var weights []float64
	for i, v := range values {
		s := report.Text(v)
		if s == "" {
			continue
		}
		texts = append(texts, s)
		if weighted {
			weights = append(weights, r.Weights[i])
		}
	}
	return texts, weights
}

// past returns the history, oldest first.
func (r *Random) past(read func(name string) tree.Value) []string {
	if r.HistoryVar == "" {
		return nil
	}
	var out []string
	for _, v := range read(r.HistoryVar).Elements() {
		out = append(out, report.Text(v))
	}
	return out
}

// choose draws an index below n, by weight if the weights have a sum. One candidate needs no draw:
// recorded games do not change when an author adds a list with one candidate.
func choose(n int, weights []float64, random func() float64) int {
	if n == 1 {
		return 0
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	if sum <= 0 {
		return min(int(random()*float64(n)), n-1)
	}
	// The last index is the result if rounding made the sum too small.
	at := random() * sum
	for i, w := range weights {
		if at < w {
			return i
		}
		at -= w
	}
	return n - 1
}
