module github.com/talewright/talewright/memvars/mvu/yaml

go 1.26

require (
	github.com/talewright/talewright v0.0.0
	go.yaml.in/yaml/v4 v4.0.0
)

replace github.com/talewright/talewright => ../../..
