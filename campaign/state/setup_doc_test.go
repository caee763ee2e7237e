package state_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestSetupIsDocumented: the JSON in the documentation of Setup has each of its members. All of
// them are read, and writing the setup gives them again.
func TestSetupIsDocumented(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("setup.go")
	if err != nil {
		t.Fatal(err)
	}
	_, sample, _ := strings.Cut(string(source), "//\t{\n")
	sample, _, found := strings.Cut("{\n"+sample, "type Setup struct")
	sample = strings.ReplaceAll(sample, "//\t", "")
	var s state.Setup
	if err := json.Unmarshal([]byte(sample), &s); err != nil || !found {
		t.Fatalf("%v in\n%s", err, sample)
	}
	if problems := s.Vet(); len(problems) > 0 {
		t.Error(problems)
	}
	var given map[string]any
	_ = json.Unmarshal([]byte(sample), &given)
	for _, f := range reflect.VisibleFields(reflect.TypeFor[state.Setup]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if _, has := given[name]; !has && name != "-" {
			t.Errorf("the sample lacks %s", name)
		}
		if reflect.ValueOf(s).FieldByIndex(f.Index).IsZero() && name != "-" && name != "movement_lock" && name != "lifecycle" {
			t.Errorf("%s says nothing", name)
		}
	}
}
