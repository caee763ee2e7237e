// Package conflict finds claims of a narration that contradict the authoritative state of a
// campaign: a change of hit points without a settlement, a character in a place without a move,
// a death that did not happen, and rules, maps, cards and goals that the text rewrites.
//
// One call does it:
//
//	found := conflict.Detect(narration, structured, view, conflict.Options{})
//
// The [View] is the state after the actions of the turn, together with these actions. The answer is
// a list of [Conflict] values in the order of the text. After a conflict of severity [Block] the
// host should generate again and give the model the quote, the true value and the instruction.
// [Warn] is for logs.
//
// # Precision first
//
// A claim blocks only if three things are true: it is asserted; it is about a tracked character or
// about the system itself; it is lexically exact (a number, a known area name, a fixed phrase). A
// doubtful claim is a warning or nothing. A false alarm costs a generation and may destroy a good
// text. Claims that the rules miss are asked about, see below.
//
// # Three steps
//
// [Detect] reads the plain, certain forms. Only they block by themselves. [Suspect] casts a wide net
// over the same text and returns questions: a quote, and the characters, numbers and places that it
// could be about. Most patterns of the net need certain words together. The wide ones add the points of
// many words in two sentences, and ask only where no other pattern does. They also ask about an area that the text
// does not name, such as stables if a text has straw and a saddle. A model answers what the text
// says, and [Decide] compares the answer with the state. The model never sees the state. An answer that
// names anything but the choices of its question counts as no answer, and a question without an answer
// blocks nothing.
//
// A campaign does all three, see the setting conflict.ask. Services.Judge answers, or else the model
// of the campaign, without the tools of the game.
//
// [MergeJudge] is for a judge, a second model that sees the state and the findings.
//
// # How a narration is read
//
// The text is read once, in Chinese and English at the same time, into a [Reading] that all
// detectors share:
//
//  1. Full-width digits, letters and the signs ／：＋－ become ASCII, one to one, so every position
//     maps back to the original bytes.
//  2. Quoted speech and book titles are masked.
//  3. The rest is split into sentences and clauses. A sentence of more than 300 characters ends at
//     its next comma.
//  4. The words of the lexicons and the names of characters and areas are found in one pass. A
//     name hides the words inside it, but not the verbs and numbers of claims: a character may be
//     called "dies".
//  5. Names, words for the acting character and words for the party are mentions. A pronoun (他,
//     她, he, she) means the last named person that fits, unless an untracked person was mentioned
//     since.
//  6. Patterns find the claims: who, what happens, how much. They are data, with an example and a
//     counter-example each. Those of certain claims allow only adverbs and articles between their
//     parts.
//  7. A claim is asserted unless its sentence is a question or a choice, describes a dream, a
//     picture or a play, or has a hypothetical, past, negated, intended or conditional word that
//     governs the claim.
//  8. The subject of a claim is the last mention before it, with the exceptions that
//     [Reading.Subject] lists. A line of a panel is about the name in it. A line without a name is
//     only a warning, and asked about.
//
// # Detectors
//
// [Builtin] lists the detectors and the kinds of conflicts that they report. Most are a row of a table
// and the patterns of its claims.
//
// An output that is empty or cannot be read has no narration. [OutputConflict] makes its conflict.
//
// # Words are data
//
// The detectors use two vocabularies, one for each language. Their words are sorted into classes
// such as hypothetical words, verbs of loss or names of attributes. All words are compiled into one
// tree, and a text is searched once for all of them. The detectors then work with the positions of
// the found words, never with the text alone. A pattern such as "verb of loss, number, hp word"
// takes a few lines, and a new verb is one more word in a list.
//
// Regular expressions were the alternative. They find the phrases, but they cannot express the
// rules about subjects and moods, which do most of the work.
//
// A word that cancels claims (if, almost, 差点) costs recall if it is too broad. A word that makes
// claims costs precision. If in doubt, put a word into the first group or into none.
//
// # Evidence
//
// A claim needs evidence of its own kind about its own character. A move does not support a loss of
// hit points, and a wound does not support the death of a different character. An amount may be the
// requested or the effective one, of one action or of several together. Each supports one claim in
// prose and one in the short form of a panel (HP-3), so a second claim of the same loss is
// unsupported. If a text does not say whether an amount is lost, gained or left, it is a conflict
// only if the state supports none of the three. Intermediate values are accepted. An arrival may be
// at any stop of the move. A host's own tool gives evidence with its [Action]: changes of hit
// points and of life states, moves, rolls, or the names of other fields that it affects.
//
// # The stricter way
//
// With the setting conflict.claims, the model lists the claims of its narration, each with the call
// that settles it. The engine compares the narration with the list. A claim without evidence, and a
// statement that is not in the list, are findings of the detector "claims".
//
// # Own detectors
//
// [Builtin] lists the detectors above. [Options.Extra] adds a host's own. They may ask the
// [Reading] for the subject of a claim, whether it is asserted, the names and numbers at a position
// of the text, and the state and the actions of the turn.
//
// # Cost
//
// Everything here is pure and safe for concurrent use. The work is linear in the length of the
// narration. Any bytes are valid input. The lexicons are compiled once, when the first text is
// read. The names of a view are few and are compiled for each text.
//
// # Known gaps
//
// By policy the detectors read only plain forms. Idioms of death, subjects two sentences back, tables,
// parts of the hit points and places that no map has are asked about or missed. Of the harmless texts that
// were written to be tricky, about 25 in a hundred cause a question, of ordinary ones 0 to 24.
//
// # Quality
//
// The latest unseen texts come first: lot-1130k.json, 200 texts of 30 November 2026, half of them harmless. The writer
// had not seen the patterns. Of the contradictions 46 are told plainly, 38 in other words, and 16 only as a hint, such
// as beads for hit points or furniture for a place. The scores are in Chinese and English, asked recall is with right
// answers. The lot was measured once before the last changes of the net, and once after them. Its misses were not read.
//
//	before   read recall 28 and 32, asked recall 72 and 64, ordinary harmless texts asked about 8 and 3 per cent
//	after    read recall 28 and 32, asked recall 82 and 74, ordinary harmless texts asked about 11 and 5 per cent
//
// After the changes all plain contradictions, 26 in other words and 6 hints are found. Read precision is 93 and 100, with
// right answers 100, and a text has 0.42 and 0.32 questions. The same person wrote the lot and, later, the new words of
// the net. So the new words that only this lot has were removed before the second measurement.
//
// The lots before it were fitted after their first measurement. The first scores of lot-1130j.json, by the same writer, and
// of four lots by a novelist, a third of whose contradictions are hints, were:
//
//	lot-1130j.json   read recall 38 and 40, asked recall 80 and 78
//	lot-1130i.json   read recall 34 and 22, asked recall 66 and 52
//	lot-1130h.json   read recall 28 and 16, asked recall 62 and 56
//	lot-1130g.json   read recall 36 and 28, asked recall 64 and 72
//	lot-1130f.json   read recall 36 and 38, asked recall 78 and 60
//
// Earlier lots are by three other writers. Their first scores were:
//
//	lot-1130e.json, 180 texts            read recall 47 and 38, asked recall 89 and 87
//	lot-1130d.json, 180                  read recall 49 and 42, asked recall 80 and 89
//	lot-1130c.json, 180                  read recall 49 and 36, asked recall 84 and 93
//	lot-1130b.json, 180                  read recall 56 and 43, asked recall 93 and 95
//	lot-1130a.json, 180                  read recall 56 and 38, asked recall 88 and 85
//	lot-1129e.json, 96                   read recall 63 and 37, asked recall 90 and 70
//	lot-1129d.json, 145                  read recall 64 and 30, asked recall 86 and 81
//	lot-1129c.json, 173, mostly plain    read recall 64 and 45, asked recall 90 and 91
//	lot-1129b.json, 266, mostly hints    read recall 34 and 20, asked recall 71 and 68
//	lot-1129a.json, 399                  read recall 41 and 35, asked recall 83 and 81
//
// So of claims that are told plainly up to one in ten is neither read nor asked about, of those in other words one to three
// in ten, and of hints most.
//
// All other figures are fitted: the patterns were extended after the texts were read, and the points of the wide
// patterns come from them. The table in testdata/narrations/README.md has them. With right answers the files before
// lot-1130f have a recall of 89 to 100 now and a precision of 100, the five up to lot-1130j 72 to 98 and 97 to 100.
// TestNarrations prints the scores, also of another file.
package conflict

// builtin.go is the table of the detectors. claim.go reads the claims of a text, decide.go compares
// them with the state, and suspect.go and wide.go find the questions. Three internal packages help. Package lexicon has the
// vocabularies and the patterns and finds words. Package tokenize splits a text into numbers, clauses
// and sentences. Package parse finds subjects and the places where patterns fit, and decides whether a
// claim is asserted.
