package card_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/card"
)

// assetCard returns a V3 card with assets at the given addresses.
func assetCard(uris ...string) string {
	var list []string
	for _, uri := range uris {
		list = append(list, `{"type":"x_a","name":"n","ext":"png","uri":"`+uri+`"}`)
	}
	return v3("Zed", `,"assets":[`+strings.Join(list, ",")+`]`)
}

// TestCHARX shows valid and invalid archives (PR-10).
func TestCHARX(t *testing.T) {
	t.Parallel()
	good := zipOf(t, "a/b.png", "pixels", "card.json", assetCard("embeded://a/b.png"))
	badCRC := bytes.Clone(good)
	at := bytes.LastIndex(badCRC, []byte("card.json")) - 30 // checksum in the directory
	badCRC[at] ^= 0xff
	encrypted := bytes.Clone(good)
	encrypted[bytes.LastIndex(encrypted, []byte("card.json"))-46+8] |= 1
	badMethod := bytes.Clone(good)
	badMethod[bytes.LastIndex(badMethod, []byte("card.json"))-46+10] = 99

	for _, tc := range []struct {
		reason string
		file   []byte
		codes  []talewright.Code
		err    talewright.Code
	}{
		{reason: "plain", file: good},
		{reason: "appended to another file", file: append([]byte("\xff\xd8\xffJPEG"), good...)},
		{reason: "wrong checksum", file: badCRC, codes: []talewright.Code{"bad_crc"}},
		{reason: "encrypted", file: encrypted, err: "encrypted"},
		{reason: "unknown packing", file: badMethod, err: "damaged"},
		{reason: "cut off", file: good[:len(good)-9], err: "not_zip"},
		{reason: "nothing", err: "not_zip"},
		{reason: "empty archive", file: zipOf(t), err: "no_card"},
		{reason: "the card is not at the root", file: zipOf(t, "x/card.json", v3("A", "")),
			err: "no_card"},
		{reason: "the card is no JSON", file: zipOf(t, "card.json", "hi"), err: "bad_json"},
		{reason: "a V2 card, with byte order mark", file: zipOf(t, "card.json", "\ufeff"+v2("Zed", ""))},
		{reason: "two cards: the first one", file: zipOf(t, "card.json", v3("Zed", ""), "card.json",
			v3("Other", "")), codes: []talewright.Code{"duplicate"}},
		{reason: "assets in the order of the list",
			file: zipOf(t, "card.json", assetCard("embeded://none.png", "embedded:///etc/passwd",
				"embeded://a/../../b", "EMBEDED://x", `embeded://c:\\x`, `embeded://..\\x`,
				"embeded://", "https://a.invalid", "ccdefault:", "data:,", "__asset:x")),
			codes: []talewright.Code{"missing_asset", "bad_asset_path", "bad_asset_path",
				"missing_asset", "bad_asset_path", "bad_asset_path", "bad_asset_path"}},
		{reason: "an escaped path", file: zipOf(t, "b 1.png", "p", "card.json", assetCard("embeded://b%201.png"))},
		{reason: "a path that turns round inside", file: zipOf(t, "b.png", "p",
			"card.json", assetCard("embeded://a/../b.png", "embeded://./b.png"))},
	} {
		c, problems, err := parsed(card.ParseCHARX(tc.file))
		if got := errorCode(err); got != tc.err {
			t.Errorf("%s: error code %q, want %q (%v)", tc.reason, got, tc.err, err)
			continue
		}
		if diff := cmp.Diff(tc.codes, codes(problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", tc.reason, diff)
		}
		if tc.err == "" && c.Name != "Zed" {
			t.Errorf("%s: name is %q", tc.reason, c.Name)
		}
	}
}

// TestArchivedAssets shows reading from the archive.
func TestArchivedAssets(t *testing.T) {
	t.Parallel()
	file := zipOf(t, "a/b.png", "pixels", "a/笑 1.png", "smile", "a/50%.png", "half", "a/1%20.png", "escaped", `./b\c.png`, "packed elsewhere", "d/", "", "card.json", v3("A", ""))
	f, err := card.Open(file)
	if err != nil || f.Format != card.CHARX || f.Source != "card.json" {
		t.Fatalf("%+v, %v", f, err)
	}
	for _, tc := range []struct {
		uri, want string
		err       talewright.Code
	}{
		{uri: "embeded://a/b.png", want: "pixels"},
		{uri: "embedded://a//x/../b.png", want: "pixels"},
		{uri: "embeded://A/b.png", err: "missing_asset"},
		{uri: "embeded://../a/b.png", err: "bad_asset_path"},
		{uri: "embeded:///a/b.png", err: "bad_asset_path"},
		{uri: "embeded://a/%E7%AC%91%201.png", want: "smile"},
		{uri: "embeded://a/笑 1.png", want: "smile"},
		{uri: "embeded://a/50%.png", want: "half"},
		{uri: "embeded://a/1%20.png", want: "escaped"},
		{uri: "embeded://a/b%252Epng", err: "missing_asset"},
		{uri: "embeded://b/c.png", want: "packed elsewhere"},
		{uri: "embeded://d", err: "missing_asset"},
		{uri: "embeded://%2e%2e/a/b.png", err: "bad_asset_path"},
		{uri: "embeded://%2Fa/b.png", err: "bad_asset_path"},
		{uri: "ccdefault:", err: "missing_asset"},
		{uri: "__asset:a/b.png", err: "missing_asset"},
	} {
		got, err := f.ReadAsset(card.Asset{URI: tc.uri})
		if string(got) != tc.want || errorCode(err) != tc.err {
			t.Errorf("%q: %q, %v; want %q, %q", tc.uri, got, err, tc.want, tc.err)
		}
	}
	// JSON has no archive.
	f, err = card.Open([]byte(v3("A", "")))
	if err != nil || f.Format != card.JSON {
		t.Fatalf("%+v, %v", f, err)
	}
	for _, uri := range []string{"embeded://a", "__asset:a", "ccdefault:"} {
		if _, err = f.ReadAsset(card.Asset{URI: uri}); errorCode(err) != "missing_asset" {
			t.Errorf("%q from JSON: %v", uri, err)
		}
	}
}

// TestAssetList shows the default list and the search in it.
func TestAssetList(t *testing.T) {
	t.Parallel()
	var c card.Card
	a, ok := c.Asset("icon", "main")
	if !ok || a.URI != "ccdefault:" || a.Ext != "png" {
		t.Errorf("default icon: %+v, %v", a, ok)
	}
	c.Assets = []card.Asset{}
	if _, ok = c.Asset("icon", "main"); ok || len(c.AllAssets()) != 0 {
		t.Error("an empty list is not the default one")
	}
}

// TestDetect shows how Decode distinguishes kinds of files.
func TestDetect(t *testing.T) {
	t.Parallel()
	archive := zipOf(t, "card.json", v3("Zip", ""))
	for _, tc := range []struct {
		reason string
		file   []byte
		name   string
		err    talewright.Code
	}{
		{reason: "JSON", file: []byte("\ufeff " + v2("J", "")), name: "J"},
		{reason: "a list is JSON", file: []byte("[]"), err: "not_a_card"},
		{reason: "PNG", file: pngOf(text("chara", v2("P", ""))), name: "P"},
		{reason: "archive", file: archive, name: "Zip"},
		{reason: "archive behind a JPEG", file: append([]byte("\xff\xd8\xff"), archive...), name: "Zip"},
		{reason: "archive behind a PNG", file: append(pngOf(), archive...), name: "Zip"},
		{reason: "archive behind a PNG with a card of its own", name: "P",
			file: append(pngOf(text("chara", v2("P", ""))), archive...)},
		{reason: "PNG without a card", file: pngOf(), err: "no_card"},
		{reason: "archive whose end is missing", file: archive[:len(archive)/2], err: "not_zip"},
		{reason: "something else", file: []byte("GIF89a"), err: "not_a_card"},
		{reason: "nothing", err: "not_a_card"},
		{reason: "archive without a card", file: zipOf(t, "a", "b"), err: "no_card"},
	} {
		c, _, err := parsed(card.Parse(tc.file))
		if c.Name != tc.name || errorCode(err) != tc.err {
			t.Errorf("%s: %q, %v; want %q, %q", tc.reason, c.Name, err, tc.name, tc.err)
		}
	}
}

// TestWriteCHARX shows a new archive and a changed one.
func TestWriteCHARX(t *testing.T) {
	t.Parallel()
	c := card.Card{Name: "A", Assets: []card.Asset{
		{Type: "icon", URI: "embeded://assets/icon/images/main.png", Name: "main", Ext: "png"}}}
	files := []card.AssetFile{{Path: "assets/icon/images/main.png", Data: []byte("pixels")},
		{Path: "notes.txt", Data: []byte("n")}}
	out, err := card.WriteCHARX(nil, c, files)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := card.WriteCHARX(nil, c, files); !bytes.Equal(out, again) {
		t.Error("the same call gives another archive")
	}
	c.Name = "B"
	out, err = card.WriteCHARX(out, c, []card.AssetFile{{Path: "notes.txt", Data: []byte("new")}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := card.Open(out)
	if err != nil || f.Card.Name != "B" || len(f.Problems) > 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	for uri, want := range map[string]string{
		"embeded://assets/icon/images/main.png": "pixels", "embeded://notes.txt": "new",
	} {
		if got, err := f.ReadAsset(card.Asset{URI: uri}); string(got) != want {
			t.Errorf("%s is %q, %v, want %q", uri, got, err, want)
		}
	}
	names := zipNames(t, out)
	want := []string{"card.json", "assets/icon/images/main.png", "notes.txt"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}

	for _, path := range []string{"", "/a", "../a", "a/../b", "a/", `a\b`, "c:/x", "card.json", "."} {
		_, err = card.WriteCHARX(nil, c, []card.AssetFile{{Path: path}})
		if errorCode(err) != "bad_asset_path" {
			t.Errorf("path %q: %v", path, err)
		}
	}
	twice := []card.AssetFile{{Path: "a"}, {Path: "a"}}
	if _, err = card.WriteCHARX(nil, c, twice); errorCode(err) != "bad_asset_path" {
		t.Errorf("a path twice: %v", err)
	}
	if _, err = card.WriteCHARX([]byte("x"), c, nil); errorCode(err) != "not_zip" {
		t.Errorf("no archive: %v", err)
	}
	c.Extra = rawMembers("a", "]")
	if _, err = card.WriteCHARX(nil, c, nil); errorCode(err) != "bad_json" {
		t.Errorf("broken raw value: %v", err)
	}
}

func zipNames(t *testing.T, archive []byte) []string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range r.File {
		names = append(names, f.Name)
	}
	return names
}
