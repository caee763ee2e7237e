package cast

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
)

// MakeSheet combines the cards of a cast for a speaker. The speaker is the member with the ID in
// members, or else in strangers; a stranger comes after the members. Members without a card are
// left out. The result is false if the speaker does not exist or has no card.
//
// Every text is trimmed, and left out if it is blank. If cards are joined, examples that do not
// begin with <START>, in capitals, get that line. Carriage returns are removed. Nothing is
// expanded: see [Text.Expand].
//
// System prompt and post-history text come from the speaker. So do the texts between the messages,
// unless cards are joined: then they come from the speaker and all members who are not muted.
func MakeSheet(members, strangers []Member, speaker string, how Putting) (Sheet, bool) {
	is := func(m Member) bool { return m.ID == speaker }
	if !slices.ContainsFunc(members, is) {
		if i := slices.IndexFunc(strangers, is); i >= 0 {
			members = append(slices.Clone(members), strangers[i])
		}
	}
	i := slices.IndexFunc(members, is)
	if i < 0 || members[i].Gone {
		return Sheet{}, false
	}
	s := joinSheet(members, members[i], how)
	s.SystemPrompt = onePiece(members[i], members[i].Card.SystemPrompt)
	s.PostHistory = onePiece(members[i], members[i].Card.PostHistory)
	return s, true
}

// joinSheet sets the texts that may come from several cards.
func joinSheet(members []Member, speaker Member, how Putting) Sheet {
	joined := how.Cards == cardsJoin || how.Cards == cardsJoinMuted
	texts, depths := []Member{speaker}, []Member{speaker} // whose fields, and whose texts between messages
	if joined {
		texts, depths = joinedMembers(members, speaker, how.Cards)
	}
	field := func(name, replacement string, of func(Card) string) Text {
		if text := onePiece(speaker, replacement); text != nil {
			return text
		}
		if !joined {
			return onePiece(speaker, of(speaker.Card))
		}
		return join(texts, name, how, of)
	}
	s := Sheet{
		Description: field("Description", "", func(c Card) string { return c.Description }),
		Personality: field("Personality", "", func(c Card) string { return c.Personality }),
		Scenario:    field("Scenario", how.Scenario, func(c Card) string { return c.Scenario }),
		Examples:    field(examples, how.Examples, func(c Card) string { return c.Examples }),
	}
	for _, m := range depths {
		if text := onePiece(m, m.Card.Depth.Text); text != nil {
			s.Depth = append(s.Depth, PlacedText{text, m.Card.Depth.Depth, m.Card.Depth.Role})
		}
	}
	return s
}

// joinedMembers returns the members whose fields are joined, and those whose texts between messages are
// used. Muted members other than the speaker have only their fields joined, if cards says so.
func joinedMembers(members []Member, speaker Member, cards Cards) (texts, depths []Member) {
	for _, m := range members {
		switch {
		case m.Gone:
		case !m.Muted || m.ID == speaker.ID:
			texts, depths = append(texts, m), append(depths, m)
		case cards == cardsJoinMuted:
			texts = append(texts, m)
		}
	}
	return texts, depths
}

// examples is the value of <FIELDNAME> for the field Examples. startMark begins each example.
const (
	examples  = "Example Messages"
	startMark = "<START>"
	fieldMark = "<FIELDNAME>"
)

// join returns one field of several cards as a text.
func join(members []Member, field string, how Putting, of func(Card) string) Text {
	var out Text
	for _, m := range members {
		text := cleanText(of(m.Card))
		if text == "" {
			continue
		}
		if field == examples && !strings.HasPrefix(text, startMark) {
			text = startMark + "\n" + text
		}
		nameIn := func(s string) string { return nameField(strings.ReplaceAll(s, "\r", ""), field) }
		out = append(out, Piece{m.ID, m.Name, nameIn(how.Prefix), nameIn(text), nameIn(how.Suffix)})
	}
	return out
}

// onePiece returns a text with one piece, nil if it is blank.
func onePiece(m Member, text string) Text {
	if text = cleanText(text); text == "" {
		return nil
	}
	return Text{{ID: m.ID, Char: m.Name, Text: text}}
}

// cleanText removes carriage returns, and blanks at both ends.
func cleanText(text string) string { return keyindex.TrimSpace(strings.ReplaceAll(text, "\r", "")) }

// nameField replaces the marker <FIELDNAME> by the name of a field.
func nameField(text, field string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		text = text[i:]
		if len(text) >= len(fieldMark) && strings.EqualFold(text[:len(fieldMark)], fieldMark) {
			out.WriteString(field)
			text = text[len(fieldMark):]
		} else {
			out.WriteByte('<')
			text = text[1:]
		}
	}
	out.WriteString(text)
	return out.String()
}

// Expand returns the pieces as one text. It calls expand for each part in order, with the ID and
// the name of the member that {{char}} means there. A nil expand leaves the parts unchanged. Pieces
// that are empty after that are left out.
func (t Text) Expand(expand func(text, id, char string) string) string {
	var out []string
	for _, p := range t {
		var piece strings.Builder
		for _, part := range []string{p.Prefix, p.Text, p.Suffix} {
			if part != "" && expand != nil {
				part = expand(part, p.ID, p.Char)
			}
			piece.WriteString(part)
		}
		if piece.Len() > 0 {
			out = append(out, piece.String())
		}
	}
	return strings.Join(out, "\n")
}
