// Command publish makes a release of all modules of this repository.
//
// A module of the repository finds the others by replace lines, which a published module must not
// have. So a release is a commit of its own, on top of the current one and on no branch. All tags
// name it. Its go.mod files have no replace lines, and require the other modules at the version of
// the release. Its go.sum files have their checksums.
//
// Before that, the modules are packed as a module proxy would serve them. A program for each module
// is built from the packed files, and the commands are installed from them.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// unpublished lists the modules that get no tag, with the reason.
var unpublished = map[string]string{
	"examples":                      "its programs are read, copied and run in a clone",
	"llm/anthropic/internal/clouds": "it has only tests of llm/anthropic, with the libraries of two clouds",
	"internal/tools":                "it has only the version of staticcheck",
}

const usage = "usage: .ci/release VERSION [--dry-run], or .ci/release --licences"

func main() {
	args := os.Args[1:]
	dry := slices.Contains(args, "--dry-run")
	args = slices.DeleteFunc(args, func(arg string) bool { return arg == "--dry-run" })
	var err error
	switch {
	case len(args) == 1 && args[0] == "--licences":
		err = writeLicences()
	case len(args) == 1 && !strings.HasPrefix(args[0], "-"):
		err = release(args[0], dry)
	case len(args) == 0 && dry: // the version that is next
		var version string
		if version, _, err = nextVersion("CHANGELOG.md"); err == nil {
			err = release(version, dry)
		}
	default:
		err = errors.New(usage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// release publishes the current commit as a version. A dry run makes no commit and no tag, and
// reports instead of refusing what only the release itself needs.
func release(version string, dry bool) (err error) {
	if !regexp.MustCompile(`^v[01]\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(version) {
		return fmt.Errorf("%s is no version: write vX.Y.Z; from v2 on every module path would need the major version", version)
	}
	missing, err := requirements(version)
	if err != nil {
		return err
	}
	for _, line := range missing {
		fmt.Println("before a release:", line)
	}
	if len(missing) > 0 && !dry {
		return errors.New("nothing was released")
	}

	tmp, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	tree := filepath.Join(tmp, "tree")
	if _, err := run(".", nil, "git", "worktree", "add", "--detach", tree, "HEAD"); err != nil {
		return err
	}
	defer func() {
		_, gone := run(".", nil, "git", "worktree", "remove", "--force", tree)
		err = cmp.Or(err, gone, os.RemoveAll(tmp))
	}()
	all, err := modules(tree)
	if err != nil {
		return err
	}
	parts, err := inventory(tree, all)
	if err != nil {
		return err
	}
	if err := checkListings(tree, parts); err != nil {
		return err
	}
	p := proxy{dir: filepath.Join(tmp, "proxy"), cache: filepath.Join(tmp, "cache"), tree: tree, version: version, modules: all}
	if err := p.prepare(); err != nil {
		return err
	}
	for _, m := range all { // a module comes after those that it requires
		if err := p.publish(m); err != nil {
			return err
		}
	}
	if err := p.try(filepath.Join(tmp, "programs")); err != nil {
		return err
	}
	return tag(tree, version, all, dry)
}

// requirements returns what a release needs and a dry run does not.
func requirements(version string) (missing []string, err error) {
	next, open, err := nextVersion("CHANGELOG.md")
	switch {
	case err != nil:
		return nil, err
	case next != version:
		return nil, fmt.Errorf("CHANGELOG.md: the first section is %s; write the section of %s above it", next, version)
	case open:
		missing = append(missing, "CHANGELOG.md: write the date after "+version)
	}
	if readme, err := os.ReadFile("README.md"); err != nil {
		return nil, err
	} else if strings.Contains(string(readme), "No version is tagged") {
		missing = append(missing, "README.md: say how a program requires "+version+", instead of `No version is tagged`")
	}
	if out, err := run(".", nil, "git", "status", "--porcelain"); err != nil {
		return nil, err
	} else if out != "" {
		missing = append(missing, "the working tree has changes: commit them, because the last commit is released")
	}
	if _, err := run(".", nil, "git", "rev-parse", "-q", "--verify", "refs/tags/"+version); err == nil {
		return nil, fmt.Errorf("%s is tagged already: a version never changes, so take the next one", version)
	}
	return missing, nil
}

// nextVersion returns the version of the first section of the list of changes, and whether the
// section has no date yet.
func nextVersion(file string) (version string, open bool, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", false, err
	}
	m := regexp.MustCompile(`(?m)^## (v[^\s,]+)(?:, (\d{4}-\d\d-\d\d))?`).FindStringSubmatch(string(data))
	if m == nil {
		return "", false, fmt.Errorf("%s has no section of a version: write `## vX.Y.Z, DATE` above the changes", file)
	}
	return m[1], m[2] == "", nil
}

// checkListings compares the exported names and the licences with their committed lists.
func checkListings(tree string, parts []part) error {
	if _, err := run(tree, nil, "go", "test", "./internal/arch", "-run", "^TestAPI$"); err != nil {
		return err
	}
	if got, err := os.ReadFile(filepath.Join(tree, licencesFile)); err != nil || string(got) != page(parts) {
		return fmt.Errorf("%s is not current: run .ci/release --licences and commit the page", licencesFile)
	}
	return nil
}

// tag makes the commit and the tags. A dry run prints them.
func tag(tree, version string, all []module, dry bool) error {
	changed, err := run(tree, nil, "git", "diff", "--stat")
	if err != nil {
		return err
	}
	steps := [][]string{{"git", "commit", "-qam", "Release " + version}}
	push := []string{"git", "push", "origin"}
	for _, m := range all {
		if m.reason() == "" {
			steps = append(steps, []string{"git", "tag", "-a", "-m", m.Path + " " + version, m.tag(version)})
			push = append(push, m.tag(version))
		}
	}
	fmt.Printf("\nThe commit of %s, on top of the current one:\n%s\n", version, changed)
	for _, step := range steps {
		fmt.Println(shell(step))
		if !dry {
			if _, err := run(tree, nil, step[0], step[1:]...); err != nil {
				return err
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(unpublished)) {
		fmt.Printf("no tag for %s: %s\n", dir, unpublished[dir])
	}
	if dry {
		fmt.Println("\nA dry run: nothing was committed or tagged.")
		return nil
	}
	fmt.Printf("\nNothing was pushed. Publish the tags:\n%s\n", strings.Join(push, " "))
	return nil
}

// shell returns a command as a person would type it.
func shell(command []string) string {
	words := slices.Clone(command)
	for i, word := range words {
		if strings.Contains(word, " ") {
			words[i] = "'" + word + "'"
		}
	}
	return strings.Join(words, " ")
}

// run runs a command and returns its output. The error says what it printed.
func run(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, stderr.String(), out)
	}
	return string(out), nil
}
