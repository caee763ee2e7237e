package memvars

// Code is a word for the reason why a command was rejected, or why nothing was deleted. The set is
// closed for the commands of this package; dialects may add their own codes.
type Code string

// Reasons why the text of a command could not be read. They have a position.
const (
	UnterminatedString Code = "unterminated_string" // no mark closes the string
	Unbalanced         Code = "unbalanced"          // the text ends inside the call
	UnexpectedToken    Code = "unexpected_token"    // a different token was expected here
)

// Reasons why a readable command was rejected.
const (
	BadArity            Code = "bad_arity"            // too few or too many arguments
	BadPath             Code = "bad_path"             // the path violates the grammar
	BadKey              Code = "bad_key"              // the key is blank
	BadJSON             Code = "bad_json"             // an object that cannot be repaired
	PathNotFound        Code = "path_not_found"       // set_* creates nothing
	IndexOutOfRange     Code = "index_out_of_range"   // past the end of a list
	NotAContainer       Code = "not_a_container"      // a scalar cannot have members
	TypeMismatch        Code = "type_mismatch"        // the field has a different type
	WrongModule         Code = "wrong_module"         // the path names a different module
	DescriptionReadonly Code = "description_readonly" // the text of a leaf is fixed
	ReadonlyDerived     Code = "readonly_derived"     // a formula computes the field
	ReadonlyAuto        Code = "readonly_auto"        // the clock maintains the field
	ProtectedNode       Code = "protected"            // the node is protected by _is_protected
	StructuralBranch    Code = "structural"           // the branch is part of the frame
	PermissionDenied    Code = "permission_denied"    // not for this actor
	SourceNotFound      Code = "source_not_found"     // nothing to move
	DestinationExists   Code = "destination_exists"   // a move never overwrites
	MoveIntoSelf        Code = "move_into_self"       // a node cannot contain itself
	PlaceholderWrite    Code = "placeholder_write"    // a write of the text that hides a node
	OnceTrue            Code = "once_true"            // declared to stay true
	OldMismatch         Code = "old_mismatch"         // the old value is different
	TooLong             Code = "too_long"             // a number of more than MaxDigits
	TooMany             Code = "too_many"             // the message already changes too much
	UnknownCommand      Code = "unknown_command"      // no such command
	Aborted             Code = "aborted"              // a different command failed
)

// Codes for other reports than one rejected command.
const (
	MoreRejected Code = "more_rejected" // replaces the commands that a feedback does not list
	NotFound     Code = "not_found"     // the command had nothing to delete
)

// Warning is a remark about a command that was applied.
type Warning string

// The warnings.
const (
	warnBareWord        Warning = "bare_word"        // a text without quotation marks
	warnRepairedJSON    Warning = "repaired_json"    // the JSON had mistakes
	WarnSkippedKeys     Warning = "skipped_keys"     // set_* adds no fields
	WarnSkippedReadonly Warning = "skipped_readonly" // computed fields were left out
	WarnOldMismatch     Warning = "old_mismatch"     // the old value was different
	WarnDottedKey       Warning = "dotted_key"       // probably meant as a path
	WarnProtectedFlag   Warning = "protected_flag"   // the flag was not removed
	WarnProtectedKept   Warning = "protected_kept"   // protected nodes stayed
	WarnAdjusted        Warning = "adjusted"         // changed to fit the declared bounds
)
