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
	header, _ := json.Marshal(exportHeader{exportForm, id})
	line(header)
	records, err := e.archive.exportRecords(ctx, id, line)
	if err == nil {
		end, _ := json.Marshal(exportEnd{records, hex.EncodeToString(sum.Sum(nil))})
		line(end)
		err = out.Flush()
	}
	return failedTo("export", id, err)
}

// exportRecords calls line for each record of a log and returns their number. Records that cannot be
// read are replaced, so that every version has a line.
func (a archive) exportRecords(ctx context.Context, id string, line func(data []byte)) (records int64, err error) {
	isCreated := false
	var opened Entry // the entry of the record
	read := func(entry Entry) (rec turn.Record, err error) {
		if opened, err = a.open(id, entry); err != nil {
			return rec, err
		}
		return opened.change()
	}
	for rec, err := range readThroughDamage(a.store.Records(ctx, id, 0), 0, read) {
		if err != nil {
			return records, err
		}
		for ; rec.Kind == turn.RecordLost && records < rec.Version; records++ { // one replaces a whole gap
			lost, _ := EntryOf(turn.Record{Version: records + 1, Kind: turn.RecordLost, At: rec.At}) // it can be encoded
			line(lost.Data)
		}
		if rec.Kind != turn.RecordLost {
			line(opened.Data)
			records++
		}
		isCreated = isCreated || rec.Kind != turn.RecordPast
	}
	err = a.checkEnd(ctx, id, records)
	if err == nil && !isCreated {
		err = errNotCreated
	}
	return records, err
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
		return state.Campaign{}, failedTo("import", c.ID, err)
	}
	return c, nil
}

// storeLog appends the entries of the campaign c that are not stored yet. The last one gets a
// snapshot.
func storeLog(ctx context.Context, a archive, c state.Campaign, entries []Entry) error {
	stored, err := a.countStored(ctx, c.ID, entries)
	if err != nil {
		return err
	}
	var needs turnlog.Requirements
	for _, entry := range entries {
		if err := entry.addRequirements(&needs); err != nil {
			return err
		}
	}
	snapshot, err := needs.Snapshot(c)
	if err != nil {
		return err
	}
	for i := stored; i < len(entries); i++ {
		var withLast []byte
		if i == len(entries)-1 {
			withLast = snapshot
		}
		if err := a.sealAndWrite(ctx, c.ID, entries[i], withLast); err != nil {
			return err
		}
	}
	return nil
}

// countStored returns how many of the entries are stored. The error is [ErrExists] if a different
// entry is stored.
func (a archive) countStored(ctx context.Context, id string, entries []Entry) (n int, err error) {
	for stored, err := range a.store.Records(ctx, id, 0) {
		if errors.Is(err, ErrNotFound) {
			break // nothing is stored
		}
		if err == nil {
			stored, err = a.open(id, stored)
		}
		if err != nil {
			return n, err
		}
		if n == len(entries) || !bytes.Equal(stored.Data, entries[n].Data) {
			return n, ErrExists
		}
		n++
	}
	return n, nil
}

// exportReader reads an export line by line.
type exportReader struct {
	lines     *bufio.Scanner
	number    int  // of the line that was read last, from 1
	isCreated bool // the record that creates the campaign was read
	hasLost   bool // a lost record was read, which may have created the campaign
}

// acceptsKind reports whether a record of a kind may follow the records before, and notes it.
func (r *exportReader) acceptsKind(kind turn.RecordKind) bool {
	switch kind {
	case turn.RecordLost:
		r.hasLost = true
		return true
	case turn.RecordPast:
		return !r.isCreated
	case turn.RecordCreate:
		isFirst := !r.isCreated
		r.isCreated = true
		return isFirst
	}
	r.isCreated = r.isCreated || r.hasLost
	return r.isCreated
}

// nextLine returns the next line. what describes the line in the error if there is none.
func (r *exportReader) nextLine(what string) ([]byte, error) {
	r.number++
	if r.lines.Scan() {
		return r.lines.Bytes(), nil
	}
	if err := r.lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return nil, err
	}
	return nil, r.damaged("%s is missing or longer than %d MiB: export it again", what, maxExportLine>>20)
}

// damaged returns an [ErrDamaged] with the number of the line.
func (r *exportReader) damaged(format string, args ...any) error {
	return fmt.Errorf("line %d: %s: %w", r.number, fmt.Sprintf(format, args...), ErrDamaged)
}

// readExport reads and checks a whole export. It returns the campaign and the entries of its log.
func readExport(in io.Reader) (c state.Campaign, entries []Entry, err error) {
	r := &exportReader{lines: bufio.NewScanner(in)}
	r.lines.Buffer(nil, maxExportLine)
	sum := sha256.New()
	line, err := r.nextLine("the first line, which says what this is,")
	if err != nil {
		return c, nil, err
	}
	var header exportHeader
	if json.Unmarshal(line, &header) != nil || header.Form < 1 || header.ID == "" {
		return c, nil, r.damaged("this is not an export of a campaign")
	}
	if header.Form > exportForm {
		return c, nil, fmt.Errorf("form %d: %w", header.Form, turn.ErrNewerLayout)
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
	if c.ID != header.ID {
		return c, nil, r.damaged("the records are of %q, the first line is of %q", c.ID, header.ID)
	}
	return c, entries, nil
}

// readEntry returns the entry of a line, which must be the record of a version.
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
	return entryWith(rec, bytes.Clone(line)), nil
}
