package mvu

import (
	"strconv"

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

// hints are the hints for the codes, in the languages of [Options].Hints.
var hints = map[string]map[Code]string{
	"en": {
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
	},
	"zh": {
		codePathMissing:      "该路径不存在；请写已有的路径，或先插入",
		codeNotAContainer:    "请写对象或列表的路径",
		codeParentMissing:    "请先插入它所在的对象",
		codeBadMerge:         "只有对象才能并入对象；其他值请写出键名",
		codeNotExtensible:    "这里不能新增内容，只能修改已有的",
		codeRequired:         "该成员不可删除，请改写它的值",
		codeNotFound:         "没有这个元素或成员",
		codeNotANumber:       "add 只用于数字或日期，请改用 set",
		codeBadDelta:         "增加的量必须是数字",
		codeBadArity:         "set(路径, 值)、add(路径, 增量)、insert(路径, 键, 值)、delete(路径) 或 delete(路径, 键)",
		codeBadArguments:     "参数与指令不符",
		codeTemplateMismatch: "该值与模板不符，已按原样保留",
		codeBadPath:          "路径要写成 a.b[0] 的形式，不能有空的一段",
		codeTypeMismatch:     "该字段是数字，请写数字",
		codePairShape:        "该字段是带说明的值，请只写值",
		codeReadonly:         "该字段只读",
		codeInvalid:          "游戏不允许这样修改",
		codeTestFailed:       "被检验的值与实际不同",
		codeTooMany:          "一次少写一些",
		codeTooLong:          "数字最多 " + strconv.Itoa(tree.MaxDigits) + " 位",
		codeAborted:          "同一补丁中有操作失败",
	},
}

// hint returns the hint for a code, in English if the language is unknown.
func hint(code Code, language string) string {
	words, ok := hints[language]
	if !ok {
		words = hints["en"]
	}
	return words[code]
}
