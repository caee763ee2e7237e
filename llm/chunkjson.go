package llm

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/internal/openjson"
)

// The values of the "type" member that identifies a chunk in JSON.
const (
	tagText      = "text"
	tagReasoning = "reasoning"
	tagSeal      = "seal"
	tagCall      = "call"
	tagUsage     = "usage"
	tagWarning   = "warning"
	tagDone      = "done"
)

// Chunks is a list of chunks with a JSON form: an array of objects. Their "type" is text,
// reasoning, seal, call, usage, warning or done; their other members are the fields of the chunk.
// Recordings store replies in this form.
type Chunks []Chunk

// MarshalJSON writes the list as an array; a nil list as an empty one.
func (c Chunks) MarshalJSON() ([]byte, error) {
	raw := make([]json.RawMessage, len(c))
	for i, chunk := range c {
		data, err := marshalChunk(chunk)
		if err != nil {
			return nil, fmt.Errorf("chunk %d: %w", i, err)
		}
		raw[i] = data
	}
	return openjson.Marshal(raw)
}

// UnmarshalJSON reads the form that MarshalJSON writes. The error contains the position of the
// first chunk that cannot be read. On an error the receiver does not change.
func (c *Chunks) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	var chunks Chunks
	if raw != nil {
		chunks = make(Chunks, 0, len(raw))
	}
	for i, item := range raw {
		chunk, err := unmarshalChunk(item)
		if err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
		chunks = append(chunks, chunk)
	}
	*c = chunks
	return nil
}

// marshalChunk writes one chunk as a JSON object with a "type" member. A nil
// chunk, or a pointer to a chunk, is an error.
func marshalChunk(chunk Chunk) ([]byte, error) {
	type tag struct {
		Type string `json:"type"`
	}
	switch c := chunk.(type) {
	case TextDelta:
		return openjson.Marshal(struct {
			tag
			TextDelta
		}{tag{tagText}, c})
	case ReasoningDelta:
		return openjson.Marshal(struct {
			tag
			ReasoningDelta
		}{tag{tagReasoning}, c})
	case Seal:
		return openjson.Marshal(struct {
			tag
			Seal
		}{tag{tagSeal}, c})
	case CallDelta:
		return openjson.Marshal(struct {
			tag
			CallDelta
		}{tag{tagCall}, c})
	case UsageReport:
		return openjson.Marshal(struct {
			tag
			UsageReport
		}{tag{tagUsage}, c})
	case Warning:
		return openjson.Marshal(struct {
			tag
			Warning
		}{tag{tagWarning}, c})
	case Done:
		return openjson.Marshal(struct {
			tag
			Done
		}{tag{tagDone}, c})
	}
	return nil, fmt.Errorf("llm: %T is not a chunk", chunk)
}

// unmarshalChunk reads the form that [marshalChunk] writes. Members that the type does not have are
// ignored; an unknown type is an error.
func unmarshalChunk(data []byte) (Chunk, error) {
	var tag struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &tag); err != nil {
		return nil, fmt.Errorf("llm: a chunk is a JSON object with a \"type\": %w", err)
	}
	switch tag.Type {
	case tagText:
		return decodeChunk[TextDelta](data)
	case tagReasoning:
		return decodeChunk[ReasoningDelta](data)
	case tagSeal:
		return decodeChunk[Seal](data)
	case tagCall:
		return decodeChunk[CallDelta](data)
	case tagUsage:
		return decodeChunk[UsageReport](data)
	case tagWarning:
		return decodeChunk[Warning](data)
	case tagDone:
		return decodeChunk[Done](data)
	}
	return nil, fmt.Errorf("llm: unknown chunk type %q; known are %s, %s, %s, %s, %s, %s and %s",
		tag.Type, tagText, tagReasoning, tagSeal, tagCall, tagUsage, tagWarning, tagDone)
}

func decodeChunk[T Chunk](data []byte) (Chunk, error) {
	var chunk T
	if err := json.Unmarshal(data, &chunk); err != nil {
		return nil, fmt.Errorf("llm: %T: %w", chunk, err)
	}
	return chunk, nil
}
