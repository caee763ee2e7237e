package campaign

import "github.com/talewright/talewright/rules/spatial"

// compileScenes builds the spatial world.
func (g *Game) compileScenes(problems *findings) {
	world, found := spatial.Compile(g.content.Scenes)
	problems.in("", found)
	g.world = world
}

// startPlace is where a campaign begins, the zero Place if the setup names no scene.
func (s Setup) startPlace(w *spatial.World, report func(string, ...any)) spatial.Place {
	if s.Place.SceneID == "" {
		return spatial.Place{}
	}
	place := w.At(s.Place.SceneID, s.Place.X, s.Place.Y)
	if place.SceneID == "" {
		report("place.sceneId: no scene %q: add it to Content.Scenes", s.Place.SceneID)
	}
	place.Facing = s.Place.Facing
	return place
}
