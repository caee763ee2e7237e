// Package question holds what a machine of package turn asks the outside world while an
// instruction runs: the model for an output, hooks for what they do, a router for the dialog type,
// a retriever for lore, a tool for what only the outside knows, a second model for its judgement,
// the log for what the head does not hold, and a model for a summary.
//
// Each question is a plain value in a field of turn.Todo, whose comment names the answer. Two of
// them bring the way to their answer along: [Hooks.Run] and [Outside.Run]. What the memory is asked
// is a memory.Query, what people are asked an state.ApprovalQuestion.
//
// A question belongs to one machine, and is answered by one goroutine.
package question
