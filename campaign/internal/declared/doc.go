// Package declared is the stricter way to compare a narration with the state. The model lists its
// claims, each with the ID of the call that settles it. A statement of the text that is not in the
// list is a conflict.
//
// The setting conflict.claims enables it. A list is text of a model: [Read] handles it as data,
// within limits, and [Check] trusts nothing in it:
//
//   - A claim that names a call needs evidence of that call. A call that was not made or was refused
//     supports nothing. A call about a different character, amount or place supports nothing either.
//   - A claim without a call is about something that was already true, or that a rule, a hook or the
//     player settled. The state and all that the turn has settled support it.
//   - Everything that the detectors of package conflict find in the text must be in the list,
//     including doubtful claims. A statement that was already true before the answer is not a claim.
//     So a text without claims needs no list.
//
// Each finding is a [conflict.Conflict] of the detector "claims". The options of package conflict can
// lower its level or turn it off, as for other detectors.
//
// # Kinds
//
//	hp      amount (a change, losses are negative) or value (what is left), of who
//	life    state (alive, downed, dead), of who
//	place   place (an area), of who
//	wound   of who, without numbers
//	roll    value
//	card    of who
//	map, rules, goal
//
// Any other kind is a field that a host's own detector reports and a host's own tool affects. A
// character or a place is named by ID, name or alias. A missing who means the acting character. An
// untracked character has no state, so a claim about it cannot contradict the state.
//
// Everything here is pure and safe for concurrent use. [Read] is linear in the length of the list,
// which has at most 64 claims. [Check] is linear in the narration, and in claims times
// actions.
package declared
