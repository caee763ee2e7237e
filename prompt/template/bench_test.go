package template_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/worldbook"
)

// BenchmarkTemplates runs the 348 templates of one card, as one prompt does. 50 of them pull an
// entry in. It must stay under 5 ms (SC-14).
func BenchmarkTemplates(b *testing.B) {
	const texts = 348
	var cache template.Cache
	var compiled []*template.Template
	book := worldbook.Book{Name: "W"}
	for i := range texts {
		text := fmt.Sprintf(`<%%_ const v = getvar('stat_data.p%d.trust', {defaults: 0}); if (v < 20) { _%%>
Cold %d.
<%%_ } else if (v < 40 && getvar('stat_data.world.weather').includes('rain')) { _%%>
Friend %d, <%%= Math.floor(v / 10) %%> of <%%= ['a', 'b'].map(x => x + v).join(' ') %%>.
<%%_ } else { _%%>
None.
<%%_ } _%%>
`, i, i, i)
		if i%7 == 0 {
			text += fmt.Sprintf("<%%- await getwi(null, 'e%d') -%%>\n", i%100)
		}
		t, problems := cache.Compile(text)
		if t == nil {
			b.Fatal(problems)
		}
		compiled = append(compiled, t)
		book.Entries = append(book.Entries, worldbook.Entry{UID: fmt.Sprint(i), Comment: fmt.Sprintf("e%d", i), Content: "x<%= 1 + 1 %>"})
	}
	var data strings.Builder
	data.WriteString(`{"stat_data": {"world": {"weather": "rain"}`)
	for i := range texts {
		fmt.Fprintf(&data, `, "p%d": {"trust": 35}`, i)
	}
	data.WriteString("}}")
	message, err := tree.ParseValue([]byte(data.String()))
	if err != nil {
		b.Fatal(err)
	}
	env := template.Env{Books: []worldbook.Book{book}, Cache: &cache, Variables: template.Variables{Message: message}}
	b.ReportAllocs()
	for b.Loop() {
		build := template.NewBuild(env)
		size := 0
		for i, t := range compiled {
			out, err := t.Run(build)
			if err != nil || !strings.HasPrefix(out, fmt.Sprintf("Friend %d, 3 of a35 b35.\n", i)) {
				b.Fatalf("printed %q, %v", out, err)
			}
			size += len(out)
		}
		if size != 9_038 {
			b.Fatalf("printed %d bytes", size)
		}
	}
}
