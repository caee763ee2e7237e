package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A module is one go.mod of the repository.
type module struct {
	Path string
	dir  string   // from the root of the repository; the root is "."
	uses []string // the paths of our modules that it requires
}

// tag returns the tag of a version of the module.
func (m module) tag(version string) string { return path.Join(m.dir, version) }

// reason says why the module gets no tag. It is empty if the module gets one.
func (m module) reason() string { return unpublished[m.dir] }

// modules returns the modules of a tree. Each comes after the modules that it requires.
func modules(tree string) ([]module, error) {
	out, err := run(tree, nil, "git", "ls-files", "go.mod", "*/go.mod")
	if err != nil {
		return nil, err
	}
	var found []module
	for _, file := range strings.Fields(out) {
		m := module{dir: path.Dir(file)}
		text, err := run(tree, nil, "go", "mod", "edit", "-json", file)
		if err != nil {
			return nil, err
		}
		var mod struct {
			Module  struct{ Path string }
			Require []struct{ Path string }
		}
		if err := json.Unmarshal([]byte(text), &mod); err != nil {
			return nil, err
		}
		m.Path = mod.Module.Path
		for _, r := range mod.Require {
			m.uses = append(m.uses, r.Path)
		}
		found = append(found, m)
	}
	slices.SortFunc(found, func(a, b module) int { return strings.Compare(a.dir, b.dir) })
	for i, m := range found {
		found[i].uses = slices.DeleteFunc(m.uses, func(p string) bool {
			return !slices.ContainsFunc(found, func(o module) bool { return o.Path == p })
		})
	}
	var sorted []module
	for len(found) > 0 {
		i := slices.IndexFunc(found, func(m module) bool {
			return !slices.ContainsFunc(found, func(o module) bool { return slices.Contains(m.uses, o.Path) })
		})
		if i < 0 {
			return nil, errors.New("modules of the repository require each other in a circle")
		}
		sorted = append(sorted, found[i])
		found = slices.Delete(found, i, i+1)
	}
	return sorted, nil
}

// A proxy is a folder that serves the modules of a tree as a module proxy would.
type proxy struct {
	dir, cache, tree, version string
	modules                   []module
}

// prepare makes the module cache of the proxy. It shares all modules of the real cache except our
// own: a version that was only tried must not stay there.
func (p proxy) prepare() error {
	cache, err := run(p.tree, nil, "go", "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	cache = strings.TrimSpace(cache)
	host, rest, _ := strings.Cut(p.modules[0].Path, "/")
	org, _, _ := strings.Cut(rest, "/")
	for _, at := range []string{".", "cache/download"} {
		if err := p.link(cache, at, host, "cache"); err != nil {
			return err
		}
		if err := p.link(cache, filepath.Join(at, host), org); err != nil {
			return err
		}
	}
	return nil
}

// link makes a folder of the cache whose members are those of the real cache, without the given ones.
func (p proxy) link(cache, at string, without ...string) error {
	if err := os.MkdirAll(filepath.Join(p.cache, at), 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(cache, at))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if slices.Contains(without, e.Name()) {
			continue
		}
		if err := os.Symlink(filepath.Join(cache, at, e.Name()), filepath.Join(p.cache, at, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// env makes the go command ask the proxy before the usual one.
func (p proxy) env() []string {
	usual, _ := run(p.tree, nil, "go", "env", "GOPROXY")
	return []string{"GOWORK=off", "GOFLAGS=-mod=mod -trimpath", "GOMODCACHE=" + p.cache,
		"GOPROXY=file://" + filepath.ToSlash(p.dir) + "," + strings.TrimSpace(usual), "GONOSUMDB=" + p.modules[0].Path}
}

// publish edits the go.mod and go.sum of a module, and adds the module to the proxy.
func (p proxy) publish(m module) error {
	edits := []string{"mod", "edit"}
	for _, used := range m.uses {
		edits = append(edits, "-require="+used+"@"+p.version)
		if m.reason() == "" {
			edits = append(edits, "-dropreplace="+used)
		}
	}
	dir := filepath.Join(p.tree, m.dir)
	if len(m.uses) > 0 {
		if _, err := run(dir, nil, "go", edits...); err != nil {
			return err
		}
	}
	if m.reason() != "" {
		return nil
	}
	if _, err := run(dir, p.env(), "go", "mod", "tidy"); err != nil {
		return err
	}
	packed, err := p.pack(m)
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	if bytes.Contains(mod, []byte("replace")) {
		return fmt.Errorf("%s/go.mod: a replace line is left; a published module cannot have one", m.dir)
	}
	at := filepath.Join(p.dir, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"list": []byte(p.version + "\n"), p.version + ".info": fmt.Appendf(nil, `{"Version":%q}`, p.version),
		p.version + ".mod": mod, p.version + ".zip": packed,
	} {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// pack returns the zip file of a module: its committed files, and the licence of the repository.
func (p proxy) pack(m module) ([]byte, error) {
	out, err := run(filepath.Join(p.tree, m.dir), nil, "git", "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	add := func(name, from string) error {
		data, err := os.ReadFile(filepath.Join(p.tree, from))
		if err != nil {
			return err
		}
		f, err := w.Create(m.Path + "@" + p.version + "/" + name)
		if err == nil {
			_, err = f.Write(data)
		}
		return err
	}
	names := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for _, name := range names {
		if !p.isNested(m, name) {
			if err := add(name, path.Join(m.dir, name)); err != nil {
				return nil, err
			}
		}
	}
	if !slices.Contains(names, "LICENSE") {
		if err := add("LICENSE", "LICENSE"); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return packed.Bytes(), err
}

// isNested reports whether a file in the folder of a module belongs to a module inside it.
func (p proxy) isNested(m module, name string) bool {
	return slices.ContainsFunc(p.modules, func(o module) bool {
		inner, inside := strings.CutPrefix(o.Path, m.Path+"/")
		return inside && strings.HasPrefix(name, inner+"/")
	})
}

// try compiles a new program for each published module, with all packages that it can import. It
// installs the commands.
func (p proxy) try(programs string) error {
	for _, m := range p.modules {
		if m.reason() != "" {
			continue
		}
		out, err := run(filepath.Join(p.tree, m.dir), p.env(), "go", "list", "-f", "{{.Name}} {{.ImportPath}}", "./...")
		if err != nil {
			return err
		}
		source := "package program\n"
		for line := range strings.Lines(out) {
			name, pkg, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch {
			case strings.Contains(pkg+"/", "/internal/"):
			case name == "main":
				if _, err := run(p.tree, append(p.env(), "GOBIN="+programs), "go", "install", pkg+"@"+p.version); err != nil {
					return err
				}
				fmt.Printf("go install %s@%s: builds\n", pkg, p.version)
			default:
				source += fmt.Sprintf("\nimport _ %q\n", pkg)
			}
		}
		if err := p.compile(filepath.Join(programs, m.dir, "program"), m, source); err != nil {
			return err
		}
		fmt.Printf("go get %s@%s: a program compiles\n", m.Path, p.version)
	}
	return nil
}

// compile compiles a program that requires a published module and nothing else.
func (p proxy) compile(dir string, m module, source string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"go.mod":     fmt.Sprintf("module program\n\ngo 1.26\n\nrequire %s %s\n", m.Path, p.version),
		"program.go": source,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	if _, err := run(dir, p.env(), "go", "mod", "tidy"); err != nil {
		return err
	}
	_, err := run(dir, p.env(), "go", "build", ".")
	return err
}
