package conflict_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/campaign/conflict"
)

// The model narrates a loss of hit points that no tool call settled.
func ExampleDetect() {
	view := conflict.View{
		ActorID: "lin",
		Party:   []string{"lin"},
		Characters: []conflict.Character{{
			ID: "lin", Name: "林远", AliveState: "alive", AreaID: "gate",
			HP: conflict.HP{Current: 10, Max: 12},
		}},
	}
	found := conflict.Detect("毒箭射中肩膀，你受到３点伤害。", nil, view, conflict.Options{})
	for _, c := range found {
		expected, _ := json.Marshal(c.Expected)
		claimed, _ := json.Marshal(c.Found)
		fmt.Println(c.Severity, c.Kind, c.EntityID, c.Field)
		fmt.Println(c.Quote, string(expected), string(claimed))
		fmt.Println(c.Instruction)
	}

	// With the settlement the same text is true.
	view.Characters[0].HP.Current = 7
	view.Actions = []conflict.Action{{Tool: "hp_delta", HP: []conflict.HPChange{
		{CharacterID: "lin", Requested: -3, Effective: -3, After: 7},
	}}}
	fmt.Println(len(conflict.Detect("毒箭射中肩膀，你受到３点伤害。", nil, view, conflict.Options{})))
	// Output:
	// block hp_change_unsettled lin hp.current
	// 受到３点伤害 {"applied_delta":0,"hp":10} {"claimed_delta":-3}
	// 不得自行改变生命值：请用 hp_delta 工具请求结算，或删去这句话。
	// 0
}

// A judge confirms a warning and adds a conflict that the rules cannot find. A verdict without an
// exact quote is ignored.
func ExampleMergeJudge() {
	const text = "荆棘划破了你的手，你受伤了。她再也没有醒来。"
	view := conflict.View{ActorID: "lin", Characters: []conflict.Character{{ID: "lin"}, {ID: "su"}}}
	opts := conflict.Options{Judge: conflict.JudgeFull}
	found := conflict.Detect(text, nil, view, opts)
	fmt.Println(found[0].Kind, found[0].Severity)

	found = conflict.MergeJudge(text, found, []conflict.Verdict{
		{Kind: "wound_unsettled", Quote: "你受伤了"},
		{Kind: "life_state_unsettled", EntityID: "su", Quote: "再也没有醒来"},
		{Kind: "hp_change_unsettled", EntityID: "lin", Quote: "失去8点生命"},
	}, opts)
	for _, c := range found {
		fmt.Println(c.Kind, c.Severity, c.Detector)
	}
	// Output:
	// wound_unsettled warn
	// wound_unsettled block hp_qualitative
	// life_state_unsettled block judge
}

func ExampleOutputConflict() {
	c := conflict.OutputConflict(conflict.EmptyOutput, "I open the door.")
	fmt.Println(c.Kind, c.Severity)
	fmt.Println(c.Instruction)
	// Output:
	// empty_output block
	// The output is empty: write the narration, or request a tool such as move or hp_delta.
}

func ExampleBlocking() {
	found := []conflict.Conflict{{Severity: conflict.Warn}}
	fmt.Println(conflict.Blocking(found))
	found = append(found, conflict.Conflict{Severity: conflict.Block})
	fmt.Println(conflict.Blocking(found))
	// Output:
	// false
	// true
}

func ExampleBuiltin() {
	for _, d := range conflict.Builtin() {
		fmt.Println(d.Name, d.Kinds)
	}
	// Output:
	// hp [hp_change_unsettled hp_amount_mismatch hp_value_mismatch]
	// hp_qualitative [wound_unsettled]
	// life [life_state_unsettled]
	// location [location_unsettled location_mismatch]
	// world_rules [world_rule_rewrite]
	// map [map_rewrite]
	// card [card_rewrite]
	// goal [goal_rewrite hidden_goal_leak]
	// dice [dice_claim_unsettled]
	// structured [structured_state_write]
}

// A host's own detector asks the reading for the subject of a claim and whether it is asserted.
func ExampleRead() {
	view := conflict.View{
		ActorID:    "lin",
		Characters: []conflict.Character{{ID: "lin", Name: "林远"}, {ID: "su", Name: "苏晴"}},
	}
	const claim = "丢了钱袋"
	for _, text := range []string{"苏晴丢了钱袋", "苏晴没有丢了钱袋"} {
		r := conflict.Read(text, nil, view)
		start := len(text) - len(claim)
		ids, certain := r.Subject(start)
		fmt.Println(ids, certain, r.Asserted(start, len(text)))
	}
	// Output:
	// [su] true true
	// [su] true false
}

// A person who must not read a hidden goal can still read the text that revealed it.
func ExampleRedact() {
	fmt.Println(conflict.Redact("Mara wants to burn the granary at midnight.", "burn the granary at midnight"))
	// Output: Mara wants to ….
}

func ExampleReadsAsWords() {
	for _, name := range []string{"Tom", "dies", "Ann dies", "Fallen Guard"} {
		fmt.Println(name, conflict.ReadsAsWords(name, "Ann"))
	}
	// Output:
	// Tom false
	// dies true
	// Ann dies true
	// Fallen Guard false
}

// A text says in unusual words that a character loses hit points. The rules do not decide that: the
// answer of a model does.
func ExampleSuspect() {
	view := conflict.View{ActorID: "su", Characters: []conflict.Character{
		{ID: "su", Name: "Su", HP: conflict.HP{Current: 9, Max: 12}, AliveState: "alive"},
	}}
	r := conflict.Read("The bell tolls, and 4 hit points are what it costs Su.", nil, view)
	found := r.Detect(conflict.Options{})
	questions := conflict.Suspect(r, found, conflict.Options{})
	for _, q := range questions {
		fmt.Printf("%d %s %q %v %v\n", q.N, q.Kind, q.Quote, q.Who, q.Values)
	}
	answers := []conflict.Verdict{{N: 1, Asserted: "yes", EntityID: "su"}}
	found, open := conflict.Decide(r, questions, answers, found, conflict.Options{})
	for _, c := range found {
		fmt.Println(c.Detector, c.Kind, c.EntityID, c.Found)
	}
	fmt.Println(len(open), "without an answer")
	// Output:
	// 1 hp "4 hit points" [su] [4]
	// ask hp_change_unsettled su map[claimed_delta:-4]
	// 0 without an answer
}

// An answer that names a character outside the question does not count.
func ExampleDecide() {
	view := conflict.View{ActorID: "su", Characters: []conflict.Character{
		{ID: "su", Name: "Su", HP: conflict.HP{Current: 9, Max: 12}, AliveState: "alive"},
		{ID: "lin", Name: "Lin", HP: conflict.HP{Current: 7, Max: 7}, AliveState: "alive"},
	}}
	r := conflict.Read("The bell tolls, and 4 hit points are what it costs Su.", nil, view)
	questions := conflict.Suspect(r, nil, conflict.Options{})
	found, open := conflict.Decide(r, questions, []conflict.Verdict{{N: 1, Asserted: "yes", EntityID: "lin"}}, nil, conflict.Options{})
	fmt.Println(len(found), open)
	// Output: 0 [1]
}

// Detect of a reading is for hosts that read a text once for several purposes.
func ExampleReading_Detect() {
	view := conflict.View{ActorID: "su", Characters: []conflict.Character{
		{ID: "su", Name: "Su", HP: conflict.HP{Current: 9, Max: 12}, AliveState: "alive"},
	}}
	r := conflict.Read("Su loses 4 hit points.", nil, view)
	for _, c := range r.Detect(conflict.Options{}) {
		fmt.Println(c.Kind, c.EntityID, c.Quote)
	}
	// Output: hp_change_unsettled su loses 4 hit points
}
