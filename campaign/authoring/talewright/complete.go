package main

import (
	_ "embed" // completion.bash
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// completion writes a script with which a shell completes the command line.
type completion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Run is the command.
func (c *completion) Run(t *terminal, parser *kong.Kong) error {
	var verbs, cases, fish []string
	global := flagsOf(parser.Model.Node)
	for _, verb := range parser.Model.Children {
		flags := flagsOf(verb)
		verbs = append(verbs, verb.Name)
		cases = append(cases, fmt.Sprintf("    %s) words='%s' ;;", verb.Name, strings.Join(append(flags, global...), " ")))
		fish = append(fish, fmt.Sprintf("complete -c talewright -n __fish_use_subcommand -a %s -d '%s'",
			verb.Name, withoutQuotes(verb.Help)))
		for _, f := range verb.Flags {
			fish = append(fish, fmt.Sprintf("complete -c talewright -n '__fish_seen_subcommand_from %s' -o %s -d '%s'",
				verb.Name, f.Name, withoutQuotes(f.Help)))
		}
	}
	if c.Shell == "fish" {
		t.printf("%s\n", strings.Join(fish, "\n"))
		return nil
	}
	if c.Shell == "zsh" {
		t.printf("autoload -U +X bashcompinit && bashcompinit\n")
	}
	t.printf(bashCompletion, strings.Join(append(verbs, global...), " "), strings.Join(cases, "\n"))
	return nil
}

// flagsOf returns the flags of a verb as people write them.
func flagsOf(n *kong.Node) (out []string) {
	for _, f := range n.Flags {
		out = append(out, "-"+f.Name)
	}
	return out
}

// withoutQuotes makes a help text a word of a shell between single quotation marks.
func withoutQuotes(text string) string { return strings.ReplaceAll(text, "'", "’") }

// bashCompletion completes verbs and flags, and files where neither fits. It is a format:
// the words without a verb, and the cases of the verbs.
//
//go:embed completion.bash
var bashCompletion string
