package macro_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
)

// TestConformanceCardScriptingCBS runs the recorded cases of the language of RisuAI (SC-11).
func TestConformanceCardScriptingCBS(t *testing.T) {
	dir := filepath.Join("testdata", "conformance")
	testkit.CardScripting(t, dir, "cbs", func(t *testing.T, data []byte) {
		var c struct {
			Text  string
			State struct {
				Chat, Global map[string]any
				Defaults     map[string]string
			}
			Env struct {
				Random  []float64
				RunVars *bool `json:"run_vars"`
			}
			Expect struct {
				Out   string
				State struct{ Chat tree.Value }
			}
		}
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatal(err)
		}
		once := c.Env.RunVars == nil || *c.Env.RunVars
		drawn := 0
		run := macro.NewRun(macro.Env{User: "Mara", Char: "Orin", Vars: c.State.Chat, Globals: c.State.Global,
			CBS: &macro.CBS{Defaults: c.State.Defaults, Once: once, Keep: true},
			Random: func() float64 {
				drawn++
				if drawn > len(c.Env.Random) {
					return 0.5
				}
				return c.Env.Random[drawn-1]
			}})
		if out := run.Expand(c.Text, macro.Full); out != c.Expect.Out {
			t.Errorf("%q gives %q, want %q", c.Text, out, c.Expect.Out)
		}
		if c.Expect.State.Chat.Exists() {
			vars, _ := run.Vars()
			if got, err := tree.Of(vars); err != nil || !got.Equal(c.Expect.State.Chat) {
				t.Errorf("variables %v (%v), want %v", got, err, c.Expect.State.Chat)
			}
		}
	})
}
