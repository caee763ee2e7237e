// Package stored writes records and campaigns as a store keeps them, and reads them again. Each ends with a
// checksum of its bytes. A snapshot also says with which behaviour and inputs the campaign was played, so that
// a version of the library that does not know all of them refuses to play it.
package stored
