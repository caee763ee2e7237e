// Package card reads and writes character cards: the files in which authors of
// role-play characters share a personality, greetings, pictures and a lorebook.
//
// It knows Character Card V1, V2 and V3, as JSON, inside a PNG picture, and as
// CHARX archive. [Decode] finds out by itself which of them it was given:
//
//	c, problems, err := card.Decode(data)
//	if e, ok := errors.AsType[*card.Error](err); ok {
//		return e.Message // a sentence for the person who chose the file
//	}
//	for _, p := range problems { … } // what was odd, and how it was read
//	fmt.Println(c.CharName(), c.Greetings())
//
// # Reading
//
// Files in the field are careless, so reading is lenient: null counts as
// missing, one text as a list of one, a number as its text. Whatever was read
// in another way than it was written is a talewright.Problem with a code and a path, and
// the card is still usable. Only what cannot be a card at all is an [*Error].
// Problems come in this order: the container's, the text's (broken characters,
// members that are there twice), the version's, then field by field in the order
// of the [Card] struct, the lorebook at its place.
//
// Nothing is lost: members that no specification names are kept at every level
// in fields named Extra, and [Encode] writes them back. Scripts in cards are
// data like everything else and are never run.
//
// # What a changed file has of the old one
//
// Reading a card, changing a field and writing it leaves every other value of its
// JSON as it is, numbers as they were written; the order of members, blanks and
// escapes may change. Three things are different after it: members that the
// specification makes mandatory are added, or are empty where they were null;
// what a talewright.Problem said about a value that was read in another way, for then the
// value read is what is written; and in a PNG both forms of the card are those of
// the one that was read. In a PNG all other chunks, in an archive all other files
// stay byte for byte, and so does what stands behind the one or in front of the
// other.
//
// # Hostile files
//
// Cards come from strangers. All limits are fixed: 16 MiB of card JSON or of
// decompressed text, 64 MiB for a PNG chunk, 10,000 files and 512 MiB in an
// archive, about a million JSON values, 512 levels of nesting. A file beyond
// them ends in an [*Error] before the memory is taken; a lorebook of more than
// 50,000 entries is read in part, with a problem, and kept whole. Remote pictures are
// never fetched, and asset paths cannot leave the archive.
//
// # Files with assets
//
// [Decode] gives the card alone. [Open] gives a [File], which also knows the
// container and reads pictures and sounds from it when asked.
//
// # Writing
//
// [Encode] writes JSON of any version, [WritePNG] puts a card into a picture,
// [WriteCHARX] into an archive. Fields of a newer specification are written
// into an older form too, since readers skip what they do not know;
// [EncodeOptions] leaves them out on request.
//
// # Lorebooks
//
// The lorebook of a card stays raw JSON in [Card.CharacterBook]. [Card.Book]
// reads it into fields, [Card.WorldBook] into a world book that can be scanned.
// [ParseDecorators] splits the V3 decorators (lines such as "@@depth 4") off the
// content of an entry.
//
// Formats: Character Card V1 and V2 by malfoyslastname, V3 by kwaroran. Where
// those leave something open, the comments of the functions say what holds
// here. Every function is pure and safe for concurrent use.
package card
