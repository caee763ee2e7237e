// Package hookevent makes the events of a turn that hooks hear of: what they are asked with, and what each
// event carries. In goes an [Occasion], which says how far the turn is; out come questions and payloads.
package hookevent
