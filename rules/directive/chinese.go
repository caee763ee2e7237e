package directive

import "github.com/talewright/talewright/internal/wording"

// chinese has the sentences of this package for games in Chinese.
var chinese = wording.Table{
	"the closing bracket is missing": "缺少结尾的方括号",
	"the value is not JSON":          "值不是有效的 JSON",
	tooMany:                          "一次回复超过 1,000 处修改，其余作废",
	"the patch is not closed":        "补丁没有结束标签",
	"the tag <%s> is not closed":     "标签 <%s> 没有结束",
	"not a JSON list of operations":  "不是由操作组成的 JSON 列表",
	"operation %d: %s":               "第 %d 个操作：%s",
	"no path such as /a/b":           "路径要写成 /a/b 的形式",
	"no value":                       "没有 value",
	"delta takes a number":           "delta 需要数字",
	"no operation %q; there are replace, insert, delta and remove": "没有操作 %q；可用 replace、insert、delta、remove",
	"a block of directives must hold nothing else":                 "指令块中不能有别的内容",
	"there are %d receipts; end the reply with one line %s":        "有 %d 行回执；请在回复最后单独写一行 %s",
	"%d updates were understood; repair the others, or write %s":   "读懂了 %d 处修改；请改正其余各处，或写 %s",
}
