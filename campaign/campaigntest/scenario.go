package campaigntest

import (
	"encoding/json"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/llm"
)

// The scenario part reads and writes scenarios: text files that say what players and a
// scripted model say, and what has to come of it. Package campaigntest plays them.
//
//	# The bell wakes what sleeps below.
//
//	say I ring the bell and go down.
//	model The bell tolls. You slip on the stairs.
//	call move actor_id=mara to_area_id=crypt
//	call hp_delta target_character_id=mara delta=-4 cause="the stairs"
//	want hp mara 6
//	want in mara crypt
//	want lore bell
//	want no lore lake
//
//	goal in mara crypt
//
// # Grammar
//
//	file  = { comment | empty line | step }
//	step  = line { line }                    ends at an empty line
//	line  = word [ rest ] { "|" rest }       a line that begins with "|" goes on with the
//	                                         text of the one before, as a new line of it
//	comment = "#" rest                       only where no step is open
//
// The word of the first line of a step is what is done:
//
//	say TEXT                 a player's line; the turn is played to its end
//	hear TEXT                looks which lore, rules and blocks a line would give; plays nothing
//	look                     does nothing: for checks of the state as it stands
//	decide DECISION [TEXT]   about a conflict: retry, accept_text, discard, override TEXT
//	approve                  all calls that wait for it, but for those that lines name
//	discard                  the turn that waits for approval
//	rollback TURN            back to the checkpoint of a turn; undo returns from there
//	undo
//	swipe                    another answer to the last line
//	regenerate [INSTRUCTIONS]
//	choose TURN              another of the answers to the last line
//	checkpoint [LABEL]
//	switch BRANCH
//	select CHARACTER         who acts
//	set KEY VALUE            one setting
//	event TYPE [OBJECT]      an event of the host's, for rules
//	pass TIME                time of the host's passes, for countdowns
//	end REASON               the campaign ends
//	milestone                one step, by hand
//	do OBJECT                any instruction, in the JSON form of package turn:
//	                         {"input": "set_locks", "movement": {"locked": true}}
//	setup OBJECT             the first step only: members in place of those of the setup
//	goal CHECK               what the whole scenario is to reach; one or more lines
//
// The other lines of a step:
//
//	as CHARACTER             who says it
//	with OBJECT              other members of the submission: {"elapsed": 3}
//	clock TIME               from now on it is this time: 2026-05-01T12:00:00Z
//	dice N …                 the next draws are throws of a die with twenty sides
//	draws X …                the next draws are these numbers, from 0 to below 1
//	route TYPE               the router's answer: a dialog type
//	judge OBJECT             a finding of the judge: {"kind": …, "quote": …}
//	summary TEXT             the summary, if one is asked for
//	sink KIND TEXT           deliveries to memory, workflow, worldbook or log fail with TEXT
//	model TEXT               the next reply of the model
//	call TOOL ARGUMENTS      a call of the reply above: name=value … or a JSON object
//	fail CODE                the model fails in place of a reply: overloaded
//	edit TOOL ARGUMENTS      of approve: calls of the tool get other arguments
//	deny TOOL [REASON]       of approve: calls of the tool do not count
//	want CHECK               what has to be so afterwards
//	want no CHECK            what must not be so
//	----                     what happened, as text: all lines to the end of the step.
//	                         A run with -update writes them
//
// Blanks, tabs and the wide blank of Chinese keyboards separate words. A WORD with blanks stands in quotation marks. A VALUE is JSON, or else the text itself. TEXT is
// the rest of the line as it is; one that begins with \" is a quoted Go string behind the
// backslash, for what cannot be seen.
//
// # Checks
//
//	hp CHARACTER N           hit points                 text TEXT        the narration has it
//	in CHARACTER AREA        or in a child of the area  prompt TEXT      a request had it
//	alive CHARACTER STATE    the life state             block ID         the prompt had the block
//	var NAME VALUE           a variable                 lore NAME        the entry was active, by
//	between NAME MIN MAX     a number, both included                     comment, id or uid
//	state PATH VALUE         anything in the JSON of    rule ID          a rule or reaction fired
//	                         the campaign               hook ID          a hook ran
//	ended [REASON]                                      applied TOOL     a call was accepted
//	refused TOOL [CODE]      a call was refused         notice TEXT      the player was told
//	conflict [KIND]          a narration was            effect TYPE      the host got it
//	speaker MEMBER [TEXT]    one of the cast spoke      warning TEXT     in the trace
//	retries N                of the turn
//	outcome STATUS [REASON]  how the instruction ended
//
// A goal is about the state: hp, in, alive, var, between, state or ended.
//
// A scenario is a plain value. Parsing and printing take time in proportion to the text; a
// file has at most [MaxScenarioFile] bytes.

// Scenario is one story that is played from its beginning.
type Scenario struct {
	// File is where it comes from, for messages.
	File string
	// Setup holds members in place of those of the setup; a JSON object, or nil.
	Setup json.RawMessage
	Steps []ScenarioStep
	// Goals are what the scenario is to reach, looked at after the last step.
	Goals []ScenarioCheck
}

// ScenarioStep is one thing that is done, what the outside answers meanwhile, and what has to be so
// afterwards. The package documentation says what its parts mean.
type ScenarioStep struct {
	Line    int      // in the file, from 1; 0 for a step that does not come from one
	Comment string   // the comment before it, without "#"
	Do      string   // the word of its first line
	Args    []string // what follows it; a VALUE or OBJECT as JSON

	As       string
	With     json.RawMessage // an object
	Clock    time.Time
	Draws    []float64
	Route    string
	Verdicts []conflict.Verdict
	Summary  string
	Sinks    map[string]string // what goes wrong, by the kind of sink
	Replies  []ScenarioReply
	Answers  []ScenarioAnswer // about calls that wait for approval
	Wants    []ScenarioCheck

	// Recorded says that the step has a line "----", Happened what stands below.
	Recorded bool
	Happened string
}

// ScenarioReply is one answer of the model. Fail is an error code in place of one.
type ScenarioReply struct {
	Text  string
	Calls []ScenarioCall
	Fail  llm.ErrorCode
}

// ScenarioCall is a tool call of a reply. Args are what a model writes there, usually a JSON object.
type ScenarioCall struct {
	Tool string
	Args string
}

// ScenarioAnswer is what somebody decides about the calls of a tool that wait for approval: other
// arguments, a JSON object, or, without them, a denial for a reason.
type ScenarioAnswer struct {
	Tool   string
	Args   string
	Reason string
}

// ScenarioCheck is one thing that has to be so, or, with Not, that must not be. The package
// documentation lists the names, and what belongs to each.
type ScenarioCheck struct {
	Line int // in the file; 0 for a check that does not come from one
	Not  bool
	Name string
	Args []string // a VALUE as JSON
}
