package mvu_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

func recordedTexts(f *testing.F) []string {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("..", "testdata", "conformance", "mvu_*.json"))
	if err != nil {
		f.Fatal(err)
	}
	var out []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var file struct {
			Cases []struct{ Messages []struct{ Text string } }
		}
		if err := json.Unmarshal(data, &file); err != nil {
			f.Fatal(err)
		}
		for _, c := range file.Cases {
			for _, m := range c.Messages {
				out = append(out, m.Text)
			}
		}
	}
	return out
}

// FuzzUpdate: any text leaves valid variables in both modes. A message without success leaves the
// same document, and commands are in order.
func FuzzUpdate(f *testing.F) {
	for _, text := range recordedTexts(f) {
		f.Add(text)
	}
	data, err := os.ReadFile(filepath.Join("..", "testdata", "conformance", "fixtures", "mvu_base.json"))
	if err != nil {
		f.Fatal(err)
	}
	initial, err := tree.ParseValue(data)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []mvu.Options{{}, {Mode: "compat"}, {StrictPatch: true, ReadonlyPrefix: "_"}} {
			v, err := mvu.New(initial, o)
			if err != nil {
				t.Fatal(err)
			}
			next, res := mvu.Update(v, text, o)
			if !res.Modified && !next.Stat.Same(v.Stat) {
				t.Fatal("another version without a change")
			}
			if _, err := tree.ParseDocument([]byte(next.Stat.String())); err != nil {
				t.Fatalf("a bad document: %v", err)
			}
			last := -1
			for _, c := range res.Commands {
				if c.Offset < last {
					t.Fatal("commands are out of order")
				}
				last = c.Offset
			}
			if _, err := json.Marshal(next); err != nil {
				t.Fatal(err)
			}
		}
	})
}
