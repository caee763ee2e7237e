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
	Supposed     = fixed("Supposed")     // an unreal word that governs the rest of its sentence
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
	You          = fixed("You")          // the acting character
	YouAll       = fixed("YouAll")       // the party
	Me           = fixed("Me")
	Us           = fixed("Us")
	He           = fixed("He")
	She          = fixed("She")
	OtherPronoun = fixed("OtherPronoun") // pronouns that mean no tracked character
	PartyWord    = fixed("PartyWord")    // the party
	Preposition  = fixed("Preposition")  // makes the English mention after it an object
	Determiner   = fixed("Determiner")   // begins an English noun phrase
	Pronoun      = fixed("Pronoun")      // English subjects that are not tracked
	Creature     = fixed("Creature")     // people and animals that are untracked
	Epithet      = fixed("Epithet")      // nouns that often mean a person who was named before
	Fiction      = fixed("Fiction")      // dreams, pictures, plays: their events did not happen
	Handles      = fixed("Handles")      // before a picture or a book: the action is about the thing, not about its content
	Waking       = fixed("Waking")       // ends a dream
	Along        = fixed("Along")        // adverbs of place that may be between the parts of a claim
	Cut          = fixed("Cut")          // may not be between the parts of a claim
	General      = fixed("General")      // begins a clause about nobody, or about any time
	Offer        = fixed("Offer")        // a verb of what a character may do
	Doubt        = fixed("Doubt")        // cancels the text after it in its clause, like a negation

	// Classes for hit points.
	HPWord       = fixed("HPWord")
	LossVerb     = fixed("LossVerb")
	GainVerb     = fixed("GainVerb")
	AmountFiller = fixed("AmountFiller")
	HPDown       = fixed("HPDown")
	HPUp         = fixed("HPUp")
	ValueVerb    = fixed("ValueVerb")
	Emptied      = fixed("Emptied")
	Damage       = fixed("Damage")
	LeaveVerb    = fixed("LeaveVerb") // leaves a target with hit points
	GoneWord     = fixed("GoneWord")  // after an amount: lost
	Full         = fixed("Full")      // at the maximum

	// Classes for the other detectors.
	Dead        = fixed("Dead")
	Display     = fixed("Display") // shows the hit points of its owner
	Unmasks     = fixed("Unmasks") // before a sham: it was only …
	Sham        = fixed("Sham")    // a thing that looks real and is not
	Vitals      = fixed("Vitals")  // parts of the body that live and die with their owner
	Body        = fixed("Body")    // other parts of the body, and its wounds
	InPlace     = fixed("InPlace")
	CardLabel   = fixed("CardLabel")
	CardPhrase  = fixed("CardPhrase")
	AfterAmount = fixed("AfterAmount") // after an amount that may be one of hit points
	Resource    = fixed("Resource")    // things that are counted in points and are no hit points
	Gambling    = fixed("Gambling")    // a game with dice inside the story
)
