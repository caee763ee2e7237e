// Package campaign plays role-playing campaigns turn by turn. A model proposes and an engine
// decides.
//
// # A first campaign
//
// [Content] is what authors write, in five groups: [Lore] (books), [People] (cards), [Rules],
// [Prompt] (presets) and [Extensions]. [Compile] checks it once, and the
// resulting [Game] serves any number of campaigns. A [Setup] describes how one campaign begins. An
// [Engine] plays campaigns with a model and a store. Without a store it keeps them in memory:
//
//	g, problems := campaign.Compile(campaign.Content{
//		Lore:  campaign.Lore{Books: books},
//		Rules: campaign.Rules{Rules: rules},
//	})
//	engine, err := campaign.New(campaign.Config{Game: g, Model: model})
//	_, err = engine.Create(ctx, campaign.Setup{ID: "greyhaven", Characters: party})
//	outcome, err := engine.Turn(ctx, "greyhaven", campaign.Submit{Text: "I open the door."})
//	if err = cmp.Or(err, outcome.Err()); err == nil {
//		fmt.Println(outcome.Turn.Text)
//	}
//
// Package campaign/imports makes content and a setup from a character card, from a world of a
// different program, or from its chats. [Engine.Explain] explains why lore and rules act as they
// do.
//
// [Engine.Stream] yields the same turn as it happens. With the setting conflict.intercept_output
// off, players read the text while the model writes it, see [Provisional]. [Engine.Do] runs every
// other instruction: a return to a checkpoint ([turn.RollBack]), a second answer to the same line
// ([turn.Regenerate]), a settings patch, a button of the host. [Engine.Fork] starts a second
// campaign from any turn that was played in this one. [Engine.Rebuild] plays the whole log again
// and compares the results. [Engine.Repair] repairs what differs or cannot be read.
// [Engine.History] returns the played turns page by page. [Engine.Compare] returns the differences
// between two turns.
//
// # More packages
//
// This package names the types that a host uses every day. They belong to four packages, which
// contain the rest. Each of these packages imports only those above it in this list:
//
//	campaign/state   the nouns: a campaign, its state, characters, the map, turns
//	campaign/tool    what a model may ask for: tools, calls, how they are judged
//	campaign/game    what authors give: content, and the game that it is compiled to
//	campaign/turn    what happens: the machine, its instructions, outcomes, records
//
// # Steps
//
// [Engine.Do] runs an instruction in one process. A host with a queue or a workflow engine can run
// the steps of an instruction one by one with [Engine.Step], each in any process: see package
// campaign/turn. The separate module campaign/temporal does this on Temporal.
//
// # Storage
//
// A [Store] stores the log and, from time to time, a snapshot, both as bytes. There is a store in
// memory ([MemoryStore]), one in an SQLite file and one on PostgreSQL (campaign/sqlstore, a
// separate module). These are a [Cluster]: several processes may share them. You can write a store
// of your own, which need not be a Cluster; campaign/storetest tests it. [Config.Codec] compresses
// ([Deflate]) or encrypts the data of a store. [Engine.Forks] lists the forked campaigns and their
// origins. [Engine.Export] and [Engine.Import] move a campaign to a different store. [Engine.Watch]
// follows a campaign that a different process plays. [Engine.Post] queues an instruction for the
// processes that run [Engine.Serve].
//
// Memory holds only the head of a loaded campaign: the state, the settings, and the turns that
// prompts can use. The head, the snapshot and the cost of a turn do not grow with the campaign.
// Older turns are read from the log when they are needed: see package turn.
//
// # Tests of games
//
// Package campaign/campaigntest plays games with a scripted model, in Go or from text files, and
// explains why an expected result did not come. It also explores games at random, and scores
// models.
//
// # Memory of old turns
//
// [Services.Memory] finds what was said long ago. Package campaign/memory has an index of words,
// which is enough for most campaigns:
//
//	engine, err := campaign.New(campaign.Config{
//		Game: g, Model: model, Services: campaign.Services{Memory: &memory.Index{}},
//	})
//
// The prompts of scenes and actions then contain the memories that belong to the player's line, up
// to the setting memory.max_tokens. With a cast or several players, they name the speakers. The trace of the turn lists what the memory returned, and why
// some of it is not shown. Turns that were undone are never shown, whatever the memory returns. The
// log records what the memory returned, so a replay needs no memory.
//
// # Several players
//
// The setting turn.order says which member of the party may act: "free" any member, "round_robin"
// one after the other, "active_actor", the default, only the selected one. A host with several
// players sets it; [state.Setup.Vet] warns if it is missing. Submission.ActorID says whose line it
// is, and prompts name the speaker of each line.
//
// # Who knows what
//
// A submission may name the characters who hear it (Submission.Audience). A law of the world, an
// entry of lore, a memory and a part of the summary may name the characters who know it. A fact of
// the summary has the member witnesses, a law the member visible_to. An entry of lore has visible_to
// in its extensions:
//
//	{"keys": ["guild"], "content": "Kara has sold Bren.", "extensions": {"visible_to": ["kara"]}}
//
// The setting visibility.mode says how prompts use this, see [state.AudienceMode]. In strict mode a
// prompt contains nothing that the acting character does not know. In the mode common it contains
// nothing that a character who hears the turn does not know. The first turn that only some
// characters hear makes its campaign strict, unless the host has set a mode. Outcomes and the
// stream name the characters who may see them. Outcome.ForPlayers returns the part of an outcome
// that a player may read. Campaign.TurnsFor lists the turns that a character has heard.
//
// # People in the loop
//
// A tool may require people to approve its calls, and the setting tools.approval may require it for
// all tools. A turn with such calls stops before anything takes effect, and its outcome is
// "awaiting_approval". The question is part of the campaign: [Engine.Pending] returns it, and
// [turn.Approve] answers it in any process. [Services.Approver] answers at once.
//
// # Several characters
//
// [game.People.Cast] lists characters that the model plays. Zero or more of them answer a line, in
// one turn. The setting cast.order selects the speakers: natural (characters that the line names,
// and talkative ones), list, manual or pooled. [state.Submission.Speaker] calls one member, muted
// or not. [turn.Proceed] lets the cast continue without the player, as often as cast.auto_replies
// says.
//
// Each speaker has a separate prompt, in which {{char}} is its name and {{group}} all names. The
// setting cast.cards says whose cards the prompt contains. Its last sentence names the speaker
// (CastReply of [game.Texts]), unless a preset or the persona of the dialog type does. Each reply is
// judged separately, and the next speaker sees what it changed. A reply that stays wrong is left out.
// If all replies stay wrong, a person decides. [state.Turn.Replies] lists who said what, and the
// trace of the turn why.
//
// # Observation
//
// [Config.Observe] receives what instructions do while they run: phases and their times, requests
// and their cost, refusals, contradictions, commits. It cannot change a turn. Package observe
// documents the moments and has an observer that writes to slog. The module campaign/otel makes
// spans and metrics.
//
// # Errors
//
// There are three channels. Mistakes of authors are the problems of [game.Compile] and the joined
// error of [turn.Begin]: all at once, each with its place. Mistakes of the model are data in the
// [state.Attempt] records, and are sent back to the model. A failure of the environment is an
// Outcome "failed" with a [*turn.Failure], which says what failed and whether a retry helps.
//
// Go errors report failures of the store: [ErrNotFound], [ErrDeleted], [ErrVersionConflict],
// [ErrExists], and [ErrUnavailable] (a retry helps). [ErrLeaseLost] means that a different process
// has taken over the campaign, and [ErrDamaged] that an export is not complete. [turn.Outcome.Err]
// joins all of this for one outcome. An instruction other than Submit that cannot be run returns a
// [*state.Refusal]. A value without a JSON form is [turn.ErrInvalidInput].
//
// None of these texts is for players. For the Reason of an outcome, and for the Code of a refusal,
// there is a sentence for players in the language of the content:
//
//	shown, _ := outcome.ForPlayers(player)
//	text := engine.Texts().Refusal(shown.Reason)
//
// # Concurrency
//
// A Game is immutable. An Engine is safe for concurrent use. A campaign runs one instruction at a
// time, and the setting turn.concurrency says whether a second one is refused or waits. An
// instruction that may be sent twice carries an ID, see [turn.Once]: it then runs once.
//
// Several processes may share a store. Each process reads what the others have committed before it
// begins, and each write names the version that it follows. A lost race changes nothing. If the
// answer of the store is lost, the engine looks for the entry before it reports a failed turn.
//
// If the store is a [Cluster], as on PostgreSQL, one process at a time plays a campaign. The others
// wait or refuse by the same setting, so two processes never pay for the same turn. A process that
// does not respond for longer than [Sharing].Lease loses the campaign. Its call of the model ends,
// and its late commit is refused. The turn fails as [turn.LeaseLost]; a retry helps. An answer that
// has arrived is not paid for again. [Cluster] describes the behaviour of other stores.
//
// A Machine belongs to one goroutine. A [state.Campaign], [state.State] or [state.Turn] that the
// library returned never changes. Treat its slices and maps as read-only.
package campaign
