package tool

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

type characterArgs struct {
	ID         string         `json:"character_id" about:"a new id" max:"64"`
	Name       string         `json:"name" max:"80"`
	Aliases    []string       `json:"aliases,omitempty" max:"8"`
	Title      string         `json:"title,omitempty" max:"80"`
	Race       string         `json:"race,omitempty" max:"80"`
	Job        string         `json:"job,omitempty" max:"80"`
	Background string         `json:"background,omitempty" max:"1000"`
	MaxHP      int            `json:"max_hp" about:"hit points" min:"1"`
	AreaID     string         `json:"area_id,omitempty" about:"where the character is" max:"64"`
	Attributes map[string]any `json:"attributes,omitempty" about:"numbers by their names"`
}

// maxAttributes limits the number of attributes of a new character.
const maxAttributes = 20

// GenerateCharacter returns the tool character_generate. It adds a new person who is not in the
// party.
func GenerateCharacter(l GenerateLimits) Tool {
	l = l.orDefault()
	return New(Tool{
		Name:        "character_generate",
		Description: "Add a new character, who is alive, unhurt and not in the party.",
		Manual: "Adds a person during play. The id and the names have to be new, the names are proper names, the area has to be known, and there " +
			"are limits for hit points and for how many people a campaign has. The host lets people join the party.",
		Reasons:      reasonsOf("invalid_id", "id_taken", "name_taken", "name_is_words", "invalid_text", "unknown_area", "too_many_characters", "too_strong"),
		Translations: inChinese("character_generate"),
		Affects:      []string{conflict.FieldCard},
	}, func(args characterArgs, _ Call, view View) Judgement {
		return judgeCharacter(args, view.State, l)
	})
}

func judgeCharacter(args characterArgs, s state.State, l GenerateLimits) Judgement {
	_, areaKnown := s.Map.Area(args.AreaID)
	switch {
	case len(s.Characters) >= l.Characters:
		return Judgement{Reason: "too_many_characters"}
	case args.MaxHP > l.MaxHP:
		return Judgement{Reason: "too_strong", Expected: object("max_hp", tree.Int(int64(l.MaxHP)))}
	case !isValidID(args.ID):
		return refuse("invalid_id", "character_id")
	case s.CharacterIndex(args.ID) >= 0:
		return refuse("id_taken", "character_id")
	case args.AreaID != "" && !areaKnown:
		return refuse("unknown_area", "area_id")
	case !isPlainData(args.Title, args.Race, args.Job, args.Background):
		return refuse("invalid_text", "title, race, job, background")
	}
	if code := namesOf(s).problem(append([]string{args.Name}, args.Aliases...)); code != "" {
		return refuse(code, "name")
	}
	attributes, bad := args.attributes()
	if bad != "" {
		return refuse("invalid_text", bad)
	}
	return Judgement{
		Result:  object("character_id", tree.Text(args.ID)),
		Effects: effect.List{effect.AddCharacter{CharacterID: args.ID, Fields: args.fields(attributes)}},
	}
}

// fields returns the fields of the new character for the effect. Empty ones are left out.
func (args characterArgs) fields(attributes tree.Value) tree.Value {
	var fields []tree.Member
	text := func(key, value string) {
		if value != "" {
			fields = append(fields, tree.Member{Key: key, Value: tree.Text(value)})
		}
	}
	text("name", args.Name)
	if len(args.Aliases) > 0 {
		list, _ := tree.Of(args.Aliases) // texts have a JSON form
		fields = append(fields, tree.Member{Key: "aliases", Value: list})
	}
	text("title", args.Title)
	text("race", args.Race)
	text("job", args.Job)
	text("background", args.Background)
	text("area_id", args.AreaID)
	hp := tree.Int(int64(args.MaxHP))
	fields = append(fields, tree.Member{Key: "hp", Value: tree.Object(
		tree.Member{Key: "current", Value: hp}, tree.Member{Key: "max", Value: hp})})
	if attributes.Len() > 0 {
		fields = append(fields, tree.Member{Key: "attributes", Value: attributes})
	}
	return tree.Object(fields...)
}

// attributes returns the attributes as numbers, sorted by name, or the name of an invalid one.
func (args characterArgs) attributes() (out tree.Value, bad string) {
	if len(args.Attributes) > maxAttributes {
		return out, fmt.Sprintf("attributes (> %d)", maxAttributes)
	}
	var list []tree.Member
	for _, name := range slices.Sorted(maps.Keys(args.Attributes)) {
		number, ok := args.Attributes[name].(float64)
		if !ok || strings.TrimSpace(name) == "" || len(name) > maxName || !isPlainData(name) {
			return out, "attributes." + name
		}
		list = append(list, tree.Member{Key: name, Value: tree.Float(number)})
	}
	return tree.Object(list...), ""
}
