package memvars

// The reader files find and read the commands of this package in a message.

// reader has the options for finding and reading commands. It is not modified while it is in use, so
// it is safe for concurrent use.
type reader struct {
	// ignoreTags are the tags of the model's reasoning; commands in them are ignored. Names of tags
	// are in lower case.
	ignoreTags []string
	// blockTags are the tags of command blocks. With blocksOnly, commands count only inside them.
	blockTags  []string
	blocksOnly bool
	// prefixes may precede a command, with a dot.
	prefixes []string
	// repair repairs almost-JSON. With jsonAsText an unreadable object is a text.
	repair, jsonAsText bool
}

// finder scans a message and reads the calls in it, in one pass.
type finder struct {
	text    string
	options *reader
	pos     positions
	ops     []Op
	// fuel limits the search ahead that repairs forgotten escapes. Without fuel, strings close at
	// the first mark that can close them.
	fuel int
	// unclosable records, for each quotation mark, a stretch in which no mark can close a string.
	unclosable map[string]stretch
	spaces     spaces
	// noComment is the offset from which on no comment is closed any more. noHTML is the same for
	// HTML comments.
	noComment, noHTML int
}
