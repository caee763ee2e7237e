package worldbook_test

import (
	"fmt"

	wb "github.com/talewright/talewright/worldbook"
)

// The profiles are values: change what you want to be different.
func ExampleExact() {
	settings := wb.Exact()
	settings.Depth = 4
	settings.Budget = 10
	book := wb.Book{Name: "lore", Entries: []wb.Entry{{UID: "1", Constant: true, Content: "Magic is rare."}}}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: book}}, settings)
	result, _ := compiled.Scan(wb.Input{ContextSize: 2000}, wb.State{})
	fmt.Println(compiled.Settings().Depth, result.Budget, result.Used)
	// Output: 4 200 4
}

// The same book under the rules of RoleplayConfig files: whole Chinese words, regexes that ignore
// case.
func ExampleRoleplay() {
	yes := true
	entry := wb.Entry{UID: "m", Keys: []string{"魔法"}, MatchWholeWords: &yes, Content: "…"}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{entry}}}}, wb.Roleplay())
	for _, text := range []string{"学习魔法", "魔法师", "这是魔法吗"} {
		result, _ := compiled.Scan(wb.Input{Messages: []wb.Message{{Text: text}}, ContextSize: 4096}, wb.State{})
		fmt.Println(text, len(result.Activated) == 1)
	}
	// Output:
	// 学习魔法 true
	// 魔法师 false
	// 这是魔法吗 true
}
