// Package calendar reads dates and times of day as stories write them, and counts the days
// between them.
//
// A [Calendar] is the Gregorian one or one with month lengths of its own; [Calendar.Read] takes
// [year]月日 in digits of any width or Chinese numerals, 2024-03-15, 2024/3/15, 2024.3.15, March
// 15th, 1203, 15 Mar, and mere counts as Day 3 or 第三天. [ParseClock] reads times such as
// 20:15, 8点半 or 晚上8时20分. What cannot be read is no error: the caller lets time stand still.
//
// Everything here is a pure function of its arguments, safe for concurrent use; texts of more
// than 120 bytes are not read as dates.
package calendar
