package campaigntest

import (
	"strconv"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

func check(name string, args ...string) ScenarioCheck { return ScenarioCheck{Name: name, Args: args} }

// checkText is a check with a last argument that may be missing.
func checkText(name, first, last string) ScenarioCheck {
	c := check(name)
	for _, arg := range []string{first, last} {
		if arg != "" {
			c.Args = append(c.Args, arg)
		}
	}
	return c
}

// HP wants a character to have so many hit points.
func HP(character string, n int) ScenarioCheck { return check("hp", character, strconv.Itoa(n)) }

// In wants a character to be in an area, or in a child of it.
func In(character, area string) ScenarioCheck { return check("in", character, area) }

// Alive wants a character to be in a life state.
func Alive(character string, s state.AliveState) ScenarioCheck {
	return check("alive", character, string(s))
}

// Var wants a variable to have a value: a text, a number, a bool, nil, or what has a form in
// JSON. The variable is a declared one by its id, a view such as hp.mara, or a path.
func Var(name string, value any) ScenarioCheck { return check("var", name, jsonOf(value)) }

// Between wants a variable to be a number within bounds, both included.
func Between(name string, least, most float64) ScenarioCheck {
	return check("between", name, jsonOf(least), jsonOf(most))
}

// State wants anything in the JSON form of the campaign to have a value, by its path, such as
// "state.milestone.value".
func State(path string, value any) ScenarioCheck { return check("state", path, jsonOf(value)) }

// Ended wants the campaign to have ended, for a reason if one is given.
func Ended(reason string) ScenarioCheck { return checkText("ended", reason, "") }

// Lore wants an entry of the world book to have been active, by its comment, its id, or its
// uid. Case does not matter.
func Lore(name string) ScenarioCheck { return check("lore", name) }

// Rule wants a rule or a reaction to have fired.
func Rule(id string) ScenarioCheck { return check("rule", id) }

// Hook wants a hook to have run with success, by its id or its name.
func Hook(id string) ScenarioCheck { return check("hook", id) }

// Prompt wants a text in one of the turn's requests.
func Prompt(contains string) ScenarioCheck { return check("prompt", contains) }

// Block wants a block in the prompt, such as "status".
func Block(id string) ScenarioCheck { return check("block", id) }

// Text wants a text in the narration that the player got.
func Text(contains string) ScenarioCheck { return check("text", contains) }

// Speaker wants a member of the cast to have spoken, and to have said a text if one is given.
func Speaker(member, contains string) ScenarioCheck { return checkText("speaker", member, contains) }

// Applied wants a call of the tool to have been accepted.
func Applied(tool string) ScenarioCheck { return check("applied", tool) }

// Refused wants a call of the tool to have been refused, for a reason if one is given.
func Refused(tool string, code state.CallCode) ScenarioCheck {
	return checkText("refused", tool, string(code))
}

// Conflict wants a narration to have contradicted the state, in this way if a kind is given.
func Conflict(kind string) ScenarioCheck { return checkText("conflict", kind, "") }

// Retries wants the turn to have used so many re-generations.
func Retries(n int) ScenarioCheck { return check("retries", strconv.Itoa(n)) }

// Ends wants the instruction to have ended so, with a reason if one is given. Without such a
// check everything has to end as completed.
func Ends(status turn.OutcomeStatus, reason string) ScenarioCheck {
	return checkText("outcome", string(status), reason)
}

// Notice wants the player to have been told a text, by a rule or a hook.
func Notice(contains string) ScenarioCheck { return check("notice", contains) }

// Effect wants the host to have been given an effect of the type, or a sink.
func Effect(kind string) ScenarioCheck { return check("effect", kind) }

// Warning wants a text among the warnings of the turn.
func Warning(contains string) ScenarioCheck { return check("warning", contains) }

// Not wants the contrary.
func Not(c ScenarioCheck) ScenarioCheck {
	c.Not = !c.Not
	return c
}

// Call is a tool call of a reply. The arguments are pairs of a name and a value, or a single
// text that is JSON, or meant to be.
func Call(tool string, args ...any) ScenarioCall {
	return ScenarioCall{Tool: tool, Args: llmtest.Call(tool, args...).Calls[0].Arguments}
}

// Edit gives calls of a tool that wait for approval other arguments, in the form of [Call].
func Edit(tool string, args ...any) ScenarioAnswer {
	return ScenarioAnswer{Tool: tool, Args: Call(tool, args...).Args}
}

// Deny lets calls of a tool that wait for approval not count, for a reason that the model is told.
func Deny(tool, reason string) ScenarioAnswer {
	return ScenarioAnswer{Tool: tool, Reason: reason}
}

// jsonOf is a value as JSON. What has no such form is never equal to anything.
func jsonOf(v any) string {
	if value, is := v.(tree.Value); is {
		return value.String()
	}
	value, err := tree.Of(v)
	if err != nil {
		return strconv.Quote("no JSON value: " + err.Error())
	}
	return value.String()
}
