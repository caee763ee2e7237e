package openjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// File returns the JSON text of a file that a person wrote or saved. It removes the byte order mark
// that some editors write at the beginning. The error gives the line, and the byte in that line,
// where the text is not JSON, or says how the file must be saved.
func File(data []byte) (json.RawMessage, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, errors.New("the file is UTF-16: save it as UTF-8")
	}
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("the file is empty")
	}
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			before := text[:min(int(syntax.Offset), len(text))]
			line := bytes.Count(before[:max(len(before)-1, 0)], []byte("\n"))
			column := len(before) - 1 - bytes.LastIndexByte(before[:max(len(before)-1, 0)], '\n')
			return nil, fmt.Errorf("line %d, byte %d: %w", line+1, column, err)
		}
		return nil, err
	}
	return text, nil
}
