// Package condition decides whether a hook's conditions hold.
package condition
