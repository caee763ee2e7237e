// Package words holds what package memvars says to the authors of commands, in each language.
package words
