package prompt_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// conformanceCase is one recorded case; what else is in it depends on the kind.
type conformanceCase struct {
	ID   string
	Kind string
	Raw  json.RawMessage
}

// conformanceDir is the folder of case files; the environment can name another.
func conformanceDir() string {
	if dir := os.Getenv("TALEWRIGHT_CONFORMANCE"); dir != "" {
		return dir
	}
	return filepath.Join("testdata", "conformance")
}

// loadCases reads all cases of the folder, in the order of the files. Cards have
// a conformance test of their own.
func loadCases(tb testing.TB, kinds ...string) []conformanceCase {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(conformanceDir(), "*.json"))
	if err != nil {
		tb.Fatal(err)
	}
	var cases []conformanceCase
	for _, path := range paths {
		var file struct {
			Format string            `json:"format"`
			Kind   string            `json:"kind"`
			Cases  []json.RawMessage `json:"cases"`
		}
		readJSON(tb, path, &file)
		if file.Format != "prompt-conformance/1" || !wanted(file.Kind, kinds) {
			continue
		}
		for _, raw := range file.Cases {
			c := conformanceCase{Kind: file.Kind, Raw: raw}
			if err := json.Unmarshal(raw, &struct {
				ID *string `json:"id"`
			}{&c.ID}); err != nil {
				tb.Fatalf("%s: %v", path, err)
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func wanted(kind string, kinds []string) bool {
	if len(kinds) == 0 {
		return kind != "card" && kind != "env"
	}
	return slices.Contains(kinds, kind)
}

func readJSON(tb testing.TB, path string, dst any) {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	decode(tb, path, data, dst)
}

func decode(tb testing.TB, name string, data []byte, dst any) {
	tb.Helper()
	if err := json.Unmarshal(data, dst); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
}

// knownWrong lists cases that we believe to be wrong, with the reason. They are
// counted as failed.
var knownWrong = map[string]string{}

// TestConformance runs the recorded cases of all kinds but the cards: PR-15.
func TestConformance(t *testing.T) {
	run := map[string]func(*testing.T, conformanceCase){
		"macro":    runMacroCase,
		"native":   runNativeCase,
		"text":     runTextCase,
		"st":       runTavernCase,
		"shape":    runShapeCase,
		"estimate": runEstimateCase,
	}
	cases := loadCases(t)
	passed := 0
	for _, c := range cases {
		runner := run[c.Kind]
		if runner == nil {
			t.Errorf("%s: no runner for kind %q", c.ID, c.Kind)
			continue
		}
		ok := t.Run(c.ID, func(t *testing.T) {
			if reason, wrong := knownWrong[c.ID]; wrong {
				t.Skip(reason)
			}
			runner(t, c)
		})
		if _, wrong := knownWrong[c.ID]; ok && !wrong {
			passed++
		}
	}
	line := fmt.Sprintf("%d passed, %d failed of %d", passed, len(cases)-passed, len(cases))
	t.Log(line)
	fmt.Println(line)
}
