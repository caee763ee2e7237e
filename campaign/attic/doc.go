// Package attic says where a campaign has put what its head has no room for: pages in records of
// its log, and an index of them in the head, which stays small however much was played, rolled
// back and edited. Nobody needs it to play; package turn asks the log for what is on the pages.
//
// All of its types are plain data.
package attic
