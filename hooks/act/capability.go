package act

// Capability is a service of the host that actions need.
type Capability string

// The capabilities.
const (
	Prompts    Capability = "prompt"     // prompt_inject
	Memories   Capability = "memory"     // memory_write
	Workflows  Capability = "workflow"   // workflow
	WorldBooks Capability = "world_book" // world_book_add
)
