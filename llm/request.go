package llm

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
)

// Request is the complete input of a model for one reply. Its JSON form is stable: two equal
// requests have equal bytes. Recordings use these bytes as keys.
type Request struct {
	Model    string     `json:"model,omitempty"` // the provider's model name; empty: the adapter's default
	Messages []Message  `json:"messages"`
	Tools    []ToolSpec `json:"tools,omitempty"`
	Options  Options    `json:"options,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Options are the sampling settings. A nil pointer means "not set": the provider's default applies.
// Zero is a normal value.
type Options struct {
	Temperature *float64 `json:"temperature,omitempty"` // usually 0 to 2
	TopP        *float64 `json:"top_p,omitempty"`       // 0 to 1
	MaxTokens   *int     `json:"max_tokens,omitempty"`  // limit of the reply, in tokens
	Seed        *int64   `json:"seed,omitempty"`
	Stop        []string `json:"stop,omitempty"` // texts that end the reply

	TopK              *int     `json:"top_k,omitempty"`              // candidates for each token
	MinP              *float64 `json:"min_p,omitempty"`              // minimum probability, relative to the best candidate
	FrequencyPenalty  *float64 `json:"frequency_penalty,omitempty"`  // usually -2 to 2
	PresencePenalty   *float64 `json:"presence_penalty,omitempty"`   // usually -2 to 2
	RepetitionPenalty *float64 `json:"repetition_penalty,omitempty"` // 1 means no penalty
	// ReasoningEffort is how much a model may think: low, medium, high, or a different word of the
	// provider.
	ReasoningEffort string `json:"reasoning_effort,omitempty"`
	// ToolChoice is auto, none, required, or the name of the one tool to call.
	ToolChoice string `json:"tool_choice,omitempty"`
	// Format requests a JSON reply. nil: text.
	Format *Format `json:"format,omitempty"`

	// Extra holds unknown JSON members, kept. Adapters may pass them on. Use it only for names that
	// have no field here: in the JSON form the field takes precedence.
	Extra map[string]json.RawMessage `json:"-"`
}

// IsZero reports whether no option is set.
func (o Options) IsZero() bool {
	return o.Temperature == nil && o.TopP == nil && o.MaxTokens == nil &&
		o.Seed == nil && len(o.Stop) == 0 && o.TopK == nil && o.MinP == nil &&
		o.FrequencyPenalty == nil && o.PresencePenalty == nil && o.RepetitionPenalty == nil &&
		o.ReasoningEffort == "" && o.ToolChoice == "" && o.Format == nil && len(o.Extra) == 0
}

// Format describes the JSON that the reply must be. Without a Schema any JSON object is accepted.
// Providers differ in how strictly they follow it; see [Ask].
type Format struct {
	Name   string          `json:"name,omitempty"` // letters, digits, - and _; empty: "reply"
	Schema json.RawMessage `json:"schema,omitempty"`
}

// Usage has the provider's token counts for one request and reply.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	CachedTokens     int `json:"cached_tokens,omitempty"`      // part of PromptTokens read from a cache
	CacheWriteTokens int `json:"cache_write_tokens,omitempty"` // part of PromptTokens written to it
	ReasoningTokens  int `json:"reasoning_tokens,omitempty"`   // part of CompletionTokens

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Clone returns a copy that shares no slice, map or pointer with r.
func (r Request) Clone() Request {
	r.Messages = slices.Clone(r.Messages)
	for i, m := range r.Messages {
		r.Messages[i] = m.Clone()
	}
	r.Tools = slices.Clone(r.Tools)
	for i, t := range r.Tools {
		r.Tools[i].Parameters = bytes.Clone(t.Parameters)
		r.Tools[i].Extra = openjson.Clone(t.Extra)
	}
	o := &r.Options
	o.Temperature = clonePointer(o.Temperature)
	o.TopP = clonePointer(o.TopP)
	o.MaxTokens = clonePointer(o.MaxTokens)
	o.Seed = clonePointer(o.Seed)
	o.Stop = slices.Clone(o.Stop)
	o.TopK = clonePointer(o.TopK)
	o.MinP = clonePointer(o.MinP)
	o.FrequencyPenalty = clonePointer(o.FrequencyPenalty)
	o.PresencePenalty = clonePointer(o.PresencePenalty)
	o.RepetitionPenalty = clonePointer(o.RepetitionPenalty)
	if o.Format != nil {
		o.Format = &Format{Name: o.Format.Name, Schema: bytes.Clone(o.Format.Schema)}
	}
	o.Extra = openjson.Clone(o.Extra)
	r.Extra = openjson.Clone(r.Extra)
	return r
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// MarshalJSON writes the known fields first, then the unknown fields. A request
// without messages has an empty list, never null.
func (r Request) MarshalJSON() ([]byte, error) {
	if r.Messages == nil {
		r.Messages = []Message{}
	}
	return openjson.Write(r)
}

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (r *Request) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// MarshalJSON writes the known fields first, then the unknown fields.
func (o Options) MarshalJSON() ([]byte, error) { return openjson.Write(o) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (o *Options) UnmarshalJSON(data []byte) error { return openjson.Read(data, o) }

// MarshalJSON writes the known fields first, then the unknown fields.
func (u Usage) MarshalJSON() ([]byte, error) { return openjson.Write(u) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (u *Usage) UnmarshalJSON(data []byte) error { return openjson.Read(data, u) }
