package memvars_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/memvars"
)

// TestInventoryInOneMessage: one message with many commands leaves the same inventory as one
// message per command. Within one message only written places are checked; at the start of each
// message the whole inventory is.
func TestInventoryInOneMessage(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	places := []string{
		"global_set", "global_set.背包", "global_set.背包.a", "global_set.背包.b", "global_set.背包.b.c",
		"global_set.背包.b.c.d", "global_set.背包.list", "global_set.背包.list.0", "global_set.npc",
	}
	values := []string{
		"0", "1", `""`, `{"num":0}`, `{"num":2}`, `{"num":[0,"left"]}`, `{}`, `[]`, `"x"`,
		`{"b":{"num":0},"c":{"num":1}}`, `[{"num":0},{"num":1},{"x":{"num":0}}]`, `{"num":1,"in":{"num":0}}`,
		`{"a":{"num":0},"背包":{"a":{"num":0},"b":{"num":3}}}`,
	}
	command := func() string {
		key := pick("a", "b", "c", "d", "num", "0", "1", "list", "背包")
		switch place := pick(places...); rng.IntN(6) {
		case 0:
			return fmt.Sprintf("delete('%s', '%s');\n", place, key)
		case 1:
			return fmt.Sprintf("delete('%s', 'all');\n", place)
		case 2:
			return fmt.Sprintf("memory('%s', '%s');\n", place, pick(places...)) // moves or renames
		default:
			return fmt.Sprintf("memory('%s', '%s', %s);\n", place, key, pick(values...))
		}
	}
	start := mustLoad(`{"assa_data":{"global_set":{"背包":{"a":{"num":3},"b":{"c":{"num":1,"d":{"num":2}}},
		"list":[{"num":1},{"num":2}]},"npc":{"e":{"num":1}}}}}`)
	for _, recursive := range []bool{true, false} {
		sys, problems := memvars.Compile(memvars.Options{InventoryRecursive: &recursive})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		applied := 0
		for range 4000 {
			list := make([]string, 1+rng.IntN(12))
			for i := range list {
				list[i] = command()
			}
			together, res := sys.Apply(start, strings.Join(list, ""), memvars.AI)
			for _, c := range res.Calls {
				if c.Status == memvars.Applied {
					applied++
				}
			}
			apart := start
			for _, one := range list {
				apart, _ = sys.Apply(apart, one, memvars.AI)
			}
			if diff := cmp.Diff(apart.String(), together.String()); diff != "" {
				t.Fatalf("%s(-apart +together):\n%s", strings.Join(list, ""), diff)
			}
		}
		if applied < 4000 {
			t.Errorf("only %d commands were applied", applied)
		}
	}
}
