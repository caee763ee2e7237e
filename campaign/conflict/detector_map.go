package conflict

// mapTold are texts for the claims about the map, in Chinese (true) and English.
var mapTold = map[bool]map[string]string{
	true:  {mapWhole: "地图变了", mapArea: "被毁或被封", mapPath: "有路相通"},
	false: {mapWhole: "the map changed", mapArea: "destroyed or sealed", mapPath: "connected"},
}

// detectMap reports claims that known areas are destroyed or sealed, that two known areas without a
// path are connected, and that the map changed.
func detectMap(r *Reading) []Conflict {
	if r.View.affected(FieldMap) {
		return nil
	}
	var out []Conflict
	for _, claim := range maps(r.passage) {
		field := "map"
		switch claim.What {
		case mapArea:
			field = "map.areas." + claim.Areas[0]
			if claim.Sealed && r.View.anyLocked(claim.Areas) {
				continue
			}
		case mapPath:
			field = "map.paths"
			if r.View.connected(claim.Areas, claim.To) {
				continue
			}
		}
		told := r.claimed(MapRewrite, claim.Span, claim.Doubtful)
		told.Field, told.Expected, told.Found = field, Facts{"changed": false}, Facts{"claimed": mapTold[r.chinese][claim.What]}
		out = append(out, told)
	}
	return out
}
