// Package koboldai reads the world info of KoboldAI and KoboldAI Lite stories.
//
// An entry becomes a world book entry in this way; everything else of it is as
// the editor makes a new one:
//
//	key                      keys: a text with commas, or a list
//	keysecondary             secondary keys
//	selective                selective, if there are secondary keys
//	keyanti                  secondary keys with NOT_ANY, if there are no others
//	content, else entry, manual_text   content
//	comment, else title      comment
//	constant                 constant
//	probability              probability in percent, 100 if missing
//	widisabled               disabled
//
// Everything else does not act and is reported: groups and folders, which sort the
// entries of the editor and stay with each as the members wigroup and folder, and of a
// story file all but its world info.
package koboldai
