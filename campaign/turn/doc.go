// Package turn is what happens in a campaign: the turn as a deterministic step machine, the
// instructions that it carries out, and the records that it leaves. Package campaign runs it
// with a model and a store; whoever wants to run it himself, in a test or in an engine for
// workflows, needs nothing else:
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
// Acceptance. A submission is refused (an [Outcome] with a [state.RefusalCode]) or it
// becomes a turn: the settings are frozen, the undo window of a rollback closes.
//
// Prompting. Hooks hear of the turn, the player's own variable commands are carried
// out, modules open and close by the player's words, countdowns go on by the time that
// the host says has passed, rules and reactions hear of those that end and then
// "turn:accepted", the memory gives back what was said long ago, the world book activates the
// entries that the talk is about, and the prompt is assembled within its budget: the blocks of the
// dialog type, card, lore, directives, hook injections, history, the player's line.
// Package prompt lays it out, by [game.Layout] or by what the content names: a layout of its
// own, a SillyTavern preset, the template of a text-completion model, the shape that a
// provider wants. The texts of authors are templates, whose setvar lives on in
// [state.State].Macros; history, model-made lore and feedback are data.
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
// Approving. Where a tool or the setting tools.approval wants it, people are asked about the
// calls of an output that has passed. The question is committed, so that the turn waits in the
// campaign, and a machine of any process goes on with it: as approved, with edited calls,
// which are judged again, or with another output of the model, which hears why calls were
// denied ([Approve], [Discard]).
//
// Settling. What the text asks for in the languages of [game.Content.Dialects]: variable
// commands, directives such as [hp_potions: -1], marked passages, a host's own. What was
// understood is cut from what players see; what is refused is told to the model in the
// next prompt, which also says how to write what is open ([game.Dialect]). Then the passage
// of time, rules, reactions and hooks with everything that follows from them, within a
// bound that is reported when it cuts; the end of the campaign, the milestone, whose
// turn is next.
//
// A cast. Where [game.Content.Cast] has several characters, the speakers of a turn are chosen once,
// when the player's line has been heard (see package campaign/cast), and the stops from the lore to
// the judgement are passed for each of them: a request of its own, a budget of its own. What a reply
// asks for and what rules make of it is settled before the next speaker's prompt; what happens once
// in a turn, such as the passage of time, comes when all have spoken.
//
// Other answers. The answer to the newest line may be asked for again: [Regenerate] plays
// the line once more on the state before it, and the campaign keeps both answers. [Choose]
// goes from one to the other, and the state goes with it. The next line accepts the answer
// that is chosen; the others can be read ([state.Campaign.Turn]) and chosen no more. [Continue]
// asks for more of the newest answer: both parts are judged as one output, and the turn is
// replaced by the longer one. [EditText] replaces a text by hand, and changes no state.
//
// Without a line. [Proceed] is a turn in which nobody said anything. [Suggest] asks beside the
// story what the player could do or say; nothing of that stays.
//
// Committing. One [Record] holds what the machine was told and what changed. Nothing
// is shown before the store has it.
//
// # What is authoritative
//
// Hit points, places and life states are fields of [state.Character]; nothing but
// accepted effects changes them. Rules, reactions, conditions, formulas and macros
// know them as the variables hp.<id>, max_hp.<id>, area.<id> and alive.<id>: they can
// watch them ("hp.mara drops below 5"), read them, and write them within the same
// bounds. These are views on the character, also beside declared variables. Do not use
// the names for variables of your own, and do not declare them.
//
// Variables are declared in [game.Content.Variables], and what is declared there holds for
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
// [campaign.Engine.Handover] yields them again.
//
// # The machine
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
// The log keeps every input, so [campaign.Rebuild] needs no model: the same inputs give the
// same campaign, byte for byte. The log also keeps every change, so [campaign.Restore] needs
// no content: a campaign can be read even when its books and rules are gone.
//
// A process that dies in the middle of a turn has lost nothing that was committed;
// submit the turn again, with the same ClientTurnID, in any process. Hosts that want
// to go on in the middle keep [Machine.Journal].
//
// # The head and the log
//
// A [state.Campaign] is the head: it holds the newest turns, as many as a prompt can use by
// the budget, the settings, the depths of the lore and the summaries, and not the states of
// checkpoints. Only where a prompt has no bound, with full context and no [prompt.Budget], it
// holds all turns. Everything else is in the log, which a machine does not have. It asks,
// [Todo.Past], where an instruction needs more: a rollback or another branch a state, a turn
// the words of long ago that a setting or a rollback wants back, a memory the turn that it is
// about. [ReadPast] answers from any log; an engine reads only what is asked.
//
// What the log says is no input, and is not recorded: it says the same to everybody who asks
// again. So a record stays as small as what happened, and what a machine has at hand anyway (it
// played it itself) it need not ask. That two machines which hold different parts of the past
// write the same prompt is held by TestPromptIsThatOfTheWholePast.
//
// How many turns are held is decided when a turn is committed and stands in the record
// ([state.Campaign.TurnsHeld]), so that to follow a log takes no game. One record in 64 has the
// whole head ([Record.Head]): the state as of any version costs a walk from there, and not from
// the beginning. Where the head is large they are rarer; they add at most 512 bytes a record.
//
// # Files
//
// course.go is the order of everything. Its rows are steps of the rooms below internal: preparing,
// asking, judging, approving, speaking and settling, which work on the turn in the making, of room
// play. An instruction stands in a file of its own, instruction_….go, and in the table of
// instructions.go; the answers to what a machine asks are in answers.go, the ways in which a turn
// ends in ending.go.
//
// What calls, commands, effects and rules do to the campaign happens on a stage, in the room of that name.
// adjudicate judges calls, verdict says what is wrong with an answer.
//
// What a request is made of stands in rooms that read a turn and change nothing of it: view is what can
// be read of it, window the past that it looks back at, as a chat; scripting runs scripts and macros over
// its texts, blocks writes what the engine itself has to say, and assembly makes the request. hookevent is
// what hooks hear. opening begins campaigns, logbook reads records without a game.
//
// # Errors
//
// [Machine.Step] refuses an answer that nobody asked for with [ErrUnexpectedInput] and what has no
// stored form with [ErrInvalidInput]; an instruction that cannot be carried out is a [*state.Refusal].
// A replay that leads elsewhere is [ErrDiverged], as a [*state.RepairDifference]. [Outcome.Err] is
// [ErrApproval] or [ErrConflict] where a person is asked.
//
// # Concurrency
//
// A [Machine] belongs to one goroutine. The values that it takes and returns are never
// changed afterwards.
package turn
