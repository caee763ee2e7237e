// Package prompt assembles the messages of a request from the facts of one turn
// - system prompt, card, activated lore, directives, hook injections, summary,
// state, history, tool feedback - within a token budget, and says for every
// piece what became of it.
//
// # One complete call
//
//	pieces := Scene{System: "You are {{char}}.", Lore: lore, State: status}
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
// A [Block] is one piece of text with a key. It stands in a slot of a [Layout],
// or in the chat at a depth, or behind the macro outlet. A layout is an ordered
// list of slots; blocks of a slot with one role that follow one another become
// one message. [Default] is the layout for most games, a host may build its own,
// and package tavern has the one of SillyTavern presets. Package scene turns the usual
// pieces of a turn into blocks for the default layout.
//
// # Expansion
//
// Every template is expanded exactly once, in a documented order, so that a
// variable set in a card is there in the system prompt: card fields, history,
// lore, author's note, card texts at a depth, directives and injections, lists of
// prompts in the order of the input, the rest in the order of the layout, control
// prompt, prefill, markers. The text of players
// and models is data: in the history only names are expanded, follow-ups and
// literal blocks not at all. See package macro.
//
// # Budget
//
// Required parts come first: slots marked so, markers, control prompt, prefill,
// follow-ups and the newest line. If they do not fit, the error names all of
// them. The rest is taken by keep, larger first. The history is a run from the
// newest line back: it ends at the first one that does not fit. A text that a model
// or a player can grow gets a bound, [Block.MaxTokens]. The total is
// counted again on the finished messages and never exceeds the room.
//
// Counting is by a counter of package token: an estimate, an exact one of a module of its
// own, or yours, with a memory between builds where it is slow.
//
// # Tool loops and caches
//
// Follow-ups of a turn stand behind everything of its first request.
// [Result.Extend] appends them, so that the earlier request stays a prefix to
// the byte, also under a budget; [Budget.TurnReserve] keeps room for them. For
// the prefix to live longer than a turn, pass [Result.HistoryStart] on with an
// [Input.TrimSlack], choose the cache-friendly places of package scene, and set marks at
// [Result.Breakpoints].
//
// # What comes next
//
// Package shape makes the messages acceptable to a provider, package instruct
// renders a prompt as one text instead, package card reads character cards.
//
// # Decisions
//
// Much of this follows SillyTavern, the most complete assembler in the field.
// Where it does not, there is a reason:
//
// The newest line is required. A prompt without any history looks valid and
// makes a model invent the player's words; an error can be handled.
//
// Texts at a depth are reserved before old history instead of falling with it,
// since a directive of a rule matters more than a line of last week.
//
// Macros of the history are off but for names: a player who writes
// {{setvar::gold::9999}} has said something odd and changed nothing.
//
// The keeps are few and coarse on purpose. A priority on every text looks
// precise, cannot be tuned, and makes the report unreadable.
//
// Smaller blocks behind one that does not fit are tried, lines behind one that
// does not fit are not: lore is a set, a conversation is a sequence. So a
// smaller room keeps a subset of the history, and of blocks of one size, but it
// may well swap one large block for two small ones.
//
// Follow-ups are never joined to anything and never expanded. A tool loop that
// rewrites what the model has already seen loses the provider's cache and, when
// calls and results drift apart, the request.
//
// Texts at one depth are joined as they are, and the whole is trimmed: an author's
// empty line between two of them stays.
//
// Order at one depth is assistant, user, system, and lore beside the author's
// note goes with it: odd, but a large body of content relies on both.
//
// # Cost
//
// The history is read from the newest line back and no further than it fits: older
// lines are neither expanded nor counted, unless the layout expands the history in
// full, cost no memory, and share a line of the report ([Report.All] gives them one
// by one). What a build allocates follows what it keeps. With templates and counts
// remembered, 200 blocks and 1,000 lines into 8,000 tokens take less than a
// millisecond; BenchmarkAssemble measures it.
//
// Everything is a pure function of its arguments: time, chance and counting come
// in, variables and draws go out. Inputs are never changed.
package prompt
