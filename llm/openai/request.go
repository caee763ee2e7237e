package openai

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/llm"
)

// members are the members of one JSON object. encoding/json sorts them by name, so equal requests
// have equal bytes.
type members = map[string]any

var errNoModel = errors.New("no model is named, neither in the request nor in Config.Model")

// newBody returns a body with the extra members and the model.
func newBody(req llm.Request, config Config) (members, error) {
	if req.Model == "" {
		return nil, errNoModel
	}
	body := members{}
	// From general to specific, so that the specific value takes precedence.
	addExtra(body, config.Body)
	addExtra(body, req.Extra)
	addExtra(body, req.Options.Extra)
	body["model"] = req.Model
	return body, nil
}

// encodeRequest encodes the body of a request. Typed fields are set last, so they take precedence
// over extra members of the same name.
func encodeRequest(req llm.Request, config Config) ([]byte, error) {
	body, err := newBody(req, config)
	if err != nil {
		return nil, err
	}
	addStream(body, config)
	messages := make([]members, len(req.Messages))
	var problems []error
	for i, m := range req.Messages {
		messages[i] = encodeMessage(m, config.Reasoning)
		for j, image := range m.Images {
			if err := checkImage(image); err != nil {
				problems = append(problems, fmt.Errorf("messages[%d].images[%d]: %w", i, j, err))
			}
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	body["messages"] = messages
	config.PrefillMarks.mark(body, messages, req.Messages)
	if len(req.Tools) > 0 {
		tools := make([]members, len(req.Tools))
		for i, tool := range req.Tools {
			if len(tool.Parameters) > 0 && !json.Valid(tool.Parameters) {
				return nil, fmt.Errorf("the parameters of tool %q are not JSON", tool.Name)
			}
			tools[i] = encodeTool(tool)
		}
		body["tools"] = tools
	}
	return finishBody(body, req.Options, config)
}

// encodeCompletion encodes the body of a text completion.
func encodeCompletion(req llm.Request, prompt string, config Config) ([]byte, error) {
	body, err := newBody(req, config)
	if err != nil {
		return nil, err
	}
	body["prompt"] = prompt
	addStream(body, config)
	req.Options.ToolChoice = ""
	return finishBody(body, req.Options, config)
}

func addStream(body members, config Config) {
	body["stream"] = true
	if config.NoStreamOptions {
		delete(body, "stream_options")
	} else {
		body["stream_options"] = members{"include_usage": true}
	}
}

// finishBody adds the options and encodes the body.
func finishBody(body members, o llm.Options, config Config) ([]byte, error) {
	options := members{}
	addOptions(options, o)
	if err := addFormat(options, o.Format, config.JSON); err != nil {
		return nil, err
	}
	for name, value := range options {
		if other, ok := config.Names[name]; ok {
			name = other
		}
		if name != "" {
			body[name] = value
		}
	}
	return json.Marshal(body)
}

// addOptions sets the members of the options that are set. The provider's defaults apply to the
// others.
func addOptions(body members, o llm.Options) {
	give(body, "temperature", o.Temperature)
	give(body, "top_p", o.TopP)
	give(body, "max_tokens", o.MaxTokens)
	give(body, "seed", o.Seed)
	if len(o.Stop) > 0 {
		body["stop"] = o.Stop
	}
	give(body, "top_k", o.TopK)
	give(body, "min_p", o.MinP)
	give(body, "frequency_penalty", o.FrequencyPenalty)
	give(body, "presence_penalty", o.PresencePenalty)
	give(body, "repetition_penalty", o.RepetitionPenalty)
	if o.ReasoningEffort != "" {
		body["reasoning_effort"] = o.ReasoningEffort
	}
	switch o.ToolChoice {
	case "":
	case "auto", "none", "required":
		body["tool_choice"] = o.ToolChoice
	default:
		body["tool_choice"] = members{"type": "function", "function": members{"name": o.ToolChoice}}
	}
}

// give sets a member to *value, if value is not nil.
func give[T any](body members, name string, value *T) {
	if value != nil {
		body[name] = *value
	}
}

// addFormat requests JSON in the way that the server supports.
func addFormat(body members, format *llm.Format, mode JSONMode) error {
	switch {
	case format == nil || mode == JSONNone:
		return nil
	case len(format.Schema) > 0 && !json.Valid(format.Schema):
		return errors.New("the schema of Options.Format is not JSON")
	case mode == JSONObject || len(format.Schema) == 0:
		body["response_format"] = members{"type": "json_object"}
	default:
		schema := members{"name": cmp.Or(format.Name, "reply"), "schema": format.Schema}
		var root struct{ Type any }
		if json.Unmarshal(format.Schema, &root) == nil && root.Type == "object" && isStrict(format.Schema) {
			schema["strict"] = true
		}
		body["response_format"] = members{"type": "json_schema", "json_schema": schema}
	}
	return nil
}

// isStrict reports whether OpenAI accepts a part of a schema in strict mode: each object requires all
// of its members and excludes others. The whole schema must be an object. OpenAI refuses the whole
// request otherwise.
func isStrict(schema json.RawMessage) bool {
	var s struct {
		Type                 any                        `json:"type"`
		Properties           map[string]json.RawMessage `json:"properties"`
		Required             []string                   `json:"required"`
		AdditionalProperties any                        `json:"additionalProperties"`
		Items                json.RawMessage            `json:"items"`
		AnyOf                []json.RawMessage          `json:"anyOf"`
		Defs                 map[string]json.RawMessage `json:"$defs"`
		Definitions          map[string]json.RawMessage `json:"definitions"`
		// Keywords that strict mode does not have.
		AllOf             any `json:"allOf"`
		OneOf             any `json:"oneOf"`
		Not               any `json:"not"`
		If                any `json:"if"`
		PatternProperties any `json:"patternProperties"`
		PrefixItems       any `json:"prefixItems"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return false
	}
	for _, keyword := range []any{s.AllOf, s.OneOf, s.Not, s.If, s.PatternProperties, s.PrefixItems} {
		if keyword != nil {
			return false
		}
	}
	types, _ := s.Type.([]any)
	if s.Type == "object" || slices.Contains(types, any("object")) || s.Properties != nil {
		if s.AdditionalProperties != false {
			return false
		}
		for name := range s.Properties {
			if !slices.Contains(s.Required, name) {
				return false
			}
		}
	}
	parts := slices.Concat(s.AnyOf, slices.Collect(maps.Values(s.Properties)),
		slices.Collect(maps.Values(s.Defs)), slices.Collect(maps.Values(s.Definitions)))
	if s.Items != nil {
		parts = append(parts, s.Items)
	}
	return !slices.ContainsFunc(parts, func(part json.RawMessage) bool { return !isStrict(part) })
}

// checkImage returns an error for an image that cannot be sent.
func checkImage(image llm.Image) error {
	switch {
	case (len(image.Data) > 0) == (image.URL != ""):
		return errors.New("an image has either Data or URL")
	case len(image.Data) > 0 && !strings.HasPrefix(image.MIME, "image/"):
		return fmt.Errorf("the MIME type %q is not an image type", image.MIME)
	}
	return nil
}

// encodeContent encodes a text and its images as a list of parts.
func encodeContent(m llm.Message) []members {
	var parts []members
	if m.Text != "" {
		parts = append(parts, members{"type": "text", "text": m.Text})
	}
	for _, image := range m.Images {
		inner := members{}
		addExtra(inner, image.Extra)
		inner["url"] = image.URL
		if len(image.Data) > 0 {
			inner["url"] = "data:" + image.MIME + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
		}
		parts = append(parts, members{"type": "image_url", "image_url": inner})
	}
	return parts
}

// encodeMessage encodes one message. Of its thinking, only the part that the server wants back is
// sent: other servers refuse thinking or count it against the context.
func encodeMessage(m llm.Message, reasoning string) members {
	out := members{}
	addExtra(out, m.Extra)
	addThoughts(out, m, reasoning)
	out["role"] = m.Role
	out["content"] = m.Text
	if len(m.Images) > 0 {
		out["content"] = encodeContent(m)
	}
	if m.Name != "" {
		out["name"] = m.Name
	}
	if m.ToolCallID != "" {
		out["tool_call_id"] = m.ToolCallID
	}
	if len(m.ToolCalls) == 0 {
		return out
	}
	if m.Text == "" && len(m.Images) == 0 {
		out["content"] = nil // some servers treat "" as an answer
	}
	calls := make([]members, len(m.ToolCalls))
	for i, c := range m.ToolCalls {
		call := members{}
		addExtra(call, c.Extra)
		call["type"] = "function"
		call["id"] = c.ID
		call["function"] = members{"name": c.Name, "arguments": argumentsOf(c)}
		calls[i] = call
	}
	out["tool_calls"] = calls
	return out
}

// argumentsOf returns the arguments of an earlier call as the JSON text of an object. A text that is
// not an object becomes the member "arguments" of one. Servers that parse the arguments refuse the
// request otherwise, and then the model cannot correct its call.
func argumentsOf(c llm.ToolCall) string {
	text := strings.TrimSpace(c.Arguments)
	switch {
	case text == "":
		return "{}"
	case text[0] == '{' && json.Valid([]byte(text)):
		return c.Arguments
	}
	wrapped, _ := json.Marshal(map[string]string{"arguments": c.Arguments}) // a text has no error
	return string(wrapped)
}

// encodeTool encodes one tool. A tool without parameters gets an empty schema, which strict servers
// require.
func encodeTool(t llm.ToolSpec) members {
	function := members{
		"name":       t.Name,
		"parameters": json.RawMessage(`{"type":"object","properties":{}}`),
	}
	addExtra(function, t.Extra)
	function["name"] = t.Name
	if t.Description != "" {
		function["description"] = t.Description
	}
	if len(t.Parameters) > 0 {
		function["parameters"] = t.Parameters
	}
	return members{"type": "function", "function": function}
}

// addExtra sets members that have no typed field. Later calls take precedence.
func addExtra(out members, extra map[string]json.RawMessage) {
	for name, raw := range maps.All(extra) {
		out[name] = raw
	}
}
