package hooks

import (
	"time"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// Env is everything outside of the hooks that a run may look at or deliver to.
// The zero Env works: no live values, nothing delivered, default limits.
type Env struct {
	// Now is the time for time_range, read in its own zone, and for the logs.
	// The zero time is unknown: time_range is false.
	Now time.Time
	// Character is the state of the event's character, an object. Anything else
	// means that there is none: state_delta is unavailable.
	Character tree.Value
	// Relationship is that between character and user, an object or nothing.
	Relationship tree.Value
	// Others are the characters that an action may name by its member character, beside that of the event: state_delta
	// and relationship_delta change theirs then.
	Others []Person
	// Vars are the host's variables, for conditions and handlers. May be nil. It
	// must stand reading from several goroutines, also after Run has returned: a
	// handler that was left behind may still look. A tree.Document does.
	Vars rules.Vars
	// Fields registers further fields: for state_delta how they change, and for
	// conditions that <field>_gte and its like are known keys.
	Fields map[string]act.Field
	// MemoryTypes are allowed for memory_write beside long and short.
	MemoryTypes []string
	// Missing names what the host does not have: actions that need it are unavailable.
	Missing []act.Capability
	// Sinks deliver external effects inside the attempt.
	Sinks act.Sinks
	// Limits bound the work of one turn.
	Limits Limits
	// NoDerivedEvents switches off state.changed and relationship.changed.
	NoDerivedEvents bool
	// Depth is the place of the given event in a chain; 0 for an event of the host.
	Depth int
	// Trace asks for [Result.Trace].
	Trace bool
	// Clock, if set, is read before and after each hook for duration_ms. Nothing
	// is decided by it.
	Clock func() time.Time
}

// Person is a character with its state and its relationship to the user. Actions name it by its id or, failing
// that, by its name.
type Person struct {
	ID, Name                string
	Character, Relationship tree.Value
}

// Limits bound a turn. A nil pointer or a zero duration means the default.
//
// One hook may take MaxTimeout for each of 1 + MaxRetries attempts, if the code that
// it calls hangs. A host that runs the content of strangers lowers both, or gives
// [Run] a context with a deadline, which bounds the whole.
type Limits struct {
	MaxHooksPerTurn *int          // hooks that run in one turn; 20
	MaxChainDepth   *int          // depth of the deepest event that is handled; 5
	MaxRetries      *int          // upper bound for a hook's max_retries; 100
	MaxTimeout      time.Duration // upper bound for a hook's timeout_ms; ten minutes
}

func (l Limits) hooksPerTurn() int { return orDefault(l.MaxHooksPerTurn, 20) }
func (l Limits) chainDepth() int   { return orDefault(l.MaxChainDepth, 5) }
func (l Limits) retries() int      { return orDefault(l.MaxRetries, 100) }

func (l Limits) timeout() time.Duration {
	if l.MaxTimeout <= 0 {
		return 10 * time.Minute
	}
	return l.MaxTimeout
}

// orDefault reads an optional number.
func orDefault(p *int, n int) int {
	if p == nil {
		return n
	}
	return *p
}
