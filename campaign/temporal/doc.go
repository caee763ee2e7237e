// Package temporal plays campaigns on Temporal, for hosts that run it already: an instruction is a
// workflow, each of its steps an activity, and any worker of a task queue takes any step.
//
// A turn whose worker is killed in the middle of a call of the model is finished by another one. An
// answer that had arrived is not paid for again, where the store is a [campaign.Ledger]: neither of the model
// nor of the router, the judge, the memory, the retriever, the summarizer and the tools that ask outside. The
// record is committed once, with every store.
//
// # Workers
//
// A worker is a process with an engine. All workers of a task queue have the same game, and stores
// that lead to the same campaigns (PostgreSQL, for instance):
//
//	w := worker.New(c, "campaigns", temporal.WorkerOptions())
//	err := temporal.Register(w, temporal.Worker{Engine: engine})
//	err = w.Run(worker.InterruptCh())
//
// [WorkerOptions] let a worker that is stopped finish the call of the model that it has begun. Without
// them every deployment pays for some calls twice. The grace period of the platform, 30 seconds in
// Kubernetes unless it is set, has to be longer.
//
// # Deploying other content
//
// A turn on its way goes on with the content of the worker that takes its next step. If that leads the journal to another
// question, the step fails as [turn.ErrDiverged] and is tried again, for a worker with the old content may
// be there. If it does not, the turn is committed: its record then tells what was played, and [campaign.Engine.Rebuild] with
// either content may differ. So let no turn meet two contents: give each version of the content a task
// queue of its own, send new instructions to the new one, and stop the old workers when their queue is empty. A
// changed engine of the same content needs no such care where turn.Behaviour is the same.
//
// # How long taking over lasts
//
// A step whose worker dies is given to another one when [Options.Heartbeat] is over, or earlier if the connection
// is known to be gone. Where the store is a [campaign.Desk], that one waits for the lease of the dead one:
// [campaign.Config].Lease, 20 seconds unless it is set, counted from its last renewal. A lease of 3 seconds,
// a heartbeat of 3 seconds and [WorkerOptions] let players wait some 5 seconds; a short lease costs one
// statement a third of it while a turn runs.
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
// instruction at a time. It holds the journal of the instruction ([turn.Journal]) and nothing of
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
// again, or with [campaign.Config].PayOnce the turn fails as [turn.CallLost] instead. The call is noted before
// it is made, so that such a turn also fails if the worker died between the two and nothing was paid.
// PayOnce is about calls of the model. Another function of the host that had not answered is asked again.
package temporal
