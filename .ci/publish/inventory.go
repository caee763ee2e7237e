package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const licencesFile = "THIRD-PARTY.md"

// unlicensed lists modules without a licence file, with the reason for using them.
var unlicensed = map[string]string{
	"github.com/nexus-rpc/nexus-proto-annotations": "The makers of the SDK of Temporal publish it without a licence file, and their SDK (MIT) needs it. Ask them if that matters to you.",
}

// A part is one version of a module by others that gets into programs that use our packages.
type part struct {
	Path, Version, Dir string
	licences           []string
	users              []string // the folders of our modules whose packages need it
}

// inventory returns the parts of all published modules, sorted by path and version. They are the
// modules that are compiled into a program on one of three systems. Modules that only tests and
// tools need are not in the list.
func inventory(tree string, all []module) ([]part, error) {
	parts := map[string]*part{}
	for _, m := range all {
		if m.reason() != "" { // it is not published
			continue
		}
		for _, system := range []string{"linux", "windows", "darwin"} {
			out, err := run(filepath.Join(tree, m.dir), []string{"GOWORK=off", "CGO_ENABLED=0", "GOOS=" + system}, "go", "list", "-deps", "-json=Module", "./...")
			if err != nil {
				return nil, err
			}
			list := json.NewDecoder(strings.NewReader(out))
			for {
				var pkg struct{ Module *part }
				if err := list.Decode(&pkg); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					return nil, err
				}
				found := pkg.Module
				if found == nil || slices.ContainsFunc(all, func(o module) bool { return o.Path == found.Path }) {
					continue // of the standard library, or ours
				}
				key := found.Path + "@" + found.Version
				if parts[key] == nil {
					parts[key] = found
				}
				if p := parts[key]; !slices.Contains(p.users, m.dir) {
					p.users = append(p.users, m.dir)
				}
			}
		}
	}
	var out []part
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		p := parts[key]
		var err error
		if p.licences, err = licences(p.Dir); err != nil && (unlicensed[p.Path] == "" || !errors.Is(err, errNoLicence)) {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		slices.Sort(p.users)
		out = append(out, *p)
	}
	return out, nil
}

var (
	licenceName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying)`)
	// otherLicence matches files about a logo, and about code that only tests and tools use.
	otherLicence = regexp.MustCompile(`-LOGO$|-(3RD|THIRD)-PARTY`)
	copyleft     = regexp.MustCompile(`(?i)(general\s+public\s+licen[cs]e|mozilla\s+public|eclipse\s+public|european\s+union\s+public|common\s+development\s+and\s+distribution|share-?\s?alike)`)
	bsd          = regexp.MustCompile(`(?i)redistribution\s+and\s+use\s+in\s+source\s+and\s+binary`)
	// phrases has a phrase of each accepted licence, by the SPDX name of the licence.
	phrases = map[string]*regexp.Regexp{
		"Apache-2.0":   regexp.MustCompile(`(?i)apache\s+license,?\s+version\s+2\.0`),
		"BSD-3-Clause": regexp.MustCompile(`(?i)endorse\s+or\s+promote\s+products`),
		"ISC":          regexp.MustCompile(`(?i)permission\s+to\s+use,\s+copy,\s+modify,\s+(and/or|and)\s+distribute\s+this\s+software`),
		"MIT":          regexp.MustCompile(`(?i)permission\s+is\s+hereby\s+granted,\s+free\s+of\s+charge`),
		"blessing":     regexp.MustCompile(`(?i)may\s+you\s+do\s+good\s+and\s+not\s+evil|dedicated\s+to\s+the\s+public\s+domain`),
		"Unlicense":    regexp.MustCompile(`(?i)this\s+is\s+free\s+and\s+unencumbered\s+software`),
	}
)

var errNoLicence = errors.New("no licence file: a module without one may not be used")

// licences returns the SPDX names of the licences in a folder, sorted.
func licences(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() || !licenceName.MatchString(e.Name()) || otherLicence.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		found, err := identify(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		return nil, errNoLicence
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// identify returns the licences of a text. It refuses licences that ask for the source of a program
// that uses the module.
func identify(text string) (names []string, err error) {
	if m := copyleft.FindString(text); m != "" {
		return nil, fmt.Errorf("the text names %q: use a module without a copyleft licence", m)
	}
	for name, phrase := range phrases {
		if phrase.MatchString(text) {
			names = append(names, name)
		}
	}
	if bsd.MatchString(text) && !slices.Contains(names, "BSD-3-Clause") {
		names = append(names, "BSD-2-Clause")
	}
	if len(names) == 0 {
		return nil, errors.New("the licence is unknown: read it, and add one of its phrases to the variable phrases in .ci/publish/inventory.go")
	}
	return names, nil
}

// writeLicences writes the page of licences.
func writeLicences() error {
	all, err := modules(".")
	if err != nil {
		return err
	}
	parts, err := inventory(".", all)
	if err != nil {
		return err
	}
	return os.WriteFile(licencesFile, []byte(page(parts)), 0o644)
}

// page returns the page of licences. It has no versions, so an update does not change it.
func page(parts []part) string {
	rows := map[string]*part{}
	for _, p := range parts {
		row := rows[p.Path]
		if row == nil {
			row = &part{}
			rows[p.Path] = row
		}
		row.licences = append(row.licences, p.licences...)
		row.users = append(row.users, p.users...)
	}
	var out strings.Builder
	out.WriteString(licencesIntro)
	for _, path := range slices.Sorted(maps.Keys(rows)) {
		row := rows[path]
		for _, list := range []*[]string{&row.licences, &row.users} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		users := strings.ReplaceAll("`"+strings.Join(row.users, "`, `")+"`", "`.`", "the root")
		fmt.Fprintf(&out, "| %s | %s | %s |\n", path, cmp.Or(strings.Join(row.licences, ", "), "none"), users)
	}
	for _, path := range slices.Sorted(maps.Keys(unlicensed)) {
		fmt.Fprintf(&out, "\n`%s` has no licence. %s\n", path, unlicensed[path])
	}
	out.WriteString(licencesOfData)
	return out.String()
}

// licencesOfData is about data of others in our packages.
const licencesOfData = `
## Data

` + "`worldbook/segment`" + ` contains [words](worldbook/segment/words/README.md) of github.com/go-ego/gse (Apache-2.0) and of jieba (MIT).
`

const licencesIntro = `# Licences of others

talewright has the [MIT licence](LICENSE). A program with its packages also contains modules of others. This page lists them with
their licences, and with the modules of talewright that need them. A program contains only what its own imports need.

No licence on the list asks for the source of a program. ` + "`.ci/release`" + ` refuses one that does, or that it does not know.
` + "`.ci/release --licences`" + ` writes this page. It reads the licence files of the modules. The names are those of SPDX. Several names
mean that several files, or parts of a module, have different licences.

| module | licences | needed by |
|---|---|---|
`
