// Package yumina imports the worlds of another engine: their variables, rules, reactions,
// modules and entries load without edits, and what cannot be carried over is listed.
//
//	world, problems := yumina.Load(data, yumina.Options{})
//	program, more := rules.Compile(world.Content())
//	book, err := world.BookJSON() // the entries, for worldbook/stbook
package yumina
