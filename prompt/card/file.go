package card

import (
	"archive/zip"
	"bytes"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/talewright/talewright"
)

// Format is the kind of a card file.
type Format string

// The three kinds of card files.
const (
	JSON  Format = "json"
	PNG   Format = "png"
	CHARX Format = "charx"
)

// File is an opened card file. It reads from the bytes given to [Open], which
// must not change meanwhile. Safe for concurrent use.
type File struct {
	Card     Card
	Problems talewright.Problems
	Format   Format
	// Source says which part of the container held the card: "ccv3" or "chara"
	// in a PNG, "card.json" in a CHARX, empty for JSON.
	Source string

	data    []byte
	chunks  map[string]pngChunk // PNG only: files of older cards, by path
	archive *zip.Reader         // CHARX only
	places  map[string]int      // in the archive, by name
}

// Open reads a card like [Decode] and keeps the container open, so that assets
// can be read from it. Nothing needs closing.
func Open(data []byte) (*File, error) {
	if bytes.HasPrefix(data, []byte(pngSignature)) {
		f, err := openPNG(data)
		if e, ok := errors.AsType[*Error](err); ok && e.Code == NoCard {
			// The picture may be the cover of an archive that was appended to it.
			if appended, errZIP := openCHARX(data); errZIP == nil {
				return appended, nil
			}
		}
		return f, err
	}
	if text := trimStart(data); len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		c, problems, err := DecodeJSON(data)
		if err != nil {
			return nil, err
		}
		return &File{Card: c, Problems: problems, Format: JSON, data: data}, nil
	}
	f, err := openCHARX(data)
	if e, ok := errors.AsType[*Error](err); ok && e.Code == NotZIP {
		return nil, fail(NotACard, "this is neither a PNG picture nor a CHARX archive nor JSON. "+
			"Choose a file that was exported as character card")
	}
	return f, err
}

// ReadAsset returns the content of an asset of the card, in a slice of its own.
//
// From a PNG it reads the default asset (the picture itself) and those in
// chunks, from a CHARX those in the archive, from any file those whose address
// holds the data. Limits are those of the container; unpacking stops as soon as
// it is out of proportion to the packed size.
//
// Errors: [RemoteAsset] for http addresses, which are never fetched;
// [MissingAsset] if the file does not have it; [BadAssetPath]; [BadAsset] for an
// address or content that cannot be understood; [TooLarge], [Encrypted],
// [Damaged].
func (f *File) ReadAsset(a Asset) ([]byte, error) {
	place, path := a.Resolve()
	switch place {
	case PlaceDefault:
		if f.Format == PNG {
			return slices.Clone(f.data), nil
		}
		return nil, failAt(MissingAsset, a.URI, "the card uses the picture of its container, "+
			"but the container is no picture. Choose a picture for it")
	case PlaceArchive:
		return f.readArchived(path)
	case PlaceChunk:
		if f.Format != PNG {
			return nil, missing(path)
		}
		return f.readChunked(path)
	case PlaceInline:
		return readDataURI(a.URI)
	case PlaceRemote:
		return nil, failAt(RemoteAsset, a.URI, "the asset is on another computer and is not "+
			"fetched. Download it yourself if you trust the address")
	}
	return nil, failAt(BadAsset, a.URI, "nothing is known about this kind of address. "+
		"Ask the author for the file")
}

// readArchived reads a file of the archive by the path of an asset.
func (f *File) readArchived(name string) ([]byte, error) {
	clean, ok := archivePath(name)
	if !ok {
		return nil, failAt(BadAssetPath, name, "the path leaves the archive. "+
			"Do not trust this file")
	}
	if f.archive == nil {
		return nil, missing(name)
	}
	at, exact := f.places[name]
	if i, cleaned := f.places[clean]; cleaned && (!exact || i < at) {
		at, exact = i, true
	}
	if !exact {
		return nil, missing(name)
	}
	content, _, err := unpack(f.archive.File[at], maxUnpacked)
	return content, err
}

// missing returns the error for an asset that the file should bring along.
func missing(path string) *Error {
	return failAt(MissingAsset, path, "the file does not hold this asset. "+
		"Ask the author for the complete file")
}

// readDataURI decodes data:[type][;base64],content.
func readDataURI(uri string) ([]byte, error) {
	head, content, ok := strings.Cut(strings.TrimSpace(uri), ",")
	if ok && strings.HasSuffix(strings.ToLower(head), ";base64") {
		if decoded, err := decodeBase64([]byte(content)); err == nil {
			return decoded, nil
		}
	} else if ok {
		if decoded, err := url.PathUnescape(content); err == nil {
			return []byte(decoded), nil
		}
	}
	return nil, failAt(BadAsset, head, "the asset in the card is not readable. "+
		"Export the card again")
}
