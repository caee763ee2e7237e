package openai

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// usageUnreadable is the code of the [llm.Warning] in a reply whose token counts cannot be read.
// The reply itself is complete.
const usageUnreadable = "usage_unreadable"

// readUsage returns the token counts, nil if the server sent null. A count that is written as 5.0
// or "5" is 5. Members without their own field are kept in Extra. The error names the value that
// cannot be read.
func readUsage(raw json.RawMessage) (*llm.Usage, error) {
	if wire.Value(raw).Null() {
		return nil, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("usage is not an object: %s", wire.Begin(raw))
	}
	usage := &llm.Usage{}
	var problem error
	take := func(into *int, from map[string]json.RawMessage, name string) {
		value := from[name]
		if wire.Value(value).Null() {
			return
		}
		n, ok := wire.Value(value).Count()
		if !ok {
			problem = fmt.Errorf("%s is %s", name, wire.Begin(value))
			return
		}
		*into = n
	}
	take(&usage.PromptTokens, all, "prompt_tokens")
	take(&usage.CompletionTokens, all, "completion_tokens")
	// DeepSeek uses its own name; if both are present, OpenAI's counts.
	take(&usage.CachedTokens, all, "cached_tokens")
	take(&usage.CachedTokens, all, "prompt_cache_hit_tokens")
	take(&usage.CachedTokens, object(all["prompt_tokens_details"]), "cached_tokens")
	take(&usage.ReasoningTokens, all, "reasoning_tokens")
	take(&usage.ReasoningTokens, object(all["completion_tokens_details"]), "reasoning_tokens")
	for _, name := range []string{"prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens"} {
		delete(all, name)
	}
	if len(all) > 0 {
		usage.Extra = all
	}
	if problem != nil {
		return nil, problem
	}
	return usage, nil
}

// object returns the members of a JSON object; nil for anything else.
func object(raw json.RawMessage) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}
