module github.com/talewright/talewright/worldbook/segment

go 1.26

require (
	github.com/go-ego/gse v1.0.2
	github.com/talewright/talewright v0.0.0
)

replace github.com/talewright/talewright => ../..
