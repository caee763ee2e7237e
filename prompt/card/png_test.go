package card_test

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/card"
)

// TestPNG shows which chunk is used and which mistakes it may have (PR-10).
func TestPNG(t *testing.T) {
	t.Parallel()
	encoded := base64.StdEncoding.EncodeToString([]byte(v2("Ann?>", "")))
	wrapped := base64.RawURLEncoding.EncodeToString([]byte(v2("Ann?>", "")))
	wrapped = " " + wrapped[:20] + "\r\n" + wrapped[20:] + "\n"
	image := chunk("IDAT", "pixels")
	badCRC := strings.Replace(chunk("gAMA", "1234"), "1234", "1239", 1)
	for _, tc := range []struct {
		reason string
		file   []byte
		name   string
		source string
		codes  []talewright.Code
		err    talewright.Code
	}{
		{reason: "ccv3 before chara", file: pngOf(text("ccv3", v3("C", "")), text("chara", v2("A", ""))),
			name: "C", source: "ccv3"},
		{reason: "behind the image", file: pngOf(image, text("chara", v2("A", ""))),
			name: "A", source: "chara"},
		{reason: "the first of one keyword", name: "A", source: "chara",
			file: pngOf(text("CHARA", v2("A", "")), text("chara", v2("B", "")))},
		{reason: "V2 in ccv3", file: pngOf(text("ccv3", v2("A", ""))), name: "A", source: "ccv3"},
		{reason: "other chunks beside it", name: "A", source: "chara",
			file: pngOf(text("charax", "{"), chunk("tEXt", "chara"), text("Title", "t"),
				text("chara", v2("A", "")))},
		{reason: "URL alphabet, line breaks, no padding", name: "Ann?>", source: "chara",
			file: pngOf(chunk("tEXt", "chara\x00"+wrapped))},
		{reason: "zTXt", name: "Ann?>", source: "chara",
			file: pngOf(chunk("zTXt", "chara\x00\x00"+deflated(encoded)))},
		{reason: "iTXt, compressed, with language", name: "Ann?>", source: "ccv3",
			file: pngOf(chunk("iTXt", "ccv3\x00\x01\x00en\x00key\x00"+deflated(encoded)))},
		{reason: "plain JSON behind a byte order mark", name: "A", source: "chara",
			file:  pngOf(chunk("tEXt", "chara\x00\ufeff"+v2("A", ""))),
			codes: []talewright.Code{"not_base64"}},
		{reason: "bytes behind the end", name: "A", source: "chara",
			file: append(pngOf(text("chara", v2("A", ""))), "junk\xff\xff\xff\xff"...)},
		{reason: "a card behind the end does not count", err: "no_card",
			file: append(pngOf(), text("chara", v2("A", ""))...)},
		{reason: "wrong checksum of another chunk", name: "A", source: "chara",
			file:  pngOf(badCRC, text("chara", v2("A", ""))),
			codes: []talewright.Code{"bad_crc"}},
		{reason: "container problems come first, the card's last", name: "", source: "chara",
			file: bytes.TrimSuffix(pngOf(badCRC, chunk("tEXt", "ccv3\x00e30="),
				chunk("tEXt", "chara\x00"+v2("", ""))), []byte(chunk("IEND", ""))),
			codes: []talewright.Code{"bad_crc", "no_iend", "bad_chunk", "not_base64",
				"empty_name"}},
		{reason: "the broken ccv3 leaves no problems of its own", name: "A", source: "chara",
			file: pngOf(chunk("tEXt", "ccv3\x00{\"spec\":\"lorebook_v3\"}"),
				text("chara", v2("A", ""))),
			codes: []talewright.Code{"bad_chunk"}},
		{reason: "both broken: the error is chara's", err: "is_lorebook",
			file: pngOf(chunk("tEXt", "ccv3\x00!"), text("chara", `{"spec":"lorebook_v3"}`))},
		{reason: "ccv3 broken, no chara", file: pngOf(chunk("tEXt", "ccv3\x00!")), err: "bad_json"},
		{reason: "base64 of something else", file: pngOf(text("chara", "hello")), err: "bad_json"},
		{reason: "JSON of something else", file: pngOf(text("chara", "[]")), err: "not_a_card"},
		{reason: "empty text", file: pngOf(chunk("tEXt", "chara\x00")), err: "bad_json"},
		{reason: "zTXt of an unknown method", err: "damaged",
			file: pngOf(chunk("zTXt", "chara\x00\x01"+deflated(encoded)))},
		{reason: "zTXt without content", file: pngOf(chunk("zTXt", "chara\x00")), err: "damaged"},
		{reason: "zTXt that is no zlib stream", err: "damaged",
			file: pngOf(chunk("zTXt", "chara\x00\x00plain"))},
		{reason: "zTXt cut off", err: "damaged",
			file: pngOf(chunk("zTXt", "chara\x00\x00"+deflated(encoded)[:30]))},
		{reason: "iTXt without its fields", err: "damaged",
			file: pngOf(chunk("iTXt", "chara\x00\x00\x00en"))},
		{reason: "iTXt of an unknown method", err: "damaged",
			file: pngOf(chunk("iTXt", "chara\x00\x02\x00\x00\x00x"))},
		{reason: "no text chunk", file: pngOf(image), err: "no_card"},
		{reason: "signature alone", file: []byte(signature), err: "no_card"},
		{reason: "half a signature", file: []byte(signature[:5]), err: "not_png"},
		{reason: "nothing", err: "not_png"},
		{reason: "length beyond the file", err: "truncated",
			file: []byte(signature + "\xff\xff\xff\xfftEXtchara\x00abc")},
		{reason: "cut off behind the card", name: "A", source: "chara", codes: []talewright.Code{"damaged_picture"},
			file: []byte(signature + text("chara", v2("A", "")) + "\x00\x00")},
		{reason: "a chunk of an impossible length behind the card", name: "A", source: "chara",
			codes: []talewright.Code{"damaged_picture"},
			file:  []byte(signature + text("chara", v2("A", "")) + "\xff\xff\xff\xffIDATpixels")},
		{reason: "cut off in the preferred card", name: "A", source: "chara", codes: []talewright.Code{"damaged_picture"},
			file: []byte(signature + text("chara", v2("A", "")) + text("ccv3", v3("B", ""))[:40])},
		{reason: "cut off behind a broken card", err: "bad_json",
			file: []byte(signature + text("chara", "hello") + "\x00\x00")},
	} {
		c, problems, err := parsed(card.ParsePNG(tc.file))
		if got := errorCode(err); got != tc.err {
			t.Errorf("%s: error code %q, want %q (%v)", tc.reason, got, tc.err, err)
			continue
		}
		if diff := cmp.Diff(tc.codes, codes(problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", tc.reason, diff)
		}
		if tc.err != "" {
			continue
		}
		f, err := card.Open(tc.file)
		if err != nil || f.Format != card.PNG || f.Source != tc.source || c.Name != tc.name {
			t.Errorf("%s: %q from %+v, %v; want %q from %s", tc.reason, c.Name, f, err,
				tc.name, tc.source)
		}
	}
}

// TestPNGAssets shows the files that older V3 cards store in chunks.
func TestPNGAssets(t *testing.T) {
	t.Parallel()
	file := pngOf(
		text("Chara-Ext-Asset_:a/b:c.png", "pixels"),
		text("chara-ext-asset_:a/b:c.png", "later"),
		chunk("tEXt", "chara-ext-asset_:bad\x00%"),
		text("ccv3", v3("A", "")))
	f, err := card.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		uri, want string
		err       talewright.Code
	}{
		{uri: "__asset:a/b:c.png", want: "pixels"},
		{uri: "__asset:a/b%3Ac.png", want: "pixels"},
		{uri: "__ASSET:a/b:c.png", want: "pixels"},
		{uri: "__asset:other", err: "missing_asset"},
		{uri: "__asset:bad", err: "bad_asset"},
		{uri: "embeded://a.png", err: "missing_asset"},
		{uri: "ccdefault:", want: string(file)},
		{uri: "ccdefault:icon.png", want: string(file)},
		{uri: "data:text/plain;base64,aGk", want: "hi"},
		{uri: " DATA:,a%20b", want: "a b"},
		{uri: "data:;base64,?", err: "bad_asset"},
		{uri: "data:,%zz", err: "bad_asset"},
		{uri: "data:text/plain", err: "bad_asset"},
		{uri: "HTTPS://a.invalid/x", err: "remote_asset"},
		{uri: "http://a.invalid/x", err: "remote_asset"},
		{uri: "ftp://a.invalid/x", err: "bad_asset"},
		{uri: "", err: "bad_asset"},
	} {
		got, err := f.ReadAsset(card.Asset{URI: tc.uri})
		if string(got) != tc.want || errorCode(err) != tc.err {
			t.Errorf("%q: %q, %v; want %q, %q", tc.uri, got, err, tc.want, tc.err)
		}
	}
	whole, err := f.ReadAsset(card.Asset{URI: "ccdefault:"})
	if err != nil {
		t.Fatal(err)
	}
	whole[0] = 'x'
	if file[0] != '\x89' {
		t.Error("the asset shares memory with the file")
	}
}

// TestWritePNG shows that writing replaces only the card chunks.
func TestWritePNG(t *testing.T) {
	t.Parallel()
	odd := strings.Replace(chunk("oDDs", "1234"), "1234", "9999", 1) // wrong checksum
	before := string(pngOf(text("CCV3", "x"), odd, text("Title", "t"),
		chunk("iTXt", "chara\x00\x00\x00\x00\x00x"), chunk("IDAT", "p"), text("chara", "y"))) + "tail"
	c := card.Card{Name: "Bo", Nickname: "B", Extra: rawMembers("own", "1")}
	out, err := card.WritePNG([]byte(before), c)
	if err != nil {
		t.Fatal(err)
	}
	v2Text := mustEncode(t, c, card.V2, card.EncodeOptions{})
	v3Text := mustEncode(t, c, card.V3, card.EncodeOptions{})
	want := string(pngOf(odd, text("Title", "t"), chunk("IDAT", "p"),
		text("chara", v2Text), text("ccv3", v3Text))) + "tail"
	if string(out) != want {
		t.Errorf("got\n%q\nwant\n%q", out, want)
	}

	again, err := card.WritePNG(out, c)
	if err != nil || !bytes.Equal(again, out) {
		t.Errorf("writing twice differs: %v", err)
	}

	// A reader of the older keyword finds all fields too.
	older := strings.Replace(string(out), text("ccv3", v3Text), "", 1)
	f, err := card.Open([]byte(older))
	if err != nil || f.Source != "chara" || f.Card.Spec != card.V2 || f.Card.CharName() != "B" ||
		string(f.Card.Extra["own"]) != "1" {
		t.Errorf("older keyword alone: %+v, %v", f, err)
	}
}

// TestWritePNGEdges shows writing into incomplete pictures.
func TestWritePNGEdges(t *testing.T) {
	t.Parallel()
	whole := picture(t)
	out, err := card.WritePNG(whole[:len(whole)-12], card.Card{Name: "A"})
	if err != nil {
		t.Fatal(err)
	}
	if got := mustDecode(t, out); got.Name != "A" {
		t.Errorf("without end chunk: %+v", got)
	}
	if _, err = png.Decode(bytes.NewReader(out)); err != nil {
		t.Errorf("the picture is broken: %v", err)
	}
	for _, tc := range []struct {
		picture []byte
		err     talewright.Code
	}{
		{whole[:len(whole)-3], "truncated"}, {[]byte("GIF89a"), "not_png"}, {nil, "not_png"},
	} {
		if _, err = card.WritePNG(tc.picture, card.Card{}); errorCode(err) != tc.err {
			t.Errorf("%d bytes: %v, want %s", len(tc.picture), err, tc.err)
		}
	}
	broken := card.Card{Extra: rawMembers("a", "]")}
	if _, err = card.WritePNG(whole, broken); errorCode(err) != "bad_json" {
		t.Errorf("broken raw value: %v", err)
	}
	huge := card.Card{Description: strings.Repeat("x", 16<<20)}
	if _, err = card.WritePNG(whole, huge); errorCode(err) != "too_large" {
		t.Errorf("huge card: %v", err)
	}
}
