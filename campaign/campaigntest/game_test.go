package campaigntest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// author is the content of a game's file content.json.
type author struct {
	Book      worldbook.Book       `json:"book"`
	Variables []rules.Variable     `json:"variables"`
	Rules     []rules.Rule         `json:"rules"`
	Reactions []reactions.Reaction `json:"reactions"`
	Hooks     []hooks.Hook         `json:"hooks"`
}

func read(t testing.TB, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// crypt returns the game of this package's tests: a bell, a creature that sleeps below it, and two
// people who wake it.
func crypt(t testing.TB) (game.Content, state.Setup) {
	t.Helper()
	var a author
	var s state.Setup
	read(t, "testdata/crypt/content.json", &a)
	read(t, "testdata/crypt/setup.json", &s)
	return game.Content{
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: a.Book}}}, Rules: game.Rules{
			Variables: a.Variables,
			Rules:     a.Rules, Reactions: a.Reactions, Hooks: a.Hooks,
		},
	}, s
}

// failing is a test that may fail. It stores its reports.
type failing struct {
	said    strings.Builder
	cleanup []func()
}

func (f *failing) Helper()          {}
func (f *failing) Cleanup(c func()) { f.cleanup = append(f.cleanup, c) }
func (f *failing) Errorf(format string, args ...any) {
	fmt.Fprintf(&f.said, strings.TrimRight(format, "\n")+"\n", args...)
}

func (f *failing) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	runtime.Goexit()
}

// failed runs a test that must fail, and returns its reports.
func failed(test func(t *failing)) string {
	f := &failing{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, c := range f.cleanup {
				c()
			}
		}()
		test(f)
	}()
	<-done
	return f.said.String()
}
