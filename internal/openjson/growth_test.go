package openjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/testkit"
)

// TestGrowth: the cost of an object with many unknown members, and of a long list, follows its length.
func TestGrowth(t *testing.T) {
	read := func(data []byte) {
		var known struct {
			A    int               `json:"a"`
			List []json.RawMessage `json:"list" openjson:"own"`
		}
		_, _ = openjson.Decode(data, &known) // an object with a mistake is read too
	}
	testkit.Growth(t,
		testkit.Reader{Name: "unknown members", Size: 64 << 10, Atoms: []testkit.Atom{testkit.Repeat("        ")}, Read: func(text string) {
			object := bytes.NewBufferString(`{"a":1`)
			for i := range len(text) / 8 { // no name is repeated
				fmt.Fprintf(object, `,"x%d":1`, i)
			}
			read(append(object.Bytes(), '}'))
		}},
		testkit.Reader{Name: "text", Read: func(text string) { read([]byte(text)) }, Atoms: []testkit.Atom{
			{Head: `{"list":[`, Open: `1,`, Tail: `1]}`}, {Head: `{"list":`, Open: `[`}, {Open: `{"a":`}, {Head: `{"x":"`, Open: `\`}, {Head: `{`, Open: `"x":1,`, Tail: `"y":1}`},
		}},
	)
}
