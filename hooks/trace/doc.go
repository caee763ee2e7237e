// Package trace tells what hooks did: how each action and each hook ended ([Log]), which events
// were not handled ([Drop]), and, for those who ask for it, which gate decided what ([Trace]).
// A [LogBook] keeps the logs of a conversation.
//
// All of them are values with a JSON form that keeps members it does not know.
package trace
