// Package hooks runs authors' hooks: on this event, under these conditions, do these actions. A
// hook is JSON, such as
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
// [Vet] reports content that compiles but is probably a mistake, such as a typo in an event name.
//
// Nothing is changed in place. A run returns logs, the next [State], and effects of package rules,
// which the host's interpreter applies. The effects are authoritative. The result also contains the
// character state and the relationship with these effects applied, for hosts that have no
// interpreter.
//
// Package act defines the events ([act.Event] and the event names), the actions ([act.Action], and
// the handlers of a host) and the logs ([act.Log]). A [Trace] explains a run.
//
// # Events
//
// Dots separate the segments of an event name; [act.MatchType] documents patterns and aliases. Any
// name is allowed. The names with a constant in package act have a fixed place in a turn. The comments
// of these constants list the members of their payloads, for conditions such as payload.text.
//
// Run itself raises state.changed and relationship.changed after a commit.
//
// The engine of package campaign raises, in this order:
//
//	conversation.before_receive, character.before_turn.started,
//	character.after_profile_load (with a character card),
//	pipeline.before_attachments, pipeline.after_attachments (around the host's own events),
//	character.after_reaction_plan (rules have processed the line),
//	character.after_memory_retrieve,
//	pipeline.before_knowledge, pipeline.after_knowledge (around the lookup of lore),
//	character.after_world_book_match, character.before_turn.finished,
//	prompt.before_render, prompt.after_render,
//	model.before_call, model.on_stream_chunk (once, for the first piece), model.after_call,
//	tool.before_call and tool.after_call (around each tool call of the model),
//	character.after_turn.started,
//	state.changed (if the turn changed variables),
//	character.after_state_update, character.after_turn.finished,
//	reply.before_send, and after the commit reply.after_send
//
// Between turns, the engine raises memory.after_extract when there is a new summary, and
// clock.passed when the host lets time pass with turn.PassTime. The conditions clock_reaches and
// idle_reaches match clock.passed. [act.ClockPayload] makes its payload.
//
// A host may have more information than the engine about attachments, knowledge, memory and the
// plan. It can raise these events itself in two ways. It lists them in turn.Submit, and then the
// engine does not raise them. Or it raises them between turns with turn.Announce. The next
// BeginTurn removes texts that are injected for a turn, so a hook that runs between turns must
// inject with scope session.
//
// # Actions
//
// An action is all or nothing. Before it does anything, its parameters are checked, and then the
// capabilities of the host that it needs.
//
//	prompt_inject       content; key, priority (55), scope turn|session
//	state_delta         payload {field: value}, or field and delta; for the event's character, or for
//	                    the character that the parameter character names by id or name
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
// In a character state, mood is replaced by a non-empty string. A delta of mood_intensity is added,
// within 0 and 1; a delta of energy is added as an integer, within 0 and 100. Any other field that
// the state has is replaced, unless [Env].Fields defines it differently. Identity fields and names
// that begin with "_" are protected. The two deltas, prompt_inject and message are internal: they
// change values of the engine. The other actions are external: their effects go to [act.Sinks] or
// to the host. A host registers its own types in an [act.Table].
//
// In addition, hooks have the actions of package rules, in the same notation:
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
//	emit                event {type, …}, which rules and reactions receive
//	rewrite             target line|prompt|reply, text; find, a plain text
//	veto                reason: the turn ends before the model is asked
//
// The other effects of package rules are available in the form that [effect.Marshal] writes. All of
// them are internal. A rewrite of the line has an effect until the prompt is built. A rewrite of
// the prompt and a veto have an effect until the model is asked. A rewrite of the reply has an
// effect until it is shown. Their text often depends on the turn. For that, a handler can return
// the effects [effect.Rewrite] and [effect.Veto].
//
// # Conditions
//
// Conditions are an object of keys and expected values, joined by condition_logic. When the actual
// value is unknown, every comparison is false except {"exists": false}. An unknown key and a
// malformed value are false too, and [Compile] reports them. ("not" makes such a false comparison
// true, so negate only values that always exist.)
//
//	character_id, user_id, group_id, conversation_id, channel, event_source
//	                     equal; a list means any of
//	event_type           a pattern, see Match; a list means any of
//	mood_is, mood_is_not equal, different; a list means any of
//	<field>_gte _lte _gt _lt
//	                     numbers: the six relationship fields, energy,
//	                     mood_intensity and the fields of Env
//	time_range           ["22:00", "06:00"], both ends inside, over midnight
//	clock_reaches        "08:00", or a list: the clock reaches this time with the event
//	idle_reaches         30: the clock reaches this many minutes without activity
//	all, any, not        list of objects, list of objects, one object
//	payload.a.b, metadata., vars., state., relationship.
//	                     a scalar, or {"gte": 5, "lt": 9}: eq ne gt gte lt lte
//	                     in nin contains exists
//
// A bare field is read from the relationship (its six names), then from the character state, then
// from the host's variables. JSON numbers and strings that are plain decimal numbers count as
// numbers.
//
// # Running
//
// All internal effects of a hook are staged, and committed in one step after its last attempt. A
// retry runs only the actions that have not succeeded, so nothing happens twice. After a timeout,
// or a failure of an atomic hook, nothing is committed. Only the deliveries of a sink or an
// external handler remain, and the log records them.
//
// A hook runs at most once per turn, and at most 20 hooks run in one. When a commit changed the
// state or the relationship, state.changed or relationship.changed is raised and handled after the
// current event, to a depth of 5. [Run] documents the order of the gates.
//
// Reading, compiling, vetting and running are linear in the content and the event. Numbers are
// exact decimals. A text that is read as a number has at most 64 characters.
//
// A [Set] is immutable and safe for concurrent use. The package starts goroutines in one place
// only: each call of a handler or sink has its own goroutine. The call may block longer than the
// timeout of its hook.
//
// Hooks for the chat bot NekoBot work unchanged. This package differs where NekoBot applied half of
// a change, repeated effects on retry, or treated missing data as zero.
package hooks
