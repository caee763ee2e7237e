// Package turn defines the turn of a campaign as a deterministic step machine, the instructions
// that the machine runs, and the records that they write. Package campaign runs the machine with a
// model and a store. A test or a workflow engine can run it directly and needs nothing else:
//
//	c, err := turn.Begin(g, setup)
//	m := turn.NewMachine(g, c)
//	err = m.Step(turn.Submit{Text: "I open the door."})
//	todo := m.Todo() // generate this request, commit this record, show this text …
//
// # What happens in a turn
//
//	idle ─ Submit ─► prompting ─► generating ─► adjudicating ─► settling ─► committing ─► idle
//	                                  ▲              │  ▲
//	                                  └── retrying ◄─┤  │     refused calls, contradictions
//	                                                 ▼  │
//	                                               approving  people are asked about calls
//
// Acceptance. A submission is refused (an [Outcome] with a [state.RefusalCode]) or it becomes a
// turn. Then the settings are frozen, and the undo window of a rollback closes.
//
// Prompting. Hooks run for the new turn. The player's own variable commands are applied, and
// modules open and close by the player's words. Countdowns advance by the time that the host
// reports. Rules and reactions run for the countdowns that end, and then for "turn:accepted". The
// memory returns passages of long ago. The world book activates the entries that fit the talk. Then
// the prompt is assembled within its budget: the blocks of the dialog type, card, lore, directives,
// hook injections, history, the player's line. Package prompt lays the prompt out by [game.Layout],
// or by a layout of the content. That is a layout of its own, a SillyTavern preset, the template of
// a text-completion model, or the shape for a provider. The texts of authors are templates.
// Variables that they set with setvar are stored in [state.State].Macros. History, model-made lore
// and feedback are data.
//
// Adjudicating. The answer is prose, with or without tool calls. It may be prose, JSON, or JSON
// with prose, a code fence or thoughts around it. Everything that an answer can enlarge is limited,
// first by [MaxReplyBytes]. Each call is judged on the state after the accepted calls before it. A
// refused call is returned to the model with a reason. Then the narration is compared with the
// state. If it reports wounds that were not dealt or places that were not entered, the model is
// asked again. The request has the quote and the tool that would make it true. Refusals and
// contradictions share one budget of re-generations. Each request begins with the request before
// it, byte for byte. A re-generation undoes everything that the rejected output staged. When the
// budget is used up, a person decides ([ResolveConflict]).
//
// Approving. If a tool or the setting tools.approval requires it, people are asked about the calls
// of an output that has passed. The question is committed, so the turn waits in the campaign and a
// machine of any process can continue it. The turn continues with the approved calls, with edited
// calls, or with a new output of the model ([Approve], [Discard]). Edited calls are judged again. A
// new output is requested with the reasons of the denials.
//
// Settling. The engine applies what the text asks for in the dialects of [game.Rules.Dialects]:
// variable commands, directives such as [hp_potions: -1], marked passages, the host's own dialects.
// Text that was understood is removed from the text for players. Refusals are reported to the model
// in the next prompt, which also says how to write what is open ([game.Dialect]). Then time passes,
// and rules, reactions and hooks run with all their consequences, within a limit. If the limit is
// reached, this is reported. Then come the end of the campaign, the milestone, and the choice of
// the next actor.
//
// A cast. If [game.People.Cast] has several characters, the speakers of a turn are chosen once,
// after the player's line was processed (see package campaign/cast). The stops from the lore to the
// judgement run for each speaker, with a separate request and a separate budget. The changes that a
// reply asks for, and the rules that follow, are settled before the prompt of the next speaker.
// Whatever happens once in a turn, such as the passage of time, comes after all have spoken.
//
// Other answers. A second answer to the newest line can be requested: [Regenerate] plays the line
// again on the state before it, and the campaign keeps both answers. [Choose] switches between
// them, and the state switches too. The next line accepts the chosen answer. After that the other
// answers can still be read ([state.Campaign.Turn]) but no longer chosen. [Continue] asks for more
// of the newest answer: both parts are judged as one output, and the longer turn replaces the old
// one. [EditText] replaces a text by hand and changes no state.
//
// Without a line. [Proceed] is a turn without a line. [Suggest] asks, outside the story, for
// possible actions or lines of the player. Nothing of it is stored.
//
// Committing. One [Record] holds the inputs of the machine and the changes. Nothing is shown before
// the store has it.
//
// # What is authoritative
//
// Hit points, places and life states are fields of [state.Character]; only accepted effects change
// them. Rules, reactions, conditions, formulas and macros see them as the variables hp.<id>,
// max_hp.<id>, area.<id> and alive.<id>. They can watch them ("hp.mara drops below 5"), read them,
// and write them within the same bounds. These variables are views of the character, even if
// variables of the same name are declared. Do not use these names for your own variables, and do
// not declare them.
//
// Variables are declared in [game.Rules.Variables]. A declaration applies everywhere: to rules,
// reactions, hooks and tools, to the variable commands of the player and of the model in every
// dialect, and to the setup. Variables have their defaults, and formulas their values, from the
// first turn. A model sees only what it may see: internal variables, variables of aiAccess none and
// inactive variables are in no request to it. What authors write sees everything: conditions of
// rules and entries, formulas, and the macros in cards, lore and directives.
//
// There is one interpreter of effects. rules.Program.Apply applies effects on variables and
// switches. This package applies effects on characters, prompt and book. All other effects (a
// notice, a sound, a memory, a workflow, your own types) are delivered to the host after the
// commit, each at most once. If a process dies between the commit and the delivery, the turn is
// committed but its effects are not delivered. [campaign.Engine.Handover] yields them again.
//
// # The machine
//
// [Machine] is the turn as a deterministic step machine. [Machine.Step] takes an instruction or an
// answer. [Machine.Todo] returns the next action: ask a router, run hooks, generate, ask a judge,
// commit. One table in course.go has the order of a turn, top to bottom. [Machine.Stop] returns the
// present row of a machine, and [Machine.String] returns a text for bug reports. The machine uses
// no clock, no random source, no network and no disk: times come with the instructions, chance from
// the campaign's seed. The engine is a loop around it. A host with its own workflow engine writes
// that loop itself.
//
// The log keeps every input, so [campaign.Rebuild] needs no model: the same inputs give the same
// campaign, byte for byte. The log also keeps every change, so [campaign.Restore] needs no content:
// a campaign can be read even when its books and rules are gone.
//
// A process that dies in the middle of a turn has lost nothing that was committed; submit the turn
// again, with the same ClientTurnID, in any process. Hosts that want to continue in the middle of a
// turn store [Machine.Journal].
//
// # The head and the log
//
// A [state.Campaign] is the head. It holds as many of the newest turns as a prompt can use by the
// budget, the settings, the depths of the lore and the summaries. It does not hold the states of
// checkpoints. Only if a prompt has no limit, with full context and no [prompt.Budget], it holds
// all turns. Everything else is in the log, which a machine does not have. If an instruction needs
// more, the machine asks with [Todo.Past]. A rollback or a switch of branches needs a state. A turn
// needs older turns because of a setting or after a rollback. A memory needs the turn that it is
// about. [ReadPast] answers from any log; an engine reads only what is asked.
//
// The answer of the log is not an input and is not recorded, because the log always gives the same
// answer. So a record contains only what happened, and a machine need not ask for turns that it
// played itself. Two machines that hold different parts of the past write the same prompt.
//
// The number of held turns is decided when a turn is committed. It is in the record
// ([state.Campaign.TurnsHeld]), so reading a log needs no game. Every 64th record also stores the
// full head ([Record.Head]). Reading the state of any version starts at such a record, not at the
// beginning of the log. If the head is large, such records are rarer: they add at most 512 bytes
// per record.
//
// # Errors
//
// [Machine.Step] returns [ErrUnexpectedInput] for an answer to a question that was not asked, and
// [ErrInvalidInput] for an input without a stored form. An instruction that cannot be run returns a
// [*state.Refusal]. A replay with a different result returns [ErrDiverged], as a
// [*state.RepairDifference]. [Outcome.Err] returns [ErrApproval] or [ErrConflict] if people have to
// decide.
//
// # Concurrency
//
// A [Machine] belongs to one goroutine. The values that it takes and returns are never changed
// afterwards.
package turn
