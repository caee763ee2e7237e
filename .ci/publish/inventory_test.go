package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestIdentify: licences are recognised however their lines break. Copyleft and unknown ones are
// refused.
func TestIdentify(t *testing.T) {
	t.Parallel()
	const bsd = "Redistribution and use in source and binary\nforms, with or without modification, are permitted. "
	for _, c := range []struct {
		text    string
		want    []string
		refused string
	}{
		{"MIT License\n\nPermission is hereby\ngranted, free of charge, to any person", []string{"MIT"}, ""},
		{bsd, []string{"BSD-2-Clause"}, ""},
		{bsd + "Neither the name may be used to endorse or\npromote products", []string{"BSD-3-Clause"}, ""},
		{"  Apache License\n  Version 2.0, January 2004", []string{"Apache-2.0"}, ""},
		{bsd + "Some files: Mozilla  Public License, version 2.0", nil, "copyleft"},
		{"GNU LESSER GENERAL PUBLIC LICENSE", nil, "copyleft"},
		{"Creative Commons Attribution-ShareAlike 4.0", nil, "copyleft"},
		{"Ask the author.", nil, "unknown"},
	} {
		got, err := identify(c.text)
		switch {
		case c.refused == "" && (err != nil || !slices.Equal(got, c.want)):
			t.Errorf("%q: %q, %v", c.text, got, err)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%q: %q, %v; want a refusal", c.text, got, err)
		}
	}
	if names, err := licences(t.TempDir()); err == nil {
		t.Errorf("a folder without a licence file: %q", names)
	}
}

// TestNextVersion: the first section of the list of changes names the next version. A section with a
// date is a version that can be released.
func TestNextVersion(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "CHANGELOG.md")
	for text, want := range map[string]struct {
		version string
		open    bool
	}{
		"# Changes\n\n## v0.2.0\n\n## v0.1.0, 2026-11-29\n": {"v0.2.0", true},
		"# Changes\n\n## v0.1.0, 2026-11-29\n":              {"v0.1.0", false},
		"# Changes\n":                                       {"", false},
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		version, open, err := nextVersion(file)
		if version != want.version || open != want.open || (err == nil) != (version != "") {
			t.Errorf("%q: %q, %v, %v", text, version, open, err)
		}
	}
}

// TestModulesOfTheRepository: each module comes after those that it requires, and a module contains
// no files of a module inside it.
func TestModulesOfTheRepository(t *testing.T) {
	t.Parallel()
	all, err := modules("../..")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range all {
		for _, used := range m.uses {
			if !seen[used] {
				t.Errorf("%s comes before %s, which it requires", m.dir, used)
			}
		}
		seen[m.Path] = true
	}
	p := proxy{modules: all}
	i := slices.IndexFunc(all, func(m module) bool { return m.dir == "campaign/sqlstore" })
	for name, nested := range map[string]bool{"campaign/sqlstore/store.go": true, "campaign/sqlstores.go": false, "doc.go": false} {
		if got := p.isNested(all[0], name); got != nested {
			t.Errorf("%s: nested is %v", name, got)
		}
	}
	if i < 0 || p.isNested(all[i], "sqlite/sqlite.go") {
		t.Errorf("campaign/sqlstore is no module, or lacks its package sqlite")
	}
	if tag := all[i].tag("v1.2.3"); tag != "campaign/sqlstore/v1.2.3" || all[0].tag("v1.2.3") != "v1.2.3" {
		t.Errorf("tags: %s", tag)
	}
}
