// Package yaml reads the part of YAML in which cards write initial variables and patches. The
// root module depends on no reader of YAML; this one refuses what it does not know, and never
// reads it as something else.
package yaml
