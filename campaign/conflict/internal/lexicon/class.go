package lexicon

// A Class is a class of words that the reading and the detectors ask for.
type Class uint8

// Classes for the reading of any claim.
const (
	_            Class = iota
	Unreal             // hypothetical, reported, written or past: unmakes all that follows
	Negation           // unmakes what follows in its clause
	Intention          // intention, duty, direction: unmakes what follows in its clause
	Modal              // unmakes a claim that begins at most one character later
	Declared           // unmakes a claim right after it
	Conditional        // unmakes a claim right before it
	Bygone             // behind a claim: it was long ago
	Connective         // begins a clause
	Perception         // gives what follows to another subject
	Filler             // adverbs that may stand between subject and claim
	OtherSubject       // words that begin the name of somebody untracked
	Coverb             // begins a verb phrase of the same subject
	Localizer          // ends a phrase of place
	PartyWord          // the party
	Preposition        // makes the English mention after it an object
	Determiner         // begins an English noun phrase
	Pronoun            // English subjects that are not tracked
	Creature           // people and beasts that nobody tracks
	Fiction            // dreams, pictures, plays: what they show did not happen
	Handles            // before a picture or a book: what is done to the thing tells nothing of what it shows
	Writing            // before a colon: what is written there
	Waking             // ends a dream
	Doubt              // unmakes what follows in its clause, as negation does

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
	TakeVerb     // takes hit points from somebody else
	LeaveVerb    // leaves somebody with hit points
	ForWord      // before an amount that somebody is hit for
	GoneWord     // after an amount: lost
	GetsThrough  // after an amount of damage: suffered in spite of what one wears
	MarkedOff    // takes an amount off, wherever it stands in the clause
	ComesOver    // what comes to whom it names
	OnBody       // behind such a name: 身上
	FragmentLead // before an amount that is a clause of its own
	FragmentEnd  // behind such an amount
	MarkedUp     // gives an amount back
	Full         // at the maximum
	FullHealth   // complete in itself
	SelfHarm     // what the subject suffers by itself
	PanelLabel   // words of a panel that name nobody
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
	Injury    // what is healed
	Slays     // kills whom it names
	Fells     // strikes down whom it names
	TakesLife // before the life of whom it names
	LifeGoes  // before whom life leaves
	LifeComes // before to whom it returns
	LifeSign  // pulse, breath and what else stops with a life
	SignStops // after such a sign: it is over
	SignBack  // after such a sign: it is there again
	MindSign  // what the unconscious lose
	MindGoes  // after it: it is gone
	MindTaken // before whose mind it is that goes
	SinksInto // goes into what Darkness says
	Darkness  // what the unconscious go into
	Display   // shows somebody's hit points
	Lapse     // of these, what is no place
	Breathes  // before a last breath, or a first one
	LastOf    // one last, her final
	FirstOf   // a, her first
	Breath    // what is drawn
	Rises     // comes back, with Risen behind
	Feeling   // what one gives in to or is eaten by without dying
	Overcomes // darkness and its like, before whom it takes
	Raises    // brings whom it names back, with Risen behind
	Risen     // from the dead
	Fainted   // struck senseless: after 被 or 把
	Lifeless  // dead or unconscious, after words of falling
	Falling   // drops, before an apposition
	Times     // how often something happened
	Unmasks   // before a sham: it was only …
	Sham      // what looks real and is not
	Vitals    // parts of a body that live or die for it
	Corpse    // after a possessive: its owner is dead
	Destroys  // before an area
	Body      // other parts of a body, and its wounds
	LifeLabel // a state of life as panels have it
	Arrival
	ArrivalOf
	Presence
	InPlace
	Brought  // taken somewhere by others
	Alight   // after a place: got there
	Vehicle  // what one takes to a place
	Greets   // a place does to who arrives
	Follows  // goes with whom it names
	GotThere // after a mention: arrived where the sentence speaks of
	Remote   // knows, has or wants what is elsewhere
	Staring  // looks somewhere and is not there
	NotTheArea
	EntersIt // after a door: goes in
	RuleNoun
	RuleMatter // what rules of a game are about
	Every      // how many of them
	Force      // what destroys places
	ForceTakes // what such a thing does to them
	RuleChanged
	RuleEdit
	NewRule
	FromNow
	NoNeed
	Mechanic
	Collapse
	Ruined // destroyed, after 被
	Sealing
	NewPlace // complete: the map has grown
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
	Announced // before a goal: it is news
	Rolled
	RollResult
	Brings  // after a check: has the number behind it
	Landing // a die does before its number
	CountWord

	tagCount
)
