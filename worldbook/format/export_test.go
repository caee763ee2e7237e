package format

// Parsers are the readers of all formats, for tests that give any file to each of them.
var Parsers = parsers
