package mvu_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// scaleFeatures are commands on n members; # is the number of the member.
var scaleFeatures = []struct{ name, member, command string }{
	{"set", `"k#":[1,"d"]`, "_.set('k#', 2);//r\n"},
	{"set on one line", `"k#":[1,"d"]`, "_.set('k#', 2);"},
	{"delete", `"k#":1`, "_.delete('k#');\n"},
	{"delete what has markers", `"k#":{"$meta":{"extensible":true}}`, "_.delete('k#');\n"},
	{"patch blocks", `"k#":1`, `<JsonPatch>[{"op":"replace","path":"/k#","value":2}]</JsonPatch>`},
	{"open calls", `"k#":1`, "_.set('k#, ("},
}

// TestPerfFeatures: eight times the commands on eight times the data, with their display data, take
// about eight times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFeatures {
		update := func(n int) func() {
			var members, text strings.Builder
			members.WriteString(`{"$meta":{"recursiveExtensible":true}`)
			for i := range n {
				members.WriteString("," + strings.ReplaceAll(f.member, "#", fmt.Sprint(i)))
				text.WriteString(strings.ReplaceAll(f.command, "#", fmt.Sprint(i)))
			}
			data, err := tree.ParseValue([]byte(members.String() + "}"))
			if err != nil {
				t.Fatal(err)
			}
			v, err := mvu.New(data, mvu.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return func() {
				after, _ := mvu.Update(v, text.String(), mvu.Options{})
				after.Display()
			}
		}
		few, many := update(500), update(4000)
		testkit.AtMost(t, f.name+", 4,000 against 500", 40, func() float64 {
			long, short := time.Hour, time.Hour
			for range 3 { // alternately, so that disturbances affect both
				long = min(long, testkit.Best(1, many))
				short = min(short, testkit.Best(4, few))
			}
			return testkit.Ratio(long, short)
		})
	}
}
