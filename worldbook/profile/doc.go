// Package profile has the rules of a scan of world books: how deep keys are searched, what the
// lore may cost, and which behaviours of which program it has. [Exact] is SillyTavern as it is
// shipped, [Roleplay] what RoleplayConfig files ask for; any other is a value of [Settings] that
// begins with one of them.
package profile
