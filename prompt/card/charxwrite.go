package card

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// AssetFile is a file to put into an archive.
type AssetFile struct {
	// Path is its path in the archive, with slashes. By convention it is
	// assets/<type>/<images|audio|video|l2d|3d|ai|fonts|code|other>/<name>.<ext> in ASCII. The
	// address of the asset is "embeded://" and this path.
	Path string
	Data []byte
}

// WriteCHARX returns a CHARX archive with the card in V3 form and the files.
//
// If archive is nil, the result is a new archive. Otherwise all files of that archive are copied as
// they are packed, except card.json and the paths in files. The comment of the archive and the
// bytes before it, such as a picture, are copied too. Members that could write outside the archive
// when a program unpacks it are not copied. These are absolute paths, paths that leave the archive,
// other spellings of card.json or of a new file, and links. The result depends only on the
// arguments: new files have no time, and the order is card, old files, new files.
//
// Errors: "bad_asset_path" for a path that is absolute, leaves the archive, is not clean, ends in a
// slash, is card.json or is given twice. "not_zip" and "too_large" for the old archive. The errors
// of [Encode]. "too_large" and "too_deep" for a card that could not be read again.
func WriteCHARX(archive []byte, c Card, files []AssetFile) ([]byte, error) {
	text, err := encodeBounded(c, V3)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{cardJSON: true}
	for _, f := range files {
		clean, ok := archivePath(f.Path)
		if !ok || clean != f.Path || taken[f.Path] {
			return nil, failAt(codeBadAssetPath, f.Path, "a file in an archive needs a path of its "+
				"own, relative and without \"..\". Choose a different path")
		}
		taken[f.Path] = true
	}
	old := &zip.Reader{}
	if archive != nil {
		if old, err = openArchive(archive); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	out.Write(archive[:frontOf(archive, old)])
	w := zip.NewWriter(&out)
	w.SetOffset(int64(out.Len()))
	if err = w.SetComment(old.Comment); err != nil {
		return nil, unwritable(err)
	}
	if err = addFile(w, cardJSON, text); err != nil {
		return nil, err
	}
	if err = copyFiles(w, old, taken); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err = addFile(w, f.Path, f.Data); err != nil {
			return nil, err
		}
	}
	if err = w.Close(); err != nil {
		return nil, unwritable(err)
	}
	return out.Bytes(), nil
}

// copyFiles copies the files of an archive without unpacking them, except files in taken and files
// that are unsafe to unpack.
func copyFiles(w *zip.Writer, old *zip.Reader, taken map[string]bool) error {
	for _, f := range old.File {
		clean, inside := archivePath(f.Name)
		if !inside || taken[clean] || !f.Mode().IsRegular() && !f.Mode().IsDir() {
			continue
		}
		if err := w.Copy(f); err != nil {
			return unwritable(fmt.Errorf("%s: %w", f.Name, err))
		}
	}
	return nil
}

// frontOf returns the number of bytes before the first file of an archive. It is 0 for an archive
// without files, or if the first file cannot be found.
func frontOf(data []byte, archive *zip.Reader) int {
	first := int64(len(data))
	for _, f := range archive.File {
		content, err := f.DataOffset()
		if err != nil {
			return 0
		}
		first = min(first, content)
	}
	if len(archive.File) == 0 {
		return 0
	}
	return headerOf(data, int(first))
}

// headerOf returns the offset of the local header of a file whose content starts at an offset. The
// length of the header is only known from its start. So headerOf returns the nearest earlier header
// whose length fits.
func headerOf(data []byte, content int) int {
	const fixed, longest = 30, 30 + 2*math.MaxUint16
	for at := content - fixed; at >= max(0, content-longest); at-- {
		if data[at] != 'P' || !bytes.HasPrefix(data[at:], []byte("PK\x03\x04")) {
			continue
		}
		name := int(binary.LittleEndian.Uint16(data[at+26:]))
		extra := int(binary.LittleEndian.Uint16(data[at+28:]))
		if at+fixed+name+extra == content {
			return at
		}
	}
	return 0
}

// addFile packs one file. Pictures and sounds are already compressed, so they are stored.
func addFile(w *zip.Writer, name string, data []byte) error {
	method := zip.Store
	if strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".txt") {
		method = zip.Deflate
	}
	in, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
	if err != nil {
		return unwritable(err)
	}
	if _, err = in.Write(data); err != nil {
		return unwritable(err)
	}
	return nil
}

// unwritable returns the error for an archive that the ZIP writer refuses. That happens if an old
// archive contradicts itself.
func unwritable(cause error) *Error {
	return failWith(codeDamaged, "the archive cannot be written. Start from a new one", cause)
}
