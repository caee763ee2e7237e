// Package reactions is the event form of rules: WHEN an event pattern matches, ONLY IF
// conditions hold, THEN set variables and emit events.
//
// A reaction and a rule are two forms of the same thing. Both compile to [rules.Handler] values of
// one [rules.Program], which evaluates them in one pass:
//
//	set, problems := rules.Compile(rules.Content{
//		Rules:    list,
//		Handlers: reactions.Handlers(others),
//	})
//
// # Reactions as authors write them
//
// A file of reactions is a list of objects. The fields are the fields of [Reaction]:
//
//	{
//	  "id": "blast",
//	  "when": {"eventType": "timer:fired", "timerId": "bomb"},
//	  "conditions": [{"variableId": "wet", "operator": "eq", "value": false}],
//	  "then": [{"type": "set", "path": "door", "value": "open"}]
//	}
//
// [rules.Pattern] lists the members of a "when". Package rules/event lists the events.
//
// # Effects
//
// An effect {"type": "set", "path": …, "operation": …, "value": …} writes a variable; see
// [effect.SetVariable]. An effect {"type": "emit", "event": {…}} raises an event. Every rule and
// reaction can match it in the next hop. The events ui:notification, audio:play, ai:context and
// ui:moment also do what the effects of those names do.
//
// A path that begins with @ is not a variable:
//
//	@audio.bgm  @audio.sfx  @audio.ambient    play a track in that channel
//	@audio.stop                               stop a track
//	@prompt.directive.<id>                    text or {content, position, persistent, duration}
//	                                          injects, false removes
//	@prompt.entry.<id>                        switch a world book entry
//	@lore.entry.<id>                          text or {content, name, keywords, priority, alwaysOn}
//	                                          changes it, false removes it
//	@lore.force.<id>                          true or a number of turns makes it active, false ends that
//	@prompt.context  @ai.context              a message for the next prompt, once
//	@rules.disabled.<id>                      true disables, false enables
//	@vars.enabled.<id>                        whether a model sees a variable
//	@worldbooks.on.<id>                       switch a module
//	@ui.notification                          show a notice
//	@ai.request                               ask the host for a generation, once per chain
//
// Switches take true, false, or the operation "toggle". Every other @ path goes to the host as
// [effect.System].
package reactions
