package card_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/card"
)

// The functions of this file build card files byte by byte, without the writers under test.

const signature = "\x89PNG\r\n\x1a\n"

// chunk returns a PNG chunk with a correct checksum.
func chunk(kind, data string) string {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(out, kind+data...)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE([]byte(kind+data))))
}

// text returns a tEXt chunk with the base64 of content.
func text(keyword, content string) string {
	return chunk("tEXt", keyword+"\x00"+base64.StdEncoding.EncodeToString([]byte(content)))
}

// pngOf returns a PNG with the chunks between header and end.
func pngOf(chunks ...string) []byte {
	return []byte(signature + chunk("IHDR", "\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00") +
		strings.Join(chunks, "") + chunk("IEND", ""))
}

// picture returns a real PNG without a card.
func picture(tb testing.TB) []byte {
	tb.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func deflated(content string) string {
	var out bytes.Buffer
	w, err := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	w.Write([]byte(content))
	w.Close()
	return out.String()
}

// zipOf returns an archive of files given as name, content, name, content …
func zipOf(tb testing.TB, files ...string) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			tb.Fatal(err)
		}
		if _, err = f.Write([]byte(files[i+1])); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// v2 and v3 return the JSON of a card with a name and further members of data.
func v2(name, more string) string {
	return `{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"` + name + `"` + more + `}}`
}

func v3(name, more string) string {
	return `{"spec":"chara_card_v3","spec_version":"3.0","data":{"name":"` + name + `"` + more + `}}`
}

// parsed separates the fatal problem of a reader from the other problems.
func parsed[T any](v T, problems talewright.Problems) (T, talewright.Problems, error) {
	if err := problems.Err(); err != nil {
		return v, nil, err
	}
	return v, problems, nil
}

// errorCode returns the code of a *card.Error or of a fatal problem, "" for no error, and "other"
// for an error of a different type.
func errorCode(err error) talewright.Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*card.Error](err); ok {
		return e.Code
	}
	if list, ok := errors.AsType[talewright.Problems](err); ok && len(list) == 1 {
		return list[0].Code
	}
	return "other"
}

func mustDecode(tb testing.TB, data []byte) card.Card {
	tb.Helper()
	c, problems, err := parsed(card.Parse(data))
	if err != nil {
		tb.Fatal(err)
	}
	if len(problems) > 0 {
		tb.Fatalf("unexpected problems: %v", problems)
	}
	return c
}

func mustEncode(tb testing.TB, c card.Card, spec card.Spec, opts card.EncodeOptions) string {
	tb.Helper()
	out, err := card.Encode(c, spec, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return string(out)
}

func fromBase64(tb testing.TB, s string) []byte {
	tb.Helper()
	out, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// zipContent returns a file of an archive.
func zipContent(tb testing.TB, archive []byte, name string) string {
	tb.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		tb.Fatal(err)
	}
	in, err := r.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer in.Close()
	out, err := io.ReadAll(in)
	if err != nil {
		tb.Fatal(err)
	}
	return string(out)
}

// zipWithLink returns an archive with a card and a symbolic link.
func zipWithLink(tb testing.TB, name, target string) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	link := &zip.FileHeader{Name: name}
	link.SetMode(fs.ModeSymlink | 0o777)
	for header, content := range map[*zip.FileHeader]string{
		{Name: "card.json"}: v3("A", ""), link: target,
	} {
		in, err := w.CreateHeader(header)
		if err == nil {
			_, err = in.Write([]byte(content))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}
