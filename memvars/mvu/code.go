package mvu

import (
	"strconv"

	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
)

// Code says why a command had no effect.
type Code = command.Code

// The codes of this dialect.
const (
	PathMissing      Code = "path_missing"          // the path does not exist
	NotAContainer    Code = "not_a_container"       // neither an object nor a list
	ParentMissing    Code = "parent_missing"        // the parent does not exist either
	BadMerge         Code = "bad_merge"             // only an object can be merged into an object
	NotExtensible    Code = "schema_not_extensible" // the schema is closed here
	Required         Code = "schema_required"       // the schema requires the member
	NotFound         Code = "not_found"             // no such element or member
	NotANumber       Code = "not_a_number"          // the target is not a number or date
	BadDelta         Code = "bad_delta"             // the amount is not a number
	BadArity         Code = "bad_arity"             // too few or too many arguments
	BadArguments     Code = "bad_arguments"         // arguments that do not fit
	TemplateMismatch Code = "template_mismatch"     // a remark only: the value is kept unchanged
	BadPath          Code = "bad_path"              // the path violates the grammar
	TypeMismatch     Code = "type_mismatch"         // a number needs a number
	PairShape        Code = "pair_shape"            // a pair stays a pair
	Readonly         Code = "readonly"              // see Options.ReadonlyPrefix
	Invalid          Code = "invalid"               // Options.Validate refused it
	TestFailed       Code = "test_failed"           // a test operation of a patch
	TooMany          Code = "too_many"              // the message already changes too much
	TooLong          Code = "too_long"              // a number of more than tree.MaxDigits
	Aborted          Code = "aborted"               // undone or skipped with its block
)

// hints are the hints for the codes, in the languages of [Options].Hints.
var hints = map[string]map[Code]string{
	"en": {
		PathMissing:      "nothing is at this path; name what is there, or insert it first",
		NotAContainer:    "name an object or a list",
		ParentMissing:    "insert the object around it first",
		BadMerge:         "only an object can be merged into an object; name a key for the value",
		NotExtensible:    "the game takes nothing new here; change what is there",
		Required:         "the game needs this member; change it instead",
		NotFound:         "no such element or member",
		NotANumber:       "add needs a number or a date; use set",
		BadDelta:         "the amount to add is a number",
		BadArity:         "set(path, value), add(path, amount), insert(path, key, value), delete(path) or delete(path, key)",
		BadArguments:     "these arguments do not fit the command",
		TemplateMismatch: "the value does not fit the template and is kept as it is",
		BadPath:          "write the path as a.b[0], without empty segments",
		TypeMismatch:     "the field holds a number; write one",
		PairShape:        "the field is a value with its description; write the value alone",
		Readonly:         "the field is read-only",
		Invalid:          "the game does not allow this",
		TestFailed:       "the value that was tested is another one",
		TooMany:          "write less at a time",
		TooLong:          "a number has at most " + strconv.Itoa(tree.MaxDigits) + " digits",
		Aborted:          "an operation of the same block failed",
	},
	"zh": {
		PathMissing:      "该路径不存在；请写已有的路径，或先插入",
		NotAContainer:    "请写对象或列表的路径",
		ParentMissing:    "请先插入它所在的对象",
		BadMerge:         "只有对象才能并入对象；其他值请写出键名",
		NotExtensible:    "这里不能新增内容，只能修改已有的",
		Required:         "该成员不可删除，请改写它的值",
		NotFound:         "没有这个元素或成员",
		NotANumber:       "add 只用于数字或日期，请改用 set",
		BadDelta:         "增加的量必须是数字",
		BadArity:         "set(路径, 值)、add(路径, 增量)、insert(路径, 键, 值)、delete(路径) 或 delete(路径, 键)",
		BadArguments:     "参数与指令不符",
		TemplateMismatch: "该值与模板不符，已按原样保留",
		BadPath:          "路径要写成 a.b[0] 的形式，不能有空的一段",
		TypeMismatch:     "该字段是数字，请写数字",
		PairShape:        "该字段是带说明的值，请只写值",
		Readonly:         "该字段只读",
		Invalid:          "游戏不允许这样修改",
		TestFailed:       "被检验的值与实际不同",
		TooMany:          "一次少写一些",
		TooLong:          "数字最多 " + strconv.Itoa(tree.MaxDigits) + " 位",
		Aborted:          "同一补丁中有操作失败",
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
