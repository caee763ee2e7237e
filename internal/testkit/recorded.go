package testkit

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// This file runs recorded cases: JSON files with the answers of a different system or of a
// specification.
//
// Every package with cases runs all of them in a separate test. An environment variable can select
// a different folder with the same schema, so that new cases can be run:
//
//	TALEWRIGHT_CONFORMANCE=/path/to/cases go test ./hooks -run TestConformance

// Suite describes the cases of one package.
type Suite struct {
	// Env names the environment variable that selects a different folder or file; empty means
	// TALEWRIGHT_CONFORMANCE.
	Env string
	// Dir is the folder of the package's own cases.
	Dir string
	// Deviations lists the cases in which the code differs on purpose, each with its reason. They
	// are skipped, and counted separately.
	Deviations map[string]string
}

// RecordedCase is one recorded case.
type RecordedCase struct {
	Name string
	Run  func(t *testing.T)
	// Deviation, if not nil, recognises a whole class of cases in which the code differs on
	// purpose. It returns the reason, empty for any other case.
	Deviation func(t *testing.T) string
}

// Run runs all cases of the suite's folder as subtests and prints one line, "N passed, M failed of
// T". The function read returns the cases of one file, or no cases for a file in a different
// format. A folder without any case fails.
func (s Suite) Run(t *testing.T, read func(t *testing.T, file string, data []byte) []RecordedCase) {
	t.Helper()
	dir := s.Folder()
	passed, failed, apart := 0, 0, 0
	for _, file := range s.files(t, dir) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range read(t, file, data) {
			why := s.Deviations[c.Name]
			if why == "" && c.Deviation != nil {
				why = c.Deviation(t)
			}
			if why != "" {
				t.Run(c.Name, func(t *testing.T) { t.Skip(why) })
				apart++
				continue
			}
			if t.Run(c.Name, c.Run) {
				passed++
			} else {
				failed++
			}
		}
	}
	line := fmt.Sprintf("%d passed, %d failed of %d", passed, failed, passed+failed)
	if apart > 0 {
		line += fmt.Sprintf(" (%d declared deviations apart)", apart)
	}
	fmt.Println(line)
	if passed+failed == 0 {
		t.Fatalf("no case in %s", dir)
	}
}

// Folder returns the folder, or the single file, from which the cases are read.
func (s Suite) Folder() string {
	return cmp.Or(os.Getenv(cmp.Or(s.Env, "TALEWRIGHT_CONFORMANCE")), s.Dir)
}

func (s Suite) files(t *testing.T, dir string) []string {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatalf("the recorded cases are missing: %v", err)
	}
	if !info.IsDir() {
		return []string{dir}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
