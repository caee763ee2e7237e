// Package prompt assembles the messages of a request.
package prompt
