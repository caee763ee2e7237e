// Package request holds what the model of a campaign is asked: the messages of a turn with what
// each of them is for, the tools, and how a provider wants them. A [Request] is what the log, tests
// and observers look at; [Request.LLM] is what a model of package llm takes.
//
// All of it is plain values. Share them only for reading.
package request
