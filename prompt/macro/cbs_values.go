package macro

import (
	"strings"

	values "github.com/talewright/talewright/memvars/tree"
)

// variable returns a variable of the chat.
func (e *cbsRun) variable(name string) string {
	text, ok := e.run.vars.plain(name)
	if !ok {
		text, ok = e.run.env.CBS.Defaults[name]
	}
	return e.valueOrNull(text, ok)
}

// global returns a variable of all chats.
func (e *cbsRun) global(name string) string {
	return e.valueOrNull(e.run.globals.plain(name))
}

// valueOrNull returns the text of a variable that exists, within the limit of the run.
func (e *cbsRun) valueOrNull(text string, exists bool) string {
	if !exists || !e.run.spend(len(text)) {
		return cbsNull
	}
	return text
}

// plain returns the value of a variable as a text, without the numbers of [store.Show].
func (s *store) plain(name string) (string, bool) {
	s.touch(name, false)
	if _, ok := s.values[name]; !ok {
		return "", false
	}
	return s.text(name, s.value(name)), true
}

// cbsList reads a list: JSON, or texts with § between them.
func cbsList(text string) (items []string) {
	if list, ok := cbsValues(text); ok {
		for _, v := range list {
			items = append(items, cbsElementText(v))
		}
		return items
	}
	return strings.Split(text, "§")
}

// cbsValues reads a list of JSON.
func cbsValues(text string) (list []values.Value, ok bool) {
	if !strings.HasPrefix(trimLeft(text), "[") {
		return nil, false
	}
	v, err := values.ParseValue([]byte(text))
	if err != nil || !v.IsArray() {
		return nil, false
	}
	for _, element := range v.Elements() {
		list = append(list, element)
	}
	return list, true
}

// elements reads the list of the first argument.
func (c *cbsMacro) elements() []values.Value {
	if list, ok := cbsValues(c.arg(0)); ok {
		return list
	}
	return cbsTexts(strings.Split(c.arg(0), "§"))
}

func cbsTexts(items []string) []values.Value {
	list := make([]values.Value, len(items))
	for i, item := range items {
		list[i] = values.Text(item)
	}
	return list
}

// cbsElementText returns an element as a text.
func cbsElementText(v values.Value) string {
	if text, ok := v.AsText(); ok {
		return text
	}
	return v.String()
}

func cbsArray(list []values.Value) string { return values.Array(list...).String() }

// cbsObject reads an object of JSON.
func cbsObject(text string) (values.Value, bool) {
	if !strings.HasPrefix(trimLeft(text), "{") {
		return values.Value{}, false
	}
	v, err := values.ParseValue([]byte(text))
	return v, err == nil && v.IsObject()
}

// allItems returns the arguments, or the elements of the only one.
func (c *cbsMacro) allItems() []string {
	if len(c.args) == 1 {
		return cbsList(c.args[0])
	}
	return c.args
}

// cbsNull is the value of a variable that does not exist, and of a missing element.
const cbsNull = "null"
