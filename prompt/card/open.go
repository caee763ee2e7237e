package card

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/talewright/talewright"
)

// Open reads a card like [Parse] and keeps the container, so that assets can be read from it. The
// File does not have to be closed. Errors are of type [*Error].
func Open(data []byte) (*File, error) {
	if bytes.HasPrefix(data, []byte(pngSignature)) {
		f, err := openPNG(data)
		if e, ok := errors.AsType[*Error](err); ok && e.Code == codeNoCard {
			// The picture may be the cover of an archive that was appended to it.
			if appended, errZIP := openCHARX(data); errZIP == nil {
				return appended, nil
			}
		}
		return f, err
	}
	if text := trimStart(data); len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		c, problems, err := decodeJSON(data)
		if err != nil {
			return nil, err
		}
		return &File{Card: c, Problems: problems, Format: JSON, data: data}, nil
	}
	f, err := openCHARX(data)
	if e, ok := errors.AsType[*Error](err); ok && e.Code == codeNotZIP {
		if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
			return nil, fail(codeNotACard, "this is a text in UTF-16. Save it as UTF-8")
		}
		if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
			return nil, fail(codeNotZIP, "this is the beginning of an archive, whose end is missing. Download it again, completely")
		}
		return nil, fail(codeNotACard, "this is neither a PNG picture nor a CHARX archive nor JSON. "+
			"Choose a file that was exported as character card")
	}
	return f, err
}

// ReadAsset returns the content of an asset of the card in a new slice.
//
// From a PNG it reads the default asset (the picture itself) and assets in chunks. From a CHARX it
// reads the assets in the archive. From any file it reads assets whose address contains the data.
// The limits of the container apply. Unpacking stops as soon as the size is out of proportion to
// the packed size.
//
// Errors: "remote_asset" for http addresses, which are never fetched. "missing_asset" if the file
// does not have the asset. "bad_asset_path". "bad_asset" for an unreadable address or content.
// "too_large", "encrypted", "damaged".
func (f *File) ReadAsset(a Asset) ([]byte, error) {
	place, path := a.Resolve()
	switch place {
	case placeDefault:
		if f.Format == PNG {
			return slices.Clone(f.data), nil
		}
		return nil, failAt(codeMissingAsset, a.URI, "the card uses the picture of its container, "+
			"but the container is not a picture. Choose a picture for it")
	case placeArchive:
		return f.readArchived(path)
	case placeChunk:
		if f.Format != PNG {
			return nil, noAsset(path)
		}
		return f.readChunked(path)
	case placeInline:
		return readDataURI(a.URI)
	case placeRemote:
		return nil, failAt(codeRemoteAsset, a.URI, "the asset is on a different computer and is not "+
			"fetched. Download it yourself if you trust the address")
	}
	return nil, failAt(codeBadAsset, a.URI, "nothing is known about this kind of address. "+
		"Ask the author for the file")
}

// readArchived reads a file of the archive by the path of an asset.
func (f *File) readArchived(name string) ([]byte, error) {
	at, inside, found := findAsset(f.places, name)
	if !inside {
		return nil, failAt(codeBadAssetPath, name, "the path leaves the archive. "+
			"Do not trust this file")
	}
	if f.archive == nil || !found {
		return nil, noAsset(name)
	}
	content, _, err := unpack(f.archive.File[at], maxUnpacked)
	return content, err
}

// noAsset returns the error for an asset that the file should contain.
func noAsset(path string) *Error {
	return failAt(codeMissingAsset, path, "the file does not contain this asset. "+
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
	return nil, failAt(codeBadAsset, head, "the asset in the card is not readable. "+
		"Export the card again")
}

// readChunked reads a file that is stored in a chunk of an older V3 card.
func (f *File) readChunked(path string) (content []byte, err error) {
	found, ok := f.chunks[path]
	if plain, err := url.PathUnescape(path); !ok && err == nil {
		found, ok = f.chunks[plain]
	}
	if !ok {
		return nil, noAsset(path)
	}
	text, err := chunkText(found)
	if err != nil {
		return nil, err
	}
	content, err = decodeBase64(text)
	if err != nil {
		return nil, failAt(codeBadAsset, path, "the asset in the picture is not base64. "+
			"Export the card again")
	}
	return content, nil
}

// Parse reads a character card from a file of any kind: PNG, CHARX or JSON. Use [Open] to reach its
// pictures as well.
//
// The kind is detected from the content, in this order: the PNG signature, a text that starts with
// { or [, a ZIP archive at the end of the file. If a PNG has no card in its chunks but ends in an
// archive with a card, the archive is read.
//
// If there is no card, the list has one fatal problem, which is the [*Error] of Open. All other
// problems mean that the card was read. Their order is described in the package comment.
//
// Of a PNG, Parse reads the first chunk with the keyword ccv3. If that chunk is missing or cannot be
// read (problem "bad_chunk"), it reads the first chunk with the keyword chara. Keywords are compared
// without letter case. Chunks of the types tEXt, zTXt and iTXt are read, before or after the image
// data. The content decides the version. The text is base64 of JSON; line breaks, missing padding
// and the URL alphabet are accepted. Plain JSON is accepted too (problem "not_base64"). "bad_crc"
// reports a wrong checksum of any chunk, "no_iend" a missing end chunk, "damaged_picture" a picture
// that is damaged after a chunk with a card. Fatal: "truncated" for a picture that is damaged before
// any card, "no_card", "too_large", "damaged" for a compressed text that cannot be unpacked.
//
// A CHARX archive is a ZIP file with card.json at its root. It may be appended to a different file,
// such as a picture. The assets of the archive are checked, in the order of the list.
// "bad_asset_path" reports a path that is absolute or leaves the archive. "missing_asset" reports a
// path that does not exist. "bad_crc" reports a wrong checksum of card.json. If several files have
// one name, the first is used; for card.json this is the problem "duplicate". Fatal: "not_zip",
// "no_card", "encrypted", "too_large", "damaged".
//
// In JSON, the first rule that applies counts:
//
//  1. No spec and a list or an object entries, but no text of a character except the description:
//     fatal, "is_lorebook".
//  2. spec "chara_card_v2" or "chara_card_v3" and an object data: V2, V3. Members next to data are
//     kept and ignored.
//  3. No spec but an object data: V2, problem "no_spec".
//  4. A name and an object persona: a character of Agnai, read as V2. The persona is the description,
//     and Agnai's description becomes the notes.
//  5. A name and at least one other V1 field at the root: V1.
//  6. spec "lorebook_v3": fatal, "is_lorebook".
//  7. Anything else: fatal, "not_a_card".
//
// "bad_text" reports bytes that are not UTF-8, "duplicate" a member that an object has twice. A
// byte order mark is skipped. "in_list" reports a card that is the one element of a list, and
// "mended_json" comments and commas before closing brackets, which are skipped. "newer_version"
// reports a spec_version above 3.0. "bad_version" reports a spec_version that is not a decimal number.
// The card is read in both cases. A missing or empty spec_version is not a problem. Fatal: "bad_json",
// "too_large", "too_deep".
func Parse(data []byte) (Card, talewright.Problems) {
	f, err := Open(data)
	if err != nil {
		return Card{}, fatal(err)
	}
	return f.Card, f.Problems
}

func openPNG(data []byte) (*File, error) {
	f := &File{Format: PNG, data: data, chunks: map[string]pngChunk{}}
	// All chunks are listed before any is read, because the preferred chunk may come after the
	// other. A file that is cut off before any card is refused as such.
	var r report
	v3, v2, err := f.collect(&r)
	if err != nil {
		return nil, err
	}
	if v3.raw == nil && v2.raw == nil {
		return nil, fail(codeNoCard, "this picture has no character card. Use the original file: "+
			"chats and picture sites often remove the card from it")
	}
	if v3.raw != nil {
		if err = f.readChunk(v3, keywordV3, &r); err == nil {
			return f, nil
		}
		if v2.raw == nil {
			return nil, err
		}
		r.add(codeBadChunk, fmt.Sprintf("@%d", v3.start), "the ccv3 chunk cannot be read; "+
			"the chara chunk was used: "+err.Error())
	}
	if err = f.readChunk(v2, keywordV2, &r); err != nil {
		return nil, err
	}
	return f, nil
}

// collect finds the chunks of a PNG that contain a card, and the chunks of its assets.
func (f *File) collect(r *report) (v3, v2 pngChunk, err error) {
	complete, err := eachChunk(f.data, func(c pngChunk) bool {
		if !r.full() && !c.goodCRC() {
			r.add(codeBadCRC, fmt.Sprintf("@%d", c.start), fmt.Sprintf("the checksum of the %q chunk "+
				"is wrong; read nevertheless", c.kind))
		}
		switch keyword := cardKeyword(c); {
		case keyword == keywordV3 && v3.raw == nil:
			v3 = c
		case keyword == keywordV2 && v2.raw == nil:
			v2 = c
		}
		if path, ok := assetPath(c); ok && f.chunks[path].raw == nil {
			f.chunks[path] = c
		}
		return true
	})
	switch e, cut := errors.AsType[*Error](err); {
	case cut && e.Code == codeTruncated && (v3.raw != nil || v2.raw != nil):
		r.add(codeDamagedPicture, e.Path, "the picture is damaged here, after the card; the card was read, "+
			"and what follows is lost: take the original picture, or save the card as JSON")
		err = nil
	case err == nil && !complete:
		r.add(codeNoIEND, fmt.Sprintf("@%d", len(f.data)), "the PNG has no end chunk; read nevertheless")
	}
	return v3, v2, err
}

// readChunk reads the card of one chunk into f. The problems of the container come before the
// problems of the card.
func (f *File) readChunk(c pngChunk, keyword string, container *report) error {
	text, err := chunkText(c)
	if err != nil {
		return err
	}
	r := report{problems: slices.Clone(container.problems)}
	content := trimStart(text)
	if len(content) > 0 && content[0] == '{' {
		r.add(codeNotBase64, fmt.Sprintf("@%d", c.start), "the card in the picture is plain JSON, "+
			"not base64; read nevertheless")
	} else if content, err = decodeCardText(text); err != nil {
		return err
	}
	card, problems, err := decodeJSON(content)
	if err != nil {
		return err
	}
	r.addAll(problems)
	f.Card, f.Problems, f.Source = card, r.problems, keyword
	return nil
}
