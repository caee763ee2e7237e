package template

import (
	"strings"
	"sync"
)

// writtenFunctions are functions of the library in the language of the templates: the name of an
// object or a kind of values, if any, a dot, the name of the function, and its code. A method has its
// value as its first argument.
const writtenFunctions = `
.getAllVariables: () => variables
.getVariables: () => variables
.getEnabledWorldInfoEntries: () => getWorldInfoData().filter(e => !e.disable)
.parseJSON: s => JSON.parse(s)
Mvu.getMvuData: () => variables
Mvu.getMvuVariable: (data, path, o) => { const v = _.get(data?.stat_data, path, o?.default_value); return _.isArray(v) && v.length === 2 && typeof v[1] === 'string' ? v[0] : v }
Object.is: (a, b) => a === b ? a !== 0 || 1 / a === 1 / b : a !== a && b !== b
Object.getOwnPropertyNames: o => Object.keys(o)
Object.create: o => ({ ...o })
Object.seal: o => o
Object.defineProperty: (o, k, d) => { o[k] = d.value; return o }
Object.groupBy: (l, f) => { const o = {}; let i = 0; for (const v of l) (o[f(v, i++)] ??= []).push(v); return o }
Map.groupBy: (l, f) => { const m = new Map(); let i = 0; for (const v of l) { const k = f(v, i++); if (!m.has(k)) m.set(k, []); m.get(k).push(v) } return m }
Math.hypot: (...n) => Math.sqrt(n.reduce((s, x) => s + x * x, 0))
function.apply: (f, self, args) => f(...(args ?? []))
function.call: (f, self, ...args) => f(...args)
function.bind: (f, self, ...args) => (...more) => f(...args, ...more)
list.toSpliced: (l, ...args) => { const out = [...l]; out.splice(...args); return out }
list.with: (l, i, v) => { const out = [...l]; out[i < 0 ? i + l.length : i] = v; return out }
collection.union: (a, b) => new Set([...a.keys(), ...b.keys()])
collection.intersection: (a, b) => new Set([...a.keys()].filter(k => b.has(k)))
collection.difference: (a, b) => new Set([...a.keys()].filter(k => !b.has(k)))
collection.isSubsetOf: (a, b) => [...a.keys()].every(k => b.has(k))
_.add: (a, b) => a + b
_.subtract: (a, b) => a - b
_.multiply: (a, b) => a * b
_.divide: (a, b) => a / b
_.eq: (a, b) => a === b || a !== a && b !== b
_.gt: (a, b) => a > b
_.gte: (a, b) => a >= b
_.lt: (a, b) => a < b
_.lte: (a, b) => a <= b
_.stubTrue: () => true
_.stubFalse: () => false
_.stubArray: () => []
_.stubObject: () => ({})
_.stubString: () => ''
_.isObjectLike: v => v !== null && typeof v === 'object'
_.isArrayLike: v => v != null && typeof v !== 'function' && _.isInteger(v.length)
_.isArrayLikeObject: v => _.isObjectLike(v) && _.isInteger(v.length)
_.isSafeInteger: v => Number.isSafeInteger(v)
_.isLength: v => _.isInteger(v) && v >= 0
_.isMatch: (o, s) => _.iteratee(s)(o)
_.matches: s => _.iteratee(s)
_.property: p => o => _.get(o, p)
_.propertyOf: o => p => _.get(o, p)
_.matchesProperty: (p, v) => o => _.isEqual(_.get(o, p), v)
_.conforms: tests => o => _.every(tests, (f, k) => f(o[k]))
_.toFinite: v => (v = Number(v), v === v ? v : 0)
_.toSafeInteger: v => _.toInteger(v)
_.toLength: v => _.clamp(_.toInteger(v), 0, 4294967295)
_.parseInt: (s, radix, guard) => parseInt(s, guard ? 10 : radix)
_.rangeRight: (...args) => _.range(...args).reverse()
_.unset: (o, path) => { if (!_.isObject(o)) return true; if (path in o) return delete o[path]; path = _.toPath(path); const key = path.pop(), of = path.length ? _.get(o, path) : o; return !_.isObject(of) || delete of[key] }
_.update: (o, path, f) => _.set(o, path, f(_.get(o, path)))
_.updateWith: (o, path, f) => _.set(o, path, f(_.get(o, path)))
_.setWith: (o, path, v) => _.set(o, path, v)
_.at: (o, ...paths) => _.flattenDeep(paths).map(p => _.get(o, p))
_.pick: (o, ...paths) => { const out = {}; for (const p of _.flattenDeep(paths)) if (o != null && _.has(o, p)) p in o ? out[p] = o[p] : _.set(out, p, _.get(o, p)); return out }
_.omit: (o, ...paths) => { paths = _.flattenDeep(paths); const out = paths.some(p => !(p in (o ?? {})) && _.toPath(p).length > 1) ? _.cloneDeep(o) : { ...o }; for (const p of paths) _.unset(out, p); return out }
_.merge: (to, ...from) => _.mergeWith(to, ...from, () => undefined)
_.mergeWith: (to, ...from) => { const by = from.pop(); if (!_.isObject(to)) return to; for (const one of from) for (const k of _.keys(one)) { const a = to[k], b = one[k], v = by(a, b, k, to, one); if (v !== undefined) to[k] = v; else if (_.isArray(b)) to[k] = _.mergeWith(_.isArray(a) ? a : [], b, by); else if (_.isPlainObject(b)) to[k] = _.mergeWith(_.isObject(a) ? a : {}, b, by); else if (b !== undefined || !(k in to)) to[k] = b } return to }
_.defaultsDeep: (to, ...from) => { for (const one of from) for (const k of _.keys(one)) { if (to[k] === undefined) to[k] = _.cloneDeep(one[k]); else if (_.isPlainObject(to[k])) _.defaultsDeep(to[k], one[k]) } return to }
_.cloneWith: (v, f) => f(v) ?? _.clone(v)
_.cloneDeepWith: (v, f) => f(v) ?? _.cloneDeep(v)
_.isEqualWith: (a, b, f) => f(a, b) ?? _.isEqual(a, b)
_.invertBy: (o, f) => { f = _.iteratee(f); return _.transform(o, (r, v, k) => { (r[f(v)] ??= []).push(k) }, {}) }
_.functions: o => _.keys(o).filter(k => typeof o[k] === 'function')
_.transform: (o, f, r) => { r ??= _.isArray(o) ? [] : {}; _.forEach(o, (v, k) => f(r, v, k, o)); return r }
_.findLastKey: (o, p) => { p = _.iteratee(p); return _.keys(o).findLast(k => p(o[k], k, o)) }
_.findLastIndex: (l, p) => { p = _.iteratee(p); return (l ?? []).findLastIndex((v, i) => p(v, i, l)) }
_.forEachRight: (o, f) => { const list = !_.isPlainObject(o); for (const k of _.keys(o).reverse()) if (f(o[k], list ? +k : k, o) === false) break; return o }
_.reduceRight: (l, f, ...first) => _.values(l).reduceRight(f, ...first)
_.uniqWith: (l, f) => { const out = []; for (const v of l ?? []) if (!out.some(x => f(x, v))) out.push(v); return out }
_.unionBy: (...lists) => { const f = lists.pop(); return _.uniqBy(_.flatten(lists), f) }
_.unionWith: (...lists) => { const f = lists.pop(); return _.uniqWith(_.flatten(lists), f) }
_.intersectionBy: (a, b, f) => { f = _.iteratee(f); const keys = new Set(_.map(b, v => f(v))); return _.uniqBy(_.filter(a, v => keys.has(f(v))), f) }
_.intersectionWith: (a, b, f) => _.filter(a, x => _.some(b, y => f(x, y)))
_.differenceBy: (a, b, f) => { f = _.iteratee(f); const keys = new Set(_.map(b, v => f(v))); return _.filter(a, v => !keys.has(f(v))) }
_.differenceWith: (a, b, f) => _.filter(a, x => !_.some(b, y => f(x, y)))
_.xor: (a, b) => [..._.difference(a, b), ..._.difference(b, a)]
_.xorBy: (a, b, f) => [..._.differenceBy(a, b, f), ..._.differenceBy(b, a, f)]
_.pull: (l, ...values) => _.pullAll(l, values)
_.pullAll: (l, values) => { l.splice(0, l.length, ..._.difference(l, values)); return l }
_.pullAllBy: (l, values, f) => { l.splice(0, l.length, ..._.differenceBy(l, values, f)); return l }
_.pullAt: (l, ...at) => { at = _.flattenDeep(at); const out = at.map(i => l[i]); l.splice(0, l.length, ...l.filter((v, i) => !at.includes(i))); return out }
_.remove: (l, p) => { p = _.iteratee(p); const out = [], kept = []; l.forEach((v, i) => (p(v, i, l) ? out : kept).push(v)); l.splice(0, l.length, ...kept); return out }
_.flattenDepth: (l, n) => (l ?? []).flat(n)
_.flatMapDeep: (l, f) => _.flattenDeep(_.map(l, f))
_.unzip: l => _.zip(...(l ?? []))
_.unzipWith: (l, f) => _.unzip(l).map(row => f(...row))
_.zipWith: (...lists) => { const f = lists.pop(); return _.zip(...lists).map(row => f(...row)) }
_.zipObjectDeep: (paths, values) => _.reduce(paths, (o, p, i) => _.set(o, p, values[i]), {})
_.takeWhile: (l, p) => { const i = _.findIndex(l, _.negate(_.iteratee(p))); return _.slice(l, 0, i < 0 ? undefined : i) }
_.dropWhile: (l, p) => { const i = _.findIndex(l, _.negate(_.iteratee(p))); return i < 0 ? [] : _.slice(l, i) }
_.takeRightWhile: (l, p) => _.slice(l, _.findLastIndex(l, _.negate(_.iteratee(p))) + 1)
_.dropRightWhile: (l, p) => _.slice(l, 0, _.findLastIndex(l, _.negate(_.iteratee(p))) + 1)
_.fill: (l, ...args) => l.fill(...args)
_.lastIndexOf: (l, ...args) => (l ?? []).lastIndexOf(...args)
_.sortedIndex: (l, v) => { const i = _.findIndex(l, x => x >= v); return i < 0 ? _.size(l) : i }
_.sortedIndexBy: (l, v, f) => { f = _.iteratee(f); return _.sortedIndex(_.map(l, x => f(x)), f(v)) }
_.words: (s, p) => _.toString(s).match(p ?? /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\x00-\x7f]+/g) ?? []
_.camelCase: s => _.words(s).map((w, i) => i ? _.capitalize(w) : w.toLowerCase()).join('')
_.kebabCase: s => _.words(s).join('-').toLowerCase()
_.snakeCase: s => _.words(s).join('_').toLowerCase()
_.lowerCase: s => _.words(s).join(' ').toLowerCase()
_.upperCase: s => _.words(s).join(' ').toUpperCase()
_.startCase: s => _.words(s).map(_.upperFirst).join(' ')
_.trim: (s, chars) => typeof chars !== 'string' ? _.toString(s).trim() : _.trimEnd(_.trimStart(s, chars), chars)
_.trimStart: (s, chars) => { s = _.toString(s); if (typeof chars !== 'string') return s.trimStart(); let i = 0; while (i < s.length && chars.includes(s[i])) i++; return s.slice(i) }
_.trimEnd: (s, chars) => { s = _.toString(s); if (typeof chars !== 'string') return s.trimEnd(); let i = s.length; while (i > 0 && chars.includes(s[i - 1])) i--; return s.slice(0, i) }
_.pad: (s, n, chars) => { s = _.toString(s); return s.padStart(s.length + Math.floor(Math.max(n - s.length, 0) / 2), chars).padEnd(n, chars) }
_.repeat: (s, n) => _.toString(s).repeat(Math.max(n ?? 1, 0))
_.truncate: (s, o) => { s = _.toString(s); const n = o?.length ?? 30, end = o?.omission ?? '...'; if (s.length <= n) return s; const cut = s.slice(0, Math.max(n - end.length, 0)), at = o?.separator === undefined ? -1 : cut.lastIndexOf(o.separator); return (at < 0 ? cut : cut.slice(0, at)) + end }
_.escape: s => _.toString(s).replace(/[&<>"']/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c])
_.unescape: s => _.toString(s).replace(/&(amp|lt|gt|quot|#39);/g, (m, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name])
_.escapeRegExp: s => _.toString(s).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
_.negate: f => (...args) => !f(...args)
_.flow: (...fs) => { fs = _.flatten(fs); return (...args) => { let v = args[0]; fs.forEach((f, i) => { v = i ? f(v) : f(...args) }); return v } }
_.flowRight: (...fs) => _.flow(_.flatten(fs).reverse())
_.partial: (f, ...args) => (...more) => f(...args, ...more)
_.partialRight: (f, ...args) => (...more) => f(...more, ...args)
_.bind: (f, self, ...args) => (...more) => f(...args, ...more)
_.curry: (f, n) => { n ??= f.length; const next = args => args.length >= n ? f(...args) : (...more) => next([...args, ...more]); return next([]) }
_.memoize: f => { const known = new Map(); return (...args) => { if (!known.has(args[0])) known.set(args[0], f(...args)); return known.get(args[0]) } }
_.once: f => { let ran = false, v; return (...args) => { if (!ran) { ran = true; v = f(...args) } return v } }
_.ary: (f, n) => (...args) => f(...args.slice(0, n))
_.unary: f => v => f(v)
_.nthArg: n => (...args) => args.at(n ?? 0)
_.over: (...fs) => (...args) => _.flatten(fs).map(f => f(...args))
_.overEvery: (...fs) => (...args) => _.flatten(fs).every(f => f(...args))
_.overSome: (...fs) => (...args) => _.flatten(fs).some(f => f(...args))
_.spread: f => args => f(...args)
_.cond: pairs => (...args) => { for (const [test, f] of pairs) if (test(...args)) return f(...args) }
_.wrap: (v, f) => (...args) => f(v, ...args)
_.tap: (v, f) => { f(v); return v }
_.thru: (v, f) => f(v)
_.attempt: (f, ...args) => { try { return f(...args) } catch (e) { return e } }
_.result: (o, path, other) => { const v = _.get(o, path, other); return typeof v === 'function' ? v() : v }
_.invoke: (o, path, ...args) => { path = _.toPath(path); const name = path.pop(); return (path.length ? _.get(o, path) : o)?.[name]?.(...args) }
_.invokeMap: (o, f, ...args) => _.map(o, v => typeof f === 'function' ? f(v, ...args) : v[f](...args))
`

// otherNames are functions of lodash with the names under which they are there too.
var otherNames = map[string]string{
	"has": "hasIn", "assign": "extend assignIn", "keys": "keysIn", "values": "valuesIn", "toPairs": "entriesIn toPairsIn",
	"forEachRight": "eachRight forOwnRight forInRight", "uniq": "sortedUniq", "clone": "toPlainObject",
	"stubFalse": "isSymbol isElement isArguments isBuffer isTypedArray isNative isWeakMap isWeakSet", "identity": "deburr",
}

// addWritten adds the written functions to the library. The code of a function is read when it is
// called for the first time.
func (l *library) addWritten() {
	methods := map[string]map[string]method{"function": l.functions, "list": l.lists, "collection": l.collections}
	for line := range strings.Lines(strings.TrimPrefix(writtenFunctions, "\n")) {
		path, code, _ := strings.Cut(strings.TrimSpace(line), ": ")
		of, name, _ := strings.Cut(path, ".")
		call := written(code)
		if m := methods[of]; m != nil {
			m[name] = func(f *frame, of value, args []value) value { return call(f, append([]value{of}, args...)) }
			continue
		}
		if of == "" {
			l.names[name] = builtin(call)
			continue
		}
		if of == "Mvu" && l.names[of].ref == nil {
			l.names[of] = members(nil, nil)
		}
		fn := l.names[of].ref.(*function)
		if fn.members == nil {
			fn.members = map[string]value{}
		}
		fn.members[name] = builtin(call)
	}
	lodash := l.names["_"].ref.(*function).members
	for name, others := range otherNames {
		for _, other := range strings.Fields(others) {
			lodash[other] = lodash[name]
		}
	}
}

// written returns a function by its code. Its errors have the place of the call.
func written(code string) native {
	read := sync.OnceValue(func() *Template {
		t, err := compile("<% (" + code + ") %>")
		if err != nil {
			panic(err)
		}
		return t
	})
	return func(f *frame, args []value) value {
		t := read()
		g := &frame{build: f.build, src: &t.src, origins: f.origins, out: f.out, caller: f}
		return f.apply(g.eval(t.program.list[0].(*exprStmt).x, nil), args)
	}
}
