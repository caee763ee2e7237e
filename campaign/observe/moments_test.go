package observe_test

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/internal/testkit"
)

// moments has one of each moment in which no member is empty, by the name of its type.
func moments() map[string]observe.Moment {
	all := map[string]observe.Moment{}
	for _, m := range []observe.Moment{
		filltest.Full[observe.Begun](), filltest.Full[observe.Admitted](), filltest.Full[observe.PhaseBegun](),
		filltest.Full[observe.PhaseEnded](), filltest.Full[observe.LoreActivated](), filltest.Full[observe.PromptAssembled](),
		filltest.Full[observe.ModelAsked](), filltest.Full[observe.ModelAnswered](), filltest.Full[observe.Retrying](),
		filltest.Full[observe.CallRefused](), filltest.Full[observe.ConflictFound](), filltest.Full[observe.CallApplied](),
		filltest.Full[observe.RulesFired](), filltest.Full[observe.HooksRan](), filltest.Full[observe.Asked](),
		filltest.Full[observe.Waiting](), filltest.Full[observe.Stored](), filltest.Full[observe.LeaseLost](),
		filltest.Full[observe.Committed](), filltest.Full[observe.Logged](), filltest.Full[observe.Ended](),
	} {
		all[reflect.TypeOf(m).Name()] = m
	}
	return all
}

// TestEveryMemberOfAMoment: what the log of an observer has of each moment, and which of its members an
// observer that did not ask for texts does not get.
func TestEveryMemberOfAMoment(t *testing.T) {
	t.Parallel()
	all := moments()
	file, err := parser.ParseFile(token.NewFileSet(), "moment.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		d, _ := decl.(*ast.FuncDecl)
		if d == nil || d.Name.Name != "bare" {
			continue
		}
		if name := d.Recv.List[0].Type.(*ast.Ident).Name; all[name] == nil {
			t.Errorf("there is no case for %s", name)
		}
	}
	place := observe.Place{Campaign: "crypt", Instruction: "submit", Run: 7, Step: 3}
	testkit.Run(t, "testdata/moments.txt", func(*testing.T) func(testkit.Case) string {
		return func(c testkit.Case) string {
			name, well := strings.CutSuffix(c.Name, "_well")
			m := all[name]
			if m == nil {
				return "there is no such moment"
			}
			if well {
				m = without(m, "Failed", "Err", "Error", "Next")
			}
			var out bytes.Buffer
			log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug - 8,
				ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				}}))
			observe.Log(log).Observe(context.Background(), place, m)
			var plain observe.Moment
			_, _ = observe.Tell(context.Background(), observe.Func(func(_ observe.Place, m observe.Moment) { plain = m }), place, m)
			var lost []string
			for i, v := 0, reflect.ValueOf(m); i < v.NumField(); i++ {
				if !reflect.DeepEqual(v.Field(i).Interface(), reflect.ValueOf(plain).Field(i).Interface()) {
					lost = append(lost, v.Type().Field(i).Name)
				}
			}
			return out.String() + strings.TrimSpace("only with Verbose: "+strings.Join(lost, " "))
		}
	})
}

// without returns a moment with some of its members empty.
func without(m observe.Moment, members ...string) observe.Moment {
	out := reflect.New(reflect.TypeOf(m)).Elem()
	out.Set(reflect.ValueOf(m))
	for _, name := range members {
		if f := out.FieldByName(name); f.IsValid() {
			f.SetZero()
		}
	}
	return out.Interface().(observe.Moment)
}
