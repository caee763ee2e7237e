package imports

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/script"
)

// codeScriptsRun is the code of the problem that lists what the regex scripts of a file change.
const codeScriptsRun talewright.Code = "card_regex"

// addScripts adds the regex scripts of a card or a preset to the content, allowed or denied. The
// argument member is the list in the extensions of the file, and part is its path.
func (s *Start) addScripts(source script.Source, owner, part string, member json.RawMessage) {
	if len(member) == 0 || string(member) == "null" {
		return
	}
	list, found := script.Parse(member)
	for i := range found { // an unreadable list only loses the scripts
		found[i].Severity = min(found[i].Severity, talewright.Error)
	}
	s.addProblems(part, found)
	if len(list) == 0 {
		return
	}
	s.addScriptList(source, owner, part, list)
}

// addScriptList adds regex scripts to the content, allowed or denied.
func (s *Start) addScriptList(source script.Source, owner, part string, list []script.Script) {
	scripts := script.List{Source: source, Owner: owner, Scripts: list}
	scripts.Denied = !s.allows(scripts)
	if text := changes(list); text != "" && !scripts.Denied {
		s.warn(part, owner, codeScriptsRun, text)
	}
	s.Content.Prompt.Scripts = append(s.Content.Prompt.Scripts, scripts)
}

// regexAnswers is the key of the setting with the answers of Options.Regex: true or false by the
// hashes of lists of scripts.
const regexAnswers = "imports.regex_scripts"

// storeAnswers puts the answers into the setup, and registers their setting.
func (s *Start) storeAnswers() {
	if !s.answers.Exists() {
		return
	}
	s.Content.Extensions.Settings = append(s.Content.Extensions.Settings, setting.Definition{
		Key: regexAnswers, Type: setting.JSON, Default: tree.Object(), EffectTags: []string{"storage"},
		Validation: setting.Validation{Text: "an object from hashes of regex scripts to true or false"}})
	if s.Setup.Settings == nil {
		s.Setup.Settings = setting.Snapshot{}
	}
	s.Setup.Settings[regexAnswers] = s.answers
}

// allows returns the stored answer for a list of scripts. Without one it calls Options.Regex, and stores
// the answer.
func (s *Start) allows(scripts script.List) bool {
	text, _ := json.Marshal(scripts) // they were read from JSON
	hash := fmt.Sprintf("%x", sha256.Sum256(text))
	if answer, ok := s.answers.Get(hash).AsBool(); ok || s.regex == nil {
		return answer || !ok
	}
	answer := s.regex(scripts)
	if !s.answers.IsObject() {
		s.answers = tree.Object()
	}
	s.answers = s.answers.With(hash, tree.Bool(answer))
	return answer
}

var (
	htmlTag = regexp.MustCompile(`<[A-Za-z!][^<]*>`)
	program = regexp.MustCompile(`(?i)<script\b|\bon[a-z]+\s*=|javascript:`)
)

// changes describes what the scripts of a list change, or returns "" if all are switched off.
func changes(list []script.Script) string {
	var off, stored, prompts, shown, html, programs int
	for _, x := range list {
		switch {
		case x.Disabled:
			off++
			continue
		case !x.Prompt && !x.Display:
			stored++
		}
		if x.Prompt {
			prompts++
		}
		if x.Display {
			shown++
		}
		if !x.Prompt || x.Display {
			if htmlTag.MatchString(x.Replace) {
				html++
			}
			if program.MatchString(x.Replace) {
				programs++
			}
		}
	}
	if off == len(list) {
		return ""
	}
	var what []string
	add := func(n int, text string) {
		if n > 0 {
			what = append(what, fmt.Sprintf("%d %s", n, text))
		}
	}
	add(stored, "change the text that is stored")
	add(prompts, "change the prompt")
	add(shown, "change what is shown")
	add(off, "are switched off")
	text := fmt.Sprintf("%d regex scripts run: %s", len(list)-off, strings.Join(what, ", "))
	if html > 0 {
		text += fmt.Sprintf("; %d write HTML, %d with JavaScript: clean it before you show it", html, programs)
	}
	return text
}
