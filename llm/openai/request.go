package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/talewright/talewright/llm"
)

// members are the members of one JSON object; encoding/json writes them in the
// order of their names, so that equal requests have equal bytes.
type members = map[string]any

// encodeRequest writes the body of a request. Typed fields are set last and so
// win over extra members of the same name.
func encodeRequest(req llm.Request, config Config) ([]byte, error) {
	if req.Model == "" {
		return nil, errors.New("no model is named, neither in the request nor in Config.Model")
	}
	body := members{}
	// From the general to the particular, so that the latter wins.
	addExtra(body, config.Body)
	addExtra(body, req.Extra)
	addExtra(body, req.Options.Extra)
	body["model"] = req.Model
	body["stream"] = true
	if config.NoStreamOptions {
		delete(body, "stream_options")
	} else {
		body["stream_options"] = members{"include_usage": true}
	}
	messages := make([]members, len(req.Messages))
	for i, m := range req.Messages {
		messages[i] = encodeMessage(m)
	}
	body["messages"] = messages
	if len(req.Tools) > 0 {
		tools := make([]members, len(req.Tools))
		for i, tool := range req.Tools {
			if len(tool.Parameters) > 0 && !json.Valid(tool.Parameters) {
				return nil, fmt.Errorf("the parameters of tool %q are not JSON", tool.Name)
			}
			tools[i] = encodeTool(tool)
		}
		body["tools"] = tools
	}
	addOptions(body, req.Options, cmp.Or(config.MaxTokensField, "max_tokens"))
	return json.Marshal(body)
}

// addOptions sets the members of the options that are set; the provider's
// defaults apply to the others.
func addOptions(body members, o llm.Options, maxTokens string) {
	if o.Temperature != nil {
		body["temperature"] = *o.Temperature
	}
	if o.TopP != nil {
		body["top_p"] = *o.TopP
	}
	if o.MaxTokens != nil {
		body[maxTokens] = *o.MaxTokens
	}
	if o.Seed != nil {
		body["seed"] = *o.Seed
	}
	if len(o.Stop) > 0 {
		body["stop"] = o.Stop
	}
}

// encodeMessage writes one message. Reasoning stays out: providers refuse it or
// count it against the context.
func encodeMessage(m llm.Message) members {
	out := members{}
	addExtra(out, m.Extra)
	out["role"] = m.Role
	out["content"] = m.Text
	if m.Name != "" {
		out["name"] = m.Name
	}
	if m.ToolCallID != "" {
		out["tool_call_id"] = m.ToolCallID
	}
	if len(m.ToolCalls) == 0 {
		return out
	}
	if m.Text == "" {
		out["content"] = nil // some servers take "" for an answer of its own
	}
	calls := make([]members, len(m.ToolCalls))
	for i, c := range m.ToolCalls {
		call := members{}
		addExtra(call, c.Extra)
		call["type"] = "function"
		call["id"] = c.ID
		// Servers that parse the arguments of former calls refuse an empty text.
		call["function"] = members{
			"name": c.Name, "arguments": cmp.Or(c.Arguments, "{}"),
		}
		calls[i] = call
	}
	out["tool_calls"] = calls
	return out
}

// encodeTool writes one tool. A tool without parameters gets an empty schema,
// which strict servers ask for.
func encodeTool(t llm.ToolSpec) members {
	function := members{
		"name":       t.Name,
		"parameters": json.RawMessage(`{"type":"object","properties":{}}`),
	}
	addExtra(function, t.Extra)
	function["name"] = t.Name
	if t.Description != "" {
		function["description"] = t.Description
	}
	if len(t.Parameters) > 0 {
		function["parameters"] = t.Parameters
	}
	return members{"type": "function", "function": function}
}

// addExtra sets members that the typed fields do not know. Later calls win.
func addExtra(out members, extra map[string]json.RawMessage) {
	for name, raw := range maps.All(extra) {
		out[name] = raw
	}
}
