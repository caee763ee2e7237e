// Package question defines the questions that a machine of package turn asks the outside world
// while an instruction runs. It asks the model for an output, hooks for their effects, a router for
// the dialog type, and a retriever for lore. It asks a tool for outside data, and a second model
// for its judgement. It also asks the log for data that the head does not hold, and a model for a
// summary.
//
// Each question is a plain value in a field of turn.Todo. The comment of the field names the
// answer. Two questions have a method that finds the answer: [Hooks.Run] and [Outside.Run]. The
// question to the memory is a memory.Query, the question to people is a state.ApprovalQuestion.
//
//	if todo := m.Todo(); todo.Summarize != nil {
//		for _, part := range todo.Summarize.Parts() { … } // ask the model about part.Turns
//	}
//
// A question belongs to one machine. One goroutine answers it.
package question
