package memvars_test

import (
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
)

// TestShown: players read the story without the commands and their blocks (MV-17).
func TestShown(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ reason, text, want string }{
		{"nothing to cut", "雨停了。\n\n她笑了。", "雨停了。\n\n她笑了。"},
		{"a command on a line of its own", "雨停了。\nset_status('天气', '晴'); // 停\n她笑了。", "雨停了。\n她笑了。"},
		{"within a line", "雨停了set_status('天气', '晴');。", "雨停了。"},
		{"an empty block", "A\n<updateMemory></updateMemory>\nB", "A\nB"},
		{"a block with an analysis", "A\n<UpdateVariable>\n<Analysis>calm</Analysis>\n_.set('a', 1);//x\n</UpdateVariable>\nB", "A\nB"},
		{"a closing tag alone", "A\n</UpdateVariable>\nB", "A\nB"},
		{"an opening tag alone", "A\n<updateMemory>\nset_status('a', 1);\nB", "A\nB"},
		{"an analysis alone", "A\n<Analysis>calm,\nthen not</Analysis>\nB", "A\nB"},
		{"a patch", "A\n<JsonPatch>[{\"op\":\"remove\",\"path\":\"/a\"}]</JsonPatch>\nB", "A\nB"},
		{"a patch that was cut off", "A\n<UpdateVariable>\n<JSONPatch>\n[{\"op\":\"repl", "A\n"},
		{"in a code fence", "A\n<JSONPatch>```json\n[{\"op\":", "A\n"},
		{"a fence in a block without an end", "A\n<UpdateVariable>\n```json\nset_status('a', 1);\n```\nB", "A\nB"},
		{"an analysis that was cut off", "A\n<UpdateVariable>\n<Analysis>\n- time: five", "A\n"},
		{"and begun again", "A <JSONPatch>[{\"op\": <JSONPatch>[]</JSONPatch> B", "A  B"},
		{"one that is none", "A <json_patch>nothing</json_patch> B", "A  B"},
		{"a call that cannot be read stays", "A\nset_status('a\nB", "A\nset_status('a\nB"},
		{"a block in a code fence", "A\n```xml\n<UpdateVariable>\n```\nx\n```\n</UpdateVariable>\n```\nB", "A\nB"},
		{"a block between code blocks", "```\nA\n```\n<UpdateVariable></UpdateVariable>\n```\nB\n```", "```\nA\n```\n```\nB\n```"},
		{"a block with more in its fence", "```\nA\n<UpdateVariable></UpdateVariable>\n```", "```\nA\n```"},
		{"a bold block", "A\n**<UpdateVariable>**\n_.set('a', 1);\n**</UpdateVariable>**", "A\n"},
		{"a block in a comment", "A\n<!--\n<UpdateVariable>\n_.set('a', 1);\n</UpdateVariable>\n-->\nB", "A\nB"},
		{"other tags stay", "<b>A</b> <UpdateVariables>", "<b>A</b> <UpdateVariables>"},
	} {
		if got := sys.Shown(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
}
