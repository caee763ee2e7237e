// Package campaigntest tests games. A test scripts the lines of the players and the replies of the
// model, and checks the results. It needs no model, no network and no waiting.
//
//	func TestTheBell(t *testing.T) {
//		g := campaigntest.Play(t, content, setup)
//		g.Say("I ring the bell and go down.").
//			Model("The bell tolls. You slip on the stairs.",
//				campaigntest.Call("move", "actor_id", "mara", "to_area_id", "crypt"),
//				campaigntest.Call("hp_delta", "target_character_id", "mara", "delta", -4, "cause", "the stairs"))
//		g.Want(
//			campaigntest.HP("mara", 6), campaigntest.In("mara", "crypt"),
//			campaigntest.Lore("bell"), campaigntest.Not(campaigntest.Lore("lake")), campaigntest.Rule("omens"))
//	}
//
// [Play] runs a campaign on a real [campaign.Engine] with a store in memory. A turn runs when the
// test checks it or continues. A turn that does not end well is a fault, unless a check expects its
// outcome or the next step answers its question. The report of a failed check says what happened
// instead, and why. For example, it names the condition that stopped a rule, the key that did not
// match, or the refused call.
//
// # Scenario files
//
// Authors who do not write Go can write the same tests as text files. [Run] plays them as subtests,
// and [ParseScenario] reads one:
//
//	func TestScenarios(t *testing.T) {
//		campaigntest.Run(t, os.DirFS("testdata"), "*.txt", content, setup)
//	}
//
// A file looks like this:
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
//	line  = word [ rest ] { "|" rest }       a line that begins with "|" continues the text
//	                                         of the line before, as a new line in it
//	comment = "#" rest                       only between steps
//
// The first word of a step names the action:
//
//	say TEXT                 a player's line; the turn is played to its end
//	hear TEXT                shows which lore, rules and blocks a line would activate; plays nothing
//	look                     plays nothing: checks the current state
//	decide DECISION [TEXT]   about a conflict: retry, accept_text, discard, override TEXT
//	approve                  accepts all waiting calls, except those in edit and deny lines
//	discard                  discards the turn that waits for approval
//	rollback TURN            restores the checkpoint of a turn
//	undo                     takes back the newest turn
//	redo                     reverts an undo or a rollback
//	swipe                    requests a different answer to the last line
//	regenerate [INSTRUCTIONS]
//	choose TURN              selects an earlier answer to the last line
//	checkpoint [LABEL]
//	switch BRANCH
//	select CHARACTER         sets the acting character
//	set KEY VALUE            changes one setting
//	event TYPE [OBJECT]      raises an event of the host, for rules
//	pass TIME                advances the host's time, for countdowns
//	end REASON               ends the campaign
//	milestone                one step, by hand
//	do OBJECT                any instruction, in the JSON form of package turn:
//	                         {"input": "set_locks", "movement": {"locked": true}}
//	setup OBJECT             first step only: its members replace members of the setup
//	goal CHECK               a goal of the whole scenario; one or more lines
//
// The other lines of a step:
//
//	as CHARACTER             the speaker
//	with OBJECT              other members of the submission: {"elapsed": 3}
//	clock TIME               sets the clock from now on: 2026-05-01T12:00:00Z
//	dice N …                 the next draws are throws of a die with twenty sides
//	draws X …                the next draws are these numbers, from 0 to below 1
//	route TYPE               the router's answer: a dialog type
//	judge OBJECT             a finding of the judge: {"kind": …, "quote": …}
//	summary TEXT             the summary, if one is requested
//	sink KIND TEXT           deliveries to memory, workflow, worldbook or log fail with TEXT
//	model TEXT               the next reply of the model
//	call TOOL ARGUMENTS      a call of the reply above: name=value … or a JSON object
//	fail CODE                the model fails instead of replying: overloaded
//	edit TOOL ARGUMENTS      with approve: replaces the arguments of the tool's calls
//	deny TOOL [REASON]       with approve: denies the tool's calls
//	want CHECK               must be true after the step
//	want no CHECK            must not be true after the step
//	----                     the recorded result: all lines to the end of the step.
//	                         A run with -update writes them
//
// Blanks, tabs and the ideographic space (U+3000) separate words. A WORD with blanks needs
// quotation marks. A VALUE is JSON, or else plain text. TEXT is the rest of the line, unchanged. A
// TEXT that begins with \" is a backslash and a quoted Go string; it can contain invisible
// characters.
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
// A goal may only check the state: hp, in, alive, var, between, state or ended.
//
// A [Scenario] is a plain value. Parsing and printing take time in proportion to the text. A file
// has at most 1 MiB.
//
// # Effects of one line
//
// [Hear] returns the lore, rules and prompt blocks that a player's line activates, without playing
// it.
//
// # Random play
//
// [Explore] runs games with random players and a random hostile model. It checks laws that must
// always hold. It reduces a game with a fault and reports it as a scenario.
//
// # Models
//
// [Game.Score] plays scenarios with a real model. It counts the mistakes of the model and the goals
// that the state reached.
//
// # Built-in behaviour
//
// Every game uses the seed of its setup and the same clock. The clock does not advance unless a
// scenario sets it. In addition to its own checks, every test checks the following. Hit points stay
// within their bounds. A turn that does not end well changes nothing. At the end, a replay of the
// log gives the same campaign.
//
// A [Test] belongs to one goroutine. Different Tests are independent.
package campaigntest
