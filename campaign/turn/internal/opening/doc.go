// Package opening makes a campaign of what a host or another program says that it begins with, and
// reports everything that is wrong with that. What a setup describes is a value, and so is the
// campaign; nothing here keeps either of them.
package opening
