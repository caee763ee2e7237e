package format

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/worldbook"
)

// This file reads the books of two extensions of AstrBot, which are YAML files.
//
// The extension worldbook has a list. An entry becomes a world book entry as follows. All other
// members have the values of a new entry in the editor:
//
//	keywords      keys, in parts of words too; one with signs of a regex is a regex
//	name          comment, and the key of an entry without keywords
//	content       content
//	priority      order: the smallest is the first text
//	probability   probability, from 0 to 1
//	enabled       not disabled
//	template      constant, if it is resident
//
// The extension lorebook_lite has a list named trigger:
//
//	match         keys, separated by commas; keys after ~ exclude the entry. With the type regex
//	              it is one regex
//	name          comment
//	content       content, without commands such as {var::get(x)}
//	priority      order
//	probability   probability, from 0 to 1
//	position      before the character if it is sys_start, else after it
//
// Everything else has no effect and is reported: times and durations in seconds, users and groups,
// commands, and variables.

func astrbotParse(src *source) (worldbook.Book, error) {
	file := src.Object()
	path, list, convert := "", src.Text, astrbotEntry
	if file != nil {
		if path, list, convert = "trigger", file["trigger"], astrbotTrigger; !loreGiven(list) {
			return worldbook.Book{}, errors.New("neither a list of entries nor trigger")
		}
	}
	err := src.Each(path, list, func(e loreItem) members { return convert(src, e) })
	return src.finish(err, "", file, path)
}

// astrbotMembers returns the members that both extensions have.
func astrbotMembers(src *source, e loreItem) members {
	out := loreDefault(e.Index)
	out.setTitle(e.take("name"))
	out["matchWholeWords"] = false
	out["order"] = or(e.take("priority"), 100)
	out["disable"] = off(e.take("enabled"))
	if raw := e.take("probability"); loreGiven(raw) {
		var share float64
		if json.Unmarshal(raw, &share) != nil {
			src.Add(badType, e.Path+".probability", "must be a number from 0 to 1: read as 1")
			share = 1
		}
		out["probability"] = 100 * share
	}
	return out
}

func astrbotEntry(src *source, e loreItem) members {
	name := loreText(e.object["name"])
	out := astrbotMembers(src, e)
	keys := src.Texts(e, "keywords")
	if len(keys) == 0 && name != "" {
		keys = []string{name}
	}
	for i, key := range keys {
		if strings.ContainsAny(key, `^$.*+?()[]{}|\`) {
			keys[i] = patternKey(src, e.Path+".keywords", key)
		}
	}
	out["key"], out["content"] = keys, src.TextOf(e, "content")
	switch template := loreText(e.object["template"]); template {
	case "default", "resident":
		out["constant"] = template == "resident"
		e.take("template")
	}
	return out
}

func astrbotTrigger(src *source, e loreItem) members {
	out := astrbotMembers(src, e)
	kind := loreText(e.object["type"])
	acts := kind == "" || kind == "keyword" || kind == "keywords" || kind == "regex"
	switch {
	case !acts:
		out["disable"] = true // its keys mean something else: they and the type are reported
	case kind == "regex":
		out["key"] = []string{patternKey(src, e.Path+".match", src.TextOf(e, "match"))}
	default:
		wanted, unwanted, _ := strings.Cut(src.TextOf(e, "match"), "~")
		out["key"] = notBlank(strings.Split(wanted, ","))
		if not := notBlank(strings.FieldsFunc(unwanted, func(r rune) bool { return r == ',' || r == '~' })); len(not) > 0 {
			out["keysecondary"], out["selective"], out["selectiveLogic"] = not, true, int(worldbook.NotAny)
		}
	}
	if acts {
		e.take("type")
	}
	content, cut := withoutCommands(src.TextOf(e, "content"))
	if out["content"] = content; cut > 0 {
		src.Add(notCarried, e.Path+".content", "has commands such as {var::get(x)}, which are not played: they are left out of the text")
	}
	if loreText(e.take("position")) != "sys_start" {
		out["position"] = int(worldbook.PositionAfterCharacter)
	}
	return out
}

// patternKey returns a regex as a key /…/. A text that is not a regex stays a plain key.
func patternKey(src *source, path, body string) string {
	key := "/" + slashes.Replace(body) + "/"
	if _, _, ok := jsregex.SplitKey(key); !ok || !isPattern(key) {
		src.Add(badPattern, path, "is not a regular expression of JavaScript: it is searched as plain text")
		return body
	}
	return key
}

// slashes escapes the slashes of a regex that are not escaped.
var slashes = strings.NewReplacer(`\\`, `\\`, `\/`, `\/`, `/`, `\/`)

// withoutCommands removes the commands {name::…} from a text, with the commands in them. It returns
// the number of the outermost ones. A command without an end stays.
func withoutCommands(text string) (out string, cut int) {
	if !strings.Contains(text, "::") {
		return text, 0
	}
	var open []int // the offsets of opening braces
	var ends []int // of the commands that end at a place, in order: from, to
	for i := range len(text) {
		switch text[i] {
		case '{':
			open = append(open, i)
		case '}':
			if len(open) == 0 {
				continue
			}
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if !isCommand(text[from+1 : i]) {
				continue
			}
			for len(ends) > 0 && ends[len(ends)-2] > from { // it is in this one
				ends = ends[:len(ends)-2]
			}
			ends = append(ends, from, i+1)
		}
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(ends); i += 2 {
		b.WriteString(text[at:ends[i]])
		at = ends[i+1]
	}
	b.WriteString(text[at:])
	return b.String(), len(ends) / 2
}

// isCommand reports whether the inner text of a pair of braces is a command: letters and ::.
func isCommand(inner string) bool {
	name := 0
	for name < len(inner) && (inner[name] >= 'a' && inner[name] <= 'z' || inner[name] == '_') {
		name++
	}
	return name > 0 && strings.HasPrefix(inner[name:], "::")
}
