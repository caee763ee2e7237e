package conflict_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// quickstart are replies of a game without contradictions, in the style of the first example.
var quickstart = []string{
	"The rain has not stopped since noon. Su pulls her hood up and waits beside you at the Gate, counting the coins in her purse.",
	"“If you go in there, you will lose more than five hit points,” says the guard. Su laughs, but her hand is on her knife.",
	"You listen at the door. From here you can see the Bell Tower, black against the clouds. Nobody climbs it any more.",
	"In the dark the last stair is gone. Su lends you her hand.",
	"雨还在下。苏晴把斗篷裹紧，站在城门下等你。守卫打了个哈欠，说昨夜有人死在大厅里。",
	"你花三枚铜钱买了一碗热汤。苏晴问你，要不要天亮再走。远处的钟楼敲了六下。",
	"The candle goes out. Su does not move. The room spins when you stand up too fast, and the Hall bell strikes six.",
	"苏晴双腿一软，坐在地上，困得头一歪。声音渐渐远去了，火把灭了，你什么也看不见。",
}

// The questions of each turn of a game without contradictions are few. The test prints them, and the
// questions about a card of TALEWRIGHT_CARDS, a folder with files of text, if it is set.
func TestQuestionsOfTurns(t *testing.T) {
	t.Parallel()
	sum := 0
	for i, text := range quickstart {
		n := questionsAbout(text)
		sum += n
		fmt.Printf("quickstart turn %d: %d questions\n", i+1, n)
	}
	if sum > 1 {
		t.Errorf("%d questions in %d harmless turns", sum, len(quickstart))
	}
	dir := os.Getenv("TALEWRIGHT_CARDS")
	if dir == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(data[:min(len(data), 64)]), "PNG") {
			continue
		}
		fmt.Printf("%s: %d questions about its first 4 KB\n", filepath.Base(file), questionsAbout(string(data[:min(len(data), 4096)])))
	}
}

func questionsAbout(text string) int {
	r := conflict.Read(text, nil, town())
	return len(conflict.Suspect(r, r.Detect(conflict.Options{}), conflict.Options{}))
}
