package js_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern/js"
	"github.com/talewright/talewright/prompt/template"
)

// recorded is a recorded case of templates.
type recorded struct {
	ID, Kind, Tier, Run, Verdict string
	Template                     *string
	Texts                        []string
	State                        struct{ Message, Chat, Global, Initial tree.Value }
	Env                          struct {
		User, Char string
		Chat       []struct {
			IsUser bool `json:"is_user"`
			Mes    string
		}
		Books, Character json.RawMessage
		Others, Prompts  json.RawMessage
		Random           []float64
		DryRun           bool `json:"dry_run"`
	}
	Options struct {
		OnError string `json:"on_error"`
	}
	Expect struct {
		Out   *string
		Outs  []string
		Error string
		State map[string]tree.Value
	}
}

// needsEngine is a prefix that makes the engine run a text.
const needsEngine = "<% class Needs {} %>"

// differs are cases of the native interpreter that the engine plays differently, with the reason.
var differs = map[string]string{
	"refused/05": "__proto__ does not exist in the engine, so that it is undefined and no error",
	"refused/07": "an import is a promise that fails, which nothing waits for",
	"refused/15": "values have the members of JavaScript",
}

// TestConformanceCardScripting runs the recorded cases of tier engine (SC-04). Then it runs all
// other cases of templates without books and cards in the engine. Their output must equal the
// output of the interpreter.
func TestConformanceCardScripting(t *testing.T) {
	dir := cmp.Or(os.Getenv("TALEWRIGHT_CARDSCRIPTING"), os.Getenv("TALEWRIGHT_CARD_SCRIPTING"), filepath.Join("testdata", "conformance"))
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	more, err := filepath.Glob(filepath.Join("..", "..", "template", "testdata", "conformance", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("TALEWRIGHT_CARDSCRIPTING")+os.Getenv("TALEWRIGHT_CARD_SCRIPTING") == "" {
		files = append(files, more...)
	}
	passed, total := map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all struct {
			Format string
			Cases  []json.RawMessage
		}
		if json.Unmarshal(data, &all) != nil || all.Format != "card-scripting-conformance/1" {
			continue
		}
		for _, data := range all.Cases {
			var kind struct{ ID, Kind string }
			if err := json.Unmarshal(data, &kind); err != nil {
				t.Fatal(err)
			}
			if kind.Kind != "ejs" || seen[kind.ID] {
				continue
			}
			seen[kind.ID] = true
			var c recorded
			if err := json.Unmarshal(data, &c); err != nil {
				t.Fatal(kind.ID, err)
			}
			if c.Verdict == "info" || c.Run == "generation" || c.Env.Books != nil || c.Env.Character != nil || c.Env.Others != nil || c.Env.Prompts != nil {
				continue
			}
			if why := differs[c.ID]; why != "" {
				t.Logf("%s: %s", c.ID, why)
				continue
			}
			tier := cmp.Or(c.Tier, "core")
			total[tier]++
			if t.Run(c.ID, c.play) {
				passed[tier]++
			}
		}
	}
	for _, tier := range []string{"engine", "core", "more"} {
		fmt.Printf("ejs %s with the engine: %d passed, %d failed of %d\n", tier, passed[tier], total[tier]-passed[tier], total[tier])
	}
}

func (c recorded) play(t *testing.T) {
	user, char := cmp.Or(c.Env.User, "Mara"), cmp.Or(c.Env.Char, "Orin")
	names := strings.NewReplacer("{{user}}", user, "{{char}}", char)
	drawn := 0
	env := template.Env{User: user, Char: char, DryRun: c.Env.DryRun, Raw: c.Options.OnError == "raw", Engine: js.New(js.Options{}),
		Variables: template.Variables{Message: c.State.Message, Chat: c.State.Chat, Global: c.State.Global, Initial: c.State.Initial},
		Expand:    func(text, _ string, v template.Variables) (string, template.Variables) { return names.Replace(text), v },
		Chat:      macro.Messages{{Role: "assistant", Text: "Hello."}, {Role: "user", Text: "Hi."}},
		Random: func() float64 {
			drawn++
			if drawn > len(c.Env.Random) {
				return 0.5
			}
			return c.Env.Random[drawn-1]
		}}
	if c.Env.Chat != nil {
		var chat macro.Messages
		for _, m := range c.Env.Chat {
			role := map[bool]string{true: "user", false: "assistant"}[m.IsUser]
			chat = append(chat, macro.Message{Role: role, Text: m.Mes})
		}
		env.Chat = chat
	}
	b := template.NewBuild(env)
	texts, want := c.Texts, c.Expect.Outs
	if c.Template != nil {
		texts = []string{*c.Template}
		if c.Expect.Out != nil {
			want = []string{*c.Expect.Out}
		}
	}
	var outs []string
	for _, text := range texts {
		if c.Tier != "engine" && strings.Contains(text, "<%") {
			text = needsEngine + text
		}
		if out := b.Unit(template.Piece{Text: text, Lore: true})[0]; out != "" || len(b.Problems()) == 0 {
			outs = append(outs, out)
		}
	}
	switch failed := len(b.Problems()) > 0; {
	case failed != (c.Expect.Error != ""):
		t.Errorf("%q prints %q, problems %v, want the error %q", texts, outs, b.Problems(), c.Expect.Error)
	case failed && c.Tier == "engine" && b.Problems()[0].Code != talewright.Code(c.Expect.Error):
		t.Errorf("%q: %v, want %s", texts, b.Problems(), c.Expect.Error)
	case !failed && !slices.Equal(outs, want):
		t.Errorf("%q prints %q, want %q", texts, outs, want)
	}
	got := b.Variables()
	for name, after := range map[string]tree.Value{"message": got.Message, "chat": got.Chat, "global": got.Global} {
		if want, changed := c.Expect.State[name]; changed && !after.Equal(want) {
			t.Errorf("%q: store %s: %s, want %s", texts, name, after, want)
		}
	}
}
