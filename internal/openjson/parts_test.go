package openjson

import (
	"encoding/json"
	"errors"
	"testing"
)

type size struct{ cm int }

func (s size) IsZero() bool { return s.cm <= 0 }
func (s size) MarshalJSON() ([]byte, error) {
	if s.cm > 1000 {
		return nil, errors.New("no such room")
	}
	return json.Marshal(map[string]int{"cm": s.cm})
}

type labels []string

func (l labels) AppendJSON(to []byte) []byte {
	text, _ := Marshal([]string(l))
	return append(to, text...)
}

// chest and looked differ only in their tags.
type chest struct {
	Doors  []door  `json:"doors,omitempty" openjson:"own"`
	Name   string  `json:"name,omitempty"`
	Hidden int     `json:"-"`
	Next   *door   `json:"next,omitempty" openjson:"own"`
	High   size    `json:"high,omitzero" openjson:"own"`
	Wide   size    `json:"wide" openjson:"own"`
	Spare  *door   `json:"spare" openjson:"own"`
	Others []*door `json:"others" openjson:"own"`
	Labels labels  `json:"labels,omitempty" openjson:"own"`
	Weight float64 `json:"weight,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

type looked struct {
	Doors  []door  `json:"doors,omitempty"`
	Name   string  `json:"name,omitempty"`
	Hidden int     `json:"-"`
	Next   *door   `json:"next,omitempty"`
	High   size    `json:"high,omitzero"`
	Wide   size    `json:"wide"`
	Spare  *door   `json:"spare"`
	Others []*door `json:"others"`
	Labels labels  `json:"labels,omitempty"`
	Weight float64 `json:"weight,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// TestOwnFieldsReadTheSame: a value that is written by its own MarshalJSON reads like the output of
// encoding/json, and is equally compact.
func TestOwnFieldsReadTheSame(t *testing.T) {
	t.Parallel()
	d := door{ID: "<a>", Locks: []door{{ID: "b"}}, Extra: Extra{"x": json.RawMessage(" [ 1, 2 ] ")}}
	for _, tc := range []struct {
		reason string
		c      chest
	}{
		{"nothing", chest{}},
		{"everything", chest{Doors: []door{d, {}}, Name: "n", Hidden: 1, Next: &d, High: size{3}, Wide: size{4}, Spare: &d,
			Others: []*door{&d, nil}, Labels: labels{"<l>", ""}, Weight: 1.5, Extra: Extra{"z": json.RawMessage(`{ "deep" : [ ] }`), "none": nil}}},
		{"empty lists", chest{Doors: []door{}, Others: []*door{}}},
		{"below nothing", chest{High: size{-1}, Wide: size{-1}}},
		{"an unknown member that has become known", chest{Extra: Extra{"name": json.RawMessage(`"x"`), "high": json.RawMessage(`1`)}}},
	} {
		want, err := Write(looked(tc.c))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Write(tc.c)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: %v\ngot  %s\nwant %s", tc.reason, err, got, want)
		}
		if compact, err := Marshal(json.RawMessage(got)); err != nil || string(compact) != string(got) {
			t.Errorf("%s: %s is not compact, %v", tc.reason, got, err)
		}
	}
	if got, err := Write(chest{Wide: size{1001}}); err == nil {
		t.Errorf("%s has no error", got)
	}
	if got, err := Write(chest{Weight: 1 / zero}); err == nil {
		t.Errorf("%s has no error", got)
	}
}

var zero float64
