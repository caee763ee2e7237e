package prompt_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/prompt/macro"
)

// innerMark detects macro texts in which SillyTavern shows its inner mark of a stray {{else}}, and
// returns the reason for the different result.
func innerMark(t *testing.T, raw conformanceCase) string {
	want := loadMacroCase(t, raw).Expectations
	text, _ := json.Marshal([]any{want.Out, want.Vars, want.Globals})
	if !strings.Contains(string(text), `\u001f`) {
		return ""
	}
	return "a stray {{else}} in the argument of another macro shows the program's inner mark, with control characters; ours is nothing"
}

// macroCase is an environment, changed by a case, and the expected result.
type macroCase struct {
	remarks
	Template     string            `json:"template"`
	User         string            `json:"user"`
	Char         string            `json:"char"`
	Card         macro.Card        `json:"card"`
	Persona      string            `json:"persona"`
	Chat         []macroMessage    `json:"chat"`
	Vars         map[string]any    `json:"vars"`
	Globals      map[string]any    `json:"globals"`
	Random       []float64         `json:"rng"`
	Clock        time.Time         `json:"clock"`
	Zone         string            `json:"timezone"`
	Original     *string           `json:"original"`
	Call         map[string]string `json:"call_macros"`
	Outlets      map[string]string `json:"outlets"`
	LazyOutlets  bool              `json:"lazy_outlets"`
	Turn         int               `json:"turn"`
	Bare         map[string]any    `json:"bare_vars"`
	Document     map[string]any    `json:"document"`
	Mode         macro.Mode        `json:"mode"`
	ChatID       string            `json:"chat_id"`
	Reroll       int               `json:"-"`
	Expectations struct {
		Out     *string        `json:"out"`
		OneOf   []string       `json:"one_of"`
		Regex   *string        `json:"regex"`
		Stable  bool           `json:"stable"`
		Vars    map[string]any `json:"vars"`
		Globals map[string]any `json:"globals"`
	} `json:"expect"`
}

type macroMessage struct {
	Role   string    `json:"role"`
	Text   string    `json:"mes"`
	Time   time.Time `json:"send_date"`
	Swipes int       `json:"swipes"`
	Swipe  int       `json:"swipe_id"`
}

func runMacroCase(t *testing.T, raw conformanceCase) {
	c := loadMacroCase(t, raw)
	want := c.Expectations
	switch {
	case want.Out != nil:
		got, run := c.expand(c.sequence())
		if diff := cmp.Diff(*want.Out, got); diff != "" {
			t.Errorf("result (-want +got):\n%s", diff)
		}
		c.checkStores(t, run)
	case len(want.OneOf) > 0:
		c.checkOneOf(t)
	case want.Regex != nil:
		got, run := c.expand(c.sequence())
		c.checkStores(t, run)
		if !regexp.MustCompile(`\A(?:` + *want.Regex + `)\z`).MatchString(got) {
			t.Errorf("result %q does not match %s", got, *want.Regex)
		}
	default:
		t.Fatal("the case expects nothing")
	}
	if want.Stable {
		first, _ := c.expand(c.sequence())
		if second, _ := c.expand(c.sequence()); first != second {
			t.Errorf("expanded again: %q, first %q", second, first)
		}
	}
}

func loadMacroCase(tb testing.TB, raw conformanceCase) macroCase {
	var c macroCase
	path := filepath.Join(conformance.Folder(), "macro-env.json")
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join(conformance.Dir, "macro-env.json")
	}
	readJSON(tb, path, &c)
	var changes map[string]json.RawMessage
	decode(tb, raw.ID, raw.Raw, &changes)
	if _, ok := changes["chat"]; ok {
		c.Chat = nil
	}
	decodeCase(tb, raw.ID, raw.Raw, &c)
	return c
}

// sequence returns the numbers of the case, then 0.5.
func (c macroCase) sequence() func() float64 {
	numbers := slices.Clone(c.Random)
	return func() float64 {
		if len(numbers) == 0 {
			return 0.5
		}
		x := numbers[0]
		numbers = numbers[1:]
		return x
	}
}

func (c macroCase) expand(random func() float64) (string, *macro.Run) {
	run := macro.NewRun(c.env(random))
	var locals macro.Locals
	if c.Original != nil {
		locals.Original = func() string { return *c.Original }
	}
	mode := c.Mode
	if mode == "" {
		mode = macro.Full
	}
	return run.ExpandWith(c.Template, mode, locals), run
}

func (c macroCase) env(random func() float64) macro.Env {
	env := macro.Env{
		User: c.User, Char: c.Char, Persona: c.Persona, Card: c.Card,
		ChatID: c.ChatID, Reroll: c.Reroll, Clock: c.Clock, Random: random, Vars: c.Vars, Globals: c.Globals,
		Bare: c.Bare, Macros: c.Call, Turn: c.Turn, Outlets: map[string][]macro.Piece{},
		Document: mapDocument(c.Document), ExampleSeparator: "***",
	}
	if zone, err := time.LoadLocation(c.Zone); err == nil {
		env.Zone = zone
	}
	for name, text := range c.Outlets {
		env.Outlets[name] = []macro.Piece{{Text: text, Literal: !c.LazyOutlets}}
	}
	var chat macro.Messages
	roles := map[string]string{"user": "user", "char": "assistant"}
	for _, m := range c.Chat {
		chat = append(chat, macro.Message{
			Role: roles[m.Role], Text: m.Text, Time: m.Time, Hidden: m.Role == "system",
			Swipes: m.Swipes, Swipe: m.Swipe,
		})
	}
	env.Chat = chat
	return env
}

// checkOneOf draws many numbers, with the random source and with the reroll number of pick: every
// member appears, and nothing else.
func (c macroCase) checkOneOf(t *testing.T) {
	seen := map[string]bool{}
	for i := range 400 {
		c.Reroll = i
		got, run := c.expand(rand.New(rand.NewPCG(uint64(i), 6)).Float64)
		c.checkStores(t, run)
		if !slices.Contains(c.Expectations.OneOf, got) {
			t.Fatalf("result %q is none of %q", got, c.Expectations.OneOf)
		}
		seen[got] = true
	}
	for _, member := range c.Expectations.OneOf {
		if !seen[member] {
			t.Errorf("%q never came", member)
		}
	}
}

// checkStores compares all variables of the case's stores after an expansion.
func (c macroCase) checkStores(t *testing.T, run *macro.Run) {
	t.Helper()
	vars, _ := run.Vars()
	compareVars(t, "vars", c.Expectations.Vars, vars)
	globals, _ := run.Globals()
	compareVars(t, "globals", c.Expectations.Globals, globals)
}

func compareVars(t *testing.T, name string, want, got map[string]any) {
	t.Helper()
	if want == nil {
		return
	}
	if len(want) == 0 && len(got) == 0 {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// mapDocument reads decoded JSON by paths such as a.b[0].
type mapDocument map[string]any

func (d mapDocument) Get(path string) (any, bool) {
	var v any = map[string]any(d)
	for _, step := range strings.FieldsFunc(path,
		func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		switch x := v.(type) {
		case map[string]any:
			member, ok := x[step]
			if !ok {
				return nil, false
			}
			v = member
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}
