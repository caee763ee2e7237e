// Package seedbook reads RoleplayConfig, the world book format of the seed
// document, and its table of activation rows.
package seedbook
