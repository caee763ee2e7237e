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
type FaultKind string

// The kinds of faults.
const (
	FaultUnsent   FaultKind = "unsent"   // the store does not hear of the call: [ErrConnectionLost]
	FaultUnheard  FaultKind = "unheard"  // the store carries the call out, and its answer is lost: [ErrConnectionLost]
	FaultTwice    FaultKind = "twice"    // the call, or the reply, is delivered twice
	FaultTorn     FaultKind = "torn"     // an entry is written without its snapshot
	FaultCut      FaultKind = "cut"      // records, or a reply, break off after At of them
	FaultEnded    FaultKind = "ended"    // a reply ends after At chunks without an error and without its end mark
	FaultLate     FaultKind = "late"     // a call waits for the time in Word, a reply after At chunks
	FaultFailed   FaultKind = "failed"   // the model fails with the [llm.ErrorCode] in Word, after At chunks
	FaultRepeated FaultKind = "repeated" // the last reply comes once more
	FaultGarbled  FaultKind = "garbled"  // the reply is spoiled by the [Garbling] in Word
)

// PlannedFault is one fault of a [FaultPlan], as data.
type PlannedFault struct {
	Op   FaultOp
	N    int64 // of the calls with this Op, from 1
	Kind FaultKind
	At   int    // entries or chunks that come before it: of Cut, Ended, Late and Failed
	Word string // what Kind says
}

// String is a line that [ParseFaultPlan] reads, such as "generate 3 failed overloaded 2": the call, its number,
// the kind, then the word and At where they are set.
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

// FaultPlan says which calls go wrong, and how: [FaultPlan.Store] and [FaultPlan.Model] are the plans of a [FaultyStore] and
// a [FaultyModel], or of several that play together; their calls are numbered by each of them for itself. It
// is safe for concurrent use.
type FaultPlan struct {
	// Sleep lets time pass for a call that is late, or ends with ctx and its error. nil: nothing is
	// late. Set it before the first call.
	Sleep func(ctx context.Context, d time.Duration) error

	planned func(FaultCall) (PlannedFault, bool)

	mu       sync.Mutex
	happened []PlannedFault
}

// Happened are the faults that were asked for so far, in that order.
func (p *FaultPlan) Happened() []PlannedFault {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.happened)
}

// String is Happened, one fault a line.
func (p *FaultPlan) String() string {
	var b strings.Builder
	for _, one := range p.Happened() {
		_, _ = fmt.Fprintln(&b, one) // which never fails
	}
	return b.String()
}

// ParseFaultPlan makes a plan of faults that are written one a line, as [FaultPlan.String] does. Blank lines and what
// follows a # do not count. The error names every line that is none.
func ParseFaultPlan(text string) (*FaultPlan, error) {
	var list []PlannedFault
	var problems []error
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		one, err := parseLine(strings.Fields(line))
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

// parseLine reads the words of a line.
func parseLine(words []string) (p PlannedFault, err error) {
	if len(words) < 3 {
		return p, errors.New("a fault is a call, its number and a kind")
	}
	p.Op, p.Kind = FaultOp(words[0]), FaultKind(words[2])
	if p.N, err = strconv.ParseInt(words[1], 10, 64); err != nil || p.N < 1 {
		return p, fmt.Errorf("%q is no number of a call", words[1])
	}
	rest := words[3:]
	if len(rest) > 0 && slices.Contains([]FaultKind{FaultLate, FaultFailed, FaultGarbled}, p.Kind) {
		p.Word, rest = rest[0], rest[1:]
	}
	if len(rest) > 0 {
		if p.At, err = strconv.Atoi(rest[0]); err != nil || p.At < 0 {
			return p, fmt.Errorf("%q is no number of entries or chunks", rest[0])
		}
		rest = rest[1:]
	}
	if len(rest) > 0 {
		return p, fmt.Errorf("%q is too much", rest[0])
	}
	return p, p.check()
}

// check says what is wrong with a fault.
func (p PlannedFault) check() error {
	kinds, known := kindsOf(p.Op)
	switch {
	case !known:
		return fmt.Errorf("there is no call %q", p.Op)
	case !slices.Contains(kinds, p.Kind):
		return fmt.Errorf("a call %q cannot be %q, only %q", p.Op, p.Kind, kinds)
	case p.Kind == FaultLate:
		_, err := time.ParseDuration(p.Word)
		return err
	case p.Kind == FaultGarbled && !slices.Contains(Garblings(), Garbling(p.Word)):
		return fmt.Errorf("%q is none of %q", p.Word, Garblings())
	case p.Kind == FaultFailed && !slices.Contains(codes, llm.ErrorCode(p.Word)):
		return fmt.Errorf("%q is none of %q", p.Word, codes)
	}
	return nil
}

// kindsOf are the ways in which a call can go wrong.
func kindsOf(op FaultOp) (kinds []FaultKind, known bool) {
	switch op {
	case OnAppend:
		return []FaultKind{FaultUnsent, FaultUnheard, FaultLate, FaultTwice, FaultTorn}, true
	case OnRecords:
		return []FaultKind{FaultUnsent, FaultLate, FaultCut}, true
	case OnLoad, OnKeyed, OnAnswer:
		return []FaultKind{FaultUnsent, FaultUnheard, FaultLate}, true
	case OnClaim, OnRenew, OnRelease, OnKeep:
		return []FaultKind{FaultUnsent, FaultUnheard, FaultLate, FaultTwice}, true
	case OnGenerate:
		return []FaultKind{FaultLate, FaultFailed, FaultCut, FaultEnded, FaultTwice, FaultRepeated, FaultGarbled}, true
	}
	return nil, false
}

// codes are those with which a model fails.
var codes = []llm.ErrorCode{
	llm.CodeAuth, llm.CodeRateLimit, llm.CodeOverloaded, llm.CodeContextLength, llm.CodeInvalidRequest, llm.CodeNotFound,
	llm.CodeFiltered, llm.CodeServer, llm.CodeIncomplete, llm.CodeMalformed, llm.CodeNetwork, llm.CodeTimeout,
	llm.CodeTooLarge, llm.CodeNoTools, llm.CodeBudget, llm.CodeUnknown,
}

// passing are those of them after which the same request may succeed.
var passing = []llm.ErrorCode{
	llm.CodeRateLimit, llm.CodeOverloaded, llm.CodeServer, llm.CodeIncomplete, llm.CodeMalformed, llm.CodeNetwork, llm.CodeTimeout,
}

// FaultPlanOf makes a plan of faults. Of several for one call the first happens.
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

// RandomFaultPlan is a plan in which so many calls go wrong, 0 to 1 of them, each in one of the ways that such a
// call can. The same seed plans the same for the same call by its Op and number, whatever else is
// called.
func RandomFaultPlan(seed int64, rate float64) *FaultPlan {
	return &FaultPlan{planned: func(c FaultCall) (p PlannedFault, wrong bool) {
		d := dice{seed: seed, call: c}
		kinds, known := kindsOf(c.Op)
		if !known || float64(d.roll(1<<32))/(1<<32) >= rate {
			return p, false
		}
		p = PlannedFault{Op: c.Op, N: c.N, Kind: kinds[d.roll(uint64(len(kinds)))]}
		switch p.Kind {
		case FaultCut, FaultEnded:
			p.At = int(d.roll(6))
		case FaultLate:
			p.Word = (time.Millisecond << d.roll(17)).String() // up to a minute
			if c.Op == OnGenerate {
				p.At = int(d.roll(4))
			}
		case FaultFailed:
			p.Word = string(codes[d.roll(uint64(len(codes)))])
			p.At = int(d.roll(2) * d.roll(5))
		case FaultGarbled:
			p.Word = string(Garblings()[d.roll(uint64(len(Garblings())))])
		}
		return p, true
	}}
}

// dice decide about one call: they fall the same way for the same seed and call.
type dice struct {
	seed int64
	call FaultCall
	n    int // rolls so far
}

// roll returns a number below so many.
func (d *dice) roll(sides uint64) uint64 {
	d.n++
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, d.seed, d.call.Op, d.call.N, d.n) // which never fails
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

// fault is what is planned for a call, noted as happened.
func (p *FaultPlan) fault(c FaultCall) (PlannedFault, bool) {
	one, wrong := p.planned(c)
	if !wrong || one.Kind == FaultLate && p.Sleep == nil {
		return PlannedFault{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.happened = append(p.happened, one)
	return one, true
}

// Store is what goes wrong with a call of a store.
func (p *FaultPlan) Store(c FaultCall) (f Fault) {
	one, wrong := p.fault(c)
	if !wrong {
		return f
	}
	switch one.Kind {
	case FaultUnsent:
		f.Before = ErrConnectionLost
	case FaultUnheard:
		f.After = ErrConnectionLost
	case FaultTwice:
		f.Twice = true
	case FaultTorn:
		f.Torn = true
	case FaultCut:
		f.Cut, f.After = one.At, ErrConnectionLost
	case FaultLate:
		f.Wait = p.late(one)
	}
	return f
}

// Model is what goes wrong with a call of a model.
func (p *FaultPlan) Model(c FaultCall) (f ReplyFault) {
	one, wrong := p.fault(c)
	if !wrong {
		return f
	}
	switch one.Kind {
	case FaultFailed:
		f.Breaks, f.Cut, f.After = true, one.At, failed(llm.ErrorCode(one.Word))
		if one.At == 0 {
			f = ReplyFault{Before: f.After}
		}
	case FaultCut:
		f.Breaks, f.Cut, f.After = true, one.At, llm.Incomplete("the plan breaks the reply off")
	case FaultEnded:
		f.Breaks, f.Cut = true, one.At
	case FaultTwice:
		f.Change = Doubled
	case FaultRepeated:
		f.Again = true
	case FaultGarbled:
		f.Change = Garbling(one.Word).Change
	case FaultLate:
		f.Wait, f.WaitAt = p.late(one), one.At
	}
	return f
}

// late waits as long as a fault says.
func (p *FaultPlan) late(one PlannedFault) func(context.Context) error {
	d, err := time.ParseDuration(one.Word)
	return func(ctx context.Context) error { return cmp.Or(err, p.Sleep(ctx, d)) }
}

// failed is the error of a model.
func failed(code llm.ErrorCode) *llm.Error {
	e := &llm.Error{Code: code, Message: "the plan says so", Retry: slices.Contains(passing, code)}
	if code == llm.CodeRateLimit {
		e.RetryAfter = time.Second
	}
	return e
}
