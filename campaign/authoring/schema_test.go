package authoring

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	charcard "github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// updating reports whether the flag -update is set, which package testkit declares.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// generator makes schemas from Go types and their comments.
type generator struct {
	t           *testing.T
	definitions map[string]*jsonschema.Schema
	docs        map[string]*packageDocs // by import path
}

// packageDocs has the comments of a package: of types, of fields ("Rule.ID"), and the words of types
// of texts.
type packageDocs struct {
	comments map[string]string
	words    map[string][]any
}

const module = "github.com/talewright/talewright/"

// of returns the comments of a package.
func (g *generator) of(path string) *packageDocs {
	if d := g.docs[path]; d != nil {
		return d
	}
	d := &packageDocs{comments: map[string]string{}, words: map[string][]any{}}
	g.docs[path] = d
	files, err := filepath.Glob("../../" + strings.TrimPrefix(path, module) + "/*.go")
	if err != nil {
		g.t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			g.t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok {
				d.read(gen)
			}
		}
	}
	return d
}

func (d *packageDocs) read(gen *ast.GenDecl) {
	for _, spec := range gen.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			d.comments[s.Name.Name] = plainDoc(gen.Doc, s.Doc)
			if fields, ok := s.Type.(*ast.StructType); ok {
				for _, f := range fields.Fields.List {
					for _, name := range f.Names {
						d.comments[s.Name.Name+"."+name.Name] = plainDoc(f.Doc, f.Comment)
					}
				}
			}
		case *ast.ValueSpec:
			typ, ok := s.Type.(*ast.Ident)
			if !ok || gen.Tok != token.CONST {
				continue
			}
			for _, v := range s.Values {
				if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					word, _ := strconv.Unquote(lit.Value)
					d.words[typ.Name] = append(d.words[typ.Name], word)
				}
			}
		}
	}
}

var docLink = regexp.MustCompile(`\[([A-Za-z.]+)\]`)

func plainDoc(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if g != nil {
			text, _, _ := strings.Cut(g.Text(), "\n\n")
			return docLink.ReplaceAllString(strings.Join(strings.Fields(text), " "), "$1")
		}
	}
	return ""
}

// open lists types of texts that hosts extend: their words are no list.
var open = []reflect.Type{reflect.TypeFor[state.AliveState](), reflect.TypeFor[effect.RewriteTarget]()}

// required lists the members without which a value has no effect.
var required = map[string][]string{
	"rules.Rule": {"id", "trigger", "actions"}, "rules.Variable": {"id", "type"}, "rules.Module": {"id"}, "rules.Condition": {"variableId", "operator"},
	"rules.Trigger": {"type"}, "reactions.Reaction": {"when", "then"}, "hooks.Hook": {"name", "event"},
	"state.Character": {"character_id"}, "authoring.castMember": {"card"}, "authoring.dialogType": {"id"}, "effect.Random": {"kind"},
}

// fixed are the schemas of types that read themselves.
func fixed() map[reflect.Type]*jsonschema.Schema {
	anything := &jsonschema.Schema{}
	object := &jsonschema.Schema{Type: "object"}
	texts := &jsonschema.Schema{Types: []string{"string", "array"}, Items: &jsonschema.Schema{Type: "string"}}
	ref := func(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/definitions/" + name} }
	list := func(name string) *jsonschema.Schema { return &jsonschema.Schema{Type: "array", Items: ref(name)} }
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[tree.Value](): anything, reflect.TypeFor[tree.Document](): object, reflect.TypeFor[json.RawMessage](): anything,
		reflect.TypeFor[time.Time]():        {Type: "string", Format: "date-time"},
		reflect.TypeFor[setting.Snapshot](): ref("settings"), reflect.TypeFor[state.Turn](): object, reflect.TypeFor[state.RouteDecision](): object,
		reflect.TypeFor[effect.Actions](): list("action"), reflect.TypeFor[reactions.Effects](): list("effect"),
		reflect.TypeFor[act.Action](): ref("hookAction"), reflect.TypeFor[hooks.Patterns](): texts, reflect.TypeFor[tree.Path](): texts,
		reflect.TypeFor[rules.Pattern](): {Type: "object", Required: []string{"eventType"}, Properties: map[string]*jsonschema.Schema{
			"eventType": {Type: "string", Description: "The type of the event; area:* is every type that begins with area:."},
			"match":     {Type: "object", Description: "Tests of fields of the event."}}},
	}
}

// schemaOf returns a reference to the schema of a type, which it defines first.
func (g *generator) schemaOf(t reflect.Type) *jsonschema.Schema {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := filepath.Base(t.PkgPath()) + "." + t.Name()
	ref := &jsonschema.Schema{Ref: "#/definitions/" + name}
	if g.definitions[name] != nil {
		return ref
	}
	g.definitions[name] = &jsonschema.Schema{}
	options := &jsonschema.ForOptions{TypeSchemas: fixed()}
	for i := range t.NumField() {
		g.declare(t.Field(i).Type, options.TypeSchemas)
	}
	s, err := jsonschema.ForType(t, options)
	if err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	s.Title, s.Description = t.Name(), g.of(t.PkgPath()).comments[t.Name()]
	s.Required = required[name]
	for field := range t.Fields() {
		member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		p := s.Properties[member]
		if p == nil {
			continue
		}
		s.Properties[member] = g.optional(p, slices.Contains(s.Required, member), g.of(t.PkgPath()).comments[t.Name()+"."+field.Name])
	}
	maps.Copy(s.Properties, more[name])
	*g.definitions[name] = *s
	return ref
}

// more lists members that are read and never written.
var more = map[string]map[string]*jsonschema.Schema{
	"rules.Variable":   {"default": {Description: "The same as defaultValue."}},
	"rules.Module":     {"exclusive": {Types: []string{"boolean", "null"}, Description: "The same as activation.exclusive."}},
	"rules.Activation": {"greetingId": {Types: []string{"string", "null"}, Description: "One of greetingIds."}},
}

// declare adds the schemas of the named types in a type.
func (g *generator) declare(t reflect.Type, known map[reflect.Type]*jsonschema.Schema) {
	if known[t] != nil {
		return
	}
	local := strings.HasPrefix(t.PkgPath()+"/", module)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		g.declare(t.Elem(), known)
	case reflect.Map:
		if t.Elem() != reflect.TypeFor[json.RawMessage]() {
			g.declare(t.Elem(), known)
		}
	case reflect.Struct:
		if local {
			known[t] = g.schemaOf(t)
		}
	case reflect.String:
		if words := g.of(t.PkgPath()).words[t.Name()]; local && len(words) > 0 && !slices.Contains(open, t) {
			known[t] = &jsonschema.Schema{Type: "string", Enum: words}
		}
	}
}

// optional allows null for a member that may be missing.
func (g *generator) optional(p *jsonschema.Schema, needed bool, description string) *jsonschema.Schema {
	if p.Ref != "" {
		p = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Ref: p.Ref}}}
		if !needed {
			p.AnyOf = append(p.AnyOf, &jsonschema.Schema{Type: "null"})
		}
	}
	if p.Description == "" {
		p.Description = description
	}
	if list := kindsOf(p); len(list) > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(t string) bool { return t == "null" })
		p.Type, p.Types = list[0], nil
		if !needed {
			p.Type, p.Types = "", append(list, "null")
			if p.Enum != nil {
				p.Enum = append(slices.Clone(p.Enum), nil)
			}
		} else if len(list) > 1 {
			p.Type, p.Types = "", list
		}
	}
	return p
}

// kinds are the effects that authors may write as actions. The needs of the forms of authors are
// listed; other effects need the members that are always written.
var kinds = []struct {
	of    effect.Effect
	needs []string
}{
	{effect.InjectDirective{}, []string{"directiveId", "content"}}, {effect.RemoveDirective{}, []string{"directiveId"}},
	{effect.ToggleEntry{}, []string{"entryId", "enabled"}}, {effect.ToggleRule{}, []string{"ruleId", "enabled"}},
	{effect.TriggerRule{}, []string{"ruleId"}}, {effect.Notify{}, []string{"message"}}, {effect.PlayAudio{}, []string{"trackId"}},
	{effect.Rewrite{}, []string{"target", "text"}}, {effect.Veto{}, []string{"reason"}}, {effect.SendContext{}, []string{"message"}},
	{effect.AddArea{}, nil}, {effect.AddCharacter{}, nil}, {effect.AddEntry{}, nil}, {effect.AddMessage{}, nil}, {effect.AddPath{}, nil},
	{effect.ChangeHP{}, nil}, {effect.ChangeRelationship{}, nil}, {effect.ChangeState{}, nil}, {effect.EndCampaign{}, nil},
	{effect.ForceEntry{}, nil}, {effect.InjectPrompt{}, nil}, {effect.MoveCharacter{}, nil}, {effect.RemoveEntry{}, nil},
	{effect.RequestAI{}, nil}, {effect.SetVariable{}, nil}, {effect.ShowMoment{}, nil}, {effect.StartWorkflow{}, nil},
	{effect.System{}, nil}, {effect.ToggleBook{}, nil}, {effect.ToggleVariable{}, nil}, {effect.UpdateEntry{}, nil},
	{effect.WriteLog{}, nil}, {effect.WriteMemory{}, nil},
}

// campaignActions returns the actions of campaigns without an effect of their own, with the types and the
// meanings of their members.
func campaignActions() map[string]map[string][2]string {
	all := map[string]map[string][2]string{}
	timer := map[string][2]string{"timerId": {"string", "The ID of the countdown."}}
	for _, typ := range []string{"pause-timer", "resume-timer", "cancel-timer"} {
		all[typ] = timer
	}
	all["start-timer"] = map[string][2]string{"timerId": timer["timerId"], "name": {"string", "The name that players see."},
		"duration": {"number", "Seconds until it ends."}, "repeat": {"boolean", "It begins again when it ends."}}
	for what, member := range map[string]map[string][2]string{"path": {"pathId": {"string", "The ID of a path of the map."}},
		"area": {"areaId": {"string", "The ID of an area of the map."}}, "movement": {}} {
		all["unlock-"+what] = member
		lock := maps.Clone(member)
		lock["reason"], lock["disabledUntil"] = [2]string{"string", "Why, in words for players."}, [2]string{"string", "Until when, in words for prompts."}
		all["lock-"+what] = lock
	}
	all["enter-scene"] = map[string][2]string{"sceneId": {"string", "The ID of a scene of the grid."}, "x": {"number", "The column."}, "y": {"number", "The row."}}
	return all
}

// actions defines the alternatives of an action. own are further types with their needs.
func (g *generator) actions(name string, own map[string][]string) {
	forms := map[string]*jsonschema.Schema{}
	for _, k := range kinds {
		forms[k.of.EffectType()] = g.action(k.of, k.needs)
	}
	forms["modify-variable"] = g.action(effect.SetVariable{}, []string{"path"})
	modify := forms["modify-variable"]
	modify.Properties["variableId"] = modify.Properties["path"]
	delete(modify.Properties, "path")
	modify.Required, modify.PropertyOrder = []string{"variableId"}, nil
	for typ, members := range campaignActions() {
		forms[typ] = &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
		for name, m := range members {
			forms[typ].Properties[name] = &jsonschema.Schema{Type: m[0], Description: m[1]}
		}
	}
	for typ, needs := range own {
		form := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
		switch typ {
		case "set":
			form = g.action(effect.SetVariable{}, needs)
		case "emit":
			form.Properties["event"] = &jsonschema.Schema{Type: "object", Description: "The event: its type, and its fields beside it.", Required: []string{"type"},
				Properties: map[string]*jsonschema.Schema{"type": {Type: "string"}}}
		}
		form.Required = needs
		forms[typ] = form
	}
	all := &jsonschema.Schema{Description: "One effect; its type decides about the other members."}
	for _, typ := range slices.Sorted(maps.Keys(forms)) {
		form := forms[typ]
		form.Title = typ
		form.Properties["type"] = &jsonschema.Schema{Const: jsonschema.Ptr(any(typ))}
		form.Required = append([]string{"type"}, form.Required...)
		all.AnyOf = append(all.AnyOf, form)
	}
	g.definitions[name] = all
}

// action returns the schema of an effect.
func (g *generator) action(of effect.Effect, needs []string) *jsonschema.Schema {
	t := reflect.TypeOf(of)
	name := "effect." + t.Name()
	if needs == nil {
		for field := range t.Fields() {
			member, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if member != "-" && options == "" && field.Type.Kind() != reflect.Bool {
				needs = append(needs, member)
			}
		}
	}
	required[name] = needs
	g.schemaOf(t)
	s := g.definitions[name].CloneSchemas()
	delete(g.definitions, name)
	return s
}

// settings defines the settings of campaigns. Hosts add others.
func (g *generator) settings() {
	s := &jsonschema.Schema{Type: "object", Description: "Settings by their keys.", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, d := range setting.Builtin().Definitions() {
		p := &jsonschema.Schema{Description: d.Validation.Text, Default: d.Default.AppendJSON(nil)}
		switch d.Type {
		case setting.Bool:
			p.Type = "boolean"
		case setting.Int:
			p.Type = "integer"
			if d.Validation.Min != nil {
				p.Minimum = jsonschema.Ptr(float64(*d.Validation.Min))
			}
			if d.Validation.Max != nil {
				p.Maximum = jsonschema.Ptr(float64(*d.Validation.Max))
			}
		case setting.Enum:
			p.Type = "string"
			if d.Key != "dialog.manual_type" { // the game adds types of dialogs
				for _, word := range d.Validation.Allowed {
					p.Enum = append(p.Enum, word)
				}
			}
		case setting.String:
			p.Type = "string"
		}
		s.Properties[d.Key] = p
	}
	g.definitions["settings"] = s
}

// file returns the schema of one kind of file, with the definitions that it uses.
func (g *generator) file(title, description string, root *jsonschema.Schema) *jsonschema.Schema {
	root.Schema, root.Title, root.Description = "http://json-schema.org/draft-07/schema#", title, description
	root.Definitions = map[string]*jsonschema.Schema{}
	for changed := true; changed; {
		changed = false
		data, err := json.Marshal(root)
		if err != nil {
			g.t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`#/definitions/([^"]+)`).FindAllSubmatch(data, -1) {
			if name := string(m[1]); root.Definitions[name] == nil {
				root.Definitions[name], changed = g.definitions[name], true
				if g.definitions[name] == nil {
					g.t.Fatalf("%s is not defined", name)
				}
			}
		}
	}
	return root
}

// members returns the schemas of the members that a type writes by itself. It sets each field, and looks
// which member of the object, or of the object at a member of it, changes.
func (g *generator) members(of reflect.Type, inner string) map[string]*jsonschema.Schema {
	written := func(v reflect.Value) map[string]json.RawMessage {
		var out map[string]json.RawMessage
		data, err := json.Marshal(v.Interface())
		if err == nil {
			err = json.Unmarshal(data, &out)
		}
		if whole := out; inner != "" && err == nil {
			out = nil
			err = json.Unmarshal(whole[inner], &out)
		}
		if err != nil {
			g.t.Fatalf("%v: %v", of, err)
		}
		return out
	}
	before, out := written(reflect.New(of).Elem()), map[string]*jsonschema.Schema{}
	kinds := map[byte][]string{'"': {"string", "null"}, '[': {"array", "null"}, '{': {"object", "null"}, 't': {"boolean", "null"}}
	for field := range of.Fields() {
		v := reflect.New(of).Elem()
		if !set(v.FieldByIndex(field.Index)) {
			continue
		}
		for member, value := range written(v) {
			if bytes.Equal(value, before[member]) {
				continue
			}
			s := &jsonschema.Schema{Description: g.of(of.PkgPath()).comments[of.Name()+"."+field.Name], Types: kinds[value[0]]}
			if s.Types == nil {
				s.Types = []string{"number", "null"}
			}
			if value[0] == '[' {
				s.Items = &jsonschema.Schema{Type: "string"}
			}
			out[member] = s
		}
	}
	return out
}

// set gives a field a value that is written. It reports whether the field has a simple type.
func set(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		v.SetString("7")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(2)
	case reflect.Float64:
		v.SetFloat(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return set(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.String {
			return false
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		return set(v.Index(0))
	default:
		return false
	}
	return true
}

// foreign returns the schemas of books and cards. Other programs make them too, so they may have
// further members, and the loader reads what does not fit as these programs do.
func (g *generator) foreign() (book, card *jsonschema.Schema) {
	entry := g.members(reflect.TypeFor[worldbook.Entry](), "")
	entry["uid"].Types = []string{"integer", "string", "null"}
	entry["position"].Types = []string{"integer", "string", "null"} // a word in the book of a card
	entry["delayUntilRecursion"].Types = []string{"integer", "boolean", "null"}
	entry["keys"], entry["secondary_keys"] = entry["key"].CloneSchemas(), entry["keysecondary"].CloneSchemas() // as in the book of a card
	g.definitions["worldbook.Entry"] = &jsonschema.Schema{Type: "object", Title: "Entry", Description: g.of(module + "worldbook").comments["Entry"], Properties: entry}
	of := &jsonschema.Schema{Ref: "#/definitions/worldbook.Entry"}
	text := &jsonschema.Schema{Type: "string"}
	book = &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"name":    {Type: "string", Description: "The name of the book."},
		"entries": {Description: "The entries, by a number or a name, or as a list.", Types: []string{"object", "array"}, AdditionalProperties: of, Items: of}}}
	data := g.members(reflect.TypeFor[charcard.Card](), "data")
	card = &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"spec":         {Type: "string", Enum: []any{"chara_card_v2", "chara_card_v3"}, Description: "The version of the card. A card without it is of version 1."},
		"spec_version": text, "data": {Type: "object", Description: "What the card says.", Required: []string{"name"}, Properties: data}}}
	return book, card
}

// presets returns the schema of the presets of SillyTavern. Like the loader it recognises a kind by a
// member. Other members stay open, and so do types that old files have.
func (g *generator) presets() *jsonschema.Schema {
	kind := func(of reflect.Type, needs ...string) *jsonschema.Schema {
		s := &jsonschema.Schema{Type: "object", Title: of.Name(), Description: g.of(of.PkgPath()).comments[of.Name()], Properties: g.members(of, "")}
		for _, name := range needs {
			s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Required: []string{name}})
		}
		return s
	}
	chat := kind(reflect.TypeFor[tavern.Preset](), "prompts", "prompt_order", "openai_max_context")
	prompt := kind(reflect.TypeFor[tavern.Prompt]())
	prompt.Required = []string{"identifier"}
	g.definitions["tavern.Prompt"] = prompt
	chat.Properties["prompts"] = &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Ref: "#/definitions/tavern.Prompt"}}
	instruct := kind(reflect.TypeFor[tavern.InstructTemplate](), "input_sequence", "output_sequence")
	story, system := kind(reflect.TypeFor[tavern.ContextTemplate](), "story_string"), kind(reflect.TypeFor[tavern.SystemPrompt](), "content")
	master := kind(reflect.TypeFor[tavern.Master](), "instruct", "context", "sysprompt")
	for name, part := range map[string]*jsonschema.Schema{"instruct": instruct, "context": story, "sysprompt": system} {
		master.Properties[name] = &jsonschema.Schema{Type: "object", Title: part.Title, Description: part.Description, Properties: part.Properties}
	}
	script := &jsonschema.Schema{Type: "object", Required: []string{"findRegex"}, Description: "A regex script."}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{chat, master, instruct, story, system, script,
		{Type: "array", Items: script.CloneSchemas(), Description: "Regex scripts."}}}
}

func generated(t *testing.T) map[string]*jsonschema.Schema {
	g := &generator{t: t, definitions: map[string]*jsonschema.Schema{}, docs: map[string]*packageDocs{}}
	g.settings()
	g.actions("action", nil)
	g.actions("effect", map[string][]string{"set": {"path"}, "emit": {"event"}})
	var types []any
	for _, typ := range new(act.Table).Types() {
		types = append(types, typ)
	}
	g.definitions["hookAction"] = &jsonschema.Schema{Type: "object", Required: []string{"type"},
		Properties: map[string]*jsonschema.Schema{"type": {Type: "string", Examples: types, Description: "The type of the action; hosts have further types."}}}
	list := func(of reflect.Type) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: g.schemaOf(of)}
	}
	rule, reaction := list(reflect.TypeFor[rules.Rule]()), list(reflect.TypeFor[reactions.Reaction]())
	variable, mod := list(reflect.TypeFor[rules.Variable]()), list(reflect.TypeFor[rules.Module]())
	hook := list(reflect.TypeFor[hooks.Hook]())
	closed := &jsonschema.Schema{Not: &jsonschema.Schema{}}
	group := &jsonschema.Schema{Type: "object", AdditionalProperties: closed, Properties: map[string]*jsonschema.Schema{
		"rules": rule.CloneSchemas(), "reactions": reaction.CloneSchemas(), "variables": variable.CloneSchemas(), "modules": mod.CloneSchemas()}}
	g.schemaOf(reflect.TypeFor[state.Setup]())
	g.schemaOf(reflect.TypeFor[gameMembers]())
	game := g.definitions["state.Setup"].CloneSchemas()
	maps.Copy(game.Properties, g.definitions["authoring.gameMembers"].Properties)
	game.PropertyOrder = nil
	goal := game.Properties["goal"]
	goal.AnyOf = append(goal.AnyOf, &jsonschema.Schema{Type: "string", Description: "The text of the goal."})
	game.Properties["$schema"] = &jsonschema.Schema{Type: "string", Description: "The schema of this file, for editors."}
	delete(game.Properties, "campaign_id")
	game.Properties["campaign_id"] = &jsonschema.Schema{Type: "string", Description: "The ID of the campaign."}
	book, card := g.foreign()
	return map[string]*jsonschema.Schema{
		"books":     g.file("Book", "A world book.", book),
		"cards":     g.file("Card", "A character card.", card),
		"game":      g.file("Game", "How a game begins, and what belongs to it.", game),
		"presets":   g.file("Presets", "A preset of SillyTavern, or regex scripts.", g.presets()),
		"rules":     g.file("Rules", "A list of rules, or an object of lists.", &jsonschema.Schema{AnyOf: []*jsonschema.Schema{rule, group}}),
		"reactions": g.file("Reactions", "A list of reactions.", reaction),
		"hooks": g.file("Hooks", "A list of hooks.", &jsonschema.Schema{AnyOf: []*jsonschema.Schema{hook,
			{Type: "object", AdditionalProperties: closed, Required: []string{"hooks"}, Properties: map[string]*jsonschema.Schema{"hooks": hook.CloneSchemas()}}}}),
		"variables": g.file("Variables", "A list of variables.", variable),
		"modules":   g.file("Modules", "A list of modules.", mod),
	}
}

// TestSchemas: the committed schemas match the Go types. With -update the test writes them.
func TestSchemas(t *testing.T) {
	for name, s := range generated(t) {
		data, err := json.MarshalIndent(s, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, '\n')
		file := "schema/" + name + ".json"
		if updating() {
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, data) {
			t.Errorf("%s is not made of the types: run go generate", file)
		}
	}
}
