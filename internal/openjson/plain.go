package openjson

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
)

// Write implements MarshalJSON for a struct that keeps unknown members in its field Extra: it
// writes the fields, then Extra. The JSON is compact, even if Extra is not.
//
// The type or the elements of a field with the tag `openjson:"own"` need AppendJSON or MarshalJSON.
// MarshalJSON must call Write or return compact JSON in a different way. Write copies that result
// unchanged. encoding/json would read each byte of it again, for each level of a large value. See
// BenchmarkEntryOf and BenchmarkSnapshot of package campaign.
func Write[T any](v T) ([]byte, error) {
	self := reflect.ValueOf(&v)
	p := plainOf(self.Type().Elem())
	extra := *extraOf(self.Elem(), p)
	if p.parts == nil {
		return Encode(self.Convert(p.pointer).Interface(), extra)
	}
	out, err := p.write(self.Elem())
	if err != nil || len(extra) == 0 {
		return out, err
	}
	return addExtra(out, extra, knownNames(p.pointer))
}

// Read implements UnmarshalJSON for such a struct. It replaces *into; on an error *into does not
// change. The error is the error of [Decode].
func Read[T any](data []byte, into *T) error {
	var v T
	self := reflect.ValueOf(&v)
	p := plainOf(self.Type().Elem())
	extra, err := Decode(data, self.Convert(p.pointer).Interface())
	if err != nil {
		return err
	}
	*extraOf(self.Elem(), p) = extra
	*into = v
	return nil
}

// Plain returns a struct with a field Extra as a struct without methods, which encoding/json writes
// field by field, and Extra.
func Plain[T any](v T) (plain any, extra Extra) {
	self := reflect.ValueOf(&v)
	p := plainOf(self.Type().Elem())
	return self.Convert(p.pointer).Interface(), *extraOf(self.Elem(), p)
}

// plain is a struct type without its methods, so that encoding/json reads and writes the fields and
// does not call the type's own methods again.
type plain struct {
	pointer reflect.Type
	extra   int    // index of the field Extra
	parts   []part // nil: no field is encoded by its own MarshalJSON
}

var plainByType sync.Map // reflect.Type -> plain, a pure function of the key

func plainOf(t reflect.Type) plain {
	if p, ok := plainByType.Load(t); ok {
		return p.(plain)
	}
	fields := make([]reflect.StructField, t.NumField())
	p := plain{extra: -1}
	for i := range fields {
		if fields[i] = t.Field(i); fields[i].Name == "Extra" && fields[i].Type == reflect.TypeFor[Extra]() {
			p.extra = i
		}
	}
	if p.extra < 0 {
		panic(fmt.Sprintf("openjson: %s has no field Extra", t))
	}
	p.pointer, p.parts = reflect.PointerTo(reflect.StructOf(fields)), partsOf(fields)
	plainByType.Store(t, p)
	return p
}

func extraOf(v reflect.Value, p plain) *map[string]json.RawMessage {
	return v.Field(p.extra).Addr().Interface().(*Extra)
}
