package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// drawingTools is the environment variable with a folder in which npm has installed mermaid, jsdom
// and @hpcc-js/wasm-graphviz.
const drawingTools = "TALEWRIGHT_DRAWING"

// parseDrawings reads a list of drawings and writes what Mermaid or Graphviz says of each one.
const parseDrawings = `
import fs from 'node:fs';
import { JSDOM } from 'jsdom';
globalThis.window = new JSDOM('<!doctype html><body></body>').window;
globalThis.document = window.document;
const mermaid = (await import('mermaid')).default;
const { Graphviz } = await import('@hpcc-js/wasm-graphviz');
const graphviz = await Graphviz.load();
const said = [];
for (const drawing of JSON.parse(fs.readFileSync(0, 'utf8'))) {
	try {
		if (drawing.startsWith('digraph')) graphviz.layout(drawing, 'dot', 'dot');
		else await mermaid.parse(drawing);
		said.push('');
	} catch (error) { said.push(String(error)); }
}
console.log(JSON.stringify(said));
`

// TestGraphsParse gives drawings to Mermaid and to Graphviz, with names that could end a label or be a
// word of the language. A drawing that is cut off shows that the tools look: EX-08.
func TestGraphsParse(t *testing.T) {
	t.Parallel()
	tools := os.Getenv(drawingTools)
	if tools == "" {
		t.Skip("needs Mermaid and Graphviz: " + drawingTools + " names a folder with them")
	}
	var drawings, names []string
	for _, name := range []string{"pay", "end", "subgraph", "付钱", `a"]`, "a\nb", "<b>x</b>", "#quot;", "a]) --> b", "%% x", "`x`", `a\`, "click x", "é\u200b", "graph TD; x", "{{x}}", "|x|"} {
		dir := t.TempDir()
		write := func(file string, content any) {
			t.Helper()
			data, err := json.Marshal(content)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, file), data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		type object = map[string]any
		write("rules.json", []object{{"id": name, "trigger": object{"type": "every-turn"}, "actions": []object{
			{"type": "modify-variable", "variableId": name, "operation": "add", "value": 1},
			{"type": "trigger-rule", "ruleId": name}}}})
		write("hooks.json", []object{{"id": name, "name": name, "event": "turn.committed", "actions": []object{{"type": "log", "message": "x"}}}})
		for _, args := range [][]string{{"graph", dir}, {"graph", "-dot", dir}} {
			var out, errs bytes.Buffer
			if code := run(context.Background(), args, strings.NewReader(""), &out, &errs); code != 0 {
				t.Fatalf("%q: exit code %d: %s", name, code, &errs)
			}
			drawings, names = append(drawings, out.String()), append(names, name+" "+args[1])
		}
	}
	whole := len(drawings)
	drawings = append(drawings, "flowchart LR\n  a[\"x\n", "digraph { a -> ")
	sent, err := json.Marshal(drawings)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "--input-type=module", "-e", parseDrawings)
	cmd.Dir, cmd.Stdin = tools, bytes.NewReader(sent)
	answer, err := cmd.Output()
	var said []string
	if err == nil {
		err = json.Unmarshal(answer, &said)
	}
	if err != nil || len(said) != len(drawings) {
		t.Fatalf("node: %v: %s", err, answer)
	}
	for i, mistake := range said {
		switch {
		case i >= whole && mistake == "":
			t.Errorf("the tools accept %q", drawings[i])
		case i < whole && mistake != "":
			t.Errorf("%s: %s\n%s", names[i], mistake, drawings[i])
		}
	}
}
