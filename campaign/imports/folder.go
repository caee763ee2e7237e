package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
)

// ParseFolder begins a story with the files of a folder. Each file may be missing, but not all:
//
//	campaign.json   how the campaign begins, see [state.Setup]; without it there is one player
//	card.json       the character that the model plays; also card.png and card.charx
//	book.json       a world book, in any form that package worldbook/format reads
//	rules.json      an object with the lists variables, modules, rules and reactions
//	hooks.json      a list of hooks, or an object that has it as hooks
//	preset.json     a chat preset of SillyTavern, with its regex scripts, see Options.Regex, and without
//	                its samplers
//	system.json     a system-prompt preset, instruct.json an instruct preset, context.json
//	                a context preset
//	master.json     the last three in one file, SillyTavern's master export; the separate
//	                files replace its parts
//	scripts.json    regex scripts
//
// A campaign without a greeting opens with the greeting of the card that the options choose. Other
// files are ignored.
//
// The problems of a file have its name in their paths. A file that cannot be read is a fatal problem,
// and so is a folder without any of these files.
func ParseFolder(files fs.FS, o Options) (Start, talewright.Problems) {
	if _, err := fs.Stat(files, "."); err != nil {
		return Start{}, fatal(readError(err))
	}
	start := Begin(o)
	found := 0
	for _, part := range parts {
		data, err := fs.ReadFile(files, part.file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			err = readError(err)
		default:
			err = part.read(&start, data)
		}
		found++
		start.addProblems(part.file, fatal(err))
	}
	if found == 0 {
		return Start{}, fatal(errors.New("no file of a campaign is in the folder, such as campaign.json or book.json"))
	}
	if s := &start.Setup; start.Content.People.Card != nil && s.Greeting == "" && s.GreetingID == "" {
		s.GreetingID = strconv.Itoa(start.greetingOf(start.Content.People.Card))
	}
	return start.finish()
}

// parts are the files of a folder, in the order of reading.
var parts = []struct {
	file string
	read func(*Start, []byte) error
}{
	{"campaign.json", (*Start).readSetup},
	{"card.json", (*Start).readCard},
	{"card.png", (*Start).readCard},
	{"card.charx", (*Start).readCard},
	{"book.json", func(s *Start, data []byte) error { return s.addBook("book", data) }},
	{"rules.json", (*Start).readRules},
	{"hooks.json", (*Start).readHooks},
	{"preset.json", (*Start).readPreset},
	{"master.json", (*Start).readMaster},
	{"system.json", func(s *Start, data []byte) (err error) {
		s.Content.Prompt.System, err = preset(data, tavern.ParseSystemPrompt)
		return err
	}},
	{"instruct.json", func(s *Start, data []byte) (err error) {
		s.Content.Prompt.Instruct, err = preset(data, tavern.ParseInstruct)
		return err
	}},
	{"context.json", func(s *Start, data []byte) (err error) {
		s.Content.Prompt.Context, err = preset(data, tavern.ParseContext)
		return err
	}},
	{"scripts.json", (*Start).readScripts},
}

// preset reads a preset and returns a pointer to it.
// [game.Compile] reports its other problems.
func preset[P any](data []byte, parse func([]byte) (P, talewright.Problems)) (*P, error) {
	if err := checkJSON(data); err != nil {
		return nil, err
	}
	p, found := parse(data)
	if err := found.Err(); err != nil {
		return nil, err
	}
	return &p, nil
}

// readMaster reads the three presets of a text prompt from one file.
func (s *Start) readMaster(data []byte) error {
	m, err := preset(data, tavern.ParseMaster)
	if err != nil {
		return err
	}
	s.Content.Prompt.Instruct, s.Content.Prompt.Context, s.Content.Prompt.System = m.Template, m.Context, m.System
	s.addProblems("master", m.Vet())
	return nil
}

func (s *Start) readSetup(data []byte) error {
	if err := decode(data, &s.Setup); err != nil {
		return err
	}
	s.addProblems("campaign", s.Setup.Vet())
	return nil
}

func (s *Start) readPreset(data []byte) (err error) {
	if s.Content.Prompt.Preset, err = preset(data, tavern.ParsePreset); err != nil {
		return err
	}
	var extensions struct {
		Scripts json.RawMessage `json:"regex_scripts"`
	}
	_ = json.Unmarshal(s.Content.Prompt.Preset.Extra["extensions"], &extensions) // without an object there are no scripts
	s.addScripts(script.Preset, "", "preset.extensions.regex_scripts", extensions.Scripts)
	return nil
}

func (s *Start) readCard(data []byte) error {
	kind, other := kindOf(data)
	if kind == otherFile {
		return talewright.Problems{other}
	}
	if err := s.addCard(data, kind); err != nil {
		return orSyntaxError(data, err)
	}
	return nil
}

func (s *Start) readRules(data []byte) error {
	var list struct {
		Variables []rules.Variable `json:"variables"`
		Modules   []rules.Module   `json:"modules"`
		Rules     json.RawMessage  `json:"rules"`
		Reactions json.RawMessage  `json:"reactions"`
	}
	if err := decode(data, &list); err != nil {
		return err
	}
	c := &s.Content
	c.Rules.Variables, c.Rules.Modules = list.Variables, list.Modules
	var found talewright.Problems
	if list.Rules != nil {
		c.Rules.Rules, found = rules.Parse(list.Rules)
		s.addProblems("", found)
	}
	if list.Reactions != nil {
		c.Rules.Reactions, found = reactions.Parse(list.Reactions)
		s.addProblems("", found)
	}
	return nil
}

func (s *Start) readHooks(data []byte) error {
	if err := checkJSON(data); err != nil {
		return err
	}
	list, found := hooks.Parse(data)
	s.addProblems("", found)
	s.Content.Rules.Hooks = list
	return nil
}

func (s *Start) readScripts(data []byte) error {
	if err := checkJSON(data); err != nil {
		return err
	}
	list, found := script.Parse(data)
	s.addProblems("scripts", found)
	s.Content.Prompt.Scripts = append(s.Content.Prompt.Scripts, script.List{Source: script.Global, Scripts: list})
	return nil
}

// readError returns why a file cannot be read, without the path, because the name comes before it.
func readError(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("cannot be read: %w", err)
}

// decode decodes JSON, and reports the line and column of a syntax error.
func decode(data []byte, to any) error {
	if err := checkJSON(data); err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// orSyntaxError returns the position of a JSON syntax error in data, or else err.
func orSyntaxError(data []byte, err error) error {
	if text := strings.TrimSpace(string(data[:min(len(data), 64)])); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		if broken := checkJSON(data); broken != nil {
			return broken
		}
	}
	return err
}

// checkJSON reports a JSON syntax error with line and column, from 1; columns count characters.
func checkJSON(data []byte) error {
	var all json.RawMessage
	err := json.Unmarshal(data, &all)
	if err == nil {
		return nil
	}
	offset := len(data)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = min(int(e.Offset), len(data))
	}
	before := string(data[:offset])
	line := 1 + strings.Count(before, "\n")
	column := len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	return fmt.Errorf("line %d, column %d: broken JSON: %w; correct it there", line, max(column, 1), err)
}
