package anthropic

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// UsageUnreadable is the code of the [llm.Warning] that stands beside a reply whose
// token counts cannot be read. The reply itself is whole.
const UsageUnreadable = "usage_unreadable"

// counts are the token counts of a reply. The server tells those of the prompt at the
// begin, the others at the end, and repeats itself.
type counts struct {
	known  map[string]int
	extra  map[string]json.RawMessage
	unread string // what cannot be read
}

// Bounds of the members that are kept unread.
const (
	maxExtra      = 64
	maxExtraBytes = 4 << 10
)

// add takes a report; later counts replace earlier ones.
func (c *counts) add(usage wire.Value) {
	if usage.Null() {
		return
	}
	if !usage.IsObject() {
		c.unread = "usage is no object: " + wire.Begin(string(usage))
		return
	}
	if c.known == nil {
		c.known, c.extra = map[string]int{}, map[string]json.RawMessage{}
	}
	for m := usage.Members(); m.Next(); {
		name := string(m.Name)
		switch name {
		case "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens":
			if m.Value.Null() {
				continue
			}
			n, ok := m.Value.Count()
			if !ok {
				c.unread = fmt.Sprintf("%s is %s", name, wire.Begin(string(m.Value)))
				continue
			}
			c.known[name] = n
		default:
			if len(c.extra) >= maxExtra || len(m.Value) > maxExtraBytes {
				continue
			}
			c.extra[strings.ToValidUTF8(name, "\uFFFD")] = slices.Clone(json.RawMessage(m.Value))
		}
	}
}

// report returns the usage, or why there is none, once.
func (c *counts) report() []llm.Chunk {
	if c.unread != "" {
		c.known = nil
		defer func() { c.unread = "" }()
		return []llm.Chunk{llm.Warning{Code: UsageUnreadable, Detail: c.unread}}
	}
	if c.known == nil {
		return nil
	}
	read, written := c.known["cache_read_input_tokens"], c.known["cache_creation_input_tokens"]
	usage := llm.Usage{
		// The server leaves out of its count what a cache has to do with.
		PromptTokens:     c.known["input_tokens"] + read + written,
		CompletionTokens: c.known["output_tokens"],
		CachedTokens:     read,
		CacheWriteTokens: written,
	}
	if len(c.extra) > 0 {
		usage.Extra = maps.Clone(c.extra)
	}
	c.known = nil
	return []llm.Chunk{llm.UsageReport{Usage: usage}}
}
