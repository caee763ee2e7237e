// Mvu plays a card for the MVU framework. The card's [InitVar] entry sets the variables, the model
// changes them in <UpdateVariable> blocks, and players see none of that.
//
//	go run ./examples/mvu
//
// The card is played unchanged. The engine refuses changes that the model may not make: a member
// that the schema does not have, or a text in place of a number. The next prompt reports the
// refusal to the model, in Chinese.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/mvu"
)

//go:embed card.json
var card []byte

// begin reads a card and its initial variables. The card is Chinese, so the engine's sentences are
// Chinese too.
func begin(data []byte) (imports.Start, talewright.Problems) {
	return imports.Parse(data, imports.Options{
		ID: "teahouse", Player: "阿远",
		MVU: mvu.Options{ReadonlyPrefix: "_"},
	})
}

func main() {
	model := llmtest.NewScripted(
		llmtest.Text(`小满看见那把伞，怔了怔，倒了一碗热茶。
<UpdateVariable>
_.add('小满.好感度', 8);//认出了母亲的伞
_.set('小满.心情', '平静', '怅然');//想起母亲
_.add('客人.铜钱', -2);//茶钱
</UpdateVariable>`),
		llmtest.Text(`「这包茶叶送你。」
<UpdateVariable>
_.insert('客人.背包', '雨前茶', 1);//小满送的
_.set('小满.好感度', '很高');//写错了：要数字
_.insert('小满', '愿望', '开分店');//写错了：没有这一项
</UpdateVariable>`),
		llmtest.Text("雨停了。"),
	)
	if err := run(context.Background(), os.Stdout, model, "我收起油纸伞，要一碗茶。", "茶真好喝，能买一点吗？", "我该走了。"); err != nil {
		log.Fatal(err)
	}
}

// run plays some lines and prints what players see, and the changes of the variables.
func run(ctx context.Context, out io.Writer, model llm.Model, lines ...string) error {
	start, problems := begin(card)
	if len(problems) > 0 {
		return problems
	}
	g, problems := campaign.Compile(start.Content)
	if len(problems) > 0 {
		return problems
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model})
	if err != nil {
		return err
	}
	if _, err := engine.Create(ctx, start.Setup); err != nil {
		return err
	}
	fmt.Fprintln(out, start.Setup.Greeting)
	for _, line := range lines {
		outcome, err := engine.Turn(ctx, start.Setup.ID, campaign.Submit{Text: line})
		if err := cmp.Or(err, outcome.Err()); err != nil {
			return err
		}
		fmt.Fprintf(out, "\n> %s\n%s\n", line, outcome.Turn.Text)
		for _, change := range outcome.Turn.Changes {
			fmt.Fprintf(out, "  %s: %s -> %s\n", change.Path, change.Old, change.New)
		}
		for _, command := range outcome.Turn.Commands {
			if command.Code != "" { // refused; the next prompt reports it to the model
				fmt.Fprintf(out, "  ! %s\n", command)
			}
		}
	}
	c, err := engine.Campaign(ctx, start.Setup.ID)
	if err != nil {
		return err
	}
	stat, _ := c.State.Variables.Root().Get("stat_data").MarshalJSON()
	fmt.Fprintf(out, "\n%s\n", stat)
	return nil
}
