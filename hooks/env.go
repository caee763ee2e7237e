package hooks

import (
	"time"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// Env is everything outside of the hooks that a run may read or deliver to. The zero Env works: no
// live values, nothing delivered, default limits.
type Env struct {
	// Now is the time for time_range, read in its own zone, and for the logs. A zero time means
	// that the time is unknown: time_range is false.
	Now time.Time
	// Character is the state of the event's character, an object. Any other value means that there
	// is no state: state_delta is unavailable.
	Character tree.Value
	// Relationship is the relationship between character and user, an object. Any other value means
	// that there is no relationship.
	Relationship tree.Value
	// Others are the characters, in addition to the character of the event, that an action may name
	// in its member character. A state_delta or relationship_delta then changes that character.
	Others []Person
	// Vars are the host's variables, for conditions and handlers. May be nil. It must be safe for
	// concurrent reads, even after Run returns: a handler that timed out may still be running. A
	// tree.Document is safe.
	Vars rules.Vars
	// Fields registers additional fields. For state_delta it defines how they change. Conditions
	// accept <field>_gte and similar keys for them.
	Fields map[string]act.Field
	// MemoryTypes are the types that memory_write accepts in addition to long and short.
	MemoryTypes []string
	// Missing lists the capabilities that the host does not have. Actions that need one are
	// unavailable.
	Missing []act.Capability
	// Sinks deliver external effects during the attempt.
	Sinks act.Sinks
	// Limits limit the work of one turn.
	Limits Limits
	// NoDerivedEvents disables state.changed and relationship.changed.
	NoDerivedEvents bool
	// Depth is the depth of the given event in a chain; 0 for an event of the host.
	Depth int
	// Trace requests [Result.Trace].
	Trace bool
	// Clock, if set, is read before and after each hook, only for duration_ms.
	Clock func() time.Time
}

// Person is a character with its state and its relationship to the user. An action names it by its
// id or, if no id matches, by its name.
type Person struct {
	ID, Name                string
	Character, Relationship tree.Value
}

// Limits are the limits of a turn. A nil pointer or a zero duration means the default.
//
// If the code that a hook calls hangs, the hook can take MaxTimeout for each of 1 + MaxRetries
// attempts. A host that runs untrusted content should lower both, or call [Run] with a context that
// has a deadline, which limits the whole run.
type Limits struct {
	MaxHooksPerTurn *int          // hooks that run in one turn; 20
	MaxChainDepth   *int          // depth of the deepest event that is handled; 5
	MaxRetries      *int          // upper bound for a hook's max_retries; 100
	MaxTimeout      time.Duration // upper bound for a hook's timeout_ms; ten minutes
}

// The limits with their defaults.

func (l Limits) hooksPerTurn() int { return orDefault(l.MaxHooksPerTurn, 20) }
func (l Limits) chainDepth() int   { return orDefault(l.MaxChainDepth, 5) }
func (l Limits) retries() int      { return orDefault(l.MaxRetries, 100) }

func (l Limits) timeout() time.Duration {
	if l.MaxTimeout <= 0 {
		return 10 * time.Minute
	}
	return l.MaxTimeout
}

// orDefault returns *p, or n if p is nil.
func orDefault(p *int, n int) int {
	if p == nil {
		return n
	}
	return *p
}
