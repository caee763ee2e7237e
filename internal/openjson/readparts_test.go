package openjson

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// item reads itself and keeps unknown members.
type item struct {
	N     int    `json:"n,omitempty"`
	S     string `json:"s,omitempty"`
	Extra Extra  `json:"-"`
}

func (l item) MarshalJSON() ([]byte, error)  { return Write(l) }
func (l *item) UnmarshalJSON(b []byte) error { return Read(b, l) }

// inParts is read part by part, and atOnce by encoding/json.
type (
	inParts struct {
		A    int            `json:"a"`
		One  item           `json:"one,omitzero" openjson:"own"`
		Ptr  *item          `json:"ptr,omitempty" openjson:"own"`
		List []item         `json:"list,omitempty" openjson:"own"`
		Nums []int          `json:"nums,omitempty" openjson:"own"`
		Map  map[string]int `json:"map,omitempty"`
	}
	atOnce struct {
		A    int            `json:"a"`
		One  item           `json:"one,omitzero"`
		Ptr  *item          `json:"ptr,omitempty"`
		List []item         `json:"list,omitempty"`
		Nums []int          `json:"nums,omitempty"`
		Map  map[string]int `json:"map,omitempty"`
	}
)

// partTexts are objects of every kind, with and without mistakes.
var partTexts = []string{
	`{}`, ` { "a" : 1 , "one" : {"n":2, "x": [1]} } `, `{"list":[{"n":1},{"s":"}]\"\\"}],"nums":[1,2]}`,
	`{"ptr":{"n":1}}`, `{"ptr":null,"one":null,"list":null,"nums":null}`, `{"list":[null]}`, `{"list":[],"nums":[]}`,
	`{"x":{"y":[1,{"z":"\u00e9"}]},"a":1}`, `{"A":1}`, `{"a":1,"a":2}`, `{"\u0061":1}`, `{"龙":1,"a":2}`, `{"ONE":{"n":1}}`,
	`{"one":{"n":"x"}}`, `{"one":[]}`, `{"list":{}}`, `{"list":[{"n":1}`, `{"nums":[1,]}`, `{"a":1,}`, `{,}`, `{"a" 1}`,
	`{"a":1}x`, `{"a":1 "b":2}`, `{"x":[}`, `{"x":{]}`, `{"x":tru}`, `{"x":}`, `{"a":"}`, `{"list":[1}]`, `[]`, `null`, `1`, ``,
	`{"one":{"n":1}x}`, `{"nums":[1 2]}`, `{"map":{"b":1}}`, `{"x":"a` + "\n" + `"}`, "{\"a\x01\":1}", `{"x":1,"x":2}`, `{"one":"\`,
}

// TestReadParts: an object that is read part by part gives the same value, the same unknown members
// and the same error as encoding/json.
func TestReadParts(t *testing.T) {
	t.Parallel()
	taken := 0
	for _, text := range partTexts {
		alike(t, []byte(text))
		if _, ok := readParts([]byte(text), reflect.ValueOf(new(inParts)).Elem(), knownNames(reflect.TypeFor[inParts]())); ok {
			taken++
		}
	}
	if taken != 8 {
		t.Errorf("%d texts are read part by part", taken)
	}
}

func FuzzReadParts(f *testing.F) {
	for _, text := range partTexts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { alike(t, data) })
}

// alike compares the two ways to read.
func alike(t *testing.T, data []byte) {
	t.Helper()
	var parts inParts
	var whole atOnce
	extra, err := Decode(data, &parts)
	wantExtra, want := Decode(data, &whole)
	if (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
		t.Fatalf("%q: error %v, want %v", data, err, want)
	}
	if err == nil && (!reflect.DeepEqual(atOnce(parts), whole) || !reflect.DeepEqual(extra, wantExtra)) {
		t.Fatalf("%q: %+v, %s, want %+v, %s", data, parts, extra, whole, wantExtra)
	}
}

// BenchmarkRead reads an object with a long list, with and without the tag.
func BenchmarkRead(b *testing.B) {
	data, err := json.Marshal(inParts{A: 1, List: slices.Repeat([]item{{N: 1, S: strings.Repeat("Dust falls. ", 100)}}, 100)})
	if err != nil {
		b.Fatal(err)
	}
	read := func(into any) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Decode(data, into); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("parts", read(new(inParts)))
	b.Run("whole", read(new(atOnce)))
}
