package jsregex

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// ErrLimit is returned when a search was stopped because it needed more steps than [Limit], or too
// much memory. It never contains the text.
var ErrLimit = errors.New("jsregex: match given up")

// Limit returns the number of steps for the search of a text of this many bytes: a base and a share
// for each byte. A step takes some nanoseconds. Steps are counted, not timed: only pattern and text
// decide whether a search is stopped.
func Limit(size int) int { return 1<<22 + 256*size }

// frame is a backtracking record.
type frame struct {
	kind    frameKind
	at      int32 // instruction, register, or row of the memo
	a, b, c int32
}

type frameKind uint8

const (
	// The fields of a frame have a different meaning for each kind:
	frameContinue frameKind = iota // continue at instruction at, position a; b is 1 to enter a lazy loop
	frameReg                       // set register at back to a
	frameMemo                      // record that row at of the memo fails at position a
	frameStar                      // instruction at matched from a to c; b is the end that is tried, from c down to a
	frameLazy                      // instruction at matched from a to b and may match c more characters
	frameLook                      // the look-around of instruction at began at position a; b is the frame of the outer one
)

// maxFrames is the greatest number of frames of one match, and so limits its memory: 20 bytes each.
const maxFrames = 1 << 19

// keptFrames and keptWords limit the memory that a machine keeps for its next match.
const (
	keptFrames = 1 << 14
	keptWords  = 1 << 15
)

// machine runs code on one text with backtracking, and counts its steps.
type machine struct {
	*code
	text  string
	steps int
	limit int
	regs  []int32
	stack []frame
	look  int32 // frame of the innermost look-around, -1 outside
	memo  memo
}

var machines = sync.Pool{New: func() any { return new(machine) }}

// newMachine returns a machine for one text. limit is the greatest number of steps.
func newMachine(c *code, text string, limit int) *machine {
	m := machines.Get().(*machine)
	m.code, m.text, m.steps, m.limit, m.look = c, text, 0, limit, -1
	m.regs = slices.Grow(m.regs[:0], c.regs)[:c.regs]
	m.memo.reset(len(text))
	return m
}

// release returns the machine to the pool.
func (m *machine) release() {
	m.code, m.text = nil, ""
	m.stack = m.stack[:0]
	if cap(m.stack) > keptFrames {
		m.stack = nil
	}
	if cap(m.memo.bits) > keptWords {
		m.memo.bits = nil
	}
	machines.Put(m)
}

// search finds the first match at or after a position. It tries positions from left to right.
// Positions where no match can begin cost almost nothing.
func (m *machine) search(from int) (start, end int, ok bool, err error) {
	m.stack, m.look = m.stack[:0], -1
	for i := range m.regs { // a failed attempt leaves them at -1
		m.regs[i] = -1
	}
	for at := from; at <= len(m.text); {
		if !m.startsAtBeginning {
			next := m.nextCandidate(m.text, at)
			m.steps += (next - at) >> 5
			if at = next; at > len(m.text) {
				break
			}
		}
		end, ok, err = m.run(at)
		if ok || err != nil || m.startsAtBeginning {
			return at, end, ok, err
		}
		at += max(1, widthAt(m.text, at))
	}
	return 0, 0, false, nil
}

// run tries to match at one place.
func (m *machine) run(start int) (end int, ok bool, err error) {
	at, pc := int32(start), int32(0)
	text, insts := m.text, m.insts
	for {
		m.steps++
		if m.steps > m.limit || len(m.stack) > maxFrames {
			return 0, false, ErrLimit
		}
		in := &insts[pc]
		pc++
		ok := true
		switch in.op {
		case doText:
			if in.back {
				if ok = strings.HasSuffix(text[:at], in.text); ok {
					at -= int32(len(in.text))
				}
			} else if ok = strings.HasPrefix(text[at:], in.text); ok {
				at += int32(len(in.text))
			}
		case doSet:
			at, ok = m.matchOne(in, at)
		case doStar:
			at, pc, ok = m.matchStar(in, at, pc)
		case doSplit:
			pc = m.branch(in, at)
		case doJump:
			pc = in.x
		case doSave, doTurn:
			m.setRegister(in.n, at)
		case doReset:
			for r := in.n; r <= in.x; r++ {
				if m.regs[r] >= 0 {
					m.setRegister(r, -1)
				}
			}
		case doCount:
			m.setRegister(in.n, 0)
		case doLoop:
			pc = m.nextIteration(in, at, pc)
		case doTurnEnd:
			ok = m.regs[in.n] != at
		case doMemo:
			at, pc, ok = m.queryMemo(in, at, pc)
		case doLook:
			m.push(frame{frameLook, pc - 1, at, m.look, 0})
			m.look = int32(len(m.stack)) - 1
		case doLookEnd:
			m.steps += len(m.stack) - int(m.look)
			at, pc, ok = m.endLook()
		case doBackref:
			at, ok = m.matchBackref(in, at)
		case doStart:
			ok = at == 0 || m.flags.Multiline && isLineEnd(runeBefore(text, at))
		case doEnd:
			ok = int(at) == len(text) || m.flags.Multiline && isLineEnd(runeAfter(text, at))
		case doBoundary:
			ok = atBoundary(text, at, m.flags) != in.negate
		case doMatch:
			return int(at), true, nil
		}
		if ok {
			continue
		}
		if at, pc, ok = m.backtrack(); !ok {
			if m.steps > m.limit { // while backtracking
				return 0, false, ErrLimit
			}
			return 0, false, nil
		}
	}
}

// push pushes a backtracking record.
func (m *machine) push(f frame) { m.stack = append(m.stack, f) }

// setRegister writes a register, and records its old value.
func (m *machine) setRegister(reg, to int32) {
	m.push(frame{kind: frameReg, at: reg, a: m.regs[reg]})
	m.regs[reg] = to
}

// matchOne matches one character of a set.
func (m *machine) matchOne(in *inst, at int32) (int32, bool) {
	if in.back {
		if at == 0 {
			return at, false
		}
		r, w := rune(m.text[at-1]), 1
		if r >= utf8.RuneSelf {
			r, w = utf8.DecodeLastRuneInString(m.text[:at])
			m.steps += in.set.weight
		}
		return at - int32(w), in.set.has(r)
	}
	if int(at) == len(m.text) {
		return at, false
	}
	r, w := rune(m.text[at]), 1
	if r >= utf8.RuneSelf {
		r, w = utf8.DecodeRuneInString(m.text[at:])
		m.steps += in.set.weight
	}
	return at + int32(w), in.set.has(r)
}

// branch continues at x, and at y if x fails. It skips a branch that the next byte makes
// impossible.
func (m *machine) branch(in *inst, at int32) int32 {
	x, y := m.canContinue(in.first, at), m.canContinue(in.other, at)
	switch {
	case !x:
		return in.y // it fails there if it must
	case y:
		m.push(frame{kind: frameContinue, at: in.y, a: at})
	}
	return in.x
}

// canContinue reports whether the next byte at a position is in the set.
func (m *machine) canContinue(with *byteSet, at int32) bool {
	return with == nil || int(at) < len(m.text) && with.has(m.text[at])
}

// nextIteration begins the next iteration of a counted loop, or leaves the loop. It returns the next
// instruction.
func (m *machine) nextIteration(in *inst, at, pc int32) int32 {
	n := m.regs[in.n]
	switch {
	case n >= in.max:
		return in.x
	case n < in.min:
		m.setRegister(in.y, -1) // the iteration may be empty
	case in.lazy:
		// When the machine backtracks into the loop, it finds the counter unchanged and enters.
		m.push(frame{kind: frameContinue, at: pc - 1, a: at, b: 1})
		return in.x
	default:
		m.push(frame{kind: frameContinue, at: in.x, a: at})
		m.setRegister(in.y, at)
	}
	m.setRegister(in.n, n+1)
	return pc
}

// enterPostponed begins the iteration that a lazy loop postponed.
func (m *machine) enterPostponed(pc, at int32) int32 {
	in := &m.insts[pc]
	m.setRegister(in.y, at)
	m.setRegister(in.n, m.regs[in.n]+1)
	return pc + 1
}

// endLook ends the body of a look-around. A positive look-around continues where it began and keeps
// its groups, but not its backtracking records. A negative look-around fails and keeps nothing.
func (m *machine) endLook() (at, pc int32, ok bool) {
	base := m.look
	f := m.stack[base]
	in := &m.insts[f.at]
	m.memo.recordSuccess(m, m.stack[base+1:])
	m.look = f.b
	if in.negate {
		for i := len(m.stack) - 1; i > int(base); i-- {
			if r := &m.stack[i]; r.kind == frameReg {
				m.regs[r.at] = r.a
			}
		}
		m.stack = m.stack[:base]
		return 0, 0, false
	}
	kept := m.stack[:base]
	for _, r := range m.stack[base+1:] {
		if r.kind == frameReg {
			kept = append(kept, r)
		}
	}
	m.stack = kept
	return f.a, in.x, true
}

// backtrack backtracks to the latest remaining alternative. It returns false if there is none, or if no
// steps are left.
func (m *machine) backtrack() (at, pc int32, ok bool) {
	for len(m.stack) > 0 {
		if m.steps++; m.steps > m.limit {
			return 0, 0, false
		}
		f := &m.stack[len(m.stack)-1]
		switch f.kind {
		case frameContinue:
			next := *f // a copy, because its slot will be reused
			m.stack = m.stack[:len(m.stack)-1]
			if next.b == 1 {
				next.at = m.enterPostponed(next.at, next.a)
			}
			return next.a, next.at, true
		case frameReg:
			m.regs[f.at] = f.a
		case frameMemo:
			m.memo.recordFailure(f.at, f.a)
		case frameStar:
			if m.giveBack(f) {
				return f.b, f.at + 1, true
			}
			m.recordStarFailure(f, f.c)
		case frameLazy:
			if m.matchOneMore(f) {
				return f.b, f.at + 1, true
			}
			m.recordStarFailure(f, f.b)
		case frameLook:
			m.look = f.b
			if in := &m.insts[f.at]; in.negate {
				m.stack = m.stack[:len(m.stack)-1]
				return f.a, in.x, true
			}
		}
		m.stack = m.stack[:len(m.stack)-1]
	}
	return 0, 0, false
}

// matchBackref matches the text of a group. A group that did not match is found everywhere.
func (m *machine) matchBackref(in *inst, at int32) (int32, bool) {
	from, to := m.regs[2*in.n], m.regs[2*in.n+1]
	if from < 0 || to < 0 {
		return at, true
	}
	want := m.text[from:to]
	m.steps += len(want) >> 4
	if !m.flags.IgnoreCase {
		if in.back {
			return at - int32(len(want)), strings.HasSuffix(m.text[:at], want)
		}
		return at + int32(len(want)), strings.HasPrefix(m.text[at:], want)
	}
	if in.back {
		return m.matchBackrefBackward(want, at)
	}
	for _, r := range want {
		got, w := utf8.DecodeRuneInString(m.text[at:])
		if w == 0 || !m.flags.equalIgnoringCase(r, got) {
			return at, false
		}
		at += int32(w)
	}
	return at, true
}

// matchBackrefBackward compares from right to left.
func (m *machine) matchBackrefBackward(want string, at int32) (int32, bool) {
	for len(want) > 0 {
		r, size := utf8.DecodeLastRuneInString(want)
		got, w := utf8.DecodeLastRuneInString(m.text[:at])
		if w == 0 || !m.flags.equalIgnoringCase(r, got) {
			return at, false
		}
		want, at = want[:len(want)-size], at-int32(w)
	}
	return at, true
}
