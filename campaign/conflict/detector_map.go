package conflict

import "github.com/talewright/talewright/campaign/conflict/internal/claims"

// detectMap reports that known areas are told destroyed or sealed, that two
// known areas without a path are told connected, and that the map is told
// changed.
func detectMap(r *Reading) []Conflict {
	if r.View.affected(FieldMap) {
		return nil
	}
	var out []Conflict
	for _, claim := range claims.Maps(r.passage) {
		field, found := "map", "the map changed"
		switch claim.What {
		case claims.MapArea:
			field, found = "map.areas."+claim.Areas[0], "destroyed or sealed"
			if claim.Sealed && r.View.anyLocked(claim.Areas) {
				continue
			}
		case claims.MapPath:
			field, found = "map.paths", "connected"
			if r.View.connected(claim.Areas, claim.To) {
				continue
			}
		}
		told := r.claimed(MapRewrite, claim.Span, claim.Doubtful)
		told.Field, told.Expected, told.Found = field, Facts{"changed": false}, Facts{"claimed": found}
		out = append(out, told)
	}
	return out
}
