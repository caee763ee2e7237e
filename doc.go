// Package talewright is the root of a library for LLM role-play and tabletop-RPG
// engines: lore that activates itself, rules that fire without a model, variables that a
// model may only ask to change, and a turn loop that keeps the state right.
//
// This package itself holds one thing, the [Problem] that every other package reports
// mistakes of content with. The work is done in the packages below it; each can be
// imported alone.
//
// # Which package do I need?
//
//	I want to …                                                   package
//	run a whole campaign: turns, checks, undo, streaming          campaign
//	find out which lore a chat activates (SillyTavern books)      worldbook, worldbook/format
//	fire rules on events and change variables without a model     rules, reactions, hooks
//	let a model ask for changes of variables in its text          memvars, memvars/command, memvars/mvu
//	keep variables: JSON documents, versions, differences         memvars/tree
//	build a prompt within a token budget, expand macros           prompt, prompt/macro
//	read a character card (PNG, CHARX, JSON)                      prompt/card
//	read SillyTavern presets and regex scripts                    prompt/tavern, prompt/script
//	speak to a model server                                       llm, llm/openai
//	keep campaigns after the process ends                         campaign/sqlstore, or a campaign.Store of yours
//	play on an engine for workflows, or a queue of jobs           campaign/temporal, or campaign.Engine.Step
//	find what was said hundreds of turns ago                      campaign/memory, campaign/memory/embed
//	watch campaigns run: logs, spans, metrics                     campaign/observe, campaign/otel
//	test a game without a model                                   campaign/campaigntest
//
// The map in README.md names all of them.
//
// # A turn
//
// What a campaign does with one line of its player:
//
//	player line ──► events ──► rules ┐
//	                  ▲        reactions ├─► effects ─► state'   (before the model speaks)
//	                  │        hooks  ┘        │
//	                  └────────────────────────┘ bounded; the bound is reported
//	state' ─► worldbook.Scan ─► prompt.Assemble ─► llm.Model ─► reply
//	reply ─► commands and tool calls ─► adjudicate ─► conflict check ──ok──► apply ─► events ─► rules …
//	                           ▲              │ refused, or a contradiction
//	                           └── another attempt with what was wrong, then a report to the player
//	─► commit one record and the new state at the expected version ─► show the text
//
// Everything but the model, the store and the handlers of hooks is a pure function of its
// arguments: a log of what came in replays to the same bytes, without a model.
//
// # Conventions
//
// Content is compiled once into a value that any number of goroutines may use; its
// mistakes come back together as [Problems]. State is plain data whose zero value is
// new. Functions never change their arguments. What models and players write is data: it
// is never expanded, compiled or trusted.
//
// What a package or a type does not say of concurrency is this: functions, engines, stores
// and clients of models may be used from any number of goroutines, plain values be read by
// them while none writes. A type that belongs to one goroutine says so.
//
// Go errors tell what failed around a game: each package that returns some lists them by
// name, for [errors.Is] and [errors.AsType]. Mistakes of authors are [Problems], those of
// models are data in results.
package talewright
