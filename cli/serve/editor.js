// SPDX-License-Identifier: MIT
// A textarea with what is wrong underlined: behind it lies the same text, of which only the waves are seen.
'use strict';

// Where a line and a unit of UTF-16 in it are in the text, and the reverse.
function offsetOf(text, place) {
  let at = 0;
  for (let line = 0; line < place.line; line++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  const end = text.indexOf('\n', at);
  return Math.min(at + place.character, end < 0 ? text.length : end);
}

function placeOf(text, offset) {
  const before = text.slice(0, offset), start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length - 1, character: offset - start };
}

class Editor {
  constructor(area, list) {
    this.area = area;
    this.back = area.parentNode.querySelector('pre');
    this.list = list;
    this.problems = [];
    area.addEventListener('scroll', () => { this.back.scrollTop = area.scrollTop; this.back.scrollLeft = area.scrollLeft; });
    area.addEventListener('input', () => this.show([])); // what was underlined may stand elsewhere now
  }

  get text() { return this.area.value; }
  set text(value) { this.area.value = value; this.show([]); }
  get place() { return placeOf(this.text, this.area.selectionStart); }

  show(problems) {
    this.problems = problems.map(one => {
      const from = offsetOf(this.text, one.range.start);
      return { ...one, from, to: Math.max(offsetOf(this.text, one.range.end), from) };
    }).sort((a, b) => a.from - b.from);
    this.underline();
    this.list.replaceChildren(...this.problems.map(one => this.row(one)));
  }

  underline() {
    const pieces = [];
    let at = 0;
    for (const one of this.problems) {
      if (one.from < at || one.to <= one.from) continue;
      const mark = document.createElement('mark');
      mark.className = `severity-${one.severity}`;
      mark.textContent = this.text.slice(one.from, one.to);
      pieces.push(this.text.slice(at, one.from), mark);
      at = one.to;
    }
    this.back.replaceChildren(...pieces, this.text.slice(at), '\n');
    this.back.scrollTop = this.area.scrollTop;
    this.back.scrollLeft = this.area.scrollLeft;
  }

  row(problem) {
    const item = document.createElement('li'), button = document.createElement('button');
    button.type = 'button';
    button.className = `severity-${problem.severity}`;
    button.textContent = `${problem.range.start.line + 1}:${problem.range.start.character + 1} ${problem.code || ''} ${problem.message}`;
    button.addEventListener('click', () => this.go(problem));
    item.append(button);
    return item;
  }

  go(problem) {
    this.area.focus();
    this.area.setSelectionRange(problem.from, problem.to);
  }

  // The first problem behind the cursor, or else the first.
  goNext() {
    const at = this.area.selectionEnd;
    const next = this.problems.find(one => one.from >= at) || this.problems[0];
    if (next) this.go(next);
  }

  replace(range, text) {
    const from = offsetOf(this.text, range.start), to = offsetOf(this.text, range.end);
    this.area.setRangeText(text, from, to, 'end');
    this.area.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
