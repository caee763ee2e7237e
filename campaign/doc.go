// Package campaign plays role-playing campaigns: turn by turn, with a model that
// proposes and an engine that decides.
//
// # A campaign in one piece
//
// Content is what authors write (books, rules, hooks, a card); [Compile] checks it
// once, and the [Game] serves any number of campaigns. A [Setup] is how one of them
// begins. An [Engine] plays them with a model and a store:
//
//	game, problems := campaign.Compile(campaign.Content{Books: books, Rules: rules})
//	engine, err := campaign.NewEngine(campaign.Config{
//		Game: game, Store: &memstore.Store{}, Model: model,
//	})
//	_, err = engine.Create(ctx, campaign.Setup{ID: "greyhaven", Characters: party})
//	outcome, err := engine.Turn(ctx, "greyhaven", campaign.Submit{Text: "I open the door."})
//	if err = cmp.Or(err, outcome.Err()); err == nil {
//		fmt.Println(outcome.Turn.Text)
//	}
//
// Package campaign/imports makes content and a setup of a character card, or of a world
// of another program. [Engine.Explain] says why lore and rules do what they do.
//
// [Engine.Stream] yields the same turn as it happens. [Engine.Rollback] and
// [Engine.UndoRollback] go back and return, [Engine.Fork] starts another campaign
// from any turn, [Engine.Rebuild] plays the whole log again and compares. Every
// other instruction, from a settings patch to a button of the host's, goes through
// [Engine.Do].
//
// # What happens in a turn
//
//	idle ─ Submit ─► prompting ─► generating ─► adjudicating ─► settling ─► committing ─► idle
//	                                  ▲              │
//	                                  └── retrying ◄─┘  refused calls, contradictions
//
// Acceptance. A submission is refused (an [Outcome] with a [RefusalCode]) or it
// becomes a turn: the settings are frozen, the undo window of a rollback closes.
//
// Prompting. Hooks hear of the turn, the player's own variable commands are carried
// out, modules open and close by the player's words, countdowns go on by the time that
// the host says has passed, rules and reactions hear of those that end and then
// "turn:accepted", the world book lights up what the
// talk touches, and the prompt is assembled within its budget: the blocks of the
// dialog type, card, lore, directives, hook injections, history, the player's line.
// Package prompt lays it out, by [Layout] or by what the content names: a layout of its
// own, a SillyTavern preset, the template of a text-completion model, the shape that a
// provider wants. The texts of authors are templates, whose setvar lives on in
// [State].Macros; history, model-made lore and feedback are data.
//
// Adjudicating. The answer is prose, with or without tool calls. Each call is judged
// on the state that the accepted ones before it left; what is refused goes back to
// the model with a reason. The answer may be prose, JSON, or JSON with prose, a code
// fence or thoughts around it; what it can make grow has bounds, which begin with
// [MaxReplyBytes]. Then the narration is compared with the state: whoever
// tells of wounds that were not dealt or of places that were not entered is asked
// again, with the quote and the tool that would settle it. Refusals and
// contradictions share one budget of re-generations; each request begins with the
// one before, byte for byte. A re-generation undoes everything that the rejected
// output staged. When the budget is gone, a person decides ([ResolveConflict]).
//
// Settling. What the text asks for in the languages of [Content.Dialects]: variable
// commands, directives such as [hp_potions: -1], marked passages, a host's own. What was
// understood is cut from what players see; what is refused is told to the model in the
// next prompt, which also says how to write what is open ([Dialect]). Then the passage
// of time, rules, reactions and hooks with everything that follows from them, within a
// bound that is reported when it cuts; the end of the campaign, the milestone, whose
// turn is next.
//
// Committing. One [Record] holds what the machine was told and what changed. Nothing
// is shown before the store has it.
//
// # What is authoritative
//
// Hit points, places and life states are fields of [Character]; nothing but
// accepted effects changes them. Rules, reactions, conditions, formulas and macros
// know them as the variables hp.<id>, max_hp.<id>, area.<id> and alive.<id>: they can
// watch them ("hp.mara drops below 5"), read them, and write them within the same
// bounds. These are views on the character, also beside declared variables. Do not use
// the names for variables of your own, and do not declare them.
//
// Variables are declared in [Content.Variables], and what is declared there holds for
// everybody: for rules, reactions, hooks and tools, for the variable commands of the
// player and of the model in whichever language, and for the setup. They have their
// defaults, and formulas their values, from the first turn. A model is shown what it
// may see and nothing else: internal variables, those of aiAccess none and inactive
// ones are in no request to it. What authors write sees everything: conditions of rules
// and entries, formulas, and the macros in cards, lore and directives.
//
// There is one interpreter of effects. What concerns variables and switches is
// rules.Program.Apply; what concerns characters, prompt and book is carried out
// here; everything else (a notice, a sound, a memory, a workflow, your own types)
// is handed to the host after the commit, each at most once: a process that dies
// between the commit and the hand-over has played the turn without them, and
// [Engine.Handover] yields them again.
//
// # The machine underneath
//
// [Machine] is the turn as a deterministic step machine: [Machine.Step] takes an
// instruction or an answer, [Machine.Todo] says what is wanted next (ask a router,
// run hooks, generate, ask a judge, commit). The order of a turn stands in one table, top
// to bottom, in course.go; [Machine.Stop] says at which row a machine is, and
// [Machine.String] what a bug report should hold. It touches no clock, no random source,
// no network and no disk: times come in with the instructions, chance from the
// campaign's seed. The engine is a loop around it, and a host with a workflow engine
// of its own writes that loop itself.
//
// The log keeps every input, so [Rebuild] needs no model: the same inputs give the
// same campaign, byte for byte. The log also keeps every change, so [Restore] needs
// no content: a campaign can be read even when its books and rules are gone.
//
// A process that dies in the middle of a turn has lost nothing that was committed;
// submit the turn again, with the same ClientTurnID, in any process. Hosts that want
// to go on in the middle keep [Machine.Journal].
//
// # Where campaigns are kept
//
// A [Store] keeps the log and now and then a snapshot, as bytes. There is one in memory
// (campaign/memstore), one in a file of SQLite and one on PostgreSQL (campaign/sqlstore,
// a module of its own); one of your own takes three methods, and campaign/storetest
// examines it. [Config.Codec] compresses ([Deflate]) or encrypts what a store gets. What a
// store can do beside playing, to list, delete and trim, is its [Catalog].
//
// # Errors
//
// Three channels. Mistakes of authors: the problems of [Compile] and the joined error
// of [New], all at once, each with its place. Mistakes of the model: data in the
// [Attempt] records, sent back to the model. Failures of the environment: an Outcome
// "failed" with a [*Failure] that says what failed and whether a retry helps, and Go
// errors for the store ([ErrNotFound], [ErrDeleted], [ErrVersionConflict], [ErrExists], and
// [ErrUnavailable], where a retry helps).
// [Outcome.Err] is all of that for one outcome. Instructions other than Submit that
// cannot be carried out return a [*Refusal], and what has no JSON form is
// [ErrInvalidInput].
//
// # Concurrency
//
// A Game is immutable. An Engine is safe for concurrent use; a campaign runs one
// instruction at a time, and the setting turn.concurrency says whether a second
// submission is refused or waits. Several processes may share a store: each looks for what
// the others have committed before it begins, each write names the version that it
// follows on, and a lost race changes nothing. An answer of the store that is lost is
// looked up before a turn is called failed. A Machine
// belongs to one goroutine. A [Campaign], [State] or [Turn] that you were given never
// changes; treat its slices and maps as read-only.
package campaign
