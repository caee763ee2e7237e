package effect

import (
	"reflect"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/openjson"
)

// effectKinds are the effects of the closed set, all but [Custom]: one line for each, and
// everything else about it in its file. One that is missing here could not be saved; a test
// writes and reads every one. Hints list what authors write in this order.
var effectKinds = [...]effectKind{
	kindOf[SetVariable]().as("modify-variable").written("a variableId", readModifyVariable),
	kindOf[InjectDirective]().written("a directiveId, and a content that is a text", readInjectDirective),
	kindOf[RemoveDirective]().written("a directiveId", readRemoveDirective),
	kindOf[ToggleEntry]().written("an entryId, and enabled as true or false", readToggleEntry),
	kindOf[ToggleRule]().written("a ruleId, and enabled as true or false", readToggleRule),
	kindOf[ToggleVariable](),
	kindOf[ToggleBook](),
	kindOf[TriggerRule]().written("a ruleId", readTriggerRule),
	kindOf[Notify]().written("a message that is a text", readNotify),
	kindOf[PlayAudio]().written("a trackId", readPlayAudio),
	kindOf[Rewrite]().written("a target (line, prompt or reply), a text, and for a prompt what to find", readRewrite),
	kindOf[Veto]().written("a reason that is a text", readVeto),
	kindOf[SendContext]().written("a message that is a text", readSendContext),
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

// effectKind is what has to be known of a type of effect without a value of it.
type effectKind struct {
	typ    string
	of     reflect.Type
	extra  []int // the place of the field with the unknown members
	decode func(data []byte) (Effect, error)

	// Of those that authors write: the name that they know, what the action needs, and the
	// lenient reader, which reports whether all of it was there. Without a reader authors
	// write the strict form.
	action string
	needs  string
	read   func(f *authorjson.Fields) (Effect, bool)
}

// kindOf describes a type whose strict form is in the tags of its fields, with a field Extra.
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
	}
}

// as gives the kind another name where authors write it.
func (k effectKind) as(action string) effectKind {
	k.action = action
	return k
}

// written adds the form of authors.
func (k effectKind) written(needs string, read func(f *authorjson.Fields) (Effect, bool)) effectKind {
	k.needs, k.read = needs, read
	return k
}

// kindNamed returns the kind of a name in the strict form, nil for none of the closed set.
func kindNamed(typ string) *effectKind {
	for i := range effectKinds {
		if effectKinds[i].typ == typ {
			return &effectKinds[i]
		}
	}
	return nil
}

// actionNamed returns the kind of a name that authors write in a form of their own, nil for none.
func actionNamed(name string) *effectKind {
	for i := range effectKinds {
		if k := &effectKinds[i]; k.read != nil && k.action == name {
			return k
		}
	}
	return nil
}
