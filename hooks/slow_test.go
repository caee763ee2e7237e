package hooks_test

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file implements the condition language and the event patterns a second time, as simply as
// possible and on values of encoding/json. It compiles nothing and shares nothing with the package.
// Property tests compare the two.

// slowScene is the input of slow conditions. A nil value is missing.
type slowScene struct {
	event        map[string]any
	state        map[string]any
	relationship map[string]any
	vars         map[string]any
	registered   []string
	now          time.Time
}

// decodeSlow reads JSON and keeps numbers as written.
func decodeSlow(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

// holds decides a conditions object, one key after the other.
func (s slowScene) holds(conditions any, or bool) bool {
	object, ok := conditions.(map[string]any)
	if !ok {
		return false
	}
	yes := 0
	for key, want := range object {
		if s.key(key, want) {
			yes++
		}
	}
	return len(object) == 0 || yes == len(object) || or && yes > 0
}

func (s slowScene) key(key string, want any) bool {
	switch key {
	case "character_id", "user_id", "group_id", "conversation_id":
		return oneOf(want, s.event[key])
	case "event_source":
		return oneOf(want, s.event["source"])
	case "channel":
		return oneOf(want, s.channel())
	case "event_type":
		return slices.ContainsFunc(slowTexts(want), func(p string) bool {
			return slowMatchEvent(p, s.event["type"].(string))
		})
	case "mood_is":
		mood, known := s.field("mood").(string)
		return known && slices.Contains(slowTexts(want), mood)
	case "mood_is_not":
		mood, known := s.field("mood").(string)
		texts := slowTexts(want)
		return known && texts != nil && !slices.Contains(texts, mood)
	case "time_range":
		return s.inRange(want)
	case "all", "any", "not":
		return s.nested(key, want)
	}
	if root, path, dotted := strings.Cut(key, "."); dotted {
		return s.path(root, strings.Split(path, "."), want)
	}
	return s.comparison(key, want)
}

func (s slowScene) nested(key string, want any) bool {
	if key == "not" {
		_, isObject := want.(map[string]any)
		return isObject && !s.holds(want, false)
	}
	list, isList := want.([]any)
	yes := 0
	for _, conditions := range list {
		if s.holds(conditions, false) {
			yes++
		}
	}
	return isList && (key == "all" && yes == len(list) || key == "any" && yes > 0)
}

// comparison decides <field>_gte and similar keys.
func (s slowScene) comparison(key string, want any) bool {
	cut := strings.LastIndex(key, "_")
	if cut <= 0 {
		return false
	}
	field, op := key[:cut], key[cut+1:]
	standard := []string{"affection", "trust", "familiarity", "dependency", "security", "jealousy",
		"energy", "mood_intensity"}
	if !slices.Contains(standard, field) && !slices.Contains(s.registered, field) {
		return false
	}
	return slowOrder(op, s.field(field), want)
}

// field reads a bare name: live values first, and no nulls.
func (s slowScene) field(name string) any {
	if slices.Contains([]string{"affection", "trust", "familiarity", "dependency", "security",
		"jealousy"}, name) && s.relationship[name] != nil {
		return s.relationship[name]
	}
	if s.state[name] != nil {
		return s.state[name]
	}
	return s.vars[name]
}

func (s slowScene) channel() any {
	payload, _ := s.event["payload"].(map[string]any)
	if c, isText := payload["channel"].(string); isText && c != "" {
		return c
	}
	metadata, _ := s.event["metadata"].(map[string]any)
	return metadata["channel"]
}

// path decides a key such as payload.a.b.
func (s slowScene) path(root string, keys []string, want any) bool {
	roots := map[string]any{"payload": s.event["payload"], "metadata": s.event["metadata"],
		"vars": s.vars, "state": s.state, "relationship": s.relationship}
	got, known := roots[root]
	if !known || slices.Contains(keys, "") {
		return false
	}
	exists := true
	for _, k := range keys {
		object, _ := got.(map[string]any)
		got, exists = object[k]
	}
	switch want := want.(type) {
	case []any:
		return false
	case map[string]any:
		yes := 0
		for op, arg := range want {
			if slowOperator(op, got, exists, arg) {
				yes++
			}
		}
		return len(want) > 0 && yes == len(want)
	}
	return exists && slowEqual(got, want)
}

func slowOperator(op string, got any, exists bool, arg any) bool {
	list, isList := arg.([]any)
	in := slices.ContainsFunc(list, func(e any) bool { return slowEqual(got, e) })
	switch op {
	case "eq":
		return exists && slowEqual(got, arg)
	case "ne":
		return exists && !slowEqual(got, arg)
	case "in":
		return exists && in
	case "nin":
		return exists && isList && !in
	case "exists":
		want, isBool := arg.(bool)
		return isBool && want == exists
	case "contains":
		if text, isText := got.(string); isText {
			part, isText := arg.(string)
			return isText && strings.Contains(text, part)
		}
		list, _ := got.([]any)
		return slices.ContainsFunc(list, func(e any) bool { return slowEqual(e, arg) })
	}
	return slowOrder(op, got, arg)
}

func slowOrder(op string, got, want any) bool {
	a, b := slowNumber(got), slowNumber(want)
	if a == nil || b == nil {
		return false
	}
	switch c := a.Cmp(b); op {
	case "gt":
		return c > 0
	case "gte":
		return c >= 0
	case "lt":
		return c < 0
	case "lte":
		return c <= 0
	}
	return false
}

var plainDecimal = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// slowNumber reads a number or a plain decimal text, nil for anything else.
func slowNumber(v any) *big.Rat {
	text := ""
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		if plainDecimal.MatchString(v) {
			text = v
		}
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return nil // not a number, or out of range
	}
	r, _ := new(big.Rat).SetString(text)
	return r
}

func slowEqual(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		n, isNumber := b.(json.Number)
		x, _ := new(big.Rat).SetString(a.String())
		y, _ := new(big.Rat).SetString(n.String())
		return isNumber && x.Cmp(y) == 0
	case []any:
		list, isList := b.([]any)
		return isList && slices.EqualFunc(a, list, slowEqual)
	case map[string]any:
		object, isObject := b.(map[string]any)
		for k, v := range a {
			if w, has := object[k]; !has || !slowEqual(v, w) {
				return false
			}
		}
		return isObject && len(a) == len(object)
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	return a == b
}

// slowTexts reads a text or a list of texts, nil for anything else.
func slowTexts(want any) []string {
	if s, isText := want.(string); isText {
		return []string{s}
	}
	list, isList := want.([]any)
	out := []string{}
	for _, e := range list {
		s, isText := e.(string)
		if !isText {
			return nil
		}
		out = append(out, s)
	}
	if !isList {
		return nil
	}
	return out
}

func oneOf(want, got any) bool {
	text, _ := got.(string)
	return text != "" && slices.Contains(slowTexts(want), text)
}

var clockTime = regexp.MustCompile(`^([0-9]{1,2}):([0-9]{1,2})$`)

// inRange walks from the first minute to the last, over midnight if necessary.
func (s slowScene) inRange(want any) bool {
	list, _ := want.([]any)
	if len(list) != 2 || s.now.IsZero() {
		return false
	}
	var ends [2]int
	for i, e := range list {
		text, _ := e.(string)
		m := clockTime.FindStringSubmatch(text)
		if m == nil {
			return false
		}
		hour, _ := strconv.Atoi(m[1])
		minute, _ := strconv.Atoi(m[2])
		if hour > 24 || minute > 59 || hour == 24 && minute > 0 {
			return false
		}
		ends[i] = hour*60 + minute
	}
	for minute := ends[0]; ; minute++ {
		if minute > 24*60 {
			minute = 0
		}
		if minute == s.now.Hour()*60+s.now.Minute() {
			return true
		}
		if minute == ends[1] {
			return false
		}
	}
}

// slowAliases lists the events with several names.
var slowAliases = [][]string{
	{"character.before_turn.started", "character.turn.before"},
	{"character.after_profile_load", "character.before_turn.after_profile_load"},
	{"character.after_memory_retrieve", "character.before_turn.after_memory_retrieve",
		"character.memory.recalled"},
	{"character.after_world_book_match", "character.before_turn.after_world_book_match"},
	{"character.after_reaction_plan", "character.before_turn.after_reaction_plan"},
	{"prompt.before_render", "pipeline.before_prompt_render"},
	{"prompt.after_render", "pipeline.after_prompt_render"},
	{"model.before_call", "pipeline.before_model_call"},
	{"model.after_call", "pipeline.after_model_call", "character.model.generated"},
	{"model.on_stream_chunk", "pipeline.stream_chunk"},
	{"reply.before_send", "pipeline.before_reply_send"},
	{"reply.after_send", "pipeline.after_reply_send"},
	{"character.after_state_update", "character.after_turn.after_state_update"},
	{"character.after_turn.finished", "character.turn.after"},
	{"memory.after_extract", "character.memory.written"},
	{"state.changed", "character.state.changed"},
	{"relationship.changed", "character.relationship.changed"},
}

// slowMatchEvent tries the pattern against every name of the event.
func slowMatchEvent(pattern, event string) bool {
	names := []string{event}
	for _, row := range slowAliases {
		if slices.Contains(row, event) {
			names = row
		}
	}
	return slices.ContainsFunc(names, func(n string) bool { return slowMatch(pattern, n) })
}

// slowMatch is the rule for one name, as written in the documentation.
func slowMatch(pattern, event string) bool {
	if pattern == "" {
		return false
	}
	p, e := strings.Split(pattern, "."), strings.Split(event, ".")
	if p[len(p)-1] == "*" {
		if p = p[:len(p)-1]; len(e) <= len(p) {
			return false
		}
		e = e[:len(p)]
	}
	if len(p) != len(e) {
		return false
	}
	for i := range p {
		if p[i] != "*" && p[i] != e[i] {
			return false
		}
	}
	return true
}
