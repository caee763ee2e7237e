package view

// NameOf is the name of a character as prompts write it: that of the user, where the content has one.
func (v Turn) NameOf(id string) string {
	if v.Game.Content().UserName != "" {
		return v.Game.Content().UserName
	}
	if c, ok := v.State.Character(id); ok {
		return c.Name
	}
	return id
}

// UserName is the name of the acting character.
func (v Turn) UserName() string { return v.NameOf(v.In.ActorID) }

// CharName is whom the model plays.
func (v Turn) CharName() string {
	if v.Speaker != "" {
		return v.MemberName(v.Speaker)
	}
	return v.TellerName()
}

// MemberName is the name of a member of the cast, the id of one who has left it.
func (v Turn) MemberName(id string) string {
	for _, m := range v.Game.Cast() {
		if m.ID == id {
			return m.Name
		}
	}
	return id
}

// TellerName is whom the model plays without a cast.
func (v Turn) TellerName() string {
	if c := v.Game.Content().Card; c != nil {
		return c.CharName()
	}
	if c := v.Companion(); c.ID != v.In.ActorID {
		return c.Name
	}
	return "GM"
}

// CharacterName is the name of a character or of a member of the cast, else the id.
func (v Turn) CharacterName(id string) string {
	if i := v.State.CharacterIndex(id); i >= 0 {
		return v.State.Characters[i].Name
	}
	return v.MemberName(id)
}
