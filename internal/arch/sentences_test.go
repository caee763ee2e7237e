package arch

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/wording"
)

// TestSentencesForAuthors (EX-14): each sentence that can become the text of a problem or warning is in the
// Chinese table, and the table has no sentence that no source has.
func TestSentencesForAuthors(t *testing.T) {
	t.Parallel()
	all, err := everywhere()
	if err != nil {
		t.Fatal(err)
	}
	s := newSentences(all)
	for _, place := range []string{"field " + module + ".Problem.Text", nouns, "field campaign/state.TurnTrace.Warnings", "field llm.Warning.Detail",
		"field campaign/state.TraceScript.Problem", "field hooks/act.Log.Error"} {
		s.reach(place)
	}
	const file = "../wording/problems.zh.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ofSources, _, _ := strings.Cut(string(text), "# composed")
	table := map[string]bool{}
	for english := range wording.ReadTable(ofSources) {
		table[withoutVerbs(english)] = true
	}
	sources := map[string]bool{}
	for _, english := range slices.Sorted(maps.Keys(s.found)) {
		key := withoutVerbs(strings.TrimPrefix(english, "campaign: ")) // package game removes it
		if sources[key] = true; !table[key] && !noSentence.MatchString(english) {
			t.Errorf("%s: %q has no line in %s", s.found[english], english, file)
		}
	}
	for english, there := range wording.ReadTable(string(text)) {
		if a, b := arguments(english), arguments(there); !slices.Equal(a, b) {
			t.Errorf("%q has the arguments %v, and %q has %v", english, a, there, b)
		}
		if key := withoutVerbs(english); table[key] && !sources[key] {
			t.Errorf("%s has %q, which no source has", file, english)
		}
	}
	if len(sources) < 1000 {
		t.Errorf("only %d sentences are found: the search is broken", len(sources))
	}
}

// noSentence matches the texts that reach a problem as parts of code, or only where a program is wrong.
var noSentence = regexp.MustCompile(`(?s)^(?:\[object .*|.*const (?:%s|result) = .*|<%%s.*|v => .*|words of a text|` +
	`hooks: action type .*|.*<StatusPlaceHolderImpl/>|%s at %s|(?:openjson|tree): %T .*|cast: .*|Example Messages)$`)

var verbPattern = regexp.MustCompile(`%[-+.\[\]0-9]*[sdqvwTtcg]`)

// withoutVerbs makes all verbs of a format alike.
func withoutVerbs(format string) string { return verbPattern.ReplaceAllString(format, "%s") }

// arguments returns the indexes of the arguments that a format uses, in order.
func arguments(format string) []int {
	var out []int
	next := 1
	for _, verb := range verbPattern.FindAllString(format, -1) {
		if _, index, ok := strings.Cut(verb, "["); ok {
			next, _ = strconv.Atoi(index[:strings.IndexByte(index, ']')])
		}
		out = append(out, next)
		next++
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// nouns is the place of all arguments that are translated with the sentences for models.
const nouns = "nouns"

// sentences finds the texts that reach a variable, a field or a result of a function, by following
// assignments, arguments and results backwards through all packages.
//
// It follows too much rather than too little: a container is one variable with its elements, a
// method of an interface is every method of its name, and branches are not looked at.
type sentences struct {
	sources map[string][]origin // what is assigned to a variable, field, parameter or result
	dynamic []dynamicCall
	found   map[string]string // a sentence and its place
	seen    map[string]bool   // places
}

// origin is an expression of a package. If the expression has several results, result is one of
// them.
type origin struct {
	h      *hall
	expr   ast.Expr
	result int
}

// dynamicCall is a call of a value: a function literal in a variable, for example.
type dynamicCall struct {
	h    *hall
	call *ast.CallExpr
}

func newSentences(all []hall) *sentences {
	s := &sentences{sources: map[string][]origin{}, found: map[string]string{}, seen: map[string]bool{}}
	for i := range all {
		local[all[i].pkg] = true
	}
	for i := range all {
		for _, tree := range all[i].trees {
			s.file(&all[i], tree)
		}
	}
	for _, d := range s.dynamic {
		for _, fn := range s.functions(d.h, d.call.Fun, map[string]bool{}) {
			s.arguments(d.h, d.call, fn)
		}
	}
	return s
}

// file collects the assignments of a file.
func (s *sentences) file(h *hall, tree *ast.File) {
	for _, decl := range tree.Decls {
		fn, is := decl.(*ast.FuncDecl)
		if !is {
			s.body(h, decl, "", nil)
		} else if fn.Body != nil {
			s.body(h, fn.Body, funcKey(h.info.Defs[fn.Name]), fn.Type)
		}
	}
}

// body collects the assignments of a function, of which key is the key.
func (s *sentences) body(h *hall, body ast.Node, key string, sig *ast.FuncType) {
	if sig != nil && sig.Results != nil {
		i := 0
		for _, field := range sig.Results.List {
			for _, name := range field.Names {
				s.add(result(key, i), origin{h, name, 0})
				i++
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			s.body(h, n.Body, litKey(h, n), n.Type)
			return false
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if len(n.Rhs) == len(n.Lhs) {
					s.assign(h, left, origin{h, n.Rhs[i], 0})
				} else {
					s.assign(h, left, origin{h, n.Rhs[0], i})
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Values) == len(n.Names) {
					s.assign(h, name, origin{h, n.Values[i], 0})
				} else if len(n.Values) > 0 {
					s.assign(h, name, origin{h, n.Values[0], i})
				}
			}
		case *ast.RangeStmt:
			if n.Value != nil {
				s.assign(h, n.Value, origin{h, n.X, 0})
			} else if n.Key != nil {
				s.assign(h, n.Key, origin{h, n.X, 0})
			}
		case *ast.TypeSwitchStmt:
			s.typeSwitch(h, n)
		case *ast.ReturnStmt:
			for i, value := range n.Results {
				s.add(result(key, i), origin{h, value, 0})
			}
			if len(n.Results) == 1 && sig != nil && sig.Results.NumFields() > 1 {
				for i := 1; i < sig.Results.NumFields(); i++ {
					s.add(result(key, i), origin{h, n.Results[0], i})
				}
			}
		case *ast.CompositeLit:
			s.literal(h, n)
		case *ast.CallExpr:
			s.call(h, n)
		}
		return true
	})
}

func (s *sentences) typeSwitch(h *hall, n *ast.TypeSwitchStmt) {
	assigned, is := n.Assign.(*ast.AssignStmt)
	if !is {
		return
	}
	for _, clause := range n.Body.List {
		if obj := h.info.Implicits[clause]; obj != nil {
			s.add(objectKey(h, obj), origin{h, assigned.Rhs[0], 0})
		}
	}
}

// literal collects the fields of a literal of a struct.
func (s *sentences) literal(h *hall, n *ast.CompositeLit) {
	t := h.info.TypeOf(n)
	st, is := deref(t).Underlying().(*types.Struct)
	if !is {
		return
	}
	for i, element := range n.Elts {
		if kv, is := element.(*ast.KeyValueExpr); is {
			s.add(fieldKey(t, kv.Key.(*ast.Ident).Name), origin{h, kv.Value, 0})
		} else {
			s.add(fieldKey(t, st.Field(i).Name()), origin{h, element, 0})
		}
	}
}

// call collects the arguments of a call.
func (s *sentences) call(h *hall, n *ast.CallExpr) {
	callee := calleeOf(h, n)
	fn, is := callee.(*types.Func)
	switch {
	case !is && h.info.Types[n.Fun].IsType(), callee != nil && callee.Pkg() == nil:
		return // a conversion, or a function of the language
	case !is:
		s.dynamic = append(s.dynamic, dynamicCall{h, n})
	case strings.HasPrefix(fn.Pkg().Path(), "strings") && strings.HasPrefix(fn.Name(), "Write"):
		s.assign(h, n.Fun.(*ast.SelectorExpr).X, origin{h, n.Args[0], 0}) // of a strings.Builder
	case fn.Pkg().Path() == "fmt" && strings.HasPrefix(fn.Name(), "F"):
		for _, arg := range n.Args[1:] {
			s.assign(h, n.Args[0], origin{h, arg, 0})
		}
	default:
		s.arguments(h, n, funcKey(fn))
	}
}

func (s *sentences) arguments(h *hall, n *ast.CallExpr, fn string) {
	for _, arg := range n.Args {
		if t := h.info.TypeOf(arg); t != nil && strings.HasSuffix(t.String(), "internal/wording.Noun") && !strings.HasSuffix(h.pkg, "internal/wording") {
			s.add(nouns, origin{h, arg, 0})
		}
	}
	sig, is := h.info.TypeOf(n.Fun).Underlying().(*types.Signature)
	if !is {
		return
	}
	for i, arg := range n.Args {
		if sig.Variadic() && i >= sig.Params().Len() {
			i = sig.Params().Len() - 1
		}
		s.add(param(fn, i), origin{h, arg, 0})
	}
}

// assign adds a source to a variable, a field, or the container of an element.
func (s *sentences) assign(h *hall, to ast.Expr, from origin) {
	if key := placeKey(h, to); key != "" {
		s.add(key, from)
	}
}

func (s *sentences) add(key string, from origin) { s.sources[key] = append(s.sources[key], from) }

// functions returns the keys of the functions that an expression can be.
func (s *sentences) functions(h *hall, e ast.Expr, seen map[string]bool) []string {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return []string{litKey(h, e)}
	case *ast.CompositeLit:
		var out []string
		for _, element := range e.Elts {
			if kv, is := element.(*ast.KeyValueExpr); is {
				element = kv.Value
			}
			out = append(out, s.functions(h, element, seen)...)
		}
		return out
	case *ast.IndexExpr:
		return s.functions(h, e.X, seen)
	case *ast.Ident, *ast.SelectorExpr:
		if fn, is := used(h, e).(*types.Func); is {
			return []string{funcKey(fn)}
		}
		key := placeKey(h, e)
		if key == "" || seen[key] {
			return nil
		}
		seen[key] = true
		var out []string
		for _, from := range s.sources[key] {
			out = append(out, s.functions(from.h, from.expr, seen)...)
		}
		return out
	}
	return nil
}

// reach finds the sentences that reach a place.
func (s *sentences) reach(key string) {
	if s.seen[key] || givesData[key] {
		return
	}
	s.seen[key] = true
	for _, from := range s.sources[key] {
		s.follow(from.h, from.expr, from.result)
	}
}

// follow finds the sentences in an expression.
func (s *sentences) follow(h *hall, e ast.Expr, result int) {
	for _, text := range s.templates(h, e, result) {
		if isSentence(text) {
			if s.found[text] == "" {
				s.found[text] = h.fset.Position(e.Pos()).String()
			}
		}
	}
}

// isSentence reports whether a text has two words, or a word and an argument.
func isSentence(text string) bool {
	words, letters := 0, 0
	for word := range strings.FieldsSeq(text) {
		if len(word) > 1 || word == "a" {
			words++
		}
		for _, r := range strings.ReplaceAll(word, "%s", "") {
			if 'a' <= r && r <= 'z' {
				letters++
			}
		}
	}
	return words > 1 && letters > 1
}

const hole = "%s"

// templates returns the texts of an expression, with holes for what is not constant. It follows
// what is in the holes.
func (s *sentences) templates(h *hall, e ast.Expr, nth int) []string {
	if e == nil || !carries(h.info.TypeOf(e)) {
		return nil
	}
	if v := h.info.Types[e].Value; v != nil {
		if v.Kind() != constant.String {
			return nil
		}
		return []string{constant.StringVal(v)}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.templates(h, e.X, nth)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return nil
		}
		return crossed(s.part(h, e.X), s.part(h, e.Y))
	case *ast.CallExpr:
		return s.callTemplates(h, e, nth)
	case *ast.Ident:
		s.reach(placeKey(h, e))
	case *ast.SelectorExpr:
		if !stored(h, e) {
			s.reach(placeKey(h, e))
		}
	case *ast.IndexExpr:
		return s.templates(h, e.X, 0)
	case *ast.SliceExpr:
		if t := h.info.TypeOf(e.X); !isString(t) { // a part of a text is data
			return s.templates(h, e.X, 0)
		}
	case *ast.StarExpr:
		return s.templates(h, e.X, 0)
	case *ast.TypeAssertExpr:
		return s.templates(h, e.X, 0)
	case *ast.UnaryExpr:
		return s.templates(h, e.X, 0)
	case *ast.CompositeLit:
		if _, is := deref(h.info.TypeOf(e)).Underlying().(*types.Struct); is {
			s.reachMethod(h.info.TypeOf(e), "Error")
			s.reachMethod(h.info.TypeOf(e), "String")
			for _, element := range e.Elts {
				if kv, is := element.(*ast.KeyValueExpr); is {
					s.reach(fieldKey(h.info.TypeOf(e), kv.Key.(*ast.Ident).Name))
				}
			}
			return nil
		}
		var out []string
		for _, element := range e.Elts {
			if kv, is := element.(*ast.KeyValueExpr); is {
				element = kv.Value
			}
			s.follow(h, element, 0)
		}
		return out
	}
	return nil
}

// part returns the templates of a part of a sentence: its own text, or a hole.
func (s *sentences) part(h *hall, e ast.Expr) []string {
	switch inner := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if h.info.Types[e].Value == nil {
			return s.templates(h, inner, 0)
		}
	case *ast.CallExpr:
		if fn, is := calleeOf(h, inner).(*types.Func); is && fn.FullName() == "fmt.Sprintf" {
			return s.templates(h, inner, 0)
		}
	}
	if h.info.Types[e].Value != nil {
		return s.templates(h, e, 0)
	}
	s.follow(h, e, 0)
	return []string{hole}
}

func crossed(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

// callTemplates returns the texts of a call.
func (s *sentences) callTemplates(h *hall, e *ast.CallExpr, nth int) []string {
	callee := calleeOf(h, e)
	fn, is := callee.(*types.Func)
	switch {
	case !is && h.info.Types[e.Fun].IsType():
		return s.templates(h, e.Args[0], 0)
	case !is && callee != nil && callee.Pkg() == nil: // append, min
		for _, arg := range e.Args {
			s.follow(h, arg, 0)
		}
	case !is:
		for _, fn := range s.functions(h, e.Fun, map[string]bool{}) {
			s.reach(result(fn, nth))
		}
	case fn.Pkg() == nil: // the method of an error
		s.follow(h, e.Fun.(*ast.SelectorExpr).X, 0)
	case fn.FullName() == "fmt.Sprintf" || fn.FullName() == "fmt.Errorf":
		return s.format(h, e)
	case fn.FullName() == "strconv.Quote" || fn.Pkg().Path() == "encoding/json" || strings.HasPrefix(fn.FullName(), "strconv."):
	case !inModule(fn):
		if sel, is := e.Fun.(*ast.SelectorExpr); is && fn.Signature().Recv() != nil {
			s.reachMethod(h.info.TypeOf(sel.X), fn.Name())
			s.follow(h, sel.X, 0)
			return nil
		}
		if fn.Pkg().Path() == "strings" && fn.Name() != "Join" && fn.Name() != "TrimPrefix" {
			return nil // a part of a text is data
		}
		for _, arg := range e.Args {
			s.follow(h, arg, 0)
		}
	default:
		s.reach(result(funcKey(fn), nth))
		if fn.Name() == "Error" || fn.Name() == "String" {
			if sel, is := e.Fun.(*ast.SelectorExpr); is {
				s.follow(h, sel.X, 0)
			}
		}
	}
	return nil
}

// format returns the format of a call, and follows its arguments unless they are quoted.
func (s *sentences) format(h *hall, e *ast.CallExpr) []string {
	formats := s.templates(h, e.Args[0], 0)
	var verbs []string
	if len(formats) == 1 {
		verbs = verbsOf(formats[0])
	}
	for i, arg := range e.Args[1:] {
		if i >= len(verbs) || strings.HasSuffix(verbs[i], "v") || strings.HasSuffix(verbs[i], "s") || strings.HasSuffix(verbs[i], "w") || strings.Contains(verbs[i], "[") {
			s.follow(h, arg, 0)
		}
	}
	return formats
}

func verbsOf(format string) []string {
	var out []string
	for i := 0; i < len(format)-1; i++ {
		if format[i] != '%' {
			continue
		}
		end := i + 1
		for end < len(format)-1 && strings.IndexByte("+-# 0123456789.[]", format[end]) >= 0 {
			end++
		}
		if format[end] != '%' {
			out = append(out, format[i:end+1])
		}
		i = end
	}
	return out
}

// reachMethod follows the result of a method, if a type has it.
func (s *sentences) reachMethod(t types.Type, name string) {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	if fn, is := obj.(*types.Func); is && inModule(fn) {
		s.reach(result(funcKey(fn), 0))
	}
}

// carries reports whether values of a type can have a sentence. Bytes are data, and the fields of
// structs are followed on their own.
func carries(t types.Type) bool {
	if t == nil {
		return false
	}
	for _, name := range []string{"Error", "String"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		return carries(u.Elem())
	case *types.Array:
		return carries(u.Elem())
	case *types.Map:
		return carries(u.Elem())
	case *types.Pointer:
		return carries(u.Elem())
	case *types.Interface:
		return true
	case *types.Tuple:
		return true
	}
	return false
}

func isString(t types.Type) bool {
	b, is := t.Underlying().(*types.Basic)
	return is && b.Info()&types.IsString != 0
}

// stored reports whether a field is a member of JSON: it has the data of authors.
func stored(h *hall, e *ast.SelectorExpr) bool {
	selection := h.info.Selections[e]
	if selection == nil || selection.Kind() != types.FieldVal {
		return false
	}
	t := owner(selection)
	if data[fieldKey(t, "")] {
		return true
	}
	st := deref(t).Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if st.Field(i).Name() == e.Sel.Name {
			return strings.Contains(st.Tag(i), "json:") && fieldKey(t, "") != "field "+module+".Problem."
		}
	}
	return false
}

// data are the types of authors' data that have no members of JSON.
var data = map[string]bool{"field memvars/tree.Value.": true, "field memvars/tree.object.": true,
	"field worldbook.ScanData.": true, "field prompt/card.Card.": true}

// givesData are the places that have texts of authors and models.
var givesData = map[string]bool{
	"field internal/wording.Phrase.Args": true, "func internal/wording.Translator.In result 0": true,
	"func internal/authorjson.Line result 0": true, "func internal/openjson.File result 0": true,
	"func internal/utf8text.Clip result 0": true, "func internal/utf8text.Cut result 0": true, "func internal/utf8text.Escape result 0": true,
	"field rules.Relation.Object": true, "field rules.Pattern.EventType": true, "field memvars/mvu.scriptExpr.source": true,
	"func memvars/tree.Path.String result 0": true, "func memvars/tree.Value.String result 0": true,
	"func worldbook/internal/loose.Value.String result 0": true, "func worldbook/internal/match.Valid result 0": true,
}

func inModule(obj types.Object) bool {
	if obj.Pkg() == nil {
		return false
	}
	return strings.HasPrefix(obj.Pkg().Path(), module) || local[obj.Pkg().Path()]
}

// local are the folders of the checked packages, which they have as paths.
var local = map[string]bool{}

func calleeOf(h *hall, n *ast.CallExpr) types.Object { return used(h, n.Fun) }

// used returns the object that an expression names, or nil.
func used(h *hall, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj := h.info.Uses[e]; obj != nil {
			return obj
		}
		return h.info.Defs[e]
	case *ast.SelectorExpr:
		return h.info.Uses[e.Sel]
	case *ast.IndexExpr: // an instance of a generic function
		if obj, is := used(h, e.X).(*types.Func); is {
			return obj
		}
	case *ast.IndexListExpr:
		return used(h, e.X)
	}
	return nil
}

// placeKey returns the key of a variable, a field or a container, or "".
func placeKey(h *hall, e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj, is := used(h, e).(*types.Var); is {
			return objectKey(h, obj)
		}
	case *ast.SelectorExpr:
		if selection := h.info.Selections[e]; selection != nil && selection.Kind() == types.FieldVal {
			return fieldKey(owner(selection), e.Sel.Name)
		}
		if obj, is := used(h, e).(*types.Var); is {
			return objectKey(h, obj)
		}
	case *ast.IndexExpr:
		return placeKey(h, e.X)
	case *ast.StarExpr:
		return placeKey(h, e.X)
	case *ast.UnaryExpr:
		return placeKey(h, e.X)
	}
	return ""
}

// owner returns the type that has the selected field, which may be embedded.
func owner(selection *types.Selection) types.Type {
	t := selection.Recv()
	index := selection.Index()
	for _, i := range index[:len(index)-1] {
		t = deref(t).Underlying().(*types.Struct).Field(i).Type()
	}
	return t
}

func deref(t types.Type) types.Type {
	if p, is := types.Unalias(t).(*types.Pointer); is {
		t = p.Elem()
	}
	if p, is := t.Underlying().(*types.Pointer); is {
		t = p.Elem()
	}
	return types.Unalias(t)
}

func fieldKey(t types.Type, name string) string {
	t = deref(t)
	if named, is := t.(*types.Named); is {
		obj := named.Origin().Obj()
		if obj.Pkg() != nil {
			return "field " + short(obj.Pkg()) + "." + obj.Name() + "." + name
		}
	}
	return "field " + types.TypeString(t, short) + "." + name
}

func short(p *types.Package) string { return strings.TrimPrefix(p.Path(), module+"/") }

// objectKey returns the key of a variable. Parameters have the key that callers use.
func objectKey(h *hall, obj types.Object) string {
	if obj.Parent() == obj.Pkg().Scope() {
		return "var " + short(obj.Pkg()) + "." + obj.Name()
	}
	if key := h.params()[obj]; key != "" {
		return key
	}
	return "local " + h.fset.Position(obj.Pos()).String()
}

// params returns the keys of the parameters of all functions of a package.
func (h *hall) params() map[types.Object]string {
	if h.keys != nil {
		return h.keys
	}
	h.keys = map[types.Object]string{}
	add := func(key string, sig *ast.FuncType) {
		i := 0
		for _, field := range sig.Params.List {
			for _, name := range field.Names {
				h.keys[h.info.Defs[name]] = param(key, i)
				i++
			}
			if len(field.Names) == 0 {
				i++
			}
		}
	}
	for _, tree := range h.trees {
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				add(funcKey(h.info.Defs[n.Name]), n.Type)
			case *ast.FuncLit:
				add(litKey(h, n), n.Type)
			}
			return true
		})
	}
	return h.keys
}

// funcKey returns the key of a function. Methods of interfaces and their implementations share the
// name alone.
func funcKey(obj types.Object) string {
	fn := obj.(*types.Func).Origin()
	recv := fn.Signature().Recv()
	if recv == nil {
		return "func " + short(fn.Pkg()) + "." + fn.Name()
	}
	if named, is := deref(recv.Type()).(*types.Named); is && !types.IsInterface(named) {
		return "func " + short(fn.Pkg()) + "." + named.Obj().Name() + "." + fn.Name()
	}
	return "method " + fn.Name()
}

func litKey(h *hall, n *ast.FuncLit) string { return "func " + h.fset.Position(n.Pos()).String() }

func param(fn string, i int) string  { return fn + " parameter " + strconv.Itoa(i) }
func result(fn string, i int) string { return fn + " result " + strconv.Itoa(i) }
