// Package temporal runs campaigns on Temporal, for hosts that already use it. An instruction is a
// workflow, and each of its steps is an activity. Any worker of a task queue can run any step.
//
// If a worker is killed during a call of the model, a different worker finishes the turn. If the
// store is a [campaign.Cluster], an answer that had arrived is not paid for again. This covers
// answers of the model, the router, the judge, the memory, the retriever, the summarizer and the
// tools that call other services. With every store, the record is committed once.
//
// # Workers
//
// A worker is a process with an engine. All workers of a task queue have the same game. Their
// stores must give the same campaigns (PostgreSQL, for instance):
//
//	w := worker.New(c, "campaigns", temporal.WorkerOptions())
//	err := temporal.Register(w, temporal.Worker{Engine: engine})
//	err = w.Run(worker.InterruptCh())
//
// With [WorkerOptions], a worker that is stopped finishes a call of the model that is running.
// Without them, every deployment pays for some calls twice. The grace period of the platform must
// be longer than WorkerStopTimeout. In Kubernetes it is 30 seconds by default.
//
// # Deploying changed content
//
// Each step of a running turn uses the content of the worker that runs it. If changed content does
// not fit the journal, the step fails with [turn.ErrDiverged]. It is then retried, because a worker
// with the old content may exist. If changed content does fit, the turn is committed. Its record
// describes what was played, but [campaign.Engine.Rebuild] may give a different result with either
// content. So do not let a turn meet two versions of the content. Give each version its own task
// queue, send new instructions to the new queue, and stop the old workers when their queue is
// empty. A new build of the engine with the same content needs no such care if turn.Behaviour is
// unchanged.
//
// # Duration of a takeover
//
// If a worker dies, its step goes to a different worker after [Options.Heartbeat], or earlier if
// Temporal notices the lost connection. If the store is a [campaign.Cluster], the new worker also
// waits for the lease of the dead one. The lease lasts [campaign.Config].Lease (20 seconds by
// default) from its last renewal. With a lease of 3 seconds, a heartbeat of 3 seconds and
// [WorkerOptions], players wait about 5 seconds. A turn costs one statement per third of the lease.
//
// # Players
//
// Any process with a connection can play, also without an engine or a store:
//
//	player := temporal.Client{Temporal: c, TaskQueue: "campaigns"}
//	outcome, err := player.Submit(ctx, "greyhaven", turn.Submit{Text: "I open the door."})
//
// Submit returns what [campaign.Engine.Turn] returns. [Client.Do] runs any other instruction,
// [Client.Cancel] ends a running one, and [Client.Progress] reports its progress. Campaigns are
// created with the engine. A host may also use an engine directly while workers run. If both play
// the same campaign, the later one is refused or loses the race of the commit.
//
// # What Temporal stores
//
// The ID of a workflow is "campaign/" and the ID of the campaign. So each campaign runs one
// instruction at a time. The workflow holds the journal of the instruction ([turn.Journal]) and
// nothing of the campaign. An activity loads the campaign, replays the journal, does one thing and
// returns the additions to the journal. If the store is a [campaign.Cluster], long data stays in the
// store, and a history stays far below its limits for answers of any length. Without a Cluster,
// answers of many hundred kilobytes exceed the limits of Temporal. Each instruction has its own
// workflow. No workflow runs long enough to need continue-as-new or a migration.
//
// Histories contain texts of players and the model for the retention time of the namespace. To hide
// them from the operator of the server, use a connection with a converter that encrypts.
//
// # Approval by people
//
// A turn that waits for approval waits in the store, possibly for days, and not in a workflow. The
// outcome of its submission is [turn.Waiting]. The answer ([turn.Approve]) is a normal instruction,
// for [Client.Do] or for an engine. [Options.AnswerWithin] sets a durable timer that discards a
// turn without an answer.
//
// # Failures
//
// Steps are retried for [Options.Patience] while the store cannot be reached, while a different
// process holds the lease of the campaign, and after the death of a worker. If a model error allows
// a retry, the model is asked again after the time that it specifies; no worker is busy meanwhile
// ([Options.ModelRetries]). Failures that waiting cannot fix are outcomes or errors:
// [campaign.ErrNotFound], [campaign.ErrDeleted], [turn.ErrInvalidInput], [turn.ErrDiverged], a
// [*state.Refusal], and [campaign.ErrUnavailable] when patience is over. Clients can test for these
// errors as if the engine had returned them.
//
// If a worker dies during a call of the model, the call may have been paid for. By default it is
// made again. With [campaign.Config].PayOnce the turn fails with [turn.CallLost] instead. The call
// is recorded before it is made. So such a turn also fails if the worker died between the two and
// nothing was paid. PayOnce applies only to calls of the model. Other functions of the host that
// had not answered are called again.
package temporal
