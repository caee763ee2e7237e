package claimlist

import "encoding/json"

// ToolName is the tool by which a model may give its list, where it calls tools in its provider's
// form. It is none of the campaign's: it changes nothing, and is never judged.
const ToolName = "list_claims"

// Member is the member of a structured answer that holds the list, and of the tool's arguments.
const Member = "claims"

// Schema is the JSON Schema of the tool's arguments.
func Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"claims":{"type":"array","items":{"type":"object","properties":{` +
		`"kind":{"type":"string"},"who":{"type":"string"},"amount":{"type":"integer"},"value":{"type":"integer"},` +
		`"state":{"type":"string"},"place":{"type":"string"},"call":{"type":"string"},"quote":{"type":"string"}},` +
		`"required":["kind"]}}},"required":["claims"]}`)
}
