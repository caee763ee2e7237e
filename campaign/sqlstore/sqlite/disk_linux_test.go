package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// smallDisk returns a folder on a disk of one megabyte.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("none", folder, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no disk of its own can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}

// TestDiskFull checks a turn on a full disk. Its error names the cause and does not suggest a
// retry. Committed data can be read. After space is freed, the same submission is played once.
func TestDiskFull(t *testing.T) {
	folder := smallDisk(t)
	path := filepath.Join(folder, "a.db")
	s := open(t, path, sqlite.Options{})
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(folder, "filler")
	full := false
	fill := observe.Func(func(_ observe.Place, m observe.Moment) { // the disk becomes full when the model answers
		if _, asked := m.(observe.ModelAsked); !asked || !full {
			return
		}
		if err := os.WriteFile(filler, make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("the disk is not full: %v", err)
		}
	})
	long := strings.Repeat("Dust falls. ", 4000)
	model := llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text(long), llmtest.Text(long))
	engine, err := campaign.New(campaign.Config{Game: g, Store: s, Model: model, Observe: fill})
	if err != nil {
		t.Fatal(err)
	}
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	if _, err := engine.Create(t.Context(), state.Setup{ID: "mill", Characters: []state.Character{ann}}); err != nil {
		t.Fatal(err)
	}
	if o, err := engine.Turn(t.Context(), "mill", turn.Submit{Text: "One"}); err != nil || o.Err() != nil {
		t.Fatal(err, o.Err())
	}
	in := turn.Submit{Text: "Two", ClientTurnID: "two"}
	full = true
	_, err = engine.Turn(t.Context(), "mill", in)
	if err == nil || !strings.Contains(err.Error(), "full") || errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("on a full disk: %v", err)
	}
	if c, err := engine.Campaign(t.Context(), "mill"); err != nil || c.Version != 2 {
		t.Errorf("read version %d, %v", c.Version, err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	full = false
	for _, replayed := range []bool{false, true} {
		o, err := engine.Turn(t.Context(), "mill", in)
		if err != nil || o.Err() != nil || o.Turn.ID != "turn_0002" || o.Replayed != replayed {
			t.Errorf("with room again: %v, %v", err, o.Err())
		}
	}
	if c, err := engine.Rebuild(t.Context(), "mill"); err != nil || c.Version != 3 || s.Check(t.Context()) != nil {
		t.Errorf("rebuilt version %d, %v", c.Version, err)
	}
}

// TestReadOnlyDisk checks that a file that cannot be written is a permanent error at once. With
// ReadOnly it can be read, and a commit is an error, also on a writable disk.
func TestReadOnlyDisk(t *testing.T) {
	folder := smallDisk(t)
	path := filepath.Join(folder, "a.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s, "a", 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("none", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("the disk cannot be made read-only: %v", err)
	}
	s, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	if err == nil {
		err = s.Append(t.Context(), "a", entry(2, "x"), nil)
		_ = s.Close()
	}
	if err == nil || errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("got %v, want an error for good", err)
	}
	wantReadable(t, path)
}

// TestReadOnly checks that a file can be read while others write it, and is not written.
func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	s := open(t, path, sqlite.Options{})
	fill(t, s, "a", 1)
	wantReadable(t, path)
	reader := open(t, path, sqlite.Options{ReadOnly: true})
	fill(t, s, "b", 1)
	if listed, err := reader.List(t.Context(), campaign.Page{}); err != nil || len(listed) != 2 {
		t.Errorf("what others write meanwhile: %v, %v", listed, err)
	}
	if _, err := sqlite.Open(t.Context(), path+"x", sqlite.Options{ReadOnly: true}); err == nil {
		t.Error("a file was created to be read")
	}
}

func wantReadable(t *testing.T, path string) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if saved, err := s.Load(t.Context(), "a"); err != nil || len(saved.Entries) != 1 || s.Check(t.Context()) != nil {
		t.Errorf("read %+v, %v", saved, err)
	}
	if err := s.Append(t.Context(), "a", entry(2, "x"), nil); err == nil || errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("a commit: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
