package main

import (
	"io"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/llm/llmtest"
)

func Example() {
	main()
	// Output:
	// 「下雨了，进来坐。」小满擦了擦桌子。
	//
	// > 我收起油纸伞，要一碗茶。
	// 小满看见那把伞，怔了怔，倒了一碗热茶。
	//   stat_data.小满.好感度.0: 20 -> 28
	//   stat_data.小满.心情: "平静" -> "怅然"
	//   stat_data.客人.铜钱: 12 -> 10
	//
	// > 茶真好喝，能买一点吗？
	// 「这包茶叶送你。」
	//   stat_data.客人.背包.雨前茶: null -> 1
	//   ! 4:1 set rejected type_mismatch: 该字段是数字，请写数字
	//   ! 5:1 insert rejected schema_not_extensible: 这里不能新增内容，只能修改已有的
	//
	// > 我该走了。
	// 雨停了。
	//
	// {"小满":{"好感度":[28,"对客人的好感，0 到 100"],"心情":"怅然"},"客人":{"铜钱":10,"背包":{"油纸伞":1,"雨前茶":1}},"时辰":"申时"}
}

// TestWhatTheModelReads checks that the prompt has the language and the variables. After a mistake
// it also has the explanation, in Chinese. The [InitVar] entry itself is not lore.
func TestWhatTheModelReads(t *testing.T) {
	model := llmtest.NewScripted(
		llmtest.Text("好。<UpdateVariable>_.add('小满.好感度', '很多');</UpdateVariable>"), llmtest.Text("嗯。"))
	if err := run(t.Context(), io.Discard, model, "我收起伞。", "再来一碗。"); err != nil {
		t.Fatal(err)
	}
	var prompts []string
	for _, request := range model.Requests() {
		var prompt strings.Builder
		for _, m := range request.Messages {
			prompt.WriteString(m.Text + "\n")
		}
		prompts = append(prompts, prompt.String())
	}
	for _, want := range []string{"<UpdateVariable>", `"好感度":[20`, "亡母的手艺"} {
		if !strings.Contains(prompts[0], want) {
			t.Errorf("the first prompt has no %s:\n%s", want, prompts[0])
		}
	}
	if strings.Contains(prompts[0], "$meta") {
		t.Errorf("the first prompt has the schema's markers:\n%s", prompts[0])
	}
	if !strings.Contains(prompts[1], "很多") || !strings.Contains(prompts[1], game.Chinese().Commands) {
		t.Errorf("the second prompt does not say what was wrong:\n%s", prompts[1])
	}
}

// TestBadCard checks that all unreadable entries are named, and that nothing is played.
func TestBadCard(t *testing.T) {
	bad := strings.Replace(string(card), `小满:\n`, `小满: [\n`, 1)
	if _, problems := begin([]byte(bad)); problems.Err() != nil || len(problems) == 0 {
		t.Errorf("problems %v", problems)
	}
	if _, problems := begin([]byte("no card")); problems.Err() == nil {
		t.Error("a text is a card")
	}
}
