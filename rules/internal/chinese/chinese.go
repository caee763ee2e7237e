// Package chinese has the sentences in which packages rules and effect refuse something, for games in
// Chinese.
package chinese

import "github.com/talewright/talewright/internal/wording"

// Table has them.
var Table = wording.Table{
	"%s takes %s, not %s":                             "%s 需要%s，而不是%s",
	"%s works on %s, and this is %s":                  "%s 只能用于%s，而这里是%s",
	"no operation %q":                                 "没有操作 %q",
	"a number of so many digits is not computed with": "位数过多的数字不参与计算",
	"the result is too large for a number":            "结果超出数字的范围",
	"a list or object is not replaced by %s":          "列表或对象不能换成%s",
	"once true, it stays true":                        "一旦为真，就不能改回",
	"a variable of type %s cannot be %s":              "类型为 %s 的变量不能是%s",
	"no variable, and not a model's to command":       "这不是变量，不能由你指挥",
	"a model may not write it":                        "不能由你修改",
	"an action that cannot be read":                   "无法读取的动作",
	"one generation was requested already":            "已经请求过一次生成",
	"a directive needs an id":                         "提示需要一个 id",
	"a message needs a text":                          "消息不能没有内容",
	"%T is no effect; effects are values":             "%T 不是效果，效果是值",
	"cannot be written as JSON: %v":                   "无法写成 JSON：%v",
	"cannot be read from its JSON: %v":                "无法从 JSON 读回：%v",
	"takes %s":                                        "需要%s",
	"nothing is called %q":                            "没有名为 %q 的变量",
	"a number of more than %d digits":                 "数字超过 %d 位",
	"a path is written a.b[0], without empty parts":   "路径要写成 a.b[0] 的形式，不能有空的一段",
	"nested deeper than %d levels":                    "嵌套超过 %d 层",
	"a value of more than %d parts":                   "一个值超过 %d 个部分",
	"a text of more than %d bytes":                    "文字超过 %d 字节",
	"nothing can be written there":                    "那里不能写入",
	"the value of a pair is not deleted without its description; delete the pair":              "值不能离开它的说明单独删除；请删除整个变量",
	"%s is read as a text and its description; if it is a list of texts, say so in leaf_paths": "%s 被当作一段文字及其说明；若它是文字列表，请在 leaf_paths 中注明",
	"not declared":                              "没有这个变量",
	"deeper than %d levels":                     "路径超过 %d 层",
	"%s is no list or object":                   "%s 不是列表或对象",
	"the description of a value is not written": "只写值，说明文字不可更改",
	"the key %s is reserved":                    "键 %s 不可使用",
	"%s is a list without a place %q":           "列表 %s 没有位置 %q",
	"%s is read only":                           "%s 只能读取，不能修改",
	"%s always has a value; set another one":    "%s 总有一个值，请改成别的值",

	"a value":                     "一个值",
	"a boolean":                   "布尔值",
	"a text":                      "文字",
	"a list":                      "列表",
	"a number":                    "数字",
	"an object":                   "对象",
	"an object or a list":         "对象或列表",
	"a key, which is a text":      "键（文字）",
	"an index, which is a number": "序号（数字）",
	"a text that is not empty":    "不为空的文字",
	"an id behind the last dot":   "最后一个点之后的 id",
	"true or false":               "true 或 false",
	"a text, an object with a text content, or false": "文字、带有文字 content 的对象，或 false",
	"a text, an object or false":                      "文字、对象或 false",
	"true, false or a number of turns":                "true、false 或回合数",

	// Kinds of values.
	"absent": "空缺", "null": "空值", "boolean": "布尔值", "number": "数字", "string": "文字",
	"array": "列表", "object": "对象",
}
