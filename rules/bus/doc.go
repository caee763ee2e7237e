// Package bus hands the events of a game to the parts of a host that want to hear
// them: a sound system, a log, a user interface.
//
// Rules and reactions do not need it. It is for code that listens beside them.
package bus
