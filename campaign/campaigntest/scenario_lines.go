package campaigntest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// stepLine describes a line of a step after the first one, by its first word.
type stepLine struct {
	usage string                                   // the arguments, for messages
	read  func(s *ScenarioStep, rest string) error // adds the line to the step; rest is the text after the word
}

// stepLines has all lines of a step except the first one and want.
var stepLines = map[string]stepLine{
	"as":      {"CHARACTER", func(s *ScenarioStep, rest string) error { return readOnce(&s.As, word, rest) }},
	"with":    {"OBJECT", readWith},
	"clock":   {"TIME, such as 2026-05-01T12:00:00Z", readClock},
	"dice":    {"N …, each from 1 to 20", readDice},
	"draws":   {"X …, each from 0 to below 1", readDraws},
	"route":   {"TYPE", func(s *ScenarioStep, rest string) error { return readOnce(&s.Route, word, rest) }},
	"judge":   {`OBJECT, such as {"kind": "location_unsettled", "quote": "the crypt"}`, readVerdict},
	"summary": {"TEXT", func(s *ScenarioStep, rest string) error { return readOnce(&s.Summary, scenarioText, rest) }},
	"sink":    {"KIND TEXT, with a KIND out of " + strings.Join(sinks, ", "), readSink},
	"model":   {"TEXT", readModel},
	"call":    {"TOOL name=value …", readCall},
	"edit":    {"TOOL name=value …", readEdit},
	"deny":    {"TOOL REASON", readDeny},
	"fail":    {"CODE, such as overloaded", readFail},
}

// sinks are the kinds of targets to which hooks deliver.
var sinks = []string{"memory", "workflow", "worldbook", "log"}

var (
	errTwice   = errors.New("it is given twice")
	errMissing = errors.New("something is missing")
)

// readOnce reads the argument of a line that a step may have only once. into is "" before that line.
func readOnce(into *string, p param, rest string) error {
	if *into != "" {
		return errTwice
	}
	args, err := shape{params: []param{p}}.read(rest)
	if err == nil {
		*into = args[0]
	}
	if err == nil && *into == "" {
		err = errMissing
	}
	return err
}

func readWith(s *ScenarioStep, rest string) error {
	text := ""
	if s.With != nil {
		return errTwice
	}
	err := readOnce(&text, object, rest)
	if err == nil {
		s.With = json.RawMessage(text)
	}
	return err
}

func readClock(s *ScenarioStep, rest string) (err error) {
	if !s.Clock.IsZero() {
		return errTwice
	}
	s.Clock, err = time.Parse(time.RFC3339Nano, strings.TrimSpace(rest))
	if err != nil || s.Clock.IsZero() {
		return fmt.Errorf("%q is not a time", clip(rest))
	}
	s.Clock = s.Clock.UTC()
	return nil
}

// dieSides is the number of sides of the die for checks.
const dieSides = 20

func readDice(s *ScenarioStep, rest string) error {
	return readNumbers(rest, func(n float64) error {
		if n != float64(int(n)) || n < 1 || n > dieSides {
			return fmt.Errorf("a die with %d sides does not show %v", dieSides, n)
		}
		s.Draws = append(s.Draws, (n-0.5)/dieSides)
		return nil
	})
}

func readDraws(s *ScenarioStep, rest string) error {
	return readNumbers(rest, func(x float64) error {
		if x < 0 || x >= 1 {
			return fmt.Errorf("%v is not between 0 and 1", x)
		}
		s.Draws = append(s.Draws, x)
		return nil
	})
}

// readNumbers reads a list of numbers and calls add for each.
func readNumbers(rest string, add func(float64) error) error {
	list := strings.Fields(rest)
	if len(list) == 0 {
		return errMissing
	}
	for _, w := range list {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || x-x != 0 {
			return fmt.Errorf("%q is not a number", clip(w))
		}
		if err := add(x); err != nil {
			return err
		}
	}
	return nil
}

func readVerdict(s *ScenarioStep, rest string) error {
	var v conflict.Verdict
	d := json.NewDecoder(strings.NewReader(rest))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil || d.More() || v.Kind == "" {
		return fmt.Errorf("%q is not a finding with a kind", clip(rest))
	}
	s.Verdicts = append(s.Verdicts, v)
	return nil
}

func readSink(s *ScenarioStep, rest string) error {
	args, err := shape{params: []param{word, phrase}}.read(rest)
	if err != nil {
		return err
	}
	if _, twice := s.Sinks[args[0]]; twice {
		return errTwice
	}
	if !slices.Contains(sinks, args[0]) {
		return fmt.Errorf("%q is not a sink", clip(args[0]))
	}
	if s.Sinks == nil {
		s.Sinks = map[string]string{}
	}
	s.Sinks[args[0]] = args[1]
	return nil
}

func readModel(s *ScenarioStep, rest string) error {
	said, err := unquotedText(rest)
	s.Replies = append(s.Replies, ScenarioReply{Text: said})
	return err
}

func readFail(s *ScenarioStep, rest string) error {
	code := ""
	err := readOnce(&code, word, rest)
	s.Replies = append(s.Replies, ScenarioReply{Fail: llm.ErrorCode(code)})
	return err
}

// readCall adds a call to the newest reply.
func readCall(s *ScenarioStep, rest string) error {
	if strings.TrimSpace(rest) == "" {
		return errMissing
	}
	tool, args, err := readTool(rest)
	if err != nil {
		return err
	}
	if n := len(s.Replies); n == 0 || s.Replies[n-1].Fail != "" {
		s.Replies = append(s.Replies, ScenarioReply{})
	}
	last := &s.Replies[len(s.Replies)-1]
	last.Calls = append(last.Calls, ScenarioCall{tool, args})
	return nil
}

// readEdit replaces the arguments of a call that waits for approval.
func readEdit(s *ScenarioStep, rest string) error {
	tool, args, err := readTool(rest)
	if err != nil {
		return err
	}
	v, err := tree.ParseValue([]byte(args))
	if err != nil || !v.IsObject() || tool == "" {
		return fmt.Errorf("%q is not a JSON object", clip(args))
	}
	s.Answers = append(s.Answers, ScenarioAnswer{Tool: tool, Args: v.String()})
	return nil
}

// readDeny denies a call that waits for approval.
func readDeny(s *ScenarioStep, rest string) error {
	args, err := shape{params: []param{word, phrase}, optional: true}.read(rest)
	if err != nil {
		return err
	}
	a := ScenarioAnswer{Tool: args[0]}
	if len(args) > 1 {
		a.Reason = args[1]
	}
	s.Answers = append(s.Answers, a)
	return nil
}

// readTool reads the name of a tool and the arguments of its call.
func readTool(rest string) (tool, args string, err error) {
	if tool, rest, err = nextWord(trimBlanks(rest)); err == nil {
		args, err = readArguments(trimBlanks(rest))
	}
	return tool, args, err
}

// readArguments reads the arguments of a call: pairs of a name and a value, or the model's text.
func readArguments(rest string) (string, error) {
	if strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, `\"`) {
		return unquotedText(rest)
	}
	var members []tree.Member
	for rest != "" {
		name, tail, is := strings.Cut(rest, "=")
		if !is || strings.ContainsRune(name, '"') || strings.ContainsFunc(name, unicode.IsSpace) || name == "" {
			return "", fmt.Errorf("%q is not of the form name=value", clip(rest))
		}
		w, tail, err := nextWord(tail)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		v := tree.Text(w)
		if !strings.HasPrefix(rest[len(name)+1:], `"`) {
			if read, err := tree.ParseValue([]byte(w)); err == nil {
				v = read
			}
		}
		members = append(members, tree.Member{Key: name, Value: v})
		rest = strings.TrimLeftFunc(tail, unicode.IsSpace)
	}
	data, err := openjson.Marshal(tree.Object(members...))
	return string(data), err
}
