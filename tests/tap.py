# SPDX-License-Identifier: MIT
"""Runs the checks of a test and prints TAP. A check is a function that gives a list of what is wrong."""
import sys


class Skip(Exception):
    """Raised by a check that cannot be made here; says why."""


def one(number, name, check):
    """Is it well, or left out?"""
    try:
        wrong = check()
    except Skip as why:
        print(f'ok {number} {name} # SKIP {why}', flush=True)
        return True
    except Exception as error: # one check that cannot be made is one that fails
        wrong = [f'{type(error).__name__}: {error}']
    print(f'{"not ok" if wrong else "ok"} {number} {name}', flush=True)
    for line in wrong[:10]:
        print(f'# {str(line)[:400]}')
    return not wrong


def run(checks, *given):
    """Runs each check with what is given; its name says what it is about. Exits with status 1 when one fails."""
    print(f'TAP version 13\n1..{len(checks)}')
    well = [one(number, check.__name__.replace('_', ' '), lambda check=check: check(*given)) for number, check in enumerate(checks, 1)]
    sys.exit(not all(well))
