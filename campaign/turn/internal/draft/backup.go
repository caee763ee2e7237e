package draft

import (
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// backup stores a branch of the variables that a command cleared. The host gets the whole branch.
// The world book gets only what a model may see, because its entries are in prompts. Parts that some
// of the hearers do not know are separate entries, each for its witnesses.
func (s *Stage) backup(e memvars.Effect) {
	p := &s.Pending
	backup := effect.BackupBranch{Path: e.Path, World: e.World, Data: e.Data}
	p.Host = append(p.Host, effect.By(byCommands, backup)...)
	branch := withoutLights(e.Data)
	for i := len(e.Path) - 1; i >= 0; i-- {
		branch = tree.Object(tree.Member{Key: e.Path[i], Value: branch})
	}
	doc, _ := tree.NewDocument(branch)
	doc, _ = tree.NewDocument(s.writers().Visible(doc))
	for _, part := range secret.Parts(p.State.Secrets, doc, s.Heard) {
		if backup.Data = part.Variables.Lookup(e.Path); !backup.Data.Exists() {
			continue
		}
		n := len(p.State.Entries)
		if s.book(byCommands).add(backupEntry(backup)); len(p.State.Entries) > n {
			secret.NoteEntry(&p.State, n, part.Witnesses)
		}
	}
}

// withoutLights returns a value without the flags of its green lights. An entry shows its content as
// long as it is active, so a node that is hidden at the end of its world is not lost.
func withoutLights(v tree.Value) tree.Value {
	return v.Map(func(i int, child tree.Value) tree.Value {
		if v.KeyAt(i) == "_showInEJS" {
			return tree.Value{}
		}
		return withoutLights(child)
	})
}

// backupEntry returns an entry with a branch of the variables that a command cleared at the end of
// a world.
func backupEntry(e effect.BackupBranch) effect.AddEntry {
	last := ""
	if len(e.Path) > 0 {
		last = e.Path[len(e.Path)-1]
	}
	return entryAsData(effect.AddEntry{
		BookID: "backup", Name: "备份·" + e.World + "·" + last, Content: e.Data.String(),
		Keywords: []string{e.World}, EntryType: secret.EntryOfBackup, Priority: 50,
	})
}
