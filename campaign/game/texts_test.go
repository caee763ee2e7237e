package game_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/talewright/talewright/campaign/game"
)

// TestTextsAreWhole: no text of the engine is missing in a language, and both languages have the
// same texts.
func TestTextsAreWhole(t *testing.T) {
	t.Parallel()
	texts := map[string]game.Texts{"english": game.English(), "chinese": game.Chinese()}
	empty := map[string]bool{ // intended
		"chinese.Marks.Gap": true, "english.Shape.Start": true, "english.Shape.Empty": true, // English without these texts
		"english.Shape.Continue": true, "english.Shape.Prefill": true,
	}
	listed := map[string]map[string]bool{}
	for language, of := range texts {
		listed[language] = map[string]bool{}
		leavesOf(reflect.ValueOf(of), "", func(path, text string) {
			listed[language][path] = true
			if (text == "") != empty[language+path] {
				t.Errorf("%s%s is %q", language, path, text)
			}
		})
	}
	if len(listed["chinese"]) < 80 {
		t.Errorf("only %d texts", len(listed["chinese"]))
	}
	for path := range listed["english"] {
		if !listed["chinese"][path] {
			t.Errorf("chinese%s is missing", path)
		}
	}
}

// leavesOf returns each text below a value with its path.
func leavesOf(v reflect.Value, path string, found func(path, text string)) {
	switch v.Kind() {
	case reflect.String:
		found(path, v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			leavesOf(v.Field(i), path+"."+v.Type().Field(i).Name, found)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			leavesOf(v.Index(i), fmt.Sprint(path, i), found)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			leavesOf(v.MapIndex(key), path+"."+key.String(), found)
		}
	}
}
