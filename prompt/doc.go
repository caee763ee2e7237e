// Package prompt assembles the messages of a request within a token budget, and reports for every
// piece whether it was kept. The pieces are the facts of one turn: system prompt, card, activated
// lore, directives, hook injections, summary, state, history, tool feedback.
//
// # One complete call
//
//	pieces := prompt.Scene{System: "You are {{char}}.", Lore: lore, State: status}
//	result, err := prompt.Assemble(prompt.Default(), prompt.Input{
//		Blocks:  pieces.Blocks(env, history),
//		History: history,
//	}, env, prompt.Budget{Context: 8192, Response: 1024})
//	if err != nil {
//		return err // errors.Is(err, prompt.ErrBudget): names what does not fit
//	}
//	fmt.Print(result.Report)
//
// # Blocks, slots, layouts
//
// A [Block] is one piece of text with a key. It goes into a slot of a [Layout], into the chat at a
// depth, or is shown by the macro outlet. A layout is an ordered list of slots. Adjacent blocks of
// a slot with the same role become one message. [Default] is the layout for most games; a host may
// build its own, and package tavern has the layout of SillyTavern presets. [Scene] turns the usual
// pieces of a turn into blocks for the default layout.
//
// # Expansion
//
// Every template is expanded exactly once, in a documented order. A variable that a card sets is
// therefore available in the system prompt. The order is: card fields, history, lore, author's
// note, card texts at a depth, directives and injections. Then come lists of prompts in the order
// of the input, the rest in the order of the layout, control prompt, prefill, markers. The text of
// players and models is data: in the history only names are expanded. Follow-ups and literal blocks
// are not expanded. See package macro.
//
// # Budget
//
// Required parts come first: required slots, markers, control prompt, prefill, follow-ups and the
// newest line. If they do not fit, the error lists all of them. The other parts are chosen by keep,
// larger first. The history is a run from the newest line back; it ends at the first line that does
// not fit. Limit a text that a model or a player can enlarge with [Block.MaxTokens]. The total is
// counted again on the finished messages and never exceeds the budget.
//
// A [TokenCounter] counts: the estimate of [TokenEstimator], an exact counter such as package
// tiktoken (a separate module), or your own. [TokenCache] stores the counts of a slow counter
// between builds.
//
// # Tool loops and caches
//
// Follow-ups of a turn come after everything of its first request. [Result.Extend] appends them, so
// that the earlier request stays a prefix, byte for byte, also under a budget. [Budget.TurnReserve]
// keeps tokens free for them. To keep the prefix for longer than a turn, pass [Result.HistoryStart]
// to the next build with an [Input.TrimSlack], use [Scene].Cache, and set cache marks at
// [Result.Breakpoints].
//
// # What comes next
//
// [Shape] makes the messages acceptable to a provider. Package tavern can also render a prompt as
// one text. Package card reads character cards.
//
// # Decisions
//
// Most behaviour follows SillyTavern, the most complete assembler in the field. The differences
// have reasons:
//
// The newest line is required. A prompt without history looks valid and makes a model invent the
// player's words. An error can be handled.
//
// Texts at a depth are reserved before old history and are not dropped with it, because a directive
// of a rule is more important than an old line.
//
// In the history only name macros are expanded: a player who writes {{setvar::gold::9999}} changes
// nothing.
//
// The keeps are few and coarse on purpose. A priority for every text looks precise, but it cannot
// be tuned and makes the report unreadable.
//
// After a block that does not fit, smaller blocks are tried. After a line that does not fit, no
// line is tried: lore is a set, a conversation is a sequence. So a smaller budget keeps a subset of
// the history, and of blocks of one size. But it may replace one large block by two small ones.
//
// Follow-ups are never joined and never expanded. A tool loop that rewrites what the model has
// already seen loses the provider's cache. If calls and results no longer match, the request fails.
//
// Texts at one depth are joined as they are, and the whole is trimmed. An author's empty line
// between two of them stays.
//
// The order at one depth is assistant, user, system, and lore next to the author's note moves with
// it. This is unusual, but many cards and books rely on both.
//
// # Cost
//
// The history is read from the newest line back, only as far as it fits. Older lines are not
// expanded or counted, unless the layout expands the history in full. They cost no memory and share
// a line of the report ([Report.All] returns them one by one). A build allocates memory in
// proportion to the kept parts. With cached templates and counts, a build of 200 blocks and 1,000
// lines for 8,000 tokens takes less than a millisecond; BenchmarkAssemble measures it.
//
// Every function is pure: time, chance and counts are arguments; variables and draws are results.
// Inputs are never changed.
package prompt
