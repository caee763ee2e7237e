// Package blocks writes the blocks of a prompt that the engine itself has to say: the world, the party, the
// summary, tools, variables, the languages in which a model may ask for changes, and what was wrong with its
// last commands. In goes what a turn sees of the past, out come texts. All of them are data: no macro in them
// is expanded.
package blocks
