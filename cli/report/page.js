// SPDX-License-Identifier: MIT
// Filters and sorts the table of tests; opens the section a link leads to. Without scripts all is shown.
'use strict';
const table = document.querySelector('table.all');
const rows = [...table.tBodies[0].rows];
const form = document.querySelector('form');
const shown = document.getElementById('shown');

function filter() {
  const word = form.elements.word.value.toLowerCase();
  let count = 0;
  for (const row of rows) {
    const fits = [...form.querySelectorAll('select')].every(select =>
      !select.value || row.dataset[select.name].split(' ').includes(select.value));
    row.hidden = !fits || !row.textContent.toLowerCase().includes(word);
    count += !row.hidden;
  }
  shown.textContent = `${count} of ${rows.length} tests`;
}

function sortBy(header) {
  const column = header.cellIndex;
  const down = header.getAttribute('aria-sort') === 'ascending';
  for (const other of header.parentElement.cells) other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const compare = (a, b) => a.cells[column].textContent.localeCompare(b.cells[column].textContent, 'en', { numeric: true });
  rows.sort((a, b) => down ? compare(b, a) : compare(a, b));
  table.tBodies[0].append(...rows);
}

function open() {
  const section = location.hash && document.getElementById(location.hash.slice(1));
  if (section && section.tagName === 'DETAILS') {
    section.open = true;
    section.scrollIntoView();
  }
}

// A number of the table of families shows the tests that it counts.
function choose(event) {
  const wanted = event.target.dataset;
  if (!wanted.family) return;
  for (const select of form.querySelectorAll('select')) select.value = wanted[select.name] || '';
  form.elements.word.value = '';
  filter();
}

for (const families of document.querySelectorAll('table.families')) families.addEventListener('click', choose);
form.addEventListener('input', filter);
form.addEventListener('submit', event => event.preventDefault());
for (const header of table.tHead.rows[0].cells) header.firstElementChild.addEventListener('click', () => sortBy(header));
addEventListener('hashchange', open);
addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(section => { section.open = true; }));
filter();
open();
