// Package inbox is for instructions that wait until a process has time for them: a channel of a
// chat puts them in at once, and whichever process holds the campaign carries them out, one after
// the other, in the order in which they came.
//
// Programs call campaign.Engine.Post and campaign.Engine.Serve. What is here is for those who
// write stores: [Box] is what a store can do for it.
package inbox
