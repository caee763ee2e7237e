// Package follow is for those who look on while somebody else plays a campaign: a second
// process that shows the same table, an index, a bridge to a chat.
//
// Most programs call campaign.Engine.Watch, which yields the records of a campaign as they
// are committed, by whichever process. What is here is for those who write stores, and for
// logs of another kind: [Notices] is what a store can do so that nobody has to look again
// and again, [Board] does it within one process, and [Log] is the loop that misses nothing.
package follow
