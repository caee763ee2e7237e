package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
)

// This file reads and writes SillyTavern's world info: books, the texts of its key editor, and the
// timed effects in a chat's metadata.
//
// The format is the format of [worldbook.Book], so nothing is converted. [ParseSillyTavern] adds
// the checks of an untrusted file, and [WriteSillyTavern] writes everything that was read. There
// are three exceptions, each reported as a problem. A list of entries becomes an object. The name
// of a book becomes a text. Entries that are not objects are removed.

// sillyTavernNotBook is the start of the problem text for other files.
const sillyTavernNotBook = "sillytavern: not a world info file"

// ParseSillyTavern reads a world info file. Members of unexpected types are kept and act as in
// SillyTavern; the problems list them. Entries that are not objects are left out with a problem.
// The problems also list everything that a file written with [WriteSillyTavern] would lack or
// express differently.
func ParseSillyTavern(data []byte) (worldbook.Book, talewright.Problems) {
	return loreRead(sillyTavernNotBook, data, readSillyTavern)
}

func readSillyTavern(src *source) (worldbook.Book, error) {
	file := src.Object()
	if !loreGiven(file["entries"]) {
		return worldbook.Book{}, errors.New("entries is missing")
	}
	entries, err := src.Entries("entries", file["entries"])
	if err != nil {
		return worldbook.Book{}, err
	}
	if entries[0] == '[' {
		src.Add(badType, "entries", "is a list: read, and written back as an object")
	}
	if name := file["name"]; loreGiven(name) && name[0] != '"' {
		src.Add(badType, "name", "is not a text: it is converted, and written back as a text")
	}
	file["entries"] = entries
	var book worldbook.Book
	text, err := openjson.Marshal(file)
	if err == nil {
		err = json.Unmarshal(text, &book)
	}
	if err != nil {
		return worldbook.Book{}, err
	}
	for i := range book.Entries {
		for _, name := range oddMembers(&book.Entries[i]) {
			src.Add(badType, fmt.Sprintf("entries[%d].%s", i, name),
				"has an unusual type: it acts as SillyTavern converts it")
		}
	}
	return book, nil
}

// WriteSillyTavern writes a book as a world info file. A book read by [ParseSillyTavern] keeps
// every member and its value. Entries are always an object, even if the file had a list.
func WriteSillyTavern(book worldbook.Book) ([]byte, error) { return openjson.Marshal(book) }

// SplitKeys splits the text of the editor's key field into keys.
//
// The text is split at commas, pieces are trimmed and empty ones dropped. A comma inside a started
// /regex/ does not split. But a piece that begins with a slash and is not a valid regex is split at
// its commas in the end. The first character after a splitting comma is not examined: a slash
// directly there starts no regex, and a second comma there does not split.
func SplitKeys(text string) []string {
	var keys []string
	var piece strings.Builder
	inRegex, slashed := false, false // slashed: the piece contains a slash, and so has begun
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == ',' && !inRegex {
			keys = addPiece(keys, piece.String())
			piece.Reset()
			slashed = false
			if i++; i < len(text) {
				piece.WriteByte(text[i])
			}
			continue
		}
		if c == '/' {
			switch {
			case inRegex && text[i-1] != '\\':
				inRegex = false
			case !inRegex && !slashed && blank(piece.String()):
				inRegex = true
			}
			slashed = true
		}
		piece.WriteByte(c)
	}
	return addPiece(keys, piece.String())
}

func addPiece(keys []string, piece string) []string {
	if strings.HasPrefix(keyindex.TrimSpace(piece), "/") && !isPattern(piece) {
		return append(keys, notBlank(strings.Split(piece, ","))...)
	}
	return append(keys, notBlank([]string{piece})...)
}

// metadata is the part of a chat's metadata that world info uses.
type metadata struct {
	Timed struct {
		Sticky   map[string]record `json:"sticky"`
		Cooldown map[string]record `json:"cooldown"`
	} `json:"timedWorldInfo"`
}

type record struct {
	Hash      json.RawMessage `json:"hash,omitempty"`
	Start     int             `json:"start"`
	End       int             `json:"end"`
	Protected bool            `json:"protected"`
}

// ParseSillyTavernMetadata reads the timed effects from a chat's metadata. SillyTavern's hashes
// cannot be computed here: pass the state to [worldbook.Compiled.Adopt], which recognises entries
// by book and uid.
func ParseSillyTavernMetadata(data []byte) (worldbook.State, error) {
	var m metadata
	if err := json.Unmarshal(data, &m); err != nil {
		return worldbook.State{}, fmt.Errorf("sillytavern: chat metadata: %w", err)
	}
	return worldbook.State{
		Sticky: fromRecords(m.Timed.Sticky), Cooldown: fromRecords(m.Timed.Cooldown),
	}, nil
}

func fromRecords(in map[string]record) map[string]worldbook.Record {
	if len(in) == 0 {
		return nil
	}
	out := make(map[string]worldbook.Record, len(in))
	for key, r := range in {
		out[key] = worldbook.Record{
			Hash: strings.Trim(string(r.Hash), `"`), Start: r.Start, End: r.End, Protected: r.Protected,
		}
	}
	return out
}

// WriteSillyTavernMetadata writes the timed effects as an object with the one member
// timedWorldInfo, to be merged into a chat's metadata. SillyTavern does not recognise the hashes of
// this package: it keeps such records until their end without applying them. The data that only
// this library stores ([worldbook.State.Last]) is left out.
func WriteSillyTavernMetadata(s worldbook.State) ([]byte, error) {
	var m metadata
	m.Timed.Sticky, m.Timed.Cooldown = toRecords(s.Sticky), toRecords(s.Cooldown)
	return openjson.Marshal(m)
}

func toRecords(in map[string]worldbook.Record) map[string]record {
	out := make(map[string]record, len(in))
	for key, r := range in {
		hash, _ := openjson.Marshal(r.Hash)
		if json.Valid([]byte(r.Hash)) {
			hash = []byte(r.Hash)
		}
		out[key] = record{hash, r.Start, r.End, r.Protected}
	}
	return out
}
