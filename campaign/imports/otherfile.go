package imports

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// codeNotACard is the code of the problem of a file that begins no story.
const codeNotACard talewright.Code = "not_a_card"

// otherFiles are files of SillyTavern that begin no story, with the members that only they have at
// the root. A file has all members of its row. So has the first element of a file that is a list.
var otherFiles = []struct {
	what    string
	members []string
	advice  string
}{
	{"a set of quick replies", []string{"qrList"}, noQuickReplies},
	{"a set of quick replies", []string{"quickReplySlots"}, noQuickReplies},
	{"a preset for chat completion", []string{"prompt_order"}, readPreset},
	{"a preset for chat completion", []string{"openai_max_context"}, readPreset},
	{"an instruct preset", []string{"input_sequence", "output_sequence"},
		"read it with tavern.ParseInstruct for Content.Prompt.Instruct"},
	{"a regex script", []string{"findRegex", "replaceString"},
		"read it with script.Parse for Content.Prompt.Scripts"},
	{"a script of TavernHelper", []string{"name", "content", "buttons"}, noHelperScripts},
	{"a script of TavernHelper", []string{"name", "content", "button"}, noHelperScripts},
	{"a script of TavernHelper", []string{"name", "content", "info"}, noHelperScripts},
	{"a chat", []string{"chat_metadata"}, readChat},
	{"a chat", []string{"user_name", "character_name"}, readChat},
	{"a chat", []string{"is_user", "mes"}, readChat},
}

const (
	noQuickReplies  = "no campaign runs it; the host can, when it gets the effect worldbook:automation"
	readPreset      = "read it with tavern.ParsePreset for Content.Prompt.Preset"
	noHelperScripts = "no campaign runs it; import the card that it belongs to, and write what the story needs of it as rules or hooks"
	readChat        = "read it with imports.ParseChat, and begin a campaign with it by ChatFile.AddTo"
)

// otherFileOf returns the problem of a file that is one of otherFiles. root is the file or, of a file
// with a value on each line, the first line.
func otherFileOf(root tree.Value) (talewright.Problem, bool) {
	if root.IsArray() {
		root = root.At(0)
	}
	for _, f := range otherFiles {
		if !slices.ContainsFunc(f.members, func(name string) bool { return !root.Get(name).Exists() }) {
			return talewright.Problem{Code: codeNotACard, Severity: talewright.Fatal,
				Text: fmt.Sprintf("this is %s, which begins no story: %s", f.what, f.advice)}, true
		}
	}
	return talewright.Problem{}, false
}

// readRoot reads a file of JSON. If it is not one value, it reads the first line.
func readRoot(data []byte) (root tree.Value, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if root, _, err = readValue(data); err == nil {
		return root, nil
	}
	line, rest, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	if len(rest) > 0 && line[0] == '{' {
		root, _, _ = readValue(line) // a line that is not JSON is absent
	}
	return root, err
}
