package worldbook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/worldbook/internal/loose"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// entry is a compiled [Entry], in parts by purpose. A scan of a large book waits for memory most of
// the time. The fields that it reads of nearly every examined entry come first, in cache lines of
// 64 bytes. The embedded structs there have no field wider than a byte.
type entry struct {
	keys          match.Keys
	content       string // without decorators
	order         float64
	contentWeight int32 // for the built-in counter, 0 if the content has macros
	scanDepth     int16
	gates
	keySearch
	candidateRules
	recursionRules
	position     int8 // an [Position]
	missingDepth bool
	id           ID
	comment      string

	// Only few entries need these.
	origin
	*effects // shared by the entries without effects
	chances
	placement
	secondary   []match.Ref
	contentKeys []int32
	v3          *cardRules
	own         *compiledOptions // nil without options
}

// gates are the rules that are checked before the keys of an entry.
type gates struct {
	disabled, constant     bool
	activate, dontActivate bool
	hasGates               bool // there are gates other than disabled
	hasTurnRules           bool // by triggers, a filter or conditions
	hasTimedEffects        bool
	waitsForRecursion      bool // for recursion, at its level
	excludeRecursion       bool
	alwaysExamined         bool // every loop examines it
}

// keySearch is how the keys of an entry are searched for.
type keySearch struct {
	commonWindow  bool // in the window that most entries share (view.usualWindow)
	decidedLate   bool // some keys are decided only in the joined window (match.Builder.DecidedLate)
	selective     bool
	literal       bool
	hasKeys       bool
	keysCompiled  bool        // compileKeys has compiled the keys
	hasExpression bool        // it has an expression
	inSet         bool        // it is in a set of entries that replace each other
	logic         int8        // the rule for secondary keys; -1: not one of the four
	data          match.Parts // scan data that is searched
}

// candidateRules holds the rules that a candidate must pass.
type candidateRules struct {
	inGroups                     bool // it is in inclusion groups
	useProbability, ignoreBudget bool
	hasAutomation                bool // it has an automation id for the result
}

// recursionRules describes how the content of an active entry may start a further loop.
type recursionRules struct {
	preventRecursion, dynamicContent bool
	contentNeedsSearch, prematched   bool // prematched: contentKeys is complete
}

// origin is where an entry comes from and how it is recognised.
type origin struct {
	src    *Entry // private copy
	book   *bookOfEntry
	at     int32 // its place in the book
	serial int32 // number in the order of compilation
}

// bookOfEntry is the book of an entry. All entries of the book share it.
type bookOfEntry struct {
	name   string // in problems; an ID may have a different one, see [Entry.World]
	source Source
}

// effects are the rules of an entry about time and recursion.
type effects struct {
	sticky, cooldown, delay duration
	level                   level  // if it waits
	hash                    string // set if timed
}

var noEffects effects

// duration is the length of a timed effect. A length of 0 is off.
type duration struct {
	length float64
	rounds bool // counted in rounds, not in messages
}

// chances holds the rules of an entry about chance and inclusion groups.
type chances struct {
	probability float64
	group       *grouping // nil without inclusion groups
}

// placement is where the text of an entry goes, in addition to its position.
type placement struct {
	depth int
	role  Role
}

// name returns the id as text.
func (e *entry) name() string { return e.id.String() }

// path returns the place of the entry, for problems.
func (e *entry) path() string { return fmt.Sprintf("%s.entries[%d]", e.book.name, e.at) }

// grouping holds the rules of an entry about inclusion groups.
type grouping struct {
	names           []string
	weight          float64
	weightText      *string // of a weight that is not a number
	override        bool
	scoring         *bool       // nil: the setting counts
	keys, secondary []match.Ref // the keys that scores count
	logic           int8        // the rule by which scores count secondary keys; -1: they do not count
}

// builder compiles entries and collects their keys.
type builder struct {
	set      *ProfileSettings
	entries  int32 // compiled so far
	keys     match.Builder
	refs     []match.Ref // of all entries, concatenated
	filters  [][]string  // the sources that entries read
	limits   []Limit     // of the settings, then of the books
	problems problemList
}

func newBuilder(set *ProfileSettings) *builder {
	return &builder{set: set, keys: match.NewBuilder(keyRules(set))}
}

// keyRules returns the settings that the key index depends on.
func keyRules(s *ProfileSettings) match.Rules {
	return match.Rules{
		BlankKeys: s.hasQuirk(quirkBlankKey), SkipInvalidRegex: s.SkipInvalidRegex,
		RegexIgnoreCase: s.RegexIgnoreCase, RegexPerMessage: s.RegexPerMessage,
		IncludeNames: s.IncludeNames, Words: wordsOf(s),
	}
}

// problem records a mistake in a member of e. Compiling continues.
func (b *builder) problem(e *entry, code talewright.Code, path, format string, args ...any) {
	b.problems.addProblem(e.serial, talewright.Problem{
		Path: e.path() + path, ID: e.name(), Code: code, Text: fmt.Sprintf(format, args...),
	})
}

// compileEntry compiles one entry without its keys into e.
func (b *builder) compileEntry(e *entry, book *bookOfEntry, place int, src *Entry) {
	*e = entry{id: ID{Book: book.name, UID: src.UID}, origin: origin{src: src, book: book, at: int32(place), serial: b.entries}}
	b.entries++
	if src.World != nil {
		e.id.Book = *src.World
	}
	b.options(e)
	b.flags(e)
	b.numbers(e)
	b.reportNumbers(e)
	b.content(e)
	b.placement(e)
	b.setSummaryFlags(e)
	if e.hasTimedEffects {
		e.hash = hashEntry(e)
	}
}

// clone copies an entry, so that later changes by the caller have no effect.
func (e *Entry) clone() Entry {
	out := *e
	out.Keys = slices.Clone(e.Keys)
	out.SecondaryKeys = slices.Clone(e.SecondaryKeys)
	out.Triggers = slices.Clone(e.Triggers)
	out.ScanDepth, out.World = cloned(e.ScanDepth), cloned(e.World)
	out.CaseSensitive, out.MatchWholeWords = cloned(e.CaseSensitive), cloned(e.MatchWholeWords)
	out.UseGroupScoring = cloned(e.UseGroupScoring)
	out.Conditions, out.Extensions = slices.Clone(e.Conditions), slices.Clone(e.Extensions)
	out.Options = e.Options.clone()
	out.Extra, out.Kept.Odd = openjson.Clone(e.Extra), openjson.Clone(e.Kept.Odd)
	if out.CharacterFilter = cloned(e.CharacterFilter); out.CharacterFilter != nil {
		f := out.CharacterFilter
		f.Names, f.Tags = slices.Clone(f.Names), slices.Clone(f.Tags)
	}
	return out
}

func cloned[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// optionsPath is the path of an entry's options in problems.
const optionsPath = ".extensions." + ownMember

// options compiles the options of an entry.
func (b *builder) options(e *entry) {
	e.own = compileOptions(e.src, func(member, text string) {
		path := optionsPath
		if member != "" {
			path += "." + member
		}
		b.problem(e, codeBadOption, path, "%s", text)
	})
	if e.own == nil {
		return
	}
	e.hasExpression, e.inSet = e.own.when != nil, e.own.set != ""
	if len(e.own.sources) > 0 {
		e.own.filter = b.filter(e.own.sources)
	}
}

// limitsText reports whether the entry limits its own text. Then its text is made in each scan, because
// only the scan has a counter.
func (e *entry) limitsText() bool { return e.own != nil && e.own.maxTokens > 0 }

// filter returns the number of the filter for sources, from 1. With too many different filters the
// entry reads all messages.
func (b *builder) filter(sources []string) uint16 {
	n := slices.IndexFunc(b.filters, func(known []string) bool { return slices.Equal(known, sources) })
	if n < 0 {
		if n = len(b.filters); n == math.MaxUint16 {
			return 0
		}
		b.filters = append(b.filters, sources)
	}
	return uint16(n) + 1
}

// flags copies the switches.
func (b *builder) flags(e *entry) {
	s := e.src
	e.disabled, e.literal = s.Disable, s.Literal
	e.constant = s.Constant
	e.ignoreBudget = s.IgnoreBudget
	e.excludeRecursion = s.ExcludeRecursion
	e.preventRecursion = s.PreventRecursion
	e.selective = s.Selective && len(s.SecondaryKeys) > 0
	e.hasKeys = len(s.Keys) > 0
	e.useProbability = s.UseProbability
	e.hasTurnRules = len(s.Triggers) > 0 || s.CharacterFilter != nil || len(s.Conditions) > 0 ||
		s.Options != nil && len(s.Options.Actors) > 0
	for i, on := range []bool{
		s.MatchPersonaDescription, s.MatchCharacterDescription, s.MatchCharacterPersonality,
		s.MatchCharacterDepthPrompt, s.MatchScenario, s.MatchCreatorNotes,
	} {
		if on {
			e.data |= 1 << i
		}
	}
}

// numbers copies the numbers. A probability of 100 needs no roll, unless the file has it in a
// different JSON type.
func (b *builder) numbers(e *entry) {
	s := e.src
	e.order, e.probability, e.logic = s.Order, s.Probability, logicOf(s)
	if _, odd := s.odd(memberProbability); s.Probability == 100 && !odd {
		e.useProbability = false
	}
	timing := effects{
		sticky:   duration{length: effectLength(s, s.Sticky, memberSticky)},
		cooldown: duration{length: effectLength(s, s.Cooldown, memberCooldown)},
		delay:    duration{length: effectLength(s, s.Delay, memberDelay)},
		level:    levelOf(s),
	}
	if timing.delay.length == overAtOnce {
		timing.delay.length = 0 // no chat is shorter
	}
	if o := s.Options; o != nil {
		timing.sticky.inRounds(o.StickyRounds)
		timing.cooldown.inRounds(o.CooldownRounds)
		timing.delay.inRounds(o.DelayRounds)
	}
	e.hasTimedEffects = timing.sticky.length != 0 || timing.cooldown.length != 0
	e.waitsForRecursion = s.DelayUntilRecursion != 0 || timing.level.text != ""
	if e.effects = &noEffects; timing != noEffects {
		e.effects = new(timing)
	}
	e.scanDepth = noScanDepth
	if s.ScanDepth != nil {
		e.scanDepth = clampDepth(float64(*s.ScanDepth))
		if v, odd := s.odd(memberScanDepth); odd && !(v.Number() <= 0 || v.Number() >= 1) {
			e.scanDepth = noMessages
		}
	}
	if s.Group != "" {
		e.group = groupingOf(s)
	}
}

// reportNumbers reports numbers of an entry that have no meaning.
func (b *builder) reportNumbers(e *entry) {
	s := e.src
	switch p := s.Probability; {
	case s.UseProbability && p < 0:
		b.problem(e, codeOutOfRange, ".probability", "%v counts as 0, so the entry is never active: write a number from 0 to 100", p)
	case s.UseProbability && p > 100:
		b.problem(e, codeOutOfRange, ".probability", "%v counts as 100, so the entry passes every roll: write a number from 0 to 100", p)
	}
	for _, duration := range [...]struct {
		member string
		n      int
	}{{memberSticky, s.Sticky}, {memberCooldown, s.Cooldown}, {memberDelay, s.Delay}} {
		if duration.n < 0 {
			b.problem(e, codeOutOfRange, "."+duration.member, "%d is not a duration: write a number of messages, or 0", duration.n)
		}
	}
	if s.Depth < 0 && s.Depth != NoDepth && s.Position == PositionAtDepth {
		b.problem(e, codeOutOfRange, ".depth", "%d counts as 0, the end of the chat: write a number of messages", s.Depth)
	}
	if s.ScanDepth != nil && *s.ScanDepth < 0 {
		b.problem(e, codeOutOfRange, ".scanDepth", "%d counts as 0, so no key of the entry is searched: write a number of messages, or null", *s.ScanDepth)
	}
}

// groupingOf returns the rules of an entry about its groups, or nil if it is in no group. Without a
// logic, scores count no secondary keys.
func groupingOf(s *Entry) *grouping {
	g := &grouping{
		names: splitGroups(s.Group), weight: s.GroupWeight, override: s.GroupOverride,
		scoring: s.UseGroupScoring, logic: logicOf(s),
	}
	if len(g.names) == 0 {
		return nil
	}
	if v, odd := s.odd(memberWeight); odd && (v.Kind == loose.String || v.Kind == loose.Object) {
		g.weightText = new(v.String())
	}
	if s.Logic == LogicNone {
		g.logic = -1
	}
	return g
}

// level is a delay level. A level that is not a number differs from every number level, even if the
// two compare as equal.
type level struct {
	number float64
	text   string // the JSON of a value that is not a number
}

// levelOf returns the delay level of an entry. JSON true is level 1. Every truthy value waits for
// recursion, even "0" and lists.
func levelOf(s *Entry) level {
	v, odd := s.odd(memberDelayLevel)
	switch {
	case !odd:
		return level{number: float64(s.DelayUntilRecursion)}
	case !v.Truthy() || v.Kind == loose.Bool:
		return level{number: v.Number()}
	case v.Kind == loose.Object:
		n := v.Number()
		if math.IsNaN(n) {
			n = 0
		}
		return level{n, string(s.Kept.Odd[memberDelayLevel])}
	}
	return level{v.Number(), v.String()}
}

// setSummaryFlags copies the source fields that a result shows, and computes the summary flags.
func (b *builder) setSummaryFlags(e *entry) {
	e.comment, e.hasAutomation = e.src.Comment, e.src.AutomationID != ""
	e.inGroups = e.group != nil
	e.commonWindow = e.scanDepth == noScanDepth && e.data == 0 && (e.own == nil || e.own.filter == 0)
	e.hasGates = e.hasTurnRules || e.hasTimedEffects || e.delay.length != 0 || e.waitsForRecursion ||
		e.excludeRecursion || e.v3 != nil
}

// overAtOnce is the length of an effect that is on but lasts for no message.
const overAtOnce = 0.5

// effectLength returns the length of sticky, cooldown or delay; 0 means off.
func effectLength(s *Entry, n int, name string) float64 {
	length := float64(n)
	if v, odd := s.odd(name); odd && v.Truthy() {
		if length = v.Number(); length == 0 || math.IsNaN(length) {
			length = overAtOnce
		}
	}
	return max(-forever, min(length, forever))
}

// inRounds replaces the duration by a number of rounds above 0.
func (d *duration) inRounds(n int) {
	if n > 0 {
		*d = duration{float64(min(n, forever)), true}
	}
}

// noScanDepth is the scan depth of entries without their own scan depth.
const noScanDepth = -1

// noMessages is the scan depth of entries that search everything except the messages.
const noMessages = -2

// clampDepth limits a scan depth to [match.MaxMessages], the greatest number of messages.
func clampDepth(d float64) int16 {
	if math.IsNaN(d) || d <= 0 {
		return 0
	}
	return int16(math.Min(d, match.MaxMessages))
}

// logicOf returns the rule for the secondary keys. A missing logic is AND_ANY. Values that are not
// numbers are no rule.
func logicOf(s *Entry) int8 {
	_, odd := s.odd(memberLogic)
	switch {
	case s.Logic == LogicNone:
		return int8(AndAny)
	case odd || s.Logic < AndAny || s.Logic > AndAll:
		return -1
	}
	return int8(s.Logic)
}

// content removes the decorators and measures the rest. Without macros, the budget and recursion
// use these results from compile time.
func (b *builder) content(e *entry) {
	e.content = match.Valid(e.src.Content)
	syntax := b.set.Decorators
	if e.src.Literal {
		syntax = DecoratorsOff
	}
	switch syntax {
	case DecoratorsSillyTavern:
		e.activate, e.dontActivate, e.content =
			cutSillyTavern(e.content, b.set.hasQuirk(quirkDecoratorsOnly))
	case DecoratorsCardV3:
		var rules *decoratorRules
		rules, e.content = cutCard(e.content, func(code talewright.Code, text string) {
			b.problem(e, code, ".content", "%s", text)
		})
		if rules != nil {
			e.applyDecorators(rules)
		}
	}
	e.dynamicContent = !e.src.Literal && match.In(e.content) || e.limitsText()
	if !e.dynamicContent {
		e.contentWeight = int32(min(tokens.Weight(e.content), math.MaxInt32))
	}
}

// cardRules are the decorators of a Card V3 or RisuAI entry, and the keys that they add.
type cardRules struct {
	*decoratorRules
	additional          [][]match.Ref
	exclude, excludeAll []match.Ref
}

// applyDecorators applies the decorators to the entry.
func (e *entry) applyDecorators(r *decoratorRules) {
	e.v3 = &cardRules{decoratorRules: r}
	e.activate, e.dontActivate = r.Activate, r.DontActivate
	if r.ScanDepth != nil {
		e.scanDepth = clampDepth(float64(*r.ScanDepth))
	}
	if r.Probability != nil { // 100 needs no roll
		e.useProbability, e.probability = *r.Probability < 100, float64(*r.Probability)
	}
	if r.PreventRecursion != nil {
		e.preventRecursion = *r.PreventRecursion
	}
	e.excludeRecursion = e.excludeRecursion || r.ExcludeRecursion
	if r.Outlet != "" {
		e.src.OutletName = r.Outlet
	}
}

// placement decides where the text goes. A position that is missing or not a number from 0 to 7 is
// PositionNone. A missing depth is 4, except with the quirk missing-depth.
func (b *builder) placement(e *entry) {
	s := e.src
	e.role = s.Role
	if e.v3 != nil && e.v3.Role != nil {
		e.role = *e.v3.Role
	}
	if e.v3 != nil && e.v3.Position != nil {
		e.position, e.depth = int8(*e.v3.Position), e.v3.Depth
		return
	}
	e.position = int8(PositionNone)
	if s.Position >= PositionBeforeCharacter && s.Position <= PositionInOutlet {
		e.position = int8(s.Position)
	}
	e.depth = s.Depth
	if s.Depth == NoDepth {
		e.depth = defaultDepth
	}
	e.missingDepth = s.Depth == NoDepth && b.set.hasQuirk(quirkMissingDepth)
}

// defaultDepth replaces a missing depth.
const defaultDepth = 4

// hashEntry returns a digest of everything that an editor can change, including unknown members.
// Stored effects identify their entry by it.
func hashEntry(e *entry) string {
	record, err := openjson.Marshal(e.src)
	if err != nil { // an invalid raw member: the Go values still distinguish entries
		record = fmt.Appendf(nil, "%+v", *e.src)
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %t %t %q ", e.id.Book, e.activate, e.dontActivate, e.content)
	sum.Write(record)
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

// splitGroups splits a list of group names at commas and removes the white space after them.
func splitGroups(text string) []string {
	var names []string
	for i, name := range strings.Split(text, ",") {
		if i > 0 {
			name = strings.TrimLeftFunc(name, keyindex.IsSpace)
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}
