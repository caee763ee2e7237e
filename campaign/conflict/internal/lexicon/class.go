package lexicon

// A Class is a class of words that the reading and the detectors use.
type Class uint8

// Classes for the reading of all claims.
const (
	_            Class = iota
	Unreal             // hypothetical, reported, written or past: cancels everything after it
	Negation           // cancels the text after it in its clause
	Intention          // intention, duty, direction: cancels the text after it in its clause
	Modal              // cancels a claim that begins at most one character later
	Declared           // cancels a claim directly after it
	Conditional        // cancels a claim directly before it
	Bygone             // after a claim: it was long ago
	Connective         // begins a clause
	Perception         // gives the text after it a different subject
	Filler             // adverbs that may be between subject and claim
	OtherSubject       // words that begin the name of an untracked subject
	Coverb             // begins a verb phrase of the same subject
	Localizer          // ends a phrase of place
	PartyWord          // the party
	Preposition        // makes the English mention after it an object
	Determiner         // begins an English noun phrase
	Pronoun            // English subjects that are not tracked
	Creature           // people and animals that are untracked
	Fiction            // dreams, pictures, plays: their events did not happen
	Handles            // before a picture or a book: the action is about the thing, not about its content
	Writing            // before a colon: written text
	Waking             // ends a dream
	Doubt              // cancels the text after it in its clause, like a negation

	// Classes for hit points.
	HPWord
	LossVerb
	HurtVerb
	DealVerb
	CostVerb
	StrikeVerb
	GainVerb
	HealVerb
	AmountFiller
	HPDown
	HPUp
	ValueVerb
	Emptied
	HaveVerb
	DownTo
	Damage
	TakeVerb     // takes hit points from others
	LeaveVerb    // leaves a target with hit points
	ForWord      // before an amount, in "is hit for"
	GoneWord     // after an amount: lost
	GetsThrough  // after an amount of damage: taken in spite of armor
	MarkedOff    // subtracts an amount, anywhere in the clause
	ComesOver    // an effect that reaches a named target
	OnBody       // after such a name: 身上
	FragmentLead // before an amount that is a clause by itself
	FragmentEnd  // after such an amount
	MarkedUp     // gives an amount back
	Full         // at the maximum
	FullHealth   // a complete claim
	SelfHarm     // damage that the subject causes to itself
	PanelLabel   // words of a panel that are not names
	DieRoll      // before or after the number of a roll

	// Classes for the other detectors.
	Wound
	Recovery
	Dead
	Killed
	Downed
	Revived
	Deadly
	Mends     // heals wounds or damage
	Injury    // the thing that is healed
	Slays     // kills a named target
	Fells     // strikes down a named target
	TakesLife // before a named owner of a life
	LifeGoes  // before the one whom life leaves
	LifeComes // before the one to whom life returns
	LifeSign  // pulse, breath and other signs that stop with a life
	SignStops // after such a sign: it is over
	SignBack  // after such a sign: it has returned
	MindSign  // what the unconscious lose
	MindGoes  // after it: it is gone
	MindTaken // before the one whose mind is lost
	SinksInto // a verb of entering a Darkness
	Darkness  // the state that the unconscious enter
	Display   // shows the hit points of its owner
	Lapse     // the words of Darkness that are not places
	Breathes  // before a last breath, or a first one
	LastOf    // one last, her final
	FirstOf   // a, her first
	Breath    // the noun after them
	Rises     // returns, with Risen after it
	Feeling   // a feeling to which one gives in or that consumes one, without dying
	Overcomes // darkness and similar things, before their target
	Raises    // brings a named target back, with Risen after it
	Risen     // from the dead
	Fainted   // struck senseless: after 被 or 把
	Lifeless  // dead or unconscious, after words of falling
	Falling   // drops, before an apposition
	Times     // the number of times
	Unmasks   // before a sham: it was only …
	Sham      // a thing that looks real and is not
	Vitals    // parts of the body whose life or death means that of the owner
	Corpse    // after a possessive: its owner is dead
	Destroys  // before an area
	Body      // other parts of the body, and its wounds
	LifeLabel // a life state in the form of panels
	Arrival
	ArrivalOf
	Presence
	InPlace
	Brought  // moved to a place by others
	Alight   // after a place: an arrival
	Vehicle  // a vehicle to a place
	Greets   // an action of a place on a person who arrives
	Follows  // accompanies a named person
	GotThere // after a mention: arrived at the place of the sentence
	Remote   // knows, has or wants something elsewhere
	Staring  // looks at a place without being there
	NotTheArea
	EntersIt // after a door: enters
	RuleNoun
	RuleMatter // the subjects of rules of a game
	Every      // words for all of them
	Force      // a force that destroys places
	ForceTakes // the effect of such a force on them
	RuleChanged
	RuleEdit
	NewRule
	FromNow
	NoNeed
	Mechanic
	Collapse
	Ruined // destroyed, after 被
	Sealing
	NewPlace // a complete claim: the map has grown
	MapNoun
	MapChanged
	MapGained
	PlaceNoun
	OpensTo
	OnceThere // after an area: stood, was
	JoinedNow // after two areas: they are connected
	WayNoun   // a way between two areas
	JoinVerb  // makes a way between two areas
	CardLabel
	CardVerb
	CardPhrase
	LevelUp
	LevelTo
	Learns
	Learned
	GoalNoun
	NewGoal
	GoalVerb
	Announced // before a goal: it is new
	Rolled
	RollResult
	Brings  // after a check: its number comes next
	Landing // a verb of a die before its number
	CountWord

	tagCount
)
