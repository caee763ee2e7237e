package authorjson

import (
	"reflect"
	"strings"
	"sync"

	"github.com/talewright/talewright/memvars/tree"
)

// Filled takes the members of the fields of a struct by their JSON names: texts, numbers, whole
// numbers, booleans, lists of texts and values of any type, each as its method of [Fields] takes it.
// Fields of other types stay zero: read those with [Part], [List] or [Fields.List].
func Filled[T any](f *Fields) (filled T) {
	v := reflect.ValueOf(&filled).Elem()
	for _, field := range fieldsOf(v.Type()) {
		field.take(f, field.name, v.Field(field.index))
	}
	return filled
}

// takers read a member into a field, by the type of the field. Any kind of text has takeText.
var takers = map[reflect.Type]func(f *Fields, name string, to reflect.Value){
	reflect.TypeFor[float64]():    func(f *Fields, name string, to reflect.Value) { to.SetFloat(OrZero(f.Number(name))) },
	reflect.TypeFor[int]():        func(f *Fields, name string, to reflect.Value) { to.SetInt(int64(OrZero(f.Whole(name)))) },
	reflect.TypeFor[bool]():       func(f *Fields, name string, to reflect.Value) { to.SetBool(f.True(name)) },
	reflect.TypeFor[*float64]():   taker((*Fields).Number),
	reflect.TypeFor[*int]():       taker((*Fields).Whole),
	reflect.TypeFor[*bool]():      taker((*Fields).Flag),
	reflect.TypeFor[[]string]():   taker((*Fields).Texts),
	reflect.TypeFor[tree.Value](): taker((*Fields).Value),
}

func taker[V any](take func(f *Fields, name string) V) func(*Fields, string, reflect.Value) {
	return func(f *Fields, name string, to reflect.Value) { *to.Addr().Interface().(*V) = take(f, name) }
}

func takeText(f *Fields, name string, to reflect.Value) { to.SetString(f.Text(name)) }

// taken is a field that [Filled] reads.
type taken struct {
	index int
	name  string
	take  func(f *Fields, name string, to reflect.Value)
}

var fieldsByType sync.Map // reflect.Type -> []taken, a pure function of the key

func fieldsOf(t reflect.Type) []taken {
	if list, ok := fieldsByType.Load(t); ok {
		return list.([]taken)
	}
	var list []taken
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		take := takers[field.Type]
		if field.Type.Kind() == reflect.String {
			take = takeText
		}
		if take != nil && name != "" && name != "-" {
			list = append(list, taken{i, name, take})
		}
	}
	fieldsByType.Store(t, list)
	return list
}
