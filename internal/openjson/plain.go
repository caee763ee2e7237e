package openjson

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
)

// Write is the MarshalJSON of a struct that keeps what it does not know in its field
// Extra: the fields, then that.
func Write[T any](v T) ([]byte, error) {
	self := reflect.ValueOf(&v)
	p := plainOf(self.Type().Elem())
	out := self.Convert(p.pointer)
	return Encode(out.Interface(), *extraOf(self.Elem(), p))
}

// Read is the UnmarshalJSON of such a struct. What *into held is gone; after an error it
// is as it was. The error is that of [Decode].
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

// plain is a struct type without its methods, so that encoding/json reads and writes the
// fields and does not come back to the type itself.
type plain struct {
	pointer reflect.Type
	extra   int // the place of the field Extra
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
	p.pointer = reflect.PointerTo(reflect.StructOf(fields))
	plainByType.Store(t, p)
	return p
}

func extraOf(v reflect.Value, p plain) *map[string]json.RawMessage {
	return v.Field(p.extra).Addr().Interface().(*Extra)
}
