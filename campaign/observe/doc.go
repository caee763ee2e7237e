// Package observe tells a host what its campaigns do while they do it: which instruction began,
// how long each phase took, which lore became active, how large the prompt was, when the model began to
// answer and what that cost, what was refused, what contradicted the state, what was committed.
//
//	engine, err := campaign.New(campaign.Config{
//		…
//		Observe: observe.All(observe.Log(slog.Default()), otel.New(…)),
//	})
//
// An [Observer] gets a [Moment] and the [Place] it belongs to. The moments of one instruction come
// in the order in which they happen, on the goroutine of that instruction, from [Begun] to
// [Ended]; those of several campaigns come at the same time. [Log] writes them to a [slog.Logger],
// the module campaign/otel makes spans and metrics of them.
//
// An instruction that is taken step by step (Engine.Step) has a Begun and an Ended for each
// step, which [Place.Step] counts: steps run in any process. Ended.Next tells those that are
// not the last; phases begin anew in each.
//
// # What an observer cannot do
//
// It changes nothing: no method of it returns anything that a turn reads, but for values of a context
// (see [Observer]), and what it is given is its own. A panic is caught, goes to the logger of the
// engine, and the turn goes on. A slow observer makes the turn slower by as much, and nothing
// else: one that waits for a network hands its moments to a goroutine of its own.
//
// # What is private
//
// Moments hold ids, names of tools and kinds, numbers and codes. What players, authors and models
// wrote, and what variables hold, is in none of them, unless the observer asks for it with
// [Verbose]; the fields that are empty without it say so. The one exception is [Logged], which an
// author writes for the log. A word that a model or a server chose, such as the name of a tool that
// does not exist, is replaced by [Other] if it does not look like a word of the library. Ids, words and lists are [Bounded]. The error of a store is told as it is: it holds what the
// store put into it, of which [Log] writes 1 KiB.
//
// # What it costs
//
// Without an observer nothing: no allocation, no look at the clock.
//
// # The table of the log
//
// Every record of [Log] has "campaign", "instruction" (its kind) and "run" (the same number in all
// records of one instruction), and those of a step "step". Durations are durations of slog. Keys
// and messages are stable.
//
//	message           level  keys
//	begun             debug  actor, client_turn_id
//	admitted          debug  waited, fence
//	phase             debug  phase, took
//	lore              debug  active, ids
//	prompt            debug  tokens, parts, dropped, speaker
//	model asked       debug  attempt, again, retry, model, messages, tools
//	model answered    info   attempt, again, first, took, finish, calls, prompt_tokens, completion_tokens, cached_tokens, kept, warnings
//	model failed      warn   attempt, again, first, took, code, status, retryable
//	retrying          info   attempt, why
//	call refused      info   attempt, tool, code
//	conflict          info   attempt, kind, severity
//	call applied      debug  tool
//	rules fired       debug  ids
//	hooks ran         debug  event, ran, skipped, failed, took
//	asked             debug  question, took; warn with an error
//	waiting           info   question_id, calls
//	store             debug  call, version, took; warn with an error
//	lease lost        warn   error
//	committed         info   version, record, turn, changes, took
//	log               (own)  by, text: a line of the action log of a hook, at its level
//	stepped           debug  next, took
//	ended             info   status, reason, turn, version, attempts, retries, took; warn if it failed; error with an error
package observe
