package campaign_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// Every option plays (CA-58): each option of content changes some turn of a campaign. The tables of
// this file and of the other options files name each exported field of the types in walked. The
// game of a row is played without and with the field. The two must differ in the requests to the
// model, in the results for the player or the host, or in the final campaign.
//
// A new field has no row, and TestEveryOptionPlays fails until it has one. A field without an
// effect on play is listed in silent, with the reason. A field that a campaign cannot use has its
// row in toldOptions: Compile must report it.

// drama is a game, a setup, and the lines to play.
type drama struct {
	content game.Content
	setup   []string
	start   *state.Setup // nil: a cave, with the changes of setup
	acts    []turn.Input // nil: two lines
	replies []string     // of the model, one for each attempt; then "Time passes."
}

// option is a row: the field, the common part of both games, and the difference.
type option struct {
	field     string
	base, set func(*drama)
}

// walked are the types whose exported fields are tested.
var walked = []any{
	game.Lore{}, game.People{}, game.Rules{}, game.Prompt{}, game.Extensions{}, game.CastMember{}, game.CastTexts{}, rules.Variable{}, rules.Module{}, rules.Rule{}, reactions.Reaction{}, card.Card{},
	reactions.YuminaWorld{}, reactions.YuminaEntry{}, format.Roleplay{}, imports.Options{},
	tavern.Preset{}, tavern.Prompt{}, tavern.PromptOrder{}, tavern.Entry{},
	tavern.InstructTemplate{}, tavern.ContextTemplate{}, tavern.SystemPrompt{},
	prompt.AuthorNote{}, script.Script{}, rules.ReplyRule{}, rules.ReplyMatch{}, rules.ReplyRoute{}, rules.Activation{}, rules.Condition{},
	rules.Trigger{}, rules.Pattern{}, game.DialogType{}, state.LifeRule{}, tool.Tool{}, game.Retrieval{},
	prompt.Layout{}, prompt.Slot{}, prompt.Budget{}, prompt.Cap{}, memvars.RenderOptions{}, script.List{}, script.Options{},
	worldbook.Attachment{},
}

// silent names the fields, or whole types, that change no turn, and why.
var silent = map[string]string{
	"rules.Module.Name":                  "for people who write content",
	"rules.Module.Extra":                 "members of other programs, kept",
	"rules.Rule.Name":                    "for people who write content",
	"rules.Rule.Description":             "for people who write content",
	"rules.Rule.Extra":                   "members of other programs, kept; Compile reports those of a wrong type",
	"rules.Variable.Extra":               "members of other programs, kept; Compile reports those of a wrong type",
	"reactions.Reaction.Name":            "for people who write content",
	"reactions.Reaction.Extra":           "members of other programs, kept; Compile reports those of a wrong type",
	"card.Card.Spec":                     "the form of the file; the importer reads the lorebook by it",
	"card.Card.SpecVersion":              "the form of the file",
	"card.Card.Creator":                  "about the card, never in a prompt",
	"card.Card.CharacterVersion":         "about the card, never in a prompt",
	"card.Card.Assets":                   "pictures and sounds for the host's screen",
	"card.Card.CreatorNotesMultilingual": "for people who choose cards",
	"card.Card.Source":                   "about the card, never in a prompt",
	"card.Card.CreationDate":             "about the card, never in a prompt",
	"card.Card.ModificationDate":         "about the card, never in a prompt",
	"card.Card.Extra":                    "members of other programs, kept",
	"card.Card.RootExtra":                "members of other programs, kept",
	"card.Card.RootCopies":               "the form of the file",
	"reactions.YuminaWorld.Name":         "the title of the campaign, which no turn asks",
	"reactions.YuminaWorld.Rest":         "sections of other programs; the importer reports each",
	"reactions.YuminaEntry.Extra":        "members of other programs, kept; the importer reports those of a wrong type",
	"format.Roleplay.Extra":              "members of other programs, kept",
	"format.Roleplay.Request":            "members of the request around the config; the importer takes the name",
	"tavern.Preset.Extra":                "members of other programs, kept: settings of samplers and connections",
	"tavern.Prompt.Name":                 "for people who write presets",
	"tavern.Prompt.Marker":               "for programs that edit presets; a prompt is sent or not by its identifier",
	"tavern.Prompt.Extra":                "members of other programs, kept",
	"tavern.PromptOrder.Extra":           "members of other programs, kept",
	"tavern.Entry.Extra":                 "members of other programs, kept",
	"tavern.InstructTemplate.Name":       "for people who choose templates",
	"tavern.InstructTemplate.Extra":      "members of other programs, kept",
	"tavern.ContextTemplate.Name":        "for people who choose templates",
	"tavern.ContextTemplate.Extra":       "members of other programs, kept",
	"tavern.SystemPrompt.Name":           "for people who choose system prompts",
	"tavern.SystemPrompt.Extra":          "members of other programs, kept",
	"script.Script.ID":                   "for programs that edit scripts",
	"script.Script.Extra":                "members of other programs, kept",
	"rules.ReplyRule.Extra":              "members of other programs, kept",
	"rules.ReplyMatch.Extra":             "members of other programs, kept",
	"rules.ReplyRoute.Extra":             "members of other programs, kept",
	"rules.Activation.Extra":             "members of other programs, kept",
	"rules.Condition.Extra":              "members of other programs, kept",
	"rules.Trigger.Extra":                "members of other programs, kept",
	"game.Extensions.Version":            "named in records; TestSwap reads it there",
	"tool.Tool.Manual":                   "for people who look tools up",
}

// options is the whole table.
func options(t *testing.T) []option {
	return slices.Concat(contentOptions(t), variableOptions(t), moduleOptions(t), ruleOptions(t),
		reactionOptions(t), cardOptions(t), worldOptions(t), configOptions(t), importOptions(t), promptOptions(), partOptions(), roomOptions(),
		presetOptions(), presetListOptions(), templateOptions(), frameOptions(), systemOptions())
}

// TestEveryOptionPlays has a subtest for each field.
func TestEveryOptionPlays(t *testing.T) {
	t.Parallel()
	rows := map[string][]option{}
	for _, o := range options(t) {
		rows[o.field] = append(rows[o.field], o)
	}
	told := map[string]option{} // a campaign does not use them
	for _, o := range toldOptions() {
		told[o.field] = o
	}
	var names []string
	for _, v := range walked {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() {
				names = append(names, typ.String()+"."+f.Name)
			}
		}
	}
	changes := make([]string, len(names))
	t.Run("fields", func(t *testing.T) {
		for i, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if o, ok := told[name]; ok {
					changes[i] = tellOption(t, o)
					return
				}
				changes[i] = playOption(t, name, rows[name])
			})
		}
	})
	var golden strings.Builder
	for i, name := range names {
		if changes[i] != "" {
			fmt.Fprintf(&golden, "%s\n%s", name, changes[i])
		}
	}
	testkit.Golden(t, "testdata/options.golden", golden.String())
	fields := map[string]bool{}
	for _, v := range walked {
		typ := reflect.TypeOf(v)
		fields[typ.String()] = true
		for i := range typ.NumField() {
			fields[typ.String()+"."+typ.Field(i).Name] = true
		}
	}
	for content, i := reflect.TypeFor[game.Content](), 0; i < content.NumField(); i++ {
		if group := content.Field(i).Type.String(); !fields[group] {
			t.Errorf("%s is a group of Content: add it to walked", group)
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(silent)), slices.Collect(maps.Keys(told))) {
		if !fields[name] || rows[name] != nil {
			t.Errorf("%s is no field, or has a row that plays: take it off the list", name)
		}
	}
	for name := range rows {
		if !fields[name] {
			t.Errorf("%s has a row and is no field", name)
		}
	}
}

// playOption plays the games of one field, and skips fields that are listed as not playing. It
// returns the difference that the field makes.
func playOption(t *testing.T, name string, rows []option) (changes string) {
	t.Helper()
	if why := silent[name]; why != "" && len(rows) == 0 {
		t.Skipf("does not play: %s", why)
	}
	if len(rows) == 0 {
		t.Fatalf("no row names the field: add one to the table of its type in the files options…_test.go, " +
			"with the turn that differs by it, or list it with the reason why there is none")
	}
	for _, o := range rows {
		without, with := o.dramas()
		change := textDiff(perform(t, without), perform(t, with))
		if change == "" {
			t.Error("the game is the same with it and without it: " +
				"wire it, take a game that shows it, or list the field with the reason")
		}
		changes += change
	}
	return changes
}

// textDiff is lineDiff with long lines cut.
func textDiff(a, b string) string {
	var out strings.Builder
	for line := range strings.Lines(lineDiff(a, b)) {
		out.WriteString(line[:3] + cutLine(line[3:]))
	}
	return out.String()
}

// lineDiff returns the lines that differ, indented. Lines of a begin with "-", lines of b with "+".
// lineDiff omits a passage that it has already returned.
func lineDiff(a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	shared := make([][]int, len(x)+1) // lines that x[i:] and y[j:] share
	for i := range shared {
		shared[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			shared[i][j] = max(shared[i+1][j], shared[i][j+1])
			if x[i] == y[j] {
				shared[i][j] = shared[i+1][j+1] + 1
			}
		}
	}
	var out, part string
	for i, j := 0, 0; i < len(x) || j < len(y); {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			if !strings.Contains(out, part) {
				out += part
			}
			part = ""
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && shared[i+1][j] >= shared[i][j+1]:
			part += "\t- " + x[i]
			i++
		default:
			part += "\t+ " + y[j]
			j++
		}
	}
	if !strings.Contains(out, part) {
		out += part
	}
	return out
}

// dramas returns the game without the option and the game with it.
func (o option) dramas() (without, with drama) {
	if o.base != nil {
		o.base(&without)
		o.base(&with)
	}
	o.set(&with)
	return without, with
}

// cutLine shortens a long line for the golden file.
func cutLine(line string) string {
	if len(line) < 160 {
		return line
	}
	return fmt.Sprintf("%.100s… %s (%d bytes)\n", line, strings.ToValidUTF8(line[len(line)-40:len(line)-1], ""), len(line))
}

// tellOption checks that Compile reports a field as without effect.
func tellOption(t *testing.T, o option) string {
	t.Helper()
	without, with := o.dramas()
	change := textDiff(problemsOf(t, without), problemsOf(t, with))
	if change == "" {
		t.Error("no campaign plays it, and Compile does not say so")
	}
	return change
}

// problemsOf returns the problems of Compile for the content of a drama.
func problemsOf(t *testing.T, d drama) string {
	t.Helper()
	_, problems := game.Compile(d.content)
	err := problems.Err()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.String() + "\n")
	}
	return b.String()
}

// perform plays a drama and returns everything that the model, the player and the host received,
// and the final campaign.
func perform(t *testing.T, d drama) string {
	t.Helper()
	g, problems := game.Compile(d.content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	setup := cave(t, d.setup...)
	if d.start != nil {
		setup = *d.start
	}
	start, err := turn.Begin(g, setup)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	tell := func(what string, v any) {
		data, err := tree.ParseValue([]byte(jsonOf(t, v)))
		if err != nil {
			t.Fatal(err)
		}
		writeFlat(&b, what, data, 160)
	}
	m := turn.NewMachine(g, start)
	if d.acts == nil {
		d.acts = []turn.Input{turn.Submit{Text: "I take the lamp."}, turn.Submit{Text: "I wait."}}
	}
	for _, act := range d.acts {
		if err := m.Step(act); err != nil {
			b.WriteString("refused: " + err.Error() + "\n")
			continue
		}
		for m.Phase() != turn.Idle {
			switch todo := m.Todo(); {
			case todo.Generate != nil:
				tell("asked", todo.Generate.Request)
				reply := "Time passes."
				if len(d.replies) > 0 {
					reply, d.replies = d.replies[0], d.replies[1:]
				}
				step(t, m, turn.Replied{Text: reply})
			case todo.Hooks != nil:
				step(t, m, turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
			case todo.Recall != nil:
				tell("recalled", todo.Recall)
				step(t, m, turn.Recalled{})
			case todo.Retrieve != nil:
				tell("looked for", todo.Retrieve)
				step(t, m, turn.Retrieved{IDs: []worldbook.ID{{Book: "main", UID: "1"}}})
			case todo.Outside != nil:
				found, _ := todo.Outside.Run(t.Context())
				step(t, m, turn.Answered{Answer: found})
			case todo.Approve != nil:
				tell("approved", todo.Approve)
				step(t, m, turn.Approve{Question: todo.Approve.ID, Decisions: todo.Approve.All(state.Approve, "")})
			case todo.Commit != nil:
				step(t, m, turn.Committed{})
			default:
				t.Fatalf("no answer to %+v", todo)
			}
		}
		if todo := m.Todo(); todo.Outcome != nil {
			tell("outcome", todo.Outcome)
			tell("shown", todo.Show)
			for _, c := range todo.Host {
				tell("host: "+c.Source, c.Effect)
			}
			tell("summarize", todo.Summarize != nil)
		}
	}
	tell("state", m.Campaign().State)
	return b.String()
}

// writeFlat writes a value in lines: each has a path without the indices of lists, and a line of a
// text or a value of less than most bytes.
func writeFlat(b *strings.Builder, path string, v tree.Value, most int) {
	switch small := v.String(); {
	case (v.IsArray() || v.IsObject()) && len(small) < most:
		fmt.Fprintf(b, "%s: %s\n", path, small)
	case v.IsArray():
		for _, one := range v.Elements() {
			writeFlat(b, path+"[]", one, most)
		}
	case v.IsObject():
		for key, one := range v.Members() {
			writeFlat(b, path+"."+key, one, most)
		}
	default:
		text, ok := v.AsText()
		if !ok {
			text = v.String()
		}
		for line := range strings.SplitSeq(text, "\n") {
			fmt.Fprintf(b, "%s: %s\n", path, line)
		}
	}
}
