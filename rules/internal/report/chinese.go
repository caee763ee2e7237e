package report

import (
	_ "embed"

	"github.com/talewright/talewright/internal/wording"
)

//go:embed refusals.zh.txt
var refusals string

// Table has the Chinese translations of the refusals of packages rules and effect.
var Table = wording.ReadTable(refusals)
