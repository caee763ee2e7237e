package wire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/llm"
)

// UsageUnreadable is the code of the warning in a reply whose token counts cannot be read.
// UnknownPart is the code of the warning in a reply with parts that are unknown to its adapter.
const (
	UsageUnreadable = "usage_unreadable"
	UnknownPart     = "unknown_part"
)

// Counts are the token counts that a server has reported so far.
type Counts struct {
	known  map[string]int
	extra  map[string]json.RawMessage
	unread string // the part that cannot be read
}

// The limits on the other members that are kept.
const (
	maxExtra      = 64
	maxExtraBytes = 4 << 10
)

// Add adds a report whose members with these names are counts; later counts replace earlier ones.
// Of the other members at most 64 are kept, each with at most 4 KiB.
func (c *Counts) Add(usage Value, names ...string) {
	if usage.Null() {
		return
	}
	if !usage.IsObject() {
		c.unread = "usage is not an object: " + Begin(usage)
		return
	}
	if c.known == nil {
		c.known, c.extra = map[string]int{}, map[string]json.RawMessage{}
	}
	for m := usage.Members(); m.Next(); {
		name := strings.ToValidUTF8(string(m.Name), "\uFFFD")
		switch {
		case m.Value.Null():
		case !slices.Contains(names, name):
			if len(c.extra) < maxExtra && len(m.Value) <= maxExtraBytes {
				c.extra[name] = slices.Clone(json.RawMessage(m.Value))
			}
		default:
			n, ok := m.Value.Count()
			if !ok {
				c.unread = fmt.Sprintf("%s is %s", name, Begin(m.Value))
				continue
			}
			c.known[name] = n
		}
	}
}

// Report returns the usage that sum computes from the counts, or a warning if the counts cannot be
// read. It returns nil if no count was reported.
func (c *Counts) Report(sum func(count map[string]int) llm.Usage) llm.Chunk {
	switch {
	case c.unread != "":
		return llm.Warning{Code: UsageUnreadable, Detail: c.unread}
	case len(c.known) == 0: // zeros would be read as counts
		return nil
	}
	usage := sum(c.known)
	if len(c.extra) > 0 {
		usage.Extra = c.extra
	}
	return llm.UsageReport{Usage: usage}
}

// Notes lists the kinds of omitted parts, each once.
type Notes struct{ seen []string }

// maxNotes is the greatest number of kinds that are listed.
const maxNotes = 16

// Add records that a part was omitted.
func (n *Notes) Add(what, kind string) {
	if len(n.seen) >= maxNotes {
		return
	}
	if note := what + " " + Begin(kind); !slices.Contains(n.seen, note) {
		n.seen = append(n.seen, note)
	}
}

// Warnings returns a warning for each kind.
func (n *Notes) Warnings() []llm.Warning {
	var out []llm.Warning
	for _, note := range n.seen {
		out = append(out, llm.Warning{Code: UnknownPart, Detail: note})
	}
	return out
}
