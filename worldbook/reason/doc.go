// Package reason says why an entry of a world book was activated.
package reason
