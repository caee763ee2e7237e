package effect_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

func ExampleMarshal() {
	data, err := effect.Marshal(effect.Notify{Message: "You rest."})
	fmt.Println(string(data), err)
	// Output: {"type":"notify-player","message":"You rest."} <nil>
}

func ExampleBy() {
	asked := effect.By("model", effect.ToggleEntry{ID: "cave", Enabled: true})
	fmt.Println(asked[0].Source, asked[0].Effect.EffectType())
	// Output: model toggle-entry
}

func ExampleWrite() {
	v, _ := tree.ParseValue([]byte(
		`{"type": "modify-variable", "variableId": "gold", "operation": "add", "value": 5,
			"note": "loot"}`))
	data, _ := effect.Write(effect.Parse(v))
	fmt.Println(string(data))
	// Output:
	// {"type":"modify-variable","variableId":"gold","operation":"add","value":5,"note":"loot"}
}

func ExampleParseRandom() {
	v, _ := tree.ParseValue([]byte(`{"kind": "dice", "count": 1, "sides": 6}`))
	fmt.Println(effect.ParseRandom(v).Sides)
	// Output: 6
}

func ExampleUnmarshal() {
	e, _ := effect.Unmarshal([]byte(`{"type": "toggle-entry", "entryId": "secret",
		"enabled": true}`))
	fmt.Printf("%T %+v\n", e, e)
	// Output: effect.ToggleEntry {ID:secret Enabled:true Extra:map[]}
}

func ExampleActions() {
	var actions effect.Actions
	_ = json.Unmarshal([]byte(`[{"type": "modify-variable", "variableId": "gold",
		"operation": "add", "value": 5}, "broken"]`), &actions)
	fmt.Println(actions[0].(effect.SetVariable).Path)
	data, _ := json.Marshal(actions) // what cannot be read survives
	fmt.Println(string(data))
	// Output:
	// gold
	// [{"type":"modify-variable","variableId":"gold","operation":"add","value":5},"broken"]
}

func ExampleEventOf() {
	event, ok := effect.EventOf(effect.Notify{Message: "Careful!"})
	fmt.Println(event, ok)
	// Output: {"type":"ui:notification","message":"Careful!","style":"info"} true
}

func ExampleParse() {
	v, _ := tree.ParseValue([]byte(`{"type": "notify-player"}`)) // no message
	e := effect.Parse(v)
	fmt.Printf("%T\n", e)
	// Output: effect.Custom
}

// Texts with parameters are filled in by the event that led to the effect.
func ExampleFill() {
	e := effect.Notify{Message: "You drink the {param.potion}."}
	fmt.Println(effect.HasTokens(e), effect.Fill(e, tree.Object(tree.Member{Key: "potion", Value: tree.Text("red one")})))
	// Output:
	// true {You drink the red one.    false map[]}
}

// The result of an operation on a value, or the reason for no result.
func ExampleOperation_Result() {
	for _, c := range []struct {
		op           effect.Operation
		old, operand tree.Value
	}{
		{effect.Add, tree.Int(5), tree.Int(2)},
		{effect.Add, tree.Value{}, tree.Int(2)}, // nothing there yet
		{effect.Append, tree.Text("a rope"), tree.Text(", a lamp")},
		{effect.Push, tree.Array(tree.Text("rope")), tree.Text("lamp")},
		{effect.Add, tree.Text("many"), tree.Int(2)},
	} {
		result, why := c.op.Result(c.old, c.operand)
		fmt.Printf("%s %s %q\n", c.op, result, why.Reason)
	}
	// Output:
	// add 7 ""
	// add 2 ""
	// append "a rope, a lamp" ""
	// push ["rope","lamp"] ""
	// add "many" "wrong-variable"
}

// A random operand is drawn when the rule fires: then the write is plain, and can be recorded.
func ExampleSetVariable_Drawn() {
	e := effect.SetVariable{Path: "gold", Operation: effect.Add,
		Random: effect.ParseRandom(tree.Object(tree.Member{Key: "kind", Value: tree.Text("dice")},
			tree.Member{Key: "count", Value: tree.Int(2)}, tree.Member{Key: "sides", Value: tree.Int(6)}))}
	for _, write := range e.Drawn(nil, func() float64 { return 0.5 }) {
		fmt.Println(write.Path, write.Operation, write.Value)
	}
	// Output:
	// gold add 8
}

// Actions of authors keep their places, also unreadable ones.
func ExampleParseActions() {
	list, err := tree.ParseValue([]byte(`[{"type": "notify-player", "message": "Hello"}, 7, {"type": "ring-bell"}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, e := range effect.ParseActions(list) {
		fmt.Printf("%d %T %q\n", i, e, effect.Name(e))
		if mistake := effect.Mistake(e); mistake != "" {
			fmt.Println(" ", mistake)
		}
	}
	// Output:
	// 0 effect.Notify "notify-player"
	// 1 effect.Custom ""
	//   not readable: an action is an object with a type, as in {"type": "notify-player", …}
	// 2 effect.Custom "ring-bell"
}

// The list of actions that an editor offers.
func ExampleTypes() {
	types := effect.Types()
	fmt.Println(types[0], slices.Contains(types, effect.Notify{}.EffectType()))
	// Output: modify-variable true
}

// An event that a hook emits can ask for an effect.
func ExampleOf() {
	e, ok := effect.Of(event.New("ui:notification", tree.Member{Key: "message", Value: tree.Text("Careful!")}))
	fmt.Println(e, ok)
	_, ok = effect.Of(event.New("door:opened"))
	fmt.Println(ok)
	// Output:
	// {Careful!    false map[]} true
	// false
}

// A tool passes on a text of a model. No macro in it runs.
func ExampleAsData() {
	entry := effect.AsData(effect.AddEntry{Content: "{{setvar::gold::99}}"}).(effect.AddEntry)
	fmt.Println(entry.Literal)
	// Output: true
}

// A host's effect is applied in the form that the log will return.
func ExampleReadBack() {
	e, err := effect.ReadBack(effect.Notify{Message: "broken \xff byte"})
	fmt.Println(e.(effect.Notify).Message, err)
	_, err = effect.ReadBack(&effect.Notify{Message: "a pointer"})
	fmt.Println(err)
	// Output:
	// broken � byte <nil>
	// effect: *effect.Notify is not an effect; effects are values
}

// Enter gives the reason as a code, for a refusal that is recorded.
func ExampleEnter() {
	_, why := effect.Enter(&effect.Notify{Message: "a pointer"})
	fmt.Println(why.Reason)
	// Output: unreadable
}

func ExampleStorable() {
	fmt.Println(effect.Storable(tree.Text(strings.Repeat("x", 2<<20))).Reason)
	// Output: too-large
}

func ExampleDeny() {
	why := effect.Deny(effect.WrongType, "%s holds a number", "gold")
	fmt.Println(why.Reason, why.In(nil))
	// Output: wrong-type gold holds a number
}

// ledgerOnly is a target that prints the reminders of a game. It applies nothing else.
type ledgerOnly struct{ effect.Target }

func (ledgerOnly) Remind(e effect.SendContext) { fmt.Println("remind:", e.Message) }
func (ledgerOnly) Host(c effect.Attributed)    { fmt.Println("for the host:", c.Effect.EffectType()) }
func (ledgerOnly) Expand(text string) string   { return text }
func (ledgerOnly) Raise(event.Event)           {}

// Apply applies an effect to the target. Effects that the library cannot apply go to the host.
func ExampleApply() {
	for _, c := range effect.By("storm", effect.SendContext{Message: "It thunders."}, effect.PlayAudio{TrackID: "thunder", Action: "play"}) {
		effect.Apply(ledgerOnly{}, c)
	}
	// Output:
	// remind: It thunders.
	// for the host: play-audio
}
