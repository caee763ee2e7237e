// Package chatfile reads and writes the chats of SillyTavern: files of JSON lines, a header first
// and then a message each, with the answers (swipes) that were not chosen.
//
// A chat that was begun elsewhere goes on as a campaign:
//
//	start, err := imports.Card(png, imports.Options{ID: "seraphina", Player: "Mara"})
//	chat, problems := chatfile.Parse(data)
//	chat.AddTo(&start.Setup)
//	_, err = engine.Create(ctx, start.Setup)
//
// The engine's own sentences are those of the card's content; a chat does not change them.
// A campaign that was played becomes a chat, see [Of].
//
// # What becomes of a chat
//
// Each line of the player begins a turn, and what the characters say behind it is that turn's
// answer; several messages are its [state.Reply] list. What they say before the first line is the
// greeting of the setup, and further turns without a line. Hidden messages (is_system) are
// prompted nowhere. The last 100 swipes of the last answer become turns; the campaign keeps as many of them as the setting
// alternatives.max says, as alternatives for turn.Choose. All swipes are in the chat that is written again. No
// state of a game comes of a chat: there is none in it.
//
// The messages as they were stand in the member "sillytavern" of the turns and of the campaign,
// with everything that is not known here. [Of] writes them back as they are where the turn still
// says the same, so that a chat that was read, played on and written has lost nothing.
//
// # Bounds
//
// Reading is linear in the size of the file. A message nests at most as deep as any document of
// the library ([tree.MaxDepth]); one that is no JSON object is reported with its line and left
// out. Everything is pure and safe for concurrent use.
package chatfile
