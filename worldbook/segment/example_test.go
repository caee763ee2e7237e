package segment_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/segment"
)

func Example() {
	dictionary, err := segment.Load() // once per program
	if err != nil {
		fmt.Println(err)
		return
	}
	book := worldbook.Book{Name: "world", Entries: []worldbook.Entry{
		{UID: "magic", Keys: []string{"魔法"}, Content: "魔法分为四大元素。"},
		{UID: "rain", Keys: []string{"小雨"}, Content: "天气不好。"},
		{UID: "girl", Keys: []string{"林小雨"}, Content: "林小雨是酒馆老板的女儿。"},
	}}
	var names []string // the book's keys are words
	for _, entry := range book.Entries {
		names = append(names, entry.Keys...)
	}
	settings := worldbook.Roleplay()
	settings.MatchWholeWords = true
	settings.Words = dictionary.With(names...)

	compiled, _ := worldbook.Compile([]worldbook.Attachment{{Book: book}}, settings)
	for _, line := range []string{"林小雨想学习魔法", "她是魔法师"} {
		result, _ := compiled.Scan(worldbook.Input{
			Messages: []worldbook.Message{{Text: line}}, ContextSize: 4096,
		}, worldbook.State{})
		fmt.Println(line, len(result.Activated))
	}
	// Output:
	// 林小雨想学习魔法 2
	// 她是魔法师 0
}

func ExampleSegmenter_With() {
	dictionary, err := segment.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	named := dictionary.With("萧炎", "约翰·史密斯")
	fmt.Println(dictionary.Cut("萧炎会斗气"))
	fmt.Println(named.Cut("萧炎会斗气"))
	// Output:
	// [萧 炎 会 斗气]
	// [萧炎 会 斗气]
}

func ExampleSegmenter_IsWord() {
	dictionary, err := segment.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	n := len("魔法")
	fmt.Println(dictionary.IsWord("学习魔法", 2*3, 2*3+n))
	fmt.Println(dictionary.IsWord("魔法师", 0, n))
	fmt.Println(dictionary.IsWord("这是魔法吗", 2*3, 2*3+n))
	// Output:
	// true
	// false
	// true
}

func ExampleSegmenter_Cut() {
	dictionary, err := segment.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", dictionary.Cut("南京市长江大桥 is long"))
	// Output: ["南京市" "长江大桥" " " "is" " " "long"]
}

// Load fails only for a program that was built without the library's dictionary.
func ExampleLoad() {
	dictionary, err := segment.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dictionary.Cut("我在魔法学院学习"))
	// Output: [我 在 魔法 学院 学习]
}
