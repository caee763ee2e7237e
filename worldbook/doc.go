// Package worldbook decides which lore belongs in a prompt. Entries of world books are activated by
// keys in the chat, by the texts of other entries, by chance and by time. The package behaves like
// SillyTavern 1.19.0 or, with other settings, as RoleplayConfig files ask.
//
//	book := worldbook.Book{Name: "world", Entries: []worldbook.Entry{
//		{UID: "1", Keys: []string{"dragon", `/wyrms?/i`}, Content: "Dragons hoard gold."},
//	}}
//	compiled, problems := worldbook.Compile([]worldbook.Attachment{{Book: book}}, worldbook.Exact())
//	result, next := compiled.Scan(worldbook.Input{Messages: chat, ContextSize: 8192}, state)
//
// A book is compiled once and shared by any number of chats. A scan is a pure function: it gets the
// state of the chat and returns the next state. It reads no clock, and takes random numbers only
// from the input. The result records the random numbers used, so that a turn can be replayed.
//
// # Names
//
// Most programs need only [Book], [Entry], [Compile], [Input], [State], [Result] and one of the
// [ProfileSettings].
//
// # Profiles
//
// [Exact] and [Roleplay] are values of [ProfileSettings]. The odd behaviours of SillyTavern have
// names ([Quirk], QUIRKS.md) and can be switched off one by one.
//
// # Files
//
// The JSON of [Book] is SillyTavern's. It keeps every unknown member. Package format detects, reads
// and writes lorebook files: SillyTavern, character_book of cards, RoleplayConfig, novelai, agnai,
// risu, aidungeon, koboldai, astrbot, chatluna. All may be written in JSON or YAML.
//
// # How keys are searched
//
// The window of an entry is U+0001 and its messages, newest first, joined by a newline and U+0001.
// The texts that the entry asked for follow. Distinct keys share one index (internal/keyindex). It
// finds all of them in one pass over a text, and its cost hardly depends on their number. The keys
// found in a message are cached ([Cache]), so that a turn pays only for its new text. The keys in
// entries' texts are found when the book is compiled, so that recursion only walks lists. A regex
// runs only where a literal that it needs was found, and only on the parts of the window that it
// can reach.
//
// # Untrusted regexes
//
// Every search of a regex counts its steps and stops when it takes too many. The limit is 4 million
// and 256 for each byte of the text, a few hundredths of a second. The limit for all searches of
// one scan together is 268 million. Most patterns never reach a limit, because their engine takes
// time in proportion to the text (internal/jsregex). [Compiled.Vet] reports the others as
// slow_regex. A stopped key counts as not found for the whole scan and is listed in [Result.Fuses].
// Then it rests for 100 messages ([State.Fuses]), so that later turns do not stall again. Steps are
// counted, not timed: the same texts, book and state always give the same result, on any machine
// and with any cache.
//
// A key that was never searched for takes at most 2 KB and 32 times its own length. A key that was
// searched for takes some 200 times its length and at most 200 KB more.
//
// # Costs
//
// The table shows SillyTavern's own benchmark: 10,000 entries with 50,000 keys, on two virtual
// cores, the shortest of some hundred scans. SillyTavern is measured warm.
//
//	set-up, 100 messages  SillyTavern   full      two new messages
//	plain keys            1,199 ms   0.17 ms   0.03 ms
//	whole words           2,033 ms   0.15 ms   0.03 ms
//	a fifth regexes       1,494 ms   0.28 ms   0.04 ms
//	recursion            57,994 ms   0.19 ms   0.06 ms
//
// The next table shows ratios, each measured within one run (PERF=1 go test -run TestPerf
// ./worldbook ./internal/keyindex). R is a loop that adds up the bytes of the text. C is a search
// key by key. V is a run of every regex over the window.
//
//	                                                 measured          aim
//	fold and scan, 500 keys, English / Chinese       6.4 R / 4.3 R     10 / 7
//	fold and scan, 5,000 keys                        9.6 R / 4.7 R     16 / 9
//	fold and scan, 50,000 keys                       21 R / 6 R        40 / 20
//	50,000 keys, English / Chinese                   C / 2,000, 2,000  C / 1,500
//	full scan, 10,000 entries, 515 active, warm      C / 3,400         C / 200
//	the same with cold caches                        C / 800           C / 200
//	two new messages against the full scan, warm     0.19              0.25
//	the same with cold caches                        0.35              0.5
//	unchanged chat against the full scan             0.12              0.125
//	two new messages, 10,000 entries against 100     3.8               4
//	one active entry                                 200 R             600
//	1,000 regexes, guards hit / none hit             V / 80, V / 700   V / 8, V / 500
//	memory per entry with 5 keys, without its text   1.0 KB            1.2 KB
//
// The cost of a turn in a large book comes from its active entries, about 65 ns each. Eight times
// the entries take about eight times as long, with all features: timed effects, groups, budget,
// forced entries (TestPerfFeatures).
//
// A scan of an unchanged chat into a reused result allocates nothing, except for explanations,
// forced entries and texts that are built for one scan.
//
// # Differences to SillyTavern
//
//   - Texts are UTF-8. Half of a surrogate pair in a message becomes U+FFFD, as invalid UTF-8 does.
//     TestConformance allows only one recorded case to fail: the case that needs such a half.
//   - Macros in a content are expanded once per scan, even if the entry is tried in several loops.
//   - A content that is not a text is converted to a text. SillyTavern stops with
//     an error and has no lore at all on such a turn.
//   - Sticky and cooldown that are not numbers end at once. In SillyTavern they run until the chat
//     is loaded again.
//   - Group names and keys that make SillyTavern's engine fail are ordinary.
//   - An entry without an order compares as equal to all others, so its place after sorting is not
//     defined. Give every entry an order.
//   - Numbers of messages are whole and at most 2^30. Fractions are cut off.
//   - Letters newer than Go's Unicode tables have no case.
//   - internal/jsregex lists the differences to regexes of JavaScript, with tests.
//
// # Codes of problems
//
//   - bad_regex: a key /…/ that is not a valid regex ([CodeBadRegex])
//   - unknown_quirk: in ProfileSettings.QuirksOff
//   - unknown_decorators: in ProfileSettings.Decorators
//   - unknown_decorator: unknown name of a decorator, reported once per chain
//   - bad_value: value of a decorator missing or not allowed
//   - stray_fallback: @@@ without a decorator before it
//   - duplicate: a repeated decorator
//   - unknown_word_rule: in ProfileSettings.WholeWords
//   - duplicate_name: two different books with one name
//   - bad_option: a mistake in Entry.Options, or a part of it that probably means something else
//   - out_of_range: a number of an entry without a meaning, such as a negative duration
//   - dead_key: a key that nothing can match
//   - joined_keys: keys with a full-width comma between them, which are one key
//   - unreachable: an entry that nothing can activate
//   - unplaced: an entry whose text is placed nowhere
//   - empty_content: an entry without a text
//   - duplicate_uid: an id that an earlier entry already has
//   - group_of_one: an inclusion group with one member
//   - recursion_cycle: entries that activate each other
//   - slow_regex: a regex that only its step limit stops
//   - tight_budget: constants that exceed the budget
package worldbook
