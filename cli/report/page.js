// SPDX-License-Identifier: MIT
// The table of all tests, of which only the rows in view exist, and the sections of tests, which are loaded when they
// are opened. What the tests are comes as calls of 'report' from scripts, as a page that is a file may load no other.
'use strict';
const names = [], shapes = [], scripts = [];
let lower = [];             // a test: its name in lower case; when all are there, one text with a line each
let lineOf;                 // a test: where its line begins
let shapeOf = [];           // a test: its shape
let testsOf;                // a shape: how many tests have it
const loaded = new Map();   // a script: a promise of the sections in it
const arrived = new Map();  // a script: tells that promise
let byName;                 // tests in the order of their names
let order;                  // tests in the order of the table
let visible;                // those that the filters leave
const ids = [];             // what links to a test
const tests = new Map();    // the reverse
const counts = new Map();   // a name: how many tests have it

const report = {
  shape(texts) { shapes.push(texts); },
  rows(list) {
    for (let i = 0; i < list.length; i += 2) {
      const count = (counts.get(list[i]) || 0) + 1, id = count > 1 ? `${list[i]}~${count}` : list[i];
      counts.set(list[i], count);
      tests.set(id, ids.push(id) - 1);
      names.push(list[i]);
      lower.push(list[i].toLowerCase());
      shapeOf.push(list[i + 1]);
    }
  },
  script(first) { scripts.push(first); },
  order(list) { byName = Uint32Array.from(list); },
  section(number, list) { (arrived.get(number) || (sections => loaded.set(number, Promise.resolve(sections))))(list); },
  ready,
};

const table = document.querySelector('table.all'), area = table.parentElement, body = table.tBodies[0];
const form = document.querySelector('form');
const selects = [...form.querySelectorAll('select')];
const found = document.getElementById('found'), each = document.getElementById('each'), openAll = document.getElementById('open');
const headers = [...table.tHead.rows[0].cells];
const collator = new Intl.Collator('en', { numeric: true });
const MOST_OPEN = 100, MOST_PRINTED = 2000, SPARE = 8;
let rowHeight = 28, first = -1, last = -1, rowsDrawn = -1;

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

// ---- links: '#test=NAME', of the second test of a name '#test=NAME~2' ----

function linkOf(test) {
  return '#test=' + encodeURIComponent(ids[test]);
}

function testOf(hash) {
  return tests.get(decodeURIComponent(hash.slice('#test='.length)));
}

// ---- the rows in view: they are made once, and filled anew ----

const pool = [], above = spacer(), below = spacer();

function spacer() {
  const made = element('tr', '', 'spacer');
  made.append(element('td'));
  return made;
}

function size(spacer, rows) {
  spacer.hidden = !rows;
  spacer.firstChild.style.height = `${rows * rowHeight}px`;
}

function row() {
  const made = element('tr'), link = element('a');
  headers.forEach(() => made.append(element('td')));
  made.firstChild.append(link);
  return { made, link, cells: [...made.cells], shape: -1 };
}

function say(cell, text) {
  if (cell.title === text) return;
  cell.textContent = cell.title = text;
  cell.className = classes[text] || '';
}

function fill(row, at) {
  const test = visible[at], shape = shapeOf[test];
  row.test = test;
  row.link.textContent = row.cells[0].title = names[test];
  row.link.href = linkOf(test);
  row.made.ariaRowIndex = at + 2;
  if (shape === row.shape) return;
  row.shape = shape;
  for (let column = 1; column < headers.length; column++) say(row.cells[column], shapes[shape][headers[column].dataset.field]);
}

function draw(from, to) {
  const had = pool.find(row => row.link === document.activeElement), focused = had && had.test;
  while (pool.length < to - from) pool.push(row());
  for (let at = from; at < to; at++) fill(pool[at - from], at);
  size(above, from);
  size(below, visible.length - to);
  const rows = pool.slice(0, to - from);
  if (rowsDrawn !== rows.length) body.replaceChildren(above, ...rows.map(row => row.made), below);
  [first, last, rowsDrawn] = [from, to, rows.length];
  const again = had && rows.find(row => row.test === focused);
  if (again) again.link.focus({ preventScroll: true });
}

function scroll() {
  const from = Math.max(0, Math.floor(area.scrollTop / rowHeight));
  const to = Math.min(visible.length, Math.ceil((area.scrollTop + area.clientHeight) / rowHeight));
  if (from < first || to > last) draw(Math.max(0, from - SPARE), Math.min(visible.length, to + SPARE));
}

// As many rows as the area can have, which is at most as high as the window.
function redraw() {
  area.scrollTop = 0;
  draw(0, Math.min(visible.length, Math.ceil(innerHeight / rowHeight)));
  table.ariaRowCount = visible.length + 1;
  found.textContent = `${visible.length} of ${names.length} tests`;
  openAll.hidden = !visible.length || visible.length > MOST_OPEN;
}

// ---- filter and sort ----

// Which tests have the word in their names: a search in one text takes a fraction of what one in each name would.
function named(word) {
  const has = new Uint8Array(names.length), text = lower, lines = lineOf;
  for (let at = text.indexOf(word), test = 0; at >= 0; at = text.indexOf(word, lines[test])) {
    while (lines[test] <= at) test++;
    has[test - 1] = 1;
  }
  return has;
}

const NO = 0, BY_NAME = 1, YES = 2;

// What a shape says of its tests.
function passes(texts, word) {
  for (const select of selects) {
    const text = texts[select.dataset.field];
    if (select.value && text !== select.value && !text.split(' ').includes(select.value)) return NO;
  }
  return !word || texts.some(text => text.toLowerCase().includes(word)) ? YES : BY_NAME;
}

function filter() {
  const word = form.elements.word.value.toLowerCase(), pass = Uint8Array.from(shapes, texts => passes(texts, word));
  const has = pass.includes(BY_NAME) ? named(word) : new Uint8Array(names.length);
  const left = new Uint32Array(order.length), tests = order, shape = shapeOf;
  let count = 0;
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at];
    if (pass[shape[test]] + has[test] >= YES) left[count++] = test;
  }
  visible = left.subarray(0, count);
  redraw();
}

// The place of each shape among what all say in this column, and how many places there are.
function ranks(field) {
  const texts = [...new Set(shapes.map(shape => shape[field]))].sort(collator.compare);
  const rank = new Map(texts.map((text, at) => [text, at]));
  return [Uint32Array.from(shapes, shape => rank.get(shape[field])), texts.length];
}

// Tests that say the same stay in the order of before: each place begins where those before it end.
function sorted(field) {
  if (field === undefined) return byName;
  const [rank, count] = ranks(field), starts = new Uint32Array(count + 1), tests = order, shape = shapeOf;
  const result = new Uint32Array(tests.length);
  shapes.forEach((_, shape) => { starts[rank[shape] + 1] += testsOf[shape]; });
  for (let i = 0; i < count; i++) starts[i + 1] += starts[i];
  for (let at = 0; at < tests.length; at++) result[starts[rank[shape[tests[at]]]]++] = tests[at];
  return result;
}

function sortBy(header) {
  const down = header.ariaSort === 'ascending';
  for (const other of headers) other.removeAttribute('aria-sort');
  header.ariaSort = down ? 'descending' : 'ascending';
  order = sorted(header.dataset.field);
  if (down) order = order.slice().reverse();
  filter();
}

// A number of the tables of families shows the tests that it counts.
function choose(event) {
  const wanted = event.target.dataset;
  if (!wanted.family) return;
  for (const select of selects) select.value = wanted[select.name] || '';
  form.elements.word.value = '';
  filter();
}

// ---- sections ----

function scriptOf(test) {
  let low = 0, high = scripts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (scripts[middle] <= test) low = middle; else high = middle;
  }
  return low;
}

function load(number) {
  if (!loaded.has(number))
    loaded.set(number, new Promise((done, failed) => {
      const script = element('script');
      arrived.set(number, done);
      script.onerror = failed;
      script.src = `sections/${number}.js`;
      document.head.append(script);
    }));
  return loaded.get(number);
}

async function section(test) {
  const made = element('section', '', 'test'), number = scriptOf(test);
  made.id = linkOf(test).slice(1);
  made.tabIndex = -1;
  try {
    made.innerHTML = (await load(number))[test - scripts[number]];
  } catch (error) {
    made.textContent = `${names[test]}: sections/${number}.js cannot be loaded`;
  }
  return made;
}

// The tests before and after it in the table.
function neighbours(test) {
  const at = visible.indexOf(test), made = element('nav', '', 'neighbours');
  for (const [word, other] of [['previous', visible[at - 1]], ['next', visible[at + 1]]]) {
    if (at < 0 || other === undefined) continue;
    const link = element('a', `${word}: ${names[other]}`);
    link.href = linkOf(other);
    made.append(link, ' ');
  }
  return made;
}

async function open(wanted) {
  const made = await Promise.all(wanted.map(section));
  each.replaceChildren(...made);
  if (wanted.length === 1) made[0].prepend(neighbours(wanted[0]));
  return made;
}

async function follow() {
  const test = location.hash.startsWith('#test=') ? testOf(location.hash) : undefined;
  if (test === undefined) return;
  const [made] = await open([test]);
  made.scrollIntoView();
  made.focus({ preventScroll: true });
}

// ---- all of it ----

// As wide as the longest text; then the columns stand still while the rows change.
function measure() {
  const widest = headers.map((header, column) => column
    ? Math.max(header.textContent.length + 2, ...new Set(shapes.map(texts => texts[header.dataset.field].length)))
    : names.reduce((most, name) => Math.max(most, name.length), 6));
  const columns = [...table.querySelectorAll('col')];
  widest.forEach((width, column) => { columns[column].style.width = `${Math.min(width, 48) + 3}ch`; });
  table.style.width = `${widest.reduce((sum, width) => sum + Math.min(width, 48) + 3, 0)}ch`;
}

function index() {
  shapeOf = Uint32Array.from(shapeOf);
  testsOf = new Uint32Array(shapes.length);
  for (const shape of shapeOf) testsOf[shape]++;
  lineOf = new Uint32Array(names.length + 1);
  lower.forEach((name, test) => { lineOf[test + 1] = lineOf[test] + name.length + 1; });
  lower = lower.join('\n');
}

function ready() {
  index();
  order = Uint32Array.from(names, (_, test) => test);
  collator.compare('a', 'b');  // the first use takes long, and a reader would wait for it
  measure();
  filter();
  if (rowsDrawn) rowHeight = pool[0].made.getBoundingClientRect().height || rowHeight;
  redraw();
  area.addEventListener('scroll', scroll, { passive: true });
  addEventListener('hashchange', follow);
  if (location.hash.startsWith('#test=')) follow();
  else open([...document.querySelectorAll('#attention + ul a')].slice(0, 10).map(link => testOf(link.hash)));
}

for (const families of document.querySelectorAll('table.families')) families.addEventListener('click', choose);
form.addEventListener('input', filter);
form.addEventListener('submit', event => event.preventDefault());
openAll.addEventListener('click', () => open([...visible]));
for (const header of headers) header.firstElementChild.addEventListener('click', () => sortBy(header));
addEventListener('beforeprint', () => draw(0, Math.min(visible.length, MOST_PRINTED)));
addEventListener('afterprint', redraw);
