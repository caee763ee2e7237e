package campaign

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Deflate returns a [Codec] that compresses with DEFLATE at its fastest level. Records shrink to a
// third of their size or less. The codec also reads bytes that were written without a codec, so it
// can be switched on for existing campaigns. It cannot be switched off again.
func Deflate() Codec { return deflate{} }

type deflate struct{}

// deflated is the prefix of compressed data. JSON never begins with it.
const deflated = "\x00deflate\n"

// maxInflated limits the size of decompressed data: a few stored bytes can expand to any size.
const maxInflated = 1 << 30

// A compressor has tables of 1.2 MB, a decompressor of 40 KB, so both are reused.
var compressors, decompressors sync.Pool

// Seal compresses plain.
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

// Open decompresses sealed, to at most one gigabyte.
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
