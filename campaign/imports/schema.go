package imports

import (
	"encoding/json"
	"errors"
	"regexp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/template"
)

// readSchema reads the schema of the variables in the extensions of the card and the preset: in their
// scripts, and in extensions.talewright.schema. The last one counts. Parts that cannot be read are
// problems.
func (s *Start) readSchema() {
	if s.mvu.Schema != nil {
		return
	}
	var problems talewright.Problems
	read := func(path, code string) {
		if schema, found := mvu.ReadZod(code, schemaFunction); schema != nil || len(found) > 0 {
			s.mvu.Schema, problems = schema, found
			for i := range problems {
				if problems[i].ID = problems[i].Path; problems[i].ID == "" {
					problems[i].ID = "the whole schema"
				}
				problems[i].Path = path
			}
		}
	}
	s.Content.HelperScripts(read)
	own := func(path string, extensions map[string]json.RawMessage) {
		if script, found := schemaData(path, extensions["talewright"]); script != "" {
			read(path+".talewright.schema", script)
			problems = append(problems, found...)
		}
	}
	if p := s.Content.Prompt.Preset; p != nil {
		var extensions map[string]json.RawMessage
		_ = json.Unmarshal(p.Extra["extensions"], &extensions) // not an object: none
		own("preset.extensions", extensions)
	}
	if c := s.Content.People.Card; c != nil {
		own("card.extensions", c.Extensions)
	}
	s.addProblems("", problems)
}

// schemaSteps limits the steps of one call of a function of a schema.
const schemaSteps = 10_000

// tagMark is the mark of a tag of a template.
var tagMark = regexp.MustCompile(`<%|%>`)

// schemaFunction makes a function of a schema with the interpreter of templates.
func schemaFunction(constants, source string) (func(tree.Value) (tree.Value, error), error) {
	if tagMark.MatchString(constants + source) {
		return nil, errors.New("the function has the tag of a template")
	}
	compiled, problems := template.Compile("<%" + constants + `
const result = (` + source + `
)(getvar('v'));
if (result !== undefined) { %><%- JSON.stringify(result) %><% } %>`)
	if compiled == nil {
		return nil, errors.Join(problems.Err(), errors.New("the function is not in the supported part of the language"))
	}
	return func(v tree.Value) (tree.Value, error) {
		env := template.Env{Variables: template.Variables{Message: tree.Object()}, MaxSteps: schemaSteps}
		if v.Exists() {
			env.Variables.Message = tree.Object(tree.Member{Key: "v", Value: v})
		}
		out, err := compiled.Run(template.NewBuild(env))
		if err != nil || out == "" {
			return tree.Value{}, err
		}
		return tree.ParseValue([]byte(out))
	}, nil
}
