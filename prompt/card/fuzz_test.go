package card_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/talewright/talewright/prompt/card"
)

// checkStable fails unless a card that was read can be written in every form and gives the same
// text when it is read again.
func checkStable(t *testing.T, c card.Card) {
	t.Helper()
	if c.Spec == card.V1 {
		// The card's own members may be fields in a later version and are then read leniently.
		// After that the text is stable.
		up, _, err := parsed(card.ParseJSON([]byte(mustEncode(t, c, card.V3, card.EncodeOptions{}))))
		if err != nil {
			return // mandatory members and wrappers reached a limit
		}
		c = up
	}
	for _, spec := range []card.Spec{card.V2, card.V3} {
		for _, opts := range []card.EncodeOptions{{}, {DropNewer: true}} {
			out := mustEncode(t, c, spec, opts)
			again, _, err := parsed(card.ParseJSON([]byte(out)))
			if err != nil {
				if code := errorCode(err); code == "too_large" || code == "too_deep" {
					continue // beyond a limit, as above
				}
				t.Fatalf("V%d %+v is not readable: %v\n%s", spec, opts, err, out)
			}
			if got := mustEncode(t, again, spec, opts); got != out {
				t.Fatalf("V%d %+v changes:\n%s\n%s", spec, opts, out, got)
			}
		}
	}
	out := mustEncode(t, c, card.V1, card.EncodeOptions{DropNewer: true})
	if !json.Valid([]byte(out)) {
		t.Fatalf("V1 is not JSON: %s", out)
	}
	if _, err := json.Marshal(c); err != nil {
		t.Fatal(err)
	}
	if book, ok := c.Book(); ok {
		if _, err := json.Marshal(book); err != nil {
			t.Fatal(err)
		}
	}
	c.DepthPrompt()
	c.Talkativeness()
	c.Favorite()
}

// checkFile fails unless err is an error of this package. It reads all assets.
func checkFile(t *testing.T, data []byte) {
	t.Helper()
	f, err := card.Open(data)
	if err != nil {
		if code := errorCode(err); code == "" || code == "other" {
			t.Fatalf("error without a code: %v", err)
		}
		return
	}
	checkStable(t, f.Card)
	for _, a := range f.Card.AllAssets() {
		if _, err = f.ReadAsset(a); errorCode(err) == "other" {
			t.Fatalf("error without a code: %v", err)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, c := range loadCases(f) {
		if c.JSON != nil {
			f.Add([]byte(*c.JSON))
		}
	}
	f.Add([]byte(`{"name":"A","scenario":"","tags":1,"spec":{},"data":""}`))
	f.Add([]byte(v3("A", `,"source":[1],"assets":{},"character_book":{"entries":{"1":{"id":{}}}}`)))
	f.Add([]byte(v3("\\ud800\xff", `,"tags":"","source":[],"nickname":null,"tags":["\ufffd"]`)))
	f.Add([]byte(`{"entries":{"7":{"position":"after_char","comment":""},"07":{"id":null},"7":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkFile(t, data)
		if b, _, err := parsed(card.ParseBook(data)); err == nil {
			checkBook(t, b)
		}
	})
}

// checkBook fails unless a book that was written is the same after reading.
func checkBook(t *testing.T, b card.Book) {
	t.Helper()
	out, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := parsed(card.ParseBook(out))
	if code := errorCode(err); code == "too_large" || code == "too_deep" {
		return // mandatory members exceeded a limit
	} else if err != nil {
		t.Fatal(err)
	}
	if same, err := json.Marshal(again); err != nil || string(same) != string(out) {
		t.Fatalf("the book changes: %v\n%s\n%s", err, out, same)
	}
}

func FuzzPNG(f *testing.F) {
	for _, c := range loadCases(f) {
		if c.PNG != nil {
			f.Add(fromBase64(f, *c.PNG))
		}
	}
	f.Add(pngOf(chunk("zTXt", "chara\x00\x00"+deflated(v2("A", "")))))
	f.Add(pngOf(text("chara-ext-asset_:a", "x"),
		text("ccv3", assetCard("__asset:a", "data:;base64,eA", "ccdefault:"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !strings.HasPrefix(string(data), signature) {
			data = append([]byte(signature), data...)
		}
		checkFile(t, data)
		out, err := card.WritePNG(data, card.Card{Name: "A"})
		if err != nil {
			if code := errorCode(err); code != "truncated" && code != "too_large" {
				t.Fatal(err)
			}
			return
		}
		if c, _, err := parsed(card.ParsePNG(out)); err != nil || c.Name != "A" {
			t.Fatalf("what was written is not readable: %q, %v", c.Name, err)
		}
	})
}

func FuzzCHARX(f *testing.F) {
	for _, c := range loadCases(f) {
		if c.CHARX != nil {
			f.Add(fromBase64(f, *c.CHARX))
		}
	}
	f.Add(append([]byte("\xff\xd8\xff PK\x03\x04"), zipOf(f, "card.json", v3("A", ""), "card.json",
		"", "../a", "x", "/b", "", `c\d`, "", "e/", "")...))
	f.Add(zipOf(f, "card.json", assetCard("embeded://a/../../b", "embeded://a%2e", "embedded://./a"),
		"a", strings.Repeat("\x00", 1<<12)))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkFile(t, data)
		out, err := card.WriteCHARX(data, card.Card{Name: "A"}, nil)
		if err != nil {
			if errorCode(err) == "other" {
				t.Fatal(err)
			}
			return
		}
		if c, _, err := parsed(card.ParseCHARX(out)); err != nil || c.Name != "A" {
			t.Fatalf("what was written is not readable: %q, %v", c.Name, err)
		}
	})
}

// FuzzBase64 compares the lenient reader, through a PNG, with the strict reader of the standard
// library: input that the strict reader accepts must give the same result.
func FuzzBase64(f *testing.F) {
	f.Add("e30=", 2)
	f.Add("e 3-_", 0)
	f.Fuzz(func(t *testing.T, encoded string, at int) {
		decoded, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || strings.ContainsRune(encoded, 0) || strings.HasPrefix(encoded, "{") {
			return
		}
		plain := strings.NewReplacer("\r", "", "\n", "", "+", "-", "/", "_", "=", "").Replace(encoded)
		at = max(0, min(at, len(plain)))
		file := pngOf(text("chara", v2("A", "")),
			chunk("tEXt", "chara-ext-asset_:a\x00"+plain[:at]+" \n"+plain[at:]))
		opened, err := card.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := opened.ReadAsset(card.Asset{URI: "__asset:a"})
		if err != nil || string(got) != string(decoded) {
			t.Fatalf("%q is %q, %v; want %q", encoded, got, err, decoded)
		}
	})
}
