// Package memvars holds a campaign's variables: one immutable JSON document, and
// the languages in which a model or a player may ask to change it.
package memvars
