// Package recall asks a memory for what belongs to a turn, and makes lines of the prompt out of its answer:
// only of what still belongs to the story as it stands, and to whom the prompt is written for.
package recall
