module github.com/talewright/talewright/prompt/tiktoken

go 1.26

require (
	github.com/dlclark/regexp2/v2 v2.12.0
	github.com/talewright/talewright v0.0.0
	github.com/tiktoken-go/tokenizer v0.10.0
)

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/tidwall/gjson v1.20.3 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.3.0 // indirect
	github.com/tidwall/sjson v1.2.9 // indirect
)

replace github.com/talewright/talewright => ../..
