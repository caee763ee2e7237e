package main

import (
	"bytes"
	"testing"
)

// TestModelIsRepeatable: the file is a GGUF file of version 3, and the same one each time.
func TestModelIsRepeatable(t *testing.T) {
	t.Parallel()
	file := model()
	if !bytes.HasPrefix(file, []byte("GGUF\x03\x00\x00\x00")) || len(file)%alignment != 0 {
		t.Errorf("%d bytes that begin with %q", len(file), file[:min(8, len(file))])
	}
	if !bytes.Equal(file, model()) {
		t.Error("two files differ")
	}
}
