package storetest

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/talewright/talewright/llm"
)

// FaultKind is a way in which a planned call goes wrong.
//
//   - unsent: the call does not reach the store: [ErrConnectionLost]
//   - unheard: the store executes the call, but its answer is lost: [ErrConnectionLost]
//   - twice: the call, or the reply, is delivered twice
//   - torn: an entry is written without its snapshot
//   - cut: records, or a reply, stop after At items with an error
//   - ended: a reply ends after At chunks without an error and without its end mark
//   - late: a call waits for the time in Word, a reply after At chunks
//   - failed: the model fails with the [llm.ErrorCode] in Word, after At chunks
//   - repeated: the last reply is repeated
//   - garbled: the reply is garbled by the [Garbling] in Word
type FaultKind string

const (
	faultUnsent   FaultKind = "unsent"
	faultUnheard  FaultKind = "unheard"
	faultTwice    FaultKind = "twice"
	faultTorn     FaultKind = "torn"
	faultCut      FaultKind = "cut"
	faultEnded    FaultKind = "ended"
	faultLate     FaultKind = "late"
	faultFailed   FaultKind = "failed"
	faultRepeated FaultKind = "repeated"
	faultGarbled  FaultKind = "garbled"
)

// PlannedFault is one fault of a [FaultPlan], as data.
type PlannedFault struct {
	Op   FaultOp
	N    int64 // counts the calls with this Op, from 1
	Kind FaultKind
	At   int    // entries or chunks before the fault; for Cut, Ended, Late and Failed
	Word string // its meaning depends on Kind
}

// String returns a line that [ParseFaultPlan] reads, such as "generate 3 failed overloaded 2". It
// has the call, its number and the kind, then Word and At if they are set.
func (p PlannedFault) String() string {
	parts := []string{string(p.Op), strconv.FormatInt(p.N, 10), string(p.Kind)}
	if p.Word != "" {
		parts = append(parts, p.Word)
	}
	if p.At != 0 {
		parts = append(parts, strconv.Itoa(p.At))
	}
	return strings.Join(parts, " ")
}

// FaultPlan decides which calls go wrong, and how. [FaultPlan.Store] is the plan of a [FaultyStore]
// or a [FaultyCluster], [FaultPlan.Model] the plan of a [FaultyModel]. Several of them may share a
// FaultPlan; each numbers its own calls. It is safe for concurrent use.
type FaultPlan struct {
	// Sleep pauses a late call. It returns the error of ctx if ctx ends first. nil: no call is
	// late. Set it before the first call.
	Sleep func(ctx context.Context, d time.Duration) error

	planned func(FaultCall) (PlannedFault, bool)

	mu       sync.Mutex
	happened []PlannedFault
}

// Happened returns the faults that calls got so far, in order.
func (p *FaultPlan) Happened() []PlannedFault {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.happened)
}

// String returns the faults of Happened, one a line.
func (p *FaultPlan) String() string {
	var b strings.Builder
	for _, one := range p.Happened() {
		_, _ = fmt.Fprintln(&b, one) // cannot fail
	}
	return b.String()
}

// ParseFaultPlan reads a plan with one fault a line, as [FaultPlan.String] writes it. Blank lines
// and text after # are ignored. The error lists every invalid line.
func ParseFaultPlan(text string) (*FaultPlan, error) {
	var list []PlannedFault
	var problems []error
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		one, err := parseFault(strings.Fields(line))
		if err != nil {
			problems = append(problems, fmt.Errorf("faulty: line %d: %q: %w", n, strings.TrimSpace(line), err))
		}
		list = append(list, one)
	}
	if err := errors.Join(append(problems, lines.Err())...); err != nil {
		return nil, err
	}
	return FaultPlanOf(list...), nil
}

// parseFault reads the words of a line.
func parseFault(words []string) (p PlannedFault, err error) {
	if len(words) < 3 {
		return p, errors.New("a fault is a call, its number and a kind")
	}
	p.Op, p.Kind = FaultOp(words[0]), FaultKind(words[2])
	if p.N, err = strconv.ParseInt(words[1], 10, 64); err != nil || p.N < 1 {
		return p, fmt.Errorf("%q is not a number of a call", words[1])
	}
	rest := words[3:]
	if len(rest) > 0 && slices.Contains([]FaultKind{faultLate, faultFailed, faultGarbled}, p.Kind) {
		p.Word, rest = rest[0], rest[1:]
	}
	if len(rest) > 0 {
		if p.At, err = strconv.Atoi(rest[0]); err != nil || p.At < 0 {
			return p, fmt.Errorf("%q is not a number of entries or chunks", rest[0])
		}
		rest = rest[1:]
	}
	if len(rest) > 0 {
		return p, fmt.Errorf("%q is more than is read here", rest[0])
	}
	return p, p.validate()
}

// validate returns what is wrong with a fault.
func (p PlannedFault) validate() error {
	kinds, known := faultKindsOf(p.Op)
	switch {
	case !known:
		return fmt.Errorf("there is no call %q", p.Op)
	case !slices.Contains(kinds, p.Kind):
		return fmt.Errorf("a call %q cannot be %q, only %q", p.Op, p.Kind, kinds)
	case p.Kind == faultLate:
		_, err := time.ParseDuration(p.Word)
		return err
	case p.Kind == faultGarbled && !slices.Contains(Garblings(), Garbling(p.Word)):
		return fmt.Errorf("%q is none of %q", p.Word, Garblings())
	case p.Kind == faultFailed && !slices.Contains(modelCodes, llm.ErrorCode(p.Word)):
		return fmt.Errorf("%q is none of %q", p.Word, modelCodes)
	}
	return nil
}

// faultKindsOf returns the ways in which a call can go wrong.
func faultKindsOf(op FaultOp) (kinds []FaultKind, known bool) {
	switch op {
	case onAppend:
		return []FaultKind{faultUnsent, faultUnheard, faultLate, faultTwice, faultTorn}, true
	case onRecords:
		return []FaultKind{faultUnsent, faultLate, faultCut}, true
	case onLoad, onFind, onAnswer:
		return []FaultKind{faultUnsent, faultUnheard, faultLate}, true
	case onAcquire, onRenew, onRelease, onSaveAnswer:
		return []FaultKind{faultUnsent, faultUnheard, faultLate, faultTwice}, true
	case onGenerate:
		return []FaultKind{faultLate, faultFailed, faultCut, faultEnded, faultTwice, faultRepeated, faultGarbled}, true
	}
	return nil, false
}

// modelCodes are the error codes of a failing model.
var modelCodes = []llm.ErrorCode{
	llm.CodeAuth, llm.CodeRateLimit, llm.CodeOverloaded, llm.CodeContextLength, llm.CodeInvalidRequest, llm.CodeNotFound,
	llm.CodeFiltered, llm.CodeServer, llm.CodeIncomplete, llm.CodeMalformed, llm.CodeNetwork, llm.CodeTimeout,
	llm.CodeTooLarge, llm.CodeNoTools, llm.CodeBudget, llm.CodeUnknown,
}

// retryableCodes are the codes after which the same request may succeed.
var retryableCodes = []llm.ErrorCode{
	llm.CodeRateLimit, llm.CodeOverloaded, llm.CodeServer, llm.CodeIncomplete, llm.CodeMalformed, llm.CodeNetwork, llm.CodeTimeout,
}

// FaultPlanOf makes a plan from faults. If several faults name the same call, the first one
// happens.
func FaultPlanOf(faults ...PlannedFault) *FaultPlan {
	type place struct {
		op FaultOp
		n  int64
	}
	planned := map[place]PlannedFault{}
	for _, one := range slices.Backward(faults) {
		planned[place{one.Op, one.N}] = one
	}
	return &FaultPlan{planned: func(c FaultCall) (PlannedFault, bool) {
		one, is := planned[place{c.Op, c.N}]
		return one, is
	}}
}

// RandomFaultPlan makes a plan in which calls go wrong at random. rate is the fraction of faulty
// calls, from 0 to 1. Each fault is of a kind that suits its call. A fault depends only on the
// seed, the Op and the number of its call, and not on other calls.
func RandomFaultPlan(seed int64, rate float64) *FaultPlan {
	return &FaultPlan{planned: func(c FaultCall) (p PlannedFault, wrong bool) {
		d := dice{seed: seed, call: c}
		kinds, known := faultKindsOf(c.Op)
		if !known || float64(d.roll(1<<32))/(1<<32) >= rate {
			return p, false
		}
		p = PlannedFault{Op: c.Op, N: c.N, Kind: kinds[d.roll(uint64(len(kinds)))]}
		switch p.Kind {
		case faultCut, faultEnded:
			p.At = int(d.roll(6))
		case faultLate:
			p.Word = (time.Millisecond << d.roll(17)).String() // up to a minute
			if c.Op == onGenerate {
				p.At = int(d.roll(4))
			}
		case faultFailed:
			p.Word = string(modelCodes[d.roll(uint64(len(modelCodes)))])
			p.At = int(d.roll(2) * d.roll(5))
		case faultGarbled:
			p.Word = string(Garblings()[d.roll(uint64(len(Garblings())))])
		}
		return p, true
	}}
}

// dice decides about one call. The same seed and call always give the same rolls.
type dice struct {
	seed int64
	call FaultCall
	n    int // rolls so far
}

// roll returns a number from 0 to below sides.
func (d *dice) roll(sides uint64) uint64 {
	d.n++
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, d.seed, d.call.Op, d.call.N, d.n) // cannot fail
	return mix(h.Sum64()) % sides
}

// mix spreads the bits of a hash.
func mix(x uint64) uint64 {
	x ^= x >> 31
	x *= 0x7fb5d329728ea185
	x ^= x >> 27
	x *= 0x81dadef4bc2dd44d
	return x ^ x>>33
}

// fault returns the planned fault of a call and records it as happened.
func (p *FaultPlan) fault(c FaultCall) (PlannedFault, bool) {
	one, wrong := p.planned(c)
	if !wrong || one.Kind == faultLate && p.Sleep == nil {
		return PlannedFault{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.happened = append(p.happened, one)
	return one, true
}

// Store returns the fault of a call of a store.
func (p *FaultPlan) Store(c FaultCall) (f Fault) {
	one, wrong := p.fault(c)
	if !wrong {
		return f
	}
	switch one.Kind {
	case faultUnsent:
		f.Before = ErrConnectionLost
	case faultUnheard:
		f.After = ErrConnectionLost
	case faultTwice:
		f.Twice = true
	case faultTorn:
		f.Torn = true
	case faultCut:
		f.Cut, f.After = one.At, ErrConnectionLost
	case faultLate:
		f.Wait = p.waitFor(one)
	}
	return f
}

// Model returns the fault of a call of a model.
func (p *FaultPlan) Model(c FaultCall) (f ReplyFault) {
	one, wrong := p.fault(c)
	if !wrong {
		return f
	}
	switch one.Kind {
	case faultFailed:
		f.Breaks, f.Cut, f.After = true, one.At, modelError(llm.ErrorCode(one.Word))
		if one.At == 0 {
			f = ReplyFault{Before: f.After}
		}
	case faultCut:
		f.Breaks, f.Cut, f.After = true, one.At, llm.Incomplete("the plan breaks the reply off")
	case faultEnded:
		f.Breaks, f.Cut = true, one.At
	case faultTwice:
		f.Change = Doubled
	case faultRepeated:
		f.Again = true
	case faultGarbled:
		f.Change = Garbling(one.Word).Change
	case faultLate:
		f.Wait, f.WaitAt = p.waitFor(one), one.At
	}
	return f
}

// waitFor returns a function that waits for the time of a fault.
func (p *FaultPlan) waitFor(one PlannedFault) func(context.Context) error {
	d, err := time.ParseDuration(one.Word)
	return func(ctx context.Context) error { return cmp.Or(err, p.Sleep(ctx, d)) }
}

// modelError returns an error of a model.
func modelError(code llm.ErrorCode) *llm.Error {
	e := &llm.Error{Code: code, Message: "the plan says so", Retry: slices.Contains(retryableCodes, code)}
	if code == llm.CodeRateLimit {
		e.RetryAfter = time.Second
	}
	return e
}
