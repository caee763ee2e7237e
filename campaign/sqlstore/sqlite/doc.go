// Package sqlite stores campaigns in an SQLite file, without cgo. It is the store for a game on one
// machine. Several processes may open the same file, each any number of times. Do not use it on a
// network file system: its locks are not reliable.
//
//	store, err := sqlite.Open(ctx, "campaigns.db", sqlite.Options{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	engine, err := campaign.New(campaign.Config{Game: game, Store: store, Model: model})
//
// An acknowledged commit is on the disk (write-ahead log, synchronous FULL). It survives the end of
// the process. It survives a power cut if the disk really writes what it acknowledges. With
// [Options].Relaxed, writes are faster and a power cut may lose the last commits.
//
// If several processes play the same campaigns, set [Options].Shared. It prevents two of them from
// paying for the same turn.
//
// While a process has the file open, two more files belong to it. Their names end in -wal and -shm.
// To copy a database, use [Store.Backup].
package sqlite
