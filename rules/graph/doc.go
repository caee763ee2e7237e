// Package graph draws which rules and reactions have to do with which variables, events and
// with each other, as text for Mermaid and for Graphviz. Rules that cause each other in a
// circle are marked.
package graph
