module github.com/talewright/talewright/llm/openai

go 1.26

require github.com/talewright/talewright v0.0.0

replace github.com/talewright/talewright => ../..
