// Package anybook reads a lorebook file of any format that this module knows.
package anybook
