package anthropic

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
	"github.com/talewright/talewright/llm"
)

// Provider is the provider name in thoughts of this adapter; see [llm.Thought].
const Provider = "anthropic"

// maxMarks is the number of cache marks that the server accepts in one request.
const maxMarks = 4

// encode converts a request to the types of the SDK. The error lists everything that cannot be
// sent.
func encode(req llm.Request, config Config) (sdk.MessageNewParams, error) {
	e := encoder{}
	params := sdk.MessageNewParams{
		Model:     sdk.Model(cmp.Or(req.Model, config.Model)),
		MaxTokens: int64(config.MaxTokens),
	}
	if params.Model == "" {
		e.problem("no model is named, neither in the request nor in Config.Model")
	}
	chat := req.Messages
	for len(chat) > 0 && chat[0].Role == llm.System {
		params.System = append(params.System, e.system(len(req.Messages)-len(chat), chat[0]))
		chat = chat[1:]
	}
	params.Messages = e.chat(chat, len(req.Messages)-len(chat))
	for _, tool := range req.Tools {
		params.Tools = append(params.Tools, e.tool(tool))
	}
	e.options(&params, req.Options, config)
	if e.marks > maxMarks {
		e.problem("%d messages and tools carry cache_control; the server takes %d", e.marks, maxMarks)
	}
	if len(e.problems) > 0 {
		return params, errors.Join(e.problems...)
	}
	return withExtra(params, config.Body, req.Extra, req.Options.Extra)
}

// withExtra adds members that the typed fields do not set; later ones take precedence over earlier
// ones.
func withExtra(params sdk.MessageNewParams, extras ...map[string]json.RawMessage) (sdk.MessageNewParams, error) {
	own, err := members(params)
	if err != nil {
		return params, err
	}
	body := map[string]json.RawMessage{}
	for _, extra := range extras {
		maps.Copy(body, extra)
	}
	maps.Copy(body, own)
	return withMembers(body)
}

// members returns the JSON members of a request.
func members(params sdk.MessageNewParams) (body map[string]json.RawMessage, err error) {
	data, err := json.Marshal(params)
	if err == nil {
		err = json.Unmarshal(data, &body)
	}
	return body, err
}

// withMembers returns a request with these JSON members.
func withMembers(body map[string]json.RawMessage) (sdk.MessageNewParams, error) {
	data, err := json.Marshal(body)
	return param.Override[sdk.MessageNewParams](json.RawMessage(data)), err
}

// encoder collects the mistakes in a request.
type encoder struct {
	problems []error
	marks    int
}

func (e *encoder) problem(format string, args ...any) {
	e.problems = append(e.problems, fmt.Errorf(format, args...))
}

// extra returns the members to add to a block, without the block's own members.
func (e *encoder) extra(from map[string]json.RawMessage) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	for name, raw := range from {
		switch name {
		case "type", "text", "id", "name", "input", "content", "source", "tool_use_id", "input_schema", "description":
			continue
		case "cache_control":
			e.marks++
		}
		if out == nil {
			out = map[string]json.RawMessage{}
		}
		out[name] = raw
	}
	return out
}

// extend adds members to a block, in the order of their names. The SDK would add them in any order,
// and a prompt cache needs equal bytes.
func extend[T param.ParamStruct, P param.InferPtr[T]](e *encoder, block P, extra map[string]json.RawMessage) {
	if len(extra) == 0 {
		return
	}
	typed, err := json.Marshal(block)
	if err != nil {
		e.problem("%w", err)
		return
	}
	more, err := json.Marshal(extra)
	if err != nil {
		e.problem("the Extra of a message, an image or a tool: %w", err)
		return
	}
	// Both are objects with at least one member.
	whole := append(append(typed[:len(typed)-1:len(typed)-1], ','), more[1:]...)
	*block = param.Override[T, P](json.RawMessage(whole))
}

// system converts a system message before the chat.
func (e *encoder) system(at int, m llm.Message) sdk.TextBlockParam {
	if len(m.Images) > 0 {
		e.problem("messages[%d]: a system message cannot have images", at)
	}
	if m.Text == "" {
		e.problem("messages[%d] is empty", at)
	}
	block := sdk.TextBlockParam{Text: m.Text}
	extend(e, &block, e.extra(m.Extra))
	return block
}

// chat converts the messages after the system messages. Consecutive results of calls become one
// message, as the server requires. at is the index of the first message.
func (e *encoder) chat(chat []llm.Message, at int) []sdk.MessageParam {
	var out []sdk.MessageParam
	for i, m := range chat {
		role := sdk.MessageParamRoleUser
		switch m.Role {
		case llm.Assistant:
			role = sdk.MessageParamRoleAssistant
		case llm.User, llm.Tool:
		case llm.System:
			e.problem("messages[%d]: a system message comes after the beginning of the chat; "+
				"let prompt/shape with the profile anthropic bring the prompt into form", at+i)
			continue
		default:
			e.problem("messages[%d]: the role %q is unknown", at+i, m.Role)
			continue
		}
		blocks := e.blocks(at+i, m)
		if len(blocks) == 0 {
			e.problem("messages[%d] is empty", at+i)
			continue
		}
		e.extendLast(blocks, e.extra(m.Extra))
		if m.Role == llm.Tool && i > 0 && chat[i-1].Role == llm.Tool && len(out) > 0 {
			last := &out[len(out)-1]
			last.Content = append(last.Content, blocks...)
			continue
		}
		out = append(out, sdk.MessageParam{Role: role, Content: blocks})
	}
	return out
}

// extendLast adds members to the last block of a message. Thinking is never the last block of a
// message that has other blocks.
func (e *encoder) extendLast(blocks []sdk.ContentBlockParamUnion, extra map[string]json.RawMessage) {
	switch block := blocks[len(blocks)-1]; {
	case block.OfText != nil:
		extend(e, block.OfText, extra)
	case block.OfImage != nil:
		extend(e, block.OfImage, extra)
	case block.OfToolUse != nil:
		extend(e, block.OfToolUse, extra)
	case block.OfToolResult != nil:
		extend(e, block.OfToolResult, extra)
	}
}

// blocks returns the blocks of a message: thoughts of this provider, text, images, calls.
func (e *encoder) blocks(at int, m llm.Message) []sdk.ContentBlockParamUnion {
	if m.Role == llm.Tool {
		return []sdk.ContentBlockParamUnion{e.result(at, m)}
	}
	var out []sdk.ContentBlockParamUnion
	for _, thought := range m.Thoughts {
		switch {
		case thought.Provider != Provider || m.Role != llm.Assistant:
		case thought.Redacted != "":
			out = append(out, sdk.NewRedactedThinkingBlock(thought.Redacted))
		default:
			out = append(out, sdk.NewThinkingBlock(thought.Signature, thought.Text))
		}
	}
	if m.Text != "" {
		out = append(out, sdk.NewTextBlock(m.Text))
	}
	for j, image := range m.Images {
		if block := e.image(at, j, image); block != nil {
			out = append(out, sdk.ContentBlockParamUnion{OfImage: block})
		}
	}
	for _, call := range m.ToolCalls {
		out = append(out, sdk.NewToolUseBlock(call.ID, arguments(call.Arguments), call.Name))
	}
	return out
}

// arguments returns the input of an earlier call. It must be an object: a text that is not an
// object, as models sometimes write, becomes a member of one.
func arguments(text string) json.RawMessage {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return json.RawMessage("{}")
	case trimmed[0] == '{' && json.Valid([]byte(trimmed)):
		return json.RawMessage(trimmed)
	}
	wrapped, err := json.Marshal(map[string]string{"arguments": text})
	if err != nil {
		return json.RawMessage("{}")
	}
	return wrapped
}

// result converts the result of a call.
func (e *encoder) result(at int, m llm.Message) sdk.ContentBlockParamUnion {
	if m.ToolCallID == "" {
		e.problem("messages[%d]: the result of a call names no call", at)
	}
	block := sdk.ToolResultBlockParam{ToolUseID: m.ToolCallID}
	if m.Text != "" {
		block.Content = append(block.Content, sdk.ToolResultBlockParamContentUnion{OfText: &sdk.TextBlockParam{Text: m.Text}})
	}
	for j, image := range m.Images {
		if picture := e.image(at, j, image); picture != nil {
			block.Content = append(block.Content, sdk.ToolResultBlockParamContentUnion{OfImage: picture})
		}
	}
	return sdk.ContentBlockParamUnion{OfToolResult: &block}
}

// image converts a picture, or records why it cannot be sent.
func (e *encoder) image(at, j int, image llm.Image) *sdk.ImageBlockParam {
	block := &sdk.ImageBlockParam{}
	switch {
	case (len(image.Data) > 0) == (image.URL != ""):
		e.problem("messages[%d].images[%d]: an image has either Data or URL", at, j)
		return nil
	case image.URL != "":
		block.Source.OfURL = &sdk.URLImageSourceParam{URL: image.URL}
	case !strings.HasPrefix(image.MIME, "image/"):
		e.problem("messages[%d].images[%d]: the MIME type %q is not an image type", at, j, image.MIME)
		return nil
	default:
		block.Source.OfBase64 = &sdk.Base64ImageSourceParam{
			Data:      base64.StdEncoding.EncodeToString(image.Data),
			MediaType: sdk.Base64ImageSourceMediaType(image.MIME),
		}
	}
	extend(e, block, e.extra(image.Extra))
	return block
}

// tool converts one tool.
func (e *encoder) tool(t llm.ToolSpec) sdk.ToolUnionParam {
	schema := []byte(`{"type":"object","properties":{}}`)
	switch {
	case len(t.Parameters) == 0:
	case !json.Valid(t.Parameters):
		e.problem("the parameters of tool %q are not JSON", t.Name)
	default:
		schema = t.Parameters
	}
	tool := sdk.ToolParam{Name: t.Name, InputSchema: param.Override[sdk.ToolInputSchemaParam](json.RawMessage(schema))}
	if t.Description != "" {
		tool.Description = sdk.String(t.Description)
	}
	extend(e, &tool, e.extra(t.Extra))
	return sdk.ToolUnionParam{OfTool: &tool}
}

// options sets the options that the server has; see the package comment for the others.
func (e *encoder) options(params *sdk.MessageNewParams, o llm.Options, config Config) {
	if o.Temperature != nil {
		params.Temperature = sdk.Float(*o.Temperature)
	}
	if o.TopP != nil {
		params.TopP = sdk.Float(*o.TopP)
	}
	if o.TopK != nil {
		params.TopK = sdk.Int(int64(*o.TopK))
	}
	if o.MaxTokens != nil {
		params.MaxTokens = int64(*o.MaxTokens)
	}
	params.StopSequences = o.Stop
	switch o.ToolChoice {
	case "":
	case "auto":
		params.ToolChoice = sdk.ToolChoiceUnionParam{OfAuto: &sdk.ToolChoiceAutoParam{}}
	case "none":
		params.ToolChoice = sdk.ToolChoiceUnionParam{OfNone: &sdk.ToolChoiceNoneParam{}}
	case "required":
		params.ToolChoice = sdk.ToolChoiceUnionParam{OfAny: &sdk.ToolChoiceAnyParam{}}
	default:
		params.ToolChoice = sdk.ToolChoiceParamOfTool(o.ToolChoice)
	}
	budget, counted := config.Budgets[o.ReasoningEffort]
	switch {
	case o.ReasoningEffort == "":
	case o.ReasoningEffort == "none":
		params.Thinking.OfDisabled = &sdk.ThinkingConfigDisabledParam{}
	case counted:
		params.Thinking = sdk.ThinkingConfigParamOfEnabled(int64(budget))
	default:
		params.Thinking.OfAdaptive = &sdk.ThinkingConfigAdaptiveParam{}
		params.OutputConfig.Effort = sdk.OutputConfigEffort(o.ReasoningEffort)
	}
	e.format(params, o.Format)
}

// format requests JSON with a schema; the server has no JSON mode without a schema.
func (e *encoder) format(params *sdk.MessageNewParams, format *llm.Format) {
	if format == nil || len(format.Schema) == 0 {
		return
	}
	var schema map[string]any
	if json.Unmarshal(format.Schema, &schema) != nil {
		e.problem("the schema of Options.Format is not a JSON object")
		return
	}
	if !prepareSchema(schema) {
		return
	}
	// The server refuses open objects and some keywords. The SDK closes the objects and moves the
	// keywords into the description.
	if accepted, _ := sdk.BetaJSONSchemaOutputFormat(schema).Schema.(map[string]any); accepted != nil {
		params.OutputConfig.Format = sdk.JSONOutputFormatParam{Schema: accepted}
	}
}

// prepareSchema replaces lists of types in a schema by anyOf, because the SDK cannot read such
// lists. It reports whether the server can express the schema: all members of objects must have
// names.
func prepareSchema(schema any) bool {
	s, _ := schema.(map[string]any)
	if s == nil {
		return true
	}
	types, _ := s["type"].([]any)
	named, _ := s["properties"].(map[string]any)
	if len(named) == 0 && (s["type"] == "object" || slices.Contains(types, any("object"))) {
		return false
	}
	defs, _ := s["$defs"].(map[string]any)
	parts := slices.AppendSeq(slices.Collect(maps.Values(named)), maps.Values(defs))
	for _, name := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := s[name].([]any)
		parts = append(parts, list...)
	}
	for _, part := range append(parts, s["items"]) {
		if !prepareSchema(part) {
			return false
		}
	}
	if len(types) > 0 {
		var forms []any
		for _, kind := range types {
			form := maps.Clone(s)
			form["type"] = kind
			forms = append(forms, form)
		}
		clear(s)
		s["anyOf"] = forms
	}
	return true
}
