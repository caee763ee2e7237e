// Package rules is the language of consequences: events, conditions, effects,
// and declarative rules that turn the one into the other without a model.
package rules
