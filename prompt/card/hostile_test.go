package card_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/card"
)

// TestHostile shows that files made to exhaust a reader give an error with a code and use little
// memory (PR-10). It does not run in parallel, because it measures memory.
func TestHostile(t *testing.T) {
	zeros := strings.Repeat("\x00", 17<<20)
	packed := deflated(zeros)
	asset := assetCard("embeded://z")
	lying := zipOf(t, "z", "small", "card.json", asset)
	setUnpackedSize(lying, "z", 400<<20)
	sum := zipOf(t, "a", "", "b", "", "card.json", asset)
	setUnpackedSize(sum, "a", 300<<20)
	setUnpackedSize(sum, "b", 300<<20)
	shrunk := zipOf(t, "card.json", v3("A", `,"description":"`+strings.Repeat("x", 1000)+`"`))
	setUnpackedSize(shrunk, "card.json", 10)
	long := zipOf(t, "card.json", v3("A", ""))
	setUnpackedSize(long, "card.json", 16<<20+1)
	var many []string
	for i := range 10_001 {
		many = append(many, strconv.Itoa(i), "")
	}
	for _, tc := range []struct {
		reason string
		file   []byte
		err    talewright.Code
	}{
		{"deep JSON", []byte(v2("A", `,"x":`+strings.Repeat("[", 1<<20))), "too_deep"},
		{"deep JSON, closed", []byte(v2("A", `,"x":`+strings.Repeat(`{"a":`, 5000)+"1"+
			strings.Repeat("}", 5000))), "too_deep"},
		{"many values", []byte(v2("A", `,"tags":[`+strings.Repeat(`"",`, 1<<20)+`""]`)), "too_large"},
		{"many entries", []byte(v2("A", `,"character_book":{"entries":[`+
			strings.Repeat("{},", 1<<20)+"{}]}")), "too_large"},
		{"long JSON", padded(`{"data":{"name":"A"},"x":"`, 16<<20+1), "too_large"},
		{"an open string", []byte(v2(strings.Repeat(`\"`, 1<<20), "")[:1<<20]), "bad_json"},
		{"zTXt bomb", pngOf(chunk("zTXt", "chara\x00\x00"+packed)), "too_large"},
		{"a long text chunk", padded(signature+"\x02\x00\x00\x80tEXtchara", 32<<20+148), "too_large"},
		{"chunk over the limit", padded(signature+"\x04\x00\x00\x01", 64<<20+21), "too_large"},
		{"wrong checksums without end", append([]byte(signature),
			bytes.Repeat([]byte("\x00\x00\x00\x00iCCPxxxx"), 1<<18)...), "no_card"},
		{"card.json over the limit", long, "too_large"},
		{"card.json larger than the directory says", shrunk, "damaged"},
		{"too many files", zipOf(t, append(many, "card.json", asset)...), "too_large"},
		{"too much in all", sum, "too_large"},
		{"size made up, card intact", lying, ""},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := parsed(card.Parse(tc.file))
		runtime.ReadMemStats(&after)
		if got := errorCode(err); got != tc.err {
			t.Errorf("%s: error code %q, want %q (%v)", tc.reason, got, tc.err, err)
		}
		// ReadAll grows by copying, so the sum is a multiple of the limit of 16 MiB.
		if used := after.TotalAlloc - before.TotalAlloc; used > 160<<20 {
			t.Errorf("%s: %d MiB allocated", tc.reason, used>>20)
		}
	}
}

// TestHostileAssets shows that reading an asset stops when its unpacked size is out of proportion,
// with any sizes in the directory. It does not run in parallel, because it measures memory.
func TestHostileAssets(t *testing.T) {
	file := zipOf(t, "bomb", strings.Repeat("\x00", 2<<20), "fine", strings.Repeat("\x00", 1<<20),
		"lie", "small", "card.json", v3("A", ""))
	setUnpackedSize(file, "lie", 100<<20)
	f, err := card.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]talewright.Code{
		"bomb": "too_large", "fine": "", "lie": "damaged",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		data, err := f.ReadAsset(card.Asset{URI: "embeded://" + name})
		runtime.ReadMemStats(&after)
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 8 {
			t.Errorf("%s: %d MiB allocated", name, used)
		}
		if errorCode(err) != want {
			t.Errorf("%s: %d bytes, %v, want %q", name, len(data), err, want)
		}
	}
}

// TestManyEntries shows that a large book is read in part, and kept whole.
func TestManyEntries(t *testing.T) {
	t.Parallel()
	in := v2("A", `,"character_book":{"entries":[`+strings.Repeat("{},", 50_000)+"{}]}")
	c, problems, err := parsed(card.ParseJSON([]byte(in)))
	if err != nil || len(problems) != 1 || problems[0].Code != "too_large" {
		t.Fatalf("problems %v, error %v", problems, err)
	}
	book, ok := c.Book()
	if !ok || len(book.Entries) != 50_000 || bytes.Count(c.CharacterBook, []byte("{}")) != 50_001 {
		t.Errorf("%d entries read, %v", len(book.Entries), ok)
	}
}

// spoiled returns a chunk with a wrong checksum.
func spoiled(chunk string) string {
	last := len(chunk) - 1
	return chunk[:last] + string([]byte{chunk[last] ^ 0x55})
}

// padded returns a text followed by zeros, n bytes in total.
func padded(text string, n int) []byte {
	out := make([]byte, n)
	copy(out, text)
	return out
}

// setUnpackedSize changes the size of a file in the directory of an archive.
func setUnpackedSize(archive []byte, name string, size uint32) {
	for at := 0; ; at++ {
		at += bytes.Index(archive[at:], []byte("PK\x01\x02"))
		if bytes.HasPrefix(archive[at+46:], []byte(name)) {
			binary.LittleEndian.PutUint32(archive[at+24:], size)
			return
		}
	}
}

// TestTruncated cuts files at every byte: the rest is refused with a code, or read with a problem
// that reports the cut (PR-10).
func TestTruncated(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		file   []byte
	}{
		{"PNG with both forms", pngOf(text("chara", v2("A", "")), text("ccv3", v3("A", "")))},
		{"PNG with packed text", pngOf(chunk("zTXt",
			"chara\x00\x00"+deflated(base64.StdEncoding.EncodeToString([]byte(v2("A", ""))))))},
		{"archive", zipOf(t, "a.png", "pixels", "card.json", v3("A", ""))},
		{"JSON", []byte(v2("A", `,"character_book":{"entries":[{"keys":["k"]}]}`))},
	} {
		if _, problems, err := parsed(card.Parse(tc.file)); err != nil || len(problems) > 0 {
			t.Fatalf("%s: whole: %v, %v", tc.reason, problems, err)
		}
		for n := range tc.file {
			_, problems, err := parsed(card.Parse(tc.file[:n]))
			if code := errorCode(err); code == "other" || code == "" && len(problems) == 0 {
				t.Errorf("%s, %d of %d bytes: %v, %v", tc.reason, n, len(tc.file), problems, err)
			}
		}
	}
}

// TestOddChunks shows which of several card chunks is used, and which mistakes affect only one
// chunk.
func TestOddChunks(t *testing.T) {
	t.Parallel()
	bad := chunk("tEXt", "ccv3\x00!!!")
	for _, tc := range []struct {
		reason string
		file   []byte
		name   string
		codes  []talewright.Code
		err    talewright.Code
	}{
		{reason: "of several with one keyword the first", name: "First",
			file: pngOf(text("chara", v2("First", "")), text("Chara", v2("Second", "")))},
		{reason: "forms that disagree: ccv3", name: "Three",
			file: pngOf(text("chara", v2("Two", "")), text("ccv3", v3("Three", "")))},
		{reason: "the first ccv3 is broken, the second is not looked at", name: "Two",
			codes: []talewright.Code{"bad_chunk"},
			file:  pngOf(bad, text("ccv3", v3("Three", "")), text("chara", v2("Two", "")))},
		{reason: "a card behind the end does not count", err: "no_card",
			file: append(pngOf(), text("chara", v2("A", ""))...)},
		{reason: "animation", name: "A", file: pngOf(chunk("acTL", "\x00\x00\x00\x01\x00\x00\x00\x00"),
			chunk("fcTL", strings.Repeat("\x00", 26)), text("chara", v2("A", "")))},
		{reason: "both broken", err: "bad_json", file: pngOf(bad, chunk("tEXt", "chara\x00e30*"))},
		{reason: "no UTF-8", name: "\ufffd", codes: []talewright.Code{"bad_text"},
			file: pngOf(text("chara", v2("\xff", "")))},
		{reason: "byte order mark in the base64", name: "A",
			file: pngOf(text("chara", "\ufeff"+v2("A", "")))},
		{reason: "wrong checksums here and there", name: "A",
			codes: []talewright.Code{"bad_crc", "bad_crc"},
			file:  pngOf(spoiled(chunk("IDAT", "x")), spoiled(text("chara", v2("A", ""))))},
	} {
		c, problems, err := parsed(card.Parse(tc.file))
		if c.Name != tc.name || errorCode(err) != tc.err {
			t.Errorf("%s: %q, %v; want %q, %q", tc.reason, c.Name, err, tc.name, tc.err)
		}
		if diff := cmp.Diff(tc.codes, codes(problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", tc.reason, diff)
		}
	}
}
