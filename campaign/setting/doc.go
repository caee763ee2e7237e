// Package setting holds the settings of a campaign: what may be set, what a
// value must look like, and which value is in force.
//
// A [Registry] is a value: [Builtin] lists the settings that the turn engine
// reads, and a host adds its own with [Registry.With]. A [Snapshot] holds the
// values that differ from the defaults, one for the campaign and one for the
// whole installation. [Registry.Freeze] reads them once, at the moment a turn is
// accepted, so that a change during the turn cannot tear it.
//
//	reg := setting.Builtin()
//	next, result, problems := reg.Patch(global, campaign, setting.Snapshot{
//		"retry.max_retries": memvars.Int(1),
//	})
//
// A patch is all or nothing: it reports every problem, sorted by key, or changes
// everything. Types are strict: true is no integer, "5" is none either, 5.0 is.
package setting
