package memvars

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// maxFeedback limits the commands in the feedback to a model. A reply may have any number of broken
// commands, and the feedback about them costs tokens in the next prompt.
const maxFeedback = 16

// Feedback returns the rejected commands for a report to their author, and the applied ones with
// parts that had no effect. It returns the first 16, with texts cut to 200 bytes. If there are
// more, the last of the 16 summarizes all others: its code is [MoreRejected], and its hint
// counts their codes.
//
// A feedback is small enough for any prompt. It contains no key and no value that is missing in the
// visible document (see [System.Visible]), except the author's own text.
//
// The hint of the last entry is in the language of [Options].Hints.
func (s *System) Feedback(calls []CallResult) []CallResult {
	var out []CallResult
	others := map[Code]int{}
	more := 0
	for _, c := range calls {
		if c.Status != Rejected && c.Hint == "" {
			continue
		}
		if len(out) == maxFeedback {
			others[c.Code]++
			more++
			continue
		}
		c.Op, c.Reason, c.Near, c.Hint = cut(c.Op), cut(c.Reason), cut(c.Near), cut(c.Hint)
		c.Extra = nil
		out = append(out, c)
	}
	if more == 0 {
		return out
	}
	last := &out[maxFeedback-1]
	others[last.Code]++
	counts := make([]string, 0, len(others))
	codes := slices.SortedFunc(maps.Keys(others), func(a, b Code) int {
		return cmp.Or(cmp.Compare(others[b], others[a]), cmp.Compare(a, b))
	})
	for _, code := range codes {
		counts = append(counts, string(code)+" "+strconv.Itoa(others[code]))
	}
	*last = CallResult{Line: last.Line, Col: last.Col, Offset: last.Offset, Status: Rejected, Code: MoreRejected,
		Hint: cut(fmt.Sprintf(s.words.More, more+1, strings.Join(counts, ", ")))}
	return out
}

// sees reports whether the actor is shown the node at a path, in its stored form. A hint about a
// hidden node would get into the next prompt and to the player.
func (r *run) sees(path tree.Path) bool {
	v := r.Root()
	for i := range path {
		if r.hides(v) || !r.seesKey(path[:i], v, path[i]) {
			return false
		}
		v = v.Lookup(path[i : i+1])
	}
	return !r.hides(v)
}

// hides reports whether the node is replaced by the placeholder.
func (r *run) hides(v tree.Value) bool {
	return r.actor != Host && metaHidden(v)
}

// seesKey reports whether a member of a visible node is shown at all.
func (r *run) seesKey(holder tree.Path, v tree.Value, key string) bool {
	if r.actor == Host || !v.IsObject() {
		return true
	}
	if r.sys.stripMeta && isMeta(key) {
		return false
	}
	p := &r.sys.profile
	if len(holder) == 0 || holder[0] != p.Assets || !slices.Equal(holder[1:], p.Big) {
		return true
	}
	return v.IndexOf(key) < v.Len()-max(r.sys.hiddenSummaries(r.Root()), 0)
}

// phrases are the hints of rejected commands in one language.
type phrases struct {
	Codes map[Code]string      // the hint for a code
	Kinds map[tree.Kind]string // the kind of a value, after Holds

	// Beginnings of sentences: the kind of the field, or its value, follows.
	Holds, Current string
	// Formats for one name: the missing key, the nearest existing key, the module of the command.
	Missing, Meant, Relative string
	// Whole sentences about arguments and values.
	FirstIsPath, BranchAndKey, TooDeep string
	// More is the format of the last line of a feedback: a number of commands, and their codes.
	More string

	// Path returns the text for an unreadable path.
	Path func(error) string
}

// languages are the values of the option hints.
var languages = map[string]*phrases{"en": &english, "zh": &chinese}

var english = phrases{
	Codes: map[Code]string{
		UnterminatedString: "close the string with the mark that opened it",
		Unbalanced:         "close every bracket and parenthesis",
		UnexpectedToken:    "separate arguments by commas and end the call with )",
		UnknownCommand:     "use set_attribute, set_status, memory or delete",
		BadArity: "set_*(path[, old], value), memory(parent, key, value), memory(path, value), " +
			"delete(parent, key) or delete(path)",
		BadKey:              "a key is a text or a number, and not blank",
		BadJSON:             "write the object as valid JSON",
		IndexOutOfRange:     "use an index of the list, or - to append with memory",
		DescriptionReadonly: "write the value; its description is fixed",
		ReadonlyDerived:     "the field is computed; change what it is computed from",
		ReadonlyAuto:        "the field is kept by the game clock",
		ProtectedNode:       "the node is protected by _is_protected",
		StructuralBranch:    "delete or move what the branch holds, not the branch",
		PlaceholderWrite:    "the field is hidden; leave it as it is",
		TooLong:             "a number has at most " + strconv.Itoa(tree.MaxDigits) + " digits",
		TooMany:             "write less at a time",
		DestinationExists:   "delete the destination first, or choose another name",
	},
	Kinds: map[tree.Kind]string{
		tree.Absent: "nothing", tree.KindNull: "nothing", tree.KindBool: "a boolean", tree.KindNumber: "a number",
		tree.KindText: "a string", tree.KindArray: "an array", tree.KindObject: "an object",
	},
	Holds: "the field holds ", Current: "the current value is ", Missing: "%q does not exist",
	Meant: "did you mean %q?", Relative: "this command is relative to %s",
	FirstIsPath: "the first argument is the path of a field", BranchAndKey: "name the branch and the key",
	TooDeep: tree.ErrDepth.Error(), More: "and %d more: %s",
	Path: error.Error,
}

var chinese = phrases{
	Codes: map[Code]string{
		UnterminatedString: "字符串要用开头的那种引号结束",
		Unbalanced:         "每个括号都要成对",
		UnexpectedToken:    "参数之间用逗号分隔，调用以 ) 结束",
		UnknownCommand:     "请用 set_attribute、set_status、memory 或 delete",
		BadArity: "set_*(路径[, 旧值], 新值)、memory(父路径, 键, 值)、memory(路径, 值)、" +
			"delete(父路径, 键) 或 delete(路径)",
		BadKey:              "键是文字或数字，不能为空",
		BadJSON:             "对象要写成有效的 JSON",
		IndexOutOfRange:     "请用列表中已有的序号；memory 可用 - 追加",
		DescriptionReadonly: "只写值，说明文字不可更改",
		ReadonlyDerived:     "该字段由公式计算，请改它所依据的字段",
		ReadonlyAuto:        "该字段由游戏时钟维护",
		ProtectedNode:       "该节点受 _is_protected 保护",
		StructuralBranch:    "只能删除或移动该分支里的内容，不能动分支本身",
		PlaceholderWrite:    "该字段已隐藏，请保持原样",
		TooLong:             "数字最多 " + strconv.Itoa(tree.MaxDigits) + " 位",
		TooMany:             "一次少写一些",
		DestinationExists:   "请先删除目标，或换一个名称",
	},
	Kinds: map[tree.Kind]string{
		tree.Absent: "空缺", tree.KindNull: "空值", tree.KindBool: "布尔值", tree.KindNumber: "数字",
		tree.KindText: "文字", tree.KindArray: "列表", tree.KindObject: "对象",
	},
	Holds: "该字段的类型是", Current: "当前值是 ", Missing: "%q 不存在",
	Meant: "是否想写 %q？", Relative: "该指令的路径相对于 %s",
	FirstIsPath: "第一个参数是字段的路径", BranchAndKey: "请写出分支和键",
	TooDeep: "嵌套过深", More: "另有 %d 条：%s",
	Path: func(error) string { return "路径要写成 a.b[0] 的形式，不能有空的一段" },
}
