// Package rules is the language of consequences: events, conditions, effects, and
// declarative rules that turn the one into the other without a model.
//
// A [Rule] is WHEN a trigger, ONLY IF conditions, DO actions. Package reactions has the
// other spelling, event patterns with set and emit effects; both compile to one [Program]
// with one index, and are evaluated in one pass.
//
//	list, problems := rules.Load(data)                         // JSON as authors write it
//	program, more := rules.Compile(rules.Content{Rules: list}) // once
//
//	applied := program.Apply(state, asked, options)            // what the model asked for
//	state = applied.State
//	state.Ledger, _ = state.Ledger.Expire(state.Turn)
//	events := event.OfTurn(line, reply, state.Turn, applied.Changes)
//	outcome := program.Run(state, events, options)             // the chain
//	state = outcome.State
//
// The pieces, each in a package of its own:
//
//   - event: something that happened, as plain data.
//   - condition: what must hold.
//   - effect: something that shall happen, as plain data: a closed set of types.
//   - declare: the variables and modules of an author.
//   - ledger: what rules remember between turns: switches, cooldowns, counts, directives.
//
// And what is done with them here:
//
//   - [State] is variables, a turn number and the ledger. It is one JSON value; zero is a new game.
//   - [Program.Evaluate] decides what fires, and applies nothing.
//   - [Program.Apply] is the only interpreter of effects, also for hosts and hooks. What it
//     cannot do itself it hands to the host as a typed value.
//   - [Program.Run] alternates the two until nothing more happens.
//   - Package vet reads content before play, [Trace] explains an evaluation after it.
//
// # Rules as authors write them
//
// A rule is an object, a file of rules a list of them; the fields are those of [Rule]:
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
// A condition has a variableId, an operator (eq, neq, gt, gte, lt, lte, contains) and a value, or
// a valueRef that names another variable. conditionLogic is "all" (the default) or "any".
//
// The actions, with what they need in front of the semicolon:
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
// its type in package effect. A campaign has more (countdowns, locks, scenes), see
// campaign/game.Content.Rules; a program without one gets those in [Outcome.Host].
//
// # Variables
//
// With [Content.Variables] there is a schema: variables have types, defaults and bounds,
// unknown ones are not created, and a dot path such as "bag.gold" leads into one of type
// json. A variable with a [Variable.Path] lives elsewhere in the document, where other
// languages write it too; [Program.Gate] keeps the schema's promises for those.
// Without a schema any path of the document may be read and written, so that rules work on
// the documents of package memvars as they are: missing nodes are created, and of a pair of
// value and description only the value is written.
//
// # Parameters of events
//
// An event may carry an object "params", as [event.ActionFired] does for a button. Then the tokens
// {param.key}, or {参数.key}, are filled in: in the texts of condition values, effect values,
// fields of emitted events and else messages. A text that is one token and nothing else
// becomes the parameter itself, in its own type, and a text that is a number becomes a number;
// within a longer text the parameter is printed. A missing one is the empty text. Paths and
// ids are not filled in: what a rule writes to is known before play. Without the object
// the tokens are ordinary text.
//
// # Keeping promises
//
// Everything here is pure: no clock, no global randomness, no input or output. Random
// numbers come from [Options.Random] and are recorded, so that a turn replays to the same
// bytes. Inputs are never modified. A mistake of an author is a talewright.Problem with its place,
// and makes one rule inert; a write that cannot be is an [effect.Refusal] with its reason, and
// changes nothing. Neither is a Go error.
//
// Where the guide of Yumina and its engine disagree (package reactions reads its worlds), the guide wins: null limits mean none, a trigger's variable filters, a manual rule
// fires only by hand, a rule that is off can be switched on, directives end, wrong types are
// refused, equal writes are no change, lists and objects compare deeply.
package rules
