package lexicon

// englishPlaces are the words for arriving and being somewhere.
var englishPlaces = vocabulary{
	{Arrival, `
		~pop, ~nip,
		{has/have/had/is/are/was/were} {gone/been taken/moved/returned/come}, ~take {the/a} {ladder/stairs/steps/lift/elevator/tram/train/bus/ferry/boat/cab/taxi/coach/carriage/back stairs/spiral stairs/main stairs/service stairs/stone stairs/chute} {/down}, ~take the {road/path/tunnel/bridge/rope/back way} {down/up/over/across}, gone,
		~make @ way, ~fight @ way, ~find @ way, ~pick @ way,
		~work @ way, ~push @ way, ~force @ way, ~bluff @ way, ~talk @ way, ~wend @ way, ~wind @ way,
		~feel @ way, ~elbow @ way, ~shoulder @ way, ~thread @ way, ~grope @ way, ~hack @ way,
		~cut @ way, ~claw @ way, ~inch @ way, ~squeeze @ way, ~drag yourself, ~drag himself,
		~drag herself, ~haul yourself, ~haul himself, ~haul herself, ~let yourself, ~let himself,
		~let herself, ~pull yourself, ~pull himself, ~pull herself, ~take a cab, ~take the train, ~take the bus, ~take the ferry, ~take the stairs, ~take a boat, ~take the lift,
		~take the tram, caught a bus, caught the bus, catch the bus, caught a cab,
		caught the train, catch a cab, ~gain entry, ~climb the stairs, ~climb the steps, ~climb the ladder, ~climb the hill, ~climb the path,
		~descend the stairs, ~descend the steps, ~cross the street, ~cross the yard, ~cross the square,
		~cross the bridge, ~follow the path, ~follow the road, ~follow the corridor, ~follow the trail,
		~follow the stairs, ~follow the tunnel, ~follow the track, ~follow the passage, ~climb back,
		~double back, ~cut through the crowd, ~cross the threshold, here you are, there you are, ~beat you, ~beat him, ~beat her, ~follow you, ~follow him, ~follow her, ~follow them, ~trail you, ~trail him, ~trail her,
		~chase you, ~chase him, ~chase her`},
	{Presence, `
		~regroup, ~gather, ~assemble, ~make camp, ~settle, ~meet, ~collapse,
		am, was, were, ~lie, ~lean, ~crouch, ~kneel, ~sleep, ~hide,
		~huddle, ~rest, ~camp, ~linger, ~loiter, ~lurk, ~sprawl, ~slump, ~perch, ~hang, ~stay, ~pace,
		~work, ~drink, ~doze, ~hunker, ~hover, ~squat, ~spend, ~nap, ~idle, ~lounge,
		~shelter, ~cower, ~shiver, ~hole up, ~wake up, ~wake, found himself, finds himself, finds herself,
		found herself, ~find themselves, ~eat, ~play, ~cook, ~wash,
		~pray, ~read, ~search, ~rummage, ~sulk, ~brood, ~live, ~nurse, ~tend`},
	{Force, `
		river, flood, floods, floodwater, floodwaters, fire, fires, flames, blaze, inferno, sea, ocean, storm, wave, waves, tide, tidal wave, avalanche, landslide, mudslide,
		rockslide, earthquake, quake, tremor, explosion, blast, lava, hurricane, tornado, gale, wind, winds, sinkhole, sands, dunes, sandstorm, cannon, cannons, bombardment, bomb, bombs, shelling,
		dragonfire, dragon, meteor, lightning, mud, glacier, swamp, void, abyss, water, waters, deluge, torrent, mob, charge, charges, dynamite`},
	{ForceTakes, `
		~take, taken, ~claim, ~swallow, ~devour, ~consume, ~engulf, ~gut, ~bury, ~drown, ~sweep, ~carry, ~wash, ~tear, ~bring, ~pull, ~knock, ~destroy,
		~level, ~raze, ~flatten, ~burn, burnt, ~erase, ~eat, ~shatter, ~demolish, ~wreck, ~ruin, ~crush, ~topple, ~smash, ~obliterate, ~annihilate, ~reduce, has claimed, has swallowed, has destroyed, rips, ripped, blows, blew`},
	// Knows, has, wants or handles something elsewhere.
	{Remote, `
		~pay, ~order, ~arrange, ~know, knew, known, ~own, has, had, having, ~keep, ~want, ~need, ~like, ~love, ~hate, ~miss, ~mention,
		~discuss, ~talk, talking, speak, speaks, spoke, speaking, ~point, ~gesture, ~look, ~stare, ~gaze, ~peer, ~glance, ~listen,
		~call, calling, ~shout, ~yell, ~fire, ~aim, ~throw, ~toss, tossing, ~fling, ~lob, ~hurl,
		~pour, ~drop, ~put, ~pitch, ~phone, ~telephone, ~wire, ~write, written, writing, ~read, reading, ~study, ~studied,
		~draw, ~trace, ~mark, ~circle, ~describe, ~explain, ~sketch, ~sell, sold, ~buy, ~book, ~reserve, ~rent,
		~owe, ~belong, ~grow up, ~work, working, ~live, ~interest, ~lose, ~trust, ~believe,
		~share, ~bury, ~leave, leaving, ~hide, hidden, ~stash, ~lock, ~have, ~check on, ~ask, ~wait for,
		waiting for, ~worry, ~care, ~dream, ~plan, ~build, built, ~burn, ~see, seen, ~spy, ~find,
		~smell, ~hear, ~feel, ~play, ~stay out, ~light, lit, ~shine, ~nod, ~wave, ~smile, ~whisper, ~sing, ~send,
		~deliver, ~sink, named, named after, ~set, ~search for, ~look for, ~inquire, ~enquire, ~learn, learnt`},
	// Looks at a place without being there.
	{Staring, `
		looking, staring, gazing, pointing, aiming, watching, listening, peering, glancing, shooting,
		interested, lost, turning, heading, nodding, waving, shouting, yelling, laughing, working for, based,
		born, raised, killed, buried, married, held, kept, stored, hidden, left, set, painted, drawn, written`},
	// Moved to a place, before the object.
	{Brought, `
		~walk, ~let, letting, 		~bring, ~take, ~carry, ~lead, ~deliver, ~drop, ~drag, ~haul, ~march,
		~escort, ~usher, ~guide, ~pull, ~push, ~shove, ~sweep, ~whisk, ~transport, ~teleport, ~deposit,
		~throw, ~toss, ~dump, ~land, ~put, ~wash, ~spit, ~ferry, ~bundle, ~pitch, ~hurl,
		~fling, ~chase, ~drive, ~find, ~float, ~row, ~bear, bore, ~beam, ~fly, ~return, ~set`},
	// An action of a place on a person who arrives.
	{Greets, `
		~welcome, ~greet, ~swallow, ~receive, closes around, closed around, closes over, closed over,
		opens around, opened around, ~envelop, ~embrace, closes in around, closed in around, closes behind,
		closed behind, rises around, rose around, ~engulf, surrounds, surrounded`},
	// After a mention: arrived at the place of the sentence.
	{GotThere, ` ~get there, ~arrive, ~walk in, ~step in, ~step inside, ~come in,
		~ride in, ~stumble in, ~pull up, step out,
		stepped out, ~reach it, ~duck inside, pulled in,
		pull in, ~enter, ~slip in, make it there, made it there,
		turned up, show up, showed up`},
	// Accompanies a named person.
	{Follows, `~follow, ~trail, ~chase, ~join, ~accompany, ~shadow, ~tail, ~precede, ~beat`},
}
