package worldbook_test

import (
	"encoding/json"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// TestBookMembers: a book is written as it was read, except that a list of entries becomes an
// object.
func TestBookMembers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, in, want string }{
		{"no name", `{"entries":{}}`, `{"entries":{}}`},
		{"an empty name", `{"name":"","entries":{}}`, `{"entries":{},"name":""}`},
		{"a null name", `{"name":null,"entries":{}}`, `{"entries":{},"name":null}`},
		{"a number becomes its text", `{"name":5,"entries":{}}`, `{"name":"5","entries":{}}`},
		{"letter case matters", `{"Name":"a","Entries":[1],"entries":{}}`,
			`{"entries":{},"Entries":[1],"Name":"a"}`},
		{"unknown members", `{"x":{"y":[null]},"entries":{}}`, `{"entries":{},"x":{"y":[null]}}`},
		{"a list", `{"entries":[]}`, `{"entries":{}}`},
	} {
		var b wb.Book
		if err := json.Unmarshal([]byte(tc.in), &b); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		if out, err := json.Marshal(b); err != nil || string(out) != tc.want {
			t.Errorf("%s: %s %v, want %s", tc.reason, out, err, tc.want)
		}
	}
	var b wb.Book
	if err := json.Unmarshal([]byte(`{"name":"","entries":{}}`), &b); err != nil {
		t.Fatal(err)
	}
	b.Name = "named"
	if out, _ := json.Marshal(b); string(out) != `{"name":"named","entries":{}}` {
		t.Errorf("a name that is set wins: %s", out)
	}
}
