package format_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// WB-24: the JSON of a RoleplayConfig loads as it is.
func ExampleParseRoleplay() {
	config, problems := format.ParseRoleplay("magic", []byte(`{
		"characterCard": "你是一位年轻的魔法师...",
		"worldBookEntries": [
			{"uid": "magic-system", "name": "魔法体系", "content": "四大元素：火、水、风、土。",
			 "keywords": ["魔法", "咒语"], "position": "before", "order": 100},
			{"uid": "world-rules", "constant": true, "content": "魔法很少见。",
			 "position": "middle", "order": 10}
		],
		"scanDepth": 4}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(problems[0])
	compiled, _ := config.Compile()
	result, _ := compiled.Scan(worldbook.Input{
		Messages: []worldbook.Message{{Text: "我想学习魔法"}}, ContextSize: 8192,
	}, worldbook.State{})
	fmt.Println(worldbook.Join(result.Before))
	// Output:
	// worldBookEntries[1].position: "middle" is not a position: before is used
	// 魔法很少见。
	// 四大元素：火、水、风、土。
}

// The state as rows of a table, and back.
func ExampleRoleplayRows() {
	config, _ := format.ParseRoleplay("b", []byte(`{"worldBookEntries": [
		{"uid": "forest", "keywords": ["森林"], "sticky": 3, "content": "高大的树。"},
		{"uid": "path", "keywords": ["走进"], "content": "小路。"}]}`))
	compiled, _ := config.Compile()
	chat := []worldbook.Message{{Text: "我走进森林"}}
	_, state := compiled.Scan(worldbook.Input{Messages: chat, ContextSize: 8192}, worldbook.State{})
	said := []time.Time{time.Date(2025, 1, 23, 20, 0, 0, 0, time.UTC)}
	rows := format.RoleplayRows(state, "b", len(chat), func(length int) time.Time { return said[length-1] })
	for _, r := range rows {
		fmt.Println(r.EntryUID, *r.LastActivatedMessageIndex, r.LastActivatedAt.Format(time.DateTime), r.StickyRemaining)
	}

	again := compiled.Adopt(format.FromRoleplayRows(rows, "b", len(chat)))
	chat = append(chat, worldbook.Message{Text: "天气真好"})
	result, _ := compiled.Scan(worldbook.Input{Messages: chat, ContextSize: 8192}, again)
	fmt.Println(result.Activated[0].Reason)
	// Output:
	// forest 1 2025-01-23 20:00:00 3
	// path 1 2025-01-23 20:00:00 0
	// sticky
}

func ExampleFromRoleplayRows() {
	state := format.FromRoleplayRows([]format.RoleplayRow{{EntryUID: "a", CooldownRemaining: 2}}, "b", 10)
	fmt.Println(state.Cooldown["b.a"].End)
	// Output: 12
}

// TestBossExample plays a combined example (WB-18): sticky, delay and
// AND_ALL on one entry.
func TestBossExample(t *testing.T) {
	t.Parallel()
	config, found := format.ParseRoleplay("b", []byte(`{"worldBookEntries": [{
		"uid": "boss", "keywords": ["Boss", "魔王"], "secondaryKeywords": ["城堡", "决战"],
		"selectiveLogic": "AND_ALL", "sticky": 10, "delay": 15, "order": 50,
		"content": "最终Boss战..."}]}`))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	c, _ := config.Compile()
	var chat []worldbook.Message
	var st worldbook.State
	for n := 1; n <= 40; n++ {
		text := "继续"
		if n == 10 || n == 20 {
			text = "魔王在城堡决战"
		}
		chat = append(chat, worldbook.Message{Text: text})
		var r worldbook.Result
		r, st = c.Scan(worldbook.Input{Messages: chat, ContextSize: 8192}, st)
		// Blocked by delay at 10; found at 20, sticky for ten messages, spent after.
		if want := n >= 20 && n < 30; (len(r.Activated) == 1) != want {
			t.Errorf("message %d: %d active", n, len(r.Activated))
		}
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	_, problems := format.ParseRoleplay("b", []byte(`{"worldBookEntries": [{"uid": true, "selectiveLogic": "XOR",
		"role": "narrator", "keywords": "x", "own": 1}]}`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if len(problems) != 4 {
		t.Errorf("problems %v", problems)
	}
	if _, problems := format.ParseRoleplay("b", []byte(`[]`)); problems.Err() == nil {
		t.Error("a list was read")
	}
}

func FuzzParseRoleplay(f *testing.F) {
	f.Add([]byte(`{"worldBookEntries":[{"uid":"a","keywords":["/x/"],"position":"outlet"}],"scanDepth":2}`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if config, problems := format.ParseRoleplay("b", data); problems.Err() == nil {
			config.Compile()
		}
	})
}
