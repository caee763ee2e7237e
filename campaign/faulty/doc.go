// Package faulty has a store and a model that fail as a test wants it. The store answers late or not
// at all, loses what it was given or only the answer, writes twice or half, and breaks off in the
// middle; the model fails in each way that [llm.Error] knows, breaks off, says the same again, and
// writes what nobody can read. A host plays its campaigns on them to see what its players would.
//
//	plan := faulty.Random(7, 0.2)
//	store := &faulty.Store{Store: &memstore.Store{}, Plan: plan.Store}
//	model := &faulty.Model{Model: inside, Plan: plan.Model}
//	engine, err := campaign.NewEngine(campaign.Config{Game: g, Store: store, Model: model})
//
// A [Plan] prints itself as the faults that have happened, one a line, and [Parse] makes a plan of
// such lines. [Explore] plays with random plans, seed after seed, and where a run fails it leaves
// out every fault that the failure does not need:
//
//	faulty.Explore(t, faulty.Trials{Seeds: 50, Rate: 0.3}, func(plan *faulty.Plan) error {
//		… play, and say what is wrong …
//	})
//
// Nothing here reads a clock: what is late calls [Plan.Sleep], which in a bubble of testing/synctest
// costs no time. For one certain moment a test writes a [Fault] or a [ReplyFault] itself, with a
// Wait that is the Wait of an [llmtest.Gate] for instance.
package faulty
