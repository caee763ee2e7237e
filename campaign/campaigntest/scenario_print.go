package campaigntest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/internal/openjson"
)

// String returns the scenario as a file. [ParseScenario] reads an equal scenario from it, except
// for the line numbers.
func (s Scenario) String() string {
	var parts []string
	if s.Setup != nil {
		parts = append(parts, "setup "+string(s.Setup)+"\n")
	}
	for _, step := range s.Steps {
		parts = append(parts, step.String())
	}
	var goals strings.Builder
	for _, c := range s.Goals {
		goals.WriteString("goal " + c.String() + "\n")
	}
	if goals.Len() > 0 {
		parts = append(parts, goals.String())
	}
	return strings.Join(parts, "\n")
}

// String returns the lines of the step.
func (s ScenarioStep) String() string {
	var b strings.Builder
	if s.Comment != "" {
		b.WriteString("# " + strings.ReplaceAll(s.Comment, "\n", "\n# ") + "\n")
	}
	put := func(word, rest string) { b.WriteString(strings.TrimSpace(word+" "+rest) + "\n") }
	put(s.Do, stepKinds[s.Do].write(s.Args))
	if s.As != "" {
		put("as", quotedWord(s.As))
	}
	if s.With != nil {
		put("with", string(s.With))
	}
	if !s.Clock.IsZero() {
		put("clock", s.Clock.Format(time.RFC3339Nano))
	}
	s.putAnswers(put)
	for _, a := range s.Answers {
		a.put(put)
	}
	for _, r := range s.Replies {
		r.put(put)
	}
	for _, c := range s.Wants {
		put("want", c.String())
	}
	if s.Recorded {
		b.WriteString(recordingMark + "\n" + s.Happened)
	}
	return b.String()
}

// putAnswers writes the answers from outside the engine, without the answers of the model.
func (s ScenarioStep) putAnswers(put func(word, rest string)) {
	for _, x := range s.Draws {
		if n := math.Round(x*dieSides + 0.5); (n-0.5)/dieSides == x {
			put("dice", strconv.Itoa(int(n)))
		} else {
			put("draws", strconv.FormatFloat(x, 'g', -1, 64))
		}
	}
	if s.Route != "" {
		put("route", quotedWord(s.Route))
	}
	for _, v := range s.Verdicts {
		data, err := openjson.Marshal(v)
		if err == nil {
			put("judge", string(data))
		}
	}
	if s.Summary != "" {
		put("summary", quotedText(s.Summary))
	}
	for _, kind := range sinks {
		if what, fails := s.Sinks[kind]; fails {
			put("sink", kind+" "+quotedPhrase(what))
		}
	}
}

// put writes a decision about a call.
func (a ScenarioAnswer) put(put func(word, rest string)) {
	switch {
	case a.Args != "":
		put("edit", quotedWord(a.Tool)+" "+a.Args)
	case a.Reason == "":
		put("deny", quotedWord(a.Tool))
	default:
		put("deny", quotedWord(a.Tool)+" "+quotedPhrase(a.Reason))
	}
}

// put writes a reply. A reply without text still has a model line, so that its calls do not join
// the reply before it.
func (r ScenarioReply) put(put func(word, rest string)) {
	if r.Fail != "" {
		put("fail", quotedWord(string(r.Fail)))
		return
	}
	put("model", quotedText(r.Text))
	for _, c := range r.Calls {
		args := quotedText(c.Args)
		if !strings.HasPrefix(args, "{") && !strings.HasPrefix(args, "[") && !strings.HasPrefix(args, `\"`) {
			args = `\` + strconv.Quote(c.Args)
		}
		put("call", quotedWord(c.Tool)+" "+args)
	}
}

// String returns the check as it is written after want or goal.
func (c ScenarioCheck) String() string {
	text := strings.TrimSpace(c.Name + " " + checkKinds[c.Name].write(c.Args))
	if c.Not {
		return "no " + text
	}
	return text
}

// write joins arguments to a line.
func (s shape) write(args []string) string {
	words := make([]string, 0, len(args))
	for i, arg := range args {
		p := phrase // too many
		if i < len(s.params) {
			p = s.params[i]
		}
		words = append(words, p.write(arg))
	}
	return strings.Join(words, " ")
}

// Record returns the text of a scenario with what happened below each line "----". Everything else
// stays the same. text must be the text from which the scenario was parsed.
func (s Scenario) Record(text string, happened func(step int) string) (string, error) {
	nl := "\n"
	if strings.Contains(text, "\r\n") {
		nl = "\r\n"
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := len(s.Steps) - 1; i >= 0; i-- {
		if !s.Steps[i].Recorded {
			continue
		}
		from := s.Steps[i].Line
		for from < len(lines) && strings.TrimSpace(lines[from]) != recordingMark {
			from++
		}
		if from >= len(lines) || s.Steps[i].Line == 0 {
			return "", fmt.Errorf("scenario: %s: step %d does not stand in the text", s.File, i+1)
		}
		to := from + 1
		for to < len(lines) && strings.TrimSpace(lines[to]) != "" {
			to++
		}
		var now []string
		for line := range strings.Lines(happened(i)) {
			now = append(now, strings.TrimSuffix(line, "\n"))
		}
		if to == len(lines) {
			now = append(now, "") // the file ends with a line feed
		}
		lines = slices.Replace(lines, from+1, to, now...)
	}
	return strings.Join(lines, nl), nil
}
