package llm

// Chunk is one piece of a streamed reply. The set is closed: [TextDelta],
// [ReasoningDelta], [Seal], [CallDelta], [UsageReport], [Warning] and [Done].
type Chunk interface {
	// chunk returns the member "type" of its JSON, see [Chunks].
	chunk() string
}

// TextDelta is the next part of the reply's text.
type TextDelta struct {
	Text string `json:"text"`
}

// ReasoningDelta is the next part of the model's thinking. It never becomes
// part of the reply's text.
type ReasoningDelta struct {
	Text string `json:"text"`
}

// Seal ends the thinking since the last seal. It holds data that the provider wants back, together
// with that thinking, in the next request of the same turn. Only the adapter that made a seal reads
// it. A [Collector] makes a [Thought] of the thinking and its seal.
type Seal struct {
	Provider  string `json:"provider"`            // the adapter's name, such as anthropic
	Signature string `json:"signature,omitempty"` // proves that the thinking comes from the provider
	Redacted  string `json:"redacted,omitempty"`  // thinking that only the provider can read
}

// CallDelta is a part of a tool call. The first delta of a call has its name. The Arguments of all
// deltas with one Index are concatenated.
type CallDelta struct {
	Index     int    `json:"index"` // index of the call in the reply, from 0
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Signature string `json:"signature,omitempty"` // see [ToolCall]
}

// UsageReport contains the provider's token counts; the last report of a reply counts.
type UsageReport struct {
	Usage Usage `json:"usage"`
}

// Warning reports a problem that did not stop the reply but that a host wants to know, such as a
// server that truncated the prompt.
type Warning struct {
	Code   string `json:"code"`
	Detail string `json:"detail,omitempty"`
}

// Done is the last chunk of a complete reply.
type Done struct {
	Reason FinishReason `json:"reason"`
}

// FinishReason says why a reply ended.
type FinishReason string

// The reasons for the end of a reply. Adapters map the reasons of their provider to these. Other
// reasons are passed on unchanged.
const (
	FinishStop          FinishReason = "stop"
	FinishLength        FinishReason = "length" // the token limit was reached
	FinishToolCalls     FinishReason = "tool_calls"
	FinishContentFilter FinishReason = "content_filter"
)

func (TextDelta) chunk() string      { return "text" }
func (ReasoningDelta) chunk() string { return "reasoning" }
func (Seal) chunk() string           { return "seal" }
func (CallDelta) chunk() string      { return "call" }
func (UsageReport) chunk() string    { return "usage" }
func (Warning) chunk() string        { return "warning" }
func (Done) chunk() string           { return "done" }
