package campaign

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"sync"
)

// Deflate returns a [Codec] that compresses with DEFLATE at its fastest level. Records shrink to a
// third of their size or less. The codec also reads bytes that were written without a codec, so it
// can be switched on for existing campaigns. It cannot be switched off again.
func Deflate() Codec { return deflate{maxInflated} }

// deflate is the codec of [Deflate].
type deflate struct{ maxBytes int } // the maximum size of decompressed data

// deflated is the prefix of compressed data. JSON never begins with it.
const deflated = "\x00deflate\n"

// maxInflated limits the size of decompressed data: a few stored bytes can expand to any size.
const maxInflated = 1 << 30

// A compressor has tables of 1.2 MB, a decompressor of 40 KB, so both are reused.
var (
	compressors = sync.Pool{New: func() any {
		w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is valid
		return w
	}}
	decompressors = sync.Pool{New: func() any { return flate.NewReader(nil) }}
)

// Seal compresses plain.
func (deflate) Seal(_ Place, plain []byte) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(deflated)
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	_, _ = w.Write(plain) // a buffer returns no error
	_ = w.Close()
	return b.Bytes(), nil
}

// Open decompresses sealed, to at most one gigabyte.
func (d deflate) Open(_ Place, sealed []byte) ([]byte, error) {
	body, ok := bytes.CutPrefix(sealed, []byte(deflated))
	if !ok {
		return sealed, nil
	}
	r := decompressors.Get().(io.Reader)
	defer decompressors.Put(r)
	_ = r.(flate.Resetter).Reset(bytes.NewReader(body), nil) // always nil
	plain, err := io.ReadAll(io.LimitReader(r, int64(d.maxBytes)+1))
	if err == nil && len(plain) > d.maxBytes {
		err = fmt.Errorf("more than %d bytes", d.maxBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("inflate: %w", err)
	}
	return plain, nil
}
