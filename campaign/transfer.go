package campaign

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// ErrDamaged is wrapped by the error of an import whose data was truncated, changed or reordered.
// Nothing of it is stored.
var ErrDamaged = errors.New("the export is damaged")

// exportForm is the version of the format of exports.
const exportForm = 1

// maxExportLine is the maximum size of a record in an export, in bytes.
const maxExportLine = 512 << 20

// exportHeader is the first line of an export.
type exportHeader struct {
	Form int    `json:"talewright_export"`
	ID   string `json:"campaign_id"`
}

// exportEnd is the last line: the number of records, and the checksum of all lines before.
type exportEnd struct {
	Records int64  `json:"records"`
	SHA256  string `json:"sha256"`
}

// Export writes a campaign as one stream, which [Engine.Import] reads into any store. The stream
// has a header line, the stored records of the log, opened by the [Codec], and a last line with
// their number and a checksum. The campaign may be played in the meantime; commits after the end
// was reached are not included.
//
// A record that cannot be read is an error, a [*state.LogDamage], unless [Engine.Repair] has
// repaired the campaign: then a replacement takes its place. Other errors are errors of the store,
// of the codec and of the writer.
func (e *Engine) Export(ctx context.Context, id string, w io.Writer) (err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	sum := sha256.New()
	out := bufio.NewWriter(w) // Flush returns the first error of w
	line := func(data []byte) {
		for _, part := range [][]byte{data, {'\n'}} { // a stored record is compact: it has no newline
			_, _ = sum.Write(part) // never fails
			_, _ = out.Write(part)
		}
	}
	wrap := func(err error) error { return fmt.Errorf("campaign: export %q: %w", id, err) }
	head, _ := json.Marshal(exportHeader{exportForm, id})
	line(head)
	records, created := int64(0), false
	var m damageReader
	for entry, err := range e.archive.store.Records(ctx, id, 0) {
		var data []byte
		for ; err == nil && records+1 < entry.Version; records++ {
			lost, _ := EntryOf(m.replacement(records + 1)) // it has only a version
			line(lost.Data)
		}
		if err == nil {
			data, err = e.archive.exported(id, entry, &m)
		}
		if err != nil {
			return wrap(err)
		}
		line(data)
		records++
		created = created || entry.Kind != string(turn.RecordPast)
	}
	if m.damage == nil {
		err = e.archive.checkEnd(ctx, id, records)
	} else {
		err = m.damage
	}
	if err == nil && !created {
		err = errNotCreated
	}
	if err == nil {
		end, _ := json.Marshal(exportEnd{records, hex.EncodeToString(sum.Sum(nil))})
		line(end)
		err = out.Flush()
	}
	if err != nil {
		return wrap(err)
	}
	return nil
}

// exported returns the stored record of an entry, or a replacement if it cannot be read.
func (a archive) exported(id string, entry Entry, m *damageReader) ([]byte, error) {
	opened, err := a.open(id, entry)
	var rec turn.Record
	if err == nil {
		rec, err = opened.change()
	}
	if rec, err = m.orReplacement(entry, rec, err); err != nil || rec.Kind != turn.RecordLost {
		return opened.Data, err
	}
	lost, _ := EntryOf(rec) // it has only a version and a time
	return lost.Data, nil
}

// Import stores a campaign that [Engine.Export] has written, with its own ID, and returns it. It
// reads and checks the whole export in memory before it stores anything. A record has at most 512
// MiB. If the store fails in the middle, call Import again to continue from there. A campaign that
// is already stored completely does not change.
//
// Errors: [ErrDamaged], with the line and the reason. [turn.ErrNewerLayout]. [ErrExists] if there
// is a different campaign with the ID, or the same campaign was played on since. Errors of the
// reader, the codec and the store.
func (e *Engine) Import(ctx context.Context, r io.Reader) (_ state.Campaign, err error) {
	defer catchPanic(e.cfg.Logger, "", inStore, &err)
	c, entries, err := readExport(r)
	if err != nil {
		return state.Campaign{}, fmt.Errorf("campaign: import: %w", err)
	}
	if err := storeLog(ctx, e.archive, c, entries); err != nil {
		return state.Campaign{}, fmt.Errorf("campaign: import %q: %w", c.ID, err)
	}
	return c, nil
}

// storeLog appends the entries of a campaign that are not stored yet.
func storeLog(ctx context.Context, a archive, c state.Campaign, entries []Entry) error {
	there := 0
	for stored, err := range a.entries(ctx, c.ID, 0) {
		if errors.Is(err, ErrNotFound) && !errors.Is(err, ErrDeleted) {
			break
		}
		if err != nil {
			return err
		}
		if there == len(entries) || !bytes.Equal(stored.Data, entries[there].Data) {
			return ErrExists
		}
		there++
	}
	var p turnlog.Requirements
	for _, entry := range entries {
		if err := entry.addRequirements(&p); err != nil {
			return err
		}
	}
	snapshot, err := p.Snapshot(c)
	if err != nil {
		return err
	}
	for i, entry := range entries[there:] {
		whole := []byte(nil)
		if there+i == len(entries)-1 {
			whole = snapshot
		}
		if err := a.sealAndWrite(ctx, c.ID, entry, whole); err != nil {
			return err
		}
	}
	return nil
}

// exportReader reads lines and tracks its position.
type exportReader struct {
	lines   *bufio.Scanner
	number  int
	created bool // the record that creates the campaign was read
	lost    bool // a lost record was read, which may have created the campaign
}

// acceptsKind reports whether a record of a kind may follow the records before.
func (r *exportReader) acceptsKind(kind turn.RecordKind) bool {
	switch kind {
	case turn.RecordLost:
		r.lost = true
		return true
	case turn.RecordPast:
		return !r.created
	case turn.RecordCreate:
		created := r.created
		r.created = true
		return !created
	}
	r.created = r.created || r.lost
	return r.created
}

// nextLine returns the next line, or an error if there is none.
func (r *exportReader) nextLine(want string) ([]byte, error) {
	r.number++
	if r.lines.Scan() {
		return r.lines.Bytes(), nil
	}
	if err := r.lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return nil, err
	}
	return nil, r.damaged("%s is missing or longer than %d MiB: export it again", want, maxExportLine>>20)
}

func (r *exportReader) damaged(format string, args ...any) error {
	return fmt.Errorf("line %d: %s: %w", r.number, fmt.Sprintf(format, args...), ErrDamaged)
}

// readExport reads and checks a whole export.
func readExport(in io.Reader) (c state.Campaign, entries []Entry, err error) {
	r := &exportReader{lines: bufio.NewScanner(in)}
	r.lines.Buffer(nil, maxExportLine)
	sum := sha256.New()
	line, err := r.nextLine("the first line, which says what this is,")
	if err != nil {
		return c, nil, err
	}
	var head exportHeader
	if json.Unmarshal(line, &head) != nil || head.Form < 1 || head.ID == "" {
		return c, nil, r.damaged("this is not an export of a campaign")
	}
	if head.Form > exportForm {
		return c, nil, fmt.Errorf("form %d: %w", head.Form, turn.ErrNewerLayout)
	}
	for {
		_, _ = sum.Write(append(bytes.Clone(line), '\n'))
		if line, err = r.nextLine("the last line, with the checksum,"); err != nil {
			return c, nil, err
		}
		var end exportEnd
		if json.Unmarshal(line, &end) == nil && end.SHA256 != "" {
			if end.Records != int64(len(entries)) || end.SHA256 != hex.EncodeToString(sum.Sum(nil)) {
				return c, nil, r.damaged("there are %d records, and the checksum is of %d others", len(entries), end.Records)
			}
			break
		}
		entry, err := r.readEntry(line, int64(len(entries)+1))
		if err != nil {
			return c, nil, err
		}
		entries = append(entries, entry)
	}
	if r.number++; r.lines.Scan() {
		return c, nil, r.damaged("there is data after the end")
	}
	if c, err = Restore(Saved{Entries: entries}); err != nil {
		return c, nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if c.ID != head.ID {
		return c, nil, r.damaged("the records are of %q, the first line is of %q", c.ID, head.ID)
	}
	return c, entries, nil
}

// readEntry reads the record of a version.
func (r *exportReader) readEntry(line []byte, version int64) (Entry, error) {
	rec, err := turnlog.Read(line)
	switch {
	case errors.Is(err, turn.ErrNewerLayout):
		return Entry{}, err
	case err != nil:
		return Entry{}, r.damaged("no record: %v", err)
	case rec.Version != version:
		return Entry{}, r.damaged("record %d is in the place of record %d", rec.Version, version)
	case !r.acceptsKind(rec.Kind):
		return Entry{}, r.damaged("record %d is of the kind %q", version, rec.Kind)
	}
	e := Entry{Version: version, Kind: string(rec.Kind), At: rec.At, Data: bytes.Clone(line)}
	if rec.Turn != nil {
		e.TurnID, e.Key = rec.Turn.ID, turnlog.KeyOf(*rec.Turn)
	}
	return e, nil
}
