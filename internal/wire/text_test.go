package wire

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// The stitcher returns the same text wherever it was split. For a valid text it returns the same as
// encoding/json.
func TestStitcherAnyCut(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("aé龙🐉𝄞\n\uFFFD\U0010FFFF")
	for range 3000 {
		var text strings.Builder
		var body []byte // UTF-8 and surrogates, mixed
		for range random.IntN(12) {
			r := alphabet[random.IntN(len(alphabet))]
			text.WriteRune(r)
			if high, low := utf16.EncodeRune(r); r > 0xFFFF && random.IntN(2) == 0 {
				body = appendUnit(appendUnit(body, high), low)
			} else {
				body = utf8.AppendRune(body, r)
			}
		}
		var s RuneJoiner
		var got strings.Builder
		for rest := body; len(rest) > 0; {
			n := 1 + random.IntN(len(rest))
			var piece string
			if random.IntN(2) == 0 {
				piece = s.Push(rest[:n])
			} else {
				piece = s.PushText(string(rest[:n]))
			}
			if !utf8.ValidString(piece) {
				t.Fatalf("the piece %q of %q is not valid", piece, body)
			}
			got.WriteString(piece)
			rest = rest[n:]
		}
		got.WriteString(s.End())
		if got.String() != text.String() {
			t.Fatalf("%q was put together as %q, want %q", body, got.String(), text.String())
		}
	}
}

// Unquote agrees with encoding/json on every valid literal.
func TestUnquote(t *testing.T) {
	t.Parallel()
	for _, literal := range []string{
		`""`, `"plain"`, `"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e9\u9f99\u9F99"`, `"龙🐉"`, `"\ud83d\udc09"`,
		`"\u0000"`, `"\uFFFF"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(literal), &want); err != nil {
			t.Fatal(err)
		}
		raw, err := Unquote([]byte(literal))
		if err != nil {
			t.Fatal(err)
		}
		var s RuneJoiner
		if got := s.Push(raw) + s.End(); got != want {
			t.Errorf("%s is %q, want %q", literal, got, want)
		}
	}
	if _, err := Unquote([]byte("17")); err == nil {
		t.Error("a number was taken for a text")
	}
}
