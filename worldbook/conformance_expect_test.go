package worldbook_test

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
)

// expectation is the expected result of one turn. Fields that a case leaves out are not compared.
type expectation struct {
	Activated []string     `json:"activated"`
	Before    string       `json:"before"`
	After     string       `json:"after"`
	Depth     []depthTexts `json:"depth"`
	AnTop     []string     `json:"anTop"`
	AnBottom  []string     `json:"anBottom"`
	Em        []struct {
		Position int    `json:"position"`
		Content  string `json:"content"`
	} `json:"em"`
	Outlets map[string][]string `json:"outlets"`
	Timed   struct {
		Sticky   map[string]timedRecord `json:"sticky"`
		Cooldown map[string]timedRecord `json:"cooldown"`
	} `json:"timed"`
	AuthorsNote   *string   `json:"authorsNote"`
	AutomationIDs []string  `json:"automationIds"`
	Overflowed    bool      `json:"overflowed"`
	Rolls         *int      `json:"rolls"`
	Loops         []loopIDs `json:"loops"`
}

// depthTexts is a group of texts inside the chat.
type depthTexts struct {
	Depth   *looseInt `json:"depth"`
	Role    int       `json:"role"`
	Entries []string  `json:"entries"`
}

// loopIDs is one pass of a scan: its kind, the next one's, and its candidates.
type loopIDs struct {
	State int      `json:"state"`
	Next  int      `json:"next"`
	New   []string `json:"new"`
}

// looseInt reads a depth that an old book has as a text.
type looseInt int

func (n *looseInt) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(bytes.Trim(data, `"`), (*int)(n))
}

// timedRecord is a stored effect without its hash, which only this library has.
type timedRecord struct {
	Start     int  `json:"start"`
	End       int  `json:"end"`
	Protected bool `json:"protected"`
}

// compare returns the difference between the expected and the actual result.
func compare(c *scanCase, turn *caseTurn, r *wb.Result, next wb.State, passes []wb.Loop) string {
	want := turn.Expect
	got := expectation{
		Before: wb.Join(r.Before), After: wb.Join(r.After), Overflowed: r.Overflowed,
		AnTop: texts(r.NoteTop), AnBottom: texts(r.NoteBottom), Outlets: map[string][]string{},
	}
	for _, a := range r.Activated {
		got.Activated = append(got.Activated, a.ID.String())
		if a.AutomationID != "" {
			got.AutomationIDs = append(got.AutomationIDs, a.AutomationID)
		}
	}
	for _, d := range r.Depth {
		got.Depth = append(got.Depth, depthTexts{(*looseInt)(d.Depth), int(d.Role), texts(d.Entries)})
	}
	for _, e := range r.Examples {
		at := 0
		if e.After {
			at = 1
		}
		got.Em = append(got.Em, struct {
			Position int    `json:"position"`
			Content  string `json:"content"`
		}{at, e.Text})
	}
	for _, o := range r.Outlets {
		got.Outlets[o.Name] = texts(o.Entries)
	}
	got.Timed.Sticky, got.Timed.Cooldown = records(next.Sticky), records(next.Cooldown)
	if want.AuthorsNote != nil {
		note := r.Note(c.AuthorsNote.Prompt)
		got.AuthorsNote = &note
	}
	if want.Rolls != nil {
		n := len(r.Rolls)
		got.Rolls = &n
	}
	if want.Loops != nil {
		got.Loops = loops(passes)
	}
	wanted, found := normal(want), normal(got)
	if wanted == found {
		return ""
	}
	var w, g any
	_ = json.Unmarshal([]byte(wanted), &w)
	_ = json.Unmarshal([]byte(found), &g)
	return cmp.Diff(w, g)
}

// loops lists the passes of a scan.
func loops(passes []wb.Loop) []loopIDs {
	var list []loopIDs
	for _, l := range passes {
		var ids []string
		for _, id := range l.Added {
			ids = append(ids, id.String())
		}
		list = append(list, loopIDs{int(l.State), int(l.Next), ids})
	}
	return list
}

// normal returns the JSON in a form in which empty and missing lists are equal.
func normal(e expectation) string {
	data, _ := json.Marshal(e)
	return strings.NewReplacer(":null", ":[]", ":{}", ":[]").Replace(string(data))
}

// texts lists contents. It is never nil, because the cases have empty lists.
func texts(list []wb.Placed) []string {
	out := []string{}
	for _, p := range list {
		out = append(out, p.Text)
	}
	return out
}

// records returns the records without their hashes.
func records(m map[string]wb.Record) map[string]timedRecord {
	out := map[string]timedRecord{}
	for k, r := range m {
		out[k] = timedRecord{r.Start, r.End, r.Protected}
	}
	return out
}
