package imports

import (
	"errors"
	"regexp"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/template"
)

// readSchema reads the schema of the variables in the scripts of the card and the preset. The last
// script with a schema counts. Parts that cannot be read are problems.
func (s *Start) readSchema() {
	if s.mvu.Schema != nil {
		return
	}
	var problems talewright.Problems
	s.Content.HelperScripts(func(path, code string) {
		if schema, odd := mvu.ReadZod(code, schemaFunction); schema != nil || len(odd) > 0 {
			s.mvu.Schema, problems = schema, odd
			for i := range problems {
				if problems[i].ID = problems[i].Path; problems[i].ID == "" {
					problems[i].ID = "the whole schema"
				}
				problems[i].Path = path
			}
		}
	})
	s.odd("", problems)
}

// schemaTools are the functions of lodash for the functions of a schema.
const schemaTools = `
const chainOf = x => ({
	entries: () => chainOf(Object.entries(x ?? {})), toPairs: () => chainOf(Object.entries(x ?? {})),
	takeRight: (n = 1) => chainOf(n <= 0 ? [] : listOf(x).slice(-n)), take: (n = 1) => chainOf(listOf(x).slice(0, n < 0 ? 0 : n)),
	filter: f => chainOf(listOf(x).filter(f)), fromPairs: () => chainOf(pairsOf(listOf(x))), value: () => x,
});
const listOf = x => Array.isArray(x) ? x : Object.values(x ?? {});
const pairsOf = list => { const out = {}; for (const pair of list) { out[pair[0]] = pair[1]; } return out; };
const tools = {
	chain: chainOf,
	clamp: (v, a, b) => {
		let n = Number(v), low = b === undefined ? -Infinity : Number(a), high = Number(b === undefined ? a : b);
		if (isNaN(high)) { high = 0; }
		if (isNaN(low)) { low = 0; }
		if (isNaN(n)) { return n; }
		n = n <= high ? n : high;
		return n >= low ? n : low;
	},
	get: (o, p, d) => _.get(o, p, d), has: (o, p) => _.has(o, p), isEmpty: v => _.isEmpty(v), sum: l => _.sum(l), size: v => _.size(v),
	pickBy: (o, f = v => v) => pairsOf(Object.entries(o ?? {}).filter(pair => f(pair[1], pair[0]))),
	omitBy: (o, f = v => v) => pairsOf(Object.entries(o ?? {}).filter(pair => !f(pair[1], pair[0]))),
	mapValues: (o, f) => pairsOf(Object.entries(o ?? {}).map(pair => [pair[0], f(pair[1], pair[0])])),
	pick: (o, ...keys) => pairsOf(keys.flat().filter(k => Object.keys(o ?? {}).includes(String(k))).map(k => [k, o[k]])),
	omit: (o, ...keys) => pairsOf(Object.entries(o ?? {}).filter(pair => !keys.flat().map(k => String(k)).includes(pair[0]))),
	uniq: list => listOf(list).filter((v, i, all) => all.indexOf(v) === i),
	round: (n, p = 0) => Number(Math.round(Number(n + 'e' + p)) + 'e' + (0 - p)),
};
`

// schemaChain is the beginning of a chain of lodash.
var schemaChain = regexp.MustCompile(`(^|[^\w$.])_\(`)

// schemaSteps limits the steps of one call of a function of a schema.
const schemaSteps = 10_000

// schemaFunction makes a function of a schema with the interpreter of templates.
func schemaFunction(constants, source string) (func(tree.Value) (tree.Value, error), error) {
	if strings.Contains(constants+source, "%>") || strings.Contains(constants+source, "<%") {
		return nil, errors.New("the function has the tag of a template")
	}
	source = schemaChain.ReplaceAllString(source, "${1}_.chain(")
	compiled, problems := template.Compile("<%" + schemaTools + constants + `
const given = getvar('v');
const result = (_ => (` + source + `
))(tools)(given === undefined ? undefined : JSON.parse(JSON.stringify(given)));
if (result !== undefined) { %><%- JSON.stringify(result) %><% } %>`)
	if err := problems.Err(); err != nil || compiled == nil {
		return nil, errors.Join(err, errors.New("the function is not in the supported part of the language"))
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
