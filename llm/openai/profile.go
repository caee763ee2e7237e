package openai

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/talewright/talewright/llm/wrap"
)

// Profile describes the differences of a server. It is data: the code is the same for all servers.
// The profiles were written from memory of the servers' documentation and were not tested with the
// servers, which also change. Every field of the resulting Config can be set to a different value.
type Profile struct {
	Name    string // openai, deepseek, …
	BaseURL string // for local servers, the usual address
	// Names, MaxStops, JSON, Tools and NoStreamOptions are the fields of [Config].
	Names           map[string]string
	MaxStops        int
	JSON            JSONMode
	Tools           ToolMode
	NoStreamOptions bool
	// Reasoning is the field of [Config]: the member in which thinking is sent back. Thinking is
	// read from reasoning_content, reasoning and, with SplitThinking, from the text. Reasoning does
	// not change that.
	Reasoning string
	// SplitThinking says that the server leaves <think> blocks in the text.
	SplitThinking bool
	// Prefill says that the server continues a last message of the assistant if PrefillMarks, the
	// field of [Config], are in the request. For other servers, a game sets RefusesPrefill.
	Prefill      bool
	PrefillMarks PrefillMarks
	// Shape is the shape of the messages that the server accepts, as prompt.ShapeProfile names it:
	// Content.Prompt.Shape of a game. Local servers render the messages with the template of the model,
	// and many templates refuse roles that do not alternate. Empty: any messages are accepted.
	Shape string
	// Note is further information about the server.
	Note string
}

// The names of options that not every server has.
var (
	onlyOpenAI = map[string]string{"top_k": "", "min_p": "", "repetition_penalty": ""}
	repeat     = map[string]string{"repetition_penalty": "repeat_penalty"}
)

// The shapes of the servers that do not accept any messages.
const (
	alternating = "strict" // one system message, then the user and the assistant in turn
	mistral     = "mistral"
)

// The marks for the beginning of a reply, for the servers that need them.
var (
	yes          = json.RawMessage("true")
	prefixMark   = PrefillMarks{Message: map[string]json.RawMessage{"prefix": yes}}
	partialMark  = PrefillMarks{Message: map[string]json.RawMessage{"partial": yes}}
	continueMark = PrefillMarks{Body: map[string]json.RawMessage{"continue_final_message": yes, "add_generation_prompt": json.RawMessage("false")}}
)

// profiles is sorted by name.
var profiles = []Profile{
	{Name: "deepseek", BaseURL: "https://api.deepseek.com/v1", MaxStops: 16, Names: onlyOpenAI, JSON: JSONObject, Reasoning: "reasoning_content",
		Note: "A prefill wants the address https://api.deepseek.com/beta and the mark \"prefix\": true in PrefillMarks.Message."},
	{Name: "doubao", BaseURL: "https://ark.cn-beijing.volces.com/api/v3", MaxStops: 4, Names: onlyOpenAI,
		Note: "The model is the id of an endpoint."},
	{Name: "groq", BaseURL: "https://api.groq.com/openai/v1", MaxStops: 4, Names: onlyOpenAI},
	{Name: "koboldcpp", BaseURL: "http://localhost:5001/v1", Names: map[string]string{"repetition_penalty": "rep_pen"},
		JSON: JSONNone, SplitThinking: true, Prefill: true, Shape: alternating},
	{Name: "llamacpp", BaseURL: "http://localhost:8080/v1", Names: repeat, Prefill: true, Reasoning: "reasoning_content", Shape: alternating,
		Note: "Tools want the server to be started with --jinja."},
	{Name: "lmstudio", BaseURL: "http://localhost:1234/v1", Names: repeat, Prefill: true, Shape: alternating},
	{Name: "mistral", BaseURL: "https://api.mistral.ai/v1", NoStreamOptions: true,
		Names:   merged(onlyOpenAI, map[string]string{"seed": "random_seed"}),
		Prefill: true, PrefillMarks: prefixMark, Shape: mistral,
		Note: "Unknown members are refused."},
	{Name: "moonshot", BaseURL: "https://api.moonshot.cn/v1", MaxStops: 5, Names: onlyOpenAI, JSON: JSONObject, Reasoning: "reasoning_content",
		Prefill: true, PrefillMarks: partialMark},
	{Name: "ollama", BaseURL: "http://localhost:11434/v1", Names: onlyOpenAI, Prefill: true, Reasoning: "reasoning", Shape: alternating,
		Note: "The model file sets the length of the context here: set Config.Ollama to choose it."},
	{Name: "openai", BaseURL: "https://api.openai.com/v1", MaxStops: 4, Names: merged(onlyOpenAI, map[string]string{"max_tokens": "max_completion_tokens"})},
	{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", Prefill: true, Reasoning: ReasoningDetails},
	{Name: "qwen", BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1", JSON: JSONObject,
		Names: map[string]string{"min_p": "", "frequency_penalty": ""},
		Note:  "Some models continue a prefill, with the mark \"partial\": true in PrefillMarks.Message."},
	{Name: "siliconflow", BaseURL: "https://api.siliconflow.cn/v1", MaxStops: 4, JSON: JSONObject},
	{Name: "tabbyapi", BaseURL: "http://localhost:5000/v1", SplitThinking: true, Prefill: true, Shape: alternating},
	{Name: "vllm", BaseURL: "http://localhost:8000/v1", Prefill: true, PrefillMarks: continueMark, Shape: alternating,
		Note: "Tools want --enable-auto-tool-choice."},
	{Name: "xai", BaseURL: "https://api.x.ai/v1", MaxStops: 4, Names: onlyOpenAI},
	{Name: "zhipu", BaseURL: "https://open.bigmodel.cn/api/paas/v4", MaxStops: 1, Names: onlyOpenAI, JSON: JSONObject, Reasoning: "reasoning_content"},
}

func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// Profiles returns the known servers, sorted by name. The caller may modify the slice.
func Profiles() []Profile {
	out := slices.Clone(profiles)
	for i := range out {
		out[i].Names = maps.Clone(out[i].Names)
		out[i].PrefillMarks = out[i].PrefillMarks.clone()
	}
	return out
}

// FindProfile returns the profile with a name, or of the server whose usual address has the host and
// the port of an address such as http://127.0.0.1:11434/v1. In a name, upper case, blanks and
// punctuation are ignored: llama.cpp, LM Studio and x.ai are found.
func FindProfile(nameOrAddress string) (Profile, bool) {
	all := Profiles()
	at, name := hostOf(nameOrAddress), plainName(nameOrAddress)
	i := slices.IndexFunc(all, func(p Profile) bool {
		if at != "" {
			return hostOf(p.BaseURL) == at
		}
		return p.Name == name
	})
	if i < 0 {
		return Profile{}, false
	}
	return all[i], true
}

// hostOf returns the host and the port of an address, with one name for this machine. It returns an
// empty text for a name.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(strings.NewReplacer("127.0.0.1", "localhost", "[::1]", "localhost").Replace(u.Host))
}

// plainName returns the letters and digits of a name, in lower case.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, name)
}

// Config returns a configuration for the server. Add a key and a model to it.
func (p Profile) Config() Config {
	config := Config{
		BaseURL: p.BaseURL, Names: maps.Clone(p.Names), JSON: p.JSON, Tools: p.Tools, NoStreamOptions: p.NoStreamOptions,
		MaxStops:  p.MaxStops,
		Reasoning: p.Reasoning, PrefillMarks: p.PrefillMarks.clone(),
	}
	if p.SplitThinking {
		config.SplitThinking = &wrap.ThinkSplitter{}
	}
	return config
}
