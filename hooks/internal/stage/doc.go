// Package stage does what actions ask for on an [Overlay], of which nothing is seen before it is
// committed.
package stage
