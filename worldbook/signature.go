package worldbook

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
)

// appendSignature appends bytes that are equal for equal values only: what they hold,
// not where. Unexported fields and what pointers point to count as well.
func appendSignature(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendSignature(append(b, 1), v.Elem())
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(b, v.Bytes()...)
		}
		for i := range v.Len() {
			b = appendSignature(b, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendSignature(b, v.Field(i))
		}
	case reflect.Map:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		if v.Len() == 0 {
			return b
		}
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			b = appendSignature(appendSignature(b, name), v.MapIndex(name))
		}
	default:
		panic("worldbook: no signature for a " + v.Kind().String())
	}
	return b
}
