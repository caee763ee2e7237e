// Times the world info scan of SillyTavern on the books of BenchmarkScanPeer, see worldbook/peer_test.go.
//
//	npm install --ignore-scripts --prefix FOLDER sillytavern@1.19.0
//	node .ci/sillytavern/scan.mjs FOLDER/node_modules/sillytavern
//
// The scan is the program's own file world-info.js, unchanged. Its other modules are replaced: macros are
// {{user}} and {{char}} only, a token is four characters, events and the page do nothing. So the times leave
// out what these modules cost. Each line of the output is: entries/messages/set-up, activations, median ms.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

const scripts = pathToFileURL(process.argv[2] + '/public/scripts/');
const real = ['world-info.js', 'utils.js', 'constants.js', 'util/StructuredCloneMap.js'];
const names = {}; // by specifier: what the real modules import
for (const file of real.slice(0, 2)) {
    for (const m of readFileSync(new URL(file, scripts), 'utf8').matchAll(/^import\s+(?:\{([^}]*)\}|(\w+))\s+from\s+'([^']+)'/gm)) {
        const list = m[1] ? m[1].split(',').map(name => name.trim().split(/\s+as\s+/)[0]).filter(Boolean) : ['default'];
        (names[m[3].replace(/^.*?([\w-]+\.js)$/, '$1')] ??= new Set()).add(list);
    }
}
const hooks = `
let real, names;
export const initialize = data => ({ real, names } = data);
export async function resolve(specifier, context, next) {
    if (!context.parentURL?.includes('/public/scripts/')) return next(specifier, context);
    const url = new URL(specifier, context.parentURL).href;
    if (real.some(file => url.endsWith('/scripts/' + file))) return { url, shortCircuit: true };
    return { url: 'stub:' + specifier.replace(/^.*?([\\w-]+\\.js)$/, '$1'), shortCircuit: true };
}
export async function load(url, context, next) {
    if (!url.startsWith('stub:')) return next(url, { ...context, format: url.includes('/public/scripts/') ? 'module' : context.format });
    const source = (names[url.slice(5)] ?? []).map(name => name === 'default' ? 'export default stub("default");'
        : 'export const ' + name + ' = stub("' + name + '");').join('\\n');
    return { format: 'module', source: 'const stub = globalThis.stub;\\n' + source, shortCircuit: true };
}`;
register('data:text/javascript,' + encodeURIComponent(hooks), {
    data: { real, names: Object.fromEntries(Object.entries(names).map(([file, lists]) => [file, [...new Set([...lists].flat())]])) },
});

// A value that accepts every use, and the values that the scan needs.
const anything = new Proxy(function () { }, {
    get: (_, key) => key === Symbol.toPrimitive ? () => '' : key === Symbol.iterator ? function* () { } : key === 'then' ? undefined : anything,
    apply: () => anything, construct: () => anything, set: () => true,
});
const values = {
    substituteParams: text => text.replace(/{{user}}/gi, 'User').replace(/{{char}}/gi, 'Char'),
    getRegexedString: text => text, getTokenCountAsync: async text => text.length / 4, getExtensionPromptByName: () => '',
    chat_metadata: {}, characters: [], this_chid: undefined, name1: 'User', power_user: {}, extension_settings: { note: {} }, metadata_keys: {},
    shouldWIAddPrompt: false, eventSource: { emit: async () => { }, on: () => { } }, getTagKeyForEntity: () => undefined,
    getContext: () => ({ extensionPrompts: {}, chatMetadata: {}, characters: [] }), getCurrentChatId: () => 'chat', collapseNewlines: text => text,
    accountStorage: { getItem: () => null }, groups: [], selected_group: null, t: String.raw, user_avatar: '',
};
globalThis.stub = name => name in values ? values[name] : anything;
for (const name of ['$', 'jQuery', 'window', 'document', 'toastr', 'localStorage']) {
    globalThis[name] = anything;
}
const print = console.log;
for (const name of ['log', 'debug', 'info', 'warn']) {
    console[name] = () => { };
}

const wi = await import(new URL('world-info.js', scripts));
const consonants = 'bdfghjklmnprstvz', vowels = 'aeiou';
const fillers = ('the and then with from into over under again slowly quiet voice night road hand eyes water stone fire door light before after could ' +
    'would they she his that this walked looked waited turned heard asked said thought away still').split(' ');

// book makes the book and the chat of generator st-perf/2.
function book(entries, messages, regex, recursion) {
    let x = 12345;
    const int = n => { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; return (x >>> 0) % n; };
    const word = () => {
        let w = '';
        for (let n = 3 + int(2); n > 0; n--) {
            const k = int(80);
            w += consonants[Math.floor(k / 5)] + vowels[k % 5];
        }
        return w;
    };
    const pick = () => fillers[int(40)];
    const literals = [], list = {};
    for (let i = 0; i < entries; i++) {
        const key = [];
        literals.push([]);
        for (let j = 0; j < 5; j++) {
            let w = word();
            if (int(10) < 3) w += ' ' + word();
            literals[i].push(w);
            if (regex && j === 4) {
                w = [`/\\b${w}(?:s|ed|ing)?\\b/i`, `/(?:^|\\W)${w}[a-z]{0,3}/`, `/${w}\\s+\\w+/i`, `/[${w[0]}${w[0].toUpperCase()}]${w.slice(1)}|${w}ly/`][i % 4];
            }
            key.push(w);
        }
        list[i] = { ...structuredClone(wi.newWorldInfoEntryTemplate), uid: i, key, order: 100, position: 0 };
    }
    for (let i = 0; i < entries; i++) {
        const words = Array.from({ length: 35 }, pick);
        if (recursion && int(3) === 0) words.push(literals[int(entries)][int(5)]);
        list[i].content = words.join(' ') + '.';
    }
    const chat = [];
    for (let i = 0; i < messages; i++) {
        let text = '';
        while (text.length < 400) {
            text += (text ? ' ' : '') + (int(20) === 0 ? literals[int(entries)][int(5)] : pick());
        }
        chat.push(`${['User', 'Char'][i % 2]}: ${text}.`);
    }
    return [list, chat.reverse()]; // the newest first
}

for (const entries of (process.argv[3] ?? '100,1000,10000').split(',').map(Number)) {
    for (const messages of [4, 100]) {
        for (const setup of ['plain', 'whole', 'regex', 'recursion']) {
            const [list, chat] = book(entries, messages, setup === 'regex', setup === 'recursion');
            const name = `${entries}/${messages}/${setup}`;
            wi.worldInfoCache.set(name, { entries: list });
            wi.setWorldInfoSettings({ world_info: [name], world_info_depth: messages, world_info_budget: 100, world_info_include_names: true,
                world_info_recursive: setup === 'recursion', world_info_match_whole_words: setup === 'whole' }, {});
            let activated = 0;
            const scan = async () => { activated = (await wi.checkWorldInfo(chat, 1e9, true, {})).allActivatedEntries.size; };
            const times = [];
            const limit = performance.now() + 4000;
            await scan();
            while (times.length < 3 || performance.now() < limit && times.length < 200) {
                const begin = performance.now();
                await scan();
                times.push(performance.now() - begin);
                if (performance.now() > limit + 60000) break;
            }
            times.sort((a, b) => a - b);
            print(`${name} ${activated} ${times[Math.floor(times.length / 2)].toFixed(3)}`);
        }
    }
}
process.exit(0);
