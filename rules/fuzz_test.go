package rules_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// seedRules adds the rules of the conformance cases to a corpus.
func seedRules(f *testing.F) {
	f.Helper()
	files, err := filepath.Glob("testdata/conformance/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var content struct {
			Cases []struct {
				Given struct {
					Rules json.RawMessage `json:"rules"`
				} `json:"given"`
			} `json:"cases"`
		}
		if json.Unmarshal(data, &content) != nil {
			continue
		}
		for _, c := range content.Cases {
			if len(c.Given.Rules) > 0 {
				f.Add([]byte(c.Given.Rules))
			}
		}
	}
}

// FuzzRules loads any JSON as rules: nothing panics, loaded rules compile and run, and writing them
// gives the same rules.
func FuzzRules(f *testing.F) {
	seedRules(f)
	f.Add([]byte(`[null, 7, {"id": 1, "trigger": [], "actions": {"a": 1}, "conditions": [null]}]`))
	events := append(event.OfTurn("go down", "A wolf howls.", 1, nil),
		event.Changed("hp", tree.Int(30), tree.Int(10)),
		event.ActionFired("a", tree.Object(tree.Member{Key: "x", Value: tree.Text("3")})))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _ := rules.Parse(data)
		program, _ := rules.Compile(rules.Content{Rules: list})
		program.Run(rules.State{}, events, rules.Options{Explain: true, ExpandNotices: true})
		rules.Vet(rules.Content{Rules: list, Variables: []rules.Variable{}})
		first, err := json.Marshal(list)
		if err != nil {
			t.Fatalf("what was loaded cannot be written: %v", err)
		}
		again, _ := rules.Parse(first)
		second, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if string(first) != string(second) {
			t.Errorf("not stable:\n%s\n%s", first, second)
		}
	})
}

// FuzzLedger loads any JSON as a ledger.
func FuzzLedger(f *testing.F) {
	f.Add([]byte(`{"disabledRules":["a"],"cooldowns":{"a":3,"b":"x"},"activeDirectives":[{"id":"d",
		"content":"c"}]}`))
	f.Add([]byte(`{"enabledRules":{"a":true},"pendingContext":[{"message":"m"},7],"prevVars":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var l rules.Memory
		if l.UnmarshalJSON(data) != nil {
			return
		}
		first, err := l.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var back rules.Memory
		if err := back.UnmarshalJSON(first); err != nil {
			t.Fatal(err)
		}
		second, err := back.MarshalJSON()
		if err != nil || string(first) != string(second) {
			t.Errorf("not stable (%v):\n%s\n%s", err, first, second)
		}
	})
}
