module github.com/talewright/talewright/llm/openai

go 1.26

require (
	github.com/talewright/talewright v0.0.0
	github.com/tmaxmax/go-sse v0.11.0
)

replace github.com/talewright/talewright => ../..
