// The functions of the library that are written in the language of the templates.
//
// An entry begins with a name at the start of a line: NAME = FUNCTION. The following lines that begin
// with a blank or a bracket belong to it. A name without a dot is a global name. In all other names the
// part before the dot is an object, or one of the words text, number, list, date, collection and function: then
// the entry is a method of all such values, and its first parameter is the value.
//
// A name may have several spellings: _.head, _.first = FUNCTION.

getAllVariables, getVariables = () => variables
getEnabledWorldInfoEntries = () => getWorldInfoData().filter(entry => !entry.disable)
parseJSON = text => JSON.parse(text)
Mvu.getMvuData = () => variables
Mvu.getMvuVariable = (data, path, options) => {
  const v = _.get(data?.stat_data, path, options?.default_value)
  const isPair = _.isArray(v) && v.length === 2 && typeof v[1] === 'string'
  return isPair ? v[0] : v
}

// Objects, functions, lists, sets and maps of the language

Object.is = (a, b) => a === b ? a !== 0 || 1 / a === 1 / b : a !== a && b !== b
Object.getOwnPropertyNames = object => Object.keys(object)
Object.create = object => ({ ...object })
Object.freeze, Object.seal = object => object
Object.assign = (to, ...sources) => {
  for (const source of sources) for (const key of _.keys(source)) to[key] = source[key]
  return to
}
Object.defineProperty = (object, key, property) => {
  object[key] = property.value
  return object
}
Object.fromEntries = pairs => {
  const out = {}
  for (const pair of pairs) out[pair[0]] = pair[1]
  return out
}
Object.groupBy = (list, by) => {
  const groups = {}
  let i = 0
  for (const v of list) (groups[by(v, i++)] ??= []).push(v)
  return groups
}
Map.groupBy = (list, by) => {
  const groups = new Map()
  let i = 0
  for (const v of list) {
    const key = by(v, i++)
    if (!groups.has(key)) groups.set(key, [])
    groups.get(key).push(v)
  }
  return groups
}
Math.sign = n => {
  n = Number(n)
  return n > 0 ? 1 : n < 0 ? -1 : n
}
Math.pow = (a, b) => a ** b
Math.hypot = (...numbers) => Math.sqrt(numbers.reduce((sum, n) => sum + n * n, 0))

function.apply = (f, self, args) => f(...(args ?? []))
function.call = (f, self, ...args) => f(...args)
function.bind = (f, self, ...args) => (...more) => f(...args, ...more)

Array.of = (...items) => items
Promise.all = list => Array.from(list)
Promise.resolve = v => v

text.at = (text, i) => {
  i = Math.trunc(i) || 0
  return text[i < 0 ? i + text.length : i]
}
text.charAt = (text, i) => text[Math.trunc(i) || 0] ?? ''
text.codePointAt = (text, i) => {
  i = Math.trunc(i) || 0
  const high = text.charCodeAt(i), low = text.charCodeAt(i + 1)
  const isPair = high >= 0xD800 && high <= 0xDBFF && low >= 0xDC00 && low <= 0xDFFF
  return isPair ? (high - 0xD800) * 0x400 + low - 0xDC00 + 0x10000 : _.isNaN(high) ? undefined : high
}
text.concat = (text, ...more) => [text, ...more].map(String).join('')
text.substr = (text, from, count = Infinity) => {
  const rest = text.slice(from)
  return rest.slice(0, Math.max(count, 0))
}
text.padStart = (text, length, fill = ' ') => {
  const missing = length - text.length, by = String(fill)
  return missing > 0 && by ? by.repeat(Math.ceil(missing / by.length)).slice(0, missing) + text : text
}
text.padEnd = (text, length, fill = ' ') => {
  const missing = length - text.length, by = String(fill)
  return missing > 0 && by ? text + by.repeat(Math.ceil(missing / by.length)).slice(0, missing) : text
}
text.normalize = (text, form) => String(form).startsWith('NFK') // texts are composed already
  ? text.replace(/[！-～]/g, sign => String.fromCharCode(sign.charCodeAt(0) - 0xFEE0)).replaceAll('　', ' ')
  : text

// In groups of three digits, with at most three decimals. The options choose the decimals, a percentage
// and the smallest number of digits.
number.toLocaleString = (n, locale, options) => {
  if (!(Math.abs(n) < 1e21)) return String(n)
  const all = _.isPlainObject(options) ? options : {}
  const digits = (name, otherwise) => _.clamp(_.toInteger(all[name] === undefined ? otherwise : all[name]), 0, 20)
  const isPercent = all.style === 'percent', least = digits('minimumFractionDigits', 0)
  const most = Math.max(digits('maximumFractionDigits', isPercent ? 0 : 3), least)
  let [whole, decimals = ''] = Math.abs(isPercent ? n * 100 : n).toFixed(most).split('.')
  while (decimals.length > least && decimals.endsWith('0')) decimals = decimals.slice(0, -1)
  const sign = n < 0 && /[1-9]/.test(whole + decimals) ? '-' : ''
  whole = whole.padStart(digits('minimumIntegerDigits', 1), '0')
  if (all.useGrouping === undefined || all.useGrouping) {
    for (let i = whole.length - 3; i > 0; i -= 3) whole = whole.slice(0, i) + ',' + whole.slice(i)
  }
  return sign + whole + (decimals && '.' + decimals) + (isPercent ? '%' : '')
}

// Dates as in Chinese. The options choose the parts.
date.toLocaleDateString = (date, locale, options) =>
  date.toLocaleString(locale, options ?? { year: 'numeric', month: 'numeric', day: 'numeric' })
date.toLocaleTimeString = (date, locale, options) =>
  date.toLocaleString(locale, options ?? { hour: '2-digit', minute: '2-digit', second: '2-digit' })
date.toLocaleString = (date, locale, options) => {
  if (isNaN(date)) return 'Invalid Date'
  const all = options ?? { year: 'numeric', month: 'numeric', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' }
  if (options && !/^(zh|$)/.test(locale ?? '')) throw new RangeError('with options, dates are written in Chinese only')
  const part = (name, n) => all[name] ? [all[name] === '2-digit' ? String(n).padStart(2, '0').slice(-2) : String(n)] : []
  const year = part('year', date.getFullYear()), month = part('month', date.getMonth() + 1), day = part('day', date.getDate())
  const isNumeric = month.length && day.length && !['long', 'short', 'narrow'].includes(all.month)
  const marked = (list, mark) => list.map(n => n + mark).join('')
  let out = isNumeric ? [...year, ...month, ...day].join('/') : marked(year, '年') + marked(month, '月') + marked(day, '日')
  if (all.weekday) out += ({ long: '星期', short: '周' }[all.weekday] ?? '') + '日一二三四五六'[date.getDay()]
  const two = n => String(n).padStart(2, '0'), hour = date.getHours()
  const time = all.hour12 && all.hour ? [String(hour % 12 || 12)] : all.hour ? [two(hour)] : []
  if (all.minute) time.push(two(date.getMinutes()))
  if (all.second) time.push(two(date.getSeconds()))
  const clock = time.join(':') + (all.hour && time.length === 1 ? '时' : '')
  if (!out && !clock) throw new RangeError('none of these options chooses a part of the date')
  return [out, (all.hour12 && all.hour ? hour < 12 ? '上午' : '下午' : '') + clock].filter(Boolean).join(' ')
}

list.at = (list, i) => {
  i = Math.trunc(i) || 0
  return list[i < 0 ? i + list.length : i]
}
list.keys = list => Object.keys(list).map(Number)
list.values = list => [...list]
list.entries = list => list.map((v, i) => [i, v])
list.flatMap = (list, f) => list.map(f).flat()
list.findLast = (list, test) => list[list.findLastIndex(test)]
list.findLastIndex = (list, test) => {
  let i = list.length - 1
  while (i >= 0 && !test(list[i], i, list)) i--
  return i
}
list.lastIndexOf = (list, v, from = list.length - 1) => {
  let i = from < 0 ? list.length + Math.ceil(from) : Math.min(Math.floor(from), list.length - 1)
  while (i >= 0 && list[i] !== v) i--
  return Math.max(i, -1)
}
list.reduceRight = (list, f, ...first) => {
  const at = i => list.length - 1 - i
  return list.toReversed().reduce((sum, v, i) => f(sum, v, at(i), list), ...first)
}
list.toSorted = (list, order) => [...list].sort(order)
list.toReversed = list => [...list].reverse()
list.toSpliced = (list, ...args) => {
  const out = [...list]
  out.splice(...args)
  return out
}
list.with = (list, i, v) => {
  const out = [...list]
  out[i < 0 ? i + list.length : i] = v
  return out
}

collection.entries = all => _.isMap(all) ? [...all] : [...all].map(v => [v, v])
collection.keys = all => all.entries().map(entry => entry[0])
collection.values = all => all.entries().map(entry => entry[1])
collection.clear = all => {
  for (const key of all.keys()) all.delete(key)
}
collection.forEach = (all, f) => {
  for (const item of all) {
    const [key, v] = _.isMap(all) ? item : [item, item]
    f(v, key, all)
  }
}
collection.union = (a, b) => new Set([...a.keys(), ...b.keys()])
collection.intersection = (a, b) => new Set([...a.keys()].filter(key => b.has(key)))
collection.difference = (a, b) => new Set([...a.keys()].filter(key => !b.has(key)))
collection.isSubsetOf = (a, b) => [...a.keys()].every(key => b.has(key))

// lodash: tests and conversions of one value

_.add = (a, b) => a + b
_.subtract = (a, b) => a - b
_.multiply = (a, b) => a * b
_.divide = (a, b) => a / b
_.eq = (a, b) => a === b || a !== a && b !== b
_.gt = (a, b) => a > b
_.gte = (a, b) => a >= b
_.lt = (a, b) => a < b
_.lte = (a, b) => a <= b
_.stubTrue = () => true
_.stubFalse = () => false
_.isSymbol, _.isElement, _.isArguments, _.isBuffer, _.isTypedArray, _.isNative, _.isWeakMap, _.isWeakSet = () => false
_.stubArray = () => []
_.stubObject = () => ({})
_.stubString = () => ''
_.noop = () => undefined
_.identity, _.deburr = v => v
_.constant = v => () => v
_.isObjectLike = v => v !== null && typeof v === 'object'
_.isArrayLike = v => v != null && typeof v !== 'function' && _.isInteger(v.length)
_.isArrayLikeObject = v => _.isObjectLike(v) && _.isInteger(v.length)
_.isSafeInteger = v => Number.isSafeInteger(v)
_.isEmpty = v => _.size(v) === 0
_.isLength = v => _.isInteger(v) && v >= 0
_.isMatch = (object, source) => _.iteratee(source)(object)
_.isEqualWith = (a, b, equal) => equal(a, b) ?? _.isEqual(a, b)
_.matches = source => _.iteratee(source)
_.property = path => object => _.get(object, path)
_.propertyOf = object => path => _.get(object, path)
_.matchesProperty = (path, v) => object => _.isEqual(_.get(object, path), v)
_.conforms = tests => object => _.every(tests, (test, key) => test(object[key]))
_.defaultTo = (v, other) => v == null || v !== v ? other : v
_.toNumber = v => Number(v)
_.toInteger = v => Math.trunc(v) || 0
_.toString = v => v == null ? '' : String(v)
_.toFinite = v => {
  const n = Number(v)
  return n === n ? n : 0
}
_.toSafeInteger = v => _.toInteger(v)
_.toLength = v => _.clamp(_.toInteger(v), 0, 4294967295)
_.parseInt = (text, radix, guard) => parseInt(text, guard ? 10 : radix)

// lodash: numbers

_.clamp = (n, low, high) => high === undefined ? Math.min(n, low) : Math.min(Math.max(n, low), high)
_.inRange = (n, from, to) => {
  const [a, b] = to === undefined ? [0, from] : [from, to]
  return n >= Math.min(a, b) && n < Math.max(a, b)
}
_.random = (...args) => {
  const floating = typeof args[args.length - 1] === 'boolean' && args.pop()
  const [a = 1, b = 0] = args
  const low = Math.min(a, b), high = Math.max(a, b), n = Math.random()
  if (floating || low % 1 || high % 1) return Math.min(low + n * (high - low), high)
  return low + Math.floor(n * (high - low + 1))
}
_.range = (...args) => {
  const [from, to] = (args.length > 1 ? args : [0, ...args]).map(_.toInteger)
  const step = args[2] ?? (to < from ? -1 : 1)
  const count = step ? Math.ceil((to - from) / step) : 0
  return count > 0 ? Array(count).fill(0).map((v, i) => from + i * step) : []
}
_.rangeRight = (...args) => _.range(...args).reverse()
_.times = (n, f) => Array(Math.max(_.toInteger(n), 0)).fill(0).map((v, i) => _.iteratee(f)(i))
_.sum = list => _.sumBy(list)
_.sumBy = (list, by) => {
  by = _.iteratee(by)
  let sum
  for (const v of _.values(list)) {
    const n = by(v)
    if (n !== undefined) sum = sum === undefined ? n : sum + n
  }
  return sum ?? 0
}
_.mean = list => _.meanBy(list)
_.meanBy = (list, by) => _.sumBy(list, by) / _.size(list)
_.max = list => _.maxBy(list)
_.maxBy = (list, by) => {
  by = _.iteratee(by)
  let found, greatest
  _.forEach(list, v => {
    const key = by(v)
    if (key != null && key === key && (greatest === undefined || key > greatest)) [found, greatest] = [v, key]
  })
  return found
}
_.min = list => _.minBy(list)
_.minBy = (list, by) => {
  by = _.iteratee(by)
  let found, least
  _.forEach(list, v => {
    const key = by(v)
    if (key != null && key === key && (least === undefined || key < least)) [found, least] = [v, key]
  })
  return found
}

// lodash: elements of lists, objects and texts

_.find = (of, test) => {
  const key = _.findKey(of, test)
  return key === undefined ? undefined : of[key]
}
_.findLast = (of, test) => {
  test = _.iteratee(test)
  let found
  _.forEach(of, (v, key) => {
    if (test(v, key, of)) found = v
  })
  return found
}
_.findIndex = (list, test) => {
  const i = _.findKey(list, test)
  return typeof i === 'number' ? i : -1
}
_.findLastKey = (of, test) => {
  test = _.iteratee(test)
  return _.keys(of).findLast(key => test(of[key], key, of))
}
_.findLastIndex = (list, test) => {
  test = _.iteratee(test)
  return (list ?? []).findLastIndex((v, i) => test(v, i, list))
}
_.includes = (of, v) => typeof of === 'string' ? of.includes(v) : _.values(of).includes(v)
_.some = (of, test) => _.findKey(of, test) !== undefined
_.every = (of, test) => !_.some(of, _.negate(_.iteratee(test)))
_.partition = (of, test) => {
  test = _.iteratee(test)
  const yes = [], no = []
  _.forEach(of, (v, key) => {
    (test(v, key, of) ? yes : no).push(v)
  })
  return [yes, no]
}
_.groupBy = (of, by) => {
  by = _.iteratee(by)
  return _.transform(of, (groups, v, key) => {
    (groups[by(v, key, of)] ??= []).push(v)
  }, {})
}
_.keyBy = (of, by) => {
  by = _.iteratee(by)
  return _.transform(of, (out, v, key) => {
    out[by(v, key, of)] = v
  }, {})
}
_.countBy = (of, by) => _.mapValues(_.groupBy(of, by), group => group.length)
_.transform = (of, f, out) => {
  out ??= _.isArray(of) ? [] : {}
  _.forEach(of, (v, key) => f(out, v, key, of))
  return out
}
_.forEachRight, _.eachRight, _.forOwnRight, _.forInRight = (of, f) => {
  const hasNames = _.isPlainObject(of)
  for (const key of _.keys(of).reverse()) {
    if (f(of[key], hasNames ? key : Number(key), of) === false) break
  }
  return of
}
_.reduceRight = (list, f, ...first) => _.values(list).reduceRight(f, ...first)
_.flatMap = (of, f) => _.flatten(_.map(of, f))
_.flatMapDeep = (of, f) => _.flattenDeep(_.map(of, f))
_.invokeMap = (of, f, ...args) => _.map(of, v => typeof f === 'function' ? f(v, ...args) : v[f](...args))
_.sample = of => {
  const list = _.values(of)
  return list.length ? list[Math.floor(Math.random() * list.length)] : undefined
}
_.sampleSize = (of, n = 1) => {
  const list = _.values(of), count = _.clamp(_.toInteger(n), 0, list.length)
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(Math.random() * (list.length - i));
    [list[i], list[j]] = [list[j], list[i]]
  }
  return list.slice(0, count)
}
_.shuffle = of => _.sampleSize(of, Infinity)

// lodash: members of objects

_.set, _.setWith = (object, path, v) => {
  const keys = _.isPlainObject(object) && path in object ? [path] : _.toPath(path)
  const last = keys.pop()
  if (!_.isObject(object) || last === undefined) return object
  let to = object
  keys.forEach((key, i) => {
    if (!_.isArray(to[key]) && !_.isPlainObject(to[key])) to[key] = isNaN(keys[i + 1] ?? last) ? {} : []
    to = to[key]
  })
  to[last] = v
  return object
}
_.unset = (object, path) => {
  if (!_.isObject(object)) return true
  if (path in object) return delete object[path]
  path = _.toPath(path)
  const key = path.pop(), of = path.length ? _.get(object, path) : object
  return !_.isObject(of) || delete of[key]
}
_.update, _.updateWith = (object, path, f) => _.set(object, path, f(_.get(object, path)))
_.at = (object, ...paths) => _.flattenDeep(paths).map(path => _.get(object, path))
_.pick = (object, ...paths) => {
  const out = {}
  for (const path of _.flattenDeep(paths)) {
    if (object == null || !_.has(object, path)) continue
    if (path in object) out[path] = object[path]
    else _.set(out, path, _.get(object, path))
  }
  return out
}
_.omit = (object, ...paths) => {
  paths = _.flattenDeep(paths)
  const isDeep = path => !(path in (object ?? {})) && _.toPath(path).length > 1
  const out = paths.some(isDeep) ? _.cloneDeep(object) : { ...object }
  for (const path of paths) _.unset(out, path)
  return out
}
_.pickBy = (object, test) => {
  test = _.iteratee(test)
  return _.transform(object, (out, v, key) => {
    if (test(v, key, object)) out[key] = v
  }, {})
}
_.omitBy = (object, test) => _.pickBy(object, _.negate(_.iteratee(test)))
_.mapValues = (object, f) => {
  f = _.iteratee(f)
  return _.transform(object, (out, v, key) => {
    out[key] = f(v, key, object)
  }, {})
}
_.mapKeys = (object, f) => {
  f = _.iteratee(f)
  return _.transform(object, (out, v, key) => {
    out[f(v, key, object)] = v
  }, {})
}
_.toPairs, _.entries, _.entriesIn, _.toPairsIn = object => _.keys(object).map(key => [key, object[key]])
_.fromPairs = pairs => Object.fromEntries(_.values(pairs))
_.invert = object => _.transform(object, (out, v, key) => {
  out[v] = String(key)
}, {})
_.invertBy = (object, f) => {
  f = _.iteratee(f)
  return _.transform(object, (out, v, key) => {
    (out[f(v)] ??= []).push(key)
  }, {})
}
_.functions = object => _.keys(object).filter(key => typeof object[key] === 'function')
_.assign, _.extend, _.assignIn = (to, ...sources) => _.isObject(to) ? Object.assign(to, ...sources) : to
_.defaults = (to, ...sources) => {
  if (!_.isObject(to)) return to
  for (const source of sources) {
    for (const key of _.keys(source)) if (to[key] === undefined) to[key] = source[key]
  }
  return to
}
_.defaultsDeep = (to, ...sources) => {
  for (const source of sources) {
    for (const key of _.keys(source)) {
      if (to[key] === undefined) to[key] = _.cloneDeep(source[key])
      else if (_.isPlainObject(to[key])) _.defaultsDeep(to[key], source[key])
    }
  }
  return to
}
_.merge = (to, ...sources) => _.mergeWith(to, ...sources, () => undefined)
_.mergeWith = (to, ...sources) => {
  const merge = sources.pop()
  if (!_.isObject(to)) return to
  for (const source of sources) {
    for (const key of _.keys(source)) {
      const old = to[key], v = source[key], merged = merge(old, v, key, to, source)
      if (merged !== undefined) to[key] = merged
      else if (_.isArray(v)) to[key] = _.mergeWith(_.isArray(old) ? old : [], v, merge)
      else if (_.isPlainObject(v)) to[key] = _.mergeWith(_.isObject(old) ? old : {}, v, merge)
      else if (v !== undefined || !(key in to)) to[key] = v
    }
  }
  return to
}
_.cloneWith = (v, f) => f(v) ?? _.clone(v)
_.cloneDeepWith = (v, f) => f(v) ?? _.cloneDeep(v)
_.result = (object, path, other) => {
  const v = _.get(object, path, other)
  return typeof v === 'function' ? v() : v
}
_.invoke = (object, path, ...args) => {
  path = _.toPath(path)
  const name = path.pop(), of = path.length ? _.get(object, path) : object
  return of?.[name]?.(...args)
}

// lodash: lists made of lists

_.uniq, _.sortedUniq = list => [...new Set(_.values(list))]
_.uniqBy = (list, by) => {
  by = _.iteratee(by)
  const firsts = new Map()
  for (const v of _.values(list)) {
    const key = by(v)
    if (!firsts.has(key)) firsts.set(key, v)
  }
  return [...firsts.values()]
}
_.uniqWith = (list, equal) => {
  const out = []
  for (const v of list ?? []) if (!out.some(other => equal(other, v))) out.push(v)
  return out
}
_.union = (...lists) => _.uniq(_.flatten(lists))
_.unionBy = (...lists) => {
  const by = lists.pop()
  return _.uniqBy(_.flatten(lists), by)
}
_.unionWith = (...lists) => {
  const equal = lists.pop()
  return _.uniqWith(_.flatten(lists), equal)
}
_.intersection = (list, ...others) => {
  const sets = others.map(other => new Set(_.values(other)))
  return _.uniq(list).filter(v => sets.every(set => set.has(v)))
}
_.intersectionBy = (list, other, by) => {
  by = _.iteratee(by)
  const keys = new Set(_.map(other, v => by(v)))
  return _.uniqBy(_.filter(list, v => keys.has(by(v))), by)
}
_.intersectionWith = (list, other, equal) => _.filter(list, v => _.some(other, w => equal(v, w)))
_.difference = (list, ...others) => {
  const without = new Set(_.flatten(others))
  return _.reject(list, v => without.has(v))
}
_.differenceBy = (list, other, by) => {
  by = _.iteratee(by)
  const keys = new Set(_.map(other, v => by(v)))
  return _.reject(list, v => keys.has(by(v)))
}
_.differenceWith = (list, other, equal) => _.reject(list, v => _.some(other, w => equal(v, w)))
_.without = (list, ...values) => _.difference(list, values)
_.xor = (a, b) => [..._.difference(a, b), ..._.difference(b, a)]
_.xorBy = (a, b, by) => [..._.differenceBy(a, b, by), ..._.differenceBy(b, a, by)]
_.pull = (list, ...values) => _.pullAll(list, values)
_.pullAll = (list, values) => {
  list.splice(0, list.length, ..._.difference(list, values))
  return list
}
_.pullAllBy = (list, values, by) => {
  list.splice(0, list.length, ..._.differenceBy(list, values, by))
  return list
}
_.pullAt = (list, ...places) => {
  places = _.flattenDeep(places)
  const out = places.map(i => list[i])
  list.splice(0, list.length, ...list.filter((v, i) => !places.includes(i)))
  return out
}
_.remove = (list, test) => {
  const [removed, rest] = _.partition(list, test)
  list.splice(0, list.length, ...rest)
  return removed
}
_.slice = (list, ...args) => (_.isString(list) ? list : _.values(list)).slice(...args)
_.join = (list, ...args) => _.values(list).join(...args)
_.reverse = list => _.isArray(list) ? list.reverse() : list
_.indexOf = (list, ...args) => _.values(list).indexOf(...args)
_.lastIndexOf = (list, ...args) => _.values(list).lastIndexOf(...args)
_.castArray = (...args) => _.isArray(args[0]) ? args[0] : args.slice(0, 1)
_.compact = list => _.filter(list)
_.concat = (...lists) => _.flatten(lists)
_.flatten = list => _.values(list).flat()
_.flattenDeep = list => _.values(list).flat(Infinity)
_.flattenDepth = (list, depth) => (list ?? []).flat(depth)
_.chunk = (list, n = 1) => {
  const rest = _.values(list), size = _.toInteger(n), out = []
  while (size > 0 && rest.length) out.push(rest.splice(0, size))
  return out
}
_.zip = (...lists) => {
  const length = Math.max(0, ...lists.map(list => _.isArray(list) ? list.length : 0))
  return _.range(length).map(i => lists.map(list => list?.[i]))
}
_.zipWith = (...lists) => {
  const f = lists.pop()
  return _.zip(...lists).map(row => f(...row))
}
_.unzip = list => _.zip(...(list ?? []))
_.unzipWith = (list, f) => _.unzip(list).map(row => f(...row))
_.zipObject = (names, values) => _.transform(names, (out, name, i) => {
  out[name] = values?.[i]
}, {})
_.zipObjectDeep = (paths, values) => _.reduce(paths, (out, path, i) => _.set(out, path, values[i]), {})
_.head, _.first = list => _.values(list)[0]
_.last = list => _.values(list).at(-1)
_.nth = (list, i) => _.values(list).at(i)
_.initial = list => _.dropRight(list)
_.tail = list => _.drop(list)
_.take = (list, n = 1) => _.values(list).slice(0, Math.max(n, 0))
_.drop = (list, n = 1) => _.values(list).slice(Math.max(n, 0))
_.takeRight = (list, n = 1) => _.drop(list, _.size(list) - _.toInteger(n))
_.dropRight = (list, n = 1) => _.take(list, _.size(list) - Math.max(_.toInteger(n), 0))
_.takeWhile = (list, test) => _.take(list, _.size(list) - _.size(_.dropWhile(list, test)))
_.dropWhile = (list, test) => {
  const i = _.findIndex(list, _.negate(_.iteratee(test)))
  return i < 0 ? [] : _.slice(list, i)
}
_.takeRightWhile = (list, test) => _.slice(list, _.findLastIndex(list, _.negate(_.iteratee(test))) + 1)
_.dropRightWhile = (list, test) => _.slice(list, 0, _.findLastIndex(list, _.negate(_.iteratee(test))) + 1)
_.fill = (list, ...args) => list.fill(...args)
_.sortedIndex = (list, v) => {
  const i = _.findIndex(list, other => other >= v)
  return i < 0 ? _.size(list) : i
}
_.sortedIndexBy = (list, v, by) => {
  by = _.iteratee(by)
  return _.sortedIndex(_.map(list, other => by(other)), by(v))
}

// lodash: texts

_.toUpper = text => _.toString(text).toUpperCase()
_.toLower = text => _.toString(text).toLowerCase()
_.upperFirst = text => _.toString(text).replace(/^[^]/u, letter => letter.toUpperCase())
_.lowerFirst = text => _.toString(text).replace(/^[^]/u, letter => letter.toLowerCase())
_.capitalize = text => _.upperFirst(_.toLower(text))
_.words = (text, pattern) => {
  return _.toString(text).match(pattern ?? /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\x00-\x7f]+/g) ?? []
}
_.camelCase = text => _.words(text).map((word, i) => i ? _.capitalize(word) : word.toLowerCase()).join('')
_.kebabCase = text => _.words(text).join('-').toLowerCase()
_.snakeCase = text => _.words(text).join('_').toLowerCase()
_.lowerCase = text => _.words(text).join(' ').toLowerCase()
_.upperCase = text => _.words(text).join(' ').toUpperCase()
_.startCase = text => _.words(text).map(_.upperFirst).join(' ')
_.split = (text, ...args) => _.toString(text).split(...args)
_.replace = (text, ...args) => _.toString(text).replace(...args)
_.startsWith = (text, ...args) => _.toString(text).startsWith(...args)
_.endsWith = (text, ...args) => _.toString(text).endsWith(...args)
_.repeat = (text, n) => _.toString(text).repeat(Math.max(n ?? 1, 0))
_.padStart = (text, ...args) => _.toString(text).padStart(...args)
_.padEnd = (text, ...args) => _.toString(text).padEnd(...args)
_.pad = (text, length, chars) => {
  const s = _.toString(text)
  return s.padStart(s.length + Math.floor(Math.max(length - s.length, 0) / 2), chars).padEnd(length, chars)
}
_.trim = (text, chars) => {
  return typeof chars === 'string' ? _.trimEnd(_.trimStart(text, chars), chars) : _.toString(text).trim()
}
_.trimStart = (text, chars) => {
  const s = _.toString(text)
  if (typeof chars !== 'string') return s.trimStart()
  let from = 0
  while (from < s.length && chars.includes(s[from])) from++
  return s.slice(from)
}
_.trimEnd = (text, chars) => {
  const s = _.toString(text)
  if (typeof chars !== 'string') return s.trimEnd()
  let to = s.length
  while (to > 0 && chars.includes(s[to - 1])) to--
  return s.slice(0, to)
}
_.truncate = (text, options) => {
  const s = _.toString(text), length = options?.length ?? 30, omission = options?.omission ?? '...'
  if (s.length <= length) return s
  const cut = s.slice(0, Math.max(length - omission.length, 0))
  const end = options?.separator === undefined ? -1 : cut.lastIndexOf(options.separator)
  return (end < 0 ? cut : cut.slice(0, end)) + omission
}
_.escape = text => {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return _.toString(text).replace(/[&<>"']/g, c => entities[c])
}
_.unescape = text => {
  const characters = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return _.toString(text).replace(/&(amp|lt|gt|quot|#39);/g, (entity, name) => characters[name])
}
_.escapeRegExp = text => _.toString(text).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

// lodash: functions

_.negate = f => (...args) => !f(...args)
_.flow = (...functions) => {
  const [first, ...rest] = _.flatten(functions)
  return (...args) => first ? rest.reduce((v, f) => f(v), first(...args)) : args[0]
}
_.flowRight = (...functions) => _.flow(_.flatten(functions).reverse())
_.partial = (f, ...args) => (...more) => f(...args, ...more)
_.partialRight = (f, ...args) => (...more) => f(...more, ...args)
_.bind = (f, self, ...args) => (...more) => f(...args, ...more)
_.curry = (f, n) => {
  n ??= f.length
  const next = args => args.length >= n ? f(...args) : (...more) => next([...args, ...more])
  return next([])
}
_.memoize = f => {
  const results = new Map()
  return (...args) => {
    if (!results.has(args[0])) results.set(args[0], f(...args))
    return results.get(args[0])
  }
}
_.once = f => {
  let hasRun = false, v
  return (...args) => {
    if (!hasRun) {
      hasRun = true
      v = f(...args)
    }
    return v
  }
}
_.ary = (f, n) => (...args) => f(...args.slice(0, n))
_.unary = f => v => f(v)
_.nthArg = i => (...args) => args.at(i ?? 0)
_.over = (...functions) => (...args) => _.flatten(functions).map(f => f(...args))
_.overEvery = (...functions) => (...args) => _.flatten(functions).every(f => f(...args))
_.overSome = (...functions) => (...args) => _.flatten(functions).some(f => f(...args))
_.spread = f => args => f(...args)
_.cond = pairs => (...args) => {
  for (const [test, f] of pairs) if (test(...args)) return f(...args)
}
_.wrap = (v, f) => (...args) => f(v, ...args)
_.tap = (v, f) => {
  f(v)
  return v
}
_.thru = (v, f) => f(v)
_.attempt = (f, ...args) => {
  try {
    return f(...args)
  } catch (e) {
    return e
  }
}
