package lexicon

// englishLives are the phrases for dying, falling and reviving.
var englishLives = vocabulary{
	{Dead, `
		~join {the dead/the departed/the fallen/@ ancestors/@ fathers/@ forefathers/@ maker}, {wounds/wound/injury/injuries/blow/dose/bite/poison/fall} {proves/proved/is/was} {fatal/mortal/lethal/deadly}, eyes that {no longer see/no longer saw/see nothing/saw nothing/will never see again/do not see/did not see}, head {rolls/rolled/comes off/came off/leaves @ shoulders/left @ shoulders/is struck off/was struck off/is cut off/was cut off/is severed/was severed/parts company with @ shoulders/parted company with @ shoulders/flies from @ shoulders/flew from @ shoulders/tumbles from @ shoulders/tumbled from @ shoulders/is taken clean off/was taken clean off/hits the floor/hit the floor/bounces down the/bounced down the}, {spine/neck/skull/throat} {snaps/snapped/breaks/broke} and {the light goes out/she is gone/he is gone/you are gone/she was gone/he was gone}, ~pass {into the next world/from this world/out of this world/beyond the veil/to the other side/over to the other side/over}, ~depart {this life/this world/this earth}, ~leave {this world/this life/the world of the living/the land of the living}, ~cross {over to the other side/the last river/to the other side/the veil}, ~go {the way of all flesh/to glory/west for good/to @ long home/to the gods/to heaven}, ~fade {into death/from this world}, ~yield @ {last breath/life/spirit}, ~give up {@ life/the ghost/@ spirit}, ~surrender @ {life/last breath}, {is/was/are/were/lies/lay} {beyond all help/past reviving/beyond reviving/beyond recall/no longer among you/no longer with you/no longer with us/stiff and cold/cold and still/cold as clay/stiff as a board/graveyard cold/broken and lifeless/pale and lifeless/still and lifeless/extinct/departed/deceased}, {has/have} {passed/departed/left us/left this world/gone to @ rest/breathed @ last/drawn @ last breath/given up the ghost/flatlined}, {fails/failed} to {wake/breathe/rise/revive} again, {dies/died} {instantly/at once/there and then/on the spot/where she stands/where he stands/where she stood/where he stood}, {is/was/are/were} {dead and buried/dead as a stone/dead at last/truly dead/really dead/utterly dead/good and dead}, ~draw @ {final/very last} breath, ~breathe @ {final breath/very last}, ~take @ {final/very last} breath, ~choke on @ own blood until {she/he} {is/was} still, ~rattle and {goes/went} still, 
		~pass away, ~breathe @ last, ~draw @ last breath,
		draws @ final breath, drew @ final breath, ~take @ last breath, took @ final breath, takes @ final breath, ~let out @ last breath, ~exhale @ last, gives @ last breath, gave @ last breath, ~stop breathing, quit breathing, heart stopped beating, heart stops beating, never woke up,
		never wakes up, never wake up, never woke again, never wakes again, does not wake again,
		did not wake again, never got up again, never gets up again, never rose again, never rises again,
		did not get up again, does not get up again, never breathed again, never breathes again,
		never drew another breath, never draws another breath, never took another, never takes another,
		~bleed out, ~bleed to death, ~succumb, ~expire,
		gave up the ghost, gives up the ghost, is no more, was no more, are no more, life leaves @,
		life left @, life went out of @, life goes out of @, life drains from @, beyond help, past help, beyond healing, past all help,
		light went out of @, light leaves @ eyes, light left @ eyes, light faded from @ eyes,
		light fades from @ eyes, is slaughtered, was slaughtered, ~freeze to death, burnt to death, ~burn to death, ~choke to death, beaten to death, ~drown, ~starve to death, crushed to death,
		is crushed to death, are crushed to death, ~meet @ end, meets @ death,
		met @ death, meets @ maker, met @ maker, ~fall lifeless, is lifeless,
		was lifeless, lay lifeless, lies lifeless, gone for good, ends @ days, ended @ days, ~lose @ life, gave @ life, gives @ life, pays with @ life, paid with @ life,
		is murdered, was murdered, is executed, was executed, is shot dead, was shot dead, shot dead,
		is stone dead, was stone dead, stone dead, is dead before, goes to @ grave, went to @ grave,
		is already dead, was already dead, were dead, kicked the bucket, bit the dust, ~breathe no more, draws no more breath, is beyond saving, was beyond saving,
		is past saving, was past saving, killed instantly, is a corpse, was a corpse, are a corpse, was gone, is gone, were gone, are gone`},
	{Downed, `
		the world {goes/went/turns/turned} {black/dark}, @ {world/vision/sight} {goes/went/turns/turned/fades to/faded to} {black/dark}, ~lose @ {grip/hold/grasp/tenuous hold/last hold} on {consciousness/the waking world}, {is/was/are/were/gets/got} knocked {clean/right/completely/stone/straight} {out/cold/senseless/unconscious}, ~slip {under/into a coma/into sleep that is no sleep}, ~lapse into {unconsciousness/a coma/insensibility}, {is/was/are/were} {gone from the waking world/lost to the world/dead to everything/knocked flat and senseless/down and out/senseless before/unconscious before/already unconscious/utterly unconscious/quite senseless/beyond rousing/put under/under before/asleep on @ feet and then out}, {cannot/can't/could not/couldn't} be {woken/roused/wakened/brought round}, ~pass clean out, ~pass right out, ~black right out, ~keel {over/over in a faint}, ~crumple in a {faint/dead faint/swoon}, ~fall {insensible/comatose}, eyes {roll/rolled} {back in @ head/back in @ skull/up in @ head/up into @ head/up and @ knees go}, ~sleep the drugged sleep, ~succumb to {unconsciousness/the gas/the drug/the sedative/the anaesthetic/the anesthetic/the fumes/the sleeping draught}, ~lose all {consciousness/sense of the world/awareness}, ~surrender to {unconsciousness/the dark/the blackness/oblivion},
		in a swoon, in a faint, in a dead faint, into a faint, into a swoon, dead to the world,
		lost all consciousness,
		~slip into unconsciousness, slips into a coma, slipped into a coma, falls into a coma,
		fell into a coma, ~drop into unconsciousness, sinks into unconsciousness, sank into unconsciousness, falls into unconsciousness,
		fell into unconsciousness, ~drift into unconsciousness, ~lapse into unconsciousness, ~lapse into a coma, ~slide into unconsciousness, into oblivion, is comatose, was comatose, ~swoon, ~faint,
		~go out cold, is out cold, was out cold, are out cold, were out cold, lies out cold, lay out cold,
		laid out cold, 's out cold, 're out cold,
		~go out like a light, out like a light, out cold, senseless, is knocked senseless,
		was knocked senseless, knocked senseless, is knocked cold, was knocked cold, knocked cold,
		is knocked unconscious, are knocked unconscious, were knocked unconscious, were knocked out, is senseless, was senseless, lay unconscious, lying unconscious,
		~lie senseless, drops unconscious, dropped unconscious, slumps unconscious, slumped unconscious,
		collapses unconscious, collapsed unconscious, were unconscious, goes under, went under,
		is insensible, was insensible`},
	{Revived, `
		lives, breathes, is back, was back, {was/were} never {dead/really dead/truly dead/dead at all}, {is/was/are/were} {on @ feet again/back on @ feet/up again/up and walking/up and breathing/breathing/restored to life/among the living again/flesh and blood again/warm again/awake/alive after all/alive once more/alive and breathing/alive and whole/alive and kicking/alive and unharmed}, ~come to {life/with a gasp/with a start/and sits up/and sat up}, {~cough/~splutter/~sputter} {back to life/to life/and breathes/and breathed/and opens/and opened}, eyes {~flicker/~blink/~flutter/~spring/~fly/~shoot/~come} open, {blinks/blinked} {awake/and sits up/and sat up}, lungs {~fill/~heave/~inflate}, fingers {~twitch/~curl/~move/~stir}, ~walk out of {@ grave/@ own grave/the grave/the morgue/the crypt/@ own funeral/@ own tomb}, ~shake off death, death {lets go/let go/releases/released/loosens/loosened} {of/@}, ~cheat {death/the grave}, {snaps/snapped/~wake/~jerk/~jolt/~start/~sit} {awake/up},
		{~draw/takes/took} breath,
		starts up again, started up again, among the living, is whole again, kicks back into life, kicked back into life, flutters to life,
		fluttered to life, sputters to life, jolts back to life, jolted back to life, back to life, up and about again,
		as alive as, is alive, was alive, are alive, 's alive, heart starts beating, heart started beating,
		heart begins to beat, heart began to beat, heart beats again, heart beat again,
		started beating again, starts beating again, starts breathing, started breathing,
		begins to breathe, began to breathe, breathing again, opens @ eyes, opened @ eyes, sits up, sat up,
		gets back up, got back up, stands up, stood up, draws a breath, drew a breath, takes a breath,
		took a breath, gasps for air, gasped for air, walks again, walked again, comes back from the dead,
		came back from the dead, back among the living, rejoins the living, rejoined the living,
		returned from the dead, returns from the dead, returned from death, returns from death, wakes up,
		woke up, eyes snap open, eyes snapped open, eyes fly open, eyes flew open, eyes open, eyes opened,
		eyes fluttered open, eyes flutter open, stirs, stirred, lives once more, lived once more,
		is living again, climbs out of @ grave, climbed out of @ grave, is brought back, was brought back,
		is raised, was raised, is raised from the dead, was raised from the dead, is brought back to life,
		was brought back to life, pulse returns, pulse returned, is back on @ feet, was back on @ feet,
		alive again, alive and well`},
	{Killed, `
		{cut/struck/hacked/chopped/shot/blown/split} {down where/in two/dead/clean in two/through the heart/to ribbons}, {crushed/flattened/squashed/pulped/pulverized/pulverised} to {death/pulp}, buried alive, {run/pierced/speared/skewered/shot} through the {heart/throat/head/skull/neck}, {hanged/hung} by the neck until dead, {burned/burnt} {at the stake/to cinders/to ashes/to death}, {bled/sucked/drained} {dry/white}, drained of {life/all life/every drop of blood}, put {down like a dog/out of @ misery}, {eaten/swallowed} {whole/alive}, sacrificed on the,
		hanged, beheaded, decapitated, strangled, stabbed to death, burned alive, burnt alive, eaten alive, torn apart, ripped apart,
		torn to pieces, ripped to pieces, torn to shreds, torn in half, cut in half, gunned down, trampled to death, devoured,
		disintegrated, vaporized, vaporised, incinerated, butchered, massacred, garroted, garrotted, electrocuted, mauled to death,
		clubbed to death, clawed to death, bitten to death, blown to pieces, blown apart, blown to bits, swallowed whole,
		crushed flat, dashed to pieces, burned to a crisp, burned to ash, turned to ash, reduced to ash, slaughtered, assassinated,
		fatally shot, fatally stabbed, mortally wounded and dead, run through and dead, snuffed out`},
	{LifeGoes, `
		death {comes for/came for/finds/found/catches/caught/collects/collected/has come for/folds over/folded over/gathers/gathered/overtakes/overtook/carries off/carried off}, {fever/plague/sickness/illness/disease/infection/gangrene/poison/venom/frost/blood loss/hunger/thirst/consumption/typhus/cholera} {takes/took/has taken/does for/did for/finished off/finishes off/claims the life of/claimed the life of}, {nothing/little/not much} {is/was} left of, {nothing/little/not much} {remains/remained} of, {ends/ended/ending} the {life/days/existence/story} of, {life/spark/light} {is snuffed out in/was snuffed out in/goes out in/went out in/dies behind/died behind/drops out of/dropped out of/left/quits/quit/is gone from/was gone from},
		life leaves, life left, life goes out of, life went out of, life drains out of, life drained out of, life ebbs from,
		life ebbed from, the light goes out of, life drains from, life drained from, life flees, life fled, death takes,
		death took, death claims, death claimed, it was the end of, that is the end of, that was the end of, that's the end of`},
	{LifeComes, `
		life returns to, life returned to, life comes back to, life came back to, life comes back into, life came back into,
		life flows back into, life flowed back into, life floods back into, life flooded back into, brings back, brought back,
		life surges back into, life surged back into, life pours back into, ~resurrect, ~revive, ~raise from the dead,
		breath returns to, breath returned to, the soul returns to, the soul of`},
	// Dead or unconscious, after words of falling.
	{Lifeless, `
		in a swoon, in a faint, in a dead faint, into a faint, into a swoon, dead to the world,
		dead, unconscious, lifeless, senseless, out cold, stone dead, insensible, comatose,
		stone cold dead, out like a light, knocked senseless, knocked cold, knocked out,
		knocked unconscious, knocked out cold, out, cold`},
	// Before an apposition such as dead or unconscious.
	{Falling, `
		~slump, ~crumple, ~fold, ~drop, ~collapse, ~fall, ~sink, ~topple, ~keel,
		goes down, went down, goes limp, went limp, ~hit the, ~hit the floor,
		~hit the ground, lies, lay, ~sag, ~pitch, ~tumble, ~crash, ~slide, ~sprawl, ~buckle, ~drift,
		floats, ~land, ~roll, ~flop, ~reel, ~stagger`},
	// Shows the values of its owner.
	{Display, `hud, display, screen, readout, monitor, gauge, panel, status, interface, overlay, wristband, visor, lens`},
	{Vitals, `heart, hearts, pulse, chest, lungs, eyes, breath, breathing, body, heartbeat`},
	{Mends, `~heal, ~mend, ~cure, ~undo, ~knit`},
	{Injury, `damage`},
	{Unmasks, `only, just, nothing but, merely, nothing more than, turns out to be`},
	{Sham, `dream, illusion, decoy, trick, mirage, vision, nightmare, projection, simulation, mannequin, phantom, figment, hallucination, daydream`},
	{Corpse, `corpse, dead body, lifeless body, remains, cold body`},
	{Destroys, `there {is/was} nothing left of, there {is/was} nothing more of, nothing more {is/was} left of, {little/nothing} {stands/stood} of, only {ruins/rubble/ashes/a crater/a hole/cinders} {remain/remains/remained/is left/are left/was left} of, no stone {is left/was left/stands} of, ~gut, ~consume, ~devour, ~annihilate, ~shatter, nothing remains of, nothing remained of, nothing is left of, nothing was left of, all that remains of, all that is left of, all that was left of, brings down, brought down, ~incinerate, ~destroy, ~demolish, ~level, ~raze, ~flatten, ~obliterate, burnt down, ~burn down, tears down, tore down, blows up, blew up, ~wreck, ~swallow, ~engulf, wipes out, wiped out`},
	{Body, `jaw, cheek, cheeks, chin, nose, ear, ears, brow, forehead, scalp, shoulders, arm, arms, forearm, forearms, elbow, wrist, wrists, hand, hands, palm, palms, finger, fingers, knuckles, thumb, hip, hips, thigh, thighs, leg, legs, knee, shin, shins, calf, calves, ankle, ankles, foot, feet, toe, toes, back, stomach, flank, side, waist, groin, collarbone, kidney, kidneys, mouth, lip, lips, teeth, tongue, backside, midriff, breastbone, shoulder blade, throat, neck, skull, ribs, spine, gut, belly, wounds, wound, knees, head, temple, shoulder, face`},
	{LifeLabel, `dead, deceased, killed, slain, unconscious, knocked out, out cold`},
	{EntersIt, `~step inside, ~slip inside, ~walk in, ~step in, ~go inside, ~go in, ~slip in, ~duck inside, ~hurry inside, ~walk inside, ~creep inside, ~stumble inside`},
	// Kills a named target.
	{Slays, `!{joke/jokes/suspense/waiting/curiosity/boredom/line/pun/punchline/smell/silence/sun/shoes/feet/back} {kills/kill/killed/slays/slew}, !kills {time/the time/an hour/the engine/the lights/the light}, ~kill, ~slay, ~murder, ~execute, ~behead, ~decapitate, shoots dead, shot dead, finishes off, finished off, ~slaughter, ~incinerate, ~drown, ~strangle, killing, slaying, murdering, did for, does for, finishes, finished`},
	// Strikes down a named target, with the state after it.
	{Fells, `~knock, ~leave, ~render, ~lay, ~strike, ~shoot, ~put, ~drop, ~beat, ~club`},
	{Dead, `
		{didn't/doesn't/~do not/don't/would not/wouldn't/will not/won't/would never/will never/never} {wake/wake up/get up/get to @ feet/get back up/rise/stand/stand up/stir/move/open @ eyes/breathe/draw breath/draw another breath} again,
		never {woke/awoke/got up/rose/stood up/stirred/moved/opened @ eyes/breathed} again, never {woke/woke up/wakes/wakes up/awoke}, never so much as stirred again, {never/not} to {rise/wake/wake up/get up/stir/move/stand/breathe} again,
		{didn't/doesn't/~do not/don't} {survive/live to see/outlive/live through/live long enough}, {did not/didn't/does not/doesn't} make it through the night, {could not/couldn't/cannot/can't} be {saved/revived/brought back},
		{~close/~shut} @ eyes {for the last time/forever/for good}, eyes {close/closed/shut} {for the last time/forever/for good}, ~breathe out for the last time, ~exhale for the last time, {sighs/sighed} for the last time,
		~slip away {before dawn/in the night/during the night/at dawn/before morning/quietly/peacefully/without a word/without a sound/without waking}, {slips/slipped} the mortal coil, {shuffles/shuffled} off this mortal coil,
		{has/have/had} {died/perished/expired/passed away/passed on/bled out/bled to death/drowned/breathed @ last/met @ end}, {has/have/had} been {killed/slain/murdered/executed/beheaded}, ~pass on to the next world, ~go to meet @ maker, ~go to @ {death/reward/rest}, {~fall/~plunge/plummets/plummeted/tumbles/tumbled/drops/dropped/leaps/leapt/sinks/sank/slides/slid} to @ death,
		~buy {it/the farm}, ~bite the dust, ~kick the bucket, ~turn up @ toes, ~cash in @ chips, ~croak, ~pop @ clogs, ~give up the ghost, {is/was/are/were/lies/lay} {stone dead/quite dead/very dead/stone-dead/cold and dead/dead and cold/dead and gone/lifeless/a corpse/already cold/growing cold/past saving/beyond saving/beyond help/past help/past all help/among the dead/with the dead/cold in the ground/pulseless/dead as a doornail/dead as mutton/dead as stone/dead on arrival/pronounced dead},
		{no/not a} {pulse/heartbeat} {is/was/beats/beat/flutters/fluttered}, {has/have/had} no {pulse/heartbeat/breath left/breath left in @ body/life left in @/life left}, {is/was/are/were} no longer {breathing/alive/among the living/of this world}, {no longer} {breathes/breathed/draws breath/drew breath/lives}, {isn't/wasn't/aren't/weren't} {breathing/alive} {anymore/any more/any longer}, {stops/stopped/quits/quit/ceases/ceased} breathing {altogether/entirely/for good/forever/then and there},
		{bleeds/bled} {out/dry}, ~choke {to death/to death on/on @ own blood and dies/on @ own blood and died}, {~burn/burnt/~freeze/~bleed/~starve/~suffocate/~smother/~drown/~fall} to death, {suffocates/suffocated/asphyxiates/asphyxiated/drowns/drowned}, flatlines, flatlined, {~lose/~give/forfeits/forfeited} @ life, ~pay with @ {life/lives}, {life/story} {ends/ended} {here/there/in/on/at/with/beneath}, {gone to/went to/goes to} @ {fathers/ancestors/gods/grave/eternal rest}, {asleep for good/sleeping @ last sleep}, {sleeps/slept} @ last sleep,
		!dead tired, !dead wrong, !stopped breathing through, !stopped breathing so, !stopped breathing for a, !stopped breathing as, !stops breathing for a, !stopped breathing when, !stopped breathing to, !lost @ life savings, !{gave/gives/give} @ life {to the/to a/to this/to that/to @/over}, !drowned out, !drowns out, !drowned @ sorrows, !drowns @ sorrows, !{drowned/drowns/drown} in {debt/work/tears/paperwork/sorrow/grief/guilt/noise/sound}, !dead right, !dead sure, !dead certain, !dead last, !dead heat, !dead on @ feet, !dead on time, !dead beat, !dead drunk, !dead asleep, !dead weight, !dead to the world, !dead broke, !dead calm, !dead silent, !dead quiet, !dead ringer, !dead keen, !dead set, !dead ahead, !dead level, !dead slow, !dead straight, !dead easy, !died of {laughter/shame/embarrassment/boredom/curiosity/envy}, !died laughing, !died a thousand deaths, !died inside, !is dead wood, !perish the thought`},
	{Downed, `
		{is/was/are/were} out before {you/he/she} {hit/hits}, {know/knows/knew/~remember} {no more/nothing more/nothing else/nothing after that}, ~lose @ senses,
		~go {out/down} cold, {out for the count/down for the count}, ~keel over {unconscious/senseless/in a faint/in a dead faint/out cold}, ~conk out, ~zonk out, ~see stars and then nothing, {vision/sight} {goes/went/fades to/faded to} black, {is/was/are/were/~lie} {quite unconscious/unconscious/insensate/senseless/insensible/comatose/out for the count/dead to the world/out of it entirely/knocked cold/beyond waking/unresponsive/sparko}, {is/was/are/were/gets/got} {knocked out/rendered unconscious/rendered senseless/laid out/put to sleep by the spell/choked out/kayoed/concussed and out/anaesthetised/anesthetised/anesthetized/chloroformed}, ~faint {dead away/clean away/outright/away/on the spot/where she stands/where he stands/where she stood/where he stood}, ~swoon, {eyes} {roll/rolled} {back/up} and {she/he} {is/was} gone, {is/was} gone from the world,
		!goes under the, !went under the, !go under the, !goes under a, !went under a, !out like a light switch, !in a swoon of, !dead to the world asleep`},
	{Revived, `
		{very much/quite/entirely/undeniably/impossibly} alive, alive and kicking, {wasn't/was not/isn't/is not/aren't/are not/weren't/were not} dead, {not dead} {after all/at all}, {~wake/awakes/awoke/awakens/awakened}, {lives/lived} {again/once more/still/on after all}, still {lives/lived/breathes/breathed/living/breathing}, {is/was/are/were} {living/breathing/whole/alive and breathing/alive and well/among the living/back from the dead/with the living/back with the living/not gone/restored}, ~gasp {awake/back to life/to life}, ~cough and {sits/sat} up, {sits/sat} {bolt upright/upright/up}, ~open @ eyes, {~start/~begin} {to breathe/breathing/to stir/to move}, {defies/defied/cheats/cheated/escapes/escaped} death`},
	{LifeSign, `heart, heartbeat, pulse, breath, breathing, breaths, chest, lungs, life, soul`},
	{SignStops, `
		and {find/finds/found} {nothing/none/no beat/only silence/only stillness/no pulse/it gone}, {do/does/did} not {fill/rise/beat/move/start/stir/return/come} {/again/any more/back}, {will/would} not {fill/rise/beat/start} again, {~slow/~falter/~stutter/~flutter/~weaken/~dwindle/~skip/~fade} {, then stops/, then stopped/and stops/and stopped/and is gone/and was gone/and dies/and died/to nothing/to a stop/and fails/and failed}, {runs/ran} {down/down and stops/down and stopped}, {~wink/~blink/~flicker/~gutter/~go/~snuff} out {/for good/for ever/forever}, {comes/came} to {a stop/an end/nothing}, never starts again, {beats/beat} {once more and stops/once more and stopped/its last/no longer}, {is/was} {at an end/over/lost/forfeit/done},
		{~stop/quit/quits/~cease} {/beating/moving/rising/altogether/entirely/for good/forever/completely/there and then}, {is/was} {still/stilled/stopped/silent/gone/no more/snuffed out/spent/extinguished}, {~go/~fall/~grow/lies/lay} {still/silent}, ~give out, ~fail, flatlines, flatlined, {no longer/never again} {rises/rose/moves/moved/beats/beat/stirs/stirred/rises and falls/rose and fell}, {does not/did not/doesn't/didn't} {beat/rise/move/start/stir} again, never {beats/beat/rises/rose/moved/stirred/started} again,
		{~ebb/~drain/~slip/~seep/~run} {away/out/out of @}, {ends/ended} {here/there/in/on/at/with/beneath/under/then}, {leaves/left/departs/departed/quits/quitted/flees/fled} @ body, {is/was} {snuffed/cut short/over in an instant}, never {comes/came/returns/returned}, {guttered/gutters/flickers/flickered} {out/and dies/and died/and went out/and goes out}`},
	{SignBack, `
		{~thump/~pound/~hammer/~thud/~pump/~throb/~race/~drum/~knock/~kick/~lurch/~jump/~leap/~quicken/~flutter}, gives a {beat/thump/flutter/lurch/kick/jolt/twitch}, gave a {beat/thump/flutter/lurch/kick/jolt/twitch}, {~beat/~pulse} {strong/strongly/weakly/faintly/steadily/slowly/hard}, ~fill {again/with air/once more}, {comes/came} {in a gasp/in a rush/in a sob/again},
		{~start/~begin/~resume/~kick/~jump/~flutter/stutters/stuttered} {beating/to beat/moving/again/back to life/into life/to life/to rise}, {~beat/~rise/~move/~heave/~hitch/~flutter/~stir} {/again/once more/anew/and falls/and fell/and falls again/and fell again/under}, {~return/comes back/came back/is back/was back/is restored/was restored/returns to @/returned to @}, {is/was} {beating/strong/steady/there again/beating again}`},
	{MindSign, `consciousness, awareness, senses`},
	{MindGoes, `
		{~slip/~drift/~ebb} {from/out of} {you/him/her}, {is/was} {lost/snuffed out/extinguished/blown out}, ~shut {off/down}, {~flicker/~gutter/~blink/~snuff} out, ~dissolve, ~abandon {you/him/her}, ~fail {you/him/her}, ~let go of {you/him/her},
		{~leave/~desert/~flee/~forsake} {you/him/her}, ~go {dark/black/out/out like a lamp/out like a candle}, {~slip/~drain/~fall/~swim/~gutter/~fade/~wink} {away/out/away entirely/to nothing/into the dark/into darkness/into nothing/to black}, {is/was} gone`},
	// A feeling to which one gives in or that consumes one, without dying.
	{Feeling, `curiosity, guilt, grief, doubt, doubts, envy, fear, fears, shame, jealousy, remorse, regret, laughter, love, worry, worries, work, ambition, boredom, rage, hatred, longing, critics, words, temptation, temptations, sleep, tears, panic, despair, anger, pressure, flattery, charm, charms, habit, greed, lust, pride, vanity, nostalgia, homesickness, nerves, giggles, impulse, urge, urges, craving, cravings, desire, loneliness, melancholy, sentiment, beauty, ale, wine, whisky, whiskey, drink, demands, @ {curiosity/own curiosity/fears/nerves/better judgment/better nature/charms/sweet tooth/demands}, questions`},
	{Overcomes, `
		{the world/everything/all} {goes/went/turns/turned} {black/dark} {for/around}, {sleep that is no sleep/merciful blackness/a red mist/a black tide/a wave of black/blackness like a tide} {takes/took/claims/claimed}, {darkness/blackness/oblivion} {swallows/swallowed/enfolds/enfolded/envelops/enveloped/engulfs/engulfed/washes over/washed over/rushes over/rushed over/embraces/embraced/consumes/consumed/wraps around/wrapped around},
		{darkness/blackness/the dark/the black/oblivion/unconsciousness/black nothing/nothingness/the void} {take/takes/took/claim/claims/claimed/overtake/overtakes/overtook/overcome/overcomes/overcame/closes over/closed over/folds over/folded over/rises to meet/rose to meet/rushes up to meet/rushed up to meet/pulls under/comes for/came for/has/had/drowns/drowned}, {consciousness/the senses/the light/the world} {leaves/left/deserts/deserted/flees/fled/slips away from/slipped away from/slips from/slipped from/goes out for/went out for/ended for}, the lights {go/went} out for`},
	{Raises, `
		~raise, ~bring, ~call, ~restore, ~return, ~summon, ~drag, ~haul, ~pull, ~yank, ~wake, ~coax, ~jolt, ~shock, ~nurse, ~will, ~pray, ~sing, sang, raising, bringing, calling, dragging, restoring, pulling`},
	{Risen, `
		back {across/over/through} {the threshold/the veil/the gates} of {death/the grave}, {/back }{from/out of} {the dark/death's door/the beyond/the afterlife/the morgue/the crypt/the earth/the cold earth/the ground where/@ shroud/@ shallow grave/the shallow grave/the burial mound/the mass grave/the pit of the dead/the jaws of death/oblivion/hell/the next world/the other side/purgatory/the realm of the dead/the land of the dead}, {/back }{into/to} {the world/the light/the waking world/breath/breathing/@ body/@ own body},
		{/back }{from/out of} {the dead/death/the grave/@ grave/@ own grave/the coffin/@ coffin/@ own coffin/the tomb/@ tomb/@ own tomb/the slab/the bier/the pyre/beyond the grave/the underworld}, {/back }to {life/the living/the land of the living/the world of the living}, back {among the living/into the world/into @ body/from wherever}, to @ feet again, whole and breathing, alive again`},
	{LifeGoes, `
		{light/life/spark/warmth/last of the light} {fades from/faded from/fade from/leaves/left/goes out of/went out of/has gone out of/had gone out of/drains from/drained from/drains out of/drained out of/dies in/died in/ebbs from/ebbed from/ebbs out of/ebbed out of/vanishes from/vanished from/flees/fled/departs/departed/deserts/deserted/seeps out of/seeped out of/slips out of/slipped out of/gutters in/guttered in/dims and dies in/went from/goes from/passes from/passed from/runs out of/ran out of},
		{fever/fire/sea/river/cold/poison/venom/plague/frost/water/flames/wound/gas/rope/storm/sickness} {claims/claimed/kills/killed/finishes/finished/carries off/carried off}, {this is/that is/that was/it was/it is/and that is/and that was} the {end/death} of, {made/makes/~put} an end {of/to}, {snuffs/snuffed} the life out of, {squeezes/squeezed/crushes/crushed/chokes/choked/throttles/throttled/~beat/drives/drove/tears/tore} the {life/last breath/last of the life} {from/out of}, {stops/stopped/stills/stilled} the heart of`},
	{LifeComes, `{breath/life/colour/color/warmth/heat} {returns to/returned to/comes back to/came back to/comes back into/came back into/flows back into/flowed back into/creeps back into/crept back into/floods back into/flooded back into/rushes back into/rushed back into/surges through/surged through/stirs in/stirred in/flickers in/flickered in}`},
	{TakesLife, `~lop, ~cut, ~strike, ~hack, ~tear, ~rip, rips, ripped, ~bite, ~chop, ~slice, ~shear, ~wrench, ~swipe, ~knock, blows, blew, 
		~forfeit, ~drain, ~rob, ~squeeze out, ~choke out, ~crush, ~demand, ~sever, ~reap, ~harvest, reaping, costing, stopping, stealing,
		~stop, ~still, ~take, ~claim, ~end, ~extinguish, ~cost, ~steal, ~snuff out, ~crush out, ~cut short, ~finish, taking, claiming, ending`},
	{Slays, `
		~run through and kills, {~kill/~slay/~murder/~butcher/~assassinate/~garrotte/~garrote/~strangle/~suffocate/~smother/~electrocute/~disembowel/~eviscerate/~impale/~vaporize/~vaporise/~disintegrate/~massacre/~lynch/~exterminate/~dispatch/~poison to death}, {stabs/stabbed/~beat/burns/burned/burnt/crushes/crushed/chokes/choked/claws/clawed/mauls/mauled/tramples/trampled/bites/bit} to death, {guns/gunned} down, ~cut the throat of, {slits/slit} the throat of, ~put to death`},
	{Killed, `
		{stabbed/burned/burnt/crushed/choked/clawed/mauled/trampled/bitten/beaten/pecked/stung/squeezed/frozen/whipped/stoned/starved/pummelled/pummeled/hacked/gored/battered/clubbed/shaken/kicked/worried} to {death/pieces}, {torn/ripped/cut/hacked/sawn/bitten/blown/smashed/split/cleaved/cleft} {apart/in two/in half/to pieces/to shreds/to ribbons/limb from limb/asunder}, {eaten/buried/burned/burnt/flayed/boiled/cooked/roasted} alive, {poisoned/impaled/garrotted/garroted/guillotined/drawn and quartered/crucified/lynched/assassinated/put to death/put to the sword/run through the heart/shot through the heart/stabbed through the heart/shot through the head/shot dead/struck dead/cut down/mown down/gunned down/struck down dead/swallowed whole/swallowed alive/dispatched/exterminated/drained of blood/drained dry/sucked dry/crushed flat/flattened to death/smothered/suffocated/asphyxiated/strangled/throttled to death}, dashed to pieces on`},
	// Before "one last breath" or "a first breath".
	{Breathes, `
		{~draw/~take/~gasp/~give/~heave/~breathe/~utter} {/out}, {~let/~rattle/~choke/~push/~sigh} out, ~suck in, ~gulp`},
	{Breath, `
		shudder, twitch, spasm, convulsion, gurgle, tremor, jerk, shiver,
		breath, sigh, gasp, rattle, wheeze, exhalation, moan`},
	{LastOf, `{one/a/@} {last/final}, one final and last`},
	{FirstOf, `a, one, @ first, a first, another`},
	{SinksInto, `
		{~slip/~drift/~sink/sank/~slide/slid/~fall/~drop/~plunge/~tumble/~go/~lapse/~pitch/~spiral/~descend/~dissolve/~fade} {/down /away /back /off }into, ~succumb to, surrenders to, ~give in to`},
	{Darkness, `unconsciousness, oblivion, blackness, darkness, a coma, a dead faint, a deep faint, a faint, a swoon, senselessness, a stupor, insensibility, nothingness, the black, a dreamless dark, the void`},
	{Lapse, `unconsciousness, oblivion, a coma, a dead faint, a deep faint, a faint, a swoon, senselessness, a stupor, insensibility, nothingness, blackness`},
	// Returns from a place or state of the class Risen.
	{Rises, `
		{~claw/~dig/~fight/~drag/~haul/~scrape/~push/~force/~struggle} {@ way/yourself/himself/herself}, ~burst, ~stagger, ~shamble, ~break, ~limp, ~stumble, ~clamber, ~sit bolt upright, sits up, sat up, stands up, stood up, {is/was} {back/up}, ~arise, ~stride,
		risen, newly risen, ~rise, ~climb, ~step, ~crawl, ~get up, ~come, ~return, ~sit up, ~walk, ~emerge, ~wake, ~clamber`},
	{Times, `{hundred/thousand/dozen/million/few/couple of} {times/deaths}, several times, many times, countless times, half a dozen times, a hundred times`},
	{Fainted, `{knocked/struck/beaten/clubbed/punched/coshed/kicked/stunned/blasted/choked} {unconscious/senseless/out cold/cold/insensible}`},
}
