package filltest

import (
	"reflect"
	"testing"

	"github.com/talewright/talewright/campaign/memory"
)

// TestSagaIsRepeatable: the same seed makes the same turns, and every language has facts.
func TestSagaIsRepeatable(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		if len(Facts(language)) == 0 {
			t.Errorf("%s has no facts", language)
		}
		one, two, other := NewSaga(language, 1), NewSaga(language, 1), NewSaga(language, 2)
		same := true
		for i := range 20 {
			a := one.Turn(i+1, "")
			if b := two.Turn(i+1, ""); !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: turn %d: %+v and %+v", language, i+1, a, b)
			}
			same = same && reflect.DeepEqual(a, other.Turn(i+1, ""))
		}
		if same {
			t.Errorf("%s: two seeds make one saga", language)
		}
	}
	items := []memory.Item{{TurnID: TurnID(4)}, {TurnID: TurnID(2)}}
	if Rank(items, TurnID(2)) != 1 || Rank(items, TurnID(3)) != 2 {
		t.Error("Rank is not the place among the items")
	}
}
