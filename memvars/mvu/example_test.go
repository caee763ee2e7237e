package mvu_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

func mustParse(text string) tree.Value {
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

func ExampleUpdate() {
	vars, err := mvu.New(mustParse(`{
		"理": {"好感度": [10, "对主角的好感"], "物品": {"$meta": {"extensible": true}}}
	}`), mvu.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	vars, res := mvu.Update(vars, `她笑了。
<UpdateVariable>
_.add('理.好感度', 5);//帮了忙
_.insert('理.物品', '围巾', {"数量": 1});//送的
_.insert('理', '新字段', 1);
</UpdateVariable>`, mvu.Options{})
	fmt.Println(vars.Stat)
	for _, f := range res.Failures {
		fmt.Println(res.Commands[f.Command].Type, f.Code)
	}
	fmt.Println(vars.Delta())
	// Output:
	// {"理":{"好感度":[15,"对主角的好感"],"物品":{"围巾":{"数量":1}}}}
	// insert schema_not_extensible
	// {"理":{"好感度":"10->15 (帮了忙)","物品":"0->1 (送的)"}}
}

func ExampleInit() {
	vars, problems := mvu.Init(mvu.Variables{}, []mvu.Book{{
		Name: "主书",
		Entries: []mvu.Entry{
			{Comment: "[initvar] 人物", Content: "理:\n  好感度: [5, 对主角]\n"},
			{Comment: "[InitVar] 世界", Content: "{ // JSON5\n 天气: '晴', }"},
			{Comment: "闲聊", Content: "no data"},
		},
	}}, "", mvu.Options{})
	fmt.Println(vars.Stat, vars.Initialized, len(problems))
	// Output:
	// {"理":{"好感度":[5,"对主角"]},"天气":"晴"} [主书] 0
}

func ExampleFind() {
	for _, c := range mvu.Find(`_.set('金', 10, 12);//捡到
<JsonPatch>[{"op": "remove", "path": "/物/剑"}]</JsonPatch>`, mvu.Options{}) {
		fmt.Printf("%s %q %s\n", c.Type, c.Args, c.Reason)
	}
	// Output:
	// set ["'金'" "10" "12"] 捡到
	// delete ["物.剑"] json_patch
}

func ExampleNew() {
	vars, err := mvu.New(mustParse(`{"袋": {"$meta": {"extensible": true}, "饼": 1}}`), mvu.Options{})
	fmt.Println(err)
	data, err := json.Marshal(vars)
	fmt.Println(string(data), err)
	// Output:
	// <nil>
	// {"stat_data":{"袋":{"饼":1}},"schema":{"type":"object","properties":{"袋":{"type":"object","properties":{"饼":{"type":"number","required":false}},"extensible":true,"recursiveExtensible":false,"required":true}},"extensible":false,"recursiveExtensible":false},"initialized_lorebooks":[]} <nil>
}

// Commands can be inspected, and changed, before they run.
func ExampleRun() {
	vars, err := mvu.New(mustParse(`{"金": 5, "银": 5}`), mvu.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	commands := mvu.Find("_.set('金', 6); _.set('银', 6);", mvu.Options{})
	vars, res := mvu.Run(vars, commands[:1], mvu.Options{})
	fmt.Println(vars.Stat, res.Modified)
	// Output:
	// {"金":6,"银":5} true
}

// The schema that a card registers decides about every command. A function that is not read, here
// for want of an interpreter, is reported.
func ExampleReadZod() {
	schema, problems := mvu.ReadZod(`
const HP = z.coerce.number().min(0).max(100).prefault(90);
registerMvuSchema(z.object({ hp: HP, mood: z.enum(['calm', 'angry']).transform(m => m.trim()) }));`, nil)
	fmt.Println(problems)
	o := mvu.Options{Schema: schema}
	vars, _ := mvu.Init(mvu.Variables{}, []mvu.Book{{Entries: []mvu.Entry{{Comment: "[initvar]", Content: "mood: calm"}}}}, "", o)
	vars, res := mvu.Update(vars, "_.add('stat_data.hp', 20); _.set('mood', 'glad'); _.set('hp', '95');", o)
	fmt.Println(vars.Stat, res.Failures)
	// Output:
	// mood: the function of transform cannot be read without running the script, so this part of the schema is not enforced: check it in a rule
	// {"mood":"calm","hp":95} [{0 invalid hp: the number must be at most 100, found 110} {1 invalid mood: expected one of ["calm","angry"], found "glad"}]
}

// Both command languages in one message, in the order of the text.
func ExampleDialect() {
	sys, problems := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	doc, err := tree.ParseDocument([]byte(`{"stat_data": {"天气": ["晴", "环境"], "数": 1}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, res := sys.Apply(doc, `set_status('天气', '雨'); _.add('数', 2); _.set('没有', 1);
<JsonPatch>[{"op": "replace", "path": "/天气", "value": "雪"}]</JsonPatch>`, memvars.AI)
	for _, c := range res.Calls {
		fmt.Printf("%d:%d %s %s\n", c.Line, c.Col, c.Op, c.Status)
	}
	fmt.Println(doc)
	// Output:
	// 1:1 set_status applied
	// 1:24 add applied
	// 1:39 set rejected
	// 2:1 patch applied
	// {"stat_data":{"天气":["雪","环境"],"数":3}}
}

// A status bar is built from the document of a campaign: below stat_data a pair of a value and its
// description reads as the value.
func ExampleVariables_statusBar() {
	vars, problems := mvu.Init(mvu.Variables{}, []mvu.Book{{Name: "card", Entries: []mvu.Entry{
		{Comment: "[InitVar]", Content: "理:\n  好感度: [10, 对主角的好感]\n  物品: {围巾: 1}\n"},
	}}}, "", mvu.Options{})
	if len(problems) > 0 {
		fmt.Println(problems)
		return
	}
	vars, _ = mvu.Update(vars, "她笑了。_.add('理.好感度', 5);//帮了忙", mvu.Options{})
	doc, err := tree.NewDocument(tree.Object(tree.Member{Key: "stat_data", Value: vars.Stat.Root()}))
	if err != nil {
		fmt.Println(err)
		return
	}
	liking, _ := doc.Int("stat_data.理.好感度")
	fmt.Println("好感度", liking)
	sys, problems := memvars.Compile(memvars.Options{})
	if len(problems) > 0 {
		fmt.Println(problems)
		return
	}
	fmt.Print(sys.Render(doc, memvars.RenderOptions{Part: tree.Path{"stat_data"}, Format: "yaml", LeafStyle: "value"}))
	// Output:
	// 好感度 15
	// 理:
	//   好感度: 15
	//   物品:
	//     围巾: 1
}

func ExampleCutHistory() {
	reply := "Mei smiles.\n<UpdateVariable>_.add('trust', 1);</UpdateVariable>\n\n<StatusPlaceHolderImpl/>"
	fmt.Printf("%q\n", mvu.CutHistory(reply, false))
	fmt.Printf("%q\n", mvu.CutHistory(reply, true))
	// Output:
	// "Mei smiles.\n<UpdateVariable>_.add('trust', 1);</UpdateVariable>\n"
	// "Mei smiles.\n"
}
