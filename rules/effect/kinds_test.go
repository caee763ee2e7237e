package effect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Effects that other parts of this package create or read, with the reason. All other effects are
// only in their file and in one line of the table.
var shared = map[string]string{
	"SetVariable":     "a write is what the document, formulas, access and random operands are about",
	"InjectDirective": "an @ path injects one",
	"Notify":          "an @ path, else messages, moments and an emitted event are notices",
	"PlayAudio":       "@ paths and an emitted event play",
	"SendContext":     "an @ path and an emitted event send one, and the ledger keeps it",
	"RequestAI":       "an @ path asks for one",
	"ShowMoment":      "an emitted event shows one",
	"System":          "it is what an @ path becomes that nobody knows",
}

// TestAnEffectIsOneFileAndOneLine: an effect can be found by its name, and adding one does not
// touch anything else.
func TestAnEffectIsOneFileAndOneLine(t *testing.T) {
	t.Parallel()
	files := map[string]*ast.File{}
	set := token.NewFileSet()
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = parser.ParseFile(set, name, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range effectKinds {
		effect := k.of.Name()
		if k.extra == nil {
			t.Errorf("%s has no field Extra for the members that it does not know", effect)
		}
		own := snake(effect) + ".go"
		var other []string
		lines := 0
		for name, file := range files {
			n := mentions(file, effect)
			switch {
			case name == "kinds.go":
				lines = n
			case name != own && n > 0:
				other = append(other, name)
			case name == own && n == 0:
				t.Errorf("%s does not stand in %s", effect, own)
			}
		}
		if slices.Sort(other); lines != 1 || len(other) > 0 && shared[effect] == "" {
			t.Errorf("%s: %d lines of the table, and it also stands in %v", effect, lines, other)
		}
		if len(other) == 0 && shared[effect] != "" {
			t.Errorf("%s is shared with nothing", effect)
		}
	}
}

// mentions counts the uses of a type's name in a file.
func mentions(file *ast.File, typ string) (n int) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.SelectorExpr: // a field or a name of a different package
			return x.Sel.Name != typ
		case *ast.Ident:
			if x.Name == typ {
				n++
			}
		}
		return true
	})
	return n
}

func snake(name string) string {
	name = strings.NewReplacer("AI", "Ai", "HP", "Hp").Replace(name)
	return strings.ToLower(regexp.MustCompile(`(.)([A-Z])`).ReplaceAllString(name, "${1}_$2"))
}

// TestDocumentationListsEveryAction: package rules lists all actions for authors, with all members.
func TestDocumentationListsEveryAction(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../doc.go")
	if err != nil {
		t.Fatal(err)
	}
	word := regexp.MustCompile(`[a-zA-Z]+`)
	for _, k := range effectKinds {
		if k.read == nil {
			continue
		}
		line := regexp.MustCompile(`(?m)^//\t` + k.action + ` +(.*)$`).FindStringSubmatch(string(doc))
		if line == nil {
			t.Errorf("%s is not listed", k.action)
			continue
		}
		for i := range k.of.NumField() {
			member := word.FindString(k.of.Field(i).Tag.Get("json"))
			switch {
			case k.action == "modify-variable" && member == "path":
				member = "variableId"
			case member == "", k.action == "notify-player" && member == "quiet": // authors cannot write it
				continue
			}
			if !slices.Contains(word.FindAllString(line[1], -1), member) {
				t.Errorf("%s: the list lacks %s: %s", k.action, member, line[1])
			}
		}
	}
	passage := regexp.MustCompile(`(?s)The operations are (.*?)\. Every`).FindString(string(doc))
	for _, op := range []Operation{Set, Add, Subtract, Multiply, Toggle, Append, Merge, Push, Delete} {
		if !slices.Contains(word.FindAllString(passage, -1), string(op)) {
			t.Errorf("the operation %s is not listed: %s", op, passage)
		}
	}
}
