package prompt_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// conformanceCase is one recorded case. Its other members depend on the kind.
type conformanceCase struct {
	ID  string
	Raw json.RawMessage
}

// conformance has the recorded cases of all kinds except the cards, which package card runs.
var conformance = testkit.Suite{
	Dir: filepath.Join("testdata", "conformance"),
}

// deviating detects, by kind, the cases in which the code differs on purpose.
var deviating = map[string]func(*testing.T, conformanceCase) string{
	"st": replacementDeviation, "macro": innerMark,
}

// caseRunners are the kinds of cases.
var caseRunners = map[string]func(*testing.T, conformanceCase){
	"macro":    runMacroCase,
	"native":   runNativeCase,
	"text":     runTextCase,
	"st":       runTavernCase,
	"shape":    runShapeCase,
	"estimate": runEstimateCase,
}

// TestConformance runs the recorded cases of all kinds except the cards: PR-15.
func TestConformance(t *testing.T) {
	conformance.Run(t, readCases)
}

// readCases returns the cases of one file.
func readCases(t *testing.T, name string, data []byte) []testkit.RecordedCase {
	t.Helper()
	var file struct {
		Format string            `json:"format"`
		Kind   string            `json:"kind"`
		Cases  []json.RawMessage `json:"cases"`
	}
	decode(t, name, data, &file)
	if file.Format != "prompt-conformance/1" || file.Kind == "card" || file.Kind == "env" {
		return nil
	}
	run := caseRunners[file.Kind]
	if run == nil {
		t.Errorf("%s: no runner for kind %q", name, file.Kind)
		return nil
	}
	var cases []testkit.RecordedCase
	for _, raw := range file.Cases {
		var head struct{ ID string }
		decode(t, name, raw, &head)
		one := testkit.RecordedCase{Name: head.ID, Run: func(t *testing.T) {
			run(t, conformanceCase{head.ID, raw})
		}}
		if deviates := deviating[file.Kind]; deviates != nil {
			one.Deviation = func(t *testing.T) string { return deviates(t, conformanceCase{head.ID, raw}) }
		}
		cases = append(cases, one)
	}
	return cases
}

// remarks are the members of every case that only describe it.
type remarks struct {
	ID       json.RawMessage `json:"id"`
	Title    json.RawMessage `json:"title"`
	Tags     json.RawMessage `json:"tags"`
	Origin   json.RawMessage `json:"origin"`
	Observed json.RawMessage `json:"observed"`
	Quirk    json.RawMessage `json:"quirk"`
	Note     json.RawMessage `json:"note"`
	Old      json.RawMessage `json:"old_engine"`
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

// decodeCase is decode, but it refuses members that dst does not have: a case that is read in part
// proves nothing.
func decodeCase(tb testing.TB, name string, data []byte, dst any) {
	tb.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(dst); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
}
