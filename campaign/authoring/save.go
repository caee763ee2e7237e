package authoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"

	"testing/fstest"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// Save writes the files of a game that Load has read, or that [Game.Edit] has changed. A file whose
// bytes are the same is not written. Each file is replaced in one step, so a reader never finds half of
// it. The errors come from the folder.
func Save(dir *os.Root, g Game) error {
	for _, f := range g.sorted() {
		if f.data == nil {
			continue
		}
		if have, err := dir.ReadFile(f.name); err == nil && bytes.Equal(have, f.data) {
			continue
		}
		if err := dir.MkdirAll(path.Dir(f.name), 0o755); err != nil {
			return err
		}
		temporary := path.Join(path.Dir(f.name), "."+path.Base(f.name)+".new") // names with a dot are not read
		if err := dir.WriteFile(temporary, f.data, 0o644); err != nil {
			return err
		}
		if err := dir.Rename(temporary, f.name); err != nil {
			return err
		}
	}
	return nil
}

// Edit returns a game with a new value at a path of a file. A value that does not
// exist removes the member or element; a path with a new last name adds a member. The other values keep
// their form, and files of YAML their comments. Edit loads the changed game and returns its problems; a
// path that leads nowhere, or a file that is neither YAML nor JSON, is a fatal problem.
//
// The path has the form of [tree.ParsePath]: initial["a.b"] names a member with a dot. The path of a
// [talewright.Problem] is accepted too: it has no quotation marks, so initial.a.b is the member a.b if
// there is no member a with a member b.
//
// An edit below an alias or a merge key of YAML changes a copy: the anchor keeps its value. An edit
// below the anchor changes all its aliases.
func (g Game) Edit(name, at string, v tree.Value) (Game, talewright.Problems) {
	refuse := func(format string, args ...any) (Game, talewright.Problems) {
		return g, talewright.Problems{{Path: name, Severity: talewright.Fatal, Code: codeMissingFile,
			Text: fmt.Sprintf(format, args...)}}
	}
	f := g.files[name]
	if f == nil || f.data == nil {
		return refuse("is not a file of this game; name one that was read")
	}
	to, err := tree.ParsePath(at)
	if err != nil {
		return refuse("%s: %v", at, err)
	}
	if len(to) == 0 {
		return refuse("the path is empty; name a member")
	}
	if root := new(reading).parse(name, f.data); root != nil {
		to = root.named(to)
	}
	edit := editJSON
	if isYAML(name) {
		edit = editYAML
	}
	data, err := edit(f.data, to, v)
	if err != nil {
		return refuse("%s: %v", at, err)
	}
	files := fstest.MapFS{}
	for _, f := range g.files {
		files[f.name] = &fstest.MapFile{Data: f.data}
	}
	files[name] = &fstest.MapFile{Data: data}
	return Load(files)
}

// editJSON changes the value at a path in the text of a JSON file.
func editJSON(data []byte, at tree.Path, v tree.Value) ([]byte, error) {
	root, err := tree.ParseValue(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, err
	}
	const all = "file" // the root may be a list, and only objects can be edited
	edit, err := tree.Object(tree.Member{Key: all, Value: root}).Edit()
	if err != nil {
		return nil, err
	}
	if at = append(tree.Path{all}, at...); v.Exists() {
		err = edit.Set(at, v)
	} else {
		err = edit.Delete(at)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, edit.Value().Get(all).AppendJSON(nil), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
