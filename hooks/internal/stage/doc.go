// Package stage runs actions on an [Overlay]. Changes in an overlay are not visible before they are
// committed.
package stage
