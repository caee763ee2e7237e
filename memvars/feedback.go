package memvars

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// maxFeedback limits the commands in the feedback to a model. A reply may have any number of broken
// commands, and the feedback about them costs tokens in the next prompt.
const maxFeedback = 16

// Feedback returns the rejected commands for a report to their author, and the applied ones with
// parts that had no effect. It returns the first 16, with texts cut to 200 bytes. If there are
// more, the last of the 16 summarizes all others: its code is [MoreRejected], and its hint
// counts their codes.
//
// A feedback is small enough for any prompt. It contains no key and no value that is missing in the
// visible document (see [System.Visible]), except the author's own text.
//
// The hint of the last entry is in the language of [Options].Hints.
func (s *System) Feedback(calls []CallResult) []CallResult {
	var out []CallResult
	others := map[Code]int{}
	more := 0
	for _, c := range calls {
		if c.Status != Rejected && c.Hint == "" {
			continue
		}
		if len(out) == maxFeedback {
			others[c.Code]++
			more++
			continue
		}
		c.Op, c.Reason, c.Near, c.Hint = cut(c.Op), cut(c.Reason), cut(c.Near), cut(c.Hint)
		c.Extra = nil
		out = append(out, c)
	}
	if more == 0 {
		return out
	}
	last := &out[maxFeedback-1]
	others[last.Code]++
	counts := make([]string, 0, len(others))
	codes := slices.SortedFunc(maps.Keys(others), func(a, b Code) int {
		return cmp.Or(cmp.Compare(others[b], others[a]), cmp.Compare(a, b))
	})
	for _, code := range codes {
		counts = append(counts, string(code)+" "+strconv.Itoa(others[code]))
	}
	*last = CallResult{Line: last.Line, Col: last.Col, Offset: last.Offset, Status: Rejected, Code: MoreRejected,
		Hint: cut(s.hintf("and %d more: %s", more+1, strings.Join(counts, ", ")))}
	return out
}

// sees reports whether the actor is shown the node at a path, in its stored form. A hint about a
// hidden node would get into the next prompt and to the player.
func (r *run) sees(path tree.Path) bool {
	v := r.root()
	for i := range path {
		if r.hides(v) || !r.seesKey(path[:i], v, path[i]) {
			return false
		}
		v = v.Lookup(path[i : i+1])
	}
	return !r.hides(v)
}

// hides reports whether the node is replaced by the placeholder.
func (r *run) hides(v tree.Value) bool {
	return r.actor != Host && metaHidden(v)
}

// seesKey reports whether a member of a visible node is shown at all.
func (r *run) seesKey(holder tree.Path, v tree.Value, key string) bool {
	if r.actor == Host || !v.IsObject() {
		return true
	}
	if *r.sys.options.StripMeta && isMeta(key) {
		return false
	}
	p := &r.sys.profile
	if len(holder) == 0 || holder[0] != p.Assets || !slices.Equal(holder[1:], p.Big) {
		return true
	}
	return v.IndexOf(key) < v.Len()-max(r.sys.hiddenSummaries(r.root()), 0)
}

// codeHints are the hints for the codes of commands that have no hint of their own.
var codeHints = map[Code]string{
	UnterminatedString: "close the string with the mark that opened it",
	Unbalanced:         "close every bracket and parenthesis",
	UnexpectedToken:    "separate arguments by commas and end the call with )",
	UnknownCommand:     "use set_attribute, set_status, memory or delete",
	BadArity: "set_*(path[, old], value), memory(parent, key, value), memory(path, value), " +
		"delete(parent, key) or delete(path)",
	BadKey:              "a key is a text or a number, and not blank",
	BadJSON:             "write the object as valid JSON",
	IndexOutOfRange:     "use an index of the list, or - to append with memory",
	DescriptionReadonly: "write the value; its description is fixed",
	ReadonlyDerived:     "the field is computed; change what it is computed from",
	ReadonlyAuto:        "the field is kept by the game clock",
	ProtectedNode:       "the node is protected by _is_protected",
	StructuralBranch:    "delete or move what the branch holds, not the branch",
	PlaceholderWrite:    "the field is hidden; leave it as it is",
	TooLong:             "a number has at most " + strconv.Itoa(tree.MaxDigits) + " digits",
	TooMany:             "write less at a time",
	DestinationExists:   "delete the destination first, or choose another name",
}

// kindNouns name the kind of a value in a hint.
var kindNouns = map[tree.Kind]string{
	tree.KindNull: "nothing", tree.KindBool: "a boolean", tree.KindNumber: "a number",
	tree.KindText: "a string", tree.KindArray: "an array", tree.KindObject: "an object",
}

// hintf returns a hint in the language of the system.
func (s *System) hintf(format string, args ...any) string {
	return fmt.Sprintf(cmp.Or(s.words[format], format), args...)
}

// codeHint returns the hint for a code.
func (s *System) codeHint(code Code) string { return s.hintf(codeHints[code]) }

// setHint sets the hint of the command.
func (p *plan) setHint(format string, args ...any) { p.hint = p.run.sys.hintf(format, args...) }
