// Package act defines the events, actions and logs of hooks. It has the [Event] and its names, the
// [Action] as authors write it, and the [Table] of action types. A host's handler gets a [Call] and
// returns an [Outcome]. The [Log] is the log of a hook.
//
//	var actions act.Table
//	err := actions.Register("toast", act.Type{Handler: toast})
//	set, problems := hooks.Compile(list, &actions)
//
// The documentation of package hooks lists the built-in action types and the events.
package act
