package mvu

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Schema is a schema of the library zod that [ReadZod] has read: it checks variables, converts and
// clamps them, and completes them with defaults. It is immutable and safe for concurrent use if the
// functions are.
type Schema struct {
	root  zod
	named map[string]zod // the members of the root
}

// Parse returns the variables as the schema makes them. Members of the root that the schema does
// not name are kept. If the variables do not fit, the error says where and why.
func (s *Schema) Parse(v tree.Value) (tree.Value, error) { return s.after(v, v) }

// after is Parse for a command. If the schema makes a new root, members that it does not name keep
// the value that they have in before.
func (s *Schema) after(before, v tree.Value) (tree.Value, error) {
	p := &zodRun{left: maxZodSteps}
	out, err := p.parse(s.root, v)
	if p.left < 0 {
		return v, refuse("the schema takes more than %d steps for the data", maxZodSteps)
	}
	if err != nil {
		return v, err
	}
	if !out.IsObject() {
		return v, refuse("the root is not an object")
	}
	for _, m := range missingMembers(before, out) {
		if s.named[m.Key] == nil {
			out = out.With(m.Key, m.Value)
		}
	}
	return out, nil
}

// zodRun bounds the work of one Parse. Schemas in schemas multiply the members that defaults and
// records make.
type zodRun struct{ left, depth int }

// The limits of one Parse: steps and nesting. A step is a value in a node of the schema. A function
// of the schema costs functionSteps, and a default the number of its parts.
const (
	maxZodSteps   = 1 << 20
	maxParseDepth = 1000
	functionSteps = 32
)

// spend counts steps. It fails after the last one, and the whole Parse with it.
func (p *zodRun) spend(steps int) *refusal {
	if p.left -= steps; p.left < 0 || p.depth > maxParseDepth {
		p.left = -1
		return refuse("the schema takes too many steps")
	}
	return nil
}

// parse parses a value with a node.
func (p *zodRun) parse(z zod, v tree.Value) (tree.Value, *refusal) {
	p.depth++
	defer func() { p.depth-- }()
	if no := p.spend(1); no != nil {
		return v, no
	}
	return z.parse(p, v)
}

// missingMembers returns the members of v that w lacks.
func missingMembers(v, w tree.Value) []tree.Member {
	var out []tree.Member
	for key, child := range v.Members() {
		if !w.Get(key).Exists() {
			out = append(out, tree.Member{Key: key, Value: child})
		}
	}
	return out
}

// refusal says why a value does not fit a schema, and where.
type refusal struct {
	path tree.Path // from the value to the place
	text string
}

// Error returns the path and the reason.
func (r *refusal) Error() string {
	if len(r.path) == 0 {
		return r.text
	}
	return r.path.String() + ": " + r.text
}

// refuse returns a refusal at the value itself.
func refuse(format string, args ...any) *refusal {
	return &refusal{text: fmt.Sprintf(format, args...)}
}

// within turns the refusal of a member into a refusal of its container.
func (r *refusal) within(key string) *refusal {
	r.path = append(tree.Path{key}, r.path...)
	return r
}

// zod is a node of a schema. An absent value is undefined, for both the argument and the result.
type zod interface {
	parse(p *zodRun, v tree.Value) (tree.Value, *refusal)
	absence() absence
}

// absence says what a schema does with a member that its object does not have. A larger value takes
// precedence in a union.
type absence uint8

const (
	refused  absence = iota // also by any, unknown and coercions, which take undefined
	allowed                 // the member stays absent, or a function sees undefined
	replaced                // a default takes its place
)

// zodType is a value of one type.
type zodType struct {
	name   string // string, number, boolean, null, undefined, any
	coerce bool
}

// zodLazy is a schema that contains itself.
type zodLazy struct{ inner zod }

func (z *zodLazy) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) { return p.parse(z.inner, v) }

func (z *zodLazy) absence() absence { return refused }

// zodCheck tests or changes a value in the order of the chain.
type zodCheck func(p *zodRun, v tree.Value) (tree.Value, *refusal)

func (z *zodType) absence() absence { return refused }

func (z *zodType) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if z.coerce {
		v = z.coerced(v)
	}
	if !z.fits(v) {
		return v, refuse("expected %s, found %s", z.name, describeValue(v))
	}
	return v, nil
}

// fits reports whether a value has the type.
func (z *zodType) fits(v tree.Value) bool {
	switch z.name {
	case "string":
		return v.Kind() == tree.KindText
	case "number":
		return v.Kind() == tree.KindNumber
	case "boolean":
		return v.Kind() == tree.KindBool
	case "null":
		return v.IsNull()
	case "undefined":
		return !v.Exists()
	}
	return z.name == "any"
}

// coerced converts as String, Number and Boolean of JavaScript do. A number that is NaN is absent.
func (z *zodType) coerced(v tree.Value) tree.Value {
	switch {
	case z.name == "string" && v.Kind() != tree.KindText:
		return tree.Text(scriptString(v))
	case z.name == "number" && v.Kind() != tree.KindNumber:
		return scriptNumberOf(v)
	case z.name == "boolean" && v.Kind() != tree.KindBool:
		return tree.Bool(truth(v))
	}
	return v
}

// describeValue describes a value for a refusal.
func describeValue(v tree.Value) string {
	if !v.Exists() {
		return "nothing"
	}
	if s, ok := v.AsText(); ok && len(s) > 60 {
		v = tree.Text(strings.ToValidUTF8(s[:60], ""))
	}
	if v.Size(largeValue) == largeValue { // writing it would cost its size at each refusal
		if v.IsArray() {
			return fmt.Sprintf("a list of %d elements", v.Len())
		}
		return fmt.Sprintf("an object of %d members", v.Len())
	}
	text := v.String()
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}

// largeValue is the number of nodes from which a refusal only counts the parts of a value.
const largeValue = 64

// scriptString is JavaScript's String.
func scriptString(v tree.Value) string {
	switch v.Kind() {
	case tree.Absent:
		return "undefined"
	case tree.KindText:
		text, _ := v.AsText()
		return text
	case tree.KindNumber:
		n, _ := v.AsFloat()
		return openjson.FormatNumber(n)
	case tree.KindArray:
		parts := make([]string, v.Len())
		for i, e := range v.Elements() {
			if !e.IsNull() {
				parts[i] = scriptString(e)
			}
		}
		return strings.Join(parts, ",")
	case tree.KindObject:
		return "[object Object]"
	}
	return v.String()
}

// scriptNumberOf is JavaScript's Number; NaN and infinities are absent.
func scriptNumberOf(v tree.Value) tree.Value {
	switch v.Kind() {
	case tree.KindNumber:
		return v
	case tree.KindNull:
		return tree.Int(0)
	case tree.KindBool:
		if on, _ := v.AsBool(); on {
			return tree.Int(1)
		}
		return tree.Int(0)
	case tree.KindText, tree.KindArray:
		text := keyindex.TrimSpace(scriptString(v))
		if text == "" {
			return tree.Int(0)
		}
		if n, ok := tree.ParseNumber(text); ok {
			return tree.Num(n)
		}
		if n, ok := openjson.ParseNumber(text); ok && !math.IsInf(n, 0) {
			return tree.Float(n)
		}
	}
	return tree.Value{}
}

// truth is JavaScript's Boolean.
func truth(v tree.Value) bool {
	switch v.Kind() {
	case tree.Absent, tree.KindNull:
		return false
	case tree.KindBool:
		on, _ := v.AsBool()
		return on
	case tree.KindNumber:
		n, _ := v.AsFloat()
		return n != 0
	case tree.KindText:
		text, _ := v.AsText()
		return text != ""
	}
	return true
}

// zodOneOf is one of some literals.
type zodOneOf struct {
	values []tree.Value
	names  []string // of an enum: the names of the values
}

func (z *zodOneOf) absence() absence { return refused }

func (z *zodOneOf) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if slices.ContainsFunc(z.values, func(w tree.Value) bool { return w.Exists() == v.Exists() && w.Equal(v) }) {
		return v, nil
	}
	return v, refuse("expected one of %s, found %s", describeValue(tree.Array(z.values...)), describeValue(v))
}

// unknownKeys selects the treatment of members that an object does not name.
type unknownKeys uint8

const (
	dropKeys unknownKeys = iota
	keepKeys
	refuseKeys
)

// zodObject is an object with named members.
type zodObject struct {
	names    []string // of the members, in the order of the schema
	fields   map[string]zod
	unknown  unknownKeys
	catchall zod // of unknown members, may be nil
}

func (z *zodObject) absence() absence { return refused }

// parse keeps the order of the members of v and appends new ones.
func (z *zodObject) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if !v.IsObject() {
		return v, refuse("expected an object, found %s", describeValue(v))
	}
	members := make([]tree.Member, 0, v.Len())
	for key, child := range v.Members() {
		field := cmp.Or(z.fields[key], z.catchall)
		switch {
		case field != nil:
			out, no := p.parse(field, child)
			if no != nil {
				return v, no.within(key)
			}
			members = append(members, member(key, out))
		case z.unknown == refuseKeys:
			return v, refuse("unknown member").within(key)
		case z.unknown == keepKeys:
			members = append(members, member(key, child))
		}
	}
	for _, key := range z.names {
		if v.Get(key).Exists() {
			continue
		}
		field := z.fields[key]
		out, no := p.parse(field, tree.Value{})
		if no == nil && field.absence() == refused {
			no = refuse("expected a value")
		}
		if no != nil {
			return v, no.within(key)
		}
		members = append(members, member(key, out))
	}
	return tree.Object(members...), nil
}

// zodRecord is an object with keys of one kind.
type zodRecord struct {
	key, value zod
	all        []tree.Value // the keys that must be there
}

func (z *zodRecord) absence() absence { return refused }

func (z *zodRecord) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if !v.IsObject() {
		return v, refuse("expected an object, found %s", describeValue(v))
	}
	members := make([]tree.Member, 0, v.Len())
	for key, child := range v.Members() {
		name, no := p.parse(z.key, tree.Text(key))
		if no != nil { // a number is written as a text
			if n := scriptNumberOf(tree.Text(key)); n.Exists() {
				name, no = p.parse(z.key, n)
			}
		}
		if no != nil {
			return v, refuse("the name of the member: %s", no.text).within(key)
		}
		out, no := p.parse(z.value, child)
		if no != nil {
			return v, no.within(key)
		}
		members = append(members, member(scriptString(name), out))
	}
	for _, key := range z.all {
		name := scriptString(key)
		if v.Get(name).Exists() {
			continue
		}
		out, no := p.parse(z.value, tree.Value{})
		if no != nil {
			return v, no.within(name)
		}
		members = append(members, member(name, out))
	}
	return tree.Object(members...), nil
}

// zodList is a list, or a tuple with items.
type zodList struct {
	element zod   // of a list, or of the rest of a tuple; nil: there is no rest
	items   []zod // of a tuple
	tuple   bool
}

func (z *zodList) absence() absence { return refused }

func (z *zodList) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if !v.IsArray() {
		return v, refuse("expected a list, found %s", describeValue(v))
	}
	if n := v.Len(); z.tuple && (n < len(z.items) || n > len(z.items) && z.element == nil) {
		return v, refuse("expected %d elements, found %d", len(z.items), n)
	}
	elements := make([]tree.Value, 0, v.Len())
	for i, child := range v.Elements() {
		element := z.element
		if i < len(z.items) {
			element = z.items[i]
		}
		out, no := p.parse(element, child)
		if no != nil {
			return v, no.within(itoa(i))
		}
		elements = append(elements, nullIfUndefined(out))
	}
	return tree.Array(elements...), nil
}

// zodUnion is the first of several schemas that fits.
type zodUnion struct{ options []zod }

func (z *zodUnion) absence() (most absence) {
	for _, option := range z.options {
		most = max(most, option.absence())
	}
	return most
}

func (z *zodUnion) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	var first *refusal
	for _, option := range z.options {
		out, no := p.parse(option, v)
		if no == nil {
			return out, nil
		}
		first = cmp.Or(first, no)
	}
	return v, first
}

// zodIntersection is a value that fits two schemas.
type zodIntersection struct{ left, right zod }

func (z *zodIntersection) absence() absence { return refused }

func (z *zodIntersection) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	a, no := p.parse(z.left, v)
	if no != nil {
		return v, no
	}
	b, no := p.parse(z.right, v)
	if no != nil {
		return v, no
	}
	out, ok := intersect(a, b)
	if !ok {
		return v, refuse("the two schemas give different values")
	}
	return out, nil
}

// intersect joins two values: the members of both, with equal values otherwise.
func intersect(a, b tree.Value) (tree.Value, bool) {
	if a.Exists() == b.Exists() && a.Equal(b) {
		return a, true
	}
	if !a.IsObject() || !b.IsObject() {
		return a, false
	}
	var members []tree.Member
	for key, child := range a.Members() {
		if other := b.Get(key); other.Exists() {
			var ok bool
			if child, ok = intersect(child, other); !ok {
				return a, false
			}
		}
		members = append(members, tree.Member{Key: key, Value: child})
	}
	return tree.Object(append(members, missingMembers(b, a)...)...), true
}

// zodAbsence handles undefined and null before a schema.
type zodAbsence struct {
	inner              zod
	optional, nullable bool
	// instead is the value for undefined: before the schema if first is set, else in its place.
	fallback      tree.Value
	fallbackFirst bool
	// required refuses undefined as the result.
	required bool
}

func (z *zodAbsence) absence() absence {
	switch {
	case z.fallback.Exists():
		return replaced
	case z.required:
		return refused
	case z.optional:
		return max(allowed, z.inner.absence())
	}
	return z.inner.absence()
}

func (z *zodAbsence) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	switch {
	case z.nullable && v.IsNull():
		return v, nil
	case v.Exists():
	case z.fallbackFirst:
		v = z.fallback
	case z.fallback.Exists():
		return z.fallback, p.spend(z.fallback.Size(maxZodSteps))
	case z.optional && z.inner.absence() < replaced:
		return v, nil
	case z.optional:
		if out, no := p.parse(z.inner, v); no == nil {
			return out, nil
		}
		return v, nil
	}
	out, no := p.parse(z.inner, v)
	switch {
	case no == nil && z.required && !out.Exists():
		return v, refuse("expected a value")
	case no == nil && !out.Exists() && z.fallback.Exists() && !z.fallbackFirst:
		return z.fallback, p.spend(z.fallback.Size(maxZodSteps))
	}
	return out, no
}

// zodCatch gives a value for everything that does not fit.
type zodCatch struct {
	inner zod
	value tree.Value
}

func (z *zodCatch) absence() absence { return max(allowed, z.inner.absence()) }

func (z *zodCatch) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	out, no := p.parse(z.inner, v)
	if no != nil {
		return z.value, p.spend(z.value.Size(maxZodSteps))
	}
	return out, nil
}

// zodThen is a sequence of two schemas, or a change of a value.
type zodThen struct {
	first          zod
	then           zodCheck
	testOnly       bool // then only tests
	takesUndefined bool // it is called for undefined
}

func (z *zodThen) absence() absence {
	if z.takesUndefined {
		return allowed
	}
	return z.first.absence()
}

func (z *zodThen) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	out, no := p.parse(z.first, v)
	if no != nil {
		return v, no
	}
	return z.then(p, out)
}

// anything is the schema of a part that could not be read.
var anything = &zodAbsence{inner: &zodType{name: "any"}, optional: true}

// measure returns what bounds compare: a number, or the length of a text or a list.
func measure(v tree.Value) (n tree.Number, what string) {
	switch v.Kind() {
	case tree.KindText:
		text, _ := v.AsText()
		return tree.Number(strconv.Itoa(len(utf16.Encode([]rune(text))))), "the length"
	case tree.KindArray, tree.KindObject:
		return tree.Number(strconv.Itoa(v.Len())), "the number of elements"
	}
	n, _ = v.AsNumber()
	return n, "the number"
}

// order says how a number or a length compares with a bound.
type order string

const (
	moreThan order = "more than"
	atLeast  order = "at least"
	exactly  order = "exactly"
	atMost   order = "at most"
	lessThan order = "less than"
)

// holds reports whether the result of a comparison has the order.
func (o order) holds(compared int) bool {
	switch o {
	case moreThan:
		return compared > 0
	case atLeast:
		return compared >= 0
	case atMost:
		return compared <= 0
	case lessThan:
		return compared < 0
	}
	return compared == 0
}

// limitBy compares a number or a length with a bound.
func limitBy(limit tree.Number, o order) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		n, what := measure(v)
		if n != "" && !o.holds(n.Cmp(limit)) {
			return v, refuse("%s must be %s %s, found %s", what, o, limit, n)
		}
		return v, nil
	}
}

// requireInteger refuses numbers that are not integers within the exact range of JavaScript.
func requireInteger(_ *zodRun, v tree.Value) (tree.Value, *refusal) {
	if n, ok := v.AsFloat(); ok && (n != math.Trunc(n) || math.Abs(n) > 1<<53-1) {
		return v, refuse("expected a whole number, found %s", describeValue(v))
	}
	return v, nil
}

// requireMultiple refuses numbers that are not a multiple.
func requireMultiple(of tree.Number) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		n, _ := v.AsNumber()
		times := tree.Number(strconv.FormatFloat(math.Round(n.Float64()/of.Float64()), 'f', 0, 64))
		if !times.Valid() || times.Mul(of).Cmp(n) != 0 {
			return v, refuse("the number must be a multiple of %s, found %s", of, n)
		}
		return v, nil
	}
}

// changeText changes texts.
func changeText(change func(string) string) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		if text, ok := v.AsText(); ok {
			return tree.Text(change(text)), nil
		}
		return v, nil
	}
}

// The limits of the results that are kept for one function of a schema: their number, and the bytes
// of a text.
const (
	maxCached     = 512
	maxCachedText = 256
)

// cached returns a function that keeps results of f. All data are parsed after each command, and
// few values change in between: TestSchemaCostsWhatChanges fails without it. A function of a schema
// depends only on its argument, so a kept result is exact. Lists, objects and failures are not kept.
func cached(f func(tree.Value) (tree.Value, error)) func(tree.Value) (tree.Value, error) {
	var mu sync.Mutex
	known := map[tree.Value]tree.Value{}
	return func(v tree.Value) (tree.Value, error) {
		if !isSmall(v) {
			return f(v)
		}
		mu.Lock()
		out, ok := known[v]
		mu.Unlock()
		if ok {
			return out, nil
		}
		out, err := f(v)
		if err == nil && isSmall(out) {
			mu.Lock()
			if len(known) >= maxCached {
				clear(known)
			}
			known[v] = out
			mu.Unlock()
		}
		return out, err
	}
}

// isSmall reports whether a value is no list, no object and no long text.
func isSmall(v tree.Value) bool {
	text, _ := v.AsText()
	n, _ := v.AsNumber()
	return !v.IsObject() && !v.IsArray() && len(text) <= maxCachedText && len(n) <= maxCachedText
}
