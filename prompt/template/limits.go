package template

import (
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// Limits of one build, and of the calls of one text.
const (
	maxSteps  = 1_000_000
	maxOutput = 1 << 20
	maxMemory = 4 << 20
	maxStored = 16 << 20 // bytes of all values that texts store in variables
	maxCalls  = 16
	maxStack  = 5000 // levels of expressions of all running texts
)

// Costs: the bytes that cost one step when they are copied or searched, and the bytes that an item
// of a list or an object counts.
const (
	bytesOfStep = 64
	itemSize    = 16
)

// fail ends the text with an error at the present place.
func (f *frame) fail(c talewright.Code, name, text string) {
	for f.caller != nil {
		f = f.caller
	}
	err := f.src.fail(f.at, c, name, text)
	if _, e := f.currentEntry(); e != nil {
		err.Entry = e.Comment
	}
	panic(err)
}

// refuse ends the text because of a name that no template may use.
func (f *frame) refuse(name string) { f.fail(Refused, name, refusal(name)) }

// limit ends the text because of a limit. name is one of the names of [Error].
func (f *frame) limit(name, text string) { f.fail(Limit, name, text) }

// step counts one step.
func (f *frame) step() {
	if f.build.steps++; f.build.steps > f.build.env.MaxSteps {
		f.tooManySteps()
	}
}

// chargeSteps counts several steps.
func (f *frame) chargeSteps(n int) {
	if f.build.steps += n; f.build.steps > f.build.env.MaxSteps {
		f.tooManySteps()
	}
}

func (f *frame) tooManySteps() {
	most := strconv.Itoa(f.build.env.MaxSteps)
	f.limit("steps", "the texts of this prompt took more than "+most+" steps: shorten the loops")
}

// chargeBytes counts bytes that are copied or searched.
func (f *frame) chargeBytes(n int) { f.chargeSteps(n / bytesOfStep) }

// chargeMemory counts the bytes of new values.
func (f *frame) chargeMemory(n int) {
	f.chargeBytes(n)
	if f.build.memory += n; f.build.memory > maxMemory {
		f.tooMuchMemory()
	}
}

// chargeItems counts new items of lists and objects.
func (f *frame) chargeItems(n int) {
	f.checkLargeSize(float64(n) * itemSize)
	f.chargeMemory(n * itemSize)
}

// checkSize refuses a single value of more bytes than the limit.
func (f *frame) checkSize(n int) { f.checkLargeSize(float64(n)) }

// checkLargeSize is checkSize for a size that may not fit an int.
func (f *frame) checkLargeSize(n float64) {
	if n > maxMemory {
		f.tooMuchMemory()
	}
}

func (f *frame) tooMuchMemory() {
	f.limit("memory", "the values of this prompt take more than 4 MiB: make them smaller")
}

// write prints a text.
func (f *frame) write(s string) {
	f.chargeBytes(len(s))
	if f.build.output += len(s); f.build.output > maxOutput {
		f.limit("output", "the texts of this prompt print more than 1 MiB: print less")
	}
	for len(f.pieceStarts) < len(f.src.starts) && f.src.starts[len(f.pieceStarts)] <= f.at {
		f.pieceStarts = append(f.pieceStarts, f.out.Len())
	}
	f.out.WriteString(s)
}

// quote shows a text in an error.
func quote(s string) string {
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "") + "…"
	}
	return strconv.Quote(s)
}

// enterLevel counts the levels of expressions, so that the stack of the program is bounded.
func (f *frame) enterLevel() {
	if f.build.level++; f.build.level > maxStack {
		f.limit("nesting", "an expression has more than 5000 levels: divide it")
	}
}

// finite reports whether a number is neither infinite nor NaN.
func finite(n float64) bool { return !math.IsInf(n, 0) && !math.IsNaN(n) }

// maxLevels limits the nesting of values that are converted; a value may contain itself.
const maxLevels = tree.MaxDepth
