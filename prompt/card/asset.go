package card

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Asset is a picture, sound or other file that belongs to a card.
type Asset struct {
	// Type is icon, background, user_icon, emotion, or a name of somebody's own
	// that starts with x_. Type, Name and Ext stand as they are in the card, which a
	// stranger wrote: use FileName to store an asset.
	Type string `json:"type"`
	// URI is the address. See Place for what it can be.
	URI string `json:"uri"`
	// Name tells assets of one type apart: main for the main icon, the emotion
	// for an emotion.
	Name string `json:"name"`
	// Ext is the file extension without dot, in lower case.
	Ext string `json:"ext"`
	// Extra holds the members that are none of these, and an unusable value of one
	// of these until that is set.
	Extra map[string]json.RawMessage `json:"-"`
}

// MarshalJSON writes the asset with its Extra members.
func (a Asset) MarshalJSON() ([]byte, error) { return encodeMembers(a.members(), a.Extra) }

// UnmarshalJSON reads an asset like those of a card and drops the problems.
func (a *Asset) UnmarshalJSON(data []byte) error {
	var r reader
	members, ok := r.object("", clean(data))
	if !ok {
		return fail(BadAsset, "an asset is an object with type, uri, name and ext")
	}
	*a = r.asset("", members)
	return nil
}

// members lists the members in the order of writing.
func (a Asset) members() []memberValue {
	return []memberValue{
		{"type", a.Type, a.Type != "", true},
		{"uri", a.URI, a.URI != "", true},
		{"name", a.Name, a.Name != "", true},
		{"ext", a.Ext, a.Ext != "", true},
	}
}

// AllAssets returns the assets of the card: its list, or for a card without one
// the default, which is the picture of its container as main icon. The slice is
// new.
func (c Card) AllAssets() []Asset {
	if c.Assets == nil {
		return []Asset{{Type: "icon", URI: "ccdefault:", Name: "main", Ext: "png"}}
	}
	return append([]Asset{}, c.Assets...)
}

// Asset returns the first asset of a type and name, such as "icon" and "main".
func (c Card) Asset(typ, name string) (Asset, bool) {
	list := c.Assets
	if list == nil {
		list = c.AllAssets()
	}
	for _, a := range list {
		if a.Type == typ && a.Name == name {
			return a, true
		}
	}
	return Asset{}, false
}

// Place says where the data of an asset is.
type Place string

// The places an asset address can name.
const (
	PlaceDefault Place = "default" // ccdefault: the container's own picture
	PlaceArchive Place = "archive" // embeded://path (or embedded://): file in a CHARX
	PlaceChunk   Place = "chunk"   // __asset:path: chunk of an older V3 PNG
	PlaceInline  Place = "inline"  // data: the address itself holds it
	PlaceRemote  Place = "remote"  // http: or https:, never fetched
	PlaceUnknown Place = "unknown" // any other address
)

// Resolve returns where the data of the asset is and, for PlaceArchive and
// PlaceChunk, under which path; otherwise the path is empty. Schemes compare
// without letter case.
func (a Asset) Resolve() (place Place, path string) {
	uri := strings.TrimSpace(a.URI)
	for _, s := range [...]struct {
		prefix string
		place  Place
	}{
		{"embeded://", PlaceArchive}, // spelled so in the specification
		{"embedded://", PlaceArchive},
		{"__asset:", PlaceChunk},
		{"ccdefault:", PlaceDefault},
		{"data:", PlaceInline},
		{"http://", PlaceRemote},
		{"https://", PlaceRemote},
	} {
		if len(uri) < len(s.prefix) || !strings.EqualFold(uri[:len(s.prefix)], s.prefix) {
			continue
		}
		if s.place == PlaceArchive || s.place == PlaceChunk {
			path = uri[len(s.prefix):]
		}
		return s.place, path
	}
	return PlaceUnknown, ""
}

// archivePath returns the cleaned path inside an archive. It refuses absolute
// paths, drive letters and paths that leave the archive.
func archivePath(name string) (string, bool) {
	// Backslashes separate on Windows, where somebody may unpack the archive.
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

// assets reads the list of assets; one object counts as a list of one. Elements
// that are no objects are left out.
func (r *reader) assets(path string, raw json.RawMessage) ([]Asset, bool) {
	elements := []json.RawMessage{raw}
	switch kindOf(raw) {
	case aList:
		elements = elementsOf(raw)
	case anObject:
		r.add(BadType, path, "an object where a list is asked; read as a list of one")
	default:
		r.add(BadType, path, kindOf(raw).String()+" where a list is asked; read as missing")
		return nil, false
	}
	list := make([]Asset, 0, len(elements))
	for i, element := range elements {
		at := member(path, strconv.Itoa(i))
		if members, ok := r.object(at, element); ok {
			list = append(list, r.asset(at, members))
		}
	}
	return list, true
}

// asset reads one asset from its members, which become Extra.
func (r *reader) asset(path string, members map[string]json.RawMessage) Asset {
	at := source{r, path, members}
	a := Asset{
		Type: take(at, "type", (*reader).text),
		URI:  take(at, "uri", (*reader).text),
		Name: take(at, "name", (*reader).text),
		Ext:  take(at, "ext", (*reader).text),
	}
	for _, part := range [...]memberText{{"type", a.Type}, {"name", a.Name}, {"ext", a.Ext}} {
		if isPath(part.text) {
			r.add(BadAssetPath, member(path, part.name), fmt.Sprintf("%.60q is a path, not a %s; "+
				"store the asset under its FileName", part.text, part.name))
		}
	}
	a.Extra = at.rest(a.members())
	return a
}

// memberText is the text of a member.
type memberText struct{ name, text string }

// isPath reports whether a text, joined into the name of a file, would name a file
// elsewhere.
func isPath(s string) bool {
	drive := len(s) > 1 && s[1] == ':'
	return s == "." || s == ".." || drive || strings.ContainsAny(s, "/\\\x00")
}

// FileName returns a name under which the asset can be stored in any file system:
// name and extension of the asset without what leads to another folder, hides the
// file or means something to a system. It is never empty. Two assets may have one
// file name.
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

// The longest parts of a file name, in bytes. Systems allow 255 for the whole.
const (
	maxFileName = 120
	maxFileExt  = 16
)

// deviceNames are no files on Windows, whatever their extension.
var deviceNames = []string{"CON", "PRN", "AUX", "NUL",
	"COM0", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9",
	"LPT0", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9"}

// fileWord keeps the letters and digits of a text, of any script, and the marks
// allowed, up to a number of bytes.
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
