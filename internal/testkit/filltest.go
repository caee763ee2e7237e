package testkit

import (
	"encoding/json"
	"reflect"
	"time"
)

// This file fills values with random contents, for tests of stored data: a value must be equal
// after it is written and read back.

// Random fills a value with random contents and leaves about half of its fields zero. intn returns
// numbers in [0, n). Lists and maps are nested at most depth levels.
func Random(v reflect.Value, intn func(n int) int, depth int) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(int64(intn(1<<31-1)), int64(intn(1e9))).UTC()))
		return
	case json.RawMessage:
		v.SetBytes([]byte(`{"a":[1,"x"]}`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([...]string{"", "x", "{{user}}\n", "雨 \u2028<&>", "\"\\"}[intn(5)])
	case reflect.Int, reflect.Int64:
		v.SetInt([...]int64{0, 1, -1, 1 << 40}[intn(4)])
	case reflect.Uint64:
		v.SetUint([...]uint64{0, 1, 1 << 63}[intn(3)])
	case reflect.Float64:
		v.SetFloat([...]float64{0, 0.5, 1e300, -3}[intn(4)])
	case reflect.Bool:
		v.SetBool(intn(2) == 0)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf([...]any{"x", 1.5, true, []any{"y"}, map[string]any{"k": nil}}[intn(5)]))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		Random(v.Elem(), intn, depth)
	case reflect.Slice:
		if depth == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), intn(3), 3))
		for i := range v.Len() {
			Random(v.Index(i), intn, depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, key := range []string{"a", "雨"}[:intn(3)] {
			value := reflect.New(v.Type().Elem()).Elem()
			Random(value, intn, depth-1)
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() && f.Tag.Get("json") != "-" && intn(2) == 0 {
				Random(v.Field(i), intn, depth)
			}
		}
	}
}
