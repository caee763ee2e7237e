package filltest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Full returns a value in which no exported member is empty. Lists have two elements. Texts are the
// paths of their members, and numbers are computed from the paths, so that a test shows where each
// member went.
func Full[T any]() T {
	var out T
	full(reflect.ValueOf(&out).Elem(), strings.ToLower(reflect.TypeFor[T]().Name()), 12)
	return out
}

// number returns a number from 100 to 999 for a path.
func number(path string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(path))
	return int64(h.Sum32()%900) + 100
}

func full(v reflect.Value, path string, depth int) {
	if depth == 0 {
		return
	}
	switch v.Type() {
	case valueType:
		v.Set(reflect.ValueOf(tree.Text(path)))
		return
	case timeType:
		v.Set(reflect.ValueOf(noon.Add(time.Duration(number(path)) * time.Second)))
		return
	case rawType:
		v.SetBytes(fmt.Appendf(nil, "%d", number(path)))
		return
	case effectType:
		v.Set(reflect.ValueOf(effect.Notify{Message: path}))
		return
	case inputType:
		v.Set(reflect.ValueOf(turn.Committed{}))
		return
	case reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(errors.New(path)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(path)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(number(path))
	case reflect.Uint64:
		v.SetUint(uint64(number(path)))
	case reflect.Float64:
		v.SetFloat(float64(number(path)) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		full(v.Elem(), path, depth-1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			full(v.Index(i), path+strconv.Itoa(i), depth-1)
		}
	case reflect.Map:
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		full(key, path+".key", depth-1)
		full(elem, path+".value", depth-1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, elem)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				full(v.Field(i), path+"."+strings.ToLower(v.Type().Field(i).Name), depth-1)
			}
		}
	}
}
