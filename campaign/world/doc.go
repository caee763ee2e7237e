// Package world holds where a campaign is played: the laws of its world, which no narration may
// change, and the map with its areas, the paths between them and the lock on all movement.
//
// All of it is plain values with JSON forms, as package state keeps them: content and hosts write
// them, tools and detectors of contradictions read them. [Map.Exits] lists the ways out of an area,
// [Path.Leads] says whether a path can be walked. JSON members that these types do not know are
// kept in Extra and written again.
//
// The package starts no goroutines. Share values only for reading.
package world
