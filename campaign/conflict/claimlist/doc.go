// Package claimlist is the stricter way to compare a narration with the state: the model lists what it
// claims, each claim with the id of the call that settles it, and what the text tells beyond the
// list is a conflict.
//
// The setting conflict.claims asks for it. A list is text of a model: [Read] takes it as data, within
// bounds, and [Check] believes nothing of it:
//
//   - A claim that names a call needs evidence of that call: one that was not made or was refused
//     supports nothing, nor does one about another character, amount or place.
//   - A claim without a call is about what is so already, or was settled by a rule, a hook or the
//     player: the state and all that the turn has settled support it.
//   - What the detectors of package conflict read in the text, doubtful claims too, has to be in the
//     list. What the text tells as it was before the answer is no claim, so that a text that claims
//     nothing needs no list.
//
// Each finding is a [conflict.Conflict] of the detector [Name], which the options of that package may
// lower or switch off like every other one.
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
// Any other kind is the field that a host's own detector reports, and a host's own tool affects.
// Who is named by id, name or alias, and so is a place; nobody is the acting character. Who is not
// tracked has no state, and a claim about them none to contradict.
//
// Everything here is pure and safe for concurrent use. [Read] is linear in the length of the list,
// which has at most [MostClaims]; [Check] in the narration, and in claims times actions.
package claimlist
