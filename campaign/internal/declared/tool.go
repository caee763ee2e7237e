package declared

import "encoding/json"

// ToolName is the tool with which a model may give its list if it uses native tool calls. It is not
// a tool of the game: it has no effect and is not adjudicated.
const ToolName = "list_claims"

// Member is the member with the list in a structured answer and in the tool's arguments.
const Member = "claims"

// Schema returns the JSON Schema of the tool's arguments.
func Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"claims":{"type":"array","items":{"type":"object","properties":{` +
		`"kind":{"type":"string"},"who":{"type":"string"},"amount":{"type":"integer"},"value":{"type":"integer"},` +
		`"state":{"type":"string"},"place":{"type":"string"},"call":{"type":"string"},"quote":{"type":"string"}},` +
		`"required":["kind"]}}},"required":["claims"]}`)
}
