// Package worldbook decides which lore belongs in a prompt: entries of world
// books activate themselves by keys in the chat, by each other's texts, by
// chance and by time. It behaves like SillyTavern 1.19.0, or, by
// settings, as RoleplayConfig files ask for.
//
//	book := worldbook.Book{Name: "world", Entries: []worldbook.Entry{
//		{UID: "1", Keys: []string{"dragon", `/wyrms?/i`}, Content: "Dragons hoard gold."},
//	}}
//	compiled, problems := worldbook.Compile([]worldbook.Attachment{{Book: book}}, Exact())
//	result, next := compiled.Scan(worldbook.Input{Messages: chat, ContextSize: 8192}, state)
//
// A book is compiled once and shared by any number of chats. A scan is a pure
// function: the state of the chat goes in, the next one comes out, and nothing
// reads a clock or a random source but through the input. Random numbers used
// are part of the result, so that a turn can be replayed.
//
// # Names
//
// What most programs need is [Book], [Entry], [Compile], [Input], [State] and [Result], and one of
// the [ProfileSettings]. Where a text goes is in package insertion, why an entry is active in
// package reason.
//
// # Inside
//
// A file uses what stands below it and nothing above: first what authors and hosts write and read
// (entry, book, input, result), then the compiled book (compile_entry, compile_keys, compile), what
// one chat or one scan changes about it (overlay, state, timed), the stages of a scan (roster,
// gate, texts, explain), the loop that passes them in order (loop, scan), and vet; settings has
// what all of them ask of a profile. What knows none of the words of this package is in packages of
// its own: internal/match finds keys in texts, internal/group thins candidates out, internal/budget
// counts, internal/decorator and internal/macro read contents, internal/loose converts as
// SillyTavern does, and internal/lore is what the importers share.
//
// # Profiles
//
// [Exact] and [Roleplay] are values of [ProfileSettings]. The odd behaviours of SillyTavern
// have names (package quirk, QUIRKS.md) and can be switched off one by one.
//
// # Files
//
// The JSON of [Book] is SillyTavern's and keeps every member it does not know.
// Package format detects, reads and writes lorebook files: SillyTavern, character_book of
// cards, RoleplayConfig, novelai, agnai, risu, aidungeon, koboldai.
//
// # How keys are searched
//
// The window of an entry is U+0001 and its messages, newest first, joined by a
// newline and U+0001, then the texts it asked for. Distinct keys share one index
// (see internal/keyindex) that finds all of them in one pass over a text, nearly
// independent of their number. What a message holds is remembered ([Cache]), so
// that a turn costs its new text only; what entries' texts hold is known when the
// book is compiled, so that recursion walks lists. Regexes run where a literal
// that they need was found, and on the parts of the window that they can reach.
//
// # Regexes of strangers
//
// Every search of a regex counts its steps and is given up where it takes too many: 4
// million and 256 for each byte of the text, a few hundredths of a second; those of a
// whole scan together 268 million. Most patterns never get there, because their engine
// takes time in proportion to the text (internal/jsregex; [Compiled.Vet] names the
// others as slow_regex). A key that is given up counts as not found for the whole scan,
// is named in [Result.Fuses], and then rests for 100 messages ([State.Fuses]), so
// that no later turn stalls again. Steps are counted, not timed: the same texts, book
// and state always give the same result, on any machine and with any cache.
//
// A key that was never searched for takes 2 KB and 32 times its own length at most, one
// that was searched for some 200 times its length and at most 200 KB more.
//
// # Costs
//
// The books of SillyTavern's own benchmark, 10,000 entries with 50,000 keys, on two
// virtual cores, the shortest of some hundred scans. SillyTavern is measured warm.
//
//	set-up, 100 messages  SillyTavern   full      two new messages
//	plain keys            1,199 ms   0.17 ms   0.03 ms
//	whole words           2,033 ms   0.15 ms   0.03 ms
//	a fifth regexes       1,494 ms   0.28 ms   0.04 ms
//	recursion            57,994 ms   0.19 ms   0.06 ms
//
// Ratios, each measured within one run (PERF=1 go test -run TestPerf ./worldbook
// ./internal/keyindex). R is a loop that adds up the bytes of the text, C a
// search key by key, V a run of every regex over the window.
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
// Active entries are what a turn costs in a large book, about 65 ns each. Eight times
// the entries take about eight times as long whatever they ask for: timed effects,
// groups, budget, forced entries (TestPerfFeatures).
//
// An unchanged chat into a result that is used again allocates nothing, except for
// explanations and for what is forced or put together for one scan.
//
// # Differences to SillyTavern
//
//   - Texts are UTF-8. Half of a surrogate pair in a message cannot be represented
//     and becomes U+FFFD, as invalid UTF-8 does; a recorded case that needs one is
//     the only one that TestConformance lets fail.
//   - Macros in a content are expanded once per scan, even if the entry is tried in
//     several loops.
//   - A content that is no text stands as its text; SillyTavern stops with an error and
//     has no lore at all on such a turn. Sticky and cooldown that are no numbers are over
//     at once; in SillyTavern they run until the chat is loaded again.
//   - Group names and keys that make SillyTavern's engine fail are ordinary.
//   - An entry without an order compares as equal to all others, and where it ends
//     up then is the sort's own affair. Give every entry one.
//   - Numbers of messages are whole and at most 2^30; fractions are cut off.
//   - Letters newer than Go's Unicode tables have no case.
//   - What regexes do otherwise than in JavaScript is listed, with its tests, in
//     internal/jsregex.
package worldbook
