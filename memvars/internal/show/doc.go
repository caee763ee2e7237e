// Package show writes variables for a prompt: what a model may see, as JSON or as YAML.
package show
