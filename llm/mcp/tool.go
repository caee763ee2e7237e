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

// serverTool is an allowed tool, as it was at the time of Connect. It is immutable.
type serverTool struct {
	name   string // the server's name
	spec   llm.ToolSpec
	plain  map[string]any        // the part of the schema that a model may see
	schema *jsonschema.Resolved  // the whole schema
	params map[string]tool.Param // nil: a campaign cannot express them

	hostWords bool // the model sees no text of the server, see Options.Describe
}

// readTool converts a tool of the server.
func readTool(t *sdk.Tool, o Options) (*serverTool, error) {
	out := &serverTool{name: strings.Clone(t.Name)}
	name := o.Prefix + t.Name
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, notInName) {
		return nil, fmt.Errorf("the name %q is not made of at most %d letters, digits, _ and -: choose a different prefix", utf8text.Cut(name, 2*maxName), maxName)
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

// notInName reports whether a character is not allowed in the name of a tool by model providers.
func notInName(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
}

// check returns an error for invalid arguments.
func (t *serverTool) check(arguments json.RawMessage) error {
	// Checking the arguments, and writing the error, recurse through all levels.
	if openjson.Deeper(arguments, tree.MaxNesting) {
		return fmt.Errorf("they are nested deeper than %d levels", tree.MaxNesting)
	}
	var given map[string]any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	if err := decoder.Decode(&given); err != nil || given == nil || decoder.More() {
		return errors.New("they are not a JSON object")
	}
	err := t.schema.Validate(given)
	if err != nil && t.hostWords { // the error quotes the schema
		return errors.New("they do not fit the schema of the tool: see its description")
	}
	return err
}

// cleaned returns a text of a server for a prompt: without invisible characters, and truncated.
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
	return strings.Clone(utf8text.Cut(strings.TrimSpace(text), maxDescription)) // the list of tools must not stay in memory
}

// unseen reports whether a character is invisible, so that a person and a model would read
// different texts.
func unseen(r rune) bool {
	switch {
	case !unicode.IsGraphic(r), r == utf8.RuneError:
		return true
	case unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return true
	}
	return r == '\u2800' // the Braille pattern without dots
}
