package memvars

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
)

// maxFeedback bounds the commands of which a model is told. A reply may hold any number of broken commands,
// and what is said about them is paid for again in the next prompt.
const maxFeedback = 16

// Feedback returns what to tell the author of commands about the rejected ones: the
// first 16 of them, their texts cut to 200 bytes. If there were more, the last of the
// 16 stands for all others: its code is [command.MoreRejected], its hint counts their codes.
//
// A feedback is small enough for any prompt, and holds no key and no value that the
// visible document does not show (see [System.Visible]), but what the author wrote.
//
// The count is in the language of [Options].Hints.
func (s *System) Feedback(calls []CallResult) []CallResult {
	var out []CallResult
	others := map[command.Code]int{}
	more := 0
	for _, c := range calls {
		if c.Status != Rejected {
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
	codes := slices.SortedFunc(maps.Keys(others), func(a, b command.Code) int {
		return cmp.Or(cmp.Compare(others[b], others[a]), cmp.Compare(a, b))
	})
	for _, code := range codes {
		counts = append(counts, string(code)+" "+strconv.Itoa(others[code]))
	}
	*last = CallResult{Line: last.Line, Col: last.Col, Offset: last.Offset, Status: Rejected, Code: command.MoreRejected,
		Hint: cut(fmt.Sprintf(s.words.More, more+1, strings.Join(counts, ", ")))}
	return out
}

// sees reports whether the actor is shown what is at the path, which is that of a
// node as it is stored. What a hint says about a node that a model is not shown would
// stand in the next prompt, and in front of the player.
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

// hides reports whether the placeholder stands for the node.
func (r *run) hides(v tree.Value) bool {
	return r.actor != Host && metaHidden(v)
}

// seesKey reports whether a member of a visible node is shown at all.
func (r *run) seesKey(holder tree.Path, v tree.Value, key string) bool {
	if r.actor == Host || !v.IsObject() {
		return true
	}
	if r.sys.stripMeta && strings.HasPrefix(key, "_") {
		return false
	}
	p := &r.sys.profile
	if len(holder) == 0 || holder[0] != p.Assets || !slices.Equal(holder[1:], p.Big) {
		return true
	}
	return v.IndexOf(key) < v.Len()-max(r.sys.hiddenSummaries(r.Root()), 0)
}
