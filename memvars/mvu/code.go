package mvu

import (
	"cmp"
	_ "embed"
	"strconv"
	"sync"

	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// Code says why a command had no effect.
//
// Its values:
//
//   - path_missing: the path does not exist
//   - not_a_container: neither an object nor a list
//   - parent_missing: the parent does not exist either
//   - bad_merge: only an object can be merged into an object
//   - schema_not_extensible: the schema is closed here
//   - schema_required: the schema requires the member
//   - not_found: no such element or member
//   - not_a_number: the target is not a number or date
//   - bad_delta: the amount is not a number
//   - bad_arity: too few or too many arguments
//   - bad_arguments: arguments that do not fit
//   - template_mismatch: a remark only: the value is kept unchanged
//   - bad_path: the path violates the grammar
//   - type_mismatch: a number needs a number
//   - pair_shape: a pair stays a pair
//   - readonly: see Options.ReadonlyPrefix
//   - invalid: Options.Validate refused it
//   - test_failed: a test operation of a patch
//   - too_many: the message already changes too much
//   - too_long: a number of more than tree.MaxDigits
//   - aborted: undone or skipped with its block
type Code = memvars.Code

// The codes of this dialect.
const (
	codePathMissing      Code = "path_missing"
	codeNotAContainer    Code = "not_a_container"
	codeParentMissing    Code = "parent_missing"
	codeBadMerge         Code = "bad_merge"
	codeNotExtensible    Code = "schema_not_extensible"
	codeRequired         Code = "schema_required"
	codeNotFound         Code = "not_found"
	codeNotANumber       Code = "not_a_number"
	codeBadDelta         Code = "bad_delta"
	codeBadArity         Code = "bad_arity"
	codeBadArguments     Code = "bad_arguments"
	codeTemplateMismatch Code = "template_mismatch"
	codeBadPath          Code = "bad_path"
	codeTypeMismatch     Code = "type_mismatch"
	codePairShape        Code = "pair_shape"
	codeReadonly         Code = "readonly"
	codeInvalid          Code = "invalid"
	codeTestFailed       Code = "test_failed"
	codeTooMany          Code = "too_many"
	codeTooLong          Code = "too_long"
	codeAborted          Code = "aborted"
)

// hints are the hints for the codes.
var hints = map[Code]string{
	codePathMissing:      "nothing is at this path; name what is there, or insert it first",
	codeNotAContainer:    "name an object or a list",
	codeParentMissing:    "insert the object around it first",
	codeBadMerge:         "only an object can be merged into an object; name a key for the value",
	codeNotExtensible:    "the game takes nothing new here; change what is there",
	codeRequired:         "the game needs this member; change it instead",
	codeNotFound:         "no such element or member",
	codeNotANumber:       "add needs a number or a date; use set",
	codeBadDelta:         "the amount to add is a number",
	codeBadArity:         "set(path, value), add(path, amount), insert(path, key, value), delete(path) or delete(path, key)",
	codeBadArguments:     "these arguments do not fit the command",
	codeTemplateMismatch: "the value does not fit the template and is kept as it is",
	codeBadPath:          "write the path as a.b[0], without empty segments",
	codeTypeMismatch:     "the field holds a number; write one",
	codePairShape:        "the field is a value with its description; write the value alone",
	codeReadonly:         "the field is read-only",
	codeInvalid:          "the game does not allow this",
	codeTestFailed:       "the value that was tested is another one",
	codeTooMany:          "write less at a time",
	codeTooLong:          "a number has at most " + strconv.Itoa(tree.MaxDigits) + " digits",
	codeAborted:          "an operation of the same block failed",
}

// hintsInChinese has the Chinese translations of the hints, in the form of [wording.ReadTable].
//
//go:embed hints.zh.txt
var hintsInChinese string

var chinese = sync.OnceValue(func() wording.Table { return wording.ReadTable(hintsInChinese) })

// hint returns the hint for a code, in English if the language is unknown.
func hint(code Code, language string) string {
	return cmp.Or(wording.In(language, chinese())[hints[code]], hints[code])
}
