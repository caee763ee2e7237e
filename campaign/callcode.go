package campaign

// CallCode says why a call was refused: one of the codes below, or one of a host's own
// tool, see [Tool.Reasons]. [Texts.Reasons] has their texts for the model.
type CallCode string

// The codes with which the engine itself refuses calls.
const (
	CallInvalid         CallCode = "invalid_call"
	CallTooMany         CallCode = "too_many_calls" // see setting turn.max_tool_calls
	CallDuplicateID     CallCode = "duplicate_call_id"
	CallInNarration     CallCode = "tools_not_allowed_in_narration" // the second phase of plan_narrate
	CallInDialogType    CallCode = "dialog_type_forbids_tools"
	CallToolUnknown     CallCode = "tool_unknown"
	CallToolNotAllowed  CallCode = "tool_not_allowed" // it is not in Campaign.Allowlist
	CallToolDisabled    CallCode = "tool_disabled"    // see [SetTools]
	CallInvalidArgs     CallCode = "invalid_args"
	CallActorMismatch   CallCode = "actor_context_mismatch" // it is another character's turn
	CallActorRestricted CallCode = "actor_state_restricted" // see [LifeRule]
	CallToolFailed      CallCode = "internal_error"         // the tool panicked, or said so with [ToolError]
	CallRepeated        CallCode = "repeat_illegal_request" // FailedCall.OriginalReason has the first code
)

// The codes of the tool move.
const (
	MoveUnknownArea      CallCode = "unknown_area"
	MoveFromAreaMismatch CallCode = "from_area_mismatch"
	MoveAlreadyThere     CallCode = "already_there"
	MoveMovementLocked   CallCode = "movement_locked"
	MoveAreaLocked       CallCode = "area_locked"
	MoveUnknownPath      CallCode = "unknown_path"
	MovePathMismatch     CallCode = "path_mismatch"
	MoveNotConnected     CallCode = "not_connected"
	MovePathLocked       CallCode = "path_locked"
)

// The codes of the tool hp_delta.
const (
	HPUnknownTarget   CallCode = "unknown_target"
	HPZeroDelta       CallCode = "zero_delta"
	HPDeltaOutOfRange CallCode = "delta_out_of_range" // see setting rules.max_hp_delta
	HPCauseRequired   CallCode = "cause_required"
	HPTargetDead      CallCode = "target_dead"
)

// The codes of the tool check.
const (
	CheckDCOrPRequired    CallCode = "dc_or_p_required"
	CheckUnknownAttribute CallCode = "unknown_attribute"
	CheckPOutOfRange      CallCode = "p_out_of_range"
)
