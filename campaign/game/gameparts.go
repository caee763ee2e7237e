package game

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/spatial"
	"github.com/talewright/talewright/worldbook"
)

// What follows are the compiled parts of a game, for those who play it. None is to be
// changed.

// Content returns the content that the game was compiled from.
func (g *Game) Content() *Content { return &g.content }

// Book returns the world books.
func (g *Game) Book() *worldbook.Compiled { return g.book }

// Rules returns rules, reactions and the schema of the variables.
func (g *Game) Rules() *rules.Program { return g.rules }

// Hooks returns the hooks.
func (g *Game) Hooks() *hooks.Set { return g.hooks }

// Vars returns the language of variable commands.
func (g *Game) Vars() *memvars.System { return g.vars }

// Life returns the life states by their names.
func (g *Game) Life() map[state.AliveState]state.LifeRule { return g.life }

// Texts returns the engine's sentences.
func (g *Game) Texts() *Texts { return &g.texts }

// Layout returns the layout of prompts.
func (g *Game) Layout() prompt.Layout { return g.layout }

// Scripts returns the regex scripts.
func (g *Game) Scripts() *script.Set { return g.scripts }

// Tools returns all tools that are registered.
func (g *Game) Tools() tool.Set { return g.tools }

// World returns the scenes that the player walks in.
func (g *Game) World() *spatial.World { return g.world }

// Random returns the n-th random number of a campaign with the given seed.
func (g *Game) Random(seed, n uint64) float64 { return g.random(seed, n) }
