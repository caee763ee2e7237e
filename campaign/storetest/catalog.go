package storetest

import (
	"strings"

	"github.com/talewright/talewright/campaign"
)

// listIDs lists a page and removes the prefix from the IDs.
func (e *exam) listIDs(prefix string, page campaign.Page) []string {
	e.Helper()
	page.Prefix = prefix + page.Prefix
	if page.After != "" {
		page.After = prefix + page.After
	}
	listed, err := e.store.List(e.Context(), page)
	e.must(err, "List")
	out := []string{}
	for _, l := range listed {
		out = append(out, strings.TrimPrefix(l.ID, prefix))
	}
	return out
}

func testList(e *exam) {
	prefix := e.id + "/"
	all := []string{"A", "a", "a%", "a/1", "a/2", "a_", "b", "z", "龙", "龙穴"}
	for i := range all { // created in a different order
		e.id = prefix + all[(i*7+3)%len(all)]
		e.append(1, nil)
	}
	e.append(2, nil)
	last := e.id
	e.wantEqual(e.listIDs(prefix, campaign.Page{}), all)
	e.wantEqual(e.listIDs(prefix, campaign.Page{Limit: 3}), all[:3])
	e.wantEqual(e.listIDs(prefix, campaign.Page{Limit: 3, After: "a%"}), all[3:6])
	e.wantEqual(e.listIDs(prefix, campaign.Page{After: "a/11"}), all[4:])
	e.wantEqual(e.listIDs(prefix, campaign.Page{Prefix: "a/"}), []string{"a/1", "a/2"})
	e.wantEqual(e.listIDs(prefix, campaign.Page{Prefix: "a%"}), []string{"a%"})
	e.wantEqual(e.listIDs(prefix, campaign.Page{Prefix: "龙", After: "龙"}), []string{"龙穴"})
	e.wantEqual(e.listIDs(prefix, campaign.Page{Prefix: "c"}), []string{})
	listed, err := e.store.List(e.Context(), campaign.Page{Prefix: last, Limit: 1})
	if err != nil || len(listed) != 1 {
		e.Fatalf("List of %q: %v, %v", last, listed, err)
	}
	e.wantEqual(listed[0].Version, int64(2))
	if !listed[0].Created.Equal(entry(1, "").At) || !listed[0].Updated.Equal(entry(2, "").At) {
		e.Errorf("created %s, updated %s", listed[0].Created, listed[0].Updated)
	}
}

// wantDeleted checks that every call reports the campaign as deleted.
func (e *exam) wantDeleted() {
	e.Helper()
	_, loaded := e.store.Load(e.Context(), e.id)
	e.wantErrors(map[string]error{
		"Load": loaded, "Records": recordsError(e.Context(), e.store, e.id),
		"Append of what follows": e.store.Append(e.Context(), e.id, entry(3, ""), nil),
		"Append of the first":    e.store.Append(e.Context(), e.id, entry(1, "new"), nil),
		"Append of the same":     e.store.Append(e.Context(), e.id, entry(2, ""), nil),
		"Delete":                 e.store.Delete(e.Context(), e.id),
		"Trim":                   e.store.Trim(e.Context(), e.id),
	}, campaign.ErrDeleted)
}

func testDelete(e *exam) {
	prefix := e.id
	for _, name := range []string{"/gone", "/stays"} {
		e.id = prefix + name
		e.append(1, nil)
		e.append(2, []byte("s"))
	}
	e.id = prefix + "/gone"
	e.must(e.store.Delete(e.Context(), e.id), "Delete")
	e.wantDeleted()
	e.wantEqual(e.listIDs(prefix, campaign.Page{}), []string{"/stays"})
	e.id = prefix + "/stays"
	e.wantEqual(e.versions(0), []int64{1, 2})
	e.append(3, nil)
	e.wantError("Delete of an unknown campaign", e.store.Delete(e.Context(), prefix+"/never"), campaign.ErrNotFound)
}

func testTrim(e *exam) {
	for v := int64(1); v <= 5; v++ {
		e.append(v, []byte(textOf(0, int(v))))
	}
	e.append(6, nil)
	for range 2 {
		e.must(e.store.Trim(e.Context(), e.id), "Trim")
		saved := e.load()
		e.wantEqual(string(saved.Snapshot), textOf(0, 5))
		e.wantEqual(versionsOf(saved.Entries), []int64{6})
		e.wantEqual(e.versions(0), versionsFrom(1, 6))
	}
	e.wantError("Trim of an unknown campaign", e.store.Trim(e.Context(), e.id+"/never"), campaign.ErrNotFound)
}
