package modeltext

import (
	"encoding/json"
	"maps"
	"regexp"
	"strings"
)

// maxDepth is the greatest depth of nested frames.
const maxDepth = 3

// readFrame reads the body of a frame. rest is the text after the calls. ok reports whether the
// body could be read.
func readFrame(kind, body string, depth int) (calls []Call, rest string, ok bool) {
	if strings.Contains(kind, "result") || strings.Contains(kind, "response") || strings.Contains(kind, "output") {
		_, rest, _ = readValue(separators.ReplaceAllString(body, ""))
		return nil, rest, true
	}
	for {
		next := body[len(separators.FindString(body)):]
		if next == "" {
			return calls, "", true
		}
		list, after, ok := readOne(next, depth)
		if !ok {
			return calls, body, len(calls) > 0
		}
		calls, body = append(calls, list...), after
	}
}

// separators match the text between calls: blanks, commas, semicolons, fence lines.
var separators = regexp.MustCompile("^(?:[\\s,;]|```[a-z_]*|<\\|plugin\\|>)+")

// readOne reads the beginning of a body: JSON, a frame, XML, or a name with arguments.
func readOne(body string, depth int) (calls []Call, rest string, ok bool) {
	if m, found := markAt(body, false); found {
		kind := m.name
		if kind == "function" || kind == "invoke" {
			return readTag(kind, body)
		}
		if depth == maxDepth {
			return nil, body, false
		}
		end, next, closed := findEnd(kind, body, m.to)
		if !closed {
			return readFrame(kind, body[m.to:], depth+1)
		}
		calls, _, ok = readFrame(kind, body[m.to:end], depth+1)
		return calls, body[next:], ok
	}
	if list, rest, ok := readPythonList(body); ok {
		return list, rest, true
	}
	if body[0] == '{' || body[0] == '[' {
		value, rest, ok := readValue(body)
		if !ok {
			return nil, body, false
		}
		calls, ok = callsOf(value)
		return calls, rest, ok
	}
	return readNamed(body)
}

// readValue reads the JSON value at the beginning of a text, and repairs it if necessary.
func readValue(text string) (value json.RawMessage, rest string, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if d.Decode(&value) == nil {
		return value, text[d.InputOffset():], true
	}
	inFence, _, fenced := strings.Cut(text, "```")
	for _, source := range []string{text, inFence} {
		if mended, end, _ := First(source); json.Valid([]byte(mended)) {
			return json.RawMessage(mended), text[end:], true
		}
		if !fenced {
			break
		}
	}
	return nil, text, false
}

// callsOf reads a call or a list of calls.
func callsOf(value json.RawMessage) (calls []Call, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		list = []json.RawMessage{value}
	}
	for _, one := range list {
		c, ok := callOf(one)
		if !ok {
			return nil, false
		}
		calls = append(calls, c)
	}
	return calls, true
}

// callOf reads a call with the member names of different model families.
func callOf(value json.RawMessage) (Call, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return Call{}, false
	}
	var inner map[string]json.RawMessage
	if json.Unmarshal(members["function"], &inner) == nil {
		maps.Copy(members, inner)
	}
	c := Call{Name: firstText(members, "name", "tool", "tool_name", "function"), ID: firstText(members, "id", "call_id", "tool_call_id")}
	c.Arguments = "{}"
	for _, key := range []string{"arguments", "parameters", "args", "input"} {
		if v := members[key]; len(v) > 0 && string(v) != "null" {
			var text string
			if c.Arguments = string(v); json.Unmarshal(v, &text) == nil {
				c.Arguments = text // JSON in a text, as in the protocol of OpenAI
			}
			break
		}
	}
	return c, c.Name != ""
}

// firstText returns the first member that is a non-empty text.
func firstText(members map[string]json.RawMessage, keys ...string) (text string) {
	for _, key := range keys {
		if json.Unmarshal(members[key], &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

var (
	tagHead      = regexp.MustCompile(`(?i)^<` + dsml + `(?:function|invoke)(?:=|\s{1,8}name\s{0,8}=)\s*["']?([^\s"'<>]{1,128})["']?[^<>]{0,200}>`)
	tagParameter = regexp.MustCompile(`(?is)<` + dsml + `parameter(?:=|\s{1,8}name\s{0,8}=)\s*["']?([^\s"'<>]{1,128})["']?([^<>]{0,200})>(.*?)</` + dsml + `parameter\s*>`)
	argPair      = regexp.MustCompile(`(?s)<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>`)
	// named matches a name before its arguments; Kimi adds a number to it, Mistral an id.
	named = regexp.MustCompile(`^(?:function\s*<｜tool▁sep｜>)?\s*(?:functions\.)?([\p{L}_][\p{L}\p{N}_.-]{0,127})(?::\d+)?\s*` +
		"(?:\\[CALL_ID\\]\\s*([\\w-]{1,64}))?\\s*(?:\\[ARGS\\]|<\\|tool_call_argument_begin\\|>|<｜tool▁sep｜>)?\\s*(?:```[a-z]*)?\\s*")
)

// readTag reads <function=name>…</function> and <invoke name="name">…</invoke>.
func readTag(kind, body string) (calls []Call, rest string, ok bool) {
	head := tagHead.FindStringSubmatchIndex(body)
	if head == nil {
		return nil, body, false
	}
	inner, closed := body[head[1]:], false
	if end, next, found := findEnd(kind, body, head[1]); found {
		inner, rest, closed = body[head[1]:end], body[next:], true
	}
	c := Call{Name: body[head[2]:head[3]]}
	var after string
	switch text := inner[len(separators.FindString(inner)):]; {
	case text == "":
		c.Arguments = "{}"
	case text[0] == '{':
		var value json.RawMessage
		if value, after, ok = readValue(text); !ok {
			return nil, body, false
		}
		c.Arguments = string(value)
	default:
		all := tagParameter.FindAllStringSubmatchIndex(inner, -1)
		if all == nil {
			return nil, body, false
		}
		var o object
		for _, m := range all {
			isText := strings.Contains(strings.ToLower(inner[m[4]:m[5]]), `string="true"`)
			o.add(inner[m[2]:m[3]], inner[m[6]:m[7]], isText)
		}
		c.Arguments, after = o.String(), inner[all[len(all)-1][1]:]
	}
	if !closed {
		rest = after
	}
	return []Call{c}, rest, true
}

// readNamed reads a name and its arguments: JSON, or keys and values.
func readNamed(body string) (calls []Call, rest string, ok bool) {
	loc := named.FindStringSubmatchIndex(body)
	if loc == nil {
		return nil, body, false
	}
	c := Call{Name: body[loc[2]:loc[3]]}
	if loc[4] >= 0 {
		c.ID = body[loc[4]:loc[5]]
	}
	switch args := body[loc[1]:]; {
	case strings.HasPrefix(args, "{"):
		value, rest, ok := readValue(args)
		c.Arguments = string(value)
		return []Call{c}, rest, ok
	case strings.HasPrefix(args, "<arg_key>"):
		var o object
		end := 0
		for _, m := range argPair.FindAllStringSubmatchIndex(args, -1) {
			o.add(strings.TrimSpace(args[m[2]:m[3]]), args[m[4]:m[5]], false)
			end = m[1]
		}
		c.Arguments = o.String()
		return []Call{c}, args[end:], end > 0
	}
	return nil, body, false
}

// object builds the members of a JSON object.
type object struct{ strings.Builder }

// add adds a member. A text that is JSON, but not a JSON string, is added unquoted, unless isText
// is set.
func (o *object) add(key, text string, isText bool) {
	value := strings.TrimSpace(text)
	if isText || value == "" || value[0] == '"' || !json.Valid([]byte(value)) {
		value = quoted(strings.Trim(text, "\r\n"))
	}
	o.WriteString(map[bool]string{true: "{", false: ","}[o.Len() == 0] + quoted(key) + ":" + value)
}

// String returns the object.
func (o *object) String() string {
	if o.Len() == 0 {
		return "{}"
	}
	return o.Builder.String() + "}"
}

func quoted(text string) string {
	data, _ := json.Marshal(text) // a text can always be encoded
	return string(data)
}

var pythonName = regexp.MustCompile(`^(?:print\()?\s*([A-Za-z_][\w.]{0,127})\(\s*`)

// PythonCalls reads a text that is a list of calls in Python notation, [name(key=value)], without a
// frame. Llama 4 and the small Llama 3.2 models answer in this form.
func PythonCalls(text string) (calls []Call, ok bool) {
	if !strings.HasPrefix(text, "[") {
		return nil, false
	}
	calls, rest, ok := readPythonList(text)
	return calls, ok && strings.TrimSpace(rest) == ""
}

// readPythonList reads calls in Python notation: name(key=value), alone or in a list.
func readPythonList(body string) (calls []Call, rest string, ok bool) {
	text, inList := strings.CutPrefix(body, "[")
	for {
		text = strings.TrimLeft(text, " \t\r\n,")
		if inList && strings.HasPrefix(text, "]") && len(calls) > 0 {
			return calls, text[1:], true
		}
		c, after, ok := readPython(text)
		if !ok {
			return nil, body, false
		}
		calls, text = append(calls, c), after
		if !inList {
			return calls, text, true
		}
	}
}

// readPython reads one call. Arguments without a key are ignored.
func readPython(text string) (c Call, rest string, ok bool) {
	loc := pythonName.FindStringSubmatchIndex(text)
	if loc == nil {
		return c, text, false
	}
	c.Name = strings.TrimSuffix(text[loc[2]:loc[3]], ".call")
	text = text[loc[1]:]
	var o object
	for !strings.HasPrefix(text, ")") {
		key, after, found := strings.Cut(text[:min(len(text), maxMark)], "=")
		if key = strings.TrimSpace(key); !found || !pythonKey.MatchString(key) {
			return c, text, false
		}
		after = text[len(text[:min(len(text), maxMark)])-len(after):]
		end := pythonValue(after)
		value, _, _ := First("[" + after[:end] + "]")
		if value = strings.TrimSpace(value); len(value) < 3 || !json.Valid([]byte(value)) {
			return c, text, false
		}
		o.WriteString(map[bool]string{true: "{", false: ","}[o.Len() == 0] + quoted(key) + ":" + value[1:len(value)-1])
		if text = after[end:]; text == "" {
			return c, text, false
		}
		text = strings.TrimLeft(strings.TrimPrefix(text, ","), " \t\r\n")
	}
	c.Arguments = o.String()
	rest = text[1:]
	if strings.HasPrefix(text, "))") { // the end of print(…)
		rest = text[2:]
	}
	return c, rest, true
}

var pythonKey = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// pythonValue returns the end of a value: a comma, or a bracket that closes an outer bracket.
func pythonValue(text string) int {
	depth := 0
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case depth == 0 && (c == ',' || c == ')'):
			return i
		case c == ')' || c == ']' || c == '}':
			depth--
		}
	}
	return len(text)
}
