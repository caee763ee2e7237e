// Package lorebook holds what play has changed about the world book of a campaign: entries that
// were added, and [Edits], which say what was changed, removed and forced. The compiled book itself
// is the authors' and stays as it is; a rollback takes the changes back with the rest of the state.
//
// An entry has an id of a book and a uid: [ID]. Effects may name it by the uid alone, and mean all
// entries that have it.
//
// Everything here is a plain value: functions return changed copies and modify no argument.
package lorebook
