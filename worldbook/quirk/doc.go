// Package quirk names the odd behaviours of SillyTavern 1.19.0 that package worldbook
// reproduces. QUIRKS.md beside package worldbook tells the story of each.
package quirk
