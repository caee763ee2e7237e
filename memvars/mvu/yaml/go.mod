module github.com/talewright/talewright/memvars/mvu/yaml

go 1.26

require (
	github.com/talewright/talewright v0.0.0
	go.yaml.in/yaml/v4 v4.0.0
)

require (
	github.com/dlclark/regexp2/v2 v2.12.0 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
)

replace github.com/talewright/talewright => ../../..
