package game

import "github.com/talewright/talewright/worldbook"

// Lore is the knowledge about the world. Entries of world books come into a prompt when the story
// mentions them.
type Lore struct {
	// Books are world books with their attachments. The card's own book is not one of them: see
	// CardBook. A book whose name is the ID of a module is used only while the module is active.
	Books []worldbook.Attachment
	// CardBook says that the world book of People.Card is used in addition to Books.
	CardBook bool
	// Settings are the settings of the scan. The zero value means worldbook.Exact().
	Settings worldbook.ProfileSettings
	// Retrieval configures the search for lore by meaning, see [campaign.Services.Retriever].
	Retrieval Retrieval
	// EarlyActivation runs the templates of constant entries that call activewi also before the scan,
	// only for these calls. Otherwise activewi has no effect there, as in SillyTavern.
	EarlyActivation bool
	// ScanTemplates says which text of an entry with templates activates other entries: its text as
	// written, if empty, or "evaluated" for its text after its templates.
	ScanTemplates string
}

// Retrieval configures a search for lore by meaning before each scan. A [worldbook.Retriever]
// searches with the newest Depth messages and returns at most Limit entries. These are active
// without a key. A Limit of 0 means no search; a Depth of 0 means 4.
type Retrieval struct {
	Depth int
	Limit int
}
