package lexicon

// english is the English vocabulary, in lower case. Words match only as whole words. Inflections
// are listed one by one.
var english = vocabulary{
	// Supposed, dreamed, believed, reported, written or past.
	{Unreal, `
		!@ vision, !blurry vision, !tunnel vision, !night vision, !of vision, last {night/week/winter/summer/spring/autumn/fall/month/year}, the {night/day/week/year/winter} before, the other {day/night/week}, back then, in those days, the first time, the last time, !for the last time,
		{says/said/say/claims/claimed/insists/insisted/swears/swore/reports/reported/admits/admitted/explains/explained/announces/announced/declares/declared/mentions/mentioned/boasts/boasted/brags/bragged} {she/he/you/they/it/i/we},
		were it not for, had it not been for, had it not been that, if, unless, would, perhaps, maybe, ~imagine, ~dream, dreaming, dreamt, illusion, illusions, vision, visions, legend, legends, rumor,
		rumors, rumour, rumours, they say, word has it, gossip has it, word is, hearsay, supposedly, ~pretend, ~fear that, afraid, ~threaten, ~promise, ~warn, whether, suppose, supposes, otherwise, or else, either,
		option, options, choose between, your choices, you can, earlier, previously, last time, yesterday, ago, once upon, used to, the day she, the day he, the day you, the night she, the night he, the night you,
		the time she, the time he, the time you, !by the time she, !by the time he, !by the time you, ~remember, the day she, the day he, the day you, the night she, the night he, the night you,
		told you about, tells you about, told about, the time she, the time he, the time you, ~recall, reads, label, inscription, 'd, ~picture yourself, pictures himself, pictures herself, pictured himself, pictured herself, ~envision, ~fantasize, ~daydream, think,
		thinks, thought, ~believe, ~suspect, ~wonder, hear that, hears that, heard that, scroll says, poster says, notice says, plaque says, board says, report says, message says, rumor says,
		each hour, every hour, each step, every step, each day, each round, every round, each minute, every minute, each failed,
		every failed, every day, for every, for each, anyone who, whoever, whatever, a character, the rules say, rulebook says,
		prophecy says, story says, radio says, stories say, song says, card says, letter says, note says, sign says,
		book says, map says, legend says, say that, says that, said that, ~claim that, ~hope, ~wish, ~risk`},
	// Contractions are listed, because a word ends at its last letter.
	{Negation, `
		not, never, no longer, without, neither, nor, ~avoid, avoiding, ~fail to, ~refuse to, unable to, instead of,
		rather than, almost, nearly, narrowly, barely, hardly, nobody, no one, cannot, don't,
		doesn't, didn't, isn't, aren't, wasn't, weren't, won't, can't, couldn't, wouldn't,
		shouldn't, hasn't, haven't, hadn't, mustn't, ain't`},
	// Wanted, planned, required, possible, or only the direction of a way.
	{Intention, `
		~offer, will, 'll, going to, about to, ~want to, ~try to,
		trying to, ~attempt, ~prepare to, ~plan to, ~decide to, can, should, must, ~need to, ready to, ~hope to, in order to, toward, towards,
		~head to, heading to, ~head for, heading for,
		~lead to, leading to, let's, how to, each time, every time, whenever,
		each turn`},
	// Directly before a claim: "once" means the past, and the text after "to" is not a fact, except
	// after "managed".
	{Declared, `once, !at once, to, !manage to, !manages to, !managed to`},
	// The party, unless it belongs to others; see strangeParty.
	{PartyWord, `
		the party, the group, your party, your group, the whole party, the whole group`},
	// After a claim: it is not about this turn.
	{Bygone, `
		to hear {him/her/them/you} tell it, ago, !a moment ago, !moments ago, !seconds ago, !a second ago, !a minute ago, !minutes ago, !not long ago, !an instant ago, !a heartbeat ago, yesterday, last {night/week/month/year/winter/summer/spring/autumn/fall}, the {night/day/week/year/winter} before, back then, in those days, back when, as a {child/girl/boy/young man/young woman}, when {she/he/you} {was/were} {a child/a girl/a boy/young/little/small/five/six/seven/eight/nine/ten/twelve}, in another life, long before`},
	// These begin a clause even without a comma.
	{Connective, `but, however, then, so, yet`},
	// The person who sees, lets or orders is not the one who acts.
	{Perception, `
		~watch, watching, seen, seeing, hearing, telling, ordering, ~see, ~notice, hear, hears, heard,
		~spot, ~let, ~make, !make camp, !makes camp, !made camp, !makes a, !make a, !made a, !makes lunch, !make lunch, !makes tea, !make tea, !made tea, !makes it, !make it, !made it, !makes for, !make for, !made for, !make @ way, !makes @ way, !made @ way, !makes the best, !{let/lets} {go/out/loose/fly/slip/fall/drop/off/up/down/rip/on/@self go}, !{make/makes/made} {a/no/ready/sure/off/up/haste/contact/sense/do/room/to/as/out/short work/quick work/good/use/peace/amends/light/headway/progress/way/tracks/one/another/some/two/three/small talk/@}, !{order/orders/ordered} {a/an/another/the/two/three/some/ale/beer/tea/food/stew}, !{ask/asks/asked} for, !{see/sees/saw} {stars/to/red}, !{send/sends/sent} {up/out}, !makes breakfast, !makes coffee, !made coffee, ~order, ~tell, ~ask, ~command, ~send, ~force`},
	// Words that may be between the beginning of a clause and its claim. Words in -ly need not be
	// listed.
	{Filler, `
		and, then, also, still, now, again, finally, suddenly, but, so, yet, however, once more,
		at last, at once, both, all, each, just, soon, too, immediately, instantly, have, has,
		are, is, currently, together, promptly, eventually, quickly, slowly, already,
		moments later, a moment later`},
	// A clause that begins with one of these has its own subject.
	{OtherSubject, `
		he, she, it, they, someone, somebody, who, which, that, everyone, everybody, one`},
	// The name after one of these is an object: the goblin near you.
	{Preposition, `
		near, behind, beside, beneath, above, around, at, against, with, from, toward, towards,
		of, by, to, for, past, about, before, under, over, into, onto, beyond, below, between,
		among, like, than`},
	// The beginning of a noun phrase.
	{Determiner, `
		the, a, an, his, her, its, their, another, this, that, one, some, two, three, several,
		many, my, our`},
	// Untracked subjects.
	{Pronoun, `he, she, it, they, who, which, that, someone, somebody, everyone, nobody`},
	// The shields are for things that only have health in their name.
	{HPWord, `
		hp, ❤, ❤️, ♥, ♥️, hit point, hit points, health, health point, health points, hitpoints, hitpoint,
		!health potion, !health potions, !hp potion, !hp potions, !health insurance,
		!health pack, !health packs, !health kit, !health check`},
	// Before N and an hp word, or N and damage.
	{LossVerb, `
		~lose, losing, ~drop, ~shed, ~forfeit, ~bleed, ~sacrifice, ~spend, ~pay,
		~burn, burnt, ~give up, ~part with, ~surrender, say goodbye to, dropping, shedding, paying, bleeding, missing, down, !down to, !down at, !down from`},
	// Before N … damage: damage that the subject takes.
	{HurtVerb, `
		~bear, bearing, ~face, ~tank, tanking, ~bank, ~ship, ~accrue, ~wear, ~feel, ~stomach, ~pocket, ~get, ~come away with, ~walk away with, ~limp away with, ~rack up, racking up, ~stack up,
		~take, taken, taking, suffering, receiving, ~suffer,
		~receive, ~absorb, ~soak, ~soak up, ~eat, ~endure, ~sustain, ~weather, ~incur, ~shoulder, ~swallow,
		~cop, ~catch, ~collect, sustaining, absorbing, soaking, eating`},
	// Before N … damage: damage that the subject deals to a target.
	{DealVerb, `~do, doing, ~cause, causing, ~visit, ~wreak, ~deal, ~inflict, dealing, inflicting`},
	// Before a mention, N and an hp word.
	{CostVerb, `cost, costs, costing`},
	// Before a mention and "for N", or after "is": hits you for 3.
	{StrikeVerb, `
		{~clip/~graze/~nick/~whack/~thump/~wallop/~bash/~clobber/~pummel/~lash/~whip/~gore/~gouge/~skewer/~spear/~prick/~peck/~maul/~savage/~nip/~clout/~cuff/~belt/~swat/~slap/~backhand/~headbutt/~stomp/~trample/~bludgeon/~club/~cudgel/~crack/~clip/~tag/~peg/~bean/~scald/~singe/~blister/~freeze/~chill/~shock/~jolt/~electrocute/~corrode/~poison/~tear into/~rip into/~bite into/~slice/~carve/~lacerate/~scratch/~scrape/~snag/~skin/~flay/~rip/~ram/~butt/~knee/~elbow/~throttle/~squeeze/~choke/~buffet/~pelt/~pepper/~perforate},
		tears into, tore into, ~dig into, dug into, froze, bit into, bites into, {~sink/sank} into, ~slice into, ~cut into, ~crash into, ~smash into, ~slam into, ~punch through, ~bore into, ~drill into,
		~hit, ~strike, ~bite, ~claw, ~slash, ~stab, ~cut, ~smash, ~slam,
		~burn, burnt, ~scorch, ~sting, ~punch, ~kick, ~shoot, ~pierce,
		~catch, ~rake, ~hurt, ~wound, ~batter, ~sear, ~blast, impale, impales, ~zap, ~crush`},
	// Before N and an hp word.
	{GainVerb, `
		~regain, ~recover, ~heal, ~gain, ~restore, regaining, recovering, restoring, ~pick up, ~get back, ~claw back, ~win back, ~earn, ~knit up, ~receive, ~pull back,
		~add, ~mend, ~reclaim, ~scrape back, ~patch up, ~put back, ~give back, ~get,
		gives, gave, ~return, ~grant, ~bring back`},
	// Before a mention and "for N".
	{HealVerb, `~heal, healing, ~mend`},
	// Between an hp word and the value. Two may follow each other: has dropped to.
	{ValueVerb, `
		{dwindles/dwindled/shrinks/shrank/shrunk/ticks/ticked/creeps/crept/inches/inched/slides/slid/slips/slipped/tumbles/tumbled/crashes/crashed/dips/dipped/edges/edged/ebbs/ebbed/bleeds/bled/crawls/crawled/limps/limped/swells/swelled/jumps/jumped/soars/soared/leaps/leapt/surges/surged/bounces/bounced/rebounds/rebounded/settles/settled/stabilises/stabilised/stabilizes/stabilized/hovers/hovered/hangs/hung/flickers/flickered/blinks/blinked/levels out/levelled out/bottoms out/bottomed out/comes/came/ends up/ended up/rests/rested/lingers/lingered/holds/held/holds steady/held steady/steadies/steadied/returns/returned/recovers/recovered/registers/registered/displays/displayed/flashes/flashed/counts/counted/totals/totalled/amounts/amounted}, {/all the way /back /straight }{up/down} {to/at}, {all the way to/back to/back at/back up to/back up at},
		~drop, ~fall, fallen, is, are, now, ~stand, ~rise, climbs, climbed, sinks, sank, plummets, plummeted, plunges, plunged,
		goes, went, reaches, reached, hits, remains, becomes, at, to, down to, up to, sits at,
		reduced to, restored to, ~read, shows`},
	// Between a verb and its number.
	{AmountFiller, `by`},
	// After an hp word: nothing is left.
	{Emptied, `
		~empty, {empties/emptied/drains/drained} {completely/entirely/altogether/in an instant}, {~drop/~fall/~go/~plunge/~crash/~sink} to {zero/nothing/nil}, {~give/~bleed} out, {is/are/was/were} {drained/wiped out/zero/zeroed/bled dry/at zero/down to zero/down to nothing},
		{is/are/was/were} {gone/spent/exhausted/empty/all gone/used up/depleted/nil}, {~hit/~reach/~touch} {zero/nothing/rock bottom/bottom}, ~run {out/dry}, bottoms out, bottomed out, ~drain {away/to nothing}, ~flatline, ~vanish`},
	// After an hp word, before a difference.
	{HPDown, `
		{~slip/~drop/~fall/~dip/~go/~tick/~creep/~inch/~edge/~slide/~shrink} {down/downward/downwards} by, {~shrink/~dwindle/~diminish/~decline/~lessen/~wane/~ebb/~contract/~erode/~tumble/~crash/~nosedive/~decrease/~slump/~slide/~shorten/~deplete} by, {is/are/was/were/has been/have been} {cut/slashed/lowered/diminished/docked/lessened/trimmed/shaved/reduced/decreased/depleted/drained/knocked down} by,
		{~drop/~fall/~dip/~slip/~sink/~shrink/~tick down/~decline/~plummet/~plunge} {by/another/a further/a full/a whole/a good}, {takes/took} {a dip of/a hit of/a knock of}, ~drop by, ~fall by, decreases by, decreased by,
		is reduced by, goes down by, went down by`},
	// After an hp word, before a difference.
	{HPUp, `
		{~rise/~climb/~tick/~creep/~inch/~edge/~jump/~bounce/~go/~swing/~surge/~shoot} {up/upward/upwards/back up} by, {~swell/~grow/~surge/~leap/~improve/~rebound/~recover/~bounce back/~expand/~soar/~increase/~mount} by, {is/are/was/were/has been/have been} {raised/boosted/increased/lifted/bumped up/bumped/topped up/replenished/restored/improved} by,
		{~rise/~climb/~jump/~go up/~creep up/~tick up/~increase} {by/another/a further/a full/a whole}, ~rise by, increases by, increased by, goes up by, went up by, climbs by`},
	// Before N hp left.
	{HaveVerb, `have, has, had`},
	// Before N hp.
	{DownTo, `
		down to, left with, left at, at, with only, reduced to, brought to, ~drop to, ~fall to, back up to, is up to, are up to, was up to, back to, ~end with,
		~finish with, ~emerge with, end the fight with, ends the fight with,
		clinging to, holding on to, hanging on to, ~walk away with, hangs on with, down at`},
	// Damage that is dealt or taken.
	{Damage, `damage`},
	{GetsThrough, `{/still /nonetheless /nevertheless }{~get/~come/~slip/~bleed/~leak/~seep/~punch/~break/~make it} {through/past/home}`},
	// Wounds without a number.
	{Wound, `
		wounded, injured, bleeding, bleed, bleeds, gash, gashes, blood runs, blood pours,
		blood flows, blood drips`},
	// Healing without a number.
	{Recovery, `
		wounds close, wounds heal, wound closes, wound heals, fully healed, completely healed`},
	// A bare "dead" counts only after a verb of falling; see afterCollapse.
	{Dead, `
		~die, ~perish, ~drop dead,
		~fall dead, ~lie dead, is dead, are dead,
		was dead, 's dead, 're dead, is killed, are killed, was killed, were killed, is slain,
		are slain, was slain, were slain, dead, has died, have died, is now dead, has been killed, have been killed, had been killed, has been slain, have been slain, had been slain`},
	// A bare "unconscious" counts only after a verb of falling.
	{Downed, `
		~lose consciousness, ~fall unconscious, is unconscious, are unconscious, 's unconscious,
		're unconscious, was unconscious, lies unconscious, lie unconscious, is knocked out,
		are knocked out, knocked out, knocked unconscious, was knocked out, get knocked out,
		gets knocked out, ~pass out, faints, faint dead away,
		~black out, unconscious`},
	// About the dead: alive again.
	{Revived, `
		~come back to life,
		~return to life, is alive again, are alive again, was alive again, 's alive again,
		is alive and well, is resurrected, are resurrected, was resurrected, has been resurrected, ~rise from the dead, rises from the grave, rose from the grave, ~return from the grave, back from the grave,
		back from the dead, ~breathe again, lives again,
		lived again, revives, revived, is revived, was revived, is restored to life,
		was restored to life`},
	// Arrival, with or without a preposition.
	{ArrivalOf, `
		{~land/~alight/~disembark/~set foot} on, ~set foot in, ~make landfall {at/on/in}, ~enter, ~reach, ~cross, ~climb, ~descend, ~gain the`},
	// Arrival, with a preposition.
	{Arrival, `
		~arrive, ~step, ~walk, ~move,
		~run, ~rush, ~return, ~slip,
		~emerge, ~teleport, ~come, ~go, ~sneak, snuck, ~stride, ~creep,
		~sprint, ~stumble, ~march, ~crawl, ~dash, ~stagger, ~wander, ~burst, ~barge, ~duck, ~scurry,
		~scamper, ~scramble, ~hurry, ~race, ~bolt, ~dart, ~hobble, ~limp, ~lurch, ~trot, ~gallop, ~ride, ~drive, ~sail, ~row, ~paddle, ~wade, ~swim, ~fly, ~glide,
		~float, ~drift, ~tumble, ~fall, ~drop, ~land, ~dive, ~plunge, ~squeeze, ~wriggle, ~slide, ~sidle, ~shuffle, ~stroll, ~saunter, ~amble, ~trudge, ~tramp, ~hike, ~trek, ~travel, ~journey,
		~head back, ~get, ~make it, ~end up, ~wind up, ~show up, ~turn up,
		~check in, ~pull up, ~roll up, ~follow, ~push, ~press on, ~continue, ~proceed, ~pass, ~climb, ~descend,
		~retreat, ~flee, ~escape, ~withdraw, ~clamber, ~vault, ~jump, ~leap, leapt, ~hop, ~skip,
		~tiptoe, ~pad, ~prowl, ~break, ~charge, ~storm, ~sweep, ~stalk,
		~usher, ~materialize, ~materialise, ~appear, ~warp, ~dock, ~touch down, ~beam, are back,
		is back, was back, were back, ~set foot, ~barrel, ~bound, ~bustle, ~flit, ~hasten, ~jog, ~lope,
		~lumber, ~mosey, ~pedal, ~cycle, ~plod, ~scuttle, ~edge, ~ease, ~fetch up, ~wash up, ~pitch up, ~rock up, ~draw up, ~put in, ~pop out, ~roll into, ~breeze, ~march back,
		~trundle, ~clatter, ~thunder, ~blunder, ~stray, ~steal, ~shamble, ~shove @ way, ~sashay, ~file, ~pile, ~clump, ~stomp, ~skulk, ~slink, ~slog, ~speed,
		~swagger, ~swing, ~toddle, ~totter, ~traipse, ~troop, ~waddle, ~waltz, ~whirl, ~zip, ~spill,
		~step off, ~check into, ~move on, ~cut across, ~carry on, ~beat, ~crash, ~surface`},
	// The prepositions.
	{InPlace, `in, inside, at, within, into, to, onto, through, upon`},
	// Presence, with a preposition that is not one of motion.
	{Presence, `
		are, is, 're, 's, ~stand, find yourself, finds himself, finds herself,
		found yourself, find yourselves, ~remain, ~wait, ~sit`},
	// After the name of an area: a part or a thing of it is not the area.
	{NotTheArea, `
		door, doors, gate, gates, entrance, doorway, threshold, outside, key, keys, map, maps, of,
		's door, 's doors, 's gate, 's gates, 's entrance, 's doorway, 's threshold, 's key,
		's map, 's roof, 's outside, wall, walls, staircase, stairs, steps, guard, guards, keeper,
		road, street`},
	// Rules of a world or a game.
	{RuleNoun, `
		rules of {combat/magic/death/initiative/the system/this world/the dice/engagement in combat/play/damage/resurrection}, game rules, system rules, dice rules, laws of the game, laws of this world, ruleset, rule set, game mechanics,
		rules, laws of the world, laws of reality, world rules, laws of magic, rules of the game,
		rules of the world`},
	// After the rules.
	{RuleChanged, `
		shift, shifts, shifted, have shifted, bend and break, bend, bends, twist, twists, twisted, warp, warps, warped, dissolve, dissolved, collapse, collapsed, unravel, unravelled, unraveled, crumble, crumbled, mutate, mutated, {lose/lost} {@ hold/@ force/all force/all meaning}, {cease/ceased} to {apply/hold/exist/bind/matter/work}, {is/are/was/were/has been/have been} {abolished/voided/nullified/inverted/reversed/loosened/tightened/relaxed/discarded/erased/deleted/set aside/turned upside down/turned on @ head/stood on @ head/redrawn/reworked/redefined/rescinded/struck out/patched}, fall away, fell away, go out of the window, went out of the window, go out the window, went out the window,
		{has/have/are/is/were/was/been} {changed/altered/amended/rewritten/revised/suspended/lifted/bent/broken/shifted/updated/replaced/overwritten/reset/waived/scrapped/repealed/struck/torn up/thrown out}, amended, waived, scrapped, torn up, thrown out, overwritten, no longer {apply/hold/bind/count/matter}, changed, rewritten, updated, suspended, no longer, overturned, abolished, revised, amended, void,
		replaced, altered, repealed, revoked, cancelled, lifted, reversed, reset, different now, been broken`},
	// A complete claim.
	{NewRule, `
		{house/new/special/optional/extra/updated/revised} {rule/rules} {in effect/in force/in play/enabled/activated/added/unlocked}, a new {rule/law/house rule/rule of combat/rule of magic} {governs/applies/takes effect/comes into force/comes into effect/is in force/is in effect/holds/takes hold/takes over/replaces/has been added}, house rule, effective, {the game/the system/the engine/the rules engine/the campaign} no longer {tracks/counts/rolls/uses/applies/enforces/requires/recognises/recognizes/allows/checks/keeps track of}, {initiative/saving throws/death saves/critical hits/skill checks/attack rolls/hit points/spell slots/resurrection} {is/are/have been} {abolished/scrapped/removed from the game/a thing of the past/no longer rolled/done away with},
		{system/rules/patch/game/combat} {update/patch/notes/change/notice}:, new rule:, new rule :, new rules:, rule change:, rules update:, rules change:, rule update:, new house rule:, new rule in effect:, rules changed:, rules updated:`},
	// The subjects of rules of a game; see rulesChanged.
	{RuleMatter, `
		{attack/attacks/attack roll/attack rolls/roll/rolls/check/checks/ability check/ability checks/skill check/skill checks/saving throw/saving throws/save/saves/death save/death saves/dice/dice roll/dice rolls/damage/healing/hit points/hp/critical hit/critical hits/critical/criticals/natural one/natural ones/natural twenty/natural twenties/natural 1/natural 20/initiative/spell slots/spells/dc/difficulty class/armor class/armour class/short rest/short rests/long rest/long rests/resurrection/respawn/experience points/xp/fumble/fumbles/modifier/modifiers}`},
	// Words for all of them.
	{Every, `every, all, any, each, no, every single, all of the, character, characters, player, players, melee, ranged, magical, magic, failed, successful, missed, skill, fire, fall, falling, enemy, hostile, spell`},
	// With noNeed after it, a change of the rules.
	{FromNow, `
		effective now, effective at once, effective {tonight/today/this turn/this round/this session/this scene}, with effect from {now/tonight/today/this turn/this round}, from {this night/this scene/this hour/this session/this battle/this fight/this encounter/this minute/this instant/this second/this turn/this day/this point/tonight/here/now/then/today/next turn/next round} {on/onward/onwards/forward/forwards/out/until further notice}, from tonight, from here on out, from this turn, from this round, from this session, from next turn, starting {today/tonight/next turn/next round/this round/this session/at once/immediately/from now}, beginning {now/today/tonight/this turn/this round/next turn}, as of {today/tonight/this round/this session/this moment/this scene/this minute}, for the rest of the {session/fight/battle/scene/adventure/game/story/night}, until further notice, going forward, hereafter, in this campaign from now on,
		from now on, from this moment on, from here on, from this turn on, from this turn onward,
		from this turn onwards, from this point on, as of this turn, as of now, starting now, henceforth,
		effective immediately, from this round on, from next turn on, starting this turn, with immediate effect,
		from today, from this day on, from this scene on, from this hour on, for the rest of the campaign`},
	// See fromNow.
	{NoNeed, `
		now {restore/restores/heal/heals/deal/deals/count/counts/do/does/give/gives/cost/costs} {full/all/twice/half/double/triple/the full/no}, {is/are} {raised/lowered/reduced/increased/cut/boosted/multiplied/decreased/dropped} by, {is/are} {abolished/scrapped/repealed/revoked/outlawed/dispensed with/done away with/no more/over/a thing of the past/history/gone}, {can/may} be {rerolled/ignored/skipped/waived/taken twice}, {stack/stacks}, {explode/explodes}, {are/is} made {twice/with advantage/with disadvantage/at disadvantage/at advantage}, {are/is} {instant/instantaneous/fatal/lethal/permanent/free of charge/unlimited/infinite},
		{no one/nobody} {needs to/has to/need/will have to} {roll/check/save/throw/test}, {without/with no need for} {a roll/rolling/dice/checks/a check/a save/any roll}, no {roll/rolls/check/checks/dice/save/saves/dice roll} {is/are} {needed/required/necessary/made},
		{no longer/never} {need/needs}, never {require/requires}, rules, always hit, always hits, always succeed,
		always succeeds, need no, needs no, no longer require, no longer requires, never miss,
		automatically succeed, automatically succeeds, automatically fail, automatically hit, always fail,
		automatically hits, auto-succeed, auto-succeeds, succeed automatically, succeeds automatically,
		are doubled, is doubled, are halved, is halved, deal double, deals double, count double, counts double,
		cost nothing, costs nothing, are abolished, is abolished, no longer apply, no longer applies,
		no longer exist, no longer exists, no longer cost, no longer costs, no longer count, no longer kill,
		no longer kills, do not apply, are removed, is removed, are suspended, is suspended, never fail,
		never fails, never misses, no longer needed, no longer matter, no longer matters, no longer roll, no longer rolls, no longer make, no longer makes, need not,
		restores all, restore all, are ignored, is ignored, are cancelled, is cancelled, are void, is void,
		fails automatically, fail automatically, is rolled with, are rolled with, have advantage, has advantage,
		always crit, always crits, do double, does double, you may reroll, are permanent, is permanent,
		{now/always} {succeed/succeeds/fail/fails/hit/hits/miss/misses}, with {advantage/disadvantage}, {is/are} {enabled/disabled/switched off/turned off/waived/void/forbidden/impossible/free/automatic/rerolled/reduced to/raised to/lowered to/set to/capped at/tripled/maximized/maximised/ignored/optional/skipped/dropped/banned/replaced by/rolled twice}, {cost/costs/deal/deals/heal/heals/do/does/count/counts/take/takes} {twice/half/double/triple/no/an extra/as}, {never/always/automatically/only} {fail/fails/miss/misses/succeed/succeeds/hit/hits/crit/crits/kill/kills/count/counts/work/works/cost/costs}, {can/may} no longer, cannot be {rerolled/healed/killed/resurrected/missed}, {will/now} {automatically/always/never}, on a {ten/nine/eighteen/nineteen} or {higher/better}, natural ones, natural twenties, critical hits on`},
	// Words of the game itself: with one of them a change of rules is certain.
	{Mechanic, `
		rules of combat, combat rules, turn order, combat system, magic system, hit dice, ability checks, hits,
		natural 1, natural 20, natural one, natural ones, natural twenty, natural twenties, critical, criticals, crits, crit, fumble, fumbles, saves, modifiers, ability scores, ability score, long rest, short rest, armor class, armour class, cooldown, cooldowns, mana, attack, save, disadvantage, difficulty, critical failure, death save, healing potions, spell slot, exhaustion, action economy, bonus action, ~reroll,
		dice, die, ~roll, check, checks, dc, saving throw, saving throws, attack roll, attack rolls,
		critical hit, critical hits, initiative, healing, respawn, rule system, system, attacks, spell slots,
		hit point, modifier, advantage, player, players, xp, experience points, rounds, death saves, hp, hit points, damage, campaign, game,
		rulebook, turns, turn`},
	// After the name of an area: it no longer exists.
	{Collapse, `
		~burn to {the ground/@ foundations/ash/ashes/cinders/the waterline/nothing/a shell/a husk}, burnt to {ash/ashes/cinders/a shell/a husk}, {goes/went/has gone/have gone/had gone} up in {smoke/flame/fire/a fireball/a ball of fire}, {is/was/has been/had been} {demolished/annihilated/pulverised/pulverized/wrecked/torn apart/blown to smithereens/blown sky-high/blown off the map/wiped off the map/wiped from the face of the earth/wiped off the face of the earth/erased from the map/burned to the ground/burnt to the ground/reduced to rubble/reduced to ash/reduced to ashes/reduced to ruins/reduced to nothing/ripped apart/incinerated/vaporized/vaporised/smashed to pieces/ground to dust/knocked flat/pulled down}, {is now/was now/are now/were now/is already/stands now} {a ruin/a smoking ruin/a heap of/a pile of/a mound of/a crater/a hole/a shell/nothing but/rubble/ash/ashes/dust/ruins/in ruins/in ashes/no more/gone/a burnt-out/a burned-out/a blackened/a smoking}, {sags/sagged/folds/folded/buckles/buckled} and {comes/came/goes/went/falls/fell} down, ~come apart, ~come down in {pieces/rubble/ruins}, {goes/went} down in {rubble/ruins/flames/a cloud of dust}, {goes/went} {over the cliff/over the edge/under the waves/beneath the waves/into the sea/into the river/into the ravine/into the abyss}, {is/was} lost {forever/for ever/for good/beneath the waves/beneath the sea/under the sea}, ~subside into the, ~disintegrate, ~crumple into, ~pancake, ~shatter, ~implode, ~break apart, ~fall in on itself,
		{lies/lay/is/was} in {ruins/ashes/rubble/pieces}, {is/was} a {heap/pile/mound/smoking heap/blackened shell/burnt-out shell/burned-out shell/smoking shell/mass/field} of, {is/was} {a ruin/a smoking ruin/a heap of rubble/a pile of rubble/a crater/nothing but rubble/nothing but ashes/no longer there/no longer standing/not there anymore/not there any more/simply not there/gone forever/burned down/burnt down/blown away/washed away/swept away/swallowed up/consumed by/engulfed by/gutted by/crushed under/buried under/lost to the},
		{has/have/had} been {destroyed/razed/levelled/leveled/flattened/gutted/swallowed/wiped out/washed away/swept away/blown up/reduced to/burned down/burnt down/obliterated}, {has/have/had} {fallen in/caved in/ceased to exist/disappeared/burned to the ground/burnt to the ground/given way/toppled/crumbled},
		{crashes/crashed} {down/to the ground/into the}, ~fall {to ruin/to rubble/to pieces/into the}, falls, fell, {slides/slid/tumbles/tumbled/slips/slipped/drops/dropped} into the {sea/river/ravine/chasm/abyss/gorge/lake/bay/water/harbour/harbor/canyon/pit}, ~collapse, ~vanish, no longer exists,
		no longer exist, crumbles into, crumbled into, crumbles to, crumbled to, is destroyed, is blown to pieces, was blown to pieces, is blown to bits, was blown to bits, is blown apart, was blown apart,
		is blown up, was blown up, is torn down, was torn down, is wiped out, was wiped out, is obliterated, was obliterated, is flattened, was flattened,
		is gone, ~crumble, ~cave in, ~burn down, burnt down,
		was destroyed, sinks into, sank into, blow up, blows up, blew up, was reduced to, is reduced to,
		is rubble, was rubble, is ash, is ashes, is in ruins, falls into ruin, is swallowed, was swallowed,
		is no more, was no more, burns to the ground, burned to the ground, burnt to the ground, is razed,
		was razed, is levelled, is leveled, was levelled, was leveled, topples, toppled, implodes, imploded,
		explodes, exploded, comes down, came down, falls in, fell in, comes crashing down, came crashing down,
		fell into the sea, slides into the sea, slid into the sea, ceases to exist, ceased to exist, disappears,
		disappeared, goes up in flames, went up in flames, is wiped off, was wiped off, disintegrates,
		disintegrated, folds in on itself, folded in on itself, gave way, gives way, has collapsed, has vanished,
		has burned down, has been destroyed, has crumbled, has sunk, was gone, had vanished, had collapsed`},
	// After the name of an area: no one can enter any more.
	{Sealing, `
		{is/was/has been} {sealed/bricked up/walled up/boarded up/buried/closed/shut} {forever/for ever/for good/permanently}, {is/was/has been} {permanently/now permanently/forever/now forever} {sealed/closed/shut/inaccessible/off limits/blocked/barred},
		was sealed, were sealed, seals itself, sealed itself, is walled up, was walled up, is bricked up, was bricked up,
		is buried, was buried, is closed forever, was closed forever, is sealed, are sealed, is permanently sealed, is forever sealed, has been sealed,
		is now sealed`},
	// A complete claim: the map has grown.
	{NewPlace, `
		new {area/location/region/zone/room/map area} {unlocked/discovered/added/available/revealed/is unlocked/is now available/is now open/has been unlocked/has been added/has been discovered/has been revealed/has opened/has appeared/appears/appeared/opens up},
		{map/area/location/region} {unlocked/revealed/expanded/has expanded/is expanded}, {unlocked/discovered/revealed} {a new area/a new location/a new region/new area/new location/new region/a new zone/new zone}, {unlock/unlocks/you have unlocked} {a new area/a new location/a new region/a new zone/new areas}, new {areas/locations/regions/zones} {unlocked/available/are now available/have been unlocked/have been added/appear/open up}`},
	// The map of the campaign, or a piece of paper; the text after it must decide.
	{MapNoun, `map`},
	// After the map.
	{MapChanged, `
		changes, changed, is redrawn, redraws itself, has changed, is changed, rewrites itself, ~update, has been updated, has been redrawn, is updated, was redrawn,
		was updated, redrew itself, has redrawn itself, rearranges itself`},
	// After the map, before "new" and a word of place.
	{MapGained, `shows, gains, has, now shows, now has, gained`},
	// Things that can be added to a map.
	{PlaceNoun, `
		area, areas, region, regions, location, locations, place, places, path, paths, passage,
		passages, room, rooms, island, tower, city, town, village, road, route, tunnel, corridor,
		land, territory, exit, entrance, wing, chamber, dungeon, castle, temple, cave, forest,
		district, zone, section`},
	// Between two areas. Without "now" it may be scenery.
	{OpensTo, `
		now leads straight into, now opens directly into, now opens directly onto, now opens straight onto, now opens straight into,
		now connects straight to, now leads directly into, now leads onto, now runs into, now runs directly to, now leads to, now opens to, now opens into, now connects to, now leads into,
		now leads directly to, now opens onto, now leads straight to, now connects directly to,
		is now connected to, is now connected directly to, is now directly connected to, is now linked directly to,
		is now directly linked to, is now joined directly to, are now connected to, now leads straight to, now opens out into, now feeds into,
		is now joined by a tunnel to, now communicates with, now connects with, now joins, now links to, is now linked to, was now connected to,
		is now joined to, now adjoins, now runs straight to, now goes straight to, now runs to`},
	// A way between two areas.
	{WayNoun, `
		tunnel, bridge, road, path, passage, door, portal, corridor, stair, stairs, staircase, track, trail,
		rail, railway, line, gate, shortcut, passageway, catwalk, walkway, hatch, ladder, canal, causeway, way,
		archway, ropeway, ferry, footpath, lane, gangway, hallway, shaft, rift`},
	// Makes a way between two areas.
	{JoinVerb, `
		~connect, ~join, ~link, ~lead from, ~run from, ~open between,
		~run between, ~stretch from, ~stretch between, ~span, between, from`},
	// Fields of every card; a view registers more.
	{CardLabel, `
		strength, dexterity, constitution, intelligence, wisdom, charisma, perception, agility,
		level, max hp, maximum hp, maximum hit points`},
	// After a label.
	{CardVerb, `
		permanently up, is up, was up, up by, ~go up, climbs, climbed, ~jump, grows to, grew to, ~improve,
		now stands at, stands at, drops to, fell to, falls to, has dropped, has fallen, :, =, ->, →,
		is permanently, rises to, rose to, increased to, is raised to, was raised to, was reduced, is lowered,
		was lowered, ~shrink, ticks up, ticked up, permanently increased, permanently reduced, was now,
		goes from, went from, is boosted, was boosted, ~soar, doubles, doubled, ~increase, ~rise, ~drop, becomes, is now,
		decreases, decreased, improves by, increases by, has increased,
		is reduced, is raised, falls by, permanently increases, permanently drops,
		permanently rises, permanently decreases`},
	// Complete claims; "reach level" needs a number.
	{CardPhrase, `
		~level up, levelled up, ~reach level,
		~gain a level, is now level, was now level, is level, was level, ~hit level, ~advance to level, are now level, are level, ~climb to level, ~rise to level, ~go up a level, advances a level,
		profession is now, job is now, title is now, ~become a level, ~multiclass, level increases to, ding,
		leveled to, levels to, class is changed to, new class:, new level:, new name:, class has changed,
		race has changed, name was now, class was now, ~change class, class is now, race is now, name is now,
		class changes to, race changes to, name changes to, class becomes, race becomes`},
	// Before a word of the class Learned.
	{Learns, `
		~unlock, ~learn, learnt, ~gain, ~pick up, ~earn, ~receive, ~awaken, ~acquire, ~master`},
	// Things that a card lists.
	{Learned, `skill, skills, spell, spells, feat, feats, proficiency, cantrip, ability, talent, perk, technique, power`},
	// The goal of the campaign, unless it belongs to a person; see strangeGoal.
	{GoalNoun, `
		{campaign's/adventure's} {goal/objective/mission/main goal/main quest/final goal/ultimate goal/main objective}, {ultimate/final/main/primary/overall/overarching} {goal/objective/quest/mission}, campaign {goal/objective/quest/mission},
		campaign goal, goal of the campaign, campaign objective, overall goal, overarching goal, ultimate goal, main goal, final goal, primary goal, ultimate objective, main objective,
		final objective, primary objective, ultimate quest, main quest, final quest, primary quest`},
	// After the goal.
	{GoalVerb, `
		shifts, shifted, is rewritten, rewrites itself, mutates, mutated, ~change, {has/have} {shifted/changed/become/been changed/been rewritten/been updated/been replaced/been revised/been altered/been reset/been overwritten/turned into}, {is/was} {changed/rewritten/updated/replaced/revised/altered/reset/overwritten/swapped/amended/abandoned/cancelled/scrapped}, ~switch to, ~move to, reads differently,
		is now, has changed, becomes, changed to, changes to, has become, has been changed,
		is no longer, is changed to, has been updated, shifts to, updated, has shifted, changed, is different now, replaced,
		has been replaced, was now, is replaced by, is rewritten, has been rewritten, turns into, turned into, became,
		was changed to, shifted to, has been set to, is set to, is to, is no more`},
	// A complete claim: a different goal.
	{Announced, `{quest/objective/goal/mission/journal/quests/objectives/campaign/task} {updated/update/changed/revised/rewritten/replaced/reset/has changed/has been updated/log updated}, new {quest/objective/goal/mission}`},
	{NewGoal, `{main/primary/final/ultimate/campaign} {quest/goal/objective/mission} {changed/updated/rewritten/replaced/revised}, new {primary/main/ultimate/final/overall} mission, new main goal, new main quest, new main objective, new primary objective, new primary goal, new ultimate goal,
		new final goal, new final objective, new campaign goal, new campaign objective, main quest changed`},
	// Before a number: a roll of dice.
	{Rolled, `~roll, ~throw`},
	// Before a number: a roll of the system.
	{RollResult, `
		natural, nat, d20 lands on, d20 shows, d20 comes up, die lands on, die shows, die comes up, die reads,
		dice land on, dice show, dice come up, dice read, roll is, roll comes up, roll of, roll comes to,
		dice came up, die came up, die landed on, dice landed on, die stopped on, die stops on, die settles on,
		die settled on, result is, roll total is`},
	// After a number: things rolled, not points.
	{CountWord, `
		barrel, barrels, coins, stones, times, feet, meters, metres, steps, paces, logs`},
	// These govern only their own clause.
	{Doubt, `
		could, might, may, as if, as though, ~seem, ~appear to, until, !until noon, !until dawn, !until morning, !until midnight, !until nightfall, !until dusk, !until sunset, !until sunrise, !until evening, !until late, before, !before noon, !before dawn, !before midnight, !before nightfall, !before dusk, !before sunset, !before sunrise, !before long, !before breakfast, !before supper, like, than, had, !had stopped breathing, !had {died/perished/expired/drowned/passed away/passed out/been killed/fainted/lost consciousness/collapsed},
		!could see, !like a, !like an, !like the, !like wet, nearly, close to, inches from`},
	// Events in a dream, a picture, a play or a story did not happen.
	{Handles, `
		{~close/~shut/~drop/~pocket/~fold/~tuck/~stow/~toss/~clutch/~carry/~grab/~roll up/~fold up/~put down/~put away/~set down/~set aside/~tear down/~tear up/~lay down/~shoulder/~pick up/~kick over/~knock over}, past, behind, beneath, beside, under, around, against, closing, dropping, pocketing, folding, clutching, carrying, holding`},
	{Fiction, `
		videotape, footage, home movie, home movies, slideshow, slide show, storybook, bedtime story, screenplay, re-enactment, reenactment, cutscene, cut scene, flashback, memory of, memories of, wax model, action figure, voodoo doll, bust of, engraving, woodcut, stained glass, fable, parable, folk tale, folktale, hymn, limerick, soap opera,
		{on/in} {the/this/that/a/an old} {tape/video/recording/clip/film/loop/slide/album/cartoon/comic/poster/postcard/mosaic/trailer/feed from}, {the/this/that} {tape/video/recording/clip/slide/cartoon/mosaic/trailer/loop} {is/was/shows/showed},
		!@ vision, !blurry vision, !tunnel vision, !night vision, !of vision, !line of vision,
		~dream, dreaming, dreamt, nightmare, nightmares, mirror shows, in the mirror,
		reflection, photograph, photo, snapshot, picture shows, in the picture, ghost stories, stories, tales, in his head, in her head, in your head, in my head, in his mind, in her mind, in your mind, in my mind, mind's eye, painting, portrait,
		watercolour, watercolor, fresco, mural, tapestry, sketch, drawing, puppet, puppets, effigy,
		on the stage, on stage, the play, opera, film, movie, newsreel, song, ballad, sings, sang,
		the tale, the story, legend, story goes, tale goes, simulation, simulated, hologram, holodeck,
		training program, decoy, dummy, wax figure, statue of, chess, letter, telegram, diary, journal,
		postcard, headline, obituary, newspaper, radio, novel, prophecy, foretold, vision, visions,
		illusion, hallucination, painted, rehearsal, in the book, the script, lullaby, rhyme, rehearses,
		chronicle, chronicles, poem, wanted poster, in effigy`},
	// Before a colon: written text.
	{Writing, `~read, ~say, ~announce, ~warn, ~proclaim, ~declare, ~advertise`},
	{Waking, `alarm clock, open @ eyes, opens @ eyes, opened @ eyes, ~wake, ~awake, waking, come to, came to`},
	// People and animals. If one is between a name and a pronoun, the pronoun means it.
	{Creature, `
		bouncer, waitress, waiter, chef, barista, barber, tailor, cobbler, butcher, grocer, shopkeeper, shopkeepers, peddler, beggar, beggars, drunks, drunkard, old-timer, granny, grandmother, grandfather, grandma, grandpa, mom, dad, mum, mother-in-law, toddler, infant,  teenager, teen, tourist, tourists, hiker, jogger, neighbor, neighbour, neighbors, neighbours, roommate, coworker, colleague, colleagues, manager, supervisor, intern, receptionist, secretary, librarian, journalist, reporter, photographer, actor, actress, dancer, singer, drummer, musician, artist, poet, author, engineer, engineers, technician, mechanic, mechanics, scientist, researcher, chemist, surgeon, paramedic, medic, nurses, therapist, fireman, firefighter, firefighters, policeman, policewoman, constable, warden, jailer, gaoler, inmate, inmates, convict, conductor, porter, steward, stewardess, bellhop, valet, chauffeur, cabbie, trucker, courier, messenger, herald, envoy, ambassador, senator, president, chancellor, bishop, pope, abbot, abbess, friar, acolyte, cleric, paladin, warlock, sorceress, enchantress, alchemist, oracle, seer, hag, crone, banshee, spectre, specter, phantom, poltergeist, revenant, mummy, gargoyle, minotaur, centaur, centaurs, satyr, nymph, mermaid, merman, kraken, leviathan, griffin, gryphon, phoenix, unicorn, pegasus, chimera, manticore, cockatrice, wyvern, drake, lizard, lizardman, lizardmen, crocodile, alligator, toad, frog, wurm, beetle, beetles, wasp, wasps, bee, bees, ants, scorpion, centipede, moth, pig, ox, cow, sheep, goat, donkey, camel, elephant, monkey, gorilla, panther, leopard, jaguar, cougar, wolverine, badger, otter, beaver, deer, stag, doe, moose, elk, rabbit, hare, squirrel, mouse, mice, kitten, puppy, mutt, mastiff, falcon, vulture, buzzard, pigeon, seagull, swan, peacock, turkey, rooster, hen, chicken, whale, dolphin, squid, eel, jellyfish, piranha, lobster, turret, turrets, sniper, snipers, bomber, gunner, crewman, crewmen, ensign, navigator, cyborg, mutant, mutants, survivor, survivors, scavenger, scavengers, refugee, refugees, hermit, nomad, tribesman, tribesmen, elder, elders, peasant, peasants, serf, slave, slaves, servant, servants, footman, courtier, courtiers, nobleman, noblewoman, countess, duchess, baroness, emperor, empress, sultan, caliph, shogun, samurai, ninja, ronin, gangsters, mobster, hitman, loan shark, pickpocket, burglar, smuggler, smugglers, poacher, fisherman, fishermen, woodcutter, lumberjack, shepherd, rancher, ranch hand, cowhand, wrangler, prospector, bandito, gunslinger, outrider, patrolman, watchman, watchmen, doorman, concierge, landowner, widower, orphan, orphans, bride, groom, bridesmaid, guest, guests, customer, customers, patron, patrons, bystander, bystanders, onlooker, onlookers,
		commander, widow, inspector, professor,
		man, men, woman, women, boy, boys, girl, girls, child, guard, guards, soldier, soldiers, sentry,
		goblin, goblins, troll, trolls, ogre, orc, orcs, giant, dragon, wyrm, skeleton, skeletons, zombie,
		zombies, ghoul, ghouls, ghost, wraith, wight, lich, vampire, werewolf, wolf, wolves, bear, boar,
		spider, spiders, snake, serpent, rat, rats, bat, bats, hound, hounds, dog, cat, horse, mare,
		stallion, mule, goose, bandit, bandits, brigand, thief, thieves, robber, outlaw, outlaws, pirate,
		pirates, sailor, sailors, captain, mate, cultist, cultists, priest, priestess, witch, wizard,
		sorcerer, mage, knight, squire, king, queen, prince, princess, lord, lady, duke, baron, butler,
		maid, barmaid, bartender, barkeep, innkeeper, merchant, trader, farmer, villager, villagers,
		crowd, stranger, figure, assassin, mercenary, sellsword, scout, archer, hunter, ranger, monk,
		nun, vicar, doctor, nurse, patient, cop, cops, detective, officer, deputy, sheriff, marshal,
		gunman, gunmen, thug, thugs, gangster, goon, goons, boss, driver, pilot, clerk, teacher, dealer,
		gambler, cowboy, rustler, rustlers, miner, miners, blacksmith, baker, cook, gardener, postman,
		mayor, judge, lawyer, husband, wife, father, mother, brother, sister, son, daughter, uncle, aunt,
		cousin, nephew, niece, friend, companion, ally, enemy, enemies, opponent, foe, attacker, creature,
		beast, monster, demon, devil, imp, spirit, fairy, elf, dwarf, gnome, hydra, leech, shark, crab,
		octopus, bird, raven, crow, hawk, owl, eagle, fox, lion, tiger, ape, golem, construct, robot,
		droid, drone, android, alien, aliens, trooper, troopers, marine, marines, raider, raiders,
		scarecrow, familiar, pet, mount, minion, minions, warrior, warriors, fighter, champion, gladiator,
		salesman, passenger, prisoner, hostage, victim, corpse, body, twin, double, impostor, kobold,
		gnoll, harpy, basilisk, mimic, slime, ooze, elemental, sellswords, henchman, henchmen, lackey,
		henchwoman, swordsman, ringleader, chieftain, warlord, shaman, necromancer, druid, bard, jester,
		landlord, landlady, sergeant, lieutenant, colonel, general, major, corporal, private, cadet`},
	// Takes hit points from a target, with "from", "off" or the target itself.
	{TakeVerb, `
		~strip, ~take, ~knock, ~tear, ~drain, ~rip, ~shave, ~carve, ~burn, burnt,
		~steal, ~suck, ~claw, ~chew, ~blast, ~rob, ~sap, ~leech, ~scrape, ~slice, ~cut,
		~peel, ~whittle, ~wrench, ~siphon, ~pull, ~pluck, ~punch, ~gouge, ~rake, ~eat, ~chip,
		~shear, ~wring, ~squeeze, ~bleed, ~sear, ~scour, ~trim, ~beat, ~dock, ~deprive, ~relieve`},
	// Leaves a target with hit points.
	{LeaveVerb, `~leave, leaving, ~put, ~set, ~bring, ~drop, knocks, knocked, sends, sent, ~get`},
	// After an amount of hit points: it is lost.
	{GoneWord, `
		gone, lost, poorer, lighter, worse, down, the poorer, the lighter, the worse, vanish, vanished,
		evaporate, evaporated, drain away, drained away, go with it, went with it, go up in smoke,
		disappear, disappeared, shorter, short, fewer, ebb away, bleed away, out of you, out of him,
		out of her, spilled, less`},
	{MarkedOff, `
		~mark off, ~knock off, ~take off, taken off, ~strike off, ~scratch off, ~tick off, ~cross off,
		~deduct, ~subtract, ~shave, shaving, stripping, costing, ~scrub off, docking, ~dock, ~lop, lopping, down by,
		~chalk off, draining, sapping, stealing, taking away, robbing, robbed, knocking off, tearing, ripping, poorer by,
		lighter by, worse off by, short by, shorted, ~erase, erasing, ~slash, ~deplete, ~set back`},
	{FragmentEnd, `all told, in all, altogether, in total, total, apiece, each, straight up, so far, of it`},
	// An effect that reaches a named target: washes over Su.
	{ComesOver, `{~wash/~flow/~rip/~tear/~burn/~lance/~course/~shoot/~surge/~pour/~break/~crackle/~blaze/~seep/~sear/~rake/~roll} {over/through/into/across/back into/up}, {~hit/~strike/struck/~slam into/~crash into/~smash into/~land on/~fall on/~find/~go to/~bite into/~sink into/~engulf/~batter/~hammer/~scorch/~reach/~rock/~jolt/~blast}`},
	{FragmentLead, `that's, that is, that was, it's, minus, plus, a total of, call it, another, make that, for, about, all told, total,
		in all, a clean, a full, a whole, a solid`},
	{MarkedUp, `
		up by, better by, right by, back by, ~add, adding, ~restore, restoring, healing, ~mend, mending, richer by,
		topped up by, ~recoup, recouping, ~replenish, replenishing, ~credit, stronger by, boosted by, healthier by, ~put back, giving back, giving, granting, better off by, ~nurse back, recovering, regaining, ~regrow, knitting`},
	{Full, `full, maximum, max, its maximum, its full, the brim, the full, perfect, completely restored,
		fully restored, full again, its peak, topped off, topped up, maxed, maxed out`},
	{FullHealth, `
		full health, full hp, full hit points, maximum health, maximum hit points, max hp, perfect health`},
	// Damage that the subject causes to itself.
	{SelfHarm, `
		not {/quite }{fast/quick} enough, {a beat/a moment/a second/a heartbeat/an instant/half a second/a hair/a step} too {late/slow},
		{~catch/caught/takes/took/gets/got/~stop/eats/ate/~wear/wore/~cop} {the/a/an/one/another/it},
		~slip, ~fall, ~stumble, ~trip, ~crash, ~hit the ground,
		~hit the floor, ~hit the wall, ~hit the deck,
		~hit the rocks, ~hit the stones, ~hit the water,
		~hit the dirt, ~smash into, ~slam into, ~tumble, ~plunge, ~miss, ~skid, ~twist,
		~misjudge, ~scrape, ~stub, ~scald, ~cut yourself, ~stagger, too slow, ~reel,
		~wince, ~gasp, ~flinch, ~yelp, ~recoil, ~buckle, ~step on,
		~hiss, ~groan, ~collapse, ~crumple, ~sink, thrown, ~bleed`},
	// Words of a panel that are not names.
	{PanelLabel, `
		status, current, currently, hp, health, hit points, now, total, damage, taken, report, combat,
		result, results, update, updated, state, stats, summary, system, notice, party, character,
		name, ac, mp, gold, inventory, level, turn, round, points, lost, gained, healed, remaining, left,
		you, your, location, position, condition, is, of, the, at, to, from, x, and, n, full, loss, gain`},
	// Before or after the number of a roll.
	{DieRoll, `
		check, checks, saving throw, save, dice roll, attack roll, roll, d20, die, dice, natural, nat, 🎲,
		initiative, throw`},
	// If one of these is in its sentence, "was gone" means a death.
	{Deadly, `
		bullet, bullets, blade, knife, throat, heart, blood, bled, last breath, shot, poison, venom, wound, lung,
		lungs, pulse, spear, arrow, fever, sword, chest, skull, neck, ribs, ambulance, stretcher, coughed, gasped,
		rattle, axe, fangs, noose, flames, breath`},
	// A verb of a die before its number.
	{Landing, `
		{~give/~yield/~deliver} {you/him/her/}, {~bounce/~roll/~clatter/~tumble/~skitter/~spin/~wobble} {and shows/and showed/and lands on/and landed on/and settles on/and settled on/and comes up/and came up/and stops on/and stopped on/to a stop on/to rest on/to show}, faces up, {ends/ended} on, {freezes/froze} on, {teeters/teetered} and {lands on/landed on/settles on/settled on/shows/showed}, is showing, was showing, displays, displayed, {turns/turned} over to,
		{clatters/clattered/rolls/rolled/spins/spun/skitters/skittered/tumbles/tumbled/bounces/bounced} to {a/an} {stop/halt/rest} {on/at/showing}, ~land on, ~show, ~come up, ~read, stops on, stopped on,
		settles on, settled on, turns up, turned up, clatters to a halt, clatters to a stop, rolls to a stop, rolls to a halt, rolled to a stop, spins to a stop, spun to a stop,
		skitters to a stop, comes to rest, came to rest, settles, settled, stops, stopped, reveals, is, comes to rest on, came to rest on, clatters to, comes to`},
	// After a check: its number comes next.
	{Brings, `~get, ~score, ~total, ~make, ~roll, ~earn, ~yield, ~produce, ~reach, ~hit, ~manage, ~net, ~turn up, ~give, ~return`},
	// After an area: it no longer exists.
	{OnceThere, `stood, had stood, used to be, used to stand, had been, once stood`},
	// After two areas: they are connected.
	{JoinedNow, `are now connected, are now linked, are now joined, are now one`},
	// Before an amount, in "is hit for".
	{ForWord, `for, and for, dealing, doing, inflicting, causing`},
}
