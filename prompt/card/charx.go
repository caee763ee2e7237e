package card

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
)

// cardJSON is the file of an archive that contains the card.
const cardJSON = "card.json"

// maxRatio limits the ratio of unpacked to packed size. It is checked from ratioFreeSize unpacked
// bytes on. Deflate reaches about 1030 for zeros; pictures, sounds and texts stay far below the
// limit.
const (
	maxRatio      = 200
	ratioFreeSize = int64(mib)
)

// openCHARX reads the card of an archive by the rules of [Parse].
func openCHARX(data []byte) (*File, error) {
	archive, err := openArchive(data)
	if err != nil {
		return nil, err
	}
	places := placesIn(archive)
	at, ok := places[cardJSON]
	if !ok {
		return nil, fail(codeNoCard, "this archive has no character card: card.json is missing. "+
			"Choose a file that was exported as CHARX")
	}
	var r report
	text, sound, err := unpack(archive.File[at], maxJSON)
	if err != nil {
		return nil, err
	}
	if named(archive, cardJSON) > 1 {
		r.add(codeDuplicate, cardJSON, "the archive has card.json twice; the first one is used")
	}
	if !sound {
		r.add(codeBadCRC, cardJSON, "the checksum of card.json is wrong; read nevertheless")
	}
	c, problems, err := decodeJSON(text)
	if err != nil {
		return nil, err
	}
	r.addAll(problems)
	r.checkAssets(c.Assets, places)
	return &File{Card: c, Problems: r.problems, Format: CHARX, Source: cardJSON,
		data: data, archive: archive, places: places}, nil
}

// openArchive reads the directory of a ZIP file within the limits.
func openArchive(data []byte) (*zip.Reader, error) {
	// Every entry of the directory starts with this signature, so the number of entries is limited
	// before the directory is read. Entries of an archive stored uncompressed inside the archive
	// are counted too.
	if n := bytes.Count(data, []byte("PK\x01\x02")); n > maxFiles {
		return nil, fail(codeTooLarge, fmt.Sprintf("the archive has about %d files; at most %d "+
			"are read. Do not trust this file", n, maxFiles))
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, failWith(codeNotZIP, "this is not a CHARX archive. "+
			"If it was downloaded, it may be incomplete", err)
	}
	var total uint64
	for _, f := range archive.File {
		// Each size is limited first, so that the sum cannot overflow.
		total += min(f.UncompressedSize64, maxUnpacked+1)
	}
	if total > maxUnpacked {
		return nil, fail(codeTooLarge, fmt.Sprintf("the archive unpacks to more than %d MiB. "+
			"Do not trust this file", maxUnpacked/mib))
	}
	return archive, nil
}

// placesIn returns the positions of the files by name. For a repeated name it is the first. If no
// file has the cleaned name of a file, such as a/b for ./a\b, it is a name of that file too: some
// programs pack files with such names.
func placesIn(archive *zip.Reader) map[string]int {
	places := make(map[string]int, len(archive.File))
	for i, f := range archive.File {
		if _, twin := places[f.Name]; !twin {
			places[f.Name] = i
		}
	}
	for i, f := range archive.File {
		clean, inside := archivePath(f.Name)
		if _, taken := places[clean]; inside && !taken && !strings.HasSuffix(f.Name, "/") {
			places[clean] = i
		}
	}
	return places
}

// named returns the number of files with a name.
func named(archive *zip.Reader, name string) int {
	n := 0
	for _, f := range archive.File {
		if f.Name == name {
			n++
		}
	}
	return n
}

// unpack returns the content of a file, and reports whether its checksum is correct. It never reads
// more than limit bytes, or more than maxRatio times the packed size. It does not trust the sizes
// in the directory.
func unpack(f *zip.File, limit int64) (content []byte, sound bool, err error) {
	const encrypted = 1 // flag bit 0
	if f.Flags&encrypted != 0 {
		return nil, false, failAt(codeEncrypted, f.Name, "the archive asks for a password. "+
			"Unpack it and pack it again without one")
	}
	// The size in the directory is only a first filter: it may be wrong, so the unpacked bytes are
	// counted as well.
	tooLarge := failAt(codeTooLarge, f.Name, "a file of the archive unpacks to far more than it "+
		"should. Do not trust this file")
	if f.UncompressedSize64 > uint64(limit) {
		return nil, false, tooLarge
	}
	in, err := f.Open()
	if err != nil {
		return nil, false, damagedFile(f, err)
	}
	defer in.Close()
	allowed := limit
	if f.CompressedSize64 < uint64(limit) {
		allowed = min(limit, max(ratioFreeSize, maxRatio*int64(f.CompressedSize64)))
	}
	content, err = io.ReadAll(io.LimitReader(in, allowed+1))
	switch {
	case int64(len(content)) > allowed:
		return nil, false, tooLarge
	case errors.Is(err, zip.ErrChecksum):
		return content, false, nil
	case err != nil:
		return nil, false, damagedFile(f, err)
	}
	return content, true, nil
}

func damagedFile(f *zip.File, cause error) *Error {
	return &Error{Code: codeDamaged, Path: f.Name, Err: cause,
		Message: "a file of the archive cannot be unpacked. Download it again"}
}

// checkAssets reports the assets that are missing in the archive.
func (r *report) checkAssets(assets []Asset, places map[string]int) {
	for i, a := range assets {
		place, name := a.Resolve()
		if place != placeArchive {
			continue
		}
		at := "data.assets." + strconv.Itoa(i) + ".uri"
		switch _, inside, found := findAsset(places, name); {
		case !inside:
			r.add(codeBadAssetPath, at, fmt.Sprintf("the path %.60q leaves the archive; "+
				"it will not be read", name))
		case !found:
			r.add(codeMissingAsset, at, fmt.Sprintf("the archive has no file %.60q", name))
		}
	}
}

// findAsset returns the position of the file that the path of an asset names. A path that names no
// file may be escaped as in an address, with %20 for a blank. It is unescaped once. inside is false
// for a path that leaves the archive.
func findAsset(places map[string]int, name string) (at int, inside, found bool) {
	at, inside, found = findPath(places, name)
	if plain, err := url.PathUnescape(name); inside && !found && err == nil && plain != name {
		return findPath(places, plain)
	}
	return at, inside, found
}

// findPath returns the position of the file of a name or of the cleaned name, whichever comes first.
func findPath(places map[string]int, name string) (at int, inside, found bool) {
	clean, inside := archivePath(name)
	if !inside {
		return 0, false, false
	}
	at, found = places[name]
	if i, cleaned := places[clean]; cleaned && (!found || i < at) {
		at, found = i, true
	}
	return at, true, found
}
