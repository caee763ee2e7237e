package game_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

var coins = regexp.MustCompile(`\(\+(\d+) coins\)`)

// A host adds its own language to the languages of the engine: "(+5 coins)" adds to the purse.
func ExampleDialect() {
	purse := game.Dialect{
		Name:  "coins",
		Opens: "(",
		Read: func(text string, _ game.Scope) []game.Span {
			var out []game.Span
			for _, m := range coins.FindAllStringSubmatchIndex(text, -1) {
				n, err := strconv.ParseInt(text[m[2]:m[3]], 10, 64)
				if err != nil {
					out = append(out, game.Span{From: m[0], To: m[1], Refused: "so many coins are nowhere"})
					continue
				}
				out = append(out, game.Span{From: m[0], To: m[1], Effects: effect.List{
					effect.SetVariable{Path: "coins", Operation: effect.Add, Value: tree.Int(n)}}})
			}
			return out
		},
		Describe: func(game.Scope) string { return "Write (+N coins) where the player finds some." },
	}
	g, problems := game.Compile(game.Content{Rules: game.Rules{
		Variables: []rules.Variable{{ID: "coins", Type: rules.TypeNumber, Max: new(100.0)}},
		Dialects:  []game.Dialect{purse, game.Commands()},
	}})
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		fmt.Println(problems, err)
		return
	}
	ctx := context.Background()
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{},
		Model: llmtest.NewScripted(llmtest.Text("A purse lies in the grass. (+250 coins) Nobody looks."))})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Create(ctx, state.Setup{
		ID: "mill", Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}},
	}); err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I look around."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	c, err := engine.Campaign(ctx, "mill")
	if err != nil {
		fmt.Println(err)
		return
	}
	found, _ := c.State.Variables.Get("coins")
	fmt.Println(outcome.Turn.Text)
	fmt.Println(found, "coins")
	// Output:
	// A purse lies in the grass. Nobody looks.
	// 100 coins
}

// Directives in brackets change variables. Brackets that name no variable are normal text.
func ExampleDirectives() {
	g, problems := game.Compile(game.Content{Rules: game.Rules{
		Variables: []rules.Variable{{ID: "hp", Name: "Life", Type: rules.TypeNumber}},
		Dialects:  []game.Dialect{game.Directives(game.DirectiveOptions{})},
	}})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	show(g.Read("The blow lands. [hp: -4] You hear [a bell].", g.Scope()))
	// Output:
	// The blow lands. You hear [a bell].
	// directives: {"type":"set-variable","path":"hp","operation":"subtract","value":4}
}

// A status block sets the variables that it names. Players do not see it.
func ExampleReplyRules() {
	g, problems := game.Compile(game.Content{Rules: game.Rules{
		Variables: []rules.Variable{{ID: "hp", Name: "Life", Type: rules.TypeNumber}},
		Dialects:  []game.Dialect{game.ReplyRules()},
		ReplyRules: []rules.ReplyRule{{
			ID: "status", Match: rules.ReplyMatch{Tag: "status"}, Hide: true, To: []rules.ReplyRoute{{Kind: rules.ReplyFields}},
		}},
	}})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	show(g.Read("The blow lands.\n<status>Life: 6</status>", g.Scope()))
	// Output:
	// The blow lands.
	// reply_rules: {"type":"set-variable","path":"hp","operation":"set","value":6}
}

// show prints the text that players see of a reply, and its requests.
func show(r game.Reading) {
	fmt.Println(r.Shown)
	for _, asked := range r.Asked {
		for _, span := range asked.Spans {
			for _, e := range span.Effects {
				data, _ := effect.Marshal(e)
				fmt.Printf("%s: %s\n", asked.Dialect, data)
			}
		}
	}
}

// A macro of the host works in every text of an author: here in an entry of lore, whose key is also
// such a macro.
func ExampleContent_macros() {
	own, err := macro.NewSet(macro.Macro{Name: "sky", Func: func(c *macro.Call) string {
		if c.Env().Turn%2 == 1 {
			return "red"
		}
		return "black"
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, problems := game.Compile(game.Content{Extensions: game.Extensions{Macros: own}, Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{
		Name: "world", Entries: []worldbook.Entry{{UID: "1", Keys: []string{"{{sky}}"}, Content: "Omens: the sky is {{sky}}."}},
	}}}}})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	c, err := turn.Begin(g, state.Setup{ID: "mill", Characters: []state.Character{{ID: "ann", Name: "Ann"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := turn.NewMachine(g, c)
	if err := m.Step(turn.Submit{Text: "A red evening? {{sky}}, they say."}); err != nil {
		fmt.Println(err)
		return
	}
	for _, message := range m.Todo().Generate.Request.Messages {
		for line := range strings.Lines(message.Message.Text) {
			if strings.Contains(line, "sky") {
				fmt.Println(strings.TrimSpace(line))
			}
		}
	}
	// Output:
	// Omens: the sky is red.
	// A red evening? {{sky}}, they say.
}

// Users of a host enable hooks. The content is not compiled again.
func ExampleGame_WithHooks() {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	own, problems := g.WithHooks(hooks.Hook{ID: "dusk", Name: "dusk", Event: hooks.On(act.BeforeTurnStarted),
		Actions: []act.Action{act.New(act.PromptInject, tree.Member{Key: "content", Value: tree.Text("It is getting dark.")})}})
	fmt.Println(len(problems), g.Hooks().Len(), own.Hooks().Len())
	// Output:
	// 0 0 1
}

// The order for providers that cache the beginning of prompts is a layout. It moves lore that is
// activated by a key from the character to the player's line.
func ExampleCacheLayout() {
	content := game.Content{Prompt: game.Prompt{Layout: new(game.CacheLayout())}}
	_, problems := game.Compile(content)
	fmt.Println(len(problems), "problems")
	for _, slot := range content.Prompt.Layout.Slots {
		if strings.HasPrefix(slot.Name, "world_") {
			fmt.Println(slot.Name, slot.BeforeNewest)
		}
	}
	// Output:
	// 0 problems
	// world_before false
	// world_rules false
	// world_after false
	// world_before_triggered true
	// world_after_triggered true
}

// A host's layout needs no slot for each block. A block without a slot goes to a different one.
func ExampleSlotFor() {
	own := prompt.Layout{Slots: []prompt.Slot{{Name: "main"}, {Name: "state"}, {Name: "history", Form: prompt.History}}}
	fmt.Println(game.HasSlot(own, "map"), game.SlotFor(own, "map"))
	fmt.Println(game.HasSlot(game.Layout(), "map"), game.SlotFor(game.Layout(), "map"))
	// Output:
	// false state
	// true map
}

// The blocks of a prompt, in their order.
func ExampleBlockOrder() {
	for id := range game.BlockOrder() {
		fmt.Println(id, id.Required())
		break
	}
	// Output: gm_persona false
}

// A game in Chinese uses Chinese for the model and the players. A host replaces single texts.
func ExampleChinese() {
	texts := game.Chinese()
	texts.ToolResults = "结果："
	g, problems := game.Compile(game.Content{Extensions: game.Extensions{Texts: &texts}})
	fmt.Println(g.Texts().ToolResults, g.Texts().Hints, len(problems))
	fmt.Println(game.English().ToolResults)
	// Output:
	// 结果： zh 0
	// Results of your tool calls:
}

// A command language of package mvu in addition to the directives of rules.
func ExampleCommandLanguage() {
	g, problems := game.Compile(game.Content{Rules: game.Rules{Dialects: []game.Dialect{game.CommandLanguage(mvu.Dialect(mvu.Options{})), game.Directives(game.DirectiveOptions{})}}})
	shown := g.Read("You pay. _.set('gold', 5, 3);//paid", game.Scope{})
	fmt.Println(len(problems), shown.Shown, shown.Asks())
	// Output: 0 You pay. true
}

// Content that no campaign uses is reported before play. Compile also reports it.
func ExampleUnplayed() {
	content := game.Content{People: game.People{Card: &card.Card{
		Name: "Orin", Description: "Orin feels {{mood}}.", Scenario: "<% execute('/night') %>It is dark.",
		Extensions: map[string]json.RawMessage{"tavern_helper": json.RawMessage(`{"scripts": [{"type": "script", "name": "clock", "content": "$(tick)"}]}`)},
	}}}
	for _, p := range game.Unplayed(content) {
		fmt.Println(p.Code, p.Path)
	}
	// Output:
	// template_needs card.scenario
	// unknown_macro card.description
	// card_scripts card.extensions.tavern_helper
	// card_summary card
}

// The built-in random numbers are a function of the seed and the number of the draw.
func ExampleRandom() {
	fmt.Printf("%.3f %.3f %.3f\n", game.Random(7, 0), game.Random(7, 1), game.Random(7, 0))
	// Output: 0.390 0.017 0.390
}

// The texts that a host offers as the beginning of a story.
func ExampleGame_Openings() {
	g, _ := game.Compile(game.Content{People: game.People{Card: &card.Card{Name: "Orin", FirstMes: "Come in.", AlternateGreetings: []string{"Go away."}}}})
	for n, o := range g.Openings() {
		fmt.Println(n, o.Text)
	}
	// Output:
	// 0 Come in.
	// 1 Go away.
}
