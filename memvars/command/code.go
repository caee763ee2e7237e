package command

// Code says in one word why a command was rejected, or that there was nothing
// to delete. The set is closed for the commands of this package; dialects may
// add their own.
type Code string

// Why the text of a command could not be read. These come with a position.
const (
	UnterminatedString Code = "unterminated_string" // no mark closes the string
	Unbalanced         Code = "unbalanced"          // the text ends inside the call
	UnexpectedToken    Code = "unexpected_token"    // something else was due here
)

// Why a command that could be read was rejected.
const (
	BadArity            Code = "bad_arity"            // too few or too many arguments
	BadPath             Code = "bad_path"             // the path breaks the grammar
	BadKey              Code = "bad_key"              // the key is blank
	BadJSON             Code = "bad_json"             // an object that is beyond repair
	PathNotFound        Code = "path_not_found"       // set_* creates nothing
	IndexOutOfRange     Code = "index_out_of_range"   // past the end of a list
	NotAContainer       Code = "not_a_container"      // a scalar cannot hold members
	TypeMismatch        Code = "type_mismatch"        // the field is of another type
	WrongModule         Code = "wrong_module"         // the path names another module
	DescriptionReadonly Code = "description_readonly" // the text of a leaf is fixed
	ReadonlyDerived     Code = "readonly_derived"     // a formula computes the field
	ReadonlyAuto        Code = "readonly_auto"        // the clock keeps the field
	ProtectedNode       Code = "protected"            // _is_protected stands in the way
	StructuralBranch    Code = "structural"           // the branch is part of the frame
	PermissionDenied    Code = "permission_denied"    // not for this actor
	SourceNotFound      Code = "source_not_found"     // nothing to move
	DestinationExists   Code = "destination_exists"   // a move never overwrites
	MoveIntoSelf        Code = "move_into_self"       // a node cannot hold itself
	PlaceholderWrite    Code = "placeholder_write"    // the text that hides a node
	OnceTrue            Code = "once_true"            // declared to stay true
	OldMismatch         Code = "old_mismatch"         // the old value is another one
	TooLong             Code = "too_long"             // a number of more than MaxDigits
	TooMany             Code = "too_many"             // the message changes too much already
	UnknownCommand      Code = "unknown_command"      // no such command
	Aborted             Code = "aborted"              // another one failed
)

// What is told of others than one rejected command.
const (
	MoreRejected Code = "more_rejected" // stands for those that a feedback does not list
	NotFound     Code = "not_found"     // comes with a command that had nothing to delete
)

// Warning is something worth telling about a command that went through.
type Warning string

// The warnings.
const (
	WarnBareWord        Warning = "bare_word"        // a text stood without quotes
	WarnRepairedJSON    Warning = "repaired_json"    // the JSON had mistakes
	WarnSkippedKeys     Warning = "skipped_keys"     // set_* adds no fields
	WarnSkippedReadonly Warning = "skipped_readonly" // computed fields were left out
	WarnOldMismatch     Warning = "old_mismatch"     // the old value was another one
	WarnDottedKey       Warning = "dotted_key"       // probably meant as a path
	WarnProtectedFlag   Warning = "protected_flag"   // the flag was not lifted
	WarnProtectedKept   Warning = "protected_kept"   // protected nodes stayed
	WarnAdjusted        Warning = "adjusted"         // brought into the bounds that are declared
)
