package game

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// Compile checks content and prepares it. It reports all mistakes together, in the order of the
// parts. A path begins with the part of the content, such as books or hooks. If a mistake is fatal,
// [talewright.Problems.Err] returns it and the game is nil. Other mistakes make only the affected
// part ineffective.
func Compile(c Content) (*Game, talewright.Problems) {
	g := &compiler{Game: &Game{content: c, random: c.Extensions.Random, texts: English()}}
	if c.Extensions.Texts != nil {
		g.texts = c.Extensions.Texts.complete()
	}
	g.texts.Hints = hintLanguage(c)
	if g.random == nil {
		g.random = Random
	}
	g.compileBooks()
	g.compileRules()
	g.compileCopies()
	g.compileScenes()
	g.compileHooks()
	g.compileDialects()
	g.compileCast()
	g.compileRegistries()
	g.compilePrompts()
	g.problems.addAll("", Unplayed(g.content))
	if g.problems.list.Err() != nil {
		return nil, g.problems.list
	}
	return g.Game, g.problems.list
}

func (g *compiler) compileBooks() {
	settings := g.content.Lore.Settings
	if reflect.ValueOf(settings).IsZero() {
		settings = worldbook.Exact()
	}
	written := g.attachments()
	searchesNothing := settings.Depth <= 0 && settings.MinActivations == 0 && !settings.DepthExcludesCurrent
	if searchesNothing && slices.ContainsFunc(written, needsMessages) {
		g.problems.addUnplayed("settings.world_info_depth", "0: keys are searched in no message; set a depth, or begin with worldbook.Exact()")
	}
	book, found := worldbook.Compile(written, settings)
	attached := book.Books() // each with a unique name
	g.problems.addAll("books", found)
	g.lore.book = book
	g.lore.index = sync.OnceValue(func() *state.LoreIndex { return state.NewLoreIndex(book, attached) })
	g.compileGates()
	g.compileVisible()
	g.compileTemplates(written, attached)
	g.compileSplit(attached)
}

// needsMessages reports whether a book has an entry that only a message in the depth of the settings can
// activate.
func needsMessages(a worldbook.Attachment) bool {
	return slices.ContainsFunc(a.Book.Entries, func(e worldbook.Entry) bool {
		return len(e.Keys) > 0 && !e.Constant && !e.Disable && e.ScanDepth == nil
	})
}

func (g *compiler) compileRules() {
	g.content.Rules.Variables = withoutViews(g.content.Rules.Variables, &g.problems)
	content := rules.Content{
		Variables: g.content.Rules.Variables, Modules: g.content.Rules.Modules, Rules: g.content.Rules.Rules,
		Handlers: reactions.Handlers(g.content.Rules.Reactions), Hints: g.texts.Hints,
		Leaf: commandProfile(g.content).IsLeaf,
	}
	program, found := rules.Compile(content)
	g.problems.addAll("", found)
	g.rules = program
	reportUnplayedModules(g.content.Rules.Modules, &g.problems)
	// Compile and Vet find some problems twice. The set is fast also for a list with a problem in each rule.
	known := make(map[talewright.Problem]bool, len(found))
	for _, p := range found {
		known[p] = true
	}
	ofRules, ofHooks := g.vetRules(content)
	g.ofHooks = ofHooks
	for _, p := range ofRules {
		if !known[p] && !isAboutView(p.Text) {
			g.problems.list = append(g.problems.list, p)
		}
	}
	g.vetActions()
}

func (g *compiler) compileHooks() {
	set, found := hooks.Compile(g.content.Rules.Hooks, g.content.Rules.Actions)
	g.problems.addAll("", found)
	g.problems.addAll("", hooks.Vet(g.content.Rules.Hooks, hooks.Host{
		Events: engineEvents(), Actions: g.content.Rules.Actions, Cast: len(g.content.People.Cast) > 0}))
	for _, p := range g.ofHooks {
		if !isAboutView(p.Text) && !slices.ContainsFunc(found, func(f talewright.Problem) bool { return strings.HasPrefix(p.Path, f.Path) }) {
			g.problems.list = append(g.problems.list, p)
		}
	}
	g.vetHookConditions()
	g.hooks = set
}

func (g *compiler) compileScenes() {
	world, found := rules.CompileSpatial(g.content.Rules.Scenes)
	g.problems.addAll("", found)
	g.scenes = world
}

// addFatalError adds an error, if there is one, as a fatal problem of a part of the content. Each of
// several joined errors is a problem of its own.
func (g *compiler) addFatalError(part string, err error) {
	if err == nil {
		return
	}
	mistakes := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		mistakes = joined.Unwrap()
	}
	for _, mistake := range mistakes {
		g.problems.addFatal(part, "%s", strings.TrimPrefix(mistake.Error(), "campaign: "))
	}
}

// compileRegistries adds the host's extensions to the built-in parts of the engine.
func (g *compiler) compileRegistries() {
	g.compileTools()
	var err error
	g.settings, err = setting.Builtin().With(g.content.Extensions.Settings...)
	g.addFatalError("settings", err)
	g.checkSizes()
	for i, d := range g.content.Extensions.Detectors {
		if strings.TrimSpace(d.Name) == "" || isNil(d.Detector) {
			g.problems.addFatal("detectors", "detectors[%d]: %q lacks a name or a detector", i, d.Name)
		}
	}
	g.compileLife()
	g.compileDialogTypes()
}

func (g *compiler) compileTools() {
	var err error
	g.tools, err = tool.Builtin().With(g.content.Extensions.Tools...)
	g.addFatalError("tools", err)
	g.tools = g.tools.In(toolLanguage(g.content))
	for i, t := range g.content.Extensions.Tools {
		if t.Name == declared.ToolName {
			g.problems.addFatal("tools", "tools[%d]: %q is the engine's own, see the setting %s; choose a different name", i, t.Name, settingkey.Claims)
		}
	}
	g.buildToolTexts()
}

func (g *compiler) compileLife() {
	g.life = map[state.AliveState]state.LifeRule{}
	for _, l := range append(state.BuiltinLifeRules(), g.content.People.LifeStates...) {
		g.life[l.State] = l
	}
	for i, l := range g.content.People.LifeStates {
		if l.State == "" {
			g.problems.addFatal("lifeStates", "life states[%d].state: no name: no character can be in it; add a name", i)
			continue
		}
		for _, next := range []struct {
			field string
			state state.AliveState
		}{{"at_zero", l.AtZero}, {"above_zero", l.AboveZero}} {
			if _, known := g.life[next.state]; next.state != "" && !known {
				g.problems.addFatal("lifeStates", "life states[%d].%s: %q is not a life state; add a rule for it, or name a different one",
					i, next.field, next.state)
			}
		}
	}
}

// compileDialogTypes adds the host's dialog types and allows their IDs in the setting dialog.manual_type.
// A type with the ID of a built-in one replaces it.
func (g *compiler) compileDialogTypes() {
	g.dialogs = builtinDialogTypes(g.texts)
	for n, d := range g.content.Extensions.DialogTypes {
		part := fmt.Sprintf("dialogTypes[%d]", n)
		d.check(part, &g.problems)
		i := slices.IndexFunc(g.dialogs, func(known DialogType) bool { return known.ID == d.ID })
		if i >= 0 {
			g.dialogs[i] = d
			continue
		}
		g.dialogs = append(g.dialogs, d)
		var err error
		g.settings, err = g.settings.Allow(settingkey.ManualType, d.ID)
		g.addFatalError(part, err)
	}
}

// isNil reports whether an interface is nil, or holds a nil pointer or function.
func isNil(x any) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	return (v.Kind() == reflect.Func || v.Kind() == reflect.Pointer) && v.IsNil()
}

// checkSizes refuses an impossible budget and an unknown value of Lore.ScanTemplates. A negative size
// would mean that there is no limit.
func (g *compiler) checkSizes() {
	b, scan, slack := g.content.Prompt.Budget, g.content.Lore.ScanTemplates, g.content.Prompt.TrimSlack
	switch {
	case scan != "" && scan != "evaluated":
		g.problems.addFatal("budget", "Lore.ScanTemplates: %q is unknown: write \"evaluated\", or leave it empty", scan)
	case slack < 0:
		g.problems.addFatal("budget", "trim slack: %d must not be negative", slack)
	case b.Context < 0 || b.Response < 0 || b.TurnReserve < 0:
		g.problems.addFatal("budget", "budget: context %d, response %d and turn_reserve %d must not be negative",
			b.Context, b.Response, b.TurnReserve)
	case b.Context > 0 && b.Response >= b.Context:
		g.problems.addFatal("budget", "budget: the response (%d) fills the whole context of %d: make it shorter", b.Response, b.Context)
	}
}

// withoutViews removes declarations of variables that are views on characters, because their values
// are stored only in the characters.
func withoutViews(list []rules.Variable, problems *findings) []rules.Variable {
	for i, v := range list {
		if state.IsView(v.ID) {
			problems.addUnplayed(fmt.Sprintf("variables[%d]", i), "%q is a value of a character and needs no declaration; take it out", v.ID)
		}
	}
	// An empty result is not nil: nil would mean no schema.
	return slices.DeleteFunc(slices.Clone(list), func(v rules.Variable) bool { return state.IsView(v.ID) })
}

func builtinDialogTypes(t Texts) []DialogType {
	return []DialogType{
		{ID: SceneDialog, Blocks: blockOrder, LocalMap: true, Omniscient: true, Instructions: t.DialogScene},
		{ID: ActionDialog, Blocks: blockOrder, Instructions: t.DialogAction},
		{ID: RulesDialog, HistoryTurns: 2, Instructions: t.DialogRules, Blocks: []BlockID{
			BlockPersona, BlockAuthority, BlockWorldRules, BlockStatus, BlockVariables, BlockDialog}},
		{ID: FreeChatDialog, NamesOnly: true, Instructions: t.DialogFreeChat, Blocks: []BlockID{
			BlockPersona, BlockAuthority, BlockParty, BlockStatus, BlockSummary, BlockPins,
			BlockVariables, BlockDialog}},
		{ID: ChatDialog, Persona: t.Chat, Blocks: []BlockID{BlockPersona, BlockSummary, BlockPins, BlockMemory,
			BlockVariables, BlockLanguages}},
	}
}

// Random returns the n-th number, in [0, 1), of the sequence with the given seed. It is the default
// of [Extensions.Random]. It needs no state: the algorithm is SplitMix64 by Steele, Lea and Flood.
func Random(seed, n uint64) float64 {
	z := seed + (n+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return float64(z>>11) / (1 << 53)
}

// compileCopies finds the variables that are written with the values of other variables.
func (g *compiler) compileCopies() {
	declaredPaths := map[string]tree.Path{}
	for _, v := range g.content.Rules.Variables {
		if p, err := tree.ParsePath(v.Path); err == nil {
			declaredPaths[v.ID] = p
		}
	}
	pathOf := func(name string) tree.Path {
		if p, isDeclared := declaredPaths[name]; isDeclared {
			return p
		}
		if p, err := tree.ParsePath(name); err == nil {
			return p
		}
		return tree.Path{name}
	}
	g.copySources = map[string][]tree.Path{}
	type copyPair struct{ to, from string }
	known := map[copyPair]bool{}
	add := func(to, from string) {
		if c := (copyPair{to, from}); !known[c] {
			known[c] = true
			key := pathOf(to).String()
			g.copySources[key] = append(g.copySources[key], pathOf(from))
		}
	}
	g.content.Rules.eachEffect(func(_, _ string, e effect.Effect) {
		if set, ok := e.(effect.SetVariable); ok && set.ValueRef != "" {
			add(set.Path, set.ValueRef)
		}
	})
	for _, v := range g.content.Rules.Variables {
		if f, err := rules.ParseFormula(v.Formula); err == nil {
			for _, name := range f.Names() {
				add(v.ID, name)
			}
		}
	}
}

// CopiedFrom returns the paths of the variables whose values rules, reactions and formulas write to
// the given path. The list is read-only.
func (g *Game) CopiedFrom(place tree.Path) []tree.Path { return g.copySources[place.String()] }
