package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

var update = flag.Bool("update", false, "write the transcript again")

const transcript = "testdata/transcript.txt"

// playAll plays the script and returns its output and the prompts.
func playAll(t *testing.T) (string, []string) {
	t.Helper()
	lines, replies := script(played)
	model := llmtest.NewScripted()
	for _, text := range replies {
		model.Add(llmtest.Text(text))
	}
	var out bytes.Buffer
	if err := run(t.Context(), &out, campaign.Config{Model: model}, lines...); err != nil {
		t.Fatal(err)
	}
	var prompts []string
	for _, request := range model.Requests() {
		prompts = append(prompts, textOf(request))
	}
	return out.String(), prompts
}

// textOf returns the texts of a request.
func textOf(request llm.Request) string {
	var prompt strings.Builder
	for _, m := range request.Messages {
		prompt.WriteString(m.Text + "\n")
	}
	return prompt.String()
}

// TestScripted plays the card for 15 turns and compares what players see with the stored
// transcript (SC-01, SC-02, SC-05, SC-06, SC-10).
func TestScripted(t *testing.T) {
	out, prompts := playAll(t)
	if len(prompts) != 15 {
		t.Errorf("%d turns", len(prompts))
	}
	if *update {
		if err := os.WriteFile(transcript, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(transcript)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out); diff != "" {
		t.Errorf("the transcript differs (-want +got); if this is right, run the test with -update:\n%s", diff)
	}
	for _, hidden := range []string{"<UpdateVariable>", "StatusPlaceHolder", "JSONPatch", "<%"} {
		if strings.Contains(out, hidden) {
			t.Errorf("players see %s", hidden)
		}
	}
}

// TestPrompts: templates pull in the lore that fits the variables, macros show the variables, and
// the model reads the refusals. No prompt has code, markup or an entry for later.
func TestPrompts(t *testing.T) {
	_, prompts := playAll(t)
	for i, c := range []struct {
		turn          int
		with, without string
	}{
		{1, "好感度|15，疏离 姓名:|阿远 交代完事情就低头理货 这个点的客人大多是人 好感度:|15 只能是|晴/多云/小雨/大雨/起雾", "给{{user}}留 三条规矩： 走出雨棚滴水的那条线。十一年前 空车灯永远亮着 \"schema\" initialized"},
		{3, "18，疏离 橘白相间", "空车灯永远亮着"},
		{4, "空车灯永远亮着 /世界/天气: 暴雨", ""},
		{6, "31，熟络 顺手给阿远留一份关东煮", "交代完事情就低头理货"},
		{8, "店里有三条规矩 湿了一串脚印却没见人", "这个点的客人"},
		{11, "十一年前的雨夜她替外婆守店 阿远已经知道多少", ""},
		{13, "73，交心 挡到前面去", "不要海带"},
		{15, "77，交心", "牛奶糖:"},
	} {
		text := prompts[c.turn-1]
		for _, word := range strings.Fields(c.with) {
			if word = strings.ReplaceAll(word, "|", " "); !strings.Contains(text, word) {
				t.Errorf("row %d: turn %d has no %s in\n%s", i, c.turn, word, text)
			}
		}
		for _, word := range strings.Fields(c.without) {
			if strings.Contains(text, word) {
				t.Errorf("row %d: turn %d has %s in\n%s", i, c.turn, word, text)
			}
		}
	}
	for i, text := range prompts {
		for _, never := range []string{"<%", "getvar", "StatusPlaceHolder", "<details>", "registerMvuSchema", "[initvar]", "{{user}}"} {
			if strings.Contains(text, never) {
				t.Errorf("prompt %d has %s in\n%s", i+1, never, text)
			}
		}
	}
}

// TestGreetings: each greeting has its own variables, and the schema completes them. The commands
// and the place of the status page are not shown.
func TestGreetings(t *testing.T) {
	for i, want := range []string{
		`"好感度":15,"心情":"平静"`, `"好感度":35,"心情":"平静"`, `"好感度":72,"心情":"舍不得"`,
	} {
		start, odd := begin(card, i)
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		if stat := start.Setup.Variables.Root().Get("stat_data").String(); !strings.Contains(stat, want) || !strings.Contains(stat, "阿远来应聘夜班的那个雨夜") {
			t.Errorf("greeting %d begins with %s, want %s", i, stat, want)
		}
		if g := start.Setup.Greeting; g == "" || strings.ContainsAny(g, "<{") {
			t.Errorf("greeting %d is %q", i, g)
		}
	}
}

// TestSecondModel plays the card with a second model for the variables (SC-07): the narrator has no
// rules for updates, and the second model no advice about style.
func TestSecondModel(t *testing.T) {
	start, odd := begin(card, 0)
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	g, problems := campaign.Compile(start.Content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	narrator := llmtest.NewScripted(llmtest.Text("「先把牛奶码了吧。」"))
	updater := llmtest.NewScripted(llmtest.Text(`<UpdateVariable><JSONPatch>[{"op": "delta", "path": "/林栀/好感度", "value": 2}]</JSONPatch></UpdateVariable>`))
	engine, err := campaign.New(campaign.Config{Game: g, Model: narrator, Services: campaign.Services{Updater: updater}})
	if err != nil {
		t.Fatal(err)
	}
	start.Setup.Settings["variables.second_model"] = tree.Bool(true)
	if _, err := engine.Create(t.Context(), start.Setup); err != nil {
		t.Fatal(err)
	}
	if err := turn(t.Context(), io.Discard, engine, start.Setup.ID, "我来上班。"); err != nil {
		t.Fatal(err)
	}
	c, err := engine.Campaign(t.Context(), start.Setup.ID)
	if err != nil {
		t.Fatal(err)
	}
	if v := c.State.Variables.Root().Get("stat_data").Get("林栀").Get("好感度"); v != tree.Int(17) {
		t.Errorf("the second model made it %v", v)
	}
	for text, want := range map[string][2]string{
		textOf(narrator.Requests()[0]): {"怪事要淡着写", "变量输出格式"},
		textOf(updater.Requests()[0]):  {"变量输出格式", "怪事要淡着写"},
	} {
		if !strings.Contains(text, want[0]) || strings.Contains(text, want[1]) || !strings.Contains(text, "交代完事情就低头理货") {
			t.Errorf("want %q without %q in\n%s", want[0], want[1], text)
		}
	}
}

// TestBadCard checks that all unreadable entries are named, and that nothing is played.
func TestBadCard(t *testing.T) {
	bad := strings.Replace(string(card), `"世界:\n`, `"世界: [\n`, 1)
	if _, odd := begin([]byte(bad), 0); odd.Err() != nil || !slices.ContainsFunc(odd, func(p talewright.Problem) bool { return p.Code == "bad_initvar" }) {
		t.Errorf("problems %v", odd)
	}
	if _, odd := begin([]byte("no card"), 0); odd.Err() == nil {
		t.Error("a text is a card")
	}
}
