package authoring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// jsonReader reads the tokens of a JSON text and counts lines.
type jsonReader struct {
	*reading
	text   []byte
	tokens *json.Decoder
	at     int // the offset up to which the place is counted
	place  place
}

// parseJSON reads a JSON text. It returns nil if the text is not valid.
func (r *reading) parseJSON(data []byte) *node {
	text, err := openjson.File(data)
	if err != nil {
		at, what := place{1, 1}, err.Error()
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			j := jsonReader{text: bytes.TrimPrefix(data, []byte("\ufeff")), place: place{1, 1}}
			at, what = j.count(int(syntax.Offset)-1), syntax.Error()
		}
		r.add(nil, at, nil, talewright.Error, codeSyntax, "not valid JSON: %s; mend it there", what)
		return nil
	}
	j := &jsonReader{reading: r, text: text, tokens: json.NewDecoder(bytes.NewReader(text)), place: place{1, 1}}
	j.tokens.UseNumber()
	n, err := j.value(nil, 0)
	if err != nil {
		r.add(nil, j.place, nil, talewright.Error, codeSyntax, "%v", err)
		return nil
	}
	return n
}

// count moves the place to an offset.
func (j *jsonReader) count(offset int) place {
	offset = min(max(offset, j.at), len(j.text))
	piece := j.text[j.at:offset]
	if last := bytes.LastIndexByte(piece, '\n'); last >= 0 {
		j.place.line += bytes.Count(piece, []byte("\n"))
		j.place.column = 1
		piece = piece[last+1:]
	}
	j.place.column += utf8.RuneCount(piece)
	j.at = offset
	return j.place
}

// next returns the next token and where it begins.
func (j *jsonReader) next() (json.Token, place, error) {
	at := int(j.tokens.InputOffset())
	for at < len(j.text) && strings.IndexByte(" \t\r\n,:", j.text[at]) >= 0 {
		at++
	}
	token, err := j.tokens.Token()
	return token, j.count(at), err
}

// value reads the next value.
func (j *jsonReader) value(path *valuePath, depth int) (*node, error) {
	token, at, err := j.next()
	if err != nil {
		return nil, err
	}
	return j.rest(token, at, path, depth)
}

// rest reads the rest of a value that begins with a token.
func (j *jsonReader) rest(token json.Token, at place, path *valuePath, depth int) (*node, error) {
	n := &node{place: at}
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels; make it flatter", maxDepth)
	}
	switch t := token.(type) {
	case nil:
		n.kind = tree.KindNull
	case bool:
		n.kind, n.flag = tree.KindBool, t
	case json.Number:
		n.kind, n.text = tree.KindNumber, string(t)
	case string:
		n.kind, n.text = tree.KindText, t
	case json.Delim:
		if t == '[' {
			n.kind = tree.KindArray
			return n, j.elements(n, path, depth)
		}
		n.kind = tree.KindObject
		return n, j.members(n, path, depth)
	}
	return n, nil
}

// elements reads the elements of a list and its closing bracket.
func (j *jsonReader) elements(n *node, path *valuePath, depth int) error {
	for {
		token, at, err := j.next()
		if err != nil || token == json.Delim(']') {
			return err
		}
		part, err := j.rest(token, at, path.element(len(n.parts)), depth+1)
		if err != nil {
			return err
		}
		n.parts = append(n.parts, part)
	}
}

// members reads the members of an object and its closing brace.
func (j *jsonReader) members(n *node, path *valuePath, depth int) error {
	known := map[string]int{}
	for {
		token, at, err := j.next()
		if err != nil || token == json.Delim('}') {
			return err
		}
		name, _ := token.(string)
		part, err := j.value(path.member(name), depth+1)
		if err != nil {
			return err
		}
		j.member(n, known, key{name, at}, part, path)
	}
}
