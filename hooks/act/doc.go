// Package act defines the events, actions and logs of hooks: an [Event] and its names, an [Action]
// as authors write it, the [Table] of action types, the argument ([Call]) and result ([Outcome]) of
// a host's handlers, and the [Log] of a hook.
//
//	var actions act.Table
//	err := actions.Register("toast", act.Type{Handler: toast})
//	set, problems := hooks.Compile(list, &actions)
//
// The documentation of package hooks lists the built-in action types and the events.
package act
