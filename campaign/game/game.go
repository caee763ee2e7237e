package game

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/lorebook"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/instruct"
	"github.com/talewright/talewright/prompt/scene"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/shape"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/prompt/token"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/reply"
	"github.com/talewright/talewright/rules/spatial"
	"github.com/talewright/talewright/rules/vet"
	"github.com/talewright/talewright/worldbook"
)

// Content is what authors write and hosts configure: everything that many
// campaigns share. [Compile] checks it. The zero Content is a game without lore,
// rules or hooks.
type Content struct {
	// Books are world books, with where they are attached. That of the card is not
	// among them: see CardBook. A book whose name is the id of a module takes part while
	// the module is active.
	Books []worldbook.Attachment
	// BookSettings are the rules of the scan; the zero value means
	// worldbook.Exact().
	BookSettings worldbook.Settings

	// Variables, Modules and Rules are the authors' rules; see package rules.
	Variables []declare.Variable
	Modules   []declare.Module
	Rules     []rules.Rule
	Reactions []reactions.Reaction
	// Scenes are the maps that the player walks on, see [turn.Travel].
	Scenes []spatial.Scene
	// Retrieval asks for lore by meaning, see [campaign.Config.Retriever].
	Retrieval Retrieval

	Hooks   []hooks.Hook
	Actions *act.Table // nil: the built-in action types
	// HookLimits bound what hooks may do; zero members mean the defaults.
	HookLimits hooks.Limits

	// Card is the character that the model plays, nil for a plain game master.
	Card *card.Card
	// Cast are the characters that the model plays, where it plays several: then Card is nil. One
	// submission leads to no, one or more replies; the setting cast.order says who speaks, and
	// cast.cards whose texts are in the prompt.
	Cast []CastMember
	// CastTexts go with the texts of their cards.
	CastTexts CastTexts
	// Persona describes the player, for prompts and the world book.
	Persona string
	// UserName is what {{user}} stands for; empty: the acting character's name.
	UserName string

	// Tools, DialogTypes, Settings, LifeStates and Detectors add to the built-in ones.
	Tools       []tool.Tool
	DialogTypes []DialogType
	Settings    []setting.Definition
	LifeStates  []state.LifeRule
	Detectors   []conflict.Named

	// Dialects are the languages in which the model asks for changes within its text, in
	// the order in which they read it. Nil means [Commands], then [ReplyRules] if there are
	// reply rules and [Directives] if there are variables; an empty list means none.
	Dialects []Dialect
	// ReplyRules take marked passages, such as status blocks, out of replies; see package
	// rules/reply.
	ReplyRules []reply.Rule
	// CardBook attaches the card's own world book beside Books.
	CardBook bool

	// Layout is the order of the prompt, nil for [Layout]. Its history is never
	// expanded beyond names.
	Layout *prompt.Layout
	// Preset lays the prompt out as a SillyTavern chat preset does. Its main prompt
	// stands for Texts.Persona; the blocks of the engine stand where a preset has room
	// for settings and state, see [Layout].
	Preset *tavern.Preset
	// System is a system-prompt preset: its content stands for Texts.Persona, its
	// post-history text behind the history. A card's own texts go before it. A Preset has
	// both texts itself.
	System *instruct.SystemPrompt
	// Instruct and Context make the prompt one text, for models without chat messages:
	// the texts around each message, and the frame. One of them is enough: without
	// Instruct it is a transcript with names, without Context the frame is
	// instruct.DefaultContext. Native tool calls are not offered then.
	Instruct *instruct.Template
	Context  *instruct.Context
	// Shape names the rules of a provider that the messages of a request are brought
	// into, such as shape.Strict; empty leaves them as they are.
	Shape shape.Profile
	// RefusesPrefill says that the model takes no begun reply: what a preset begins one with is
	// asked for in a message of the system, the last one, instead.
	RefusesPrefill bool
	// CacheMark are the members that mark a message for the cache of a provider that
	// wants marks, such as {"cache_control": {"type": "ephemeral"}}. They are set on the
	// messages behind which a prompt changes; empty sets none.
	CacheMark map[string]json.RawMessage
	// Note is the author's note. Its interval counts the player's lines of the branch.
	Note scene.Note
	// Scripts are regex scripts, by where they come from; a list that is Denied does
	// not run. They change players' lines and narrations before these are judged and
	// stored, the text that opens a story, and what is prompted and shown of all that,
	// see package script. What a person writes in the place of a narration, see
	// [state.DecideOverride], is an edit. Their replacements are templates of their authors;
	// what they match is data.
	Scripts []script.List
	// ScriptOptions change how scripts work.
	ScriptOptions script.Options

	// Texts are the engine's own sentences; the zero value means English().
	Texts *Texts
	// Commands are the options of the variable commands in texts.
	Commands memvars.Options
	// Render says how the variables are shown to the model.
	Render memvars.RenderOptions
	// Budget is the room for a prompt; the zero value is no limit. Without a
	// TurnReserve an eighth of the context is kept free for what a turn appends. The tools
	// that a request lists are part of it, and what the provider reports of each turn corrects
	// the estimate, unless the setting context.calibrate is off.
	Budget prompt.Budget
	// TrimSlack is the room, in tokens, that a prompt leaves when old lines of the history
	// have to go, so that the prompts of the next turns can begin with the same line and a
	// provider finds them in its cache. 0 means none: every prompt has as many lines as fit.
	TrimSlack int
	// Counter counts tokens; nil means the built-in estimate.
	Counter token.Counter
	// Random gives the n-th random number in [0, 1) of a campaign with the given
	// seed; nil means the built-in generator. It must be a pure function.
	Random func(seed, n uint64) float64
	// SummarizeAfter is the number of turns that may stay unsummarised before
	// [turn.Todo.Summarize] asks for a summary; 0 means never.
	SummarizeAfter int
}

// Retrieval asks for lore by meaning before each scan: the answer of a
// [worldbook.Retriever] to the newest Depth messages, at most Limit entries, which are
// active then without a key. A Limit of 0 asks nothing; a Depth of 0 means 4.
type Retrieval struct {
	Depth int
	Limit int
}

// Game is compiled content. It is immutable and safe for concurrent use by any
// number of campaigns.
type Game struct {
	content   Content
	book      *worldbook.Compiled
	rules     *rules.Program
	hooks     *hooks.Set
	vars      *memvars.System
	dialects  []Dialect
	commands  map[string]bool // the command languages that are open
	live      live
	tools     tool.Set
	toolTexts map[string]toolText // by name
	dialogs   []DialogType
	settings  setting.Registry
	life      map[state.AliveState]state.LifeRule
	texts     Texts
	layout    prompt.Layout
	scripts   *script.Set
	random    func(seed, n uint64) float64
	gates     map[string]loreGate // by the conditions as they are written
	visible   map[string][]string // who may see entries that not everybody may, by their ids
	index     func() *lorebook.Index
	world     *spatial.World
	cast      []cast.Member
}

// Compile checks content and prepares it. All mistakes are reported together, in the
// order of the parts: a path begins with that of the content, such as books or hooks.
// With a fatal one, which [talewright.Problems.Err] returns, there is no game; the others
// leave what they concern without effect.
func Compile(c Content) (*Game, talewright.Problems) {
	g := &Game{content: c, random: c.Random, texts: English()}
	if c.Texts != nil {
		g.texts = *c.Texts
	}
	g.texts.Hints = hintLanguage(c)
	if g.random == nil {
		g.random = splitmix
	}
	problems := new(findings)
	g.compileBooks(problems)
	g.compileRules(problems)
	g.compileScenes(problems)
	set, found := hooks.Compile(c.Hooks, c.Actions)
	problems.in("", found)
	problems.in("", hooks.Vet(c.Hooks, hooks.Host{Events: engineEvents(), Actions: c.Actions}))
	g.hooks = set
	g.vars, found = memvars.Compile(commandOptions(c))
	problems.in("commands", found)
	g.compileDialects(problems)
	g.compileCast(problems)
	g.compileRegistries(problems)
	g.compilePrompts(problems)
	if problems.list.Err() != nil {
		return nil, problems.list
	}
	return g, problems.list
}

func (g *Game) compileBooks(problems *findings) {
	settings := g.content.BookSettings
	if reflect.ValueOf(settings).IsZero() {
		settings = worldbook.Exact()
	}
	attached := g.books(problems)
	book, found := worldbook.Compile(attached, settings)
	problems.in("books", found)
	g.book = book
	g.index = sync.OnceValue(func() *lorebook.Index { return lorebook.NewIndex(book, attached) })
	g.compileGates(problems)
	g.compileVisible(problems)
}

func (g *Game) compileRules(problems *findings) {
	g.content.Variables = withoutViews(g.content.Variables, problems)
	content := rules.Content{
		Variables: g.content.Variables, Modules: g.content.Modules, Rules: g.content.Rules,
		Handlers: reactions.Handlers(g.content.Reactions), Hints: g.texts.Hints,
	}
	program, found := rules.Compile(content)
	problems.in("", found)
	g.rules = program
	unplayedModules(g.content.Modules, problems)
	for _, p := range vet.Vet(content) {
		if !slices.Contains(found, p) && !aboutCharacters(p.Text) && !aboutDirections(p.Text) {
			problems.in("", talewright.Problems{p})
		}
	}
}

func (g *Game) compileRegistries(problems *findings) {
	fatal := func(part string, err error) {
		if err != nil {
			problems.fatal(part, "%s", strings.TrimPrefix(err.Error(), "campaign: "))
		}
	}
	var err error
	g.tools, err = tool.Builtin().With(g.content.Tools...)
	fatal("tools", err)
	g.tellTools()
	g.settings, err = setting.Builtin().With(g.content.Settings...)
	fatal("settings", err)
	fatal("budget", checkBudget(g.content))
	for i, d := range g.content.Detectors {
		if strings.TrimSpace(d.Name) == "" || isNil(d.Detector) {
			fatal("detectors", fmt.Errorf("campaign: detectors[%d]: %q lacks a name or a detector", i, d.Name))
		}
	}
	g.life = map[state.AliveState]state.LifeRule{}
	for _, l := range append(state.BuiltinLifeRules(), g.content.LifeStates...) {
		g.life[l.State] = l
	}
	for i, l := range g.content.LifeStates {
		fatal("lifeStates", checkLifeRule(l, i, g.life))
	}
	g.dialogs = builtinDialogTypes(g.texts)
	for _, d := range g.content.DialogTypes {
		fatal("dialogTypes", d.check())
		i := slices.IndexFunc(g.dialogs, func(x DialogType) bool { return x.ID == d.ID })
		if i >= 0 {
			g.dialogs[i] = d
			continue
		}
		g.dialogs = append(g.dialogs, d)
		g.settings, err = g.settings.Allow(setting.ManualType, d.ID)
		fatal("dialogTypes", err)
	}
}

// isNil reports whether an interface holds nothing, or a pointer or function that is nil.
func isNil(x any) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	return (v.Kind() == reflect.Func || v.Kind() == reflect.Pointer) && v.IsNil()
}

// checkBudget refuses what would be read as no limit at all.
func checkBudget(c Content) error {
	b := c.Budget
	if c.TrimSlack < 0 {
		return fmt.Errorf("campaign: trim slack: %d must not be negative", c.TrimSlack)
	}
	if b.Context < 0 || b.Response < 0 || b.TurnReserve < 0 {
		return fmt.Errorf("campaign: budget: context %d, response %d and turn_reserve %d must not be negative",
			b.Context, b.Response, b.TurnReserve)
	}
	if b.Context > 0 && b.Response >= b.Context {
		return fmt.Errorf("campaign: budget: the response (%d) leaves no room in a context of %d", b.Response, b.Context)
	}
	return nil
}

// Settings returns the registry of all settings.
func (g *Game) Settings() setting.Registry { return g.settings }

// Tool returns a registered tool.
func (g *Game) Tool(name string) (tool.Tool, bool) { return g.tools.Get(name) }

// DialogIDs lists the registered dialog types.
func (g *Game) DialogIDs() []string {
	var ids []string
	for _, d := range g.dialogs {
		ids = append(ids, d.ID)
	}
	return ids
}

// Dialog returns a registered dialog type.
func (g *Game) Dialog(id string) (DialogType, bool) {
	i := slices.IndexFunc(g.dialogs, func(d DialogType) bool { return d.ID == id })
	if i < 0 {
		return DialogType{}, false
	}
	return g.dialogs[i], true
}

// ToolNames returns the names that the allow list and the registry share, sorted,
// without those that are switched off.
func (g *Game) ToolNames(allow []string, off map[string]state.DisabledTool) []string {
	var out []string
	for _, name := range g.tools.Names() {
		if _, disabled := off[name]; !disabled && slices.Contains(allow, name) {
			out = append(out, name)
		}
	}
	return out
}

// splitmix is the built-in random source: the n-th number of the sequence with
// the given seed, without a state to keep. It is Steele, Lea and Flood's SplitMix64.
func splitmix(seed, n uint64) float64 {
	z := seed + (n+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return float64(z>>11) / (1 << 53)
}

// WithHooks returns the game with further hooks, such as those that a host lets its users
// switch on; one with the id of a hook of the game takes its place. Campaigns are replayed
// with the hooks that they were played with: their log holds what hooks did.
func (g *Game) WithHooks(list ...hooks.Hook) (*Game, talewright.Problems) {
	set, found := g.hooks.With(list...)
	out := *g
	out.hooks = set
	return &out, found
}

// compileScenes builds the spatial world.
func (g *Game) compileScenes(problems *findings) {
	world, found := spatial.Compile(g.content.Scenes)
	problems.in("", found)
	g.world = world
}

// checkLifeRule reports a rule without a state, or one that leads to a state without a rule.
func checkLifeRule(l state.LifeRule, i int, known map[state.AliveState]state.LifeRule) error {
	if l.State == "" {
		return fmt.Errorf("campaign: life states[%d].state: no name; nobody can be in it; add one", i)
	}
	for field, next := range map[string]state.AliveState{"at_zero": l.AtZero, "above_zero": l.AboveZero} {
		if _, ok := known[next]; next != "" && !ok {
			return fmt.Errorf("campaign: life states[%d].%s: %q is no life state; add a rule for it, or name another",
				i, field, next)
		}
	}
	return nil
}
