// Package hooks runs authors' hooks: on this event, under these conditions, do
// these actions. A hook is JSON, such as
//
//	{
//	  "name": "night mode",
//	  "event": "character.before_turn.finished",
//	  "conditions": {"time_range": ["22:00", "06:00"], "energy_lte": 60},
//	  "actions": [{"type": "prompt_inject", "content": "It is late; speak softly."}]
//	}
//
// Content is compiled once, and run for every event:
//
//	set, problems := hooks.Compile(list, &actions)
//	result := hooks.Run(ctx, set, event, state, env)
//
// [Vet] finds what compiles and is probably not meant: a slip in the name of an event.
//
// Nothing is changed in place. A run returns logs, the next [State], and effects
// of package rules for the host's interpreter to apply; those are authoritative.
// The character state and relationship in the result are the inputs with these
// effects applied, for hosts that have no interpreter.
//
// What happened is in package on ([act.Event] and its names), what is done about it in package act
// ([act.Action], and the handlers of a host), and what came of it in package trace.
//
// # Events
//
// Event names are cut at the dots; [act.MatchType] has the rules for patterns and aliases.
// Any name is allowed. Those with a constant in package on have a fixed place in
// a turn.
//
// Run itself raises state.changed and relationship.changed after a commit.
//
// The engine of package campaign raises, in this order:
//
//	conversation.before_receive, character.before_turn.started,
//	character.after_profile_load (with a character card),
//	pipeline.before_attachments, pipeline.after_attachments (around the host's own events),
//	character.after_reaction_plan (rules have heard the line),
//	character.after_memory_retrieve,
//	pipeline.before_knowledge, pipeline.after_knowledge (around the question for lore),
//	character.after_world_book_match, character.before_turn.finished,
//	prompt.before_render, prompt.after_render,
//	model.before_call, model.on_stream_chunk (once, for the first piece), model.after_call,
//	tool.before_call and tool.after_call (around each call of the model's),
//	character.after_turn.started,
//	state.changed (if the turn changed variables),
//	character.after_state_update, character.after_turn.finished,
//	reply.before_send, and after the commit reply.after_send
//
// and between turns memory.after_extract, when there is a new summary, and clock.passed, when the
// host lets time pass with turn.PassTime: hooks with clock_reaches or idle_reaches among
// their conditions answer it when it is time. The payload is that of [act.ClockPayload].
//
// A host may know more of the attachments, the knowledge, the memory and the plan than the engine
// does. It raises their events itself: together with an instruction in turn.Submit, after
// which the engine does not, or between the turns of a campaign with turn.Announce. (What is injected
// for a turn goes with the next BeginTurn, so a hook that answers between turns injects with
// scope session.)
//
// # Actions
//
// An action is all or nothing. Its parameters are checked before anything is
// done, then whether the host has what it needs.
//
//	prompt_inject       content; key, priority (55), scope turn|session
//	state_delta         payload {field: value}, or field and delta; of the event's character, or of the
//	                    one that character names by id or name
//	relationship_delta  the same; fields affection, trust, familiarity,
//	                    dependency, security and jealousy, 0 to 100
//	memory_write        content; title, mem_type long|short (or memory_type);
//	                    category, importance (0.6), append
//	log                 message; level debug|info|warning|error
//	message             content
//	workflow            workflow (or workflow_id); params
//	world_book_add      book_id, content; name, keywords, entry_type (event),
//	                    priority (50), always_on, tags
//
// Of a character state, mood is replaced by a non-empty string, mood_intensity is
// added to within 0 and 1, energy in integers within 0 and 100, and any other
// field that the state has is replaced, unless [Env].Fields says otherwise.
// Identity fields and names that begin with "_" are protected. The two deltas,
// prompt_inject and message are internal: they change values that the engine
// holds. The others leave it, through [act.Sinks] or as effects. Types of the host
// are registered in an [act.Table].
//
// Beside these, hooks have the actions of package rules, written as rules write them:
//
//	modify-variable     variableId; operation, value, valueRef, valueRandom
//	toggle-entry        entryId, enabled
//	toggle-rule         ruleId, enabled
//	trigger-rule        ruleId
//	inject-directive    directiveId, content; position, depth, persistent, duration
//	remove-directive    directiveId
//	send-context        message; role
//	notify-player       message; style, title, image
//	play-audio          trackId; action, channel, volume and more
//	emit                event {type, …}, which rules and reactions hear
//	rewrite             target line|prompt|reply, text; find, a plain text
//	veto                reason: the turn ends before the model is asked
//
// and its other effects in the form that [effect.Marshal] writes. They are internal. A
// rewrite of the line counts until the prompt is built, one of the prompt and a veto until the
// model is asked, one of the reply until it is shown. What they are to say depends on the turn
// more often than not; a handler may return the effects [effect.Rewrite] and [effect.Veto].
//
// # Conditions
//
// An object of key and expected value, joined by condition_logic. When the value
// to compare is unknown, every comparison is false except {"exists": false}; an
// unknown key and a malformed value are false too, and reported by [Compile].
// ("not" turns that around: negate only what is known to be there.)
//
//	character_id, user_id, group_id, conversation_id, channel, event_source
//	                     equal; a list means any of
//	event_type           a pattern, see Match; a list means any of
//	mood_is, mood_is_not equal, different; a list means any of
//	<field>_gte _lte _gt _lt
//	                     numbers: the six relationship fields, energy,
//	                     mood_intensity and the fields of Env
//	time_range           ["22:00", "06:00"], both ends inside, over midnight
//	clock_reaches        "08:00", or a list: the event is the passing of the clock beyond it
//	idle_reaches         30: it is the passing of so many minutes without anybody's doing
//	all, any, not        list of objects, list of objects, one object
//	payload.a.b, metadata., vars., state., relationship.
//	                     a scalar, or {"gte": 5, "lt": 9}: eq ne gt gte lt lte
//	                     in nin contains exists
//
// A bare field is looked for in the relationship (its six names), then in the
// character state, then in the host's variables. Numbers are JSON numbers and
// strings that are plain decimal numbers.
//
// # Running
//
// All internal effects of a hook are staged, and committed in one step after its
// last attempt. A retry runs only what has not succeeded, so that nothing happens
// twice. After a timeout, or a failure of an atomic hook, nothing is committed;
// only what a sink or an external handler delivered stays, and the log says so.
//
// A hook runs at most once per turn, and at most 20 hooks run in one. When a
// commit changed the state or the relationship, state.changed or
// relationship.changed is raised and handled after the current event, to a depth
// of 5. [Run] has the order of the gates.
//
// Reading, compiling, vetting and running are linear in the content and the event.
// Numbers are exact decimals; a text that stands for one has at most 64 characters.
//
// A [Set] is immutable and safe for concurrent use. The package starts goroutines
// in one place: each call of a handler or sink has its own, because it may block
// longer than its hook may run.
//
// Hooks that were written for the chat bot NekoBot work as they are. This package differs
// where that one changed values half-way, repeated effects on retry, or let missing
// data pass for zero.
package hooks
