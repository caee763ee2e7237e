package turn

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// TestInstructionsStandInOnePlace checks that an instruction touches only its own file and one line
// of the table. The file instruction_NAME.go has its type and all its methods, the table names it
// once, and no switch is a second table. A switch over one or two instructions is not a table: a
// new instruction does not touch it.
func TestInstructionsStandInOnePlace(t *testing.T) {
	t.Parallel()
	files := sources(t)
	methods := map[string][]string{} // the files that declare the methods of each instruction type
	declared := map[string]string{}
	var inputs []string
	for name, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if recv := receiver(d); recv != "" {
					methods[recv] = append(methods[recv], name)
					if d.Name.Name == "apply" && d.Type.Results != nil && len(d.Type.Results.List) == 2 && d.Type.Params.NumFields() == 1 {
						inputs = append(inputs, recv)
					}
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						declared[s.Name.Name] = name
					}
				}
			}
		}
	}
	inputs = slices.DeleteFunc(inputs, func(typ string) bool { return !strings.HasPrefix(declared[typ], "instruction_") })
	if len(inputs) != len(instructions) {
		t.Errorf("%d types in files instruction_….go apply, the table has %d", len(inputs), len(instructions))
	}
	for _, typ := range inputs {
		home := declared[typ]
		for _, name := range methods[typ] {
			if name != home {
				t.Errorf("%s is in %s, a method of it in %s", typ, home, name)
			}
		}
		if n := entries(files["instructions.go"], typ); n != 1 {
			t.Errorf("the table names %s %d times", typ, n)
		}
	}
	for name, file := range files {
		for _, types := range typeSwitches(file) {
			asked := slices.DeleteFunc(types, func(typ string) bool { return !slices.Contains(inputs, typ) })
			if len(asked) > 2 {
				t.Errorf("%s has a switch on the types %v: let their files say what they do", name, asked)
			}
		}
	}
}

// TestInstructionNames checks that the JSON name of an instruction is the name of its file, that
// names are unique, and that an instruction without a time is stamped.
func TestInstructionNames(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name := range instructions {
		if _, also := answers[name]; also {
			t.Errorf("%q is an instruction and an answer", name)
		}
		if _, err := os.Stat("instruction_" + name + ".go"); err != nil {
			t.Errorf("instruction %q has no file of its own: %v", name, err)
		}
		in, err := decode(name, []byte(`{}`))
		if err != nil || in.inputType() != name || !isInstruction(in) {
			t.Errorf("%q reads as %T %v", name, in, err)
			continue
		}
		data, err := MarshalInstruction(in)
		if err != nil || !strings.HasPrefix(string(data), `{"input":"`+name+`"`) {
			t.Errorf("%q is written %s, %v", name, data, err)
		}
		back, err := ParseInstruction(data)
		if err != nil || reflect.TypeOf(back) != reflect.TypeOf(in) {
			t.Errorf("%q reads back as %T, %v", name, back, err)
		}
		if again, err := MarshalInstruction(back); err != nil || string(again) != string(data) {
			t.Errorf("%q was written %s and is written %s, %v", name, data, again, err)
		}
		at := func(in Input) time.Time { return reflect.ValueOf(in).FieldByName("At").Interface().(time.Time) }
		if got := at(Stamp(in, now)); !got.Equal(now) {
			t.Errorf("%s without a time is stamped %v", name, got)
		}
		if got := at(Stamp(Stamp(in, now), now.Add(time.Hour))); !got.Equal(now) {
			t.Errorf("%s with a time is stamped %v", name, got)
		}
	}
	for name := range answers {
		in, err := decode(name, []byte(`{}`))
		if err != nil || in.inputType() != name || isInstruction(in) {
			t.Errorf("%q reads as %T %v", name, in, err)
		}
		if data, err := MarshalInstruction(in); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("the answer %q is written as an instruction: %s, %v", name, data, err)
		}
		if in, err := ParseInstruction([]byte(`{"input":"` + name + `"}`)); in != nil || !errors.Is(err, ErrInvalidInput) {
			t.Errorf("the answer %q reads as an instruction: %T, %v", name, in, err)
		}
	}
	for _, none := range []Input{nil, (*Submit)(nil)} {
		if data, err := MarshalInstruction(none); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("none is written %s, %v", data, err)
		}
		if data, err := json.Marshal(Inputs{none}); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("a list of none is written %s, %v", data, err)
		}
	}
	for data, says := range map[string]string{`null`: `"input"`, `{}`: `"input"`, `[]`: "array", ``: "end of JSON", `{"input":5}`: "number",
		`{"input":"submit","text":5}`: "text", `{"input":"submit","weather":1}`: "submit.weather", `{"input":"dance"}`: "dance"} {
		if in, err := ParseInstruction([]byte(data)); in != nil || !errors.Is(err, ErrInvalidInput) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s reads as %T, %v: want an error about %s", data, in, err, says)
		}
	}
}

// sources parses the package without its tests.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// receiver returns the receiver type of a method with a value receiver.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	if id, ok := d.Recv.List[0].Type.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// entries returns the number of entries of a type in the table.
func entries(table *ast.File, typ string) (n int) {
	ast.Inspect(table, func(node ast.Node) bool {
		if e, ok := node.(*ast.IndexExpr); ok {
			if id, ok := e.Index.(*ast.Ident); ok && id.Name == typ {
				n++
			}
		}
		return true
	})
	return n
}

// typeSwitches returns the types in each type switch of a file.
func typeSwitches(file *ast.File) (switches [][]string) {
	ast.Inspect(file, func(node ast.Node) bool {
		if s, ok := node.(*ast.TypeSwitchStmt); ok {
			var types []string
			for _, c := range s.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					if id, ok := e.(*ast.Ident); ok {
						types = append(types, id.Name)
					}
				}
			}
			switches = append(switches, types)
		}
		return true
	})
	return switches
}

// TestTickets: instructions with one client turn ID are the same only if everything else that they ask
// for is the same.
func TestTickets(t *testing.T) {
	t.Parallel()
	type ticketed interface{ Ticket() Ticket }
	for _, same := range [][]ticketed{
		{Submit{ClientTurnID: "a", ActorID: "ann", Text: "I wait."}, Submit{ClientTurnID: "a", ActorID: "ann", Text: "I go."},
			Submit{ClientTurnID: "a", ActorID: "bo", Text: "I wait."}, Submit{ClientTurnID: "a", ActorID: "ann", Text: "I wait.", Speaker: "reed"},
			Submit{ClientTurnID: "a", ActorID: "ann", Text: "I wait.", Audience: []string{"bo"}}, Submit{ClientTurnID: "a", ActorID: "ann", Auto: true},
			Submit{ClientTurnID: "a", ActorID: "ann", Auto: true, Audience: []string{"bo"}}, Submit{ClientTurnID: "a", ActorID: "ann", Auto: true, Speaker: "reed"}},
		{Suggest{ClientTurnID: "a", ActorID: "ann", N: 2}, Suggest{ClientTurnID: "a", ActorID: "bo", N: 2}, Suggest{ClientTurnID: "a", ActorID: "ann", N: 3},
			Suggest{ClientTurnID: "a", ActorID: "ann", N: 2, Kind: state.SuggestLines}, Suggest{ClientTurnID: "a", ActorID: "ann", N: 2, Instructions: "short"}},
		{Regenerate{ClientTurnID: "a"}, Regenerate{ClientTurnID: "a", Swipe: true}, Regenerate{ClientTurnID: "a", Instructions: "short"}, Regenerate{ClientTurnID: "a", Speaker: "reed"}},
		{Continue{ClientTurnID: "a"}, Continue{ClientTurnID: "a", Instructions: "short"}},
		{Once{ID: "a", Input: PassTime{Elapsed: 5}}, Once{ID: "a", Input: PassTime{Elapsed: 6}}, Once{ID: "a", Input: MakeCheckpoint{Label: "here"}}},
	} {
		seen := map[Ticket]int{}
		for i, in := range same {
			ticket := in.Ticket()
			if ticket.ClientTurnID == "" || ticket.ClientTurnID != same[0].Ticket().ClientTurnID {
				t.Errorf("%+v has the ID %q", in, ticket.ClientTurnID)
			}
			if other, taken := seen[ticket]; taken {
				t.Errorf("%+v is taken for %+v", in, same[other])
			}
			seen[ticket] = i
		}
	}
}

// TestInputsWithoutInstruction: nil, and a Once without an instruction, have no time and no JSON form.
func TestInputsWithoutInstruction(t *testing.T) {
	t.Parallel()
	for _, in := range []Input{nil, (*Once)(nil), (*Submit)(nil), Once{}, &Once{}, Once{Input: (*Submit)(nil)}} {
		if got := Stamp(in, time.Unix(0, 0)); !isNone(got) {
			t.Errorf("%#v: %#v", in, got)
		}
		if _, err := MarshalInstruction(in); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("%#v: %v", in, err)
		}
	}
}

// TestOnceForms: a Once without an ID is written as its instruction. An instruction that asks the
// model may name the same ID.
func TestOnceForms(t *testing.T) {
	t.Parallel()
	plain, err := MarshalInstruction(UndoRollBack{})
	if got, err2 := MarshalInstruction(Once{Input: UndoRollBack{}}); err != nil || err2 != nil || string(got) != string(plain) {
		t.Errorf("%s, %v; want %s, %v", got, err2, plain, err)
	}
	in, err := Once{ID: "a", Input: Submit{Text: "I wait.", ClientTurnID: "a"}}.asLogged()
	if got, ok := in.(Submit); err != nil || !ok || got.ClientTurnID != "a" {
		t.Errorf("%#v, %v", in, err)
	}
}

// TestAsItStands: records of this layout and behaviour are played again, older ones are not.
func TestAsItStands(t *testing.T) {
	t.Parallel()
	for want, list := range map[bool][]Record{
		true: {{Kind: RecordCreate}, {Kind: RecordPast}, {Kind: RecordRepair}, {Kind: RecordLost}, {Kind: RecordTurn, Layout: -1},
			{Kind: RecordTurn, Behaviour: -1}},
		false: {{Kind: RecordTurn}, {Kind: RecordTurn, Layout: Layout, Behaviour: Behaviour}},
	} {
		for _, r := range list {
			if got := r.AsItStands(); got != want {
				t.Errorf("%s, layout %d, behaviour %d: %t", r.Kind, r.Layout, r.Behaviour, got)
			}
		}
	}
}

// TestFirstDifference names the first member that differs, and the content if that is different.
func TestFirstDifference(t *testing.T) {
	t.Parallel()
	a, b := tree.Member{Key: "a", Value: tree.Int(1)}, tree.Member{Key: "b", Value: tree.Int(2)}
	for want, got := range map[string]tree.Value{"b": tree.Object(a, tree.Member{Key: "b", Value: tree.Int(3)}), "": tree.Object(a, b)} {
		d, ok := errors.AsType[*state.RepairDifference](firstDifference(got, tree.Object(a, b)))
		if !ok || d.Path.String() != want {
			t.Errorf("%q: %v", want, d)
		}
	}
	for content, want := range map[string]bool{"": false, "now": false, "before": true} {
		err := Record{Content: content}.firstDifference("now")
		if !errors.Is(err, ErrDiverged) || strings.Contains(err.Error(), "with the content") != want {
			t.Errorf("content %q: %v", content, err)
		}
	}
}
