package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/modeltext"
	"github.com/talewright/talewright/internal/utf8text"
)

// Shape describes the reply that [Ask] wants.
type Shape[T any] struct {
	// Name is sent to providers that require a name; letters, digits, - and _.
	Name string
	// Schema is the JSON Schema of the reply. Ask refuses a reply that lacks a required member, or
	// that has a value of the wrong type or outside an enum. Empty: any JSON object. Without
	// Decode, the object must not be empty either.
	Schema json.RawMessage
	// Decode reads the JSON and refuses a wrong reply; the model sees its error. nil:
	// encoding/json, which refuses unknown members.
	Decode func(data []byte) (T, error)
	// Attempts is the total number of requests to the model. 0 means 3.
	Attempts int
}

// Limits in bytes of the reply and of the error that are sent back to a model for its next attempt.
const (
	maxShown   = 8 << 10
	maxProblem = 1 << 10
)

// emptyReply stands for a reply without a text, such as a reply that only thinks. Some providers refuse
// an empty message.
const emptyReply = "(empty)"

// Ask asks the model for a value instead of a text.
//
//  1. The schema is sent in Options.Format, for providers that support it, and in words after the
//     last message of the user, for the other providers.
//  2. The JSON is extracted from fences and prose. Common errors in the JSON of models are repaired
//     (trailing commas, single quotes, names without quotes, comments, missing ends), if the result
//     then fits the schema and Decode.
//  3. A reply that does not fit is sent back with the reason, for up to shape.Attempts attempts in
//     total.
//
// The response is the last one; its usage is the sum of all attempts. If no reply fits, the error
// is an [*Error] with CodeMalformed that wraps the last error of Decode. Ask returns an error of
// the model unchanged.
func Ask[T any](ctx context.Context, m Model, req Request, shape Shape[T]) (T, Response, error) {
	var zero T
	req = req.Clone()
	req.Options.Format = &Format{Name: shape.Name, Schema: bytes.Clone(shape.Schema)}
	req.Messages = instruct(req.Messages, shape.Schema)
	var spent *Usage
	attempts := cmp.Or(max(shape.Attempts, 0), 3)
	for attempt := 1; ; attempt++ {
		resp, err := Collect(m.Generate(ctx, req))
		spent = addUsage(spent, resp.Usage)
		resp.Usage = spent
		if err != nil {
			return zero, resp, err
		}
		value, err := shape.read(resp.Message.Text)
		switch {
		case err == nil:
			return value, resp, nil
		case attempt >= attempts:
			return zero, resp, &Error{
				Code: CodeMalformed, Retry: true, Err: err,
				Message: fmt.Sprintf("all %d replies lack the requested JSON", attempts),
			}
		}
		req.Messages = append(req.Messages,
			Message{Role: Assistant, Text: cmp.Or(cut(strings.TrimSpace(resp.Message.Text), maxShown), emptyReply)},
			Message{Role: User, Text: "That does not fit: " + cut(err.Error(), maxProblem) +
				"\nAnswer again, with the whole JSON and nothing else."})
	}
}

// instruct adds the instruction in words after the last message of the user.
func instruct(messages []Message, schema json.RawMessage) []Message {
	text := "Answer with one JSON object and nothing else."
	if len(schema) > 0 {
		text = "Answer with one JSON value and nothing else. It has to fit this JSON Schema:\n" + string(schema)
	}
	if n := len(messages); n > 0 && messages[n-1].Role == User {
		messages[n-1].Text += "\n\n" + text
		return messages
	}
	return append(slices.Clip(messages), Message{Role: User, Text: text})
}

// read finds the value in a reply. The error is the error of the most likely candidate.
func (s Shape[T]) read(text string) (T, error) {
	decode := s.Decode
	if decode == nil {
		decode = decodeStrict[T]
	}
	var first error
	for candidate := range modeltext.Candidates(text) {
		if !json.Valid([]byte(candidate)) || isEmpty(candidate) && !emptyValue.MatchString(text) {
			continue // a bracket in prose, repaired to JSON, is not an answer
		}
		err := s.fits([]byte(candidate))
		if err == nil {
			var value T
			if value, err = decode(withoutFractions(candidate)); err == nil {
				return value, nil
			}
		}
		first = cmp.Or(first, err)
	}
	var zero T
	return zero, cmp.Or(first, errors.New("there is no JSON in the reply"))
}

// withoutFractions writes numbers such as 1.0 as 1 in a JSON text: models write whole numbers so, and
// encoding/json reads them into no integer.
func withoutFractions(text string) []byte {
	return []byte(stringOrFraction.ReplaceAllStringFunc(text, func(part string) string {
		if strings.Trim(part, ".0") == "" {
			return ""
		}
		return part
	}))
}

// stringOrFraction matches a string of a JSON text, or the fraction of a number and the sign of an
// exponent after it.
var stringOrFraction = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\.[0-9]+[eE]?`)

// emptyValue matches an empty object or list in the notation of a model.
var emptyValue = regexp.MustCompile(`\{\s*\}|\[\s*\]`)

// isEmpty reports whether a JSON text is an empty object or list.
func isEmpty(text string) bool { return emptyValue.FindString(text) == strings.TrimSpace(text) }

// fits returns an error if a JSON text does not fit the schema.
func (s Shape[T]) fits(data []byte) error {
	if len(s.Schema) > 0 {
		var value any
		if err := json.Unmarshal(data, &value); err != nil {
			return err
		}
		return checkSchema("", s.Schema, value)
	}
	var object map[string]json.RawMessage
	if s.Decode == nil && (json.Unmarshal(data, &object) != nil || len(object) == 0) {
		return errors.New("the reply has to be a JSON object with members")
	}
	return nil
}

// checkSchema returns the first difference between a value and its JSON Schema: in its type, its
// required members or its enum, and the same in nested values. Other keywords are not checked. A
// schema that cannot be read refuses nothing.
func checkSchema(at string, schema json.RawMessage, value any) error {
	var s struct {
		Type       json.RawMessage            `json:"type"`
		Required   []string                   `json:"required"`
		Properties map[string]json.RawMessage `json:"properties"`
		Items      json.RawMessage            `json:"items"`
		Enum       []any                      `json:"enum"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	place := cmp.Or(strings.TrimPrefix(at, "."), "the reply")
	var types []string
	if json.Unmarshal(s.Type, &types) != nil {
		types = make([]string, 1)
		_ = json.Unmarshal(s.Type, &types[0])
	}
	if len(types) > 0 && !slices.ContainsFunc(types, func(name string) bool { return name == "" || isType(value, name) }) {
		return fmt.Errorf("%s: write a value of type %s", place, strings.Join(types, " or "))
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(one any) bool { return reflect.DeepEqual(one, value) }) {
		allowed, _ := json.Marshal(s.Enum) // it was JSON before
		return fmt.Errorf("%s: write one of %s", place, allowed)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := value[name]; !ok {
				return fmt.Errorf("%s: missing; add it", strings.TrimPrefix(at+"."+name, "."))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if member, ok := value[name]; ok {
				if err := checkSchema(at+"."+name, s.Properties[name], member); err != nil {
					return err
				}
			}
		}
	case []any:
		for i, item := range value {
			if err := checkSchema(fmt.Sprintf("%s[%d]", at, i), s.Items, item); err != nil {
				return err
			}
		}
	}
	return nil
}

// isType reports whether a value of encoding/json has a type of JSON Schema.
func isType(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return true
}

func decodeStrict[T any](data []byte) (T, error) {
	var value T
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	err := in.Decode(&value)
	return value, err
}

// addUsage adds the counts of two replies; nil means that the provider reported no usage.
func addUsage(a, b *Usage) *Usage {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return &Usage{
		PromptTokens: a.PromptTokens + b.PromptTokens, CompletionTokens: a.CompletionTokens + b.CompletionTokens,
		CachedTokens: a.CachedTokens + b.CachedTokens, CacheWriteTokens: a.CacheWriteTokens + b.CacheWriteTokens, ReasoningTokens: a.ReasoningTokens + b.ReasoningTokens,
	}
}

// cut shortens a text to at most limit bytes, between characters.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return utf8text.Cut(text, limit) + "…"
}
