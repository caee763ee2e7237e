package tool

import "github.com/talewright/talewright/campaign/state"

// The codes of refusals by the engine itself.
const (
	CallInvalid         state.CallCode = "invalid_call"
	CallTooMany         state.CallCode = "too_many_calls" // see setting turn.max_tool_calls
	CallDuplicateID     state.CallCode = "duplicate_call_id"
	CallInNarration     state.CallCode = "tools_not_allowed_in_narration" // the second phase of plan_narrate
	CallInDialogType    state.CallCode = "dialog_type_forbids_tools"
	CallToolUnknown     state.CallCode = "tool_unknown"
	CallToolNotAllowed  state.CallCode = "tool_not_allowed" // not in Campaign.Allowlist
	CallToolDisabled    state.CallCode = "tool_disabled"    // see [turn.SetTools]
	CallInvalidArgs     state.CallCode = "invalid_args"
	CallActorMismatch   state.CallCode = "actor_context_mismatch" // it is the turn of a different character
	CallActorRestricted state.CallCode = "actor_state_restricted" // see [state.LifeRule]
	CallToolFailed      state.CallCode = "internal_error"         // the tool panicked or returned [Failed]
	CallDenied          state.CallCode = "denied"                 // people denied the call
	CallRepeated        state.CallCode = "repeat_illegal_request" // FailedCall.OriginalReason has the first code
)
