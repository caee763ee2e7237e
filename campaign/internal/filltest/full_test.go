package filltest

import (
	"reflect"
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestFullHasNoEmptyMember: an empty member would hide a missing connection.
func TestFullHasNoEmptyMember(t *testing.T) {
	c := Full[state.Character]()
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && v.Field(i).IsZero() {
			t.Errorf("%s is empty", f.Name)
		}
	}
	if !reflect.DeepEqual(c, Full[state.Character]()) {
		t.Error("two values differ")
	}
}
