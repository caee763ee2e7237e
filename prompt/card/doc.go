// Package card reads and writes character cards: the files in which authors of
// role-play characters share a personality, greetings, pictures and a lorebook.
//
// It supports Character Card V1, also with the names of TavernAI, V2 and V3, as JSON, inside a PNG
// picture, and as a CHARX archive.
// [Parse] detects the format:
//
//	c, problems := card.Parse(data)
//	if e, ok := errors.AsType[*card.Error](problems.Err()); ok {
//		return e.Message // a sentence for the person who chose the file
//	}
//	for _, p := range problems { … } // odd values, and how they were read
//	fmt.Println(c.CharName(), c.Greetings())
//
// # Reading
//
// Many card files have mistakes, so reading is lenient: null counts as missing, one text as a list
// of one, a number as its text. A value that was not read as it was written is reported as a
// talewright.Problem with a code and a path, and the card is still usable. Only a file that cannot
// be a card is an [*Error]. Problems have this order: problems of the container, of the text
// (broken characters, duplicate members), and of the version. Then they come field by field in the
// order of the [Card] struct, with the lorebook at its place.
//
// Nothing is lost: members that no specification defines are kept at every level in fields named
// Extra, and [Encode] writes them back. Scripts in cards are data and are never run.
//
// # What stays when a card is changed
//
// If you read a card, change a field and write the card, every other value of its JSON stays, also
// the spelling of numbers. The order of members, blanks and escapes may change. There are three
// exceptions. First, mandatory members of the specification are added, and are empty if they were
// null. Second, if a talewright.Problem says that a value was read differently, the value that was
// read is written. Third, in a PNG both forms of the card are written from the form that was read.
// All other chunks of a PNG and all other files of an archive stay byte for byte. The bytes after
// the PNG or before the archive stay too.
//
// # Hostile files
//
// Cards come from unknown authors. All limits are fixed. Card JSON and decompressed text have at
// most 16 MiB, about a million JSON values and 512 levels of nesting. A PNG chunk has at most 64
// MiB. An archive has at most 10,000 files and 512 MiB. A file beyond them gives an [*Error] before
// the memory is allocated. A lorebook of more than 50,000 entries is read in part, with a problem,
// and kept whole. Remote pictures are never fetched, and asset paths cannot leave the archive.
//
// # Files with assets
//
// [Parse] returns only the card. [Open] returns a [File], which also has the container and reads
// pictures and sounds from it on request.
//
// # Writing
//
// [Encode] writes JSON of any version, [WritePNG] writes a card into a picture, [WriteCHARX] into
// an archive. Fields of a newer specification are also written into older forms, because readers
// skip unknown fields; [EncodeOptions] can leave them out.
//
// # Lorebooks
//
// The lorebook of a card stays raw JSON in [Card.CharacterBook]. [Card.Book]
// reads it into fields, [Card.WorldBook] into a world book that can be scanned.
// [worldbook.ParseDecorators] splits the V3 decorators (lines such as "@@depth 4") off the
// content of an entry.
//
// Formats: Character Card V1 and V2 by malfoyslastname, V3 by kwaroran. Where the specifications
// leave a question open, the comments of the functions describe the behaviour here. Every function
// is pure and safe for concurrent use.
//
// # Codes of problems
//
//   - no_spec: no "spec", but a data object: read as V2
//   - newer_version: spec_version above 3.0
//   - bad_type: not the JSON type of the field
//   - bad_text: not UTF-8, or half a surrogate pair
//   - empty_name: a character without a name
//   - bad_crc: checksum of a PNG chunk or of card.json
//   - no_iend: the PNG lacks its end chunk
//   - damaged_picture: the PNG is cut off after a card, or a chunk has an impossible length
//   - bad_chunk: unreadable ccv3 chunk, chara was used
//   - not_base64: plain JSON instead of base64
//   - bad_asset_path: absolute, or leaves the archive
//   - missing_asset: the archive has no such file
//   - more: further problems are not listed
//   - duplicate: a repeated name
//   - bad_json: not JSON
//   - not_a_card: readable, but something else
//   - not_a_book: readable, but not a lorebook
//   - is_lorebook: a stand-alone lorebook: see ParseBook
//   - bad_version: spec_version is not a number
//   - not_png: no PNG signature
//   - truncated: the PNG ends in the middle of a chunk
//   - no_card: the container is valid, but has no card
//   - not_zip: no ZIP archive
//   - encrypted: the archive needs a password
//   - damaged: unreadable data in a container
//   - too_large: beyond a limit of this package
//   - too_deep: JSON nested beyond the limit
//   - would_lose: V1 has no place for some of the fields
//   - remote_asset: a remote asset, never fetched
//   - bad_asset: an unreadable asset address
package card
