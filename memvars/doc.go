// Package memvars is the language in which a model or a player may ask to change the
// variables of a campaign, and what follows from the changes: derived fields, game time.
//
// # The document
//
// The variables are a [tree.Document] of package tree: immutable, ordered, cheap to keep in
// many versions. It has three modules at its root: who the character is
// (play_character_data), the present moment (stat_data) and the lasting assets (assa_data).
// In the first two a [value, "description"] pair is a leaf: reading gives the value, writing
// keeps the description.
//
// # A turn
//
//	sys, problems := memvars.Compile(memvars.Options{}) // once
//	state := sys.Begin(doc)                            // once per campaign
//
//	doc, res := sys.Apply(doc, playerText, memvars.User)
//	doc, res = sys.Apply(doc, reply, memvars.AI)       // the model proposes
//	feedback := sys.Feedback(res.Calls)                // what it got wrong, and why
//	doc, state, res = sys.EndTurn(doc, state, memvars.Turn{Reply: reply})
//	prompt := sys.Render(doc, memvars.RenderOptions{Format: "yaml"})
//
// Commands are found anywhere in a text: set_attribute, set_status, memory and
// delete, leniently read. Each is carried out completely or not at all, and
// its [CallResult] says which, why and where. After the commands run the passes
// that [Passes] lists: derived fields, the limit of the difficulty, and at the
// end of a turn the clock, the task's days, resources, summaries, green lights.
//
// [System.Rebuild] plays a history again to the same bytes. The one-liner [Apply] compiles its
// options each time.
//
// # The commands
//
// Texts stand in quotation marks of any kind; numbers, true, false, null, lists and objects are
// JSON, and mistakes in it are mended. Paths are those of [tree.ParsePath] and relative to the root
// that the command owns; the name of that root may stand in front.
//
//	command                        root                 what it does
//	set_attribute(path, value)     play_character_data  replaces the value of a field that exists
//	set_attribute(path, old, value)                     the same; old is looked at by Options.CheckOld
//	set_status(path, value)        stat_data            as set_attribute, of the present moment
//	set_status(path, old, value)
//	memory(parent, key, value)     assa_data            creates or replaces a member, objects on the way too;
//	                                                    an object is merged into an object (Options.Merge)
//	memory(path, value)                                 the same; the last segment is the key
//	memory(from, to)                                    moves or renames, where the second text is a path
//	                                                    that begins with a known branch
//	delete(path)                   assa_data            removes a node
//	delete(parent, key)                                 the same; of a list, the element at an index
//	delete(parent, 'all')                               empties a node
//
// A comment behind a call (set_status('hp', 3); // a bite) is its reason. Why a command is
// rejected is told by its [command.Code], and in words by its hint in the language of [Options].Hints.
//
// # Dates
//
// The clock reads the date, the time and the era at the places that [Profile] names. Dates are
// [year]月日 in digits or Chinese numerals (三月十五, 贞观三年正月初一), 2024-03-15, 2024/3/15,
// 2024.3.15, March 15th, 1203, 15 Mar, and mere counts as Day 3 or 第三天; times are 20:15,
// 8点半, 晚上8时20分. With any other date time stands still, and Result.Notes of
// [System.EndTurn] says so.
//
// # Declared variables
//
// A game may declare variables: a name, a place, a type, bounds, who may see and write them. The
// declarations are a [Gate], which package rules makes of a schema, and [System.With] binds it:
//
//	doc, res := sys.With(program.Gate(state)).Apply(doc, reply, memvars.AI)
//
// Then every write is judged by what it does to a declared variable, whichever language it
// is in and whatever it names: a part of the variable, the variable, or a branch around it. The
// value is stored as the gate gives it (with the warning [command.WarnAdjusted]), or the command is
// rejected as a whole. Commands may name a variable by its id or display name. What a model may
// not see is in no rendering and no hint.
//
// # Guarantees
//
// Everything here is pure: no clock, no randomness, no files, no goroutines.
// Documents, values and systems are safe for concurrent use. What a model writes
// never causes a Go error or a panic, and the work on a message is bounded by
// its length. A document has at most [tree.MaxDepth] levels.
//
// # Packages below
//
// Package command reads the language, package profile names the places that have a meaning,
// package check reads pools of dice, package calendar reads dates. Package mvu is the command
// language of the MVU family.
package memvars
