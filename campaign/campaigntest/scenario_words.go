package campaigntest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// param is the kind of an argument.
type param int

const (
	word         param = iota // one word, optionally in quotation marks
	whole                     // a whole number
	number                    // any number
	value                     // the rest: JSON, or a text
	object                    // the rest: a JSON object
	phrase                    // the rest: a text, optionally in quotation marks
	scenarioText              // the rest, unchanged
)

// shape describes the arguments of a word.
type shape struct {
	params   []param
	optional bool   // the last param may be missing
	usage    string // the arguments, for messages
}

// read splits the arguments of a word.
func (s shape) read(rest string) ([]string, error) {
	var args []string
	for i, p := range s.params {
		rest = trimBlanks(rest)
		if rest == "" && p != scenarioText {
			if s.optional && i == len(s.params)-1 {
				return args, nil
			}
			return nil, errMissing
		}
		if rest == "" && s.optional && i == len(s.params)-1 {
			return args, nil
		}
		arg, tail, err := p.read(rest)
		if err != nil {
			return nil, err
		}
		args, rest = append(args, arg), tail
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		return nil, fmt.Errorf("%q is more than is read here", clip(rest))
	}
	return args, nil
}

// read takes one argument from the beginning of a line.
func (p param) read(line string) (arg, rest string, err error) {
	switch p {
	case value:
		return valueJSON(line), "", nil
	case object:
		v, err := tree.ParseValue([]byte(line))
		if err != nil || !v.IsObject() {
			return "", "", fmt.Errorf("%q is not a JSON object", clip(line))
		}
		return v.String(), "", nil
	case phrase:
		arg, err := unquotedPhrase(line)
		return arg, "", err
	case scenarioText:
		arg, err := unquotedText(line)
		return arg, "", err
	}
	if arg, rest, err = nextWord(line); err != nil {
		return "", "", err
	}
	switch p {
	case whole:
		if n, err := strconv.Atoi(arg); err != nil || strconv.Itoa(n) != arg {
			return "", "", fmt.Errorf("%q is not a whole number", clip(arg))
		}
	case number:
		f, err := strconv.ParseFloat(arg, 64)
		if err != nil || f-f != 0 {
			return "", "", fmt.Errorf("%q is not a number", clip(arg))
		}
		arg = strconv.FormatFloat(f, 'g', -1, 64)
	}
	return arg, rest, nil
}

// write formats one argument so that read returns it again.
func (p param) write(arg string) string {
	switch p {
	case value:
		return arg
	case object:
		return arg
	case phrase:
		return quotedPhrase(arg)
	case scenarioText:
		return quotedText(arg)
	}
	return quotedWord(arg)
}

// valueJSON returns a value as JSON: the JSON itself, or else the text as a JSON string.
func valueJSON(line string) string {
	if v, err := tree.ParseValue([]byte(line)); err == nil {
		return v.String()
	}
	return tree.Text(strings.TrimSpace(line)).String()
}
