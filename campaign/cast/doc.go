// Package cast decides who speaks next where a model plays several characters, and puts the texts of
// their cards together. It decides as group chats of SillyTavern 1.19 do.
//
// # Use
//
//	round := cast.Round{Members: members, Chat: lines, Input: "Cyra, what now?", Random: source.Float64}
//	choice, err := cast.Choose(round)
//	if err != nil {
//		return err // an impossible round: nobody is in the cast, or the one who is called has no card
//	}
//	for _, id := range choice.Speakers {
//		sheet, _ := cast.MakeSheet(members, nil, id, cast.Putting{Cards: cast.Join})
//		… // generate a reply with it
//	}
//	fmt.Print(choice) // who speaks, and why
//
// # Who speaks
//
// Members who are muted are left out, except where a line says otherwise. A member whose card
// is gone never speaks, but may use up a number.
//
//	list     everybody, in list order, each once
//	manual   nobody after input of the player; without it one drawn
//	natural  see below
//	pooled   one drawn of those who have not spoken since the player's last line; with input
//	         these are all. If all have spoken, one of all but the one whose line is newest
//
// The host may force one, muted or not. A swipe or a continuation is for the one whose line is
// newest, also if muted or no longer in the cast; after a line of the player or the narrator, for
// the one who spoke last, and if nobody has, for anybody. A quiet text is the same, hidden lines
// count for it, and in an empty chat the first of the list writes it. A line for the player
// (impersonate) is written by anybody.
//
// # The natural order
//
// The newest line is the input, else the newest message, unless that is hidden. Without input
// and without [Round.SelfReply], members with the name of the last speaker are banned: hidden lines
// and those of narrators count, those of players do not.
//
//  1. Who is named speaks: each word of the newest line, from left to right, gives the first
//     member in list order who is not banned and has the word in the name.
//  2. The members are shuffled, and each who is not banned draws a number, those who are named too.
//     Whoever's talkativeness is not below it speaks.
//  3. If nobody speaks, one is drawn of those who are not banned and have a talkativeness above 0; if
//     there are none, one of all, banned ones too.
//
// # Words
//
// Names and lines are cut into runs of letters, digits and low lines, in any letter case and
// width, and where a script without blanks meets another (Chinese, kana, Korean, Thai, Lao,
// Khmer, Burmese and others). A word of such a script is named where it occurs, since no blank
// says where words end: 老陈 is named in 问老陈吧. A single character of it is named only if it
// is the whole name. Every other word has to be a word of the line: Ash is not named in ashes. The
// program knows only words of Latin letters without accents.
//
// # Chance
//
// Numbers come from [Round.Random]. An index of n is the number times n, rounded down. They are taken
// in this order: a shuffle (from the end; n numbers for n members, the last step draws too), then one
// for each member who draws, then the ones for who is found at last. [Choice.Draws] holds
// them, so that a round can be repeated.
//
// # Cards
//
// [MakeSheet] takes the speaker's card alone, or joins those of all: see [Cards]. {{char}} in the
// text of a card is its owner. [Macros] gives the values of the macros for groups.
//
// # Bounds and concurrency
//
// Nothing here keeps a state: everything is safe for concurrent use, as long as the values that are
// given are not changed meanwhile. Any text may be given; the cost is linear in the lines. The length
// of lines and the size of the cast are bounded by whoever gives them.
package cast
