package prompt

import "github.com/talewright/talewright/llm"

// CacheMarks returns the indexes of the messages at the given depth and at two deeper, oldest
// first. These marks move with the chat, as in SillyTavern. Depth counts changes of role from the
// end; unfinished assistant messages at the end are not counted. [Result.Breakpoints] has marks
// that depend on the stability of texts.
func CacheMarks(messages []ShapeMessage, depth int) []int {
	end := len(messages)
	for end > 0 && messages[end-1].Role == llm.Assistant {
		end--
	}
	var marks []int
	turns := -1
	for i := end - 1; i >= 0 && turns < depth+2; i-- {
		if i < end-1 && messages[i].Role == messages[i+1].Role {
			continue
		}
		turns++
		if turns == depth || turns == depth+2 {
			marks = append([]int{i}, marks...)
		}
	}
	return marks
}
