package memory

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// document is a text with its vector.
type document struct {
	ID      string
	Turn    string `json:",omitempty"`
	Passage string `json:",omitempty"` // its ID in the turn
	Text    string `json:",omitempty"`
	Vector  vector `json:",omitempty"` // of length 1; a line without a vector deletes the document
}

// vector is written as the bytes of its numbers.
type vector []float32

// MarshalJSON writes the numbers as base64 of their bytes, which is exact and short.
func (v vector) MarshalJSON() ([]byte, error) {
	data := make([]byte, 0, 4*len(v))
	for _, x := range v {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return json.Marshal(data)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *vector) UnmarshalJSON(text []byte) error {
	var data []byte
	err := json.Unmarshal(text, &data)
	*v = make(vector, len(data)/4)
	for i := range *v {
		(*v)[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return err
}

// isUnit reports whether the length of a vector is 1, except for rounding.
func (v vector) isUnit() bool {
	return math.Abs(float64(v.times(v))-1) < 1e-3 // false for NaN
}

// times returns the scalar product of two vectors with the same number of elements. For vectors of
// length 1 it is their cosine. A processor can add to the four sums at the same time. They are more
// exact than the result, so the order of the additions does not change it.
func (v vector) times(w vector) float32 {
	var a, b, c, d float64
	w = w[:len(v)]
	i := 0
	for ; i+4 <= len(v); i += 4 {
		a += float64(v[i]) * float64(w[i])
		b += float64(v[i+1]) * float64(w[i+1])
		c += float64(v[i+2]) * float64(w[i+2])
		d += float64(v[i+3]) * float64(w[i+3])
	}
	for ; i < len(v); i++ {
		a += float64(v[i]) * float64(w[i])
	}
	return float32(a + b + c + d)
}

// folder opens collections. Each has a file, if the folder has a path.
type folder struct {
	path string

	mu   sync.Mutex
	open map[string]*collection // by name
}

// openFolder creates the folder if it has a path.
func openFolder(path string) (*folder, error) {
	if path != "" {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
	}
	return &folder{path: path, open: map[string]*collection{}}, nil
}

// file returns the file of a collection.
func (f *folder) file(name string) string {
	if f.path == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(f.path, hex.EncodeToString(sum[:16])+".jsonl")
}

// collection returns the collection with a name, and reads or creates it if it is not open.
func (f *folder) collection(name string) (*collection, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.open[name]; c != nil {
		return c, nil
	}
	c := &collection{file: f.file(name), documents: map[string]document{}}
	if err := c.read(name); err != nil {
		return nil, err
	}
	f.open[name] = c
	return c, nil
}

// remove deletes a collection and its file.
func (f *folder) remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, name)
	err := os.Remove(f.file(name))
	if errors.Is(err, fs.ErrNotExist) { // as without a folder
		return nil
	}
	return err
}

// A collection has documents in memory. Its file has a line for each, and for each that was deleted.
// It is a cache: a line that cannot be read is left out, and its text is requested again.
type collection struct {
	file string // "" if there is none

	mu        sync.RWMutex
	documents map[string]document
}

// read reads the file. If most lines are out of date, it writes the file again.
func (c *collection) read(name string) error {
	if c.file == "" {
		return nil
	}
	data, err := os.ReadFile(c.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines := 0
	for line := range bytes.Lines(data) {
		lines++
		var d document
		_ = json.Unmarshal(line, &d) // the first line, and one that was cut by a crash, have no vector
		if len(d.Vector) == 0 {
			delete(c.documents, d.ID)
		} else if d.Vector.isUnit() { // else it is damaged
			c.documents[d.ID] = d
		}
	}
	if bytes.HasSuffix(data, []byte("\n")) && lines <= 2*len(c.documents)+1 {
		return nil
	}
	head, _ := json.Marshal(map[string]string{"Collection": name}) // text always has a JSON form
	next := c.file + ".new"
	text := slices.Concat(head, []byte("\n"), encode(slices.Collect(maps.Values(c.documents))))
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, c.file)
}

// encode returns a line for each document.
func encode(documents []document) []byte {
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	for _, d := range documents {
		_ = lines.Encode(d) // texts and vectors always have a JSON form
	}
	return out.Bytes()
}

// write adds lines to the file.
func (c *collection) write(documents []document) (err error) {
	if c.file == "" || len(documents) == 0 {
		return nil
	}
	text := encode(documents)
	f, err := os.OpenFile(c.file, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return cmp.Or(err, f.Close())
}

// get returns the document with an ID.
func (c *collection) get(id string) (document, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	d, ok := c.documents[id]
	return d, ok
}

// add stores documents. A document with the same ID is replaced.
func (c *collection) add(documents []document) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.write(documents); err != nil {
		return err
	}
	for _, d := range documents {
		c.documents[d.ID] = d
	}
	return nil
}

// delete deletes documents.
func (c *collection) delete(ids []string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := make([]document, len(ids))
	for i, id := range ids {
		lines[i].ID = id
	}
	if err := c.write(lines); err != nil {
		return err
	}
	for _, id := range ids {
		delete(c.documents, id)
	}
	return nil
}

// match is a document with its cosine.
type match struct {
	document
	similarity float32
}

// near returns the documents in a direction, in any order. Their cosine is positive and not below
// minimum.
func (c *collection) near(ctx context.Context, direction vector, minimum float64) ([]match, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var found []match
	for _, d := range c.documents {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(d.Vector) != len(direction) {
			return nil, fmt.Errorf("%w: vectors of %d numbers, stored ones have %d: if the model has changed, name it in VectorConfig.Model",
				ErrVectors, len(direction), len(d.Vector))
		}
		if s := d.Vector.times(direction); s > 0 && float64(s) >= minimum {
			found = append(found, match{d, s})
		}
	}
	return found, nil
}
