package gemini

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/talewright/talewright/llm"
	"google.golang.org/genai"
)

// provider is the provider name in thoughts of this adapter; see [llm.Thought].
const provider = "gemini"

// asked is a request in the types of the SDK.
type asked struct {
	model    string
	contents []*genai.Content
	config   *genai.GenerateContentConfig
	reduced  []string // the members that were removed from schemas
}

// encode converts a request to the types of the SDK. The error lists everything that cannot be
// sent.
func encode(req llm.Request, config Config) (asked, error) {
	e := encoder{names: map[string]string{}}
	out := asked{model: cmp.Or(req.Model, config.Model), config: &genai.GenerateContentConfig{}}
	if out.model == "" {
		e.problem("no model is named, neither in the request nor in Config.Model")
	}
	chat := req.Messages
	for len(chat) > 0 && chat[0].Role == llm.System {
		if out.config.SystemInstruction == nil {
			out.config.SystemInstruction = &genai.Content{}
		}
		if len(chat[0].Images) > 0 {
			e.problem("messages[%d]: a system message cannot have images", len(req.Messages)-len(chat))
		}
		instruction := out.config.SystemInstruction
		instruction.Parts = append(instruction.Parts, &genai.Part{Text: chat[0].Text})
		chat = chat[1:]
	}
	out.contents = e.chat(chat, len(req.Messages)-len(chat))
	e.options(out.config, req.Options, config)
	e.tools(out.config, req.Tools)
	extra := e.extra(config.Body, req.Extra, req.Options.Extra)
	out.config.HTTPOptions = &genai.HTTPOptions{ExtrasRequestProvider: func(body map[string]any) map[string]any {
		return merge(extra, body)
	}}
	out.reduced = e.reduced
	return out, errors.Join(e.problems...)
}

// merge adds to b the members of a that b does not have. If both have an object for a member, it
// merges the objects.
func merge(a, b map[string]any) map[string]any {
	for name, value := range a {
		mine, ok := b[name]
		if !ok {
			b[name] = value
			continue
		}
		theirs, isObject := value.(map[string]any)
		if object, both := mine.(map[string]any); both && isObject {
			b[name] = merge(theirs, object)
		}
	}
	return b
}

// encoder collects the mistakes in a request.
type encoder struct {
	problems []error
	names    map[string]string // names of calls by their ids
	reduced  []string
}

func (e *encoder) problem(format string, args ...any) {
	e.problems = append(e.problems, fmt.Errorf(format, args...))
}

// extra joins the members that are added to a request; later ones take precedence.
func (e *encoder) extra(extras ...map[string]json.RawMessage) map[string]any {
	out := map[string]any{}
	for _, extra := range extras {
		for name, raw := range extra {
			value, err := decodeAny(raw)
			if err != nil {
				e.problem("the extra member %q is not JSON", name)
				continue
			}
			out[name] = value
		}
	}
	return out
}

// decodeAny reads JSON and keeps its numbers as written.
func decodeAny(raw []byte) (any, error) {
	if !json.Valid(raw) {
		return nil, errors.New("not JSON")
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	var out any
	err := in.Decode(&out)
	return out, err
}

// chat converts the messages after the system messages. Consecutive results of calls become one
// content, as the server requires. at is the index of the first message.
func (e *encoder) chat(chat []llm.Message, at int) []*genai.Content {
	var out []*genai.Content
	for i, m := range chat {
		role := genai.RoleUser
		switch m.Role {
		case llm.Assistant:
			role = genai.RoleModel
		case llm.User, llm.Tool:
		case llm.System:
			e.problem("messages[%d]: a system message comes after the beginning of the chat; "+
				"let prompt/shape with the profile gemini bring the prompt into form", at+i)
			continue
		default:
			e.problem("messages[%d]: the role %q is unknown", at+i, m.Role)
			continue
		}
		parts := e.parts(at+i, m)
		if len(parts) == 0 {
			e.problem("messages[%d] is empty", at+i)
			continue
		}
		if m.Role == llm.Tool && i > 0 && chat[i-1].Role == llm.Tool && len(out) > 0 {
			last := out[len(out)-1]
			last.Parts = append(last.Parts, parts...)
			continue
		}
		out = append(out, &genai.Content{Role: role, Parts: parts})
	}
	return out
}

// parts returns the parts of a message.
func (e *encoder) parts(at int, m llm.Message) []*genai.Part {
	if m.Role == llm.Tool {
		return []*genai.Part{e.result(at, m)}
	}
	var out []*genai.Part
	if m.Text != "" {
		part := &genai.Part{Text: m.Text}
		for _, thought := range m.Thoughts {
			if thought.Provider == provider && m.Role == llm.Assistant {
				part.ThoughtSignature = signature(thought.Signature)
			}
		}
		out = append(out, part)
	}
	for j, image := range m.Images {
		if part := e.image(at, j, image); part != nil {
			out = append(out, part)
		}
	}
	for _, call := range m.ToolCalls {
		e.names[call.ID] = call.Name
		out = append(out, &genai.Part{
			FunctionCall:     &genai.FunctionCall{ID: given(call.ID), Name: call.Name, Args: object(call.Arguments, "arguments")},
			ThoughtSignature: signature(call.Signature),
		})
	}
	return out
}

// signature returns the bytes of a signature, which is stored in base64 as it was sent.
func signature(text string) []byte {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return raw
}

// madeID matches the ids that this package gives to calls; the server does not know them.
var madeID = regexp.MustCompile(`^call_[0-9]{3,}$`)

// given returns an id, or "" if this package made it.
func given(id string) string {
	if madeID.MatchString(id) {
		return ""
	}
	return id
}

// object reads a text as an object. A text that is not an object becomes a member of a new object.
// Empty arguments give an empty object; an empty result gives a member with an empty text.
func object(text, member string) map[string]any {
	var out map[string]any
	switch trimmed := strings.TrimSpace(text); {
	case trimmed == "" && member == "arguments":
		return map[string]any{}
	case json.Unmarshal([]byte(trimmed), &out) == nil && out != nil:
		return out
	}
	return map[string]any{member: text}
}

// result converts the result of a call. The server requires the name of the function.
func (e *encoder) result(at int, m llm.Message) *genai.Part {
	name := cmp.Or(e.names[m.ToolCallID], m.Name)
	if name == "" {
		e.problem("messages[%d]: the result of a call names no call", at)
	}
	if len(m.Images) > 0 {
		e.problem("messages[%d]: the result of a call cannot have images", at)
	}
	return &genai.Part{FunctionResponse: &genai.FunctionResponse{
		ID: given(m.ToolCallID), Name: name, Response: object(m.Text, "result"),
	}}
}

// image converts a picture, or records why it cannot be sent.
func (e *encoder) image(at, j int, image llm.Image) *genai.Part {
	switch {
	case (len(image.Data) > 0) == (image.URL != ""):
		e.problem("messages[%d].images[%d]: an image has either Data or URL", at, j)
		return nil
	case image.URL != "":
		return &genai.Part{FileData: &genai.FileData{FileURI: image.URL, MIMEType: image.MIME}}
	case !strings.HasPrefix(image.MIME, "image/"):
		e.problem("messages[%d].images[%d]: the MIME type %q is not an image type", at, j, image.MIME)
		return nil
	}
	return &genai.Part{InlineData: &genai.Blob{MIMEType: image.MIME, Data: image.Data}}
}

// options sets the options that the server has; see the package comment for the others.
func (e *encoder) options(out *genai.GenerateContentConfig, o llm.Options, config Config) {
	out.Temperature = single(o.Temperature)
	out.TopP = single(o.TopP)
	out.PresencePenalty = single(o.PresencePenalty)
	out.FrequencyPenalty = single(o.FrequencyPenalty)
	out.StopSequences = o.Stop
	if o.TopK != nil {
		out.TopK = new(float32(*o.TopK))
	}
	if o.MaxTokens != nil {
		out.MaxOutputTokens = e.small("MaxTokens", int64(*o.MaxTokens))
	}
	if o.Seed != nil {
		out.Seed = new(e.small("Seed", *o.Seed))
	}
	budget, counted := config.Budgets[o.ReasoningEffort]
	switch {
	case o.ReasoningEffort == "":
	case o.ReasoningEffort == "none":
		out.ThinkingConfig = &genai.ThinkingConfig{ThinkingBudget: new(int32(0))}
	case counted:
		out.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true, ThinkingBudget: new(e.small("the thinking budget", int64(budget)))}
	default:
		out.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true, ThinkingLevel: genai.ThinkingLevel(strings.ToUpper(o.ReasoningEffort))}
	}
	if o.Format != nil {
		out.ResponseMIMEType = "application/json"
		if len(o.Format.Schema) > 0 {
			out.ResponseJsonSchema = e.schema("Options.Format", o.Format.Schema)
		}
	}
	calling := &genai.FunctionCallingConfig{}
	switch o.ToolChoice {
	case "":
		return
	case "auto":
		calling.Mode = genai.FunctionCallingConfigModeAuto
	case "none":
		calling.Mode = genai.FunctionCallingConfigModeNone
	case "required":
		calling.Mode = genai.FunctionCallingConfigModeAny
	default:
		calling.Mode, calling.AllowedFunctionNames = genai.FunctionCallingConfigModeAny, []string{o.ToolChoice}
	}
	out.ToolConfig = &genai.ToolConfig{FunctionCallingConfig: calling}
}

// single returns a number in the single precision of the SDK.
func single(p *float64) *float32 {
	if p == nil {
		return nil
	}
	return new(float32(*p))
}

// small returns a number that must fit into 32 bits.
func (e *encoder) small(name string, n int64) int32 {
	if n < math.MinInt32 || n > math.MaxInt32 {
		e.problem("%s is %d; the server takes numbers of 32 bits", name, n)
		return 0
	}
	return int32(n)
}

func (e *encoder) tools(out *genai.GenerateContentConfig, tools []llm.ToolSpec) {
	if len(tools) == 0 {
		return
	}
	var functions []*genai.FunctionDeclaration
	for _, t := range tools {
		f := &genai.FunctionDeclaration{Name: t.Name, Description: t.Description}
		if len(t.Parameters) > 0 {
			f.ParametersJsonSchema = e.schema(fmt.Sprintf("tool %q", t.Name), t.Parameters)
		}
		functions = append(functions, f)
	}
	out.Tools = []*genai.Tool{{FunctionDeclarations: functions}}
}
