// Package stored writes records and campaigns as a store keeps them, and reads them again, whichever
// version of the library wrote them. A snapshot also says with what the campaign was played, so that
// nobody plays it who does not know all of that.
package stored
