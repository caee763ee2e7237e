// Package variables holds the variables of a chat or of all chats, as macros read and
// write them: texts that count as numbers where they read as some, lists and objects that
// are JSON texts, with the meaning that SillyTavern's language gives to all of them.
package variables
