// Package memvars implements the language for changes of a campaign's variables by models and
// players. It also implements the consequences of the changes: derived fields and game time.
//
// # The document
//
// The variables are a [tree.Document] of package tree: immutable, ordered, cheap to keep in many
// versions. Its root has three modules: the character (play_character_data), the present moment
// (stat_data) and the lasting assets (assa_data). In the first two, a pair [value, "description"]
// is a leaf: reading returns the value, writing keeps the description.
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
// Commands may be anywhere in a text: set_attribute, set_status, memory and delete. Reading is
// lenient. Each command runs completely or not at all; its [CallResult] says which, why and where.
// After the commands the passes of [Passes] run: derived fields and the limit of the difficulty. At
// the end of a turn the clock, the task's days, resources, summaries and green lights follow.
//
// [System.Rebuild] replays a history to the same bytes. The one-liner [Apply] compiles its options
// on each call.
//
// # The commands
//
// Texts are in quotation marks of any kind. Numbers, true, false, null, lists and objects are JSON;
// mistakes in them are repaired. Paths have the form of [tree.ParsePath] and are relative to the
// root of the command. They may begin with the name of that root.
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
// A comment after a call (set_status('hp', 3); // a bite) is its reason. A rejected command has a
// [Code] and a hint in the language of [Options].Hints.
//
// Reading accepts quotation marks of any family, forgotten escapes, full-width marks, and JSON with
// common mistakes. [System.Parse] returns the commands as they are written; an unreadable one has a
// [Fault].
//
// # Dates
//
// The clock reads the date, the time and the era at the places that [Profile] names. Dates are
// [year]月日 in digits or Chinese numerals (三月十五, 贞观三年正月初一), 2024-03-15, 2024/3/15,
// 2024.3.15, March 15th, 1203, 15 Mar, and day counts such as Day 3 or 第三天. Times are 20:15,
// 8点半, 晚上8时20分. With any other date no time passes, and Result.Notes of [System.EndTurn]
// reports it.
//
// # Declared variables
//
// A game may declare variables: a name, a place, a type, bounds, and who may see and write them.
// The declarations are a [Gate]. Package rules builds it from a schema, and [System.With] binds it:
//
//	doc, res := sys.With(program.Gate(state)).Apply(doc, reply, memvars.AI)
//
// Then every write of every command language is checked for its effect on declared variables. It
// may name a part of the variable, the variable, or a branch around it. The value is stored in the
// gate's form (with the warning [WarnAdjusted]), or the command is rejected as a whole.
// Commands may name a variable by its ID or display name. Variables that are hidden from a model
// are in no rendering and no hint.
//
// # Guarantees
//
// Everything is pure: no clock, no randomness, no files, no goroutines. Documents, values and
// systems are safe for concurrent use. Text of a model never causes a Go error or a panic, and the
// work on a message is limited by its length. A document has at most [tree.MaxDepth] levels.
//
// # Related packages
//
// Package tree has the documents. Package mvu implements the command language of the MVU family; it
// returns its own Ops.
//
// # Codes of problems
//
//   - bad_term: a part of a pool that is not a name and a number
//   - unknown_score: a name that is not an attribute or skill of the character
//   - bad_option: an unknown mode, or a number out of its bounds
//   - bad_formula: a derived field that cannot be computed
//   - bad_rule: a permission with an invalid path, command or actor
//   - unknown_pass: a name that is not in [Passes]
package memvars
