// Package setting defines the settings of a campaign: which settings exist, which values are valid,
// and which value is in effect.
//
// A [Registry] is a set of definitions: [Builtin] returns the settings that the turn engine reads,
// and a host adds its own with [Registry.With]. A [Snapshot] holds the values that differ from the
// defaults. There is one for the campaign and one for the whole installation. [Registry.Freeze]
// reads all values once, when a turn is accepted, so a change during the turn does not affect it.
//
//	reg := setting.Builtin()
//	next, result, problems := reg.Patch(global, campaign, setting.Snapshot{
//		"retry.max_retries": tree.Int(1),
//	})
//
// The settings that the engine reads, with their defaults and other allowed values:
//
//	context.full_context_enabled  true          every turn of the branch is in the prompt
//	context.compress_enabled      false         the summary replaces old turns
//	context.recent_turns          6             1 to 200: newest turns that the viewer heard, if the prompt does not have all
//	rules.hp_zero_ends_game       true          the campaign ends when the party is defeated; false: when it is dead or restrained
//	rules.max_hp_delta            0             hit points per call of hp_delta; 0: no limit
//	rollback.max_checkpoints      10            0 to 100
//	dialog.manual_type            scene         action, rules, free_chat, chat: the type if nothing else decides
//	dialog.auto_route_enabled     false         a router chooses the type of a dialog
//	dialog.tool_types             scene, action the types in which tools are offered
//	retry.max_retries             2             0 to 5: answers after the first
//	retry.on_rejection            regenerate    commit_partial: keep what was accepted
//	conflict.mode                 strict        warn, off
//	conflict.intercept_output     true          nothing is shown before it is judged
//	conflict.hp_qualitative       warn          block, off: wounds in the text without a number
//	conflict.detectors            {}            detector: off, warn, block
//	conflict.judge                off           confirm: a second model turns warnings into blocks; full: it also finds conflicts
//	conflict.ask                  doubtful      off; all: ask what doubtful parts of a text say, also where an action explains them
//	conflict.claims               off           listed: the model lists its claims with the calls that prove them; no streaming
//	alternatives.keep_rolls       true          a different answer to a line uses the same dice; false: it rolls again
//	alternatives.max              10            1 to 100 answers to a line, including the chosen one
//	cast.order                    natural       who of a cast speaks: natural, list, manual or pooled
//	cast.cards                    swap          whose cards are in a prompt: swap, join or join_muted
//	cast.self_reply               false         true: without the player, the last speaker may speak again
//	cast.auto_replies             0             0 to 100, rounds of a cast that may follow without the player
//	memory.max_tokens             600           0 to 100,000, for memories of old turns in a prompt; 0: none are recalled
//	tools.approval                declared      off, all: whether people must approve calls
//	tools.max_denials             3             0 to 100: answers after people denied a call
//	tools.native                  true          the request also lists the tools; false: only the text does
//	context.calibrate             true          the usage that the provider reports corrects the size of prompts
//	visibility.mode               marked        off, strict, common: who knows what in prompts, see state.AudienceMode; the first
//	                                            turn with an audience sets strict, unless there is a value already
//	variables.second_model        false         a second request of each turn asks for the changes of variables, if the book of
//	                                            the character marks lore with [mvu_update] or [mvu_plot]
//	turn.mode                     single        plan_narrate: calls first, then the narration
//	turn.max_tool_calls           8             0 to 100, in one output
//	turn.max_tool_rounds          4             1 to 100: outputs with only calls
//	turn.order                    active_actor  free, round_robin
//	turn.concurrency              reject        queue: instructions wait while a turn runs, at most one line of each member
//	                                            of the party and 64 other instructions
//
// The two context switches exclude each other. A patch is all or nothing: it reports every problem,
// sorted by key, or changes everything. Types are strict: true and "5" are not integers, 5.0 is.
package setting
