package conflict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// narration is about 2 KB of play in both languages with three false claims.
const narration = `雾气从城门的石缝间涌出，你握紧剑柄，听见远处传来沉闷的钟声。苏晴在你身旁低声念着祷词，
指尖的微光照亮了斑驳的墙面。“别出声，”她说，“他们可能已经进入大厅了。”你点点头，贴着墙慢慢往前挪。
守卫的脚步声在拱廊下回荡，一声，两声，随后停住。你屏住呼吸，从门缝里望去，只见两个披甲的人影背对着你们，
火把在他们手里噼啪作响。如果现在冲出去，也许还有机会；但苏晴摇了摇头，示意你再等等。

忽然，一支冷箭擦着你的耳边飞过，你失去了3点生命值，踉跄着退了半步。苏晴拉住你的手臂，没有让你倒下。
守卫大喊起来，铁靴踏在石板上的声音越来越近。你想起老人昨天说过的话：地窖里的东西不该被惊醒。

The gate groans in the wind. Su whispers a word you do not know, and the light at her fingertips
dies down. You could run for the Hall, or you could stay and fight; neither seems wise. One of the
guards lifts his torch, peers into the dark, and takes a step toward you. "You will lose more than
blood tonight," he growls. You raise your sword. He swings first, and the blade rings against your
shield without breaking it. Su throws a handful of dust into the torch, and the flame turns green.
The guard coughs, stumbles, and loses 4 HP to the burning smoke, while you slip past his arm.
Lin climbs down into the Cellar. The air is cold, and the map in your hand flutters like a moth.

石阶尽头是一扇半掩的木门，门后传来水滴落下的声音。你伸手推门，木头发出一声长长的呻吟，像是某种野兽在梦里翻身。
苏晴回头看了一眼来路，低声道：“我们不该来这里。”你没有回答，只是把火把举得更高一些，让光照进门后的黑暗。
墙上的壁画剥落了大半，剩下的颜料勾勒出一座高塔与一口铜钟。苏晴的生命值降到4。
`

func BenchmarkDetect(b *testing.B) {
	view := town()
	b.ReportAllocs()
	b.SetBytes(int64(len(narration)))
	for b.Loop() {
		found := conflict.Detect(narration, nil, view, conflict.Options{})
		if len(found) != 3 {
			b.Fatalf("%d conflicts, want 3", len(found))
		}
	}
}

// BenchmarkDetectLength shows that the work per byte does not grow with the length, also for texts
// that are made to be expensive.
func BenchmarkDetectLength(b *testing.B) {
	view := town()
	for _, unit := range []string{
		narration, "你失去了5点生命值", "又", "“", "你的", "大厅走进", "hp 1 ", "从现在起地图", "规则", "you take the ", "掉", "loses 5 hp ",
		"又你",
	} {
		for _, size := range []int{4_000, 64_000} {
			text := strings.Repeat(unit, 1+size/len(unit))
			b.Run(fmt.Sprintf("%.6s/%d", unit, size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					conflict.Detect(text, nil, view, conflict.Options{})
				}
			})
		}
	}
}

// BenchmarkSuspect shows the cost of asking, and how many questions a turn has that contradicts nothing.
func BenchmarkSuspect(b *testing.B) {
	questions, view := 0, town()
	for b.Loop() {
		questions = 0
		for _, text := range quickstart {
			r := conflict.Read(text, nil, view)
			questions += len(conflict.Suspect(r, r.Detect(conflict.Options{}), conflict.Options{}))
		}
	}
	b.ReportMetric(float64(questions)/float64(len(quickstart)), "questions/turn")
}
