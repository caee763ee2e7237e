package template

import (
	_ "embed"
	"strings"
	"sync"
)

// libraryScript has the functions of the library that are written in the language of the templates. Its
// first lines describe its form.
//
//go:embed library.js
var libraryScript string

// addScript adds the functions of the script to the library. The code of a function is compiled when it
// is called for the first time.
func (l *library) addScript(script string) {
	for names, code := range scriptEntries(script) {
		call := scriptFunction(code)
		for path := range strings.SplitSeq(names, ", ") {
			owner, name, isMember := strings.Cut(path, ".")
			methods := l.methods[scriptKinds[owner]]
			switch {
			case !isMember:
				l.names[path] = builtin(call)
			case methods != nil:
				methods[name] = func(f *frame, of value, args []value) value {
					return call(f, append([]value{of}, args...))
				}
			default:
				l.addMember(owner, name, builtin(call))
			}
		}
	}
}

// scriptKinds are the words for the kinds of values that have methods in the script.
var scriptKinds = map[string]kind{"text": textKind, "number": numberKind, "list": listKind, "date": dateKind,
	"collection": collectionKind, "function": functionKind}

// scriptEntries yields the names and the code of each entry of a script. An entry ends before the next
// line that begins with neither a blank nor a bracket.
func scriptEntries(script string) func(yield func(names, code string) bool) {
	return func(yield func(names, code string) bool) {
		names, code := "", ""
		for line := range strings.Lines(script + "end = 0") {
			if strings.IndexByte(" })]", line[0]) >= 0 {
				code += line
				continue
			}
			if names != "" && !yield(names, code) {
				return
			}
			names, code, _ = strings.Cut(line, " = ")
			if strings.HasPrefix(line, "//") || strings.TrimSpace(line) == "" {
				names = ""
			}
		}
	}
}

// addMember adds a member to a name of the library. The name is added if it does not exist.
func (l *library) addMember(owner, name string, v value) {
	of, known := l.names[owner].ref.(*function)
	if !known {
		l.names[owner] = members(nil, nil)
		of = l.names[owner].ref.(*function)
	}
	put(&of.members, name, v)
}

// scriptFunction returns a function by its code. Its errors have the place of the call.
func scriptFunction(code string) native {
	compiled := sync.OnceValue(func() *Template {
		t, err := compile("<% (" + code + ") %>")
		if err != nil {
			panic(err)
		}
		return t
	})
	return func(f *frame, args []value) value {
		t := compiled()
		inScript := &frame{build: f.build, src: &t.src, origins: f.origins, out: f.out, caller: f}
		return f.callFunction(inScript.eval(t.program.list[0].(*exprStmt).x, nil), args)
	}
}
