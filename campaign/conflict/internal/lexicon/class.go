package lexicon

// A Class is a class of words. The classes of this list have a meaning in Go code. Further classes are
// in the data files only.
type Class uint16

// classNames has the name of each class, by class. The data files use the names.
var classNames = []string{""}

// fixed returns a new class with a name.
func fixed(name string) Class {
	classNames = append(classNames, name)
	return Class(len(classNames) - 1)
}

var (
	Unreal       = fixed("Unreal")       // hypothetical, reported, written or past: cancels everything after it
	Negation     = fixed("Negation")     // cancels the text after it in its clause
	Intention    = fixed("Intention")    // intention, duty, direction: cancels the text after it in its clause
	Modal        = fixed("Modal")        // cancels a claim that begins at most one character later
	Declared     = fixed("Declared")     // cancels a claim directly after it
	Conditional  = fixed("Conditional")  // cancels a claim directly before it
	Bygone       = fixed("Bygone")       // after a claim: it was long ago
	Connective   = fixed("Connective")   // begins a clause
	Perception   = fixed("Perception")   // gives the text after it a different subject
	Filler       = fixed("Filler")       // adverbs that may be between subject and claim
	OtherSubject = fixed("OtherSubject") // words that begin the name of an untracked subject
	Coverb       = fixed("Coverb")       // begins a verb phrase of the same subject
	Localizer    = fixed("Localizer")    // ends a phrase of place
	PartyWord    = fixed("PartyWord")    // the party
	Preposition  = fixed("Preposition")  // makes the English mention after it an object
	Determiner   = fixed("Determiner")   // begins an English noun phrase
	Pronoun      = fixed("Pronoun")      // English subjects that are not tracked
	Creature     = fixed("Creature")     // people and animals that are untracked
	Fiction      = fixed("Fiction")      // dreams, pictures, plays: their events did not happen
	Handles      = fixed("Handles")      // before a picture or a book: the action is about the thing, not about its content
	Writing      = fixed("Writing")      // before a colon: written text
	Waking       = fixed("Waking")       // ends a dream
	Doubt        = fixed("Doubt")        // cancels the text after it in its clause, like a negation

	// Classes for hit points.
	HPWord       = fixed("HPWord")
	LossVerb     = fixed("LossVerb")
	HurtVerb     = fixed("HurtVerb")
	DealVerb     = fixed("DealVerb")
	CostVerb     = fixed("CostVerb")
	StrikeVerb   = fixed("StrikeVerb")
	GainVerb     = fixed("GainVerb")
	HealVerb     = fixed("HealVerb")
	AmountFiller = fixed("AmountFiller")
	HPDown       = fixed("HPDown")
	HPUp         = fixed("HPUp")
	ValueVerb    = fixed("ValueVerb")
	Emptied      = fixed("Emptied")
	HaveVerb     = fixed("HaveVerb")
	DownTo       = fixed("DownTo")
	Damage       = fixed("Damage")
	TakeVerb     = fixed("TakeVerb")     // takes hit points from others
	LeaveVerb    = fixed("LeaveVerb")    // leaves a target with hit points
	ForWord      = fixed("ForWord")      // before an amount, in "is hit for"
	GoneWord     = fixed("GoneWord")     // after an amount: lost
	GetsThrough  = fixed("GetsThrough")  // after an amount of damage: taken in spite of armor
	MarkedOff    = fixed("MarkedOff")    // subtracts an amount, anywhere in the clause
	ComesOver    = fixed("ComesOver")    // an effect that reaches a named target
	OnBody       = fixed("OnBody")       // after such a name: 身上
	FragmentLead = fixed("FragmentLead") // before an amount that is a clause by itself
	FragmentEnd  = fixed("FragmentEnd")  // after such an amount
	MarkedUp     = fixed("MarkedUp")     // gives an amount back
	Full         = fixed("Full")         // at the maximum
	FullHealth   = fixed("FullHealth")   // a complete claim
	SelfHarm     = fixed("SelfHarm")     // damage that the subject causes to itself
	PanelLabel   = fixed("PanelLabel")   // words of a panel that are not names
	DieRoll      = fixed("DieRoll")      // before or after the number of a roll

	// Classes for the other detectors.
	Wound       = fixed("Wound")
	Recovery    = fixed("Recovery")
	Dead        = fixed("Dead")
	Killed      = fixed("Killed")
	Downed      = fixed("Downed")
	Revived     = fixed("Revived")
	Deadly      = fixed("Deadly")
	Mends       = fixed("Mends")     // heals wounds or damage
	Injury      = fixed("Injury")    // the thing that is healed
	Slays       = fixed("Slays")     // kills a named target
	Fells       = fixed("Fells")     // strikes down a named target
	TakesLife   = fixed("TakesLife") // before a named owner of a life
	LifeGoes    = fixed("LifeGoes")  // before the one whom life leaves
	LifeComes   = fixed("LifeComes") // before the one to whom life returns
	LifeSign    = fixed("LifeSign")  // pulse, breath and other signs that stop with a life
	SignStops   = fixed("SignStops") // after such a sign: it is over
	SignBack    = fixed("SignBack")  // after such a sign: it has returned
	MindSign    = fixed("MindSign")  // what the unconscious lose
	MindGoes    = fixed("MindGoes")  // after it: it is gone
	MindTaken   = fixed("MindTaken") // before the one whose mind is lost
	SinksInto   = fixed("SinksInto") // a verb of entering a Darkness
	Darkness    = fixed("Darkness")  // the state that the unconscious enter
	Display     = fixed("Display")   // shows the hit points of its owner
	Lapse       = fixed("Lapse")     // the words of Darkness that are not places
	Breathes    = fixed("Breathes")  // before a last breath, or a first one
	LastOf      = fixed("LastOf")    // one last, her final
	FirstOf     = fixed("FirstOf")   // a, her first
	Breath      = fixed("Breath")    // the noun after them
	Rises       = fixed("Rises")     // returns, with Risen after it
	Feeling     = fixed("Feeling")   // a feeling to which one gives in or that consumes one, without dying
	Overcomes   = fixed("Overcomes") // darkness and similar things, before their target
	Raises      = fixed("Raises")    // brings a named target back, with Risen after it
	Risen       = fixed("Risen")     // from the dead
	Fainted     = fixed("Fainted")   // struck senseless: after 被 or 把
	Lifeless    = fixed("Lifeless")  // dead or unconscious, after words of falling
	Falling     = fixed("Falling")   // drops, before an apposition
	Times       = fixed("Times")     // the number of times
	Unmasks     = fixed("Unmasks")   // before a sham: it was only …
	Sham        = fixed("Sham")      // a thing that looks real and is not
	Vitals      = fixed("Vitals")    // parts of the body whose life or death means that of the owner
	Corpse      = fixed("Corpse")    // after a possessive: its owner is dead
	Destroys    = fixed("Destroys")  // before an area
	Body        = fixed("Body")      // other parts of the body, and its wounds
	LifeLabel   = fixed("LifeLabel") // a life state in the form of panels
	Arrival     = fixed("Arrival")
	ArrivalOf   = fixed("ArrivalOf")
	Presence    = fixed("Presence")
	InPlace     = fixed("InPlace")
	Brought     = fixed("Brought")  // moved to a place by others
	Alight      = fixed("Alight")   // after a place: an arrival
	Vehicle     = fixed("Vehicle")  // a vehicle to a place
	Greets      = fixed("Greets")   // an action of a place on a person who arrives
	Follows     = fixed("Follows")  // accompanies a named person
	GotThere    = fixed("GotThere") // after a mention: arrived at the place of the sentence
	Remote      = fixed("Remote")   // knows, has or wants something elsewhere
	Staring     = fixed("Staring")  // looks at a place without being there
	NotTheArea  = fixed("NotTheArea")
	EntersIt    = fixed("EntersIt") // after a door: enters
	RuleNoun    = fixed("RuleNoun")
	RuleMatter  = fixed("RuleMatter") // the subjects of rules of a game
	Every       = fixed("Every")      // words for all of them
	Force       = fixed("Force")      // a force that destroys places
	ForceTakes  = fixed("ForceTakes") // the effect of such a force on them
	RuleChanged = fixed("RuleChanged")
	RuleEdit    = fixed("RuleEdit")
	NewRule     = fixed("NewRule")
	FromNow     = fixed("FromNow")
	NoNeed      = fixed("NoNeed")
	Mechanic    = fixed("Mechanic")
	Collapse    = fixed("Collapse")
	Ruined      = fixed("Ruined") // destroyed, after 被
	Sealing     = fixed("Sealing")
	NewPlace    = fixed("NewPlace") // a complete claim: the map has grown
	MapNoun     = fixed("MapNoun")
	MapChanged  = fixed("MapChanged")
	MapGained   = fixed("MapGained")
	PlaceNoun   = fixed("PlaceNoun")
	OpensTo     = fixed("OpensTo")
	OnceThere   = fixed("OnceThere") // after an area: stood, was
	JoinedNow   = fixed("JoinedNow") // after two areas: they are connected
	WayNoun     = fixed("WayNoun")   // a way between two areas
	JoinVerb    = fixed("JoinVerb")  // makes a way between two areas
	CardLabel   = fixed("CardLabel")
	CardVerb    = fixed("CardVerb")
	CardPhrase  = fixed("CardPhrase")
	LevelUp     = fixed("LevelUp")
	LevelTo     = fixed("LevelTo")
	Learns      = fixed("Learns")
	Learned     = fixed("Learned")
	GoalNoun    = fixed("GoalNoun")
	NewGoal     = fixed("NewGoal")
	GoalVerb    = fixed("GoalVerb")
	Announced   = fixed("Announced") // before a goal: it is new
	Rolled      = fixed("Rolled")
	RollResult  = fixed("RollResult")
	Brings      = fixed("Brings")  // after a check: its number comes next
	Landing     = fixed("Landing") // a verb of a die before its number
	CountWord   = fixed("CountWord")
)
