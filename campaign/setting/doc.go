// Package setting holds the settings of a campaign: what may be set, what a
// value must look like, and which value is in force.
//
// A [Registry] is a value: [Builtin] lists the settings that the turn engine
// reads, and a host adds its own with [Registry.With]. A [Snapshot] holds the
// values that differ from the defaults, one for the campaign and one for the
// whole installation. [Registry.Freeze] reads them once, at the moment a turn is
// accepted, so that a change during the turn cannot tear it.
//
//	reg := setting.Builtin()
//	next, result, problems := reg.Patch(global, campaign, setting.Snapshot{
//		"retry.max_retries": tree.Int(1),
//	})
//
// The settings that the engine reads, with their defaults and what else may be given:
//
//	context.full_context_enabled  true          every turn of the branch is in the prompt
//	context.compress_enabled      false         the summary stands for old turns
//	context.recent_turns          6             1 to 200: newest turns that the viewer has heard, in the prompt where not all are
//	rules.hp_zero_ends_game       true          a party that is down ends it; false: one that is dead or restrained
//	rules.max_hp_delta            0             hit points per call of hp_delta; 0: no limit
//	rollback.max_checkpoints      10            0 to 100
//	dialog.manual_type            scene         action, rules, free_chat, chat: where nothing else decides
//	dialog.auto_route_enabled     false         a router chooses the type of a dialog
//	dialog.tool_types             scene, action the types in which tools are offered
//	retry.max_retries             2             0 to 5: answers after the first
//	retry.on_rejection            regenerate    commit_partial: keep what was accepted
//	conflict.mode                 strict        warn, off
//	conflict.intercept_output     true          nothing is shown before it is judged
//	conflict.hp_qualitative       warn          block, off: wounds told without a number
//	conflict.detectors            {}            detector: off, warn, block
//	conflict.judge                off           confirm: a second model turns warnings into blocks; full: finds its own
//	conflict.claims               off           listed: the model lists what it tells with the calls that settle it; texts come whole
//	alternatives.keep_rolls       true          another answer to a line finds the dice of the first; false: it rolls again
//	alternatives.max              10            1 to 100 answers to a line, the chosen one among them
//	cast.order                    natural       who of a cast speaks: natural, list, manual or pooled
//	cast.cards                    swap          whose cards are in a prompt: swap, join or join_muted
//	cast.self_reply               false         true: without the player, who spoke last may speak again
//	cast.auto_replies             0             0 to 100, rounds of a cast that may follow without the player
//	memory.max_tokens             600           0 to 100,000, of what is recalled of old turns; 0: nothing is
//	tools.approval                declared      off, all: whether people are asked about calls
//	tools.max_denials             3             0 to 100: answers after people denied a call
//	tools.native                  true          tools go with the request too; false: only as text
//	context.calibrate             true          what the provider counts corrects the room for prompts
//	visibility.mode               marked        off, strict: who knows what in prompts, see package audience; strict from
//	                                            the first turn with an audience on, where nobody has set it
//	turn.mode                     single        plan_narrate: calls first, then the narration
//	turn.max_tool_calls           8             0 to 100, in one output
//	turn.max_tool_rounds          4             1 to 100: outputs of calls alone
//	turn.order                    active_actor  free, round_robin
//	turn.concurrency              reject        queue: what comes during a turn
//
// The two switches of context exclude each other. A patch is all or nothing: it reports every
// problem, sorted by key, or changes everything. Types are strict: true is no integer, "5" is none
// either, 5.0 is.
package setting
