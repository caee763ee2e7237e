module github.com/talewright/talewright

go 1.26

require (
	github.com/dlclark/regexp2/v2 v2.12.0
	github.com/google/go-cmp v0.7.0
	github.com/tidwall/gjson v1.20.3
	github.com/tidwall/sjson v1.2.9
)

require (
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.3.0 // indirect
)
