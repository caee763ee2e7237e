// Package on holds what hooks answer: an [Event], the names of those that have a fixed place in
// a turn, and how a pattern covers them ([Match]).
//
//	event := on.Event{ID: "evt_1", Type: on.BeforeSend, ConversationID: "c1"}
//	result := hooks.Run(ctx, set, event, state, env)
//
// Which events there are, and who raises them, stands in the documentation of package hooks.
package on
