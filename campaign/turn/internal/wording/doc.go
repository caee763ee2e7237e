// Package wording puts texts of models together, shortens and measures them.
package wording
