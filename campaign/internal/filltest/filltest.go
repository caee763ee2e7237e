// Package filltest makes random values of the types of a campaign for tests.
package filltest

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// effectKinds has one effect of every kind.
var effectKinds = []effect.Effect{
	effect.SetVariable{}, effect.InjectDirective{}, effect.RemoveDirective{}, effect.ToggleEntry{},
	effect.ToggleRule{}, effect.ToggleVariable{}, effect.ToggleBook{}, effect.TriggerRule{}, effect.Notify{},
	effect.PlayAudio{}, effect.SendContext{}, effect.RequestAI{}, effect.Emit{}, effect.ShowMoment{},
	effect.System{}, effect.InjectPrompt{}, effect.ChangeState{}, effect.ChangeRelationship{},
	effect.AddMessage{}, effect.WriteMemory{}, effect.WriteLog{}, effect.StartWorkflow{}, effect.AddEntry{},
	effect.BackupBranch{}, effect.MoveCharacter{}, effect.ChangeHP{}, effect.EndCampaign{}, effect.Custom{},
	effect.UpdateEntry{}, effect.RemoveEntry{}, effect.ForceEntry{},
	effect.Rewrite{}, effect.Veto{}, effect.AddArea{}, effect.AddPath{}, effect.AddCharacter{},
}

// Filler builds random values of any type, as a host may build them in Go.
type Filler struct {
	*rand.Rand
	nasty bool
}

// New returns a filler with a seed. If nasty is set, its values include texts that are special in
// some format, extreme numbers, and values without a JSON form.
func New(seed int, nasty bool) *Filler {
	return &Filler{rand.New(rand.NewPCG(uint64(seed), 7)), nasty}
}

// Pick returns a random element of the list.
func Pick[T any](f *Filler, list ...T) T { return list[f.IntN(len(list))] }

// Text returns a text.
func (f *Filler) Text() string {
	if f.nasty && f.IntN(4) == 0 {
		return Pick(f, "", "\xff", "a\xc3(b", "\ufffd", "\x00", "{{var::a}}", "/e+/", "@@activate\nx", "<script>&", "\u2028")
	}
	return Pick(f, "ren", "mei", "hall", "a", "b.c", "turn", "session", "d1", "words of a text", "雾港")
}

// Number returns a number.
func (f *Filler) Number() float64 {
	if f.nasty && f.IntN(3) == 0 {
		return Pick(f, math.Inf(1), math.Inf(-1), math.NaN(), 1e308, math.Copysign(0, -1))
	}
	return Pick(f, 0, 1, -3, 0.5, 1e9)
}

// Value returns a value that is nested at most depth levels deep.
func (f *Filler) Value(depth int) tree.Value {
	switch f.IntN(7) {
	case 0:
		return tree.Null
	case 1:
		return tree.Bool(f.IntN(2) == 0)
	case 2:
		return tree.Int(Pick[int64](f, 0, -1, 7, 1<<40))
	case 3:
		if depth > 0 {
			return tree.Object(tree.Member{Key: f.Text(), Value: f.Value(depth - 1)},
				tree.Member{Key: "content", Value: f.Value(depth - 1)})
		}
	case 4:
		if depth > 0 {
			return tree.Array(f.Value(depth-1), f.Value(depth-1))
		}
	}
	return tree.Text(f.Text())
}

// Effect returns an effect of any kind.
func (f *Filler) Effect() effect.Effect {
	v := reflect.New(reflect.TypeOf(Pick(f, effectKinds...))).Elem()
	f.Fill(v, 3)
	if v.Kind() == reflect.Struct && f.IntN(2) == 0 { // an effect often needs just one text
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.String && v.Field(i).String() == "" {
				v.Field(i).SetString(f.Text())
			}
		}
	}
	return v.Interface().(effect.Effect)
}

// Effects returns up to n effects.
func (f *Filler) Effects(n int) (out effect.List) {
	for range f.IntN(n) + 1 {
		out = append(out, f.Effect())
	}
	return out
}

// noon is an arbitrary time.
var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

var (
	valueType  = reflect.TypeFor[tree.Value]()
	timeType   = reflect.TypeFor[time.Time]()
	effectType = reflect.TypeFor[effect.Effect]()
	inputType  = reflect.TypeFor[turn.Input]()
	rawType    = reflect.TypeFor[json.RawMessage]()
)

// Fill sets a value; unexported fields stay as they are.
func (f *Filler) Fill(v reflect.Value, depth int) {
	switch v.Type() {
	case valueType:
		v.Set(reflect.ValueOf(f.Value(min(depth, 2))))
	case timeType:
		v.Set(reflect.ValueOf(Pick(f, time.Time{}, noon, noon.In(time.FixedZone("x", 3600)))))
	case rawType:
		v.SetBytes([]byte(Pick(f, `1`, `"x"`, `{"a":[null]}`)))
	case inputType:
		var in turn.Submit
		f.Fill(reflect.ValueOf(&in).Elem(), depth)
		v.Set(reflect.ValueOf(in))
	case effectType:
		v.Set(reflect.ValueOf(f.Effect()))
	default:
		f.fillKind(v, depth)
	}
}

// fillKind sets a value of a type that has no special values.
func (f *Filler) fillKind(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.Text())
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int64, reflect.Int32:
		n := Pick[int64](f, 0, 1, 2, 5, -1, 40)
		if f.nasty && v.Kind() == reflect.Int && f.IntN(4) == 0 {
			n = Pick[int64](f, math.MaxInt32, math.MinInt32, math.MaxInt)
		}
		v.SetInt(n)
	case reflect.Uint64:
		v.SetUint(f.Uint64N(100))
	case reflect.Float64:
		v.SetFloat(f.Number())
	case reflect.Pointer:
		if depth > 0 && f.IntN(2) == 0 {
			p := reflect.New(v.Type().Elem())
			f.Fill(p.Elem(), depth-1)
			v.Set(p)
		}
	case reflect.Slice:
		if n := f.IntN(3); depth > 0 && n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				f.Fill(v.Index(i), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			f.Fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		if depth > 0 && v.Type().Key().Kind() == reflect.String && f.IntN(2) > 0 {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.SetString("x_" + Pick(f, "one", "two"))
			f.Fill(elem, depth-1)
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		f.fillStruct(v, depth)
	}
}

// fillStruct sets the exported fields of a struct.
func (f *Filler) fillStruct(v reflect.Value, depth int) {
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		switch {
		case !field.CanSet():
		case (name == "Payload" || name == "Metadata") && field.Type() == valueType: // these must be objects
			field.Set(reflect.ValueOf(tree.Object(tree.Member{Key: "a", Value: f.Value(1)})))
		default:
			f.Fill(field, depth-1)
		}
	}
}
