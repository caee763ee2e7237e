// Package rules is the language of consequences: events, conditions, effects, and declarative rules
// that turn events into effects without a model.
//
// A [Rule] is WHEN a trigger, ONLY IF conditions, DO actions. Package reactions has a second form:
// event patterns with set and emit effects. Both forms compile to one [Program] with one index and
// are evaluated in one pass.
//
//	list, problems := rules.Parse(data)                        // JSON as authors write it
//	program, more := rules.Compile(rules.Content{Rules: list}) // once
//
//	applied := program.Apply(state, asked, options)            // what the model asked for
//	state = applied.State
//	state.Ledger, _ = state.Ledger.Expire(state.Turn)
//	events := event.OfTurn(line, reply, state.Turn, applied.Changes)
//	outcome := program.Run(state, events, options)             // the chain
//	state = outcome.State
//
// The package has:
//
//   - Conditions: what must hold.
//   - The variables and modules of an author: [Variable], [Module].
//   - The memory of rules between turns: switches, cooldowns, counts, directives ([Memory]).
//   - [State]: variables, a turn number and the ledger. It is one JSON value. The zero value is a
//     new game.
//   - [Program.Evaluate] decides which rules fire. It applies nothing.
//   - [Program.Apply] is the only interpreter of effects, also for hosts and hooks. Effects that it
//     cannot apply itself go to the host as typed values.
//   - [Program.Run] alternates Evaluate and Apply until nothing more happens.
//   - [Vet] finds content that compiles but is probably a mistake. [Relations], [Mermaid] and [DOT]
//     show how rules depend on each other.
//
// Package event has the events and package effect the closed set of effect types, both as plain
// data. [Trace] explains an evaluation after it.
//
// # Rules as authors write them
//
// A rule is an object, and a file of rules is a list of such objects. The fields are the fields of
// [Rule]:
//
//	{
//	  "id": "bleeding",
//	  "trigger": {"type": "variable-crossed", "variableId": "hp", "direction": "drops-below", "threshold": 5},
//	  "conditions": [{"variableId": "bandaged", "operator": "eq", "value": false}],
//	  "actions": [{"type": "notify-player", "message": "You are bleeding.", "style": "danger"}],
//	  "cooldownTurns": 3
//	}
//
// The triggers ([TriggerType]) and their members:
//
//	session-start, every-turn, manual
//	state-change       variableId
//	variable-crossed   variableId; direction (rises-above, drops-below), threshold
//	turn-count         atTurn, everyNTurns
//	keyword            keywords; matchWholeWords, secondaryKeywords, secondaryKeywordLogic
//	ai-keyword         the same, in the reply
//	action             actionId
//
// A condition has a variableId, an operator (eq, neq, gt, gte, lt, lte, contains) and a value, or a
// valueRef that names a second variable. The member conditionLogic is "all" (the default) or "any".
//
// The actions, with the required members before the semicolon:
//
//	modify-variable    variableId; operation, value, valueRef, valueRandom
//	inject-directive   directiveId, content; position, depth, persistent, duration
//	remove-directive   directiveId
//	toggle-entry       entryId, enabled
//	toggle-rule        ruleId, enabled
//	trigger-rule       ruleId
//	notify-player      message; style, title, image
//	play-audio         trackId; action, channel, volume, fadeDuration, chainTo, maxDuration
//	rewrite            target (line, prompt, reply), text; find
//	veto               reason
//	send-context       message; role
//
// The operations are set (the default), add, subtract, multiply, toggle, append, merge, push and
// delete. Every other effect may be an action in its strict form: its name and the JSON members of
// its type in package effect. A campaign has more effects (countdowns, locks, scenes), see
// campaign/game.Rules. A program without a campaign returns these effects in [Outcome.Host].
//
// # Variables
//
// With [Content.Variables] there is a schema. Variables then have types, defaults and bounds, and
// unknown variables are not created. A dot path such as "bag.gold" leads into a variable of type
// json. A variable with a [Variable.Path] is stored elsewhere in the document, where other
// languages write it too. [Program.Gate] applies the rules of the schema to such variables.
//
// Without a schema, rules may read and write any path of the document, so that they work on the
// documents of package memvars as they are. Missing nodes are created. In a pair of value and
// description only the value is written.
//
// # Parameters of events
//
// An event may carry an object "params", as [event.ActionFired] does for a button. Then the tokens
// {param.key}, or {参数.key}, are replaced in the texts of condition values, effect values, fields of
// emitted events and else messages. If a text is one token and nothing else, it becomes the
// parameter itself, with its type, and a parameter text that is a number becomes a number. Within a
// longer text the parameter is printed. A missing parameter is the empty text. Tokens in paths and
// ids are not replaced: the targets of a rule's writes are known before play. Without the object
// the tokens are ordinary text.
//
// # Guarantees
//
// Everything here is pure: no clock, no global randomness, no input or output. Random numbers come
// from [Options.Random] and are recorded, so that a turn replays to the same bytes. Inputs are
// never modified. A mistake of an author is a talewright.Problem with its place, and disables one
// rule. A write that is not possible is an [effect.Refusal] with its reason, and changes nothing.
// Neither is a Go error.
//
// The guide of Yumina and its engine disagree in places (package reactions reads its worlds). Then
// the guide wins: null limits mean no limit, a trigger's variable filters, a manual rule fires only
// by hand, a rule that is off can be switched on, directives end, wrong types are refused, equal
// writes are no change, lists and objects compare deeply.
package rules
