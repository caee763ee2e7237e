package eino

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
	"github.com/talewright/talewright/llm"
)

// Values without a field in Eino are stored in Extra under these keys. Eino joins the Extra of the
// pieces of a stream by appending texts, so the values are lines of JSON.
const (
	sealsKey     = "talewright_seals"
	warningsKey  = "talewright_warnings"
	signatureKey = "talewright_signature"
)

// provider is the provider name in thoughts of Eino models; see [llm.Thought].
const provider = "eino"

// line returns a value as a line of JSON.
func line(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "" // not reached: texts can be encoded as JSON
	}
	return string(data) + "\n"
}

// lines reads the values of a key; it skips invalid lines.
func lines[T any](extra map[string]any, key string) (out []T) {
	text, _ := extra[key].(string)
	for one := range strings.Lines(text) {
		var v T
		if json.Unmarshal([]byte(one), &v) == nil {
			out = append(out, v)
		}
	}
	return out
}

// sealsOf returns the seals of a piece of a reply. In a whole message, the seals are thoughts, with
// the text of their thinking.
func sealsOf(extra map[string]any) (out []llm.Seal) {
	for _, t := range lines[llm.Thought](extra, sealsKey) {
		out = append(out, llm.Seal{Provider: t.Provider, Signature: t.Signature, Redacted: t.Redacted})
	}
	return out
}

func warningsOf(extra map[string]any) []llm.Warning { return lines[llm.Warning](extra, warningsKey) }

// encode converts a request to Eino's types. The error lists everything that Eino cannot express.
func encode(req llm.Request) ([]*schema.Message, []model.Option, error) {
	var errs []error
	messages := make([]*schema.Message, len(req.Messages))
	for i, m := range req.Messages {
		var err error
		if messages[i], err = encodeMessage(m); err != nil {
			errs = append(errs, fmt.Errorf("eino: messages[%d]: %w", i, err))
		}
	}
	tools := make([]*schema.ToolInfo, len(req.Tools))
	for i, t := range req.Tools {
		var err error
		if tools[i], err = encodeTool(t); err != nil {
			errs = append(errs, fmt.Errorf("eino: tools[%d]: %w", i, err))
		}
	}
	return messages, encodeOptions(req, tools), errors.Join(errs...)
}

func encodeMessage(m llm.Message) (*schema.Message, error) {
	out := &schema.Message{Role: schema.RoleType(m.Role), Content: m.Text, Name: m.Name, ToolCallID: m.ToolCallID}
	if m.Role == llm.Tool {
		out.ToolName, out.Name = m.Name, ""
	}
	if len(m.Images) > 0 {
		if m.Role != llm.User {
			return nil, fmt.Errorf("images in a message of the role %q; only users have them", m.Role)
		}
		out.Content, out.UserInputMultiContent = "", imageParts(m)
	}
	for _, c := range m.ToolCalls {
		call := schema.ToolCall{ID: c.ID, Type: "function", Function: schema.FunctionCall{Name: c.Name, Arguments: c.Arguments}, Extra: encodeExtra(c.Extra)}
		if c.Signature != "" {
			call.Extra = with(call.Extra, signatureKey, c.Signature)
		}
		out.ToolCalls = append(out.ToolCalls, call)
	}
	out.Extra = encodeExtra(m.Extra)
	var thoughts strings.Builder
	for _, t := range m.Thoughts {
		if t.Provider == provider {
			out.ReasoningContent += t.Text
			continue
		}
		thoughts.WriteString(line(t))
	}
	if thoughts.Len() > 0 {
		out.Extra = with(out.Extra, sealsKey, thoughts.String())
	}
	return out, nil
}

func imageParts(m llm.Message) (parts []schema.MessageInputPart) {
	if m.Text != "" {
		parts = append(parts, schema.MessageInputPart{Type: schema.ChatMessagePartTypeText, Text: m.Text})
	}
	for _, image := range m.Images {
		common := schema.MessagePartCommon{MIMEType: image.MIME, Extra: encodeExtra(image.Extra)}
		if len(image.Data) > 0 {
			common.Base64Data = new(base64.StdEncoding.EncodeToString(image.Data))
		}
		if image.URL != "" {
			common.URL = new(image.URL)
		}
		parts = append(parts, schema.MessageInputPart{Type: schema.ChatMessagePartTypeImageURL,
			Image: &schema.MessageInputImage{MessagePartCommon: common}})
	}
	return parts
}

// with returns a copy of the map with one more member.
func with(m map[string]any, key string, value any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, m)
	out[key] = value
	return out
}

func encodeExtra(extra map[string]json.RawMessage) map[string]any {
	if len(extra) == 0 {
		return nil
	}
	out := make(map[string]any, len(extra))
	for name, raw := range extra {
		out[name] = slices.Clone(raw)
	}
	return out
}

func encodeTool(t llm.ToolSpec) (*schema.ToolInfo, error) {
	out := &schema.ToolInfo{Name: t.Name, Desc: t.Description, Extra: encodeExtra(t.Extra)}
	if len(t.Parameters) == 0 {
		return out, nil
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(t.Parameters, &s); err != nil {
		return nil, fmt.Errorf("parameters of %q: %w", t.Name, err)
	}
	out.ParamsOneOf = schema.NewParamsOneOfByJSONSchema(&s)
	return out, nil
}

func encodeOptions(req llm.Request, tools []*schema.ToolInfo) (out []model.Option) {
	o := req.Options
	if req.Model != "" {
		out = append(out, model.WithModel(req.Model))
	}
	if o.Temperature != nil {
		out = append(out, model.WithTemperature(float32(*o.Temperature)))
	}
	if o.TopP != nil {
		out = append(out, model.WithTopP(float32(*o.TopP)))
	}
	if o.MaxTokens != nil {
		out = append(out, model.WithMaxTokens(*o.MaxTokens))
	}
	if len(o.Stop) > 0 {
		out = append(out, model.WithStop(slices.Clone(o.Stop)))
	}
	if len(tools) > 0 {
		out = append(out, model.WithTools(tools))
	}
	switch o.ToolChoice {
	case "":
	case "auto":
		out = append(out, model.WithToolChoice(schema.ToolChoiceAllowed))
	case "none":
		out = append(out, model.WithToolChoice(schema.ToolChoiceForbidden))
	case "required":
		out = append(out, model.WithToolChoice(schema.ToolChoiceForced))
	default:
		out = append(out, model.WithToolChoice(schema.ToolChoiceForced, o.ToolChoice))
	}
	return out
}

// decode converts Eino's types to a request. The error lists everything that talewright cannot
// express.
func decode(input []*schema.Message, o *model.Options, tools []*schema.ToolInfo) (llm.Request, error) {
	var errs []error
	var req llm.Request
	for i, m := range input {
		if m == nil {
			errs = append(errs, fmt.Errorf("eino: messages[%d] is nil", i))
			continue
		}
		one, err := decodeMessage(m)
		if err != nil {
			errs = append(errs, fmt.Errorf("eino: messages[%d]: %w", i, err))
		}
		req.Messages = append(req.Messages, one)
	}
	if o.Tools != nil {
		tools = o.Tools
	}
	for i, t := range tools {
		one, err := decodeTool(t)
		if err != nil {
			errs = append(errs, fmt.Errorf("eino: tools[%d]: %w", i, err))
		}
		req.Tools = append(req.Tools, one)
	}
	if err := decodeOptions(&req, o); err != nil {
		errs = append(errs, err)
	}
	return req, errors.Join(errs...)
}

func decodeOptions(req *llm.Request, o *model.Options) error {
	if o.Model != nil {
		req.Model = *o.Model
	}
	req.Options = llm.Options{Temperature: wide(o.Temperature), TopP: wide(o.TopP), MaxTokens: o.MaxTokens, Stop: slices.Clone(o.Stop)}
	if names := o.AllowedToolNames; len(names) > 0 {
		req.Tools = slices.DeleteFunc(req.Tools, func(t llm.ToolSpec) bool { return !slices.Contains(names, t.Name) })
	}
	if o.ToolChoice == nil {
		return nil
	}
	switch *o.ToolChoice {
	case schema.ToolChoiceForbidden:
		req.Options.ToolChoice = "none"
	case schema.ToolChoiceAllowed:
		req.Options.ToolChoice = "auto"
	case schema.ToolChoiceForced:
		req.Options.ToolChoice = "required"
		if len(o.AllowedToolNames) == 1 {
			req.Options.ToolChoice = o.AllowedToolNames[0]
		}
	default:
		return fmt.Errorf("eino: the tool choice %q is unknown", *o.ToolChoice)
	}
	return nil
}

// wide returns a number with the same decimal digits: 0.7 stays 0.7.
func wide(f *float32) *float64 {
	if f == nil {
		return nil
	}
	out, err := strconv.ParseFloat(strconv.FormatFloat(float64(*f), 'g', -1, 32), 64)
	if err != nil {
		out = float64(*f)
	}
	return &out
}

func decodeMessage(m *schema.Message) (out llm.Message, err error) {
	out = llm.Message{Role: llm.Role(m.Role), Name: m.Name, Text: m.Content, ToolCallID: m.ToolCallID, Reasoning: m.ReasoningContent}
	if m.Role == schema.Tool && m.ToolName != "" {
		out.Name = m.ToolName
	}
	out.Thoughts = lines[llm.Thought](m.Extra, sealsKey)
	if err := decodeParts(&out, m); err != nil {
		return out, err
	}
	for _, c := range m.ToolCalls {
		call := llm.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments}
		call.Signature, _ = c.Extra[signatureKey].(string)
		if call.Extra, err = decodeExtra(c.Extra); err != nil {
			return out, err
		}
		out.ToolCalls = append(out.ToolCalls, call)
	}
	out.Extra, err = decodeExtra(m.Extra)
	return out, err
}

// decodeParts reads a message in parts: texts and, in messages of the user, images.
func decodeParts(out *llm.Message, m *schema.Message) error {
	var texts []string
	for _, p := range m.UserInputMultiContent {
		switch {
		case p.Type == schema.ChatMessagePartTypeText:
			texts = append(texts, p.Text)
		case p.Type == schema.ChatMessagePartTypeImageURL && p.Image != nil:
			image, err := decodeImage(p.Image.MessagePartCommon)
			if err != nil {
				return err
			}
			out.Images = append(out.Images, image)
		default:
			return fmt.Errorf("a part of the type %q", p.Type)
		}
	}
	for _, p := range m.AssistantGenMultiContent {
		if p.Type != schema.ChatMessagePartTypeText {
			return fmt.Errorf("a part of the type %q", p.Type)
		}
		texts = append(texts, p.Text)
	}
	for _, p := range m.MultiContent { //nolint:staticcheck // others still send it
		switch {
		case p.Type == schema.ChatMessagePartTypeText:
			texts = append(texts, p.Text)
		case p.Type == schema.ChatMessagePartTypeImageURL && p.ImageURL != nil:
			out.Images = append(out.Images, llm.Image{URL: p.ImageURL.URL, MIME: p.ImageURL.MIMEType})
		default:
			return fmt.Errorf("a part of the type %q", p.Type)
		}
	}
	if len(texts) > 0 {
		out.Text = strings.Join(texts, "")
	}
	return nil
}

func decodeImage(p schema.MessagePartCommon) (out llm.Image, err error) {
	out.MIME = p.MIMEType
	if p.URL != nil {
		out.URL = *p.URL
	}
	if p.Base64Data != nil {
		if out.Data, err = base64.StdEncoding.DecodeString(*p.Base64Data); err != nil {
			return out, fmt.Errorf("an image: %w", err)
		}
	}
	out.Extra, err = decodeExtra(p.Extra)
	return out, err
}

func decodeExtra(extra map[string]any) (map[string]json.RawMessage, error) {
	var out map[string]json.RawMessage
	for name, v := range extra {
		if name == sealsKey || name == warningsKey || name == signatureKey {
			continue
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("extra %q: %w", name, err)
		}
		if out == nil {
			out = map[string]json.RawMessage{}
		}
		out[name] = raw
	}
	return out, nil
}

func decodeTool(t *schema.ToolInfo) (out llm.ToolSpec, err error) {
	if t == nil {
		return out, errors.New("is nil")
	}
	out = llm.ToolSpec{Name: t.Name, Description: t.Desc}
	if out.Extra, err = decodeExtra(t.Extra); err != nil {
		return out, err
	}
	s, err := t.ParamsOneOf.ToJSONSchema()
	if err != nil || s == nil {
		return out, err
	}
	out.Parameters, err = json.Marshal(s)
	return out, err
}
