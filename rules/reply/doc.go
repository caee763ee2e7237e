// Package reply takes marked passages out of a model's reply and routes them: a status
// block into variables, a mood into one variable, a sign into an event.
//
//	set, problems := reply.Compile(list, variables)
//	result := set.Apply(text)
//	applied := program.Apply(state, rules.By("reply", result.Effects...), options)
package reply
