package card

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
)

// AssetFile is a file to put into an archive.
type AssetFile struct {
	// Path is its place, with slashes; by convention
	// assets/<type>/<images|audio|video|l2d|3d|ai|fonts|code|other>/<name>.<ext>
	// in ASCII. The address of the asset is "embeded://" and this path.
	Path string
	Data []byte
}

// WriteCHARX returns a CHARX archive of the card in V3 form and the files.
//
// With archive nil it is a new one. Otherwise all files of that archive are
// taken over as they are packed, except card.json and those that files name
// again; what stood in front of an appended archive is not. The result depends
// on nothing but the arguments: files have no time, and stand in the order card,
// old ones, new ones.
//
// Errors: [BadAssetPath] for a path that is absolute, leaves the archive, is not
// clean, ends in a slash, is card.json or is given twice; [NotZIP] and
// [TooLarge] for the old archive; those of [Encode]; and [TooLarge] and [TooDeep]
// for a card that could not be read again.
func WriteCHARX(archive []byte, c Card, files []AssetFile) ([]byte, error) {
	text, err := encodeBounded(c, V3)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{cardJSON: true}
	for _, f := range files {
		clean, ok := archivePath(f.Path)
		if !ok || clean != f.Path || taken[f.Path] {
			return nil, failAt(BadAssetPath, f.Path, "a file in an archive needs a path of its "+
				"own, relative and without \"..\". Choose another path")
		}
		taken[f.Path] = true
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	if err = addFile(w, cardJSON, text); err != nil {
		return nil, err
	}
	if archive != nil {
		if err = copyFiles(w, archive, taken); err != nil {
			return nil, err
		}
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

// copyFiles copies the files of an archive, still packed, except those taken.
func copyFiles(w *zip.Writer, archive []byte, taken map[string]bool) error {
	old, err := openArchive(archive)
	if err != nil {
		return err
	}
	for _, f := range old.File {
		if taken[f.Name] {
			continue
		}
		if err = w.Copy(f); err != nil {
			return unwritable(fmt.Errorf("%s: %w", f.Name, err))
		}
	}
	return nil
}

// addFile packs one file. Pictures and sounds are packed already, so they are
// stored.
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

// unwritable returns the error for an archive that the ZIP writer refuses, which
// happens when an old one contradicts itself.
func unwritable(cause error) *Error {
	return failWith(Damaged, "the archive cannot be written. Start from a new one", cause)
}
