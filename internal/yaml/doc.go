// Package yaml reads the part of YAML in which authors write initial variables, patches and
// lorebooks. The root module does not depend on a YAML reader. This one refuses everything outside
// its part and never reads it as something else.
package yaml
