// Package declare has what authors declare of a game: its variables, with their types and bounds, the
// modules that its content is divided into, and when either is active. Package rules compiles it.
package declare
