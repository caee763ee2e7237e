package card

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"
)

// Asset is a picture, sound or other file that belongs to a card.
type Asset struct {
	// Type is icon, background, user_icon, emotion, or a name of somebody's own
	// that starts with x_.
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
	a.Extra = at.rest(a.members())
	return a
}
