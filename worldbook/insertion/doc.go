// Package insertion says where in a prompt the text of an entry of a world book goes.
package insertion
