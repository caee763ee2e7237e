// Package suggestion holds what turn.Suggest asks a model for: what the player could do next, or
// say next. Its values are plain.
package suggestion
