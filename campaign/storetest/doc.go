// Package storetest tests implementations of campaign.Store. It also has a store and a model that
// fail on purpose.
//
//	func TestStore(t *testing.T) {
//		folders := map[campaign.Store]string{}
//		open := func(folder string) campaign.Store {
//			s := mystore.Open(folder)
//			folders[s] = folder
//			return s
//		}
//		storetest.Run(t,
//			func(t *testing.T) campaign.Store { return open(t.TempDir()) },
//			storetest.Options{
//				Reopen: func(t *testing.T, s campaign.Store) campaign.Store {
//					s.(*mystore.Store).Close()
//					return open(folders[s])
//				},
//				Beside: func(t *testing.T, s campaign.Store) campaign.Store { return open(folders[s]) },
//			})
//	}
//
// With Reopen, [Run] also tests the data after a restart. A store that loses its data fails, unless
// [Options].Forgets is set. If the store is a campaign.Cluster, Run tests that too. Every case has
// a sentence that describes it. A failing case prints it.
//
// # Faults
//
// [FaultyStore], [FaultyCluster] and [FaultyModel] fail as a test requires. The store answers late
// or not at all, loses a write or only its answer, writes twice or half, and stops in the middle.
// The model fails with every code of [llm.Error], stops in the middle, repeats itself, and writes
// unreadable replies. A host runs its campaigns on them to see what its players would see.
//
//	plan := storetest.RandomFaultPlan(7, 0.2)
//	store := &storetest.FaultyCluster{Cluster: &campaign.MemoryStore{}, Plan: plan.Store}
//	model := &storetest.FaultyModel{Model: inside, Plan: plan.Model}
//	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model})
//
// A [FaultPlan] prints the faults that have happened, one a line. [ParseFaultPlan] makes a plan
// from such lines. [ExploreFaults] runs a test with random plans, seed after seed. If a run fails,
// it removes every fault that the failure does not need:
//
//	storetest.ExploreFaults(t, storetest.FaultTrials{Seeds: 50, Rate: 0.3}, func(plan *storetest.FaultPlan) error {
//		… play, and say what is wrong …
//	})
//
// No fault reads a clock. Late calls use [FaultPlan].Sleep, which takes no real time in a bubble of
// testing/synctest. For one specific moment, a test writes a [Fault] or a [ReplyFault] itself, for
// instance with the Wait of an llmtest.Gate.
package storetest
