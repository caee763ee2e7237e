// Package sqlite keeps campaigns in a file of SQLite, without cgo: the store of a game on
// one machine. Several processes may open the same file, each as often as it likes; not
// over a network file system, whose locks cannot be relied on.
//
//	store, err := sqlite.Open(ctx, "campaigns.db", sqlite.Options{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	engine, err := campaign.New(campaign.Config{Game: game, Store: store, Model: model})
//
// A commit that was acknowledged is on the disk (write-ahead log, synchronous FULL): it
// survives the end of the process, and a power cut as far as the disk tells the truth.
// [Options].Relaxed gives the latter up for speed.
//
// Where several processes play the same campaigns, [Options].Lend keeps two of them from
// paying for the same turn.
//
// Beside the file stand two others, with -wal and -shm behind its name: while a process
// has it open they belong to it. To copy a database, use [Store.Backup].
package sqlite
