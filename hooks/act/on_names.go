package act

import (
	"slices"
	"strings"
)

// The known events by their canonical names, with the members of their payloads. The documentation
// of package hooks says who raises which event. Hosts may raise any other event, and may add
// payload members.
const (
	BeforeReceive = "conversation.before_receive" // channel, content_preview

	BeforeAttachments = "pipeline.before_attachments"
	AfterAttachments  = "pipeline.after_attachments"
	BeforeKnowledge   = "pipeline.before_knowledge"
	AfterKnowledge    = "pipeline.after_knowledge"

	BeforeTurnStarted   = "character.before_turn.started"
	AfterProfileLoad    = "character.after_profile_load"
	AfterMemoryRetrieve = "character.after_memory_retrieve"  // memory_count
	AfterWorldBookMatch = "character.after_world_book_match" // entry_count
	AfterReactionPlan   = "character.after_reaction_plan"    // intent, tone
	BeforeTurnFinished  = "character.before_turn.finished"   // mood, energy, affection, …

	BeforePromptRender = "prompt.before_render"
	AfterPromptRender  = "prompt.after_render"
	BeforeModelCall    = "model.before_call"
	AfterModelCall     = "model.after_call"      // text, usage
	StreamChunk        = "model.on_stream_chunk" // text; the first chunk only
	BeforeSend         = "reply.before_send"     // text
	AfterSend          = "reply.after_send"      // text

	AfterTurnStarted   = "character.after_turn.started"
	AfterStateUpdate   = "character.after_state_update"  // mood, energy, affection, …
	AfterTurnFinished  = "character.after_turn.finished" // mood, energy, affection, …
	AfterMemoryExtract = "memory.after_extract"

	StateChanged        = "state.changed"        // changes, hook_id, cause_event_id
	RelationshipChanged = "relationship.changed" // changes, hook_id, cause_event_id
	BeforeToolCall      = "tool.before_call"     // tool, args
	AfterToolCall       = "tool.after_call"      // tool, args, result or error

	ClockPassed = "clock.passed" // see ClockPayload
)

// aliases lists the events with more than one name, the canonical name first. Hooks for other
// engines use the other names.
var aliases = [...][]string{
	{BeforeTurnStarted, "character.turn.before"},
	{AfterProfileLoad, "character.before_turn.after_profile_load"},
	{AfterMemoryRetrieve, "character.before_turn.after_memory_retrieve",
		"character.memory.recalled"},
	{AfterWorldBookMatch, "character.before_turn.after_world_book_match"},
	{AfterReactionPlan, "character.before_turn.after_reaction_plan"},
	{BeforePromptRender, "pipeline.before_prompt_render"},
	{AfterPromptRender, "pipeline.after_prompt_render"},
	{BeforeModelCall, "pipeline.before_model_call"},
	{AfterModelCall, "pipeline.after_model_call", "character.model.generated"},
	{StreamChunk, "pipeline.stream_chunk"},
	{BeforeSend, "pipeline.before_reply_send"},
	{AfterSend, "pipeline.after_reply_send"},
	{AfterStateUpdate, "character.after_turn.after_state_update"},
	{AfterTurnFinished, "character.turn.after"},
	{AfterMemoryExtract, "character.memory.written"},
	{StateChanged, "character.state.changed"},
	{RelationshipChanged, "character.relationship.changed"},
}

// singular lists the known events that have only one name.
var singular = [...]string{
	BeforeReceive, BeforeAttachments, AfterAttachments, BeforeKnowledge,
	AfterKnowledge, BeforeTurnFinished, AfterTurnStarted, BeforeToolCall,
	AfterToolCall, ClockPassed,
}

// reserved are names that hosts raise by convention. Each has only one name.
var reserved = [...]string{
	"plot.node.created", "plot.choice.generated", "plot.choice.selected", "plot.edge.created",
	"plot.rollback.done", "plot.turning_point.reached",
	"group.message.received", "group.speaker.selected", "group.narration.requested",
	"group.narration.generated", "group.relationship.changed",
	"world.event.triggered", "world.book.updated",
	"workflow.started", "workflow.finished", "workflow.failed",
	"review.started", "review.finished", "review.memory.scored", "review.relationship.scored",
	"review.plot.scored",
}

// engineSpaces are the first segments of the names whose meaning is fixed.
var engineSpaces = [...]string{
	"conversation", "pipeline", "character", "prompt", "model", "reply", "memory", "state",
	"relationship", "tool", "clock",
}

// InEngineSpace reports whether the first segment of a name or pattern is one of those with a fixed
// meaning.
func InEngineSpace(pattern string) bool {
	first, _, _ := strings.Cut(pattern, ".")
	return slices.Contains(engineSpaces[:], first)
}

// KnownTypes lists all known names, including all aliases.
func KnownTypes() []string {
	list := append([]string{}, singular[:]...)
	for _, row := range aliases {
		list = append(list, row...)
	}
	return append(list, reserved[:]...)
}
