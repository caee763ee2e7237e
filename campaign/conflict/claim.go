package conflict

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// A claim is what the text claims by a pattern of certain claims, or by the answer to a question.
type claim struct {
	lexicon.Span
	kind     string
	who      parse.Subject
	value    *int       // the last number
	max      int        // the number after a slash; 0: none
	places   [][]string // for each name of an area or rule, the IDs that it may mean
	label    string     // of the card
	doubtful bool
}

// claims returns the asserted claims of a row that the certain patterns read, in the order of the
// text. Of two claims that overlap, the first is kept, and of two with one start the longer.
func (r *Reading) claims(d *row) []claim {
	var out []claim
	end := 0
	all := r.matches(false)
	for i, m := range all {
		if m.Start < end || !r.reads(m, d) {
			continue
		}
		for _, other := range all[i+1:] {
			if other.Start > m.Start {
				break
			}
			if other.End > m.End && r.reads(other, d) {
				m = other
			}
		}
		end = m.End
		if r.passage.Asserted(m.Span) {
			out = append(out, r.claimOf(m, d))
		}
	}
	return out
}

// reads reports whether a match is a claim of a row.
func (r *Reading) reads(m parse.Match, d *row) bool {
	return m.Pattern.Strict && slices.Contains(d.asks, m.Pattern.Kind) && !r.countsOther(m)
}

// claimOf returns the claim of a match.
func (r *Reading) claimOf(m parse.Match, d *row) claim {
	p := r.passage
	c := claim{Span: m.Span, kind: m.Pattern.Kind, doubtful: m.Pattern.Doubtful}
	numbers, called := 0, false
	for i, e := range m.Pattern.Elements {
		switch at := m.Parts[i]; e.Slot {
		case '^':
			n, _ := p.PartAt(at.Start)
			c.value = &n.Value
		case '#':
			n, _ := p.NumberAt(at.Start)
			if numbers++; numbers > 1 && c.kind == readOfMax {
				c.max = n.Value
				continue
			}
			c.value = &n.Value
			c.doubtful = c.doubtful || n.Vague
		case '%':
			c.places = append(c.places, placeAt(p.Places, at))
		case '&':
			c.places = append(c.places, placeAt(p.Keywords, at))
		case '$':
			c.label = fieldOf(p.Quote(at))
		case '@':
			if who, ok := p.CalledAt(at.Start); ok {
				c.who, called = parse.Subject{IDs: who.IDs, Party: who.Party, Doubtful: who.Doubtful}, true
			}
		}
	}
	if (d.who || c.kind == readRoll) && !called {
		c.who = r.whoOf(m, d)
	}
	c.doubtful = c.doubtful || c.who.Doubtful
	// 【生命值：3/12】 has no name. It is about the acting character if the maximum is the same.
	if is := r.View.character(r.View.ActorID); is != nil && c.max > 0 && c.max == is.HP.Max && r.passage.InPanel(m.Start) && (len(c.who.IDs) == 0 || c.who.Doubtful) {
		c.who, c.doubtful = parse.Subject{IDs: []string{is.ID}}, m.Pattern.Doubtful
	}
	return c
}

// whoOf returns the characters that a match without a mention is about.
func (r *Reading) whoOf(m parse.Match, d *row) parse.Subject {
	p, kind := r.passage, m.Pattern.Kind
	listed := kind == readListedLoss || kind == readListedGain || kind == readOfMax || kind == readPlace
	if !listed && (d.field == FieldPosition || d.field == FieldAliveState) && p.IsDisposed(m.Start) {
		return parse.Nobody
	}
	if d.field == FieldAliveState {
		return p.SubjectOfLife(m.Start)
	}
	if !listed && d.field == FieldHP && p.IsAnothers(m.Start) {
		return parse.Nobody
	}
	who := p.SubjectOf(m.Start, d.field != FieldPosition)
	if d.field == FieldCard && p.IsOneOf(m.Parts[len(m.Parts)/2].Start, ":=") { // Su kicks the door. Strength: 18.
		_, named := p.LastCalled(p.Sentences[p.SentenceAt(m.Start)].Start, m.Start)
		who.Doubtful = who.Doubtful || !named
	}
	if listed || p.InPanel(m.Start) && d.field == FieldHP {
		if k := p.SentenceAt(m.Start); k >= 0 {
			start := p.Sentences[k].Start
			if of, ok := p.LastCalled(start, m.Start); ok && !p.Words.Has(of.End, m.Start, lexicon.Creature, lexicon.Fiction) {
				return parse.Subject{IDs: of.IDs, Party: of.Party}
			}
		}
		return parse.Subject{IDs: who.IDs, Doubtful: true}
	}
	return who
}

// Detect returns the claims of a row that contradict the state.
func (d *row) Detect(r *Reading) []Conflict {
	var out []Conflict
	var before *history
	for _, c := range r.claims(d) {
		if before == nil {
			before = &history{map[string]*hpEvidence{}, map[string]bool{}, map[string]int{}}
		}
		ids := c.who.IDs
		if !d.who {
			if ids = []string{""}; c.kind == readRoll && len(c.who.IDs) == 0 {
				continue
			}
		} else if c.who.Party && d.field == FieldPosition {
			ids = []string{r.View.ActorID} // a party is where its acting member is
		}
		for _, id := range ids {
			found, ok := r.contradiction(c, id, before)
			if !ok || r.isSettledPart(found, c.Span) {
				continue
			}
			found.Quote, found.Severity = r.passage.Quote(c.Span), Block
			if c.doubtful || d.name == qualitativeName || d.field == "dice" && !r.View.CheckAllowed {
				found.Severity = Warn
			}
			out = append(out, found)
		}
	}
	if d.field == FieldGoal {
		out = append(out, r.goalLeak()...)
	}
	return out
}

// goalLeak returns the first run of the hidden goal in the narration, including speech.
func (r *Reading) goalLeak() []Conflict {
	if !r.View.Goal.Hidden {
		return nil
	}
	run, ok := find(r.Narration, r.View.Goal.Text)
	if !ok {
		return nil
	}
	return []Conflict{{Kind: HiddenGoalLeak, Severity: Block, Field: "goal", Expected: Facts{"hidden": true}, Found: Facts{"told": true},
		Quote: r.passage.Quote(run), Instruction: r.instruction(HiddenGoalLeak)}}
}

// attributes maps Chinese and long names of card labels to the standard ones.
var attributes = map[string]string{
	"力量": "strength", "敏捷": "dexterity", "智力": "intelligence", "体质": "constitution",
	"感知": "wisdom", "魅力": "charisma", "等级": "level", "生命上限": "max_hp",
	"生命值上限": "max_hp", "最大生命值": "max_hp", "max hp": "max_hp", "maximum hp": "max_hp",
	"maximum hit points": "max_hp",
}

// fieldOf returns the name of the field of a label.
func fieldOf(label string) string {
	field := strings.ToLower(label)
	if standard, ok := attributes[field]; ok {
		return standard
	}
	return field
}

// cardValue returns the value of a card field by its label in any letter case, or empty if it is
// unknown.
func (c *Character) cardValue(field string) string {
	for _, f := range c.Card {
		if strings.EqualFold(f.Label, field) || attributes[f.Label] == field {
			return f.Value
		}
	}
	return ""
}
