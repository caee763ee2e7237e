// Package event describes what happened in a game, as plain data: the [Event], and the events that
// the engine itself raises. Rules and reactions match them; see package rules.
//
//	events := event.OfTurn(line, reply, turn, applied.Changes)                  // of the engine
//	events = append(events, event.New("door:opened", tree.Member{Key: "doorId", Value: tree.Text("cellar")})) // of a host
//	outcome := program.Run(state, events, rules.Options{})
package event
