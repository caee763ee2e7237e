package lexicon

// englishPlaces are the words for getting and being somewhere.
var englishPlaces = vocabulary{
	{Arrival, `
		{has/have/had/is/are/was/were} {gone/been taken/moved/returned/come}, {take/takes/took} {the/a} {ladder/stairs/steps/lift/elevator/tram/train/bus/ferry/boat/cab/taxi/coach/carriage/back stairs/spiral stairs/main stairs/service stairs/stone stairs/chute} {/down}, {take/takes/took} the {road/path/tunnel/bridge/rope/back way} {down/up/over/across}, gone,
		~make @ way, made @ way, ~fight @ way, fought @ way, find @ way, finds @ way, found @ way, ~pick @ way,
		~work @ way, ~push @ way, ~force @ way, ~bluff @ way, ~talk @ way, ~wend @ way, ~wind @ way, wound @ way,
		~feel @ way, felt @ way, ~elbow @ way, ~shoulder @ way, ~thread @ way, ~grope @ way, ~hack @ way,
		~cut @ way, cut @ way, ~claw @ way, ~inch @ way, ~squeeze @ way, ~drag yourself, ~drag himself,
		~drag herself, ~haul yourself, ~haul himself, ~haul herself, ~let yourself, let himself, lets himself,
		let herself, lets herself, ~pull yourself, ~pull himself, ~pull herself, take a cab, takes a cab,
		took a cab, took the train, takes the train, take the train, took the bus, takes the bus, take the bus,
		took the ferry, takes the ferry, take the ferry, took the stairs, takes the stairs, take the stairs,
		took a boat, takes a boat, take a boat, took the lift, take the lift, takes the lift, took the tram,
		take the tram, takes the tram, caught a bus, caught the bus, catch the bus, caught a cab,
		caught the train, catch a cab, gain entry, gains entry, gained entry, ~climb the stairs, ~climb the steps, ~climb the ladder, ~climb the hill, ~climb the path,
		~descend the stairs, ~descend the steps, ~cross the street, ~cross the yard, ~cross the square,
		~cross the bridge, ~follow the path, ~follow the road, ~follow the corridor, ~follow the trail,
		~follow the stairs, ~follow the tunnel, ~follow the track, ~follow the passage, ~climb back,
		~double back, ~cut through the crowd, ~cross the threshold, here you are, there you are, beat you, beats you, beat him, beat her,
		beats him, beats her, ~follow you, ~follow him, ~follow her, ~follow them, ~trail you, ~trail him, ~trail her,
		~chase you, ~chase him, ~chase her`},
	{Presence, `
		~regroup, ~gather, ~assemble, make camp, makes camp, made camp, ~settle, meet, meets, met, ~collapse,
		am, was, were, lie, lies, lay, ~lean, ~crouch, kneel, kneels, knelt, sleep, sleeps, slept, hide, hides, hid,
		~huddle, ~rest, ~camp, ~linger, ~loiter, ~lurk, ~sprawl, ~slump, ~perch, hang, hangs, hung, ~stay, ~pace,
		~work, drink, drinks, drank, ~doze, ~hunker, ~hover, ~squat, spend, spends, spent, ~nap, ~idle, ~lounge,
		~shelter, ~cower, ~shiver, ~hole up, wakes up, wake up, woke up, wakes, wake, woke, found himself, finds himself, finds herself,
		found herself, finds themselves, find themselves, found themselves, eat, eats, ate, ~play, ~cook, ~wash,
		~pray, read, reads, ~search, ~rummage, ~sulk, ~brood, ~live, ~nurse, ~tend`},
	{Force, `
		river, flood, floods, floodwater, floodwaters, fire, fires, flames, blaze, inferno, sea, ocean, storm, wave, waves, tide, tidal wave, avalanche, landslide, mudslide,
		rockslide, earthquake, quake, tremor, explosion, blast, lava, hurricane, tornado, gale, wind, winds, sinkhole, sands, dunes, sandstorm, cannon, cannons, bombardment, bomb, bombs, shelling,
		dragonfire, dragon, meteor, lightning, mud, glacier, swamp, void, abyss, water, waters, deluge, torrent, mob, charge, charges, dynamite`},
	{ForceTakes, `
		~take, took, taken, ~claim, ~swallow, ~devour, ~consume, ~engulf, ~gut, ~bury, ~drown, sweep, sweeps, swept, ~carry, ~wash, ~tear, tore, bring, brings, brought, ~pull, ~knock, ~destroy,
		~level, ~raze, ~flatten, ~burn, burnt, ~erase, eat, eats, ate, ~shatter, ~demolish, ~wreck, ~ruin, ~crush, ~topple, ~smash, ~obliterate, ~annihilate, ~reduce, has taken, has claimed, has swallowed, has destroyed, rips, ripped, blows, blew`},
	// Knows, has, wants or does something with what is elsewhere.
	{Remote, `
		~pay, paid, ~order, ~arrange, ~know, knew, known, ~own, has, have, had, having, ~keep, kept, ~want, ~need, ~like, ~love, ~hate, ~miss, ~mention,
		~discuss, talk, talks, talked, talking, speak, speaks, spoke, speaking, ~point, ~gesture, ~look, ~stare, ~gaze, ~peer, ~glance, ~listen,
		~call, calling, called, ~shout, ~yell, ~fire, ~aim, ~throw, threw, ~toss, tossing, fling, flings, flung, ~lob, ~hurl,
		~pour, ~drop, ~put, puts, ~pitch, ~phone, ~telephone, ~wire, ~write, wrote, written, writing, ~read, reading, ~study, ~studied,
		~draw, drew, ~trace, ~mark, ~circle, ~describe, ~explain, ~sketch, ~sell, sold, ~buy, bought, ~book, ~reserve, ~rent,
		~owe, ~belong, ~grow up, grew up, ~work, worked, working, ~live, lived, ~interest, interested, ~lose, lost, ~trust, ~believe,
		~share, ~bury, buried, ~leave, left, leaving, ~hide, hid, hidden, ~stash, ~lock, locked, ~have, ~check on, ~ask, ~wait for,
		waiting for, ~worry, worried, ~care, ~dream, ~plan, ~build, built, ~burn, ~see, saw, seen, ~spy, ~find, found, finds,
		~smell, ~hear, ~feel, ~play, ~stay out, ~light, lit, ~shine, ~nod, ~wave, ~smile, ~whisper, ~sing, ~send, sent,
		~deliver, ~sink, named, named after, ~set, ~search for, ~look for, ~inquire, ~enquire, ~learn, learnt, ~study`},
	// Looks somewhere and is not there.
	{Staring, `
		looking, staring, gazing, pointing, aiming, watching, listening, peering, glancing, shooting,
		interested, lost, turning, heading, nodding, waving, shouting, yelling, laughing, working for, based,
		born, raised, killed, buried, married, held, kept, stored, hidden, left, set, painted, drawn, written`},
	// Taken somewhere, before the one taken.
	{Brought, `
		~walk, let, lets, letting, 		bring, brings, brought, take, takes, took, ~carry, lead, leads, led, ~deliver, ~drop, ~drag, ~haul, ~march,
		~escort, ~usher, ~guide, ~pull, ~push, ~shove, ~sweep, swept, ~whisk, ~transport, ~teleport, ~deposit,
		throw, throws, threw, ~toss, ~dump, ~land, put, puts, ~wash, ~spit, spat, ~ferry, ~bundle, ~pitch, ~hurl,
		fling, flings, flung, ~chase, drive, drives, drove, find, finds, found, ~float, ~row, ~bear, bore, ~beam, fly, flies,
		flew, ~return, sets, set`},
	// What a place does to who arrives.
	{Greets, `
		~welcome, ~greet, ~swallow, ~receive, closes around, closed around, closes over, closed over,
		opens around, opened around, ~envelop, ~embrace, closes in around, closed in around, closes behind,
		closed behind, rises around, rose around, ~engulf, surrounds, surrounded`},
	// After a mention: got where the sentence speaks of.
	{GotThere, `
		got there, get there, gets there, arrive, arrives, arrived, walk in, walks in, walked in, step in,
		steps in, stepped in, stepped inside, step inside, steps inside, came in, come in, comes in, rode in,
		ride in, rides in, stumbled in, stumble in, stumbles in, pulled up, pull up, pulls up, step out,
		stepped out, reached it, reach it, reaches it, ducked inside, duck inside, ducks inside, pulled in,
		pull in, entered, enter, enters, slipped in, slip in, slips in, make it there, made it there,
		turned up, show up, showed up`},
	// Goes with whom it names.
	{Follows, `~follow, ~trail, ~chase, ~join, ~accompany, ~shadow, ~tail, ~precede, beat, beats`},
}
