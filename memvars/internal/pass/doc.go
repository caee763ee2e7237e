// Package pass holds the automatic rules that follow the commands of a message and end a turn:
// the inventory, the derived fields, the limit of the difficulty; the clock, the task, stocks,
// summaries, green lights. Package memvars says when each runs.
package pass
