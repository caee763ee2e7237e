(function (names) {
"use strict";
const host = __host, done = __done, parse = JSON.parse, write = JSON.stringify, text = String;
const define = Object.defineProperty, getProto = Object.getPrototypeOf, apply = Reflect.apply, then = Promise.prototype.then;
delete globalThis.__host;
delete globalThis.__done;
for (const f of [function () {}, async function () {}, function* () {}, async function* () {}])
	define(getProto(f), "constructor", {value: undefined});
delete Object.prototype.__proto__;
const kept = {__proto__: null};
for (const name of ["Object", "Array", "String", "Number", "Boolean", "Symbol", "BigInt", "Math", "JSON", "RegExp", "Map", "Set", "WeakMap", "WeakSet",
	"Promise", "Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "EvalError", "URIError", "AggregateError", "InternalError",
	"parseInt", "parseFloat", "isNaN", "isFinite", "NaN", "Infinity", "undefined", "Proxy", "Reflect", "Iterator",
	"encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI", "globalThis"])
	kept[name] = true;
for (const name of Object.getOwnPropertyNames(globalThis))
	if (!kept[name]) delete globalThis[name];
const call = (name, args) => {
	const all = [name];
	for (let i = 0; i < args.length; i++) {
		let v = args[i];
		if (v instanceof RegExp) v = v.source;
		const json = v === undefined || typeof v === "function" || typeof v === "symbol" ? "" : write(v);
		all[i + 1] = json === undefined ? "" : json;
	}
	const result = apply(host, undefined, all);
	return result === "" ? undefined : parse(result);
};
const put = (name, made) => {
	const dot = name.indexOf(".");
	let to = globalThis;
	if (dot >= 0) {
		const outer = name.slice(0, dot);
		if (!Object.hasOwn(globalThis, outer)) define(globalThis, outer, {value: {}, configurable: true});
		to = globalThis[outer];
		name = name.slice(dot + 1);
	}
	define(to, name, made);
};
for (const name of names.Functions || []) put(name, {value: (...args) => call(name, args), configurable: true, writable: true});
const keep = globalThis.define;
if (keep) define(globalThis, "define", {value: (name, v, merge) => {
	const old = keep(name, v, merge);
	define(globalThis, name, {configurable: true, ...(typeof v === "function" ? {value: v} : {get: () => call(name, [])})});
	return old;
}});
for (const name of names.Values || []) put(name, {get: () => call(name, []), configurable: true});
define(Math, "random", {value: () => call("Math.random", [])});
const nothing = () => undefined;
define(globalThis, "console", {value: {log: nothing, warn: nothing, error: nothing, info: nothing, debug: nothing}});
let out = "";
const print = v => {
	if (v === undefined || v === null) return;
	out += text(v);
	if (out.length > names.MaxOutput) throw new InternalError("output");
};
const InternalError = globalThis.InternalError;
const all = (...args) => { for (let i = 0; i < args.length; i++) print(args[i]); };
define(globalThis, "__print", {value: all});
define(globalThis, "print", {value: all});
define(globalThis, "__first", {value: v => print(v)});
define(globalThis, "__check", {configurable: true, value: f => {
	delete globalThis.__check;
	const fail = e => {
		let name = "", message = "";
		try {
			if (typeof e === "object" && e !== null) { name = text(e.name); message = text(e.message); } else message = text(e);
		} catch (x) { message = "an error that cannot be shown"; }
		done("", name.slice(0, 100), message.slice(0, 1000));
	};
	apply(then, f(), [() => done(out), fail]);
}});
})
