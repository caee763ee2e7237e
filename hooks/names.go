package hooks

// The known events by their canonical names, with what their payloads carry; the
// package documentation says who raises which. Hosts may raise any other event, and
// add members to these.
const (
	EventBeforeReceive = "conversation.before_receive" // channel, content_preview

	EventBeforeAttachments = "pipeline.before_attachments"
	EventAfterAttachments  = "pipeline.after_attachments"
	EventBeforeKnowledge   = "pipeline.before_knowledge"
	EventAfterKnowledge    = "pipeline.after_knowledge"

	EventBeforeTurnStarted   = "character.before_turn.started"
	EventAfterProfileLoad    = "character.after_profile_load"
	EventAfterMemoryRetrieve = "character.after_memory_retrieve"  // memory_count
	EventAfterWorldBookMatch = "character.after_world_book_match" // entry_count
	EventAfterReactionPlan   = "character.after_reaction_plan"    // intent, tone
	EventBeforeTurnFinished  = "character.before_turn.finished"   // mood, energy, affection, …

	EventBeforePromptRender = "prompt.before_render"
	EventAfterPromptRender  = "prompt.after_render"
	EventBeforeModelCall    = "model.before_call"
	EventAfterModelCall     = "model.after_call"      // text, usage
	EventStreamChunk        = "model.on_stream_chunk" // text; the first chunk only
	EventBeforeSend         = "reply.before_send"     // text
	EventAfterSend          = "reply.after_send"      // text

	EventAfterTurnStarted   = "character.after_turn.started"
	EventAfterStateUpdate   = "character.after_state_update"  // mood, energy, affection, …
	EventAfterTurnFinished  = "character.after_turn.finished" // mood, energy, affection, …
	EventAfterMemoryExtract = "memory.after_extract"

	EventStateChanged        = "state.changed"        // changes, hook_id, cause_event_id
	EventRelationshipChanged = "relationship.changed" // changes, hook_id, cause_event_id
	EventBeforeToolCall      = "tool.before_call"     // tool, args
	EventAfterToolCall       = "tool.after_call"      // tool, args, result or error

	EventClockPassed = "clock.passed" // see ClockPayload
)

// aliases holds the events with more than one accepted spelling, the canonical
// one first. Hooks that were written for other engines use the other spellings.
var aliases = [...][]string{
	{EventBeforeTurnStarted, "character.turn.before"},
	{EventAfterProfileLoad, "character.before_turn.after_profile_load"},
	{EventAfterMemoryRetrieve, "character.before_turn.after_memory_retrieve",
		"character.memory.recalled"},
	{EventAfterWorldBookMatch, "character.before_turn.after_world_book_match"},
	{EventAfterReactionPlan, "character.before_turn.after_reaction_plan"},
	{EventBeforePromptRender, "pipeline.before_prompt_render"},
	{EventAfterPromptRender, "pipeline.after_prompt_render"},
	{EventBeforeModelCall, "pipeline.before_model_call"},
	{EventAfterModelCall, "pipeline.after_model_call", "character.model.generated"},
	{EventStreamChunk, "pipeline.stream_chunk"},
	{EventBeforeSend, "pipeline.before_reply_send"},
	{EventAfterSend, "pipeline.after_reply_send"},
	{EventAfterStateUpdate, "character.after_turn.after_state_update"},
	{EventAfterTurnFinished, "character.turn.after"},
	{EventAfterMemoryExtract, "character.memory.written"},
	{EventStateChanged, "character.state.changed"},
	{EventRelationshipChanged, "character.relationship.changed"},
}

// singular are the known events without another spelling.
var singular = [...]string{
	EventBeforeReceive, EventBeforeAttachments, EventAfterAttachments, EventBeforeKnowledge,
	EventAfterKnowledge, EventBeforeTurnFinished, EventAfterTurnStarted, EventBeforeToolCall,
	EventAfterToolCall, EventClockPassed,
}

// reserved are names that hosts raise by agreement. They have no other spelling.
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

// knownEvents lists all known names in all spellings.
func knownEvents() []string {
	list := append([]string{}, singular[:]...)
	for _, row := range aliases {
		list = append(list, row...)
	}
	return append(list, reserved[:]...)
}
