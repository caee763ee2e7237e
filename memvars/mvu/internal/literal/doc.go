// Package literal reads the values in commands of the MVU family: JSON, JSON5, literals and
// arithmetic of JavaScript, YAML, or a bare text.
package literal
