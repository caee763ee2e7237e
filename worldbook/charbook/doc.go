// Package charbook converts the character_book of Character Card V2 and V3 to a
// world book and back, as SillyTavern does.
package charbook
