package storetest

import (
	"testing"

	"github.com/talewright/talewright/campaign"
)

// Options describe what Run cannot find out about a store.
type Options struct {
	// Reopen closes a store that open or Reopen has returned. It returns a new store on the data
	// that is left, like a program after a restart. Only the files or the database may connect the
	// two.
	Reopen func(t *testing.T, store campaign.Store) campaign.Store
	// Forgets means that the store loses its data when it is closed, like one in memory. The cases
	// about restarts are then skipped. If Forgets is not set, a missing Reopen is a failure.
	Forgets bool
	// Beside returns a second store on the same data, like one in a second process. nil: the cases
	// with two stores use one store twice.
	Beside func(t *testing.T, store campaign.Store) campaign.Store
}

// Run tests a store. open returns an empty store each time. A store that processes share may use
// the same database each time if it has no data from an earlier run: every case uses its own
// campaign IDs.
func Run(t *testing.T, open func(t *testing.T) campaign.Store, options Options) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newExam(t, c.name, open(t))
			e.beside = e.store
			if options.Beside != nil {
				e.beside = options.Beside(t, e.store)
			}
			e.reopen = func(s campaign.Store) campaign.Store { return options.Reopen(t, s) }
			_, shared := e.store.(campaign.Cluster)
			switch {
			case c.needs&durable != 0 && options.Forgets:
				t.Skip("this store keeps nothing when it is closed: Options.Forgets")
			case c.needs&durable != 0 && options.Reopen == nil:
				t.Fatal("Options.Reopen is missing; a store that keeps nothing says so with Options.Forgets")
			case c.needs&(cluster|leases) != 0 && !shared:
				t.Skip("this store is not a campaign.Cluster")
			case c.needs&leases != 0 && !e.leases():
				t.Skip("the leases of this store are switched off")
			}
			c.run(e)
			if t.Failed() {
				t.Log(c.why)
			}
		})
	}
}

type examCase struct {
	name, why string
	run       func(*exam)
	needs     need
}

// need is a set of abilities that a case needs beyond campaign.Store.
type need int

const (
	durable need = 1 << iota // data survives a restart
	cluster                  // the store is a campaign.Cluster
	leases                   // and its leases are not switched off

	nothing need = 0
)

var cases = []examCase{
	{"unknown", "Load and Records of an unknown campaign are ErrNotFound.", unknown, nothing},
	{"order", "Entries come back in order, with all their data.", order, nothing},
	{"times", "An entry keeps its time to the nanosecond, in any year. A zero time stays zero.", times, nothing},
	{"bytes", "All bytes come back unchanged.", allBytes, nothing},
	{"huge", "Entries and snapshots of many megabytes come back whole.", huge, nothing},
	{"create", "A campaign can be created once; version 1 on an existing log is ErrVersionConflict.", create, nothing},
	{"conflict", "An Append at a different version is ErrVersionConflict and writes nothing.", conflict, nothing},
	{"gap", "An Append beyond the end of the log is ErrVersionConflict and writes nothing.", gap, nothing},
	{"again", "The same entry again is not a conflict, and writes nothing.", again, nothing},
	{"snapshot", "Load returns the newest snapshot and only the entries after it.", snapshot, nothing},
	{"records after snapshot", "Records returns all entries, with any snapshots.", recordsAfterSnapshot, nothing},
	{"copies", "The store keeps copies: later changes by the caller do not reach it.", copies, nothing},
	{"apart", "Campaigns do not affect each other, even if their ids are similar.", apart, nothing},
	{"long log", "A long log can be read from any version on, any number of times.", longLog, nothing},
	{"early end", "A caller may stop at any entry, and use the store while it reads.", earlyEnd, nothing},
	{"cancelled", "A cancelled context ends a call with its error, and Append has written all or nothing.", cancelled, nothing},
	{"cancelled meanwhile", "A context that ends at any moment leaves an entry with its snapshot, or neither.", cancelledMeanwhile, nothing},
	{"race", "Of concurrent Appends at one version exactly one wins, and no entry is lost.", race, nothing},
	{"contention", "Concurrent writers of one campaign lose no acknowledged entry and write no entry twice.", contention, nothing},
	{"side by side", "Writers of different campaigns do not block each other.", sideBySide, nothing},
	{"reader beside writer", "A reader sees a log without gaps while others write.", readerBesideWriter, nothing},
	{"campaign", "A campaign with branches is played, rolled back, forked, exported and imported, and replays to the same bytes.", asPlayer(moveCampaign), nothing},
	{"repair", "A campaign whose last entries cannot be read is repaired and continues.", asPlayer(repaired), nothing},
	{"list", "List returns the campaigns in order, by prefix and by page.", list, nothing},
	{"delete", "A deleted campaign is ErrDeleted in every call, also for its present player; other campaigns stay.", deleted, nothing},
	{"trim", "Trim keeps the newest snapshot and every record.", trim, nothing},
	{"lease", "A campaign is leased to one owner at a time, with a greater fence each time, until it is released.", leaseOnce, leases},
	{"lease late", "The owner of a lost lease can neither renew it nor write under it, and does not end the next lease.", lateHolder, leases},
	{"lease over", "A lease expires. Until the next one its owner may still renew it and write.", leaseOver, leases},
	{"lease race", "Of concurrent owners exactly one gets the lease.", leaseRace, leases},
	{"lease unknown", "A campaign that is unknown or deleted cannot be leased, and a cancelled context ends a call.", leaseUnknown, leases},
	{"answers", "Answers are stored by key until a commit, also for the next owner; late answers are refused.", answers, leases},
	{"keys", "Find returns the oldest entry with a key, in its own campaign, and 0 for an unknown key.", keys, nothing},
	{"posts", "Posts wait in order, once for each key, until they are committed or finished.", mailed(posts), cluster},
	{"posts apart", "Each campaign has its own posts; campaigns with posts are listed, by pages.", mailed(postsApart), cluster},
	{"posts full", "The number of waiting posts is limited, and old outcomes are removed.", mailed(postsFull), cluster},
	{"posts race", "One instruction that is posted twice at once waits once; other posts have their own places.", mailed(postsRace), cluster},
	{"posts late", "An owner that lost the lease cannot finish a post.", mailed(postsLate), leases},
	{"stats", "Stats counts the present campaigns, leases and posts.", stats, cluster},
	{"posts told", "A server gets a notice of each post, from any store of the database.", mailed(postsTold), cluster},
	{"notices", "A watcher gets a notice of every entry, from any store of the database.", notices, cluster},
	{"notices pile up", "A watcher that does not listen blocks no writer, and gets a notice when it listens.", noticesPileUp, cluster},
	{"notice of deletion", "A watcher gets a notice of the deletion of the campaign.", noticeOfDeletion, cluster},
	{"restart", "The entry of a successful Append exists after a restart, and the log continues after it.", restart, durable},
	{"restart campaign", "A campaign continues after a restart with its branches, and an answered submission is not played again.", asPlayer(restartCampaign), durable},
	{"restart snapshot", "The newest snapshot exists after a restart, with the entries after it.", restartSnapshot, durable},
	{"restart refused", "A refused entry does not exist after a restart either.", restartRefused, durable},
	{"restart apart", "All campaigns exist after a restart, each with its own log; other ids are still unknown.", restartApart, durable},
	{"restart deleted", "A deleted campaign is still deleted after a restart.", restartDeleted, durable},
	{"restart posts", "Posts and their outcomes exist after a restart.", mailed(restartPosts), durable | cluster},
	{"restart keys", "Entries are found by their keys after a restart, old ones and new ones.", restartKeys, durable},
	{"restart lease", "Leases, fences and answers exist after a restart.", restartLease, durable | leases},
}
