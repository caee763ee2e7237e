package act

// Capability is something that actions need from the host.
type Capability string

// The capabilities.
const (
	Prompts    Capability = "prompt"     // prompt_inject
	Memories   Capability = "memory"     // memory_write
	Workflows  Capability = "workflow"   // workflow
	WorldBooks Capability = "world_book" // world_book_add
)
