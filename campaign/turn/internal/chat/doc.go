// Package chat is what was said in a campaign, as the world book and prompts read it: the
// conversation up to the head, which grows with every turn ([Log]), what of it a prompt shows
// ([Shown]), and how many tokens its lines take ([Tokens]).
//
// Nothing here is safe for concurrent use.
package chat
