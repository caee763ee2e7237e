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
			e.second = e.store
			if options.Beside != nil {
				e.second = options.Beside(t, e.store)
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
			case c.needs&leases != 0 && !e.grantsLeases():
				t.Skip("the leases of this store are switched off")
			}
			c.run(e)
			if t.Failed() {
				t.Log(c.sentence)
			}
		})
	}
}

type examCase struct {
	name, sentence string
	run            func(*exam)
	needs          need
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
	{"unknown", "Load and Records of an unknown campaign are ErrNotFound.", testUnknown, nothing},
	{"order", "Entries come back in order, with all their data.", testOrder, nothing},
	{"times", "An entry keeps its time to the nanosecond, in any year. A zero time stays zero.", testTimes, nothing},
	{"bytes", "All bytes come back unchanged.", testBytes, nothing},
	{"huge", "Entries and snapshots of many megabytes come back whole.", testHuge, nothing},
	{"create", "A campaign can be created once; version 1 on an existing log is ErrVersionConflict.", testCreate, nothing},
	{"conflict", "An Append at a different version is ErrVersionConflict and writes nothing.", testConflict, nothing},
	{"gap", "An Append beyond the end of the log is ErrVersionConflict and writes nothing.", testGap, nothing},
	{"again", "The same entry again is not a conflict, and writes nothing.", testRepeatedAppend, nothing},
	{"snapshot", "Load returns the newest snapshot and only the entries after it.", testSnapshot, nothing},
	{"records after snapshot", "Records returns all entries, with any snapshots.", testRecordsAfterSnapshot, nothing},
	{"copies", "The store keeps copies: later changes by the caller do not reach it.", testCopies, nothing},
	{"apart", "Campaigns do not affect each other, even if their ids are similar.", testSimilarIDs, nothing},
	{"long log", "A long log can be read from any version on, any number of times.", testLongLog, nothing},
	{"early end", "A caller may stop at any entry, and use the store while it reads.", testEarlyEnd, nothing},
	{"cancelled", "A cancelled context ends a call with its error, and Append has written all or nothing.", testCancelled, nothing},
	{"cancelled meanwhile", "A context that ends at any moment leaves an entry with its snapshot, or neither.", testCancelledMeanwhile, nothing},
	{"race", "Of concurrent Appends at one version exactly one wins, and no entry is lost.", testRace, nothing},
	{"contention", "Concurrent writers of one campaign lose no acknowledged entry and write no entry twice.", testContention, nothing},
	{"side by side", "Writers of different campaigns do not block each other.", testSideBySide, nothing},
	{"reader beside writer", "A reader sees a log without gaps while others write.", testReaderBesideWriter, nothing},
	{"campaign", "A campaign with branches is played, rolled back, forked, exported and imported, and replays to the same bytes.", testCampaign, nothing},
	{"repair", "A campaign whose last entries cannot be read is repaired and continues.", testRepair, nothing},
	{"list", "List returns the campaigns in order, by prefix and by page.", testList, nothing},
	{"delete", "A deleted campaign is ErrDeleted in every call, also for its present player; other campaigns stay.", testDelete, nothing},
	{"trim", "Trim keeps the newest snapshot and every record.", testTrim, nothing},
	{"lease", "A campaign is leased to one owner at a time, with a greater fence each time, until it is released.", testLease, leases},
	{"lease late", "The owner of a lost lease can neither renew it nor write under it, and does not end the next lease.", testLostLease, leases},
	{"lease over", "A lease expires. Until the next one its owner may still renew it and write.", testExpiredLease, leases},
	{"lease race", "Of concurrent owners exactly one gets the lease.", testLeaseRace, leases},
	{"lease unknown", "A campaign that is unknown or deleted cannot be leased, and a cancelled context ends a call.", testLeaseOfUnknown, leases},
	{"answers", "Answers are stored by key until a commit, also for the next owner; late answers are refused.", testAnswers, leases},
	{"keys", "Find returns the oldest entry with a key, in its own campaign, and 0 for an unknown key.", testKeys, nothing},
	{"posts", "Posts wait in order, once for each key, until they are committed or finished.", testPosts, cluster},
	{"posts apart", "Each campaign has its own posts; campaigns with posts are listed, by pages.", testSeparateInboxes, cluster},
	{"posts full", "The number of waiting posts is limited, and old outcomes are removed.", testFullInbox, cluster},
	{"posts race", "One instruction that is posted twice at once waits once; other posts have their own places.", testPostRace, cluster},
	{"posts late", "An owner that lost the lease cannot finish a post.", testPostsAfterLostLease, leases},
	{"stats", "Stats counts the present campaigns, leases and posts.", testStats, cluster},
	{"posts told", "A server gets a notice of each post, from any store of the database.", testNoticesOfPosts, cluster},
	{"notices", "A watcher gets a notice of every entry, from any store of the database.", testNotices, cluster},
	{"notices pile up", "A watcher that does not listen blocks no writer, and gets a notice when it listens.", testSlowWatcher, cluster},
	{"notice of deletion", "A watcher gets a notice of the deletion of the campaign.", testNoticeOfDeletion, cluster},
	{"restart", "The entry of a successful Append exists after a restart, and the log continues after it.", testRestart, durable},
	{"restart campaign", "A campaign continues after a restart with its branches, and an answered submission is not played again.", testRestartCampaign, durable},
	{"restart snapshot", "The newest snapshot exists after a restart, with the entries after it.", testRestartSnapshot, durable},
	{"restart refused", "A refused entry does not exist after a restart either.", testRestartRefusedEntry, durable},
	{"restart apart", "All campaigns exist after a restart, each with its own log; other ids are still unknown.", testRestartSeparateCampaigns, durable},
	{"restart deleted", "A deleted campaign is still deleted after a restart.", testRestartDeleted, durable},
	{"restart posts", "Posts and their outcomes exist after a restart.", testRestartPosts, durable | cluster},
	{"restart keys", "Entries are found by their keys after a restart, old ones and new ones.", testRestartKeys, durable},
	{"restart lease", "Leases, fences and answers exist after a restart.", testRestartLease, durable | leases},
}
