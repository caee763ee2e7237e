package jsregex

import "strings"

// opcode is the operation of one instruction.
type opcode uint8

const (
	doText     opcode = iota // text
	doSet                    // one character of set
	doStar                   // min to max characters of set
	doSplit                  // continue at x; if that fails, at y
	doJump                   // continue at x
	doSave                   // register n = position
	doReset                  // registers n to x = unset
	doCount                  // register n = 0
	doLoop                   // the body follows, min to max times by register n; then continue at x
	doTurn                   // register n = position at the beginning of an iteration
	doTurnEnd                // fails if the iteration that began at register n is empty
	doMemo                   // point n
	doLook                   // look-around: the body follows; then continue at x
	doLookEnd                // the body of a look-around ends
	doBackref                // the text of group n again
	doStart                  // ^
	doEnd                    // $
	doBoundary               // \b
	doMatch
)

// inst is one instruction. If back is set, it reads from right to left, inside look-behinds.
type inst struct {
	op                 opcode
	lazy, back, negate bool
	n, x, y            int32
	min, max           int32
	text               string
	set                *charSet
	// first is the set of possible next bytes: for doStar after it, for doSplit at x. other is this
	// set at y of doSplit.
	first, other *byteSet
}

// code is the executable form of a regex. It is immutable.
type code struct {
	insts             []inst
	flags             Flags
	groups            int // including the whole match; 0 if groups are not kept
	regs              int // number of registers: two for each group, then the registers of loops
	points            []point
	slots             int      // number of rows of a memo, over all points
	first             *byteSet // first bytes of a match
	prefix            string   // text at the beginning of every match
	startsAtBeginning bool     // a match can only begin at the beginning of the text
	// runAway says that a point is missing. Then only the limit bounds the steps.
	runAway bool
}

// point is a position in the code where paths join. The result of continuing there depends on the
// position in the text, and on which of the enclosing loops have advanced in their current
// iteration.
type point struct {
	row   int32   // its first row of a memo
	turns []int32 // registers of doTurn
	// recordsSuccess says that the point is inside a look-around that keeps no groups. Then the memo also
	// records positions from which the look-around succeeds.
	recordsSuccess bool
}

// maxTurns is the greatest number of loops around a point: the point has 2^n rows for n loops.
const maxTurns = 3

// maxUnrolled is the greatest number of instructions that unrolling may add. Longer repeats count
// with a register.
const maxUnrolled = 1000

// nextCandidate returns the first position, at or after at, where a match can begin; a position after
// the text if there is none.
func (c *code) nextCandidate(text string, at int) int {
	skipped := 0
	switch {
	case c.prefix != "":
		skipped = strings.Index(text[at:], c.prefix)
	case c.first != nil:
		for at < len(text) && !c.first.has(text[at]) {
			at++
		}
		if at == len(text) {
			skipped = -1
		}
	}
	if skipped < 0 {
		return len(text) + 1
	}
	return at + skipped
}
