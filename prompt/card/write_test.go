package card_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/prompt/card"
)

// leaves maps the path of every text, number, boolean, null and empty list or object of a JSON
// value to its spelling; texts are unquoted. Two JSON texts with the same leaves differ only in
// blanks, in the order of members and in escapes.
func leaves(path string, v gjson.Result, found map[string]string) map[string]string {
	container, index := v.IsObject() || v.IsArray(), 0
	switch {
	case v.Type == gjson.String:
		found[path] = "text " + v.Str
	case !container:
		found[path] = v.Raw
	case v.Get("#").Int() == 0 && len(v.Map()) == 0:
		found[path] = v.Raw[:1]
	default:
		v.ForEach(func(k, element gjson.Result) bool {
			name := k.String()
			if v.IsArray() {
				name = strconv.Itoa(index)
			}
			index++
			leaves(path+"."+name, element, found)
			return true
		})
	}
	return found
}

// changes lists the differences between two JSON texts: "+path" for an added leaf, "-path" for a
// removed leaf, "path" for a leaf with a different value.
func changes(before, after []byte) []string {
	old := leaves("", gjson.ParseBytes(before), map[string]string{})
	now := leaves("", gjson.ParseBytes(after), map[string]string{})
	var list []string
	for path, value := range old {
		switch got, ok := now[path]; {
		case !ok:
			list = append(list, "-"+path)
		case got != value:
			list = append(list, path)
		}
	}
	for path := range now {
		if _, ok := old[path]; !ok {
			list = append(list, "+"+path)
		}
	}
	slices.Sort(list)
	return list
}

// added lists, for the real cards, all differences after reading and writing in the card's own
// version: mandatory members that the file does not have. JSON texts are equal here if they have
// the same members, the same texts and the same spelling of numbers. Blanks, escapes and the order
// of members are ignored.
var added = map[string][]string{
	"tavernkit_with_lorebook.charx": {"+.data.extensions"},
	"tavernkit_with_lorebook.json":  {"+.data.group_only_greetings"},
}

// addedToBook lists the same for a lorebook that was read and written with [card.Book].
var addedToBook = map[string][]string{
	"st_seraphina.png": {"+.data.character_book.extensions"},
	"tavernkit_full_v2.json": {"+.data.character_book.extensions",
		"+.data.character_book.entries.0.extensions", "+.data.character_book.entries.0.use_regex"},
	"tavernkit_full_v3.json": {"+.data.character_book.extensions",
		"+.data.character_book.entries.0.extensions"},
	"tavernkit_v3_st_export_like.json": {"+.data.character_book.entries.0.use_regex"},
	"tavernkit_with_lorebook.json": {"+.data.character_book.entries.0.use_regex",
		"+.data.character_book.entries.1.use_regex"},
}

// TestRealCardsEqual shows that reading and writing a real card gives an equal file (PR-10). The
// JSON is equal. A PNG has the same bytes in all other chunks and after IEND. An archive has the
// same packed bytes of all other files.
func TestRealCardsEqual(t *testing.T) {
	t.Parallel()
	for name, data := range realCards(t) {
		f, err := card.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		source := cardText(t, f, data)
		out := mustEncode(t, f.Card, f.Card.Spec, card.EncodeOptions{})
		if diff := cmp.Diff(added[name], changes(source, []byte(out))); diff != "" {
			t.Errorf("%s: differences (-known +found):\n%s", name, diff)
		}
		checkEdit(t, name, data, f, source)
	}
}

// checkEdit changes one field of a card and one of its lorebook, writes the file again and fails if
// anything else has changed.
func checkEdit(t *testing.T, name string, data []byte, f *card.File, source []byte) {
	t.Helper()
	c := f.Card
	c.Scenario += " Edited."
	root := "."
	if c.Spec > card.V1 {
		root = ".data."
	}
	want := append([]string{root + "scenario"}, added[name]...)
	if slices.Contains(c.RootCopies, "scenario") {
		want = append(want, ".scenario")
	}
	if book, ok := c.Book(); ok && len(book.Entries) > 0 {
		book.Entries[0].Content += " Edited."
		raw, err := book.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		c.CharacterBook = raw
		want = append(want, ".data.character_book.entries.0.content")
		want = append(want, addedToBook[name]...)
	}
	slices.Sort(want)
	var file []byte
	var err error
	switch f.Format {
	case card.PNG:
		file, err = card.WritePNG(data, c)
		if diff := cmp.Diff(otherChunks(data), otherChunks(file)); diff != "" {
			t.Errorf("%s: chunks (-want +got):\n%s", name, diff)
		}
	case card.CHARX:
		file, err = card.WriteCHARX(data, c, nil)
		if diff := cmp.Diff(otherFiles(t, data), otherFiles(t, file)); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", name, diff)
		}
	default:
		file, err = card.Encode(c, c.Spec, card.EncodeOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := card.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	// A PNG always has the V2 and the V3 form.
	text := mustEncode(t, again.Card, f.Card.Spec,
		card.EncodeOptions{DropNewer: f.Card.Spec == card.V1})
	if diff := cmp.Diff(want, changes(source, []byte(text))); diff != "" {
		t.Errorf("%s: changed (-want +got):\n%s", name, diff)
	}
}

// otherChunks lists the whole chunks of a PNG without a card, and the bytes after them.
func otherChunks(file []byte) []string {
	var list []string
	at := len(signature)
	for at < len(file) {
		n := int(binary.BigEndian.Uint32(file[at:])) + 12
		c := string(file[at : at+n])
		if key := strings.ToLower(c[8:min(14, n)]); !strings.HasPrefix(key, "ccv3\x00") &&
			!strings.HasPrefix(key, "chara\x00") {
			list = append(list, c)
		}
		at += n
		if c[4:8] == "IEND" {
			break
		}
	}
	return append(list, string(file[at:]))
}

// otherFiles returns all files of an archive except the card.
func otherFiles(t *testing.T, archive []byte) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range zipNames(t, archive) {
		files[name] = zipContent(t, archive, name)
	}
	delete(files, "card.json")
	return files
}

// TestChunksStay shows that WritePNG moves only the card: animation, colour, text and unknown
// chunks, and bytes after the end, stay (PR-10).
func TestChunksStay(t *testing.T) {
	t.Parallel()
	others := []string{
		chunk("acTL", "\x00\x00\x00\x02\x00\x00\x00\x00"), chunk("fcTL", strings.Repeat("\x00", 26)),
		chunk("tEXt", "Title\x00chara"), chunk("IDAT", "x"), chunk("fdAT", "\x00\x00\x00\x01y"),
		chunk("prVt", ""), chunk("zTXt", "Comment\x00\x00"+deflated("hi")),
	}
	var chunks []string
	for i, c := range others {
		chunks = append(chunks, c, text([]string{"chara", "CCV3", "Chara", "ccv3"}[i%4], v2("Old", "")))
	}
	file := append(pngOf(chunks...), "behind"+chunk("tEXt", "chara\x00")...)
	out, err := card.WritePNG(file, card.Card{Name: "New"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(otherChunks(file), otherChunks(out)); diff != "" {
		t.Errorf("chunks (-want +got):\n%s", diff)
	}
	if n := bytes.Count(out, []byte("chara\x00")); n != 2 { // one is after the end
		t.Errorf("%d chara chunks", n)
	}
	if c := mustDecode(t, out); c.Name != "New" {
		t.Errorf("name is %q", c.Name)
	}
	again, err := card.WritePNG(out, card.Card{Name: "New"})
	if err != nil || !bytes.Equal(again, out) {
		t.Errorf("writing the same again changes the file: %v", err)
	}
}

// TestArchiveStays shows that WriteCHARX keeps the bytes before an archive, its comment, and files
// as they are packed.
func TestArchiveStays(t *testing.T) {
	t.Parallel()
	front := append([]byte("\xff\xd8\xff JPEG PK\x03\x04 "), pngOf()...)
	old := append(bytes.Clone(front), zipOf(t, "card.json", v3("Old", ""), "a.png", "pixels",
		"b/card.json", "another")...)
	out, err := card.WriteCHARX(old, card.Card{Name: "New"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(out, front) {
		t.Error("what stood in front is gone")
	}
	if diff := cmp.Diff(otherFiles(t, old), otherFiles(t, out)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if c := mustDecode(t, out); c.Name != "New" {
		t.Errorf("name is %q", c.Name)
	}
	again, err := card.WriteCHARX(out, card.Card{Name: "New"}, nil)
	if err != nil || !bytes.Equal(again, out) {
		t.Errorf("writing the same again changes the file: %v", err)
	}
}

// TestNullsAndEmpty shows the handling of members without a value: optional ones stay as they are,
// mandatory ones get the default value.
func TestNullsAndEmpty(t *testing.T) {
	t.Parallel()
	in := `{"spec":"chara_card_v3","spec_version":"3.0","data":{"name":"A","description":null,` +
		`"nickname":null,"source":[],"creation_date":0,"assets":[{"type":"icon","uri":null}],` +
		`"group_only_greetings":null,"character_book":{"name":"","scan_depth":null,"extensions":{},` +
		`"entries":[{"keys":[],"content":"","comment":"","id":null,"enabled":true,` +
		`"constant":false,"secondary_keys":[],"position":"after_char","priority":null}]}}}`
	c, problems, err := parsed(card.ParseJSON([]byte(in)))
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	book, _ := c.Book()
	if c.CharacterBook, err = book.MarshalJSON(); err != nil {
		t.Fatal(err)
	}
	found := changes([]byte(in), []byte(mustEncode(t, c, card.V3, card.EncodeOptions{})))
	found = slices.DeleteFunc(found, func(path string) bool { return path[0] == '+' })
	want := []string{".data.assets.0.uri", ".data.description", ".data.group_only_greetings"}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
}
