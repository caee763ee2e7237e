package openai

import (
	"fmt"
	"math/bits"
	"unicode/utf8"

	"github.com/talewright/talewright/llm"
)

// codePromptCut is the code of the [llm.Warning] in a reply when the server probably truncated the
// prompt without a message. The reported number of prompt tokens is then less than half of our
// estimate, or exactly a power of two of at least 1024, as context limits are.
const codePromptCut = "prompt_cut"

// minEstimate is the smallest estimate that is compared; shorter prompts cannot be judged.
const minEstimate = 200

// promptCut compares the reported prompt tokens with our estimate.
func promptCut(reported, estimate int) (llm.Warning, bool) {
	var detail string
	switch {
	case reported <= 0: // the server reports no count
		return llm.Warning{}, false
	case reported >= 1024 && bits.OnesCount(uint(reported)) == 1:
		detail = fmt.Sprintf("the server counted exactly %d prompt tokens, which may be its limit; "+
			"our estimate is %d", reported, estimate)
	case estimate >= minEstimate && reported < estimate/2:
		detail = fmt.Sprintf("the server counted %d prompt tokens, our estimate is %d",
			reported, estimate)
	default:
		return llm.Warning{}, false
	}
	return llm.Warning{Code: codePromptCut, Detail: detail}, true
}

// estimateTokens is the default for Config.EstimateTokens, a rough count.
func estimateTokens(req llm.Request) int {
	cjk, other := 0, 0
	count := func(text string) {
		for _, r := range text {
			if isCJK(r) {
				cjk++
			} else {
				other++
			}
		}
	}
	for _, m := range req.Messages {
		count(m.Text)
		for _, call := range m.ToolCalls {
			count(call.Arguments)
		}
	}
	for _, tool := range req.Tools {
		count(tool.Description)
		other += utf8.RuneCount(tool.Parameters)
	}
	return cjk + (other+3)/4
}

// isCJK reports whether r is a character of a script without spaces, with about one token per
// character.
func isCJK(r rune) bool {
	switch {
	case r < 0x3000:
		return false
	case r <= 0x30FF, r >= 0x3400 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7AF:
		return true
	}
	return r >= 0xF900 && r <= 0xFAFF || r >= 0xFF00 && r <= 0xFFEF
}
