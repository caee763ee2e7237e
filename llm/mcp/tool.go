package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// serverTool is an allowed tool, as it was when the client connected. It is immutable.
type serverTool struct {
	name   string // the server's
	spec   llm.ToolSpec
	plain  map[string]any // the schema
	schema *jsonschema.Resolved
	params map[string]tool.Param // nil: a campaign has no words for them
}

// readTool takes in what a server says of a tool.
func readTool(t *sdk.Tool, o Options) (*serverTool, error) {
	out := &serverTool{name: t.Name}
	name := o.Prefix + t.Name
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, notInName) {
		return nil, fmt.Errorf("the name %q is not made of at most %d letters, digits, _ and -: choose another prefix", utf8text.Cut(name, 2*maxName), maxName)
	}
	var err error
	if out.plain, err = plainSchema(t.InputSchema); err != nil {
		return nil, err
	}
	description, ours := o.Describe[t.Name]
	if !ours {
		description = cleaned(t.Description)
	}
	out.plain = described(out.plain, !ours, false).(map[string]any)
	parameters, schema, err := compileSchema(out.plain)
	if err != nil {
		return nil, err
	}
	out.schema = schema
	out.spec = llm.ToolSpec{Name: name, Description: description, Parameters: parameters}
	return out, nil
}

// notInName reports what providers of models do not take in the name of a tool.
func notInName(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
}

// check says what is wrong with arguments.
func (t *serverTool) check(arguments json.RawMessage) error {
	// Whoever checks them, and whoever writes down what is wrong with them, goes all the way down.
	if openjson.Deeper(arguments, tree.MaxNesting) {
		return fmt.Errorf("they are nested deeper than %d levels", tree.MaxNesting)
	}
	var given map[string]any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	if err := decoder.Decode(&given); err != nil || given == nil || decoder.More() {
		return errors.New("they are no JSON object")
	}
	return t.schema.Validate(given)
}

// described cleans the texts for models in a schema, or takes them out. Titles go.
func described(v any, keep, names bool) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = described(v[i], keep, false)
		}
		return out
	case map[string]any:
		out := maps.Clone(v)
		for key, member := range out {
			text, isText := member.(string)
			switch {
			case !names && key == "description" && keep && isText:
				out[key] = cleaned(text)
			case !names && (key == "description" || key == "title"):
				delete(out, key)
			case names || schemaKeys[key] || schemaLists[key] || schemaMaps[key]:
				out[key] = described(member, keep, !names && schemaMaps[key])
			}
		}
		return out
	}
	return v
}

// cleaned is a text of a server for a prompt: without characters that cannot be seen, and
// not long.
func cleaned(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case !unicode.IsGraphic(r) || r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	return utf8text.Cut(strings.TrimSpace(text), maxDescription)
}
