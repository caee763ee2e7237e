package campaign

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Deflate returns a [Codec] that compresses, by the algorithm of the same name at its
// quickest. Records become a third of what they were, or less. Bytes that were written without a codec
// are read too, so that it can be switched on for campaigns that exist; it cannot be
// switched off again.
func Deflate() Codec { return deflate{} }

type deflate struct{}

// deflated begins what Deflate has written. JSON never begins so.
const deflated = "\x00deflate\n"

// maxInflated bounds what a few bytes in a store can grow to.
const maxInflated = 1 << 30

// A compressor has tables of 1.2 MB, and a decompressor of 40 KB: they are used again.
var compressors, decompressors sync.Pool

// Seal compresses.
func (deflate) Seal(_ Place, plain []byte) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(deflated)
	w, ok := compressors.Get().(*flate.Writer)
	if ok {
		w.Reset(&b)
	} else {
		var err error
		if w, err = flate.NewWriter(&b, flate.BestSpeed); err != nil {
			return nil, err
		}
	}
	_, err := w.Write(plain)
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	compressors.Put(w)
	return b.Bytes(), nil
}

// Open decompresses up to a gigabyte.
func (deflate) Open(_ Place, sealed []byte) ([]byte, error) {
	body, ok := bytes.CutPrefix(sealed, []byte(deflated))
	if !ok {
		return sealed, nil
	}
	r, ok := decompressors.Get().(io.Reader)
	if ok {
		if err := r.(flate.Resetter).Reset(bytes.NewReader(body), nil); err != nil {
			return nil, fmt.Errorf("inflate: %w", err)
		}
	} else {
		r = flate.NewReader(bytes.NewReader(body))
	}
	plain, err := io.ReadAll(io.LimitReader(r, maxInflated+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("inflate: %w", err)
	case len(plain) > maxInflated:
		return nil, fmt.Errorf("inflate: more than %d bytes", maxInflated)
	}
	decompressors.Put(r)
	return plain, nil
}
