// SPDX-License-Identifier: MIT
// The playground: asks about the texts as they change, and shows what is answered.
'use strict';

const $ = id => document.getElementById(id);
const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), n => n.toString(36)).join('');
const test = new Editor($('test'), $('test-problems')), cat = new Editor($('cat'), $('cat-problems'));
const tabs = [...document.querySelectorAll('[role=tab]')];
const PAUSE = 250; // milliseconds after the last key
const START = `PTX mp
"Reads the flag but not the data"
{ x = 0; flag = 0; }
 P0@cta 0,gpu 0         | P1@cta 1,gpu 0          ;
 st.weak x, 1           | ld.acquire.gpu r0, flag ;
 st.release.gpu flag, 1 | ld.weak r1, x           ;
exists (1:r0=1 /\\ 1:r1=0)
`;

function element(name, text, more = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...more });
}

// ---- questions

let round = 0; // of the texts as they are now
const asking = {}; // question: what ends it; the server drops it too when the page asks again

async function ask(question, more = {}) {
  if (asking[question]) asking[question].abort();
  const { signal } = asking[question] = new AbortController();
  const body = { test: about(), model: $('model').value, cat: ownModel() ? cat.text : '', ...more };
  try {
    const answer = await fetch(`/${question}`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Page': page }, body: JSON.stringify(body), signal });
    const said = await answer.json();
    if (answer.status === 429 || answer.status === 503) said.again = true;
    return said;
  } catch (error) {
    return error.name === 'AbortError' ? { dropped: true } : { error: 'the server does not answer' };
  }
}

// The test, or the same with the state that is looked at in place of its question (what stands before that is 'exists', or 'forall').
let looked = null, question = null;
function about() {
  if (!looked || !question) return test.text;
  const condition = looked.split(';').map(word => word.trim()).filter(Boolean).join(' /\\ ');
  const from = offsetOf(test.text, question.start), to = offsetOf(test.text, question.end);
  const before = test.text.slice(0, from).replace(/\bforall([\s(]*)$/, 'exists$1');
  return `${before}${from === to ? '\nexists ' : ''}(${condition})${test.text.slice(to)}`;
}

const ownModel = () => !$('model-part').hidden;

// ---- the verdict and the states

function showVerdict(words, kind) {
  $('verdict').textContent = words;
  $('verdict').className = kind;
}

function stateTable(said) {
  const table = element('table'), head = element('tr');
  head.append(element('th', 'final state'), element('th', 'condition'), element('th', 'data race'));
  table.append(head);
  for (const state of said.states) {
    const row = element('tr', '', { className: state.condition ? 'asked' : '' });
    const name = element('td'), button = element('button', state.text || '(no value is asked for)', { type: 'button', title: 'Show how it is reached' });
    button.addEventListener('click', () => lookAt(state.text));
    name.append(button);
    row.append(name, element('td', state.condition ? 'yes' : 'no'), element('td', state.race === null ? 'unknown' : state.race ? 'yes' : 'no'));
    table.append(row);
  }
  return table;
}

// The explanation, the picture and the run are about this state from now on.
function lookAt(state) {
  looked = state || null;
  round++;
  choose(tabs[2]);
}

function showCheck(said) {
  question = said.place || null;
  test.show(said.problems || []);
  cat.show(said.model_problems || []);
  const wrong = (said.problems || []).concat(said.model_problems || []).some(one => one.severity === 1);
  $('states').replaceChildren();
  $('asked').textContent = said.question || '';
  if (said.error) showVerdict(said.error, 'undecided');
  else if (!said.result) showVerdict(wrong ? 'This cannot be read yet: see below the text.' : 'There is no test yet.', 'error');
  else {
    showVerdict(said.title, said.result.verdict === 'undecided' ? 'undecided' : said.title.split(' ')[0].replace(':', ''));
    $('states').append(stateTable(said), element('pre', said.remarks));
  }
  return Boolean(said.result);
}

// ---- the other panels: asked for when they are seen

const shown = {}; // panel: the round of what it shows
const panels = {
  why: async () => {
    const said = await ask('explain');
    return !said.dropped && [element('pre', said.explanation || said.error || 'There is nothing to explain.')];
  },
  picture: async () => {
    const said = await ask('explain');
    return !said.dropped && picture(said, `${$('asked').textContent}: ${$('verdict').textContent}`);
  },
  run: async () => {
    const seed = Number($('run').dataset.seed || 1), said = await ask('timeline', { seed });
    if (said.dropped) return null;
    const words = said.svg && (said.reached ? `A run that ends as asked, one of ${said.runs} that were tried.` : `None of ${said.runs} runs ends as asked; this is the first.`);
    const again = element('button', 'Another run', { type: 'button' });
    again.addEventListener('click', () => { $('run').dataset.seed = seed + 1; shown.run = -1; showPanel(); });
    return [element('p', words || ''), again, ...picture(said, 'A run of the executor, lane by lane')];
  },
};

function picture(said, words) {
  if (!said.svg) return [element('p', said.error || (said.no_picture && `No picture: ${said.no_picture}`) || 'There is nothing to draw.')];
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(said.svg)}`;
  const link = element('a', 'Save the picture', { href: source, download: 'ptxlit.svg' });
  const image = element('img', '', { src: source, alt: words });
  // One that is a little too wide is made smaller; a larger one could not be read then, and scrolls.
  image.addEventListener('load', () => image.classList.toggle('fits', image.naturalWidth < 1.4 * image.parentNode.clientWidth));
  const line = element('p');
  line.append(link);
  return [image, line];
}

async function showPanel() {
  const chosen = tabs.find(tab => tab.getAttribute('aria-selected') === 'true').getAttribute('aria-controls');
  if (!panels[chosen] || shown[chosen] === round) return;
  const mine = shown[chosen] = round;
  $(chosen).setAttribute('aria-busy', 'true');
  const parts = await panels[chosen]();
  if (!parts || shown[chosen] !== mine) return; // another text was asked about
  $(chosen).replaceChildren(...parts);
  $(chosen).removeAttribute('aria-busy');
}

function choose(tab) {
  for (const other of tabs) {
    other.setAttribute('aria-selected', String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
    $(other.getAttribute('aria-controls')).hidden = other !== tab;
  }
  showPanel();
}

for (const [number, tab] of tabs.entries()) {
  tab.addEventListener('click', () => choose(tab));
  tab.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(number + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
}

// ---- as one types

async function check() {
  const mine = ++round;
  looked = null;
  $('verdict').classList.add('old');
  const said = await ask('check');
  if (mine !== round || said.dropped) return;
  if (said.again) { setTimeout(() => mine === round && check(), 3000); showVerdict(said.error, 'undecided'); return; }
  showCheck(said);
  showPanel();
}

let timer = 0;
function changed() {
  clearTimeout(timer);
  hideWords();
  $('verdict').classList.add('old');
  timer = setTimeout(check, PAUSE);
}
for (const editor of [test, cat]) editor.area.addEventListener('input', changed);
$('model').addEventListener('change', async () => { if (ownModel()) await loadModel(); check(); });

async function loadModel() {
  const name = $('model').value || 'ptx';
  cat.text = await (await fetch(`/models/${encodeURIComponent(name)}`)).text();
}

function showModel(on) {
  $('model-part').hidden = !on;
  $('own').setAttribute('aria-pressed', String(on));
  document.querySelector('.texts').classList.toggle('two', on);
}
$('own').addEventListener('click', async () => {
  showModel(!ownModel());
  if (ownModel() && !cat.text) await loadModel();
  check();
});

// ---- words: what one means, and what may follow

function hideWords() { $('hover').hidden = $('items').hidden = true; }

function placeBelow(box, area) {
  const at = area.getBoundingClientRect(), line = placeOf(area.value, area.selectionStart).line;
  box.style.left = `${at.left + scrollX + 8}px`;
  box.style.top = `${Math.min(at.bottom, at.top + (line + 1.6) * 20 - area.scrollTop) + scrollY}px`;
}

async function explainWord() {
  const editor = chosenEditor(), said = await ask('hover', { test: test.text, ...editor.place, of: editor.area.id });
  hideWords();
  $('hover').textContent = said.hover ? said.hover.contents.value.replace(/\*\*|`/g, '').replace(/\[(\w+)\]\([^)]*\)/g, '$1') : 'Nothing is known of this word.';
  $('hover').hidden = false;
  placeBelow($('hover'), editor.area);
}

const chosenEditor = () => (document.activeElement === cat.area ? cat : test);

let items = [], item = 0, completing = test;
async function completeWord() {
  completing = chosenEditor();
  const said = await ask('complete', { test: test.text, ...completing.place, of: completing.area.id });
  items = said.items || [];
  hideWords();
  if (!items.length) return;
  $('items').replaceChildren(...items.map((one, number) => {
    const row = element('li', `${one.label} `, { id: `item-${number}` });
    row.setAttribute('role', 'option');
    row.append(element('span', one.detail));
    row.addEventListener('click', () => take(number));
    return row;
  }));
  $('items').hidden = false;
  placeBelow($('items'), completing.area);
  mark($('items'), item = 0);
}

function take(number) {
  hideWords();
  completing.replace(items[number].textEdit.range, items[number].textEdit.newText);
  completing.area.focus();
}

function mark(list, number) {
  [...list.children].forEach((row, at) => row.setAttribute('aria-selected', String(at === number)));
  if (list.children[number]) list.children[number].scrollIntoView({ block: 'nearest' });
}

function keyInEditor(event) {
  if ($('items').hidden) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) mark($('items'), item = (item + step + items.length) % items.length);
  else if (event.key === 'Enter' || event.key === 'Tab') take(item);
  else return;
  event.preventDefault();
}
for (const editor of [test, cat]) editor.area.addEventListener('keydown', keyInEditor);

// ---- the tests to browse

let corpus = [], found = [], chosen = 0;
const MOST_SHOWN = 200;

function search() {
  const words = $('word').value.toLowerCase().split(/\s+/).filter(Boolean), family = $('family').value;
  found = corpus.filter(one => (!family || one.family === family) && words.every(word => one.text.includes(word)));
  $('found').replaceChildren(...found.slice(0, MOST_SHOWN).map(one => {
    const row = element('li', `${one.name} `);
    row.setAttribute('role', 'option');
    row.append(element('span', `${one.family} — ${one.about}`));
    row.addEventListener('click', () => open(one));
    return row;
  }));
  $('found-count').textContent = found.length > MOST_SHOWN ? `${found.length} tests, the first ${MOST_SHOWN} are shown` : `${found.length} tests`;
  mark($('found'), chosen = 0);
}

async function open(one) {
  test.text = await (await fetch(`/corpus/${one.number}`)).text();
  showCorpus(false);
  test.area.focus();
  test.area.setSelectionRange(0, 0);
  check();
}

function showCorpus(on) {
  $('corpus').hidden = !on;
  $('browse').setAttribute('aria-expanded', String(on));
  if (on) { search(); $('word').focus(); $('word').select(); }
}
$('browse').addEventListener('click', () => showCorpus($('corpus').hidden));
$('word').addEventListener('input', search);
$('family').addEventListener('change', search);
$('word').addEventListener('keydown', event => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], shownRows = Math.min(found.length, MOST_SHOWN);
  if (step && shownRows) mark($('found'), chosen = (chosen + step + shownRows) % shownRows);
  else if (event.key === 'Enter' && found[chosen]) open(found[chosen]);
  else return;
  event.preventDefault();
});

// ---- a link that carries the texts

const MOST_LINK_BYTES = 1 << 20; // a few bytes of deflate can stand for any number

async function bytesThrough(stream, bytes) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const parts = [], reader = stream.readable.getReader();
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > MOST_LINK_BYTES) throw new RangeError('too long');
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const toText = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const toBytes = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), letter => letter.charCodeAt(0));

// "#1" and what deflate makes of the JSON; a later form gets another number.
async function linkOf() {
  const texts = { test: test.text, model: $('model').value, ...(ownModel() ? { cat: cat.text } : {}) };
  const packed = await bytesThrough(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(texts)));
  return `#1${toText(packed)}`;
}

const isLink = () => location.hash.startsWith('#1');

async function openLink() {
  try {
    const bytes = await bytesThrough(new DecompressionStream('deflate-raw'), toBytes(location.hash.slice(2)));
    const texts = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof texts.test !== 'string') throw new TypeError('no test');
    test.text = texts.test;
    $('model').value = [...$('model').options].some(one => one.value === texts.model) ? texts.model : '';
    showModel(typeof texts.cat === 'string');
    cat.text = typeof texts.cat === 'string' ? texts.cat : '';
  } catch (error) {
    showVerdict(error instanceof RangeError ? 'The test in the link is too long.' : 'The link is damaged.', 'error');
    return;
  }
  await check();
}
$('share').addEventListener('click', async () => {
  history.replaceState(null, '', await linkOf());
  let words = 'The address of this page has the test now.';
  try {
    await navigator.clipboard.writeText(location.href);
    words = 'The link is in the clipboard, and in the address of this page.';
  } catch (error) { /* a browser may forbid it: the address has it */ }
  $('asked').textContent = words;
});
addEventListener('hashchange', () => { if (isLink()) openLink(); });

// ---- keys

$('help-button').addEventListener('click', () => {
  $('help').hidden = !$('help').hidden;
  $('help-button').setAttribute('aria-expanded', String(!$('help').hidden));
});

addEventListener('keydown', event => {
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key === 'k') showCorpus(true);
  else if (control && event.key === 'Enter') check();
  else if (control && event.key === ' ' && event.target.matches('textarea')) completeWord();
  else if (event.key === 'F2' && event.target.matches('textarea')) explainWord();
  else if (event.key === 'F8') (chosenEditor() === test && !test.problems.length && cat.problems.length ? cat : chosenEditor()).goNext();
  else if (event.altKey && tabs[Number(event.key) - 1]) choose(tabs[Number(event.key) - 1]);
  else if (event.key === 'Escape') { hideWords(); showCorpus(false); test.area.focus(); }
  else return;
  event.preventDefault();
});

// ---- the start

async function start() {
  const [models, tests] = await Promise.all(['/models', '/corpus'].map(async path => (await fetch(path)).json()));
  for (const model of models) $('model').append(element('option', model.name, { value: model.name, title: model.summary }));
  corpus = tests.map((one, number) => ({ ...one, number, text: `${one.name} ${one.family} ${one.about}`.toLowerCase() }));
  for (const family of [...new Set(corpus.map(one => one.family))].sort()) $('family').append(element('option', family, { value: family }));
  if (isLink()) return openLink();
  test.text = START;
  return check();
}
start();
