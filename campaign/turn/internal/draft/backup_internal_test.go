package draft

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestBackupEntry: the entry of a cleared branch has its values as data, and the name of the world as
// its key.
func TestBackupEntry(t *testing.T) {
	t.Parallel()
	data := tree.Object(tree.Member{Key: "gold", Value: tree.Text("{{user}}")})
	want := effect.AddEntry{BookID: "backup", Name: "备份·Mill·purse", Content: `{"gold":"{{user}}"}`, Keywords: []string{"Mill"},
		EntryType: secret.EntryOfBackup, Priority: 50}
	want.Literal = true
	if diff := cmp.Diff(want, backupEntry(effect.BackupBranch{World: "Mill", Path: tree.Path{"a", "purse"}, Data: data})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if name := backupEntry(effect.BackupBranch{World: "Mill", Data: data}).Name; name != "备份·Mill·" {
		t.Errorf("the whole document: %q", name)
	}
}
