package layout

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// step leads from one layout to the next. It is fed the records of its layout in their order, and then
// turns what they led to into what the next layout has for it.
type step interface {
	// note takes what of a record the head after it does not say.
	note(rec Noted)
	// ref is the name of a state in the next layout.
	ref(name string) string
	// head is a head in the next layout.
	head(head tree.Value) tree.Value
}

// steps make the step from each layout but the newest: steps[0] leads from layout 1 to layout 2.
var steps = [Current - 1]func() step{
	func() step { return &toVersions{versions: map[string]int64{}} },
}

// records are the same for the JSON form of a single record, as far as it can be told without the
// others.
var records = [Current - 1]func(record []byte) ([]byte, error){statesApart}

// Record returns the JSON form of a record of some layout as the present one has it, as far as that can be
// told without the other records; [Log] does the rest.
func Record(number int, data []byte) (_ []byte, err error) {
	for ; number >= 1 && number < Current && err == nil; number++ {
		data, err = records[number-1](data)
	}
	return data, err
}

// Noted is what a [Log] has to know of a record.
type Noted struct {
	Version       int64
	Turn, Parent  string     // ids, where the record has a turn
	Before, After tree.Value // the heads around the record, in its own layout
}

// Log upgrades the heads of a log whose records begin with an older layout. The zero Log is at the
// present layout. It belongs to one goroutine.
type Log struct {
	layout int // 0: the present one
	step   step
}

// Begin starts with the layout of the first record.
func (l *Log) Begin(number int) {
	*l = Log{}
	if number >= 1 && number < Current {
		*l = Log{layout: number, step: steps[number-1]()}
	}
}

// Old reports whether the log is at an older layout.
func (l *Log) Old() bool { return l.step != nil }

// Turn takes over the layout of the next record, 0 for the present one, and returns the head before it in that
// layout. The error is [ErrOlder] if it goes back.
func (l *Log) Turn(number int, head tree.Value) (tree.Value, error) {
	if number == 0 {
		number = Current
	}
	at := l.layout
	if at == 0 {
		at = Current
	}
	if number < at {
		return head, ErrOlder
	}
	for ; at < number; at++ {
		head = l.step.head(head)
		l.Begin(at + 1)
	}
	return head, nil
}

// Note takes a record of an older layout.
func (l *Log) Note(rec Noted) {
	if l.step != nil {
		l.step.note(rec)
	}
}

// Ref is the present name of a state.
func (l *Log) Ref(name string) string {
	if l.step == nil {
		return name
	}
	return l.step.ref(name) // of the newest layout: an older step names none
}

// Head is the head of the log so far as the present layout has it.
func (l *Log) Head(head tree.Value) tree.Value {
	if l.step == nil {
		return head
	}
	head = l.step.head(head)
	for at := l.layout + 1; at < Current; at++ {
		head = steps[at-1]().head(head)
	}
	return head
}

// toVersions leads from layout 1 to layout 2.
type toVersions struct {
	versions  map[string]int64 // of the states that were named since the beginning
	begun     map[string]bool  // the names of the beginning, which stay
	jumps     []tree.Value
	rewritten map[string]int64
	newest    int // turn
}

func (s *toVersions) note(rec Noted) {
	if s.begun == nil {
		s.begun = map[string]bool{}
		eachRef(rec.After, func(name string, _ bool) string { s.begun[name] = true; return name })
	}
	// What a record names first is the state that it led to, if that is a checkpoint, and else the one
	// that it came from.
	eachRef(rec.After, func(name string, checkpoint bool) string {
		if _, known := s.versions[name]; !known && !s.begun[name] && name != "" {
			s.versions[name] = rec.Version - 1
			if checkpoint {
				s.versions[name] = rec.Version
			}
		}
		return name
	})
	if rec.Turn == "" {
		return
	}
	turn, parent := turnNumber(rec.Turn), turnNumber(rec.Parent)
	switch {
	case turn <= s.newest:
		if s.rewritten == nil {
			s.rewritten = map[string]int64{}
		}
		s.rewritten[rec.Turn] = rec.Version
	case parent != turn-1:
		s.jumps = append(s.jumps, tree.Object(tree.Member{Key: "turn", Value: tree.Int(int64(turn))},
			tree.Member{Key: "after", Value: tree.Int(int64(parent))}))
		fallthrough
	default:
		s.newest = turn
	}
}

func (s *toVersions) ref(name string) string {
	if version, ok := s.versions[name]; ok {
		return "state_" + strconv.FormatInt(version, 10)
	}
	return name
}

func (s *toVersions) head(head tree.Value) tree.Value {
	head = head.Without("snapshots").Without("snapshot_counter")
	head = eachRef(head, func(name string, _ bool) string { return s.ref(name) })
	if len(s.jumps) > 0 {
		head = head.With("jumps", tree.Array(s.jumps...))
	}
	if len(s.rewritten) > 0 {
		var list []tree.Member
		for _, id := range slices.Sorted(maps.Keys(s.rewritten)) {
			list = append(list, tree.Member{Key: id, Value: tree.Int(s.rewritten[id])})
		}
		head = head.With("rewritten", tree.Object(list...))
	}
	return head
}

// turnNumber is the number in the id of a turn, 0 for the start.
func turnNumber(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "turn_"))
	return n
}

// eachRef passes the references to states that a head has through a function, and says which mark
// a checkpoint that is being made.
func eachRef(head tree.Value, f func(name string, checkpoint bool) string) tree.Value {
	ref := func(v tree.Value, key string, checkpoint bool) tree.Value {
		name, ok := v.Get(key).AsText()
		if !ok {
			return v
		}
		if to := f(name, checkpoint); to != name {
			return v.With(key, tree.Text(to))
		}
		return v
	}
	within := func(v tree.Value, key string, each func(tree.Value) tree.Value) tree.Value {
		was := v.Get(key)
		if now := each(was); was.Exists() && !now.Same(was) {
			return v.With(key, now)
		}
		return v
	}
	list := func(each func(tree.Value) tree.Value) func(tree.Value) tree.Value {
		return func(v tree.Value) tree.Value {
			return v.Map(func(_ int, one tree.Value) tree.Value { return each(one) })
		}
	}
	checkpoints := func(made bool) func(tree.Value) tree.Value {
		return list(func(v tree.Value) tree.Value { return ref(v, "state_snapshot_ref", made) })
	}
	answers := func(v tree.Value) tree.Value {
		v = ref(v, "before_snapshot_ref", false)
		return within(v, "others", list(func(o tree.Value) tree.Value {
			return within(ref(o, "snapshot_ref", false), "checkpoints", checkpoints(false))
		}))
	}
	head = within(head, "checkpoints", checkpoints(true))
	head = within(head, "rollback_pending", func(v tree.Value) tree.Value { return ref(v, "from_snapshot_ref", false) })
	head = within(head, "alternatives", answers)
	return within(head, "branches", list(func(b tree.Value) tree.Value {
		b = within(ref(b, "snapshot_ref", false), "checkpoints", checkpoints(false))
		return within(b, "alternatives", answers)
	}))
}

// statesApart puts the states that the first record of layout 1 has within its campaign beside it.
func statesApart(data []byte) ([]byte, error) {
	var r struct {
		Campaign struct {
			States json.RawMessage `json:"snapshots"`
		} `json:"campaign"`
	}
	if err := json.Unmarshal(data, &r); err != nil || r.Campaign.States == nil {
		return data, err
	}
	record, err := tree.ParseValue(data)
	if err != nil {
		return data, err
	}
	first := record.Get("campaign")
	record = record.With("campaign", first.Without("snapshots").Without("snapshot_counter"))
	return record.With("states", first.Get("snapshots")).AppendJSON(nil), nil
}
