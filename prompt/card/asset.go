package card

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Asset is a picture, sound or other file that belongs to a card.
type Asset struct {
	// Type is icon, background, user_icon, emotion, or a name of a different program that starts
	// with x_. Type, Name and Ext are as written in the card, by an unknown author: use FileName to
	// store an asset.
	Type string `json:"type"`
	// URI is the address. See [Asset.Resolve] for the possible forms.
	URI string `json:"uri"`
	// Name distinguishes assets of one type: main for the main icon, the emotion for an emotion.
	Name string `json:"name"`
	// Ext is the file extension without dot, in lower case.
	Ext string `json:"ext"`
	// Extra has the other members. It also keeps an unusable value of one of these fields until the
	// field is set.
	Extra map[string]json.RawMessage `json:"-"`
}

// Place says where the data of an asset is. [File.ReadAsset] reads all except remote and unknown.
//
// Its values:
//
//   - default: ccdefault, the container's own picture
//   - archive: embeded://path (or embedded://), a file in a CHARX
//   - chunk: __asset:path, a chunk of an older V3 PNG
//   - inline: data, the address itself contains the data
//   - remote: http: or https:, never fetched
//   - unknown: any other address
type Place string

// The kinds of asset addresses.
const (
	placeDefault Place = "default"
	placeArchive Place = "archive"
	placeChunk   Place = "chunk"
	placeInline  Place = "inline"
	placeRemote  Place = "remote"  // http: or https:, never fetched
	placeUnknown Place = "unknown" // any other address
)

// Resolve returns where the data of the asset is. For archive and chunk it also returns the
// path; otherwise the path is empty. Schemes are compared without letter case.
func (a Asset) Resolve() (place Place, path string) {
	uri := strings.TrimSpace(a.URI)
	for _, s := range [...]struct {
		prefix string
		place  Place
	}{
		{"embeded://", placeArchive}, // the specification spells it so
		{"embedded://", placeArchive},
		{"__asset:", placeChunk},
		{"ccdefault:", placeDefault},
		{"data:", placeInline},
		{"http://", placeRemote},
		{"https://", placeRemote},
	} {
		if len(uri) < len(s.prefix) || !strings.EqualFold(uri[:len(s.prefix)], s.prefix) {
			continue
		}
		if s.place == placeArchive || s.place == placeChunk {
			path = uri[len(s.prefix):]
		}
		return s.place, path
	}
	return placeUnknown, ""
}

// archivePath returns the cleaned path inside an archive. It refuses absolute
// paths, drive letters and paths that leave the archive.
func archivePath(name string) (string, bool) {
	// Backslashes separate on Windows, where the archive may be unpacked.
	name = strings.ReplaceAll(name, `\`, "/")
	drive := len(name) > 1 && name[1] == ':'
	if name == "" || name[0] == '/' || drive || strings.ContainsRune(name, 0) {
		return "", false
	}
	name = path.Clean(name)
	if name == "." || name == ".." || strings.HasPrefix(name, "../") {
		return "", false
	}
	return name, true
}

// FileName returns a name under which the asset can be stored in any file system. It is the name
// and extension of the asset without parts that lead to a different folder, hide the file or have a
// special meaning for a system. It is never empty. Two assets may have the same file name.
func (a Asset) FileName() string {
	name := fileWord(a.Name, maxFileName, "-_ ()'")
	base, _, _ := strings.Cut(name, " ")
	if name == "" || slices.Contains(deviceNames, strings.ToUpper(base)) {
		name = strings.TrimRight("asset_"+name, "_")
	}
	if ext := strings.ToLower(fileWord(a.Ext, maxFileExt, "")); ext != "" {
		return name + "." + ext
	}
	return name
}

// The longest parts of a file name, in bytes. Systems allow 255 for the whole name.
const (
	maxFileName = 120
	maxFileExt  = 16
)

// deviceNames are not file names on Windows, with any extension.
var deviceNames = []string{"CON", "PRN", "AUX", "NUL",
	"COM0", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9",
	"LPT0", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9"}

// fileWord keeps the letters and digits of a text, of any script, and the allowed marks, up to a
// number of bytes.
func fileWord(s string, most int, marks string) string {
	var out strings.Builder
	for _, c := range s {
		ok := c != unicode.ReplacementChar && (unicode.IsLetter(c) || unicode.IsDigit(c) ||
			unicode.IsMark(c) || strings.ContainsRune(marks, c))
		if !ok {
			continue
		}
		if out.Len()+utf8.RuneLen(c) > most {
			break
		}
		out.WriteRune(c)
	}
	return strings.Trim(out.String(), " ")
}
