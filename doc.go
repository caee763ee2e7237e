// Package talewright is the root of a library for LLM role-play and tabletop-RPG engines. Lore
// activates itself. Rules fire without a model. A model may only ask to change variables. A turn
// loop keeps the state right.
//
// This package itself has only the type [Problem]. All other packages use it to report mistakes in
// content. The packages below it do the work; each can be imported alone.
//
// # Which package do I need?
//
//	I want to …                                                   package
//	run a whole campaign: turns, checks, undo, streaming          campaign
//	find out which lore a chat activates (SillyTavern books)      worldbook, worldbook/format
//	fire rules on events and change variables without a model     rules, reactions, hooks
//	let a model ask for changes of variables in its text          memvars, memvars/mvu
//	keep variables: JSON documents, versions, differences         memvars/tree
//	build a prompt within a token budget, expand macros           prompt, prompt/macro
//	read a character card (PNG, CHARX, JSON)                      prompt/card
//	run the templates of scripted cards (<%= … %>)                prompt/template
//	read SillyTavern presets and regex scripts                    prompt/tavern, prompt/script
//	send requests to a model server                               llm, llm/openai
//	keep campaigns after the process ends                         campaign/sqlstore, or your own campaign.Store
//	run on a workflow engine or a job queue                       campaign/temporal, or campaign.Engine.Step
//	find what was said hundreds of turns ago                      campaign/memory
//	observe running campaigns: logs, spans, metrics               campaign/observe, campaign/otel
//	test a game without a model                                   campaign/campaigntest
//
// README.md lists all packages.
//
// # A turn
//
// A campaign processes one line of its player as follows:
//
//	player line ──► events ──► rules ┐
//	                  ▲        reactions ├─► effects ─► state'   (before the model speaks)
//	                  │        hooks  ┘        │
//	                  └────────────────────────┘ bounded; the bound is reported
//	state' ─► worldbook.Scan ─► prompt.Assemble ─► llm.Model ─► reply
//	reply ─► commands and tool calls ─► adjudicate ─► conflict check ──ok──► apply ─► events ─► rules …
//	                           ▲              │ refused, or a contradiction
//	                           └── another attempt that lists the faults, then a report to the player
//	─► commit one record and the new state at the expected version ─► show the text
//
// Everything except the model, the store and the hook handlers is a pure function of its arguments.
// A log of the inputs replays to the same bytes, without a model.
//
// # Conventions
//
// Content is compiled once into a value. Any number of goroutines may use that value. All mistakes
// in the content are returned together as [Problems]. State is plain data; its zero value is a new
// state. Functions never change their arguments. Text from models and players is data: it is never
// expanded, compiled or trusted.
//
// The following holds unless a package or type says otherwise. Functions, engines, stores and model
// clients are safe for concurrent use. Plain values are safe for concurrent reads while no
// goroutine writes. The doc of a type says if it belongs to one goroutine.
//
// A Go error means that the environment failed. Each package that returns errors lists them by
// name, for [errors.Is] and [errors.AsType]. Mistakes of authors are [Problems]; mistakes of models
// are data in results.
package talewright
