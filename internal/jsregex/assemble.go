package jsregex

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// assembler generates code from a tree.
type assembler struct {
	code
	keepsGroups     bool    // the code stores where groups begin and end
	hasBackref      bool    // then there are no points: the text of a back reference depends on the path
	backward        bool    // the current instructions read from right to left, inside a look-behind
	counterLoops    int     // number of enclosing loops with a counter
	turnRegisters   []int32 // registers of the enclosing loops whose iterations may be empty
	inLook          bool    // inside a look-around
	lookKeepsGroups bool    // the innermost look-around keeps groups
	unrolledSize    int     // instructions that unrolled repeats have added
}

// Code grows with its pattern. Each item has at most one instruction of about 100 bytes and a set
// of the same size. Unrolled repeats add up to maxUnrolled instructions.

// assemble makes the code of a regex. Groups are kept if keep is set, or if there is a back
// reference.
func assemble(root *node, flags Flags, keep bool) *code {
	a := &assembler{keepsGroups: keep}
	a.flags = flags
	groups := 0
	root.walk(func(n *node) bool {
		a.hasBackref = a.hasBackref || n.op == opBackref
		if n.op == opGroup {
			groups = max(groups, n.group)
		}
		return true
	})
	a.keepsGroups = a.keepsGroups || a.hasBackref
	if a.keepsGroups {
		a.groups = groups + 1
		a.regs = 2 * a.groups
	}
	a.insts = make([]inst, 0, root.instCount()+1)
	a.emitNode(root)
	a.emit(inst{op: doMatch})
	a.insts = slices.Clip(a.insts)
	a.findFirstBytes()
	return &a.code
}

// instCount counts the instructions of a node, except for groups and for unrolled repeats. The list is
// allocated once with this size, because a growing list would be copied several times.
func (n *node) instCount() int {
	room := 0
	for i, s := range n.subs {
		if n.op != opConcat || i == 0 || s.op != opChar || n.subs[i-1].op != opChar {
			room += s.instCount() // neighbouring characters become one text
		}
	}
	switch n.op {
	case opConcat, opGroup, opEmpty:
		return room
	case opAlternate:
		return room + 2*len(n.subs) - 1
	case opRepeat, opLook:
		return room + 2
	}
	return room + 1
}

// emit appends an instruction and returns its number.
func (a *assembler) emit(in inst) int32 {
	in.back = a.backward
	a.insts = append(a.insts, in)
	return int32(len(a.insts) - 1)
}

// nextInst returns the number of the next instruction.
func (a *assembler) nextInst() int32 { return int32(len(a.insts)) }

// newRegister allocates a new register.
func (a *assembler) newRegister() int32 {
	a.regs++
	return int32(a.regs - 1)
}

// emitNode generates one node.
func (a *assembler) emitNode(n *node) {
	switch n.op {
	case opChar, opClass, opDot:
		a.emitSingle(n)
	case opConcat:
		a.emitConcat(n.subs)
	case opAlternate:
		a.emitAlternate(n.subs)
	case opGroup:
		a.emitGroup(n)
	case opRepeat:
		a.emitRepeat(n)
	case opLook:
		a.emitLookAround(n)
	case opBackref:
		a.emit(inst{op: doBackref, n: int32(n.group)})
	case opStart:
		a.emit(inst{op: doStart})
	case opEnd:
		a.emit(inst{op: doEnd})
	case opBoundary:
		a.emit(inst{op: doBoundary, negate: n.negate})
	}
}

// emitSingle generates a node that matches one character.
func (a *assembler) emitSingle(n *node) {
	if text, ok := a.literalOf(n); ok {
		a.emit(inst{op: doText, text: text})
		return
	}
	a.emit(inst{op: doSet, set: a.setOf(n)})
}

// literalOf returns the text of a character that has no equivalent characters.
func (a *assembler) literalOf(n *node) (string, bool) {
	if n.op != opChar || firstSurrogate <= n.ch && n.ch <= lastSurrogate {
		return "", false
	}
	if a.flags.IgnoreCase && len(equivalents(n.ch, a.flags.Unicode)) > 1 {
		return "", false
	}
	return string(n.ch), true
}

// setOf returns the characters that a node matches.
func (a *assembler) setOf(n *node) *charSet {
	c := n.set
	switch {
	case n.op == opClass:
		if k, ok := c.single(); ok {
			return kindSet(k, a.flags)
		}
	case n.op == opChar:
		c = &class{ranges: []charRange{{n.ch, n.ch}}}
	case n.op == opDot && a.flags.DotAll:
		c = &class{negate: true}
	case n.op == opDot:
		c = &class{negate: true, ranges: []charRange{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}}
	}
	return newCharSet(c, a.flags)
}

// emitConcat generates parts one after the other, from right to left in a look-behind. Neighbouring
// characters become one text.
func (a *assembler) emitConcat(subs []*node) {
	subs = slices.Clone(subs)
	if a.backward {
		slices.Reverse(subs)
	}
	for i := 0; i < len(subs); {
		var run []string
		for ; i < len(subs); i++ {
			text, ok := a.literalOf(subs[i])
			if !ok {
				break
			}
			run = append(run, text)
		}
		if len(run) > 0 {
			if a.backward {
				slices.Reverse(run)
			}
			a.emit(inst{op: doText, text: strings.Join(run, "")})
			continue
		}
		a.emitNode(subs[i])
		i++
	}
}

// emitAlternate generates branches: each branch except the last is a choice between it and the rest.
func (a *assembler) emitAlternate(branches []*node) {
	var ends []int32
	for i, b := range branches {
		if i == len(branches)-1 {
			a.emitNode(b)
			break
		}
		split := a.emit(inst{op: doSplit})
		a.insts[split].x = a.nextInst()
		a.emitNode(b)
		ends = append(ends, a.emit(inst{op: doJump}))
		a.insts[split].y = a.nextInst()
	}
	for _, e := range ends {
		a.insts[e].x = a.nextInst()
	}
	a.emitPoint()
}

// emitGroup generates a group and saves where it begins and ends.
func (a *assembler) emitGroup(n *node) {
	if !a.keepsGroups {
		a.emitNode(n.subs[0])
		return
	}
	from, to := int32(2*n.group), int32(2*n.group+1)
	if a.backward {
		from, to = to, from
	}
	a.emit(inst{op: doSave, n: from})
	a.emitNode(n.subs[0])
	a.emit(inst{op: doSave, n: to})
}

// emitLookAround generates a look-ahead or look-behind. The result of its body does not depend on
// anything around it.
func (a *assembler) emitLookAround(n *node) {
	back, counting, turns, looking, grouped := a.backward, a.counterLoops, a.turnRegisters, a.inLook, a.lookKeepsGroups
	look := a.emit(inst{op: doLook, negate: n.negate})
	a.backward, a.counterLoops, a.turnRegisters, a.inLook = n.behind, 0, nil, true
	a.lookKeepsGroups = a.keepsGroups && hasGroup(n)
	a.emitNode(n.subs[0])
	a.emit(inst{op: doLookEnd})
	a.backward, a.counterLoops, a.turnRegisters, a.inLook, a.lookKeepsGroups = back, counting, turns, looking, grouped
	a.insts[look].x = a.nextInst()
}

// emitPoint marks a position in the code where paths join (see point).
func (a *assembler) emitPoint() {
	if p := a.newPoint(); p >= 0 {
		a.emit(inst{op: doMemo, n: p})
	}
}

// newPoint returns the number of a new point, -1 if there can be none.
func (a *assembler) newPoint() int32 {
	if a.hasBackref || a.counterLoops > 0 || len(a.turnRegisters) > maxTurns {
		a.runAway = true
		return -1
	}
	a.points = append(a.points, point{
		row: int32(a.slots), turns: slices.Clone(a.turnRegisters), recordsSuccess: a.inLook && !a.lookKeepsGroups,
	})
	a.slots += 1 << len(a.turnRegisters)
	return int32(len(a.points) - 1)
}

// emitRepeat generates a repeat.
func (a *assembler) emitRepeat(n *node) {
	body, least, most := n.subs[0], int32(n.min), int32(math.MaxInt32)
	if n.max != unbounded {
		most = int32(n.max)
	}
	if !a.keepsGroups {
		for body.op == opGroup {
			body = body.subs[0]
		}
	}
	switch {
	case most == 0 || body.op == opEmpty:
	case least == 1 && most == 1:
		a.emitNode(body)
	case body.op == opChar || body.op == opClass || body.op == opDot:
		a.emitStar(body, least, most, n.lazy)
	case a.canUnroll(body, least, most):
		a.emitCopies(body, least, most, n.lazy)
	default:
		a.emitCounted(body, least, most, n.lazy)
	}
}

// emitStar generates a repeat of single characters.
func (a *assembler) emitStar(body *node, least, most int32, lazy bool) {
	set := a.setOf(body)
	in := inst{op: doStar, set: set, min: least, max: most, lazy: lazy, n: -1}
	if most == math.MaxInt32 {
		in.n = a.newPoint()
		a.emit(in)
		a.runAway = a.runAway || least > longRepeat
		return
	}
	a.emit(in)
	a.runAway = a.runAway || most > longRepeat
	if least != most {
		a.emitPoint()
	}
}

// longRepeat is the count at which a bounded repeat of characters becomes as slow as one without a
// memo: it takes this many steps at every position.
const longRepeat = 200

// canUnroll reports whether a repeat is unrolled.
func (a *assembler) canUnroll(body *node, least, most int32) bool {
	copies := int64(most)
	if most == math.MaxInt32 {
		copies = int64(least) + 1
	}
	if copies <= 1 {
		return true
	}
	extra := (copies - 1) * int64(body.estimatedSize())
	if copies > maxUnrolled || int64(a.unrolledSize)+extra > maxUnrolled {
		return false
	}
	a.unrolledSize += int(extra)
	return true
}

// estimatedSize estimates the instructions of a node.
func (n *node) estimatedSize() int {
	size := 0
	n.walk(func(n *node) bool {
		size += 2
		if n.op == opRepeat && n.subs[0].op != opChar && n.subs[0].op != opClass && n.subs[0].op != opDot {
			if copies := max(n.min+1, n.max); copies < maxUnrolled {
				size += (copies - 1) * n.subs[0].estimatedSize()
			}
		}
		return size <= maxUnrolled
	})
	return min(size, maxUnrolled+1)
}

// emitCopies unrolls a repeat: first the required iterations, then the optional ones.
func (a *assembler) emitCopies(body *node, least, most int32, lazy bool) {
	for range least {
		a.emitReset(body)
		a.emitNode(body)
	}
	switch {
	case most == math.MaxInt32:
		again := a.nextInst()
		a.emitPoint()
		head := a.emit(inst{op: doSplit, lazy: lazy})
		a.emitOptional(body)
		a.emit(inst{op: doJump, x: again})
		a.setExit(head)
	case most > least:
		var heads []int32
		for range most - least {
			heads = append(heads, a.emit(inst{op: doSplit, lazy: lazy}))
			a.emitOptional(body)
		}
		for _, h := range heads {
			a.setExit(h)
		}
		a.emitPoint()
	}
}

// setExit sets the exit of an optional iteration to the next instruction. A greedy repeat tries the
// iteration first, a lazy repeat tries the exit first.
func (a *assembler) setExit(head int32) {
	in := &a.insts[head]
	in.x, in.y = head+1, a.nextInst()
	if in.lazy {
		in.x, in.y = in.y, in.x
	}
}

// emitOptional generates an iteration that counts only if it matches at least one character.
func (a *assembler) emitOptional(body *node) {
	a.emitReset(body)
	if !body.nullable() {
		a.emitNode(body)
		return
	}
	reg := a.newRegister()
	a.emit(inst{op: doTurn, n: reg})
	a.turnRegisters = append(slices.Clip(a.turnRegisters), reg)
	a.emitNode(body)
	a.turnRegisters = a.turnRegisters[:len(a.turnRegisters)-1]
	a.emit(inst{op: doTurnEnd, n: reg})
}

// emitReset clears the groups of a body before an iteration.
func (a *assembler) emitReset(body *node) {
	if !a.keepsGroups {
		return
	}
	first, last := 0, 0
	body.walk(func(n *node) bool {
		if n.op == opGroup {
			first = cmp.Or(first, n.group)
			last = max(last, n.group)
		}
		return true
	})
	if first > 0 {
		a.emit(inst{op: doReset, n: int32(2 * first), x: int32(2*last + 1)})
	}
}

// emitCounted generates a repeat that counts its iterations in a register. Iterations up to the minimum may
// be empty; later iterations may not.
func (a *assembler) emitCounted(body *node, least, most int32, lazy bool) {
	count, turn := a.newRegister(), a.newRegister()
	a.emit(inst{op: doCount, n: count})
	head := a.emit(inst{op: doLoop, n: count, y: turn, min: least, max: most, lazy: lazy})
	a.counterLoops++
	a.runAway = true
	a.emitReset(body)
	a.emitNode(body)
	a.counterLoops--
	a.emit(inst{op: doTurnEnd, n: turn})
	a.emit(inst{op: doJump, x: head})
	a.insts[head].x = a.nextInst()
	a.emitPoint()
}

// findFirstBytes finds the first bytes of a match, of branches, and of the code after repeats.
func (a *assembler) findFirstBytes() {
	for i := range a.insts {
		switch in := &a.insts[i]; in.op {
		case doStar:
			in.first = a.firstOf(int32(i) + 1)
		case doSplit:
			in.first, in.other = a.firstOf(in.x), a.firstOf(in.y)
		}
	}
	a.first = a.firstOf(0)
	a.prefix = a.first.single()
	start := 0
	for a.insts[start].op == doSave || a.insts[start].op == doMemo {
		start++
	}
	switch in := &a.insts[start]; {
	case in.op == doText:
		a.prefix = in.text
	case in.op == doStart:
		a.startsAtBeginning = !a.flags.Multiline
	}
	a.startsAtBeginning = a.startsAtBeginning || a.flags.Sticky
}

// maxFirst is the greatest number of instructions that are examined for one set of first bytes.
const maxFirst = 40

// firstOf returns the possible next bytes of the text at an instruction. It returns nil if any
// byte, or the end of the text, is possible.
func (a *assembler) firstOf(at int32) *byteSet {
	var out byteSet
	left := maxFirst
	if a.insts[at].back || !a.addFirst(&out, at, &left) {
		return nil
	}
	return &out
}

// addFirst adds to out. It returns false if every byte is possible.
func (a *assembler) addFirst(out *byteSet, at int32, left *int) bool {
	for {
		if *left--; *left < 0 {
			return false
		}
		switch in := &a.insts[at]; in.op {
		case doText:
			out.add(in.text[0])
			return true
		case doSet:
			in.set.firstBytes(out)
			return true
		case doStar:
			in.set.firstBytes(out)
			if in.min > 0 {
				return true
			}
			at++
		case doSplit:
			if !a.addFirst(out, in.x, left) {
				return false
			}
			at = in.y
		case doLoop:
			if !a.addFirst(out, in.x, left) {
				return false
			}
			at++
		case doJump, doLook:
			at = in.x
		case doSave, doReset, doCount, doTurn, doTurnEnd, doMemo, doStart, doBoundary:
			at++
		default: // the end, or an unknown byte
			return false
		}
	}
}
