package macro

import "strings"

// card adds the macros of the card and the persona. Each field is expanded on first use and cached.
func (t table) card() {
	for _, names := range [...]string{
		"description|chardescription",
		"personality|charpersonality",
		"scenario|charscenario",
		"persona",
		"charprompt",
		"charinstruction",
		"chardepthprompt",
		"creatornotes|charcreatornotes",
		"mesexamplesraw",
	} {
		key, _, _ := strings.Cut(names, "|")
		t.add(names, 0, 0, func(c *Call) string { return c.eval.run.cardField(key) })
	}
	// A version is a label that programs compare, so it is not expanded.
	t.add("charversion|version|char_version", 0, 0, func(c *Call) string {
		return c.Env().Card.Version
	})
	t.add("mesexamples", 0, 0, func(c *Call) string {
		run := c.eval.run
		raw := run.cardField("mesexamplesraw")
		if raw == "" { // perhaps only while they are being expanded
			return ""
		}
		return run.field("mesexamples", func() string {
			return joinExamples(raw, run.env.ExampleSeparator)
		})
	})
	t.add("greeting|charfirstmessage", 0, 1, func(c *Call) string {
		n, ok := 0, true
		if len(c.Args) > 0 {
			n, ok = integer(c.Args[0])
		}
		if !ok {
			return c.Stay(codeBadValue, "not a whole number")
		}
		// A number after the last greeting gives an empty text, not an error: cards are edited, and
		// texts that refer to a greeting by number are not.
		card := &c.Env().Card
		switch {
		case n == 0:
			return c.eval.run.cardText("greeting", card.FirstMessage, c.Env().CardMode)
		case n < 0 || n > len(card.Greetings):
			return ""
		}
		return c.eval.run.cardText("greeting "+c.Args[0], card.Greetings[n-1], c.Env().CardMode)
	})
}

// joinExamples writes each part of example dialogues after a separator line.
func joinExamples(text, separator string) string {
	var b strings.Builder
	for _, part := range SplitExamples(text) {
		if separator != "" {
			b.WriteString(separator)
			b.WriteByte('\n')
		}
		b.WriteString(part)
		b.WriteByte('\n')
	}
	return b.String()
}

// SplitExamples splits example dialogues at <START>, in any letter case. The parts are trimmed, and
// blank parts are left out. A text without <START> is one part.
func SplitExamples(text string) []string {
	const mark = "<start>"
	var parts []string
	add := func(part string) {
		if part = trim(part); part != "" {
			parts = append(parts, part)
		}
	}
	from := 0
	for i := 0; i+len(mark) <= len(text); {
		if text[i] == '<' && strings.EqualFold(text[i:i+len(mark)], mark) {
			add(text[from:i])
			i += len(mark)
			from = i
			continue
		}
		i++
	}
	add(text[from:])
	return parts
}
