package jsregex

import "strings"

// opcode is what one instruction does.
type opcode uint8

const (
	doText     opcode = iota // text
	doSet                    // one character of set
	doStar                   // min to max characters of set
	doSplit                  // go on at x; if that fails, at y
	doJump                   // go on at x
	doSave                   // register n = place
	doReset                  // registers n to x = unset
	doCount                  // register n = 0
	doLoop                   // body behind it, min to max times by register n; then at x
	doTurn                   // register n = place, where a turn of a loop begins
	doTurned                 // fails if the turn that register n tells of took nothing
	doMemo                   // point n
	doLook                   // look-around: body behind it; then at x
	doSeen                   // the body of a look-around ends
	doBackref                // group n again
	doStart                  // ^
	doEnd                    // $
	doBoundary               // \b
	doMatch
)

// inst is one instruction. back ones read from right to left, inside look-behinds.
type inst struct {
	op                 opcode
	lazy, back, negate bool
	n, x, y            int32
	min, max           int32
	text               string
	set                *charSet
	// first is what the text must go on with: of doStar behind it, of doSplit at x.
	// other is that at y of doSplit.
	first, other *byteSet
}

// code is a regex ready to run. It is immutable.
type code struct {
	insts  []inst
	flags  Flags
	groups int // the whole match included, 0 if groups are not kept
	regs   int // registers: two for each group, then those of loops
	points []point
	slots  int      // rows of a memo
	first  *byteSet // what a match begins with
	only   byte     // the only byte of first, 0 if there are more
	prefix string   // text that a match begins with
	fixed  bool     // a match begins at the beginning of the text only
	// runAway: some point is missing, so that only the limit bounds the steps.
	runAway bool
}

// point is a place of the code where ways come together. What comes of going on there
// depends on the place in the text, and on which of the loops around it have moved
// since their turn began.
type point struct {
	row   int32   // its first row of a memo
	turns []int32 // registers of doTurn
	// settles: that a look-around went well from here is worth remembering.
	settles bool
}

// maxTurns bounds the loops around a point: its rows are 2 to the power of that.
const maxTurns = 3

// maxUnrolled bounds the instructions that writing repeats out adds. Longer repeats
// count with a register.
const maxUnrolled = 1000

// candidate returns the first place, at or after one, where a match can begin; behind
// the text if there is none.
func (c *code) candidate(text string, at int) int {
	switch {
	case c.prefix != "":
		i := strings.Index(text[at:], c.prefix)
		if i < 0 {
			return len(text) + 1
		}
		return at + i
	case c.only > 0:
		i := strings.IndexByte(text[at:], c.only)
		if i < 0 {
			return len(text) + 1
		}
		return at + i
	case c.first != nil:
		for ; at < len(text); at++ {
			if c.first.has(text[at]) {
				return at
			}
		}
		return len(text) + 1
	}
	return at
}
