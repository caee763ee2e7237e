// Package journal holds instructions that are on their way, for hosts that run each step of a
// turn by itself: a queue of jobs, or an engine for workflows. campaign/temporal, a module of its
// own, does so on Temporal.
//
// A machine is deterministic, so what it was told leads any other machine to the same place. A
// [Journal] is that; [campaign.Engine.Step] takes one, does the next thing, and says in a [Step]
// what there is to add:
//
//	j, err := journal.Of(turn.Stamp(turn.Submit{Text: "I open the door."}, now))
//	for err == nil {
//		var step journal.Step
//		if step, err = engine.Step(ctx, "greyhaven", j, nil); err == nil {
//			if step.Outcome != nil {
//				break // it has ended
//			}
//			j = j.Then(step) // keep it: any process can go on from here
//		}
//	}
//
// A step whose result was lost is taken again with the same journal, in any process.
//
// Values of this package are data. They may be used from several goroutines as long as nobody
// changes them.
package journal
