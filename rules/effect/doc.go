// Package effect describes what shall happen in a game, as plain data: the closed union [Effect].
// Package rules applies effects with [Apply]. Effects that it cannot apply itself, and [Custom]
// effects, go to the host. [Parse] reads actions of authors and never fails. [Write] writes them.
// [Marshal] and [Unmarshal] are the strict form of records.
//
//	list := effect.ParseActions(value) // as authors write them: {"type": "hp-delta", …}
//	list = append(list, effect.SetVariable{Path: "gold", Operation: effect.Add, Value: tree.Int(5)})
//	applied := program.Apply(state, effect.By("chest", list...), rules.Options{})
//
// The package exports more than forty names, because that many things can happen.
package effect
