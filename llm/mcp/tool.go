package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
	plain  map[string]any        // the schema, as a model may see it
	schema *jsonschema.Resolved  // all of it
	params map[string]tool.Param // nil: a campaign has no words for them

	hostWords bool // a model sees no text of the server, see Options.Describe
}

// readTool takes in what a server says of a tool.
func readTool(t *sdk.Tool, o Options) (*serverTool, error) {
	out := &serverTool{name: strings.Clone(t.Name)}
	name := o.Prefix + t.Name
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, notInName) {
		return nil, fmt.Errorf("the name %q is not made of at most %d letters, digits, _ and -: choose another prefix", utf8text.Cut(name, 2*maxName), maxName)
	}
	whole, err := plainSchema(t.InputSchema)
	if err != nil {
		return nil, err
	}
	if _, out.schema, err = compileSchema(whole); err != nil {
		return nil, err
	}
	description, ours := o.Describe[t.Name]
	if out.hostWords = ours; !ours {
		description = cleaned(t.Description)
	}
	if out.plain, err = shownSchema(whole, ours); err != nil {
		return nil, err
	}
	parameters, _, err := compileSchema(out.plain)
	if err != nil {
		return nil, err
	}
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
	err := t.schema.Validate(given)
	if err != nil && t.hostWords { // the error quotes the schema
		return errors.New("they do not fit the schema of the tool: see its description")
	}
	return err
}

// cleaned is a text of a server for a prompt: without characters that cannot be seen, and
// not long.
func cleaned(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unseen(r):
			return -1
		}
		return r
	}, utf8text.Cut(text, 8*maxDescription))
	return strings.Clone(utf8text.Cut(strings.TrimSpace(text), maxDescription)) // the list of tools is not kept
}

// unseen reports whether a character cannot be seen, so that a person who reads a text and a model do not
// read the same.
func unseen(r rune) bool {
	switch {
	case !unicode.IsGraphic(r), r == utf8.RuneError:
		return true
	case unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return true
	}
	return r == '\u2800' // a pattern of Braille without dots
}
