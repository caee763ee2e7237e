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
		Hint: cut(fmt.Sprintf(s.words.More, more+1, strings.Join(counts, ", ")))}
	return out
}

// sees reports whether the actor is shown the node at a path, in its stored form. A hint about a
// hidden node would get into the next prompt and to the player.
func (r *run) sees(path tree.Path) bool {
	v := r.Root()
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
	if r.sys.stripMeta && isMeta(key) {
		return false
	}
	p := &r.sys.profile
	if len(holder) == 0 || holder[0] != p.Assets || !slices.Equal(holder[1:], p.Big) {
		return true
	}
	return v.IndexOf(key) < v.Len()-max(r.sys.hiddenSummaries(r.Root()), 0)
}
