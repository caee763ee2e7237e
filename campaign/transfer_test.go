package campaign_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// moved returns an engine with an empty store and the game of a different engine.
func moved(t testing.TB, codec campaign.Codec, texts ...string) (*campaign.Engine, *campaign.MemoryStore) {
	t.Helper()
	store := &campaign.MemoryStore{}
	e, err := campaign.New(campaign.Config{Game: compile(t, game.Content{}), Store: store, Model: scripted(texts...), Codec: codec})
	if err != nil {
		t.Fatal(err)
	}
	return e, store
}

// exported returns a campaign of some turns, a branch and an alternative answer, as a stream.
func exported(t testing.TB) (*campaign.Engine, []byte) {
	t.Helper()
	e := newEngine(t, campaign.Config{Model: scripted("Rain.", "Wind.", "Fog.", "Hail.")})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I wait."})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "我等着 <b>\u2028."})
	do(t, e, turn.Regenerate{})
	do(t, e, turn.RollBack{To: "turn_0001"})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I go on."})
	return e, export(t, e)
}

func export(t testing.TB, e *campaign.Engine) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := e.Export(t.Context(), "cave", &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCampaignMovesBetweenStores: an exported campaign is the same in any store, byte for byte,
// with any codec, and can be played on there (ST-11).
func TestCampaignMovesBetweenStores(t *testing.T) {
	t.Parallel()
	first, data := exported(t)
	want, err := first.Campaign(t.Context(), "cave")
	if err != nil {
		t.Fatal(err)
	}
	for _, codec := range []campaign.Codec{nil, campaign.Deflate()} {
		e, store := moved(t, codec, "Snow.")
		got, err := e.Import(t.Context(), bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := turn.Same(got, want); err != nil {
			t.Error(err)
		}
		if again := export(t, e); !bytes.Equal(again, data) {
			t.Error("exported again it is something else")
		}
		if _, err := e.Import(t.Context(), bytes.NewReader(data)); err != nil {
			t.Errorf("the same campaign once more: %v", err)
		}
		saved, err := store.Load(t.Context(), "cave")
		if err != nil || saved.SnapshotVersion != want.Version {
			t.Errorf("the snapshot is of version %d: %v", saved.SnapshotVersion, err)
		}
		if o, err := e.Turn(t.Context(), "cave", turn.Submit{ActorID: "ren", Text: "I look up."}); err != nil || o.Err() != nil {
			t.Fatal(err, o.Err())
		}
		if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
			t.Error(err)
		}
		if _, err := e.Import(t.Context(), bytes.NewReader(data)); !errors.Is(err, campaign.ErrExists) {
			t.Errorf("over one that was played on: %v", err)
		}
	}
}

// TestDamagedExports: an export with missing, repeated, reordered or changed parts is refused, and
// nothing of it is stored.
func TestDamagedExports(t *testing.T) {
	t.Parallel()
	_, data := exported(t)
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	join := func(parts ...[]string) string { return strings.Join(slices.Concat(parts...), "") }
	n := len(lines)
	cases := map[string]string{
		"nothing":                "",
		"another file":           "{\"name\":\"Mara\"}\n",
		"no first line":          join(lines[1:]),
		"cut behind a record":    join(lines[:n-1]),
		"cut within a record":    string(data[:len(data)/2]),
		"a record too few":       join(lines[:2], lines[3:]),
		"a record twice":         join(lines[:3], lines[2:]),
		"another order":          join(lines[:2], lines[3:4], lines[2:3], lines[4:]),
		"a word changed":         strings.Replace(string(data), "Rain.", "Rein.", 1),
		"another id":             strings.Replace(string(data), `"campaign_id":"cave"}`, `"campaign_id":"cove"}`, 1),
		"something behind":       string(data) + "{}\n",
		"the end alone":          join(lines[:1], lines[n-1:]),
		"no record":              join(lines[:1], []string{"{\"layout\":1}\n"}, lines[1:]),
		"a create in the middle": join(lines[:n-1], lines[1:2], lines[n-1:]),
	}
	for reason, text := range cases {
		e, store := moved(t, nil)
		_, err := e.Import(t.Context(), strings.NewReader(text))
		if !errors.Is(err, campaign.ErrDamaged) || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: %v", reason, err)
		}
		for range store.Records(t.Context(), "cave", 0) {
			if _, err := store.Load(t.Context(), "cave"); err == nil {
				t.Errorf("%s: something is stored", reason)
			}
			break
		}
	}
	newer := strings.Replace(string(data), `"talewright_export":1`, `"talewright_export":2`, 1)
	e, _ := moved(t, nil)
	if _, err := e.Import(t.Context(), strings.NewReader(newer)); !errors.Is(err, turn.ErrNewerLayout) {
		t.Errorf("a newer form: %v", err)
	}
	if _, err := e.Import(t.Context(), deaf{}); err == nil || errors.Is(err, campaign.ErrDamaged) {
		t.Errorf("a reader that fails: %v", err)
	}
	if err := e.Export(t.Context(), "nowhere", &bytes.Buffer{}); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("an export of nothing: %v", err)
	}
	whole, _ := exported(t)
	if err := whole.Export(t.Context(), "cave", deaf{}); err == nil {
		t.Error("a writer that fails is not reported")
	}
}

// TestExportsThatDoNotFit: an export with a correct checksum is refused too if its records do not
// fit each other.
func TestExportsThatDoNotFit(t *testing.T) {
	t.Parallel()
	_, data := exported(t)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	head, records := lines[0], lines[1:len(lines)-1]
	as := func(record, old, now string) string {
		return string(summed([]byte(strings.Replace(record, old, now, 1))))
	}
	sealed := func(head string, records ...string) string {
		all := strings.Join(append([]string{head}, records...), "\n") + "\n"
		return fmt.Sprintf("%s{\"records\":%d,\"sha256\":\"%x\"}\n", all, len(records), sha256.Sum256([]byte(all)))
	}
	for reason, c := range map[string]struct {
		text, want string
		err        error
	}{
		"another id":    {sealed(strings.Replace(head, "cave", "cove", 1), records...), `the records are of "cave", the first line is of "cove"`, campaign.ErrDamaged},
		"created twice": {sealed(head, records[0], as(records[0], `"version":1`, `"version":2`)), `record 2 is of the kind "create"`, campaign.ErrDamaged},
		"not created":   {sealed(head, as(records[1], `"version":2`, `"version":1`)), `record 1 is of the kind "turn"`, campaign.ErrDamaged},
		"a past that is late": {sealed(head, records[0], string(summed([]byte(`{"layout":1,"version":2,"kind":"past","at":"2026-05-01T12:00:00Z"}`)))),
			`record 2 is of the kind "past"`, campaign.ErrDamaged},
		"a newer layout":      {sealed(head, as(records[0], `"layout":1`, `"layout":99`)), "", turn.ErrNewerLayout},
		"a wrong checksum":    {strings.Replace(sealed(head, records...), `"sha256":"`, `"sha256":"0`, 1), "the checksum is of", campaign.ErrDamaged},
		"no id":               {sealed(strings.Replace(head, `"cave"`, `""`, 1), records...), "this is not an export", campaign.ErrDamaged},
		"a record twice":      {sealed(head, records[0], records[0]), "record 1 is in the place of record 2", campaign.ErrDamaged},
		"a change of nothing": {sealed(head, records[0], as(records[1], `"path":["state",`, `"path":["nowhere",`)), "record 2 is damaged", campaign.ErrDamaged},
	} {
		e, _ := moved(t, nil)
		_, err := e.Import(t.Context(), strings.NewReader(c.text))
		if !errors.Is(err, c.err) || !strings.Contains(fmt.Sprint(err), c.want) || errors.Is(err, campaign.ErrDamaged) != (c.err == campaign.ErrDamaged) {
			t.Errorf("%s: %v", reason, err)
		}
	}
	e, _ := moved(t, nil)
	lost := string(summed([]byte(`{"layout":1,"version":1,"kind":"lost","at":"2026-05-01T12:00:00Z"}`)))
	if _, err := e.Import(t.Context(), strings.NewReader(sealed(head, lost, records[1]))); !errors.Is(err, campaign.ErrDamaged) || strings.Contains(err.Error(), "of the kind") {
		t.Errorf("without its beginning: %v", err)
	}
}

// deaf neither reads nor writes.
type deaf struct{}

func (deaf) Read([]byte) (int, error)  { return 0, errors.New("the line is dead") }
func (deaf) Write([]byte) (int, error) { return 0, errors.New("the line is dead") }

// TestImportGoesOn: after a failure of the store in the middle, a second import completes the
// first.
func TestImportGoesOn(t *testing.T) {
	t.Parallel()
	_, data := exported(t)
	e, store := moved(t, campaign.Deflate(), "Snow.")
	half, cancel := context.WithCancel(t.Context())
	limited, err := campaign.New(campaign.Config{Game: compile(t, game.Content{}), Model: scripted(), Codec: campaign.Deflate(),
		Store: &tiring{MemoryStore: store, left: 3, stop: cancel}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := limited.Import(half, bytes.NewReader(data)); err == nil {
		t.Fatal("the store did not fail")
	}
	if _, err := e.Import(t.Context(), bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(export(t, e), data) {
		t.Error("it is another campaign")
	}
}

// tiring is a store that accepts a number of entries and no more.
type tiring struct {
	*campaign.MemoryStore
	left int
	stop func()
}

func (s *tiring) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	if s.left--; s.left < 0 {
		s.stop()
		return fmt.Errorf("the disk is full")
	}
	return s.MemoryStore.Append(ctx, id, entry, snapshot)
}

// TestRandomCampaignsMove: any campaign, with hostile replies, rollbacks, new answers, conflicts
// and questions, is imported exactly. Later turns can be rebuilt there (ST-11, CA-55).
func TestRandomCampaignsMove(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	g := compile(t, hostileContent())
	sum := hostileSum{ended: map[turn.OutcomeStatus]int{}, decided: map[state.ApprovalVerdict]int{}}
	for seed := range 12 {
		start, err := turn.Begin(g, cave(t, vaultVariables, fmt.Sprintf(hostileSetup, hostileModes[seed%len(hostileModes)])))
		if err != nil {
			t.Fatal(err)
		}
		log, f := newLog(t, g, start), hostile{filltest.New(1000+seed, true)}
		for range 8 {
			log.hostileTurn(f, f.hostileInput(log.m.Campaign()), &sum)
		}
		store := &campaign.MemoryStore{}
		for _, entry := range entries(t, log.records...) {
			if err := store.Append(t.Context(), "cave", entry, nil); err != nil {
				t.Fatal(err)
			}
		}
		data := export(t, engineOver(t, g, store, 0, nil))
		other := engineOver(t, g, &campaign.MemoryStore{}, 0, campaign.Deflate())
		moved, err := other.Import(t.Context(), bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := turn.Same(moved, log.m.Campaign()); err != nil {
			t.Errorf("seed %d: imported: %v", seed, err)
		}
		rebuilt, err := other.Rebuild(t.Context(), "cave")
		if err == nil {
			err = turn.Same(rebuilt, log.m.Campaign())
		}
		if err != nil {
			t.Errorf("seed %d: rebuilt: %v", seed, err)
		}
		if again := export(t, other); !bytes.Equal(again, data) {
			t.Errorf("seed %d: exported again it is something else", seed)
		}
	}
}

// FuzzImport: a campaign that can be imported is exported unchanged.
func FuzzImport(f *testing.F) {
	_, data := exported(f)
	f.Add(data)
	f.Add([]byte("{\"talewright_export\":1,\"campaign_id\":\"cave\"}\n{\"records\":0,\"sha256\":\"00\"}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, _ := moved(t, nil)
		c, err := e.Import(t.Context(), bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := e.Export(t.Context(), c.ID, &out); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Campaign(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
	})
}

// A campaign moves to a different store as one stream.
func ExampleEngine_Export() {
	ctx := context.Background()
	g, _ := game.Compile(game.Content{})
	laptop, _ := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: scripted("The rain stops.")})
	_, _ = laptop.Create(ctx, state.Setup{ID: "mill", Characters: []state.Character{{ID: "ann", Name: "Ann"}}})
	_, _ = laptop.Turn(ctx, "mill", turn.Submit{ActorID: "ann", Text: "I wait."})

	var file bytes.Buffer
	if err := laptop.Export(ctx, "mill", &file); err != nil {
		fmt.Println(err)
	}
	server, _ := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: scripted()})
	c, err := server.Import(ctx, &file)
	fmt.Println(c.ID, c.State.TurnCount, err)
	// Output: mill 1 <nil>
}

// A truncated export is refused as a whole.
func ExampleEngine_Import() {
	g, _ := game.Compile(game.Content{})
	e, _ := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: scripted()})
	_, err := e.Import(context.Background(), strings.NewReader("{\"talewright_export\":1,\"campaign_id\":\"mill\"}\n"))
	fmt.Println(err)
	// Output: campaign: import: line 2: the last line, with the checksum, is missing or longer than 512 MiB: export it again: the export is damaged
}
