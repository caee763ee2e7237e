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
			_, listed := e.store.(campaign.Catalog)
			lends := e.lends()
			_, keeps := e.store.(campaign.Ledger)
			_, tells := e.store.(campaign.Notices)
			_, finds := e.store.(campaign.Keys)
			_, boxed := e.store.(campaign.Inbox)
			_, counts := e.store.(campaign.Meter)
			switch {
			case c.needs == durable && options.Forgets:
				t.Skip("this store keeps nothing when it is closed: Options.Forgets")
			case c.needs == durable && options.Reopen == nil:
				t.Fatal("Options.Reopen is missing; a store that keeps nothing says so with Options.Forgets")
			case c.needs == catalog && !listed:
				t.Skip("this store is no campaign.Catalog")
			case c.needs == desk && !lends:
				t.Skip("this store is no campaign.Desk")
			case c.needs == ledger && !(lends && keeps):
				t.Skip("this store is no campaign.Ledger")
			case c.needs == waiting && !boxed, c.needs == waitingDesk && !(boxed && lends):
				t.Skip("this store has no inbox.Box")
			case c.needs == keeping && !finds:
				t.Skip("this store is no campaign.Keys")
			case c.needs == metered && !counts:
				t.Skip("this store is no campaign.Meter")
			case c.needs == telling && !tells:
				t.Skip("this store gives no follow.Notices")
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

// need is an ability that a case needs beyond campaign.Store.
type need int

const (
	nothing     need = iota
	durable          // data survives a restart
	catalog          // the store is a campaign.Catalog
	desk             // the store is a campaign.Desk
	ledger           // the store is a campaign.Ledger
	telling          // the store implements campaign.Notices
	keeping          // the store implements campaign.Keys
	waiting          // the store is a campaign.Inbox
	waitingDesk      // and a campaign.Desk
	metered          // the store is a campaign.Meter
)

var cases = []examCase{
	{"unknown", "Load and Records of an unknown campaign are ErrNotFound.", unknown, nothing},
	{"order", "Entries come back in order, with everything that was put in.", order, nothing},
	{"times", "An entry keeps its time to the nanosecond, whatever the year, and no time too.", times, nothing},
	{"bytes", "All bytes come back as they were.", allBytes, nothing},
	{"huge", "Entries and snapshots of many megabytes come back whole.", huge, nothing},
	{"create", "A campaign can be created once; version 1 on an existing log is a version conflict.", create, nothing},
	{"conflict", "An Append at another version is ErrVersionConflict and writes nothing.", conflict, nothing},
	{"gap", "An Append beyond the end of the log is ErrVersionConflict and writes nothing.", gap, nothing},
	{"again", "The same entry again is no conflict, and writes nothing.", again, nothing},
	{"snapshot", "Load returns the newest snapshot and only the entries after it.", snapshot, nothing},
	{"records after snapshot", "Records returns everything, whatever the snapshots.", recordsAfterSnapshot, nothing},
	{"copies", "The store keeps copies: later changes by the caller do not reach it.", copies, nothing},
	{"apart", "Campaigns do not disturb one another, however alike their ids are.", apart, nothing},
	{"long log", "A long log comes back from any place on, as often as it is asked for.", longLog, nothing},
	{"early end", "A caller may stop at any entry, and use the store while it reads.", earlyEnd, nothing},
	{"cancelled", "A cancelled context ends a call with its error, and Append has written all or nothing.", cancelled, nothing},
	{"cancelled meanwhile", "A context that ends at any moment leaves an entry with its snapshot, or neither.", cancelledMeanwhile, nothing},
	{"race", "Of concurrent Appends at one version exactly one wins, and none is lost.", race, nothing},
	{"contention", "Writers that contend for one campaign lose nothing that was acknowledged, and double nothing.", contention, nothing},
	{"side by side", "Writers of different campaigns do not get in each other's way.", sideBySide, nothing},
	{"reader beside writer", "Who reads while others write sees a log without gaps.", readerBesideWriter, nothing},
	{"campaign", "A campaign with branches is played, rolled back, forked, exported and imported, and replays to the same bytes.", playing(played), nothing},
	{"repair", "A campaign whose last entries cannot be read is repaired, and goes on.", playing(repaired), nothing},
	{"list", "List returns the campaigns in order, by prefix and by page.", list, catalog},
	{"delete", "A deleted campaign is ErrDeleted in every call, also for who still plays it; others stay.", deleted, catalog},
	{"trim", "Trim keeps the newest snapshot and every record.", trim, catalog},
	{"lease", "A campaign is lent to one at a time, with a greater fence each time, until it is given back.", leases, desk},
	{"lease late", "Who lost a lease can neither renew it nor write under it, and takes it from nobody.", lateHolder, desk},
	{"lease over", "A lease ends by itself; while nobody else comes its holder may still renew it and write.", leaseOver, desk},
	{"lease race", "Of those who claim a campaign at once exactly one gets it.", leaseRace, desk},
	{"lease unknown", "What is not there, or deleted, is not lent, and a cancelled context ends a call.", leaseUnknown, desk},
	{"answers", "Answers are kept by key for whoever comes next, until a commit; late ones are refused.", answers, ledger},
	{"keys", "The oldest entry with a key is found, in its own campaign, and nothing by a key that nobody gave.", keys, keeping},
	{"posts", "Posts wait in order, once for each key, until they are committed or over.", mailed(posts), waiting},
	{"posts apart", "Each campaign has posts of its own; those that have some are listed, by pages.", mailed(postsApart), waiting},
	{"posts full", "So many posts wait and no more, and what came of them is not kept for ever.", mailed(postsFull), waiting},
	{"posts race", "Who posts one instruction twice at once posts it once; others have places of their own.", mailed(postsRace), waiting},
	{"posts late", "Who lost the lease cannot end a post.", mailed(postsLate), waitingDesk},
	{"stats", "Campaigns, leases and posts are counted as long as they are there, in all campaigns.", stats, metered},
	{"posts told", "Who serves is told of posts, whichever store they were given to.", mailed(postsTold), waiting},
	{"notices", "Who watches is told of every entry, whichever store it was given to.", notices, telling},
	{"notices pile up", "Who does not listen to notices holds nobody up, and is told when it listens.", noticesPileUp, telling},
	{"notice of deletion", "Who watches is told that the campaign is deleted.", noticeOfDeletion, telling},
	{"restart", "What a successful Append wrote is there after a restart, and the log goes on from it.", restart, durable},
	{"restart campaign", "A campaign goes on after a restart: its branches are there, and a submission that was answered is not played again.", playing(restartCampaign), durable},
	{"restart snapshot", "The newest snapshot is there after a restart, with the entries after it.", restartSnapshot, durable},
	{"restart refused", "What was refused is not there after a restart either.", restartRefused, durable},
	{"restart apart", "All campaigns are there after a restart, each with its own log; others are still unknown.", restartApart, durable},
	{"restart deleted", "What was deleted stays so after a restart.", restartDeleted, durable},
	{"restart posts", "Posts, and what came of them, are there after a restart.", mailed(restartPosts), durable},
	{"restart keys", "Entries are found by their keys after a restart, old ones and new ones.", restartKeys, durable},
	{"restart lease", "Leases, fences and answers are there after a restart.", restartLease, durable},
}
