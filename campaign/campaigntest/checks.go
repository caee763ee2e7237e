package campaigntest

import (
	"strconv"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

func newCheck(name string, args ...string) ScenarioCheck {
	return ScenarioCheck{Name: name, Args: args}
}

// newTextCheck returns a check without its empty arguments.
func newTextCheck(name, first, last string) ScenarioCheck {
	c := newCheck(name)
	for _, arg := range []string{first, last} {
		if arg != "" {
			c.Args = append(c.Args, arg)
		}
	}
	return c
}

// HP checks that a character has n hit points.
func HP(character string, n int) ScenarioCheck { return newCheck("hp", character, strconv.Itoa(n)) }

// In checks that a character is in an area, or in an area inside it.
func In(character, area string) ScenarioCheck { return newCheck("in", character, area) }

// Alive checks that a character is in a life state.
func Alive(character string, s state.AliveState) ScenarioCheck {
	return newCheck("alive", character, string(s))
}

// Var checks the value of a variable: a text, a number, a bool, nil, or any value with a JSON form.
// The name is the ID of a declared variable, a view such as hp.mara, or a path.
func Var(name string, value any) ScenarioCheck { return newCheck("var", name, jsonOf(value)) }

// Between checks that a variable is a number from least to most, both included.
func Between(name string, least, most float64) ScenarioCheck {
	return newCheck("between", name, jsonOf(least), jsonOf(most))
}

// State checks a value in the JSON form of the campaign, by its path, such as
// "state.milestone.value".
func State(path string, value any) ScenarioCheck { return newCheck("state", path, jsonOf(value)) }

// Ended checks that the campaign has ended, for the given reason unless that is "".
func Ended(reason string) ScenarioCheck { return newTextCheck("ended", reason, "") }

// Lore checks that an entry of the world book was active. name is its comment, its ID, or its uid.
// Case does not matter.
func Lore(name string) ScenarioCheck { return newCheck("lore", name) }

// Rule checks that a rule or a reaction fired.
func Rule(id string) ScenarioCheck { return newCheck("rule", id) }

// Hook checks that a hook ran with success, by its ID or its name.
func Hook(id string) ScenarioCheck { return newCheck("hook", id) }

// Prompt checks that one of the turn's requests contains a text.
func Prompt(contains string) ScenarioCheck { return newCheck("prompt", contains) }

// Block checks that the prompt has a block, such as "status".
func Block(id string) ScenarioCheck { return newCheck("block", id) }

// Text checks that the narration for the player contains a text.
func Text(contains string) ScenarioCheck { return newCheck("text", contains) }

// Speaker checks that a member of the cast spoke, and said the given text unless that is "".
func Speaker(member, contains string) ScenarioCheck { return newTextCheck("speaker", member, contains) }

// Applied checks that a call of the tool was accepted.
func Applied(tool string) ScenarioCheck { return newCheck("applied", tool) }

// Refused checks that a call of the tool was refused, for the given reason unless that is "".
func Refused(tool string, code state.CallCode) ScenarioCheck {
	return newTextCheck("refused", tool, string(code))
}

// Conflict checks that a narration contradicted the state, with the given kind of conflict unless
// that is "".
func Conflict(kind string) ScenarioCheck { return newTextCheck("conflict", kind, "") }

// Retries checks that the turn used n re-generations.
func Retries(n int) ScenarioCheck { return newCheck("retries", strconv.Itoa(n)) }

// Ends checks how the instruction ended, with the given reason unless that is "". Without such a
// check, every instruction must end as completed.
func Ends(status turn.OutcomeStatus, reason string) ScenarioCheck {
	return newTextCheck("outcome", string(status), reason)
}

// Notice checks that the player got a message that contains a text, from a rule or a hook.
func Notice(contains string) ScenarioCheck { return newCheck("notice", contains) }

// Effect checks that the host or a sink got an effect of the type.
func Effect(kind string) ScenarioCheck { return newCheck("effect", kind) }

// Warning checks that a warning of the turn contains a text.
func Warning(contains string) ScenarioCheck { return newCheck("warning", contains) }

// Not negates a check.
func Not(c ScenarioCheck) ScenarioCheck {
	c.Not = !c.Not
	return c
}

// Call is a tool call of a reply. The arguments are pairs of a name and a value, or a single text.
// The text is JSON, or invalid JSON as a model might write it.
func Call(tool string, args ...any) ScenarioCall {
	return ScenarioCall{Tool: tool, Args: llmtest.Call(tool, args...).Calls[0].Arguments}
}

// Edit replaces the arguments of a tool's calls that wait for approval. The arguments have the form
// of [Call].
func Edit(tool string, args ...any) ScenarioAnswer {
	return ScenarioAnswer{Tool: tool, Args: Call(tool, args...).Args}
}

// Deny denies a tool's calls that wait for approval. The model gets the reason.
func Deny(tool, reason string) ScenarioAnswer {
	return ScenarioAnswer{Tool: tool, Reason: reason}
}

// jsonOf returns a value as JSON. The result for a value without a JSON form never equals any
// value.
func jsonOf(v any) string {
	value, err := tree.Of(v)
	if err != nil {
		return strconv.Quote("no JSON value: " + err.Error())
	}
	return value.String()
}
