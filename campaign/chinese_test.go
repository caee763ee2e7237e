package campaign_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/rules"
)

// harbour is a campaign whose authored texts are all Chinese.
const harbour = `{
	"title": "雾港",
	"world": {"world_id": "w1", "background": "海边的一座城。", "rules": [{"id": "r1", "text": "死者不可复生。"},
		{"id": "r2", "text": "钟声会杀人。", "visible_to": ["mei", "bo"]}]},
	"map": {"areas": [{"id": "gate", "name": "城门", "description": "两根石柱。"}, {"id": "hall", "name": "大厅"},
			{"id": "vault", "name": "地窖", "locked": true, "disabled_until": "午夜", "lock_reason": "塌方"}, {"id": "tower", "name": "钟楼"}],
		"paths": [{"id": "p1", "from": "gate", "to": "hall"}, {"id": "p2", "from": "hall", "to": "vault"},
			{"id": "p4", "from": "gate", "to": "tower", "locked": true, "disabled_until": "天亮"}]},
	"characters": [{"character_id": "ren", "name": "林远", "title": "队长", "hp": {"current": 10, "max": 10}, "area_id": "gate",
			"attributes": {"力量": 14}, "skills": [{"name": "白刃", "level": 2}, {"name": "游泳"}],
			"status": {"alive_state": "alive", "flags": ["中毒", "疲惫"]}},
		{"character_id": "mei", "name": "苏晴", "hp": {"current": 0, "max": 8}, "area_id": "gate", "status": {"alive_state": "downed"}},
		{"character_id": "bo", "name": "老伯", "hp": {"current": 0, "max": 8}, "status": {"alive_state": "dead"}}],
	"allowlist": ["move", "hp_delta", "check", "map_generate", "character_generate", "pool_check"],
	"variables": {"stat_data": {"天气": "大雾"}, "assa_data": {"config": {"flags": {"clean_small_flag": true}},
		"vault": {"_showInEJS": false, "密码": 1}, "summary": {"small": {"1": "甲"}, "big": {}}}},
	"summary": {"summary_text": "他们到了城门。", "pins": ["钟不能敲。"]},
	"goal": {"ultimate_goal_text": "唤醒山下沉睡的巨龙", "is_hidden": true}}`

// harbourGame returns a game in Chinese with every tool of the library.
func harbourGame() game.Content {
	return game.Content{Extensions: game.Extensions{
		Texts: new(game.Chinese()),
		Tools: []tool.Tool{tool.GenerateMap(tool.GenerateLimits{}), tool.GenerateCharacter(tool.GenerateLimits{}), tool.PoolCheck(tool.PoolRules{})},
	}, People: game.People{Persona: "一名旅人。", UserName: "小林"},
		Rules: game.Rules{Variables: []rules.Variable{{ID: "gold", Name: "金币", Type: rules.TypeNumber, Default: tree.Int(3), Max: new(9.0)}}}}
}

// sceneInChinese is a campaign in Chinese with its turns.
type sceneInChinese struct {
	name    string
	change  func(*campaign.Config, *game.Content)
	setup   string
	acts    []turn.Input
	replies []string
}

func scenesInChinese() []sceneInChinese {
	say := func(text string) turn.Submit { return turn.Submit{Text: text} }
	settings := func(members string) string { return `{"settings": {"retry.max_retries": 5, ` + members + `}}` }
	cards := func(names ...string) (out []game.CastMember) {
		for i, name := range names {
			out = append(out, game.CastMember{CharacterID: []string{"ren", "mei"}[i], Talkativeness: new(1.0),
				Card: &card.Card{Name: name, Description: "{{char}}话很少。", Personality: "沉静。", MesExample: "<START>\n{{user}}：早。\n{{char}}：好。"}})
		}
		return out
	}
	return []sceneInChinese{
		{"refused", func(_ *campaign.Config, c *game.Content) {
			c.Rules.Dialects = []game.Dialect{game.Commands(), game.Directives(game.DirectiveOptions{Strict: true})}
		}, settings(`"conflict.claims": "listed", "dialog.tool_types": ["scene"]`), []turn.Input{
			say("我等。"), say("我去地窖。"), say("……"), turn.Submit{Text: "悄悄话。", Audience: []string{"ren"}}, turn.Proceed{},
		}, []string{
			"风起。",
			`{"text": "你失去3点生命值。", "tool_calls": [{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "vault"}}, {"tool": "fly"},
				{"id": "x", "tool": "hp_delta", "args": 5}, 7, {"id": 3, "tool": "check"}, {"tool": ""}, {"tool": "check", "args": "{"}]}`,
			`{"tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": 7, "delta": "x", "wound": 1}}, {"tool": "map_generate", "args": {}},
				{"tool": "pool_check", "args": {"actor_id": "ren", "pool": "轻功"}}, {"tool": "check", "args": {"actor_id": "mei"}}]}`,
			`{"text": "你失去3点生命值。"`, // it is not closed
			`你失去3点生命值，钟楼被摧毁了。规则改了。`, ``,
			`风停了。[gold: 很多]set_status('风', 3);` + "\n[updates: 3]",
			`{"text": "3", "hp": 3, "claims": 5}`, `{"text": "苏晴死了。", "claims": [{"kind": "hp"}, {"kind": "life", "who": "mei", "state": "dead", "call": "call_9"}]}`,
			"雨落。", "雨又落。", `{"text": "3", "hp": 3}`, "雷响。",
		}},
		{"compressed", func(cfg *campaign.Config, c *game.Content) { cfg.Services.Memory = &memory.Index{} },
			settings(`"context.full_context_enabled": false, "context.compress_enabled": true, "context.recent_turns": 1, "turn.mode": "plan_narrate"`), []turn.Input{
				say("我找铜钥匙。"), turn.AdvanceMilestone{}, say("我等。"), turn.AdvanceMilestone{}, say("我等着。"), turn.AdvanceMilestone{},
				say("铜钥匙在哪里？"), turn.SetLocks{},
			}, []string{
				`{"tool_calls": [{"tool": "check", "args": {"actor_id": "ren", "dc": 1}}]}`, "铜钥匙在石头下面。", "", "", "", "风起。", "风停。", "雨落。", "雨停。", "无事。", "无事。", "无事。",
			}},
		{"a long answer", nil, settings(`"tools.native": false`), []turn.Input{say("我等。"), turn.Continue{}},
			[]string{strings.Repeat("长", 3000) + "。你失去3点生命值。", "风起。", "他转身。"}},
		{"denied", func(cfg *campaign.Config, _ *game.Content) {
			cfg.Services.Approver = func(_ context.Context, q state.ApprovalQuestion) (*turn.Approve, error) {
				return &turn.Approve{Question: q.ID, Decisions: q.All(state.Deny, "她还太小。"), By: "小林"}, nil
			}
		}, settings(`"tools.approval": "all", "dialog.manual_type": "action"`), []turn.Input{say("我打她。"), turn.Suggest{N: 2}, turn.Suggest{N: 2, Kind: state.SuggestLines}, turn.Suggest{N: 1, Kind: state.SuggestLines}},
			[]string{`{"tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "ren", "delta": -1, "cause": "拳头"}}]}`, "风起。", `["走。"]`, `["走吧。"]`, `我走。`}},
		{"a question about the rules", nil, settings(`"dialog.manual_type": "rules"`), []turn.Input{say("怎么检定？")}, []string{"掷骰。"}},
		{"free talk", nil, settings(`"dialog.manual_type": "free_chat"`), []turn.Input{say("天气不错。")}, []string{"是啊。"}},
		{"a card", func(_ *campaign.Config, c *game.Content) {
			c.People.Card, c.Extensions.Tools = cards("苏晴")[0].Card, nil
		},
			`{"settings": {"dialog.manual_type": "chat"}, "allowlist": []}`, []turn.Input{say("早。")}, []string{"好。"}},
		{"a card with a greeting, in the form of a strict provider", func(_ *campaign.Config, c *game.Content) {
			c.People.Card, c.Prompt.Shape = cards("苏晴")[0].Card, prompt.ShapeStrict
		}, `{"greeting": "早。"}`, []turn.Input{say("早啊。")}, []string{"好。"}},
		{"a begin that the model does not take", func(_ *campaign.Config, c *game.Content) {
			preset := tavern.Default()
			preset.Prefill, preset.NewChat = "好的：", "［新的对话］"
			for i := range preset.Prompts {
				if preset.Prompts[i].Content != "" {
					preset.Prompts[i].Content = "请写。"
				}
			}
			c.Prompt.Preset, c.Prompt.RefusesPrefill = &preset, true
		}, "", []turn.Input{say("早啊。")}, []string{"好。"}},
		{"a cast", func(_ *campaign.Config, c *game.Content) { c.People.Cast = cards("林远", "苏晴") },
			settings(`"cast.cards": "join", "visibility.mode": "strict"`), []turn.Input{say("「苏晴」，你好。"), say("林远，你呢？")}, []string{"好。", "早。", "好。", "早。"}},
		{"calls of MVU", func(_ *campaign.Config, c *game.Content) {
			c.Rules.Commands = memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{Hints: "zh"})}}
			c.Rules.Dialects = []game.Dialect{game.Commands()}
		}, "", []turn.Input{say("我等。"), say("我等着。")}, []string{"风起。<UpdateVariable>_.set('风', 3);</UpdateVariable>", "雨落。"}},
	}
}

// TestAChinesePromptIsChinese: in a Chinese campaign the model reads no Latin words except names
// and words that it must write itself: EX-14.
func TestAChinesePromptIsChinese(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	told, all := map[string]bool{}, "" // the blocks and kinds of messages that occurred; all their texts
	for _, c := range scenesInChinese() {
		content, cfg := harbourGame(), campaign.Config{Model: scripted(c.replies...)}
		if c.change != nil {
			c.change(&cfg, &content)
		}
		cfg.Game = compile(t, content)
		seen := observed(&cfg)
		e := newEngine(t, cfg, harbour, c.setup)
		for i, in := range c.acts {
			if o, err := e.Do(t.Context(), "cave", in); err != nil || o.Err() != nil {
				t.Fatalf("%s: %d: %v %v %+v", c.name, i, err, o.Err(), o)
			}
		}
		for _, r := range *seen {
			for _, m := range r.Messages {
				told[string(m.Kind)], told[m.Block] = true, true
				onlyChinese(t, c.name+": "+string(m.Kind)+" "+m.Block, m.Message.Text)
				all += m.Message.Text
			}
			for _, m := range r.LLM().Messages { // in the form for a provider
				onlyChinese(t, c.name, m.Text)
				all += m.Text
			}
			for _, s := range r.Tools {
				onlyChinese(t, c.name+": "+s.Name, s.Description+string(s.Parameters))
			}
		}
	}
	for _, want := range []string{"gm_persona", "authority", "world", "world_rules", "map", "party", "status", "goal", "acceleration", "summary", "pins",
		"memory", "tools", "dialog", "variables", "languages", "command_feedback", "control",
		string(question.KindToolFeedback), string(question.KindConflictDebug), string(question.KindToolResults), string(question.KindNarrate)} {
		if !told[want] {
			t.Errorf("nothing is told of %s", want)
		}
	}
	for _, want := range []string{"- 林远（ren）：生命值 10/10，存活，城门（gate），中毒 疲惫", "- 苏晴（mei）：生命值 0/8，倒地", "- 老伯（bo）：生命值 0/8，死亡",
		"林远（ren）；队长；力量 14；白刃 2；游泳", "出口：大厅（hall）、钟楼（tower）［已锁，直到天亮］", "［已锁，直到午夜：塌方］",
		"[仅苏晴、老伯知晓] 钟声会杀人。", "- move：让角色移动到相连的区域。\n  参数：{", "- gold（金币）：number …9", "（空）", "［……此处略去 ",
		`"message":"调用的参数应是一个对象"`, `"message":"调用应是一个对象 {tool, args}"`, `"message":"调用的 id 应是文本"`, `"message":"调用要写明 tool"`,
		`"message":"参数不是有效的 JSON"`, `"problem":"claims 不是列表"`, `"problem":"第1条声明：hp 要写 amount 或 value 之一，须为整数"`,
		"不得直接写入状态", "［新的对话开始］", "请一字不差地以这段文字开始回复：好的："} {
		if !strings.Contains(all, want) {
			t.Errorf("no prompt has %q", want)
		}
	}
}

var latin = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_.-]*`)

// onlyChinese reports the Latin words of a text that are not identifiers.
func onlyChinese(t *testing.T, where, text string) {
	t.Helper()
	for _, word := range latin.FindAllString(text, -1) {
		if !strings.Contains(word, "_") && !identifiers[strings.Trim(word, ".")] {
			t.Errorf("%s: %q in\n%s", where, word, text)
			continue
		}
	}
}

// identifiers are the Latin words that stay in Chinese prompts: names, codes, and members and
// values of JSON, which a model writes or reads unchanged.
var identifiers = func() map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(`
		ren mei bo gate hall vault tower fly x gold config flags summary small big stat assa
		JSON d10 d20 dc id N type description string number integer boolean object array items properties required additionalProperties
		minimum maximum maxLength maxItems minItems true false
		move check args tool text reason call calls status name message error kind severity detector field quote expected found instruction
		mismatches violations hint near op offset line col code key state tools problem
		title race job background parent areas paths aliases from to cause delta attribute attributes pool enemy difficulty
		hp hp.current life place roll wound card map rules goal claims who amount value block alive downed dead
		rejected denied refused unreadable unknown changed claimed unexpected range length enum no-receipt wrong-count world.rules map.areas.tower
		set delete memory toggle append push merge insert add updates directives summary.big UpdateVariable
		result total modifier grade success output structured trait
	`) {
		out[word] = true
	}
	return out
}()
