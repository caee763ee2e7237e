// Package act holds what hooks do: an [Action] as authors write it, the [Table] of the types that
// there are, and what the handlers of a host are told ([Call]) and return ([Outcome]).
//
//	var actions act.Table
//	err := actions.Register("toast", act.Type{Handler: toast})
//	set, problems := hooks.Compile(list, &actions)
//
// The types that are built in stand in the documentation of package hooks.
package act
