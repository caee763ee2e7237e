// Package campaign plays role-playing campaigns: turn by turn, with a model that
// proposes and an engine that decides.
//
// # A campaign in one piece
//
// [Content] is what authors write (books, rules, hooks, a card). [Compile] checks it once,
// and the [Game] serves any number of campaigns. A [Setup] is how one of them begins. An
// [Engine] plays them with a model and a store; without a store they are kept in memory:
//
//	g, problems := campaign.Compile(campaign.Content{Books: books, Rules: rules})
//	engine, err := campaign.New(campaign.Config{Game: g, Model: model})
//	_, err = engine.Create(ctx, campaign.Setup{ID: "greyhaven", Characters: party})
//	outcome, err := engine.Turn(ctx, "greyhaven", campaign.Submit{Text: "I open the door."})
//	if err = cmp.Or(err, outcome.Err()); err == nil {
//		fmt.Println(outcome.Turn.Text)
//	}
//
// Package campaign/imports makes content and a setup of a character card, a world of another
// program, or its chats. [Engine.Explain] says why lore and rules do
// what they do.
//
// [Engine.Stream] yields the same turn as it happens; players read the text while the model
// writes it where the setting conflict.intercept_output is off, see [Provisional]. Every other instruction goes through
// [Engine.Do]: back to a checkpoint ([turn.RollBack]), another answer to the same line
// ([turn.Regenerate]), a settings patch, a button of the host's. [Engine.Fork] starts another
// campaign from any turn that was played in it, [Engine.Rebuild] plays the whole log again and compares, [Engine.Repair]
// mends what differs or cannot be read. [Engine.History] shows what was played, page by page,
// [Engine.Compare] what lies between two turns.
//
// # More packages
//
// This package names the types that a host writes every day. They belong to four packages, which
// have the rest; each of them uses only those above it in this list:
//
//	campaign/state   the nouns: a campaign, its state, characters, the map, turns
//	campaign/tool    what a model may ask for: tools, calls, how they are judged
//	campaign/game    what authors give: content, and the game that it is compiled to
//	campaign/turn    what happens: the machine, its instructions, outcomes, records
//
// # Steps
//
// [Engine.Do] carries an instruction out in one process. A host that has a queue, or an engine for
// workflows, takes its steps one by one with [Engine.Step], each in any process: package
// campaign/turn. campaign/temporal, a module of its own, does so on Temporal.
//
// # Where campaigns are kept
//
// A [Store] keeps the log and now and then a snapshot, as bytes. There is one in memory
// ([MemoryStore]), one in a file of SQLite and one on PostgreSQL (campaign/sqlstore,
// a module of its own); one of your own takes three methods, and campaign/storetest
// examines it. [Config.Codec] compresses ([Deflate]) or encrypts what a store gets. What a
// store can do beside playing, to list, delete and trim, is its [Catalog]; a [Meter] counts
// what it holds, and [Engine.Forks] lists what was forked from what. [Engine.Export] and
// [Engine.Import] move a campaign from one store to another. [Engine.Watch] follows a campaign
// that another process plays; [Engine.Post] leaves an instruction to the processes that
// [Engine.Serve].
//
// What is loaded and held in memory is the head: the state, the settings, and the turns that
// prompts can use. It does not grow with the campaign, nor does a snapshot, nor what a turn
// costs. What lies behind is read in the log when it is wanted: see package turn.
//
// # Tests of games
//
// Package campaign/campaigntest plays games with a scripted model, in Go or from text files, and
// says why what had to come did not. It explores them at random, and scores models.
//
// # What was said long ago
//
// [Config.Memory] finds it again: package campaign/memory has an index of words, which is
// all that most campaigns need:
//
//	engine, err := campaign.New(campaign.Config{
//		Game: g, Store: &MemoryStore{}, Model: model, Memory: &memory.Index{},
//	})
//
// What belongs to the player's line stands in the prompts of scenes and actions then, up to
// the setting memory.max_tokens; the trace of the turn says what was given and why some of it
// is not shown. Nothing is shown of turns that were undone, whatever a memory believes. What it
// gave is in the log, so that playing it again needs no memory.
//
// # Several players
//
// The setting turn.order says which member of the party may act: "free" any member, "round_robin" one
// after the other, "active_actor", the default, only the selected one. A host with several players
// sets it; [state.Setup.Vet] warns where it is missing. Submission.ActorID says whose line it is.
//
// # Who knows what
//
// A submission may name those who hear it (Submission.Audience), and a law of the world, an
// entry of lore, a memory and a part of the summary those who know of it. The setting
// visibility.mode says what prompts do with that, see package audience: in strict mode no prompt
// has anything in it that the acting character does not know. The first turn that only some hear
// makes its campaign strict, unless the host has set a mode. Outcomes and the stream say
// who may see them, Outcome.ForPlayers returns what a player may read of an outcome, and
// Campaign.TurnsFor lists what a character has heard.
//
// # People in the loop
//
// A tool may want people to approve its calls, and the setting tools.approval may want it of
// all tools. A turn with such calls then stops before anything counts, and its outcome is
// "awaiting_approval". The question is part of the campaign: [Engine.Pending] shows it, and
// [turn.Approve] answers it in any process. [Config.Approver] answers at once.
//
// # Several characters
//
// [game.Content.Cast] lists characters that the model plays. A line is then answered by none, one or
// more of them, in one turn: the setting cast.order says who (natural: who is named, and who feels
// like it; list; manual; pooled), [state.Submission.Speaker] calls one, muted or not, and
// [turn.Proceed] lets the cast go on without the player, as often as cast.auto_replies says.
// Each has a prompt of its own, in which {{char}} is its name and {{group}} are all, and whose cards
// are there is what cast.cards says. Each reply is judged by itself, and the next speaker finds what
// it has changed. One that stays wrong is left out; if all do, a person decides.
// [state.Turn.Replies] tells who said what, and the trace of the turn why.
//
// # Watching
//
// [Config.Observe] is told what instructions do while they do it: phases and their times, requests
// and what they cost, refusals, contradictions, commits. Package observe has the moments and an
// observer that writes to slog, the module campaign/otel makes spans and metrics. It cannot change a turn.
//
// # Errors
//
// Three channels. Mistakes of authors: the problems of [game.Compile] and the joined error
// of [turn.Begin], all at once, each with its place. Mistakes of the model: data in the
// [state.Attempt] records, sent back to the model. Failures of the environment: an Outcome
// "failed" with a [*turn.Failure] that says what failed and whether a retry helps, and Go
// errors for the store ([ErrNotFound], [ErrDeleted], [ErrVersionConflict], [ErrExists], and
// [ErrUnavailable], where a retry helps), [ErrLeaseLost] where another process has taken the
// campaign over, and [ErrDamaged] for an export that is not whole. [turn.Outcome.Err] is all of
// that for one outcome. Instructions other than Submit that cannot be carried out return a
// [*state.Refusal], and what has no JSON form is [turn.ErrInvalidInput].
//
// # Concurrency
//
// A Game is immutable. An Engine is safe for concurrent use; a campaign runs one
// instruction at a time, and the setting turn.concurrency says whether a second
// one is refused or waits. An instruction that may be sent twice carries an id, see [turn.Once]: then it is
// carried out once. Several processes may share a store: each looks for what
// the others have committed before it begins, each write names the version that it
// follows on, and a lost race changes nothing. An answer of the store that is lost is
// looked up before a turn is called failed.
//
// Where the store is a [Desk], as that on PostgreSQL is, one process at a time plays a
// campaign: the others wait or refuse by the same setting, so that no two pay for the same
// turn. A process that stands still for longer than [Config].Lease loses the campaign: its
// call of the model ends, its late commit is refused, and the turn fails as
// [turn.LeaseLost], which a retry mends. Where the store is a [Ledger] too, an answer that
// had arrived is not paid for again, of whom it was: see there. A Machine
// belongs to one goroutine. A [state.Campaign], [state.State] or [state.Turn] that you were given never
// changes; treat its slices and maps as read-only.
package campaign
