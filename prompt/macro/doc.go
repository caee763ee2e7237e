// Package macro expands macros in texts: {{user}}, {{random::a::b}}, {{if .hp}}.
package macro
