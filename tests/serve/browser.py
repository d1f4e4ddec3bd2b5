#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The playground in Chromium, by its keys: the verdict as one types, what is wrong, links, tests, panels, a phone. Prints TAP.

usage: browser.py ROOT PTXLIT"""
import base64
import functools
import pathlib
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from chromium import Missing, chromium  # noqa: E402
from playground import MP, Playground  # noqa: E402
from tap import Skip, run  # noqa: E402
from user import User  # noqa: E402

VERDICT = 'document.querySelector("#verdict").textContent'
FRESH = '!document.querySelector("#verdict").classList.contains("old")'


def says(browser, words):
    return [] if browser.wait(f'{VERDICT}.startsWith({words!r}) && {FRESH}') else [f'{browser.value(VERDICT)!r}, not {words!r}']


def write(browser, text, area='test'):
    """Replaces the text of an editor as if it was pasted."""
    browser.value(f'document.getElementById("{area}").focus(), document.getElementById("{area}").select()')
    browser.type(text)


def verdict_as_one_types(browser, p):
    wrong = [] if browser.go(p.origin) else ['the page does not load']
    wrong += says(browser, 'forbidden by ptx: none of 3')
    write(browser, MP.replace('ld.acquire.gpu', 'ld.relaxed.gpu'))
    wrong += says(browser, 'allowed by ptx: 1 of 4')
    rows = browser.value('[...document.querySelectorAll("#states tr.asked td")].map(cell => cell.textContent)')
    return wrong + ([] if rows and rows[0].strip() == '1:r1=1; 1:r2=0;' and rows[1] == 'yes' else [f'{rows}'])


def what_is_wrong_is_underlined(browser, p):
    write(browser, MP.replace('ld.acquire', 'ld.aquire'))
    wrong = says(browser, 'This cannot be read yet')
    marked = browser.value('document.querySelector(".editor mark").textContent')
    wrong += [] if marked and 'aquire' in marked else [f'{marked!r} is underlined']
    hint = browser.value('document.querySelector("#test-problems button").textContent')
    wrong += [] if 'acquire' in hint.split('hint')[-1] else [hint]
    browser.press('F8')
    chosen = browser.value('test.area.value.slice(test.area.selectionStart, test.area.selectionEnd)')
    wrong += [] if chosen == marked else [f'F8 goes to {chosen!r}']
    same = browser.value('''(() => { const back = document.querySelector(".editor pre"), area = test.area, a = getComputedStyle(back), b = getComputedStyle(area);
        return back.textContent === area.value + "\\n" && ["font", "lineHeight", "paddingLeft", "paddingTop", "tabSize", "letterSpacing"].every(key => a[key] === b[key]); })()''')
    return wrong + ([] if same else ['the waves lie elsewhere than the text'])


def words_are_completed_and_explained(browser, p):
    write(browser, MP.replace('ld.acquire.gpu', 'ld.acq'))
    browser.value('(() => { const at = test.text.indexOf("ld.acq") + 6; test.area.setSelectionRange(at, at); })()')
    browser.press('Control', ' ')
    wrong = [] if browser.wait('!document.querySelector("#items").hidden') else ['nothing is offered']
    browser.press('Enter')
    wrong += [] if browser.wait('test.text.includes("ld.acquire.u32 ")') else [browser.value('test.text')]
    browser.press('F2')
    wrong += [] if browser.wait('document.querySelector("#hover").textContent.includes("9.7.9.8")') else [browser.value('document.querySelector("#hover").textContent')]
    browser.press('Escape')
    return wrong + ([] if browser.value('document.querySelector("#hover").hidden') else ['Esc leaves it there'])


def tests_are_found_and_opened(browser, p):
    browser.press('Control', 'k')
    browser.type('sb fence.sc')
    found = browser.value('[...document.querySelectorAll("#found li")].map(row => row.textContent)')
    wrong = [] if found and all('sb' in one.lower() and 'fence.sc' in one.lower() for one in found) else [f'{found}']
    browser.press('ArrowDown')
    second = browser.value('document.querySelector("#found li[aria-selected=true]").textContent.split(" ")[0]')
    browser.press('Enter')
    wrong += [] if browser.wait(f'test.text.includes({second!r}) && document.querySelector("#corpus").hidden') else [f'{second} is not opened']
    wrong += [] if browser.wait(f'{FRESH} && {VERDICT}.includes("by ptx")') else [browser.value(VERDICT)]
    browser.press('Control', 'k')
    browser.value('document.querySelector("#word").value = ""')
    browser.value('(() => { const box = document.querySelector("#family"); box.value = "iriw"; box.dispatchEvent(new Event("change")); })()')
    families = browser.value('[...new Set([...document.querySelectorAll("#found span")].map(one => one.textContent.split(" ")[0]))]')
    browser.press('Escape')
    return wrong + ([] if families == ['iriw'] else [f'{families}'])


def panels_show_why_a_picture_and_a_run(browser, p):
    write(browser, MP)
    wrong = says(browser, 'forbidden by ptx')
    browser.press('Alt', '2')
    wrong += [] if browser.wait('document.querySelector("#why").textContent.includes("causality: irreflexive")') else ['no explanation']
    for key, panel in (('3', 'picture'), ('4', 'run')):
        browser.press('Alt', key)
        shown = browser.wait(f'(image => image && image.complete && image.naturalWidth > 100)(document.querySelector("#{panel} img"))')
        wrong += [] if shown else [f'{panel}: {browser.value(f"document.getElementById({panel!r}).textContent")!r}']
    browser.press('Alt', '1')
    return wrong + ([] if browser.value('document.querySelector("#picture").hidden && !document.querySelector("#states").hidden') else ['two panels are seen'])


def a_state_is_explained(browser, p):
    write(browser, MP)
    wrong = says(browser, 'forbidden by ptx')
    browser.value('document.querySelectorAll("#states button")[1].click()')
    image = 'document.querySelector("#picture img")'
    wrong += [] if browser.wait(f'!document.querySelector("[aria-busy]") && {image} && {image}.complete') else ['no picture']
    browser.press('Alt', '2')
    words = '(1:r1=0 /\\\\ 1:r2=1) is allowed'
    return wrong + ([] if browser.wait(f'document.querySelector("#why").textContent.includes("{words}")') else [browser.value('document.querySelector("#why").textContent')])


def the_model_is_edited_beside_the_test(browser, p):
    browser.value('document.querySelector("#own").click()')
    wrong = [] if browser.wait('cat.text.includes("causality")') else ['the text of the model is not shown']
    write(browser, '"mine"\nacyclic po | rf as order\n', 'cat')
    wrong += says(browser, 'allowed by model.cat')
    write(browser, '"mine"\nacyclic po | rg as order\n', 'cat')
    wrong += says(browser, 'This cannot be read yet')
    marked = browser.value('document.querySelector("#model-part mark").textContent')
    wrong += [] if marked == 'rg' else [f'{marked!r} is underlined']
    write(browser, '"mine"\nacyclic po | rf as order\nlet mine = co', 'cat')
    browser.press('F2')
    wrong += [] if browser.wait('document.querySelector("#hover").textContent.includes("coherence")') else ['no word is explained']
    browser.press('Escape')
    return wrong


def packed(text):
    """As a link carries it."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(deflate.compress(text.encode()) + deflate.flush()).decode().rstrip('=')


def a_link_carries_test_and_model(browser, p):
    write(browser, '"mine"\n(* ä 𝄞 *) acyclic po | rf as order\n', 'cat')
    wrong = says(browser, 'allowed by model.cat')
    texts = browser.value('[test.text, cat.text]')
    browser.value('document.querySelector("#share").click()')
    wrong += [] if browser.wait('location.hash.startsWith("#1")') else ['no link']
    link = browser.value('location.hash')
    with Playground() as other:
        browser.go(f'{other.origin}/{link}')
        wrong += says(browser, 'allowed by model.cat')
        wrong += [] if browser.value('[test.text, cat.text]') == texts else ['the texts differ in another playground']
        browser.value('location.hash = "#1damaged"')
        wrong += [] if browser.wait(f'{VERDICT}.includes("damaged")') else ['a damaged link']
        for words, bad in (('damaged', '#1damaged'), ('too long', '#1' + packed('{"test": "' + 'a' * (1 << 24) + '"}'))):
            browser.go(f'{other.origin}/{bad}')
            wrong += [] if browser.wait(f'{VERDICT}.includes("{words}")') else [f'a page that is opened with a link that is {words}']
        return wrong + ([] if len(link) < 800 else [f'{len(link)} letters'])


def a_phone_shows_all_of_it(browser, p):
    wrong = []
    browser.size(360, 740)
    browser.go(p.origin)
    wrong += says(browser, 'forbidden by ptx')
    wide = 'document.documentElement.scrollWidth > innerWidth'
    for keys in ((), ('Control', 'k'), ('Alt', '2'), ('Alt', '3'), ('Alt', '4')):
        if keys:
            browser.press(*keys)
            browser.wait('document.querySelectorAll("[aria-busy]").length === 0')
        wrong += [f'{keys}: wider than the screen'] if browser.value(wide) else []
    browser.value('document.querySelector("#own").click()')
    wrong += ['the model: wider than the screen'] if browser.value(wide) else []
    small = browser.value('[...document.querySelectorAll("header button, header select")].filter(one => one.offsetHeight < 30).length')
    browser.size(1200, 900)
    return wrong + ([f'{small} buttons are too small for a finger'] if small else [])


def everything_is_reached_by_tab(browser, p):
    browser.go(p.origin)
    wrong = says(browser, 'forbidden by ptx')
    browser.value('document.querySelector("#test").focus()')
    reached = []
    for _ in range(30):
        browser.press('Tab')
        reached.append(browser.value('document.activeElement.id'))
    wanted = {'model', 'own', 'share', 'browse', 'help-button', 'test', 'tab-states', 'states'}
    return wrong + [f'{one} is not reached' for one in sorted(wanted - set(reached))]


def nothing_complains(browser, p):
    unlabelled = browser.value('[...document.querySelectorAll("input, textarea, select, button")].filter(one => !one.labels?.length && !one.textContent.trim()).map(one => one.id)')
    return browser.complaints + [f'{one} has no label' for one in unlabelled]


CHECKS = [verdict_as_one_types, what_is_wrong_is_underlined, words_are_completed_and_explained, tests_are_found_and_opened, panels_show_why_a_picture_and_a_run,
          a_state_is_explained, the_model_is_edited_beside_the_test, a_link_carries_test_and_model, a_phone_shows_all_of_it, everything_is_reached_by_tab, nothing_complains]


def missing(why):
    """In place of a check, where there is no browser."""
    def skip(*_):
        raise Skip(why)
    return skip


with Playground() as playground:
    try:
        with chromium() as page:
            user = User(page)
            user.size(1200, 900)
            run(CHECKS, user, playground)
    except Missing as why: # before the first check
        skipped = [functools.wraps(check)(missing(str(why))) for check in CHECKS]
        run(skipped)
