package openai

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
)

// PrefillMarks are members that mark the last message, a message of the assistant, as the beginning
// of the reply. Servers that always assume this need no marks. Members of the same name in an Extra
// or in [Config.Body] take precedence.
type PrefillMarks struct {
	Message map[string]json.RawMessage // of that message: {"prefix": true}
	Body    map[string]json.RawMessage // of the request: {"continue_final_message": true}
}

// IsZero reports whether there are no marks.
func (p PrefillMarks) IsZero() bool { return len(p.Message) == 0 && len(p.Body) == 0 }

// clone returns a copy that shares nothing with p.
func (p PrefillMarks) clone() PrefillMarks {
	return PrefillMarks{Message: openjson.Clone(p.Message), Body: openjson.Clone(p.Body)}
}

// mark adds the marks to a request whose last message is the beginning of a reply.
func (p PrefillMarks) mark(body members, messages []members, asked []llm.Message) {
	last := len(asked) - 1
	if p.IsZero() || last < 0 || asked[last].Role != llm.Assistant || len(asked[last].ToolCalls) > 0 {
		return
	}
	fill(body, p.Body)
	fill(messages[last], p.Message)
}

// fill adds the missing members.
func fill(out members, more map[string]json.RawMessage) {
	for name, raw := range more {
		if _, given := out[name]; !given {
			out[name] = raw
		}
	}
}
