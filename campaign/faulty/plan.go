package faulty

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

// Kind is a way in which a planned call goes wrong.
type Kind string

// The kinds of faults.
const (
	Unsent   Kind = "unsent"   // the store does not hear of the call: [ErrLost]
	Unheard  Kind = "unheard"  // the store carries the call out, and its answer is lost: [ErrLost]
	Twice    Kind = "twice"    // the call, or the reply, is delivered twice
	Torn     Kind = "torn"     // an entry is written without its snapshot
	Cut      Kind = "cut"      // records, or a reply, break off after At of them
	Ended    Kind = "ended"    // a reply ends after At chunks without an error and without its end mark
	Late     Kind = "late"     // a call waits for the time in Word, a reply after At chunks
	Failed   Kind = "failed"   // the model fails with the [llm.ErrorCode] in Word, after At chunks
	Repeated Kind = "repeated" // the last reply comes once more
	Garbled  Kind = "garbled"  // the reply is spoiled by the [Garbling] in Word
)

// Planned is one fault of a [Plan], as data.
type Planned struct {
	Op   Op
	N    int64 // of the calls with this Op, from 1
	Kind Kind
	At   int    // entries or chunks that come before it: of Cut, Ended, Late and Failed
	Word string // what Kind says
}

// String is a line that [Parse] reads, such as "generate 3 failed overloaded 2": the call, its number,
// the kind, then the word and At where they are set.
func (p Planned) String() string {
	parts := []string{string(p.Op), strconv.FormatInt(p.N, 10), string(p.Kind)}
	if p.Word != "" {
		parts = append(parts, p.Word)
	}
	if p.At != 0 {
		parts = append(parts, strconv.Itoa(p.At))
	}
	return strings.Join(parts, " ")
}

// Plan says which calls go wrong, and how: [Plan.Store] and [Plan.Model] are the plans of a [Store] and
// a [Model], or of several that play together; their calls are numbered by each of them for itself. It
// is safe for concurrent use.
type Plan struct {
	// Sleep lets time pass for a call that is late, or ends with ctx and its error. nil: nothing is
	// late. Set it before the first call.
	Sleep func(ctx context.Context, d time.Duration) error

	planned func(Call) (Planned, bool)

	mu       sync.Mutex
	happened []Planned
}

// Happened are the faults that were asked for so far, in that order.
func (p *Plan) Happened() []Planned {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.happened)
}

// String is Happened, one fault a line.
func (p *Plan) String() string {
	var b strings.Builder
	for _, one := range p.Happened() {
		_, _ = fmt.Fprintln(&b, one) // which never fails
	}
	return b.String()
}

// Parse makes a plan of faults that are written one a line, as [Plan.String] does. Blank lines and what
// follows a # do not count. The error names every line that is none.
func Parse(text string) (*Plan, error) {
	var list []Planned
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
	return Of(list...), nil
}

// parseLine reads the words of a line.
func parseLine(words []string) (p Planned, err error) {
	if len(words) < 3 {
		return p, errors.New("a fault is a call, its number and a kind")
	}
	p.Op, p.Kind = Op(words[0]), Kind(words[2])
	if p.N, err = strconv.ParseInt(words[1], 10, 64); err != nil || p.N < 1 {
		return p, fmt.Errorf("%q is no number of a call", words[1])
	}
	rest := words[3:]
	if len(rest) > 0 && slices.Contains([]Kind{Late, Failed, Garbled}, p.Kind) {
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
func (p Planned) check() error {
	kinds, known := kindsOf(p.Op)
	switch {
	case !known:
		return fmt.Errorf("there is no call %q", p.Op)
	case !slices.Contains(kinds, p.Kind):
		return fmt.Errorf("a call %q cannot be %q, only %q", p.Op, p.Kind, kinds)
	case p.Kind == Late:
		_, err := time.ParseDuration(p.Word)
		return err
	case p.Kind == Garbled && !slices.Contains(Garblings(), Garbling(p.Word)):
		return fmt.Errorf("%q is none of %q", p.Word, Garblings())
	case p.Kind == Failed && !slices.Contains(codes, llm.ErrorCode(p.Word)):
		return fmt.Errorf("%q is none of %q", p.Word, codes)
	}
	return nil
}

// kindsOf are the ways in which a call can go wrong.
func kindsOf(op Op) (kinds []Kind, known bool) {
	switch op {
	case Append:
		return []Kind{Unsent, Unheard, Late, Twice, Torn}, true
	case Records:
		return []Kind{Unsent, Late, Cut}, true
	case Load, Keyed, Answer:
		return []Kind{Unsent, Unheard, Late}, true
	case Claim, Renew, Release, Keep:
		return []Kind{Unsent, Unheard, Late, Twice}, true
	case Generate:
		return []Kind{Late, Failed, Cut, Ended, Twice, Repeated, Garbled}, true
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

// Of makes a plan of faults. Of several for one call the first happens.
func Of(faults ...Planned) *Plan {
	type place struct {
		op Op
		n  int64
	}
	planned := map[place]Planned{}
	for _, one := range slices.Backward(faults) {
		planned[place{one.Op, one.N}] = one
	}
	return &Plan{planned: func(c Call) (Planned, bool) {
		one, is := planned[place{c.Op, c.N}]
		return one, is
	}}
}

// Random is a plan in which so many calls go wrong, 0 to 1 of them, each in one of the ways that such a
// call can. The same seed plans the same for the same call by its Op and number, whatever else is
// called.
func Random(seed int64, rate float64) *Plan {
	return &Plan{planned: func(c Call) (p Planned, wrong bool) {
		d := dice{seed: seed, call: c}
		kinds, known := kindsOf(c.Op)
		if !known || float64(d.roll(1<<32))/(1<<32) >= rate {
			return p, false
		}
		p = Planned{Op: c.Op, N: c.N, Kind: kinds[d.roll(uint64(len(kinds)))]}
		switch p.Kind {
		case Cut, Ended:
			p.At = int(d.roll(6))
		case Late:
			p.Word = (time.Millisecond << d.roll(17)).String() // up to a minute
			if c.Op == Generate {
				p.At = int(d.roll(4))
			}
		case Failed:
			p.Word = string(codes[d.roll(uint64(len(codes)))])
			p.At = int(d.roll(2) * d.roll(5))
		case Garbled:
			p.Word = string(Garblings()[d.roll(uint64(len(Garblings())))])
		}
		return p, true
	}}
}

// dice decide about one call: they fall the same way for the same seed and call.
type dice struct {
	seed int64
	call Call
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
func (p *Plan) fault(c Call) (Planned, bool) {
	one, wrong := p.planned(c)
	if !wrong || one.Kind == Late && p.Sleep == nil {
		return Planned{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.happened = append(p.happened, one)
	return one, true
}

// Store is what goes wrong with a call of a store.
func (p *Plan) Store(c Call) (f Fault) {
	one, wrong := p.fault(c)
	if !wrong {
		return f
	}
	switch one.Kind {
	case Unsent:
		f.Before = ErrLost
	case Unheard:
		f.After = ErrLost
	case Twice:
		f.Twice = true
	case Torn:
		f.Torn = true
	case Cut:
		f.Cut, f.After = one.At, ErrLost
	case Late:
		f.Wait = p.late(one)
	}
	return f
}

// Model is what goes wrong with a call of a model.
func (p *Plan) Model(c Call) (f ReplyFault) {
	one, wrong := p.fault(c)
	if !wrong {
		return f
	}
	switch one.Kind {
	case Failed:
		f.Breaks, f.Cut, f.After = true, one.At, failed(llm.ErrorCode(one.Word))
		if one.At == 0 {
			f = ReplyFault{Before: f.After}
		}
	case Cut:
		f.Breaks, f.Cut, f.After = true, one.At, llm.Incomplete("the plan breaks the reply off")
	case Ended:
		f.Breaks, f.Cut = true, one.At
	case Twice:
		f.Change = Doubled
	case Repeated:
		f.Again = true
	case Garbled:
		f.Change = Garbling(one.Word).Change
	case Late:
		f.Wait, f.WaitAt = p.late(one), one.At
	}
	return f
}

// late waits as long as a fault says.
func (p *Plan) late(one Planned) func(context.Context) error {
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
