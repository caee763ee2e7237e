package campaign

import (
	"strings"
	"testing"
)

// TestDeflateIsBounded: a few stored bytes do not become more than the limit.
func TestDeflateIsBounded(t *testing.T) {
	t.Parallel()
	codec := deflate{1000}
	for n, want := range map[int]string{1000: "", 1001: "inflate: more than 1000 bytes"} {
		sealed, err := codec.Seal(Place{}, []byte(strings.Repeat("x", n)))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := codec.Open(Place{}, sealed)
		if text := errorText(err); text != want || want == "" && len(plain) != n {
			t.Errorf("%d bytes: %d, %q", n, len(plain), text)
		}
	}
	if most := Deflate().(deflate).maxBytes; most != maxInflated {
		t.Errorf("the limit is %d", most)
	}
}
