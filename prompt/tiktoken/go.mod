module github.com/talewright/talewright/prompt/tiktoken

go 1.26

require (
	github.com/dlclark/regexp2/v2 v2.12.0
	github.com/talewright/talewright v0.0.0
	github.com/tiktoken-go/tokenizer v0.10.0
)

replace github.com/talewright/talewright => ../..
