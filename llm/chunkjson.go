package llm

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/talewright/talewright/internal/openjson"
)

// chunkKinds are the readers of the types of chunks, by the member "type" of their JSON.
var chunkKinds = map[string]func(data []byte) (Chunk, error){
	"text": decodeChunk[TextDelta], "reasoning": decodeChunk[ReasoningDelta], "seal": decodeChunk[Seal],
	"call": decodeChunk[CallDelta], "usage": decodeChunk[UsageReport], "warning": decodeChunk[Warning],
	"done": decodeChunk[Done],
}

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
	if chunk == nil || reflect.TypeOf(chunk).Kind() == reflect.Pointer {
		return nil, fmt.Errorf("llm: %T is not a chunk", chunk)
	}
	body, err := openjson.Marshal(chunk)
	if err != nil {
		return nil, err
	}
	return openjson.Tagged("type", chunk.chunk(), body), nil
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
	if decode := chunkKinds[tag.Type]; decode != nil {
		return decode(data)
	}
	return nil, fmt.Errorf("llm: unknown chunk type %q; known are text, reasoning, seal, call, usage, warning and done", tag.Type)
}

func decodeChunk[T Chunk](data []byte) (Chunk, error) {
	var chunk T
	if err := json.Unmarshal(data, &chunk); err != nil {
		return nil, fmt.Errorf("llm: %T: %w", chunk, err)
	}
	return chunk, nil
}
