package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// mistyped returns everything in a JSON text that cannot be read as dst, in the words
// of JSON and each with its path; err where there is nothing of that kind.
func mistyped(data []byte, dst any, err error) error {
	v, broken := tree.ParseValue(data)
	if broken != nil {
		return fmt.Errorf("campaign: no valid JSON: %w", broken)
	}
	var errs []error
	findMistyped(v, reflect.TypeOf(dst), "", &errs)
	if len(errs) == 0 {
		return err
	}
	return errors.Join(errs...)
}

var (
	typeOfTime  = reflect.TypeFor[time.Time]()
	typeOfValue = reflect.TypeFor[tree.Value]()
	typeOfRaw   = reflect.TypeFor[json.RawMessage]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	ownPackage  = reflect.TypeFor[Setup]().PkgPath()
)

const maxMistyped = 100 // mistakes that are listed

func findMistyped(v tree.Value, t reflect.Type, path string, errs *[]error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !v.Exists() || v.IsNull() || t == typeOfValue || t == typeOfRaw || len(*errs) >= maxMistyped {
		return
	}
	want := func(ok bool, what string) bool {
		if !ok {
			*errs = append(*errs, fmt.Errorf("campaign: %s: want %s, not %s", path, what, described(v)))
		}
		return ok
	}
	switch {
	case t == typeOfTime:
		text, isText := v.AsText()
		_, err := time.Parse(time.RFC3339, text)
		want(isText && err == nil, `a time such as "2026-05-01T12:00:00Z"`)
		return
	case reflect.PointerTo(t).Implements(unmarshaler) && (t.PkgPath() != ownPackage || t.Kind() != reflect.Struct):
		err := json.Unmarshal(v.AppendJSON(nil), reflect.New(t).Interface())
		if err != nil {
			*errs = append(*errs, fmt.Errorf("campaign: %s: %w", path, err))
		}
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		if !want(v.IsObject(), "an object") {
			return
		}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if name != "" && name != "-" {
				findMistyped(v.Get(name), t.Field(i).Type, strings.TrimPrefix(path+"."+name, "."), errs)
			}
		}
	case reflect.Slice:
		if !want(v.IsArray(), "a list") {
			return
		}
		i := 0
		for _, e := range v.Elements() {
			findMistyped(e, t.Elem(), fmt.Sprintf("%s[%d]", path, i), errs)
			i++
		}
	case reflect.Map:
		if !want(v.IsObject(), "an object") {
			return
		}
		for key, m := range v.Members() {
			findMistyped(m, t.Elem(), path+"."+key, errs)
		}
	case reflect.String:
		_, ok := v.AsText()
		want(ok, "a text")
	case reflect.Bool:
		_, ok := v.AsBool()
		want(ok, "true or false")
	case reflect.Float64:
		_, ok := v.AsNumber()
		want(ok, "a number")
	case reflect.Int, reflect.Int64, reflect.Uint64:
		want(json.Unmarshal(v.AppendJSON(nil), reflect.New(t).Interface()) == nil, "a whole number")
	}
}

// described names the JSON type of a value, and a short one itself.
func described(v tree.Value) string {
	switch {
	case v.IsObject():
		return "an object"
	case v.IsArray():
		return "a list"
	}
	return utf8text.Cut(v.String(), 40)
}
