package observe

import (
	"html/template"
	"io"
)

// WriteHTML writes the report as one page: the parts of the prompt as areas in proportion to their
// tokens, followed by everything of [Report.String]. The error is an error of w.
func (r Report) WriteHTML(w io.Writer) error {
	return page.Execute(w, struct {
		Report
		Parts []Item
	}{r, r.parts()})
}

// parts returns the parts of the prompt.
func (r Report) parts() (out []Item) {
	for _, i := range r.Section("prompt").Items {
		if i.Mark == Done && i.Tokens > 0 {
			out = append(out, i)
		}
	}
	return out
}

// page has no script and loads nothing. Its content security policy enforces this.
var page = template.Must(template.New("report").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 62em; padding: 0 1em; color: #222; background: #fff; }
h1 { font-size: 1.3em; } h2 { font-size: 1.05em; margin: 1.6em 0 .4em; }
.map { display: flex; flex-wrap: wrap; gap: 2px; }
.map div { background: #dbe7f3; min-height: 3.2em; min-width: 3em; padding: .2em .4em; overflow: hidden; font-size: .8em; box-sizing: border-box; }
ul { list-style: none; margin: 0; padding: 0; }
li { border-left: 4px solid #bbb; margin: 2px 0; padding: 1px .6em; white-space: pre-wrap; overflow-wrap: anywhere; }
li.done { border-color: #3a8a4d; } li.near { border-color: #d0a020; } li.refused { border-color: #c0392b; }
b { font-weight: 600; } small { color: #666; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b; } .map div { background: #2c3e50; } small { color: #999; } }
</style>
</head>
<body>
<h1>{{.Title}}</h1>
{{if .Parts}}<div class="map">{{range .Parts}}<div style="flex-grow: {{.Tokens}}">{{.Name}}<br><small>{{.Tokens}}</small></div>{{end}}</div>
{{end}}{{range .Sections}}<h2>{{.Title}}</h2>
<ul>
{{range .Items}}<li class="{{.Mark}}">{{if .Name}}<b>{{.Name}}</b> {{end}}{{.Text}}{{if .Tokens}} <small>{{.Tokens}} tokens</small>{{end}}</li>
{{end}}</ul>
{{end}}</body>
</html>
`))
