package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/rules"
)

func content() rules.Content {
	list, _ := rules.Parse([]byte(`[
	  {"id": "ping", "trigger": {"type": "state-change", "variableId": "a"}, "conditions": [],
	   "actions": [{"type": "toggle-rule", "ruleId": "pong", "enabled": true}]},
	  {"id": "pong", "trigger": {"type": "manual"}, "conditions": [],
	   "actions": [{"type": "trigger-rule", "ruleId": "ping"}, {"type": "notify-player",
		"message": "\"!\""}]}]`))
	return rules.Content{Rules: list}
}

// The graph shows toggles, emits, reads and writes of rules (RU-33).
func ExampleMermaid() {
	fmt.Print(rules.Mermaid(content()))
	// Output:
	// flowchart LR
	//   n0["ping"]
	//   n1(["a"])
	//   n2["pong"]
	//   n3>"ui:notification"]
	//   n1 -->|watches| n0
	//   n0 ==>|toggles| n2
	//   n2 ==>|triggers| n0
	//   n2 -->|emits| n3
	//   style n0 stroke:#c00,stroke-width:3px
	//   style n2 stroke:#c00,stroke-width:3px
}

func ExampleDOT() {
	fmt.Print(rules.DOT(content()))
	// Output:
	// digraph rules {
	//   rankdir=LR;
	//   n0 [label="ping" shape=box color=red penwidth=2];
	//   n1 [label="a" shape=ellipse];
	//   n2 [label="pong" shape=box color=red penwidth=2];
	//   n3 [label="ui:notification" shape=cds];
	//   n1 -> n0 [label="watches"];
	//   n0 -> n2 [label="toggles" color=red];
	//   n2 -> n0 [label="triggers" color=red];
	//   n2 -> n3 [label="emits"];
	// }
}

// Names of players and authors cannot break out of their labels.
func TestNamesAreQuoted(t *testing.T) {
	t.Parallel()
	c := rules.Content{Rules: []rules.Rule{{
		ID: "a\"]\n x<b>", Trigger: &rules.Trigger{Type: rules.StateChange, VariableID: `q"\`},
	}}}
	for _, s := range []string{"\"]\n x", "<b>"} {
		if strings.Contains(rules.Mermaid(c), s) {
			t.Errorf("Mermaid holds %q", s)
		}
	}
	if s := rules.DOT(c); !strings.Contains(s, `"q\"\\"`) || !strings.Contains(s, `"a\"]\n x<b>"`) {
		t.Error(s)
	}
}
