package effect

import (
	"reflect"
	"slices"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// effectKinds lists the effects of the closed set except [Custom]. An effect that is missing here
// could not be saved; a test writes and reads each one. Hints list action types in this order.
var effectKinds = [...]effectKind{
	kindOf[SetVariable]().as("modify-variable").readBy("a variableId", readModifyVariable),
	kindOf[InjectDirective]().written("a directiveId, and a content that is a text", id("directiveId"), text("content")),
	kindOf[RemoveDirective]().written("a directiveId", id("directiveId")),
	kindOf[ToggleEntry]().written("an entryId, and enabled as true or false", id("entryId"), flag("enabled")),
	kindOf[ToggleRule]().written("a ruleId, and enabled as true or false", id("ruleId"), flag("enabled")),
	kindOf[ToggleVariable](),
	kindOf[ToggleBook](),
	kindOf[TriggerRule]().written("a ruleId", id("ruleId")),
	kindOf[Notify]().readBy("a message that is a text", readNotify),
	kindOf[PlayAudio]().written("a trackId", id("trackId")),
	kindOf[Rewrite]().readBy("a target (line, prompt or reply), a text, and for a prompt what to find", readRewrite),
	kindOf[Veto]().written("a reason that is a text", id("reason")),
	kindOf[SendContext]().written("a message that is a text", text("message")),
	kindOf[RequestAI](),
	kindOf[Emit](),
	kindOf[ShowMoment](),
	kindOf[System](),
	kindOf[InjectPrompt](),
	kindOf[ChangeState](),
	kindOf[ChangeRelationship](),
	kindOf[AddMessage](),
	kindOf[WriteMemory](),
	kindOf[WriteLog](),
	kindOf[StartWorkflow](),
	kindOf[AddEntry](),
	kindOf[UpdateEntry](),
	kindOf[RemoveEntry](),
	kindOf[ForceEntry](),
	kindOf[BackupBranch](),
	kindOf[AddArea](),
	kindOf[AddPath](),
	kindOf[AddCharacter](),
	kindOf[MoveCharacter](),
	kindOf[ChangeHP](),
	kindOf[EndCampaign](),
}

// effectKind describes a type of effects.
type effectKind struct {
	typ     string // the result of EffectType
	of      reflect.Type
	extra   []int                             // the index of the field with the unknown members
	decode  func(data []byte) (Effect, error) // reads the strict form
	lenient func(f *authorjson.Fields) Effect // reads the members that have the right type

	// The form of authors. If read is nil, authors write the strict form.
	action string // the name of the action
	needs  string // its required fields, for a problem
	// read reports whether all required fields are present.
	read func(f *authorjson.Fields) (Effect, bool)
}

// kindOf returns the kind of a type. Its strict form is defined by field tags, and it has a field
// Extra.
func kindOf[E Effect]() effectKind {
	var zero E
	of := reflect.TypeFor[E]()
	extra, _ := of.FieldByName("Extra")
	return effectKind{
		typ: zero.EffectType(), action: zero.EffectType(), of: of, extra: extra.Index,
		decode: func(data []byte) (Effect, error) {
			var e E
			unknown, err := openjson.Decode(data, &e)
			if err != nil {
				return nil, err
			}
			delete(unknown, "type")
			if len(unknown) > 0 {
				reflect.ValueOf(&e).Elem().FieldByIndex(extra.Index).Set(reflect.ValueOf(unknown))
			}
			return e, nil
		},
		lenient: func(f *authorjson.Fields) Effect { return authorjson.Decoded[E](f) },
	}
}

// as sets a different name for authors.
func (k effectKind) as(action string) effectKind {
	k.action = action
	return k
}

// required is a member that an action needs.
type required struct {
	member string
	fits   func(v tree.Value) bool
}

func id(member string) required   { return required{member, isName} }
func text(member string) required { return required{member, isText} }
func flag(member string) required { return required{member, isFlag} }

func isName(v tree.Value) bool { s, _ := v.AsText(); return s != "" }
func isText(v tree.Value) bool { return v.Kind() == tree.KindText }
func isFlag(v tree.Value) bool { return v.Kind() == tree.KindBool }

// written adds the form of authors: the members of the strict form, of which some are required. A
// text may be empty, since that may be intended; a missing one is a mistake. An optional member of
// the wrong type is kept as an unknown one.
func (k effectKind) written(needs string, members ...required) effectKind {
	return k.readBy(needs, func(f *authorjson.Fields) (Effect, bool) {
		lacks := func(m required) bool { return !m.fits(f.Peek(m.member)) }
		complete := !slices.ContainsFunc(members, lacks)
		return k.lenient(f), complete
	})
}

// readBy adds a form of authors with a reader of its own.
func (k effectKind) readBy(needs string, read func(f *authorjson.Fields) (Effect, bool)) effectKind {
	k.needs, k.read = needs, read
	return k
}

// kindNamed returns the kind of a name in the strict form, or nil if the name is unknown.
func kindNamed(typ string) *effectKind {
	for i := range effectKinds {
		if effectKinds[i].typ == typ {
			return &effectKinds[i]
		}
	}
	return nil
}

// actionNamed returns the kind of an action name with an author form, or nil if the name is
// unknown.
func actionNamed(name string) *effectKind {
	for i := range effectKinds {
		if k := &effectKinds[i]; k.read != nil && k.action == name {
			return k
		}
	}
	return nil
}
