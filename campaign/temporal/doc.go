// Package temporal plays campaigns on Temporal, for hosts that run it already: an instruction is a
// workflow, each of its steps an activity, and any worker of a task queue takes any step.
//
// A turn whose worker is killed in the middle of a call of the model is finished by another one. An
// answer that had arrived is not paid for again, where the store is a [campaign.Ledger]; the
// record is committed once, with every store.
//
// # Workers
//
// A worker is a process with an engine. All workers of a task queue have the same game, and stores
// that lead to the same campaigns (PostgreSQL, for instance):
//
//	w := worker.New(c, "campaigns", worker.Options{})
//	err := temporal.Register(w, temporal.Worker{Engine: engine})
//	err = w.Run(worker.InterruptCh())
//
// # Players
//
// Whoever has a connection plays, also a process without an engine or a store:
//
//	player := temporal.Client{Temporal: c, TaskQueue: "campaigns"}
//	outcome, err := player.Submit(ctx, "greyhaven", turn.Submit{Text: "I open the door."})
//
// It is what [campaign.Engine.Turn] returns. [Client.Do] carries out every other instruction,
// [Client.Cancel] ends one that runs, [Client.Progress] says how far it is. Campaigns are created
// with the engine, which also plays beside the workers, if a host wants that: who comes second is
// refused or told that another writer was faster.
//
// # What Temporal keeps
//
// A workflow has the id "campaign/" and that of the campaign, so that a campaign carries out one
// instruction at a time. It holds the journal of the instruction ([journal.Journal]) and nothing of
// the campaign: an activity loads that, goes where the journal leads, does one thing and returns
// what there is to add. What is long stays in the store where that is a [campaign.Ledger], so that
// a history stays far below its limits however long the answers are; without one, answers of
// many hundred kilobytes are more than Temporal takes. There is one workflow for each instruction:
// nothing runs for so long that it would have to go on as new, or be migrated.
//
// Histories hold what players and the model say, for as long as the namespace retains them. A
// connection with a converter that encrypts keeps it from whoever runs the server.
//
// # People who approve
//
// A turn that waits for people waits in the store, for days if need be, and not in a workflow: the
// outcome of its submission is [turn.Waiting], and the answer ([turn.Approve]) is an instruction
// like others, for [Client.Do] or for an engine. [Options.AnswerWithin] sets a durable timer that
// discards a turn about which nobody has decided.
//
// # What fails
//
// Steps are taken again while the store cannot be reached, while another process holds the campaign,
// and when a worker has died, for [Options.Patience]. A model that says that a retry helps is asked
// again after the time that it wants, without keeping a worker busy ([Options.ModelRetries]). What
// does not go away by waiting is an outcome, or an error: [campaign.ErrNotFound],
// [campaign.ErrDeleted], [turn.ErrInvalidInput], [turn.ErrDiverged], a [*state.Refusal], and
// [campaign.ErrUnavailable] when patience is over. Those errors come to clients as they left the
// engine.
//
// A call of the model whose worker died before the answer came may have been paid for. It is made
// again, or with [campaign.Config].PayOnce the turn fails as [failure.CallLost] instead.
package temporal
