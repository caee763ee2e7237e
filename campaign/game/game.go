package game

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// Game is compiled content. It is immutable and safe for concurrent use by any number of campaigns.
type Game struct {
	content   Content
	lore      lore
	rules     *rules.Program
	hooks     *hooks.Set
	vars      *memvars.System
	dialects  []Dialect
	commands  map[string]bool // names of the command languages that dialects read; "" is the native one
	stream    streamTraits
	tools     tool.Set
	toolTexts map[string]toolText // by name
	dialogs   []DialogType
	settings  setting.Registry
	life      map[state.AliveState]state.LifeRule
	texts     Texts
	layout    prompt.Layout
	scripts   *script.Set
	random    func(seed, n uint64) float64
	scenes    *rules.SpatialWorld
	cast      []cast.Member
	// copySources are the paths of the variables whose values are written to a variable, by its path.
	copySources map[string][]tree.Path
}

// lore is the world books, and the conditions and audiences of their entries.
type lore struct {
	book      *worldbook.Compiled
	index     func() *state.LoreIndex // builds the index at the first call
	gates     map[string]loreGate     // by the conditions as written
	visible   map[string][]string     // who may see private entries, by entry ID
	templates loreTemplates
	split     splitLore
}

// splitLore lists the entries that belong to only one of the two requests of a turn, by entry ID.
// Both lists are empty if no book of the character marks its entries.
type splitLore struct {
	plot   []string // only for the request for the narration
	update []string // only for the request for changes of variables
	marked bool     // a book of the character has a mark
}

// toolText is the prompt text of a tool. It is built once for all turns, so that a turn allocates less.
type toolText struct {
	text   string // in the prompt
	schema json.RawMessage
	tokens int // of the tool in a request that lists it
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

// ToolNames returns the registered names that are in the allow list, sorted, without the disabled
// ones.
func (g *Game) ToolNames(allow []string, off map[string]state.DisabledTool) []string {
	var out []string
	for _, name := range g.tools.Names() {
		if _, disabled := off[name]; !disabled && slices.Contains(allow, name) {
			out = append(out, name)
		}
	}
	return out
}

// WithHooks returns the game with further hooks, such as hooks that users of a host can enable. A
// hook with the ID of a hook of the game replaces it. Replay a campaign with the hooks that it was
// played with, because its log holds their results.
func (g *Game) WithHooks(list ...hooks.Hook) (*Game, talewright.Problems) {
	set, found := g.hooks.With(list...)
	out := *g
	out.hooks = set
	return &out, found
}

// Content returns the content that the game was compiled from.
func (g *Game) Content() *Content { return &g.content }

// Book returns the world books.
func (g *Game) Book() *worldbook.Compiled { return g.lore.book }

// Rules returns rules, reactions and the schema of the variables.
func (g *Game) Rules() *rules.Program { return g.rules }

// Hooks returns the hooks.
func (g *Game) Hooks() *hooks.Set { return g.hooks }

// Vars returns the system of variable commands.
func (g *Game) Vars() *memvars.System { return g.vars }

// Life returns the life states by their names.
func (g *Game) Life() map[state.AliveState]state.LifeRule { return g.life }

// Texts returns the engine's sentences.
func (g *Game) Texts() *Texts { return &g.texts }

// Layout returns the layout of prompts.
func (g *Game) Layout() prompt.Layout { return g.layout }

// Scripts returns the regex scripts.
func (g *Game) Scripts() *script.Set { return g.scripts }

// Tools returns all registered tools.
func (g *Game) Tools() tool.Set { return g.tools }

// World returns the scenes in which the player moves.
func (g *Game) World() *rules.SpatialWorld { return g.scenes }

// Random returns the n-th random number of a campaign with the given seed.
func (g *Game) Random(seed, n uint64) float64 { return g.random(seed, n) }

// Cast returns the characters that the model plays, in list order. It is empty without a cast.
func (g *Game) Cast() []cast.Member { return g.cast }

// Member returns a member of the cast that has a card.
func (g *Game) Member(id string) (CastMember, bool) {
	for _, m := range g.content.People.Cast {
		if m.CharacterID == id && m.Card != nil {
			return m, true
		}
	}
	return CastMember{}, false
}

// Gate returns the declarations of the variables, with the state that they need for checks.
func (g *Game) Gate(s *state.State, turn int) memvars.Gate { return g.rules.Gate(g.RuleState(s, turn)) }

// Complete returns the variables with defaults for missing ones and with the values of formulas. It
// raises no events.
func (g *Game) Complete(s state.State) tree.Document {
	if len(g.content.Rules.Variables) == 0 {
		return s.Variables
	}
	return g.rules.Complete(g.RuleState(&s, s.TurnCount)).Variables
}

// KeepSetup copies the present values of variables with scope setup into an older state that is
// restored. It also copies the notes about who knows these values.
func (g *Game) KeepSetup(now, restored state.State) state.State {
	kept := g.rules.Rollback(rules.State{Variables: now.Variables},
		rules.State{Variables: restored.Variables}).Variables
	for _, c := range tree.Diff(restored.Variables, kept) {
		restored.Secrets = secret.WithNotesOf(restored.Secrets, now.Secrets, c.Path)
	}
	restored.Variables = kept
	return restored
}

// RuleState returns the state in the form that rules use.
func (g *Game) RuleState(s *state.State, turn int) rules.State {
	return rules.State{Variables: s.Variables, Turn: turn, Ledger: s.Ledger, GreetingID: s.GreetingID,
		Views: state.Views{State: s, Life: g.life}}
}

// Counter returns the token counter of the content, or the built-in estimate.
func (g *Game) Counter() prompt.TokenCounter {
	if g.Counts() {
		return g.content.Prompt.Budget.Counter
	}
	return prompt.TokenEstimator{}
}

// Counts reports whether the content has its own token counter.
func (g *Game) Counts() bool { return g.content.Prompt.Budget.Counter != nil }

// IsText reports whether a prompt is a single text.
func (g *Game) IsText() bool {
	return g.content.Prompt.Instruct != nil || g.content.Prompt.Context != nil
}

// Profile returns the profile of the variable commands.
func (g *Game) Profile() memvars.Profile {
	if p := g.content.Rules.Commands.Profile; p != nil {
		return *p
	}
	return memvars.DefaultProfile()
}
