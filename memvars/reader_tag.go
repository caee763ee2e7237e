package memvars

import "strings"

// tag is an opening or closing tag in a message.
type tag struct {
	from, to int
	name     string // lower case
	closing  bool
}

// tags finds the tags with the given names (lower case), in order.
func tags(text string, names []string) []tag {
	found := make([]tag, 0, strings.Count(text, "<")) // one allocation, even if the text consists only of tags
	for i := 0; i < len(text); i++ {
		next := strings.IndexByte(text[i:], '<')
		if next < 0 {
			break
		}
		i += next
		t := tag{from: i}
		rest := text[i+1:]
		rest, t.closing = strings.CutPrefix(rest, "/")
		for _, name := range names {
			if len(rest) <= len(name) || !strings.EqualFold(rest[:len(name)], name) {
				continue
			}
			if c := rest[len(name)]; c != '>' && c != '/' && c != '\n' && blankLen(rest, len(name)) == 0 {
				continue
			}
			end := strings.IndexAny(rest, "<>")
			if end < 0 || rest[end] == '<' {
				continue
			}
			t.name, t.to = name, len(text)-len(rest)+end+1
			if rest[end-1] != '/' {
				found = append(found, t)
			}
			break
		}
	}
	return found
}

// hiddenIn returns the stretches that reasoning tags hide. An unclosed opening tag hides the rest. A
// closing tag without an opening tag hides everything before it.
//
// If a model's template puts the opening tag into the prompt, the reply has only a closing tag. A
// reply that was cut off has only an opening tag. In both cases, commands that the model only
// considered must not be run.
func hiddenIn(tags []tag, length int) []stretch {
	var out []stretch
	open := -1
	for i, t := range tags {
		switch {
		case open >= 0:
			if t.closing && t.name == tags[open].name {
				out = append(out, stretch{tags[open].from, t.to})
				open = -1
			}
		case t.closing:
			out = append(out[:0], stretch{0, t.to})
		default:
			open = i
		}
	}
	if open >= 0 {
		out = append(out, stretch{tags[open].from, length})
	}
	return out
}

// inside returns the stretches between block tags. An unclosed block extends to the end.
func inside(tags []tag, length int) []stretch {
	var out []stretch
	open := -1
	for i, t := range tags {
		switch {
		case open < 0 && !t.closing:
			open = i
		case open >= 0 && t.closing && t.name == tags[open].name:
			out = append(out, stretch{tags[open].to, t.from})
			open = -1
		}
	}
	if open >= 0 {
		out = append(out, stretch{tags[open].to, length})
	}
	return out
}

// subtract returns the remaining stretches of a text without the given ordered stretches.
func subtract(text string, removed []stretch) []stretch {
	var out []stretch
	at := 0
	for _, part := range removed {
		if part.from > at {
			out = append(out, stretch{at, part.from})
		}
		at = max(at, part.to)
	}
	if at < len(text) {
		out = append(out, stretch{at, len(text)})
	}
	return out
}

// intersect returns the common parts of two ordered lists of stretches.
func intersect(a, b []stretch) []stretch {
	var out []stretch
	for len(a) > 0 && len(b) > 0 {
		if s := (stretch{max(a[0].from, b[0].from), min(a[0].to, b[0].to)}); s.from < s.to {
			out = append(out, s)
		}
		if a[0].to < b[0].to {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return out
}
