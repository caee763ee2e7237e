// Package conflict finds what a narration claims against the authoritative
// state of a campaign: hit points nobody settled, places nobody moved to,
// deaths that did not happen, rules, maps, cards and goals rewritten in prose.
//
// One call does it:
//
//	found := conflict.Detect(narration, structured, view, conflict.Options{})
//
// The [View] is the state after the actions of the turn, together with those
// actions. The answer is a list of [Conflict] values in the order of the text.
// A conflict of severity [Block] should make the host generate again, telling
// the model the quote, the true value and the instruction; [Warn] is for logs.
//
// # Precision first
//
// A claim blocks only if it is asserted, about a tracked character (or about
// the system itself), and lexically exact: a number, a known area name, a
// fixed phrase. What is doubtful is a warning or nothing. A false alarm costs
// a generation and may spoil a good text; what the rules miss is left to a
// judge, a second model whose answer [MergeJudge] joins with the findings.
//
// # How a narration is read
//
// The text is read once, in Chinese and English at the same time, into a
// [Reading] that all detectors share:
//
//  1. Full-width digits, letters and the signs ／：＋－ become ASCII, one to
//     one, so that every position maps back to the original bytes.
//  2. Quoted speech and book titles are masked.
//  3. The rest is cut into sentences and clauses. A sentence of more than 300 characters ends at its
//     next comma.
//  4. The words of the lexicons and the names of characters and areas are
//     found in one pass; a name hides the words inside it, but no verb or
//     number of a claim: a character may be called "dies".
//  5. Names, words for the acting character and the party are mentions; a
//     pronoun (他, 她, he, she) is one of the last named person that fits, unless
//     somebody untracked was spoken of since.
//  6. Small readers find claims by pattern: who, what happens, how much, settled
//     or not; in prose, and in panels, lists and tables.
//  7. A claim counts as asserted unless its sentence is a question or a choice,
//     tells a dream, a picture or a play, or a hypothetical, past, negated,
//     intended or conditional word governs it.
//  8. The subject of a claim is the last mention before it, with the
//     exceptions that [Reading.Subject] lists. A line of a panel is about the name
//     in it, or about whom the sentence before it begins with; a line that names
//     nobody is only a warning.
//
// # Detectors
//
//	hp              hp_change_unsettled, hp_amount_mismatch, hp_value_mismatch
//	hp_qualitative  wound_unsettled (a warning unless the options say more)
//	life            life_state_unsettled
//	location        location_unsettled, location_mismatch
//	world_rules     world_rule_rewrite
//	map             map_rewrite
//	card            card_rewrite
//	goal            goal_rewrite, hidden_goal_leak
//	dice            dice_claim_unsettled
//	structured      structured_state_write
//
// An output that cannot be read, or is empty, has no narration; its conflict is
// made by [OutputConflict].
//
// # Words are data
//
// What the detectors look for stands in two vocabularies, one for each language,
// sorted into classes such as hypothetical words, verbs of loss or names of
// attributes. They are compiled into one tree, and a text is searched once for
// all of them. The detectors then work with the places of the words found, never
// with the text alone: a pattern like "verb of loss, number, hp word" is a few
// lines, and another verb is one word more in a list.
//
// Regular expressions were the alternative. They find the phrases, but the rules
// about subjects and moods, which do the real work, cannot be expressed in them.
//
// A word that unmakes claims (if, almost, 差点) costs recall when it is too
// broad; a word that makes them costs precision. In doubt a word belongs to the
// first sort, or nowhere.
//
// # Evidence
//
// A claim is supported by evidence of its own sort, about its own character: a
// move excuses no loss of hit points, and a wound no death of somebody else.
// Amounts may be those asked for or those that took effect, of one action or of
// several together; each supports one claim in prose and one in the short form of
// a panel (HP-3), so that who tells a loss twice tells too much. An amount of which a text
// does not say whether it is lost, gained or left is a conflict only if the state supports
// none of the three. Values may be
// those in between; an arrival may be any stop on the way. A tool of a host's own
// gives evidence by what it puts into its [Action]: changes of hit points and of
// life states, moves, rolls, or the names of other fields that it affects.
//
// # Where things are
//
// The work goes through six rooms below internal, each with values of the one before: lexicon finds
// words, prose cuts numbers, clauses and sentences, reading knows who is meant and whether a claim
// is told as a fact, points reads claims about hit points and claims those of every other kind,
// secret looks for the words of a hidden goal. Here a file detector_*.go holds each kind of claim
// against the [View].
//
// # The stricter way
//
// Package claimlist holds a narration against a list that the model writes of what it tells, with the
// calls that settle it.
//
// # Own detectors
//
// [Builtin] lists the detectors above; [Options.Extra] adds a host's own, which
// may ask the [Reading] who a claim is about and whether it is told as a fact, what stands
// in a place of the text, and what the state and the turn say.
//
// # Cost
//
// Everything here is pure and safe for concurrent use. The work is linear in the length of the
// narration, and a text of any bytes is read without failing. The lexicons are compiled once, when
// the first text is read; the names of a view are few and read for each text.
//
// # Known gaps
//
// By policy: most idioms of death, subjects two sentences back, amounts told of
// several blows at once, and places that no map knows. They are for the judge.
//
// How much of fresh prose is found, and how often wrongly, is measured: TestNarrations
// prints precision and recall for each language and kind on labelled texts.
package conflict
