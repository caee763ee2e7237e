// Package cast decides who speaks next if a model plays several characters, and combines the texts
// of their cards. It decides like group chats of SillyTavern 1.19.
//
// # Use
//
//	round := cast.Round{Members: members, Chat: lines, Input: "Cyra, what now?", Random: source.Float64}
//	choice, err := cast.Choose(round)
//	if err != nil {
//		return err // an impossible round: the cast is empty, or the forced member has no card
//	}
//	for _, id := range choice.Speakers {
//		sheet, _ := cast.MakeSheet(members, nil, id, cast.Putting{Cards: cast.Join})
//		… // generate a reply with it
//	}
//	fmt.Print(choice) // who speaks, and why
//
// # Who speaks
//
// Muted members do not speak, except where this page says otherwise. A member whose card is gone
// never speaks, but may use a random number.
//
//	list     all members, in list order, each once
//	manual   no member after input of the player; without input one is drawn
//	natural  see below
//	pooled   one is drawn from those who have not spoken since the player's last line; with input
//	         these are all members. If all have spoken, one is drawn from all except the speaker
//	         of the newest line
//
// The host may force a member, muted or not. A swipe or a continuation goes to the speaker of the
// newest line, even if it is muted or no longer in the cast. After a line of the player or the
// narrator, it goes to the last member who spoke; if there is none, a member is drawn. A quiet text
// follows the same rules, with two differences: hidden lines count, and in an empty chat the first
// member of the list writes it. For a line of the player (impersonate) a member is drawn.
//
// # The natural order
//
// The newest line is the input, else the newest message unless it is hidden. Without input and
// without [Round.SelfReply], members with the name of the last speaker are banned. Hidden lines and
// lines of narrators count for this, lines of players do not.
//
//  1. A named member speaks. Each word of the newest line, from left to right, names the first
//     member in list order who is not banned and has the word in the name.
//  2. The members are shuffled. Each who is not banned draws a number, including named members.
//     A member speaks if its talkativeness is not below the number.
//  3. If there is no speaker yet, one is drawn from those who are not banned and have a
//     talkativeness above 0. If there are none, one is drawn from all, including banned members.
//
// # Words
//
// Names and lines are split into runs of letters, digits and underscores. They are compared without
// letter case and width. A run also ends where a script without blanks meets a different script
// (Chinese, kana, Korean, Thai, Lao, Khmer, Burmese and others). A word of such a script is found
// anywhere in the line, because no blanks mark words: 老陈 is named in 问老陈吧. A single character of
// such a script must be the whole name. Every other word must be a word of the line: Ash is not
// named in ashes. SillyTavern itself finds only words of Latin letters without accents.
//
// # Chance
//
// Numbers come from [Round.Random]. An index below n is the number times n, rounded down. The draws
// have this order: the shuffle, one for each member who draws, the last step. The shuffle begins at
// the end and draws n numbers for n members, because its last step also draws. [Choice.Draws]
// records them, so a round can be repeated.
//
// # Cards
//
// [MakeSheet] uses only the speaker's card or joins the cards of all members: see [Cards]. {{char}}
// in the text of a card is its owner. [Macros] returns the values of the macros for groups.
//
// # Limits and concurrency
//
// The package has no state. Everything is safe for concurrent use while the arguments are not
// modified. All texts are valid input. The cost is linear in the lines. The caller must limit the
// length of lines and the size of the cast.
package cast
