// Package observe reports to a host what its campaigns do while they run: the instruction that
// began, the time of each phase, the active lore, the size of the prompt, the first text of the
// model and its cost, refusals, contradictions, and commits.
//
//	engine, err := campaign.New(campaign.Config{
//		…
//		Observe: observe.All(observe.Log(slog.Default()), otel.New(…)),
//	})
//
// An [Observer] receives each [Moment] with the [Place] it belongs to. The moments of one
// instruction come in order, on the goroutine of that instruction, from [Begun] to [Ended]. Moments
// of several campaigns come concurrently. [Log] writes them to a [slog.Logger]. The module
// campaign/otel makes spans and metrics from them.
//
// An instruction that runs step by step (Engine.Step) has a Begun and an Ended for each step,
// because steps run in any process. [Place.Step] counts the steps. Ended.Next is set for all but
// the last one. Phases begin again in each step.
//
// [Report] explains one turn after it was played.
//
// # What an observer cannot do
//
// An observer changes nothing. No result of it is read by a turn, except the values of a context
// (see [Observer]), and it receives copies. A panic is recovered and logged by the engine, and the
// turn continues. A slow observer only slows the turn down by its own time. An observer that uses a
// network should pass its moments to its own goroutine.
//
// # What is private
//
// Moments contain IDs, names of tools and kinds, numbers and codes. They contain no text of
// players, authors and models, and no values of variables, unless the observer asks for them with
// [Verbose]. The docs of the fields say which ones are empty without it. The one exception is
// [Logged], a line that an author writes for the log.
//
// A word from a model or a server, such as the name of an unknown tool, may not look like an
// identifier. Then it is replaced by [Other]. IDs, words and lists are [Bounded]. The error of a
// store is passed on unchanged, with everything that the store put into it; [Log] writes 1 KiB of
// it.
//
// # What it costs
//
// Without an observer there is no cost: no allocation, and no reading of the clock.
//
// # The table of the log
//
// Every record of [Log] has "campaign", "instruction" (its kind) and "run" (the same number in all
// records of one instruction). Records of a step also have "step". Durations are durations of slog.
// Keys and messages are stable.
//
//	message           level  keys
//	begun             debug  actor, client_turn_id
//	admitted          debug  waited, fence
//	phase             debug  phase, took
//	lore              debug  active, ids
//	prompt            debug  tokens, parts, dropped, speaker
//	model asked       debug  attempt, again, retry, model, messages, tools, updates
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
