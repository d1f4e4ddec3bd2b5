# SPDX-License-Identifier: MIT
"""What can happen to a run of ptxlit: its surroundings are short of something, or it and its workers are killed."""
import os
import pathlib
import resource
import signal
import subprocess
import time

LONGEST = 60  # seconds that a run may take before it counts as one that never ends


class Wrong(Exception):
    """What a run did that it must not do."""


def need(condition, *words):
    if not condition:
        raise Wrong(' '.join(str(word) for word in words))


class Fault:
    """One run and what happens to it."""
    words = 'nothing'      # what a test that it cost says
    ends = ()              # signals, as negative statuses, and others that the run may end by
    mount = None           # options of a small file system for the report
    unwritable = False     # nothing can come of the report's folder
    silent = False         # standard error may be cut off too
    deaf = False           # the reader goes away, maybe after all was written
    runs = ('check', 'run', 'compare', 'report', 'merge')

    def __init__(self, program, name, dice, folder):
        self.program, self.name, self.dice, self.folder = program, name, dice, folder
        self.out, self.stdout = folder / 'out', folder / 'stdout'
        self.detail, self.options = '', []

    def prepare(self):
        """In the process, before the program begins."""

    def act(self, process):
        """While it runs."""

    def command(self):
        jobs = self.dice.choice((1, 2, 4, 8))
        command = self.program.command(self.name, self.out, jobs)
        return [self.program.ptxlit, command[0], *self.options, *command[1:]]

    def start(self):
        with open(self.stdout, 'ab') as out, open(self.folder / 'stderr', 'wb') as err:
            return subprocess.Popen(self.command(), stdout=out, stderr=err, preexec_fn=self.prepare)

    def moment(self):
        """A random one of the run's time."""
        seconds = self.dice.random() * self.program.seconds[self.name] * 1.3
        self.detail += f' after {seconds:.3f} s'
        time.sleep(seconds)

    def run(self):
        process = self.start()
        try:
            self.act(process)
            return process.wait(LONGEST)
        except subprocess.TimeoutExpired as never:
            raise Wrong('it does not end') from never
        finally:
            process.kill()
            process.wait()

    def said(self):
        return (self.folder / 'stderr').read_bytes().decode('utf-8', 'replace')


class Killed(Fault):
    ends = (-signal.SIGKILL,)

    def act(self, process):
        self.moment()
        process.send_signal(-self.ends[0])


class Terminated(Killed):
    ends = (-signal.SIGTERM,)


def workers(process):
    try:
        text = pathlib.Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text()
    except OSError:
        return []
    return [int(child) for child in text.split()]


class WorkerKilled(Fault):
    runs = ('check', 'run', 'compare', 'report')
    words, sent = 'killed: somebody', signal.SIGKILL

    def act(self, process):
        self.moment()
        for _ in range(self.dice.choice((1, 1, 3, 20))):
            for worker in workers(process)[:self.dice.choice((1, 8))]:
                try:
                    os.kill(worker, self.sent)
                except ProcessLookupError:
                    pass
            time.sleep(0.004)


class WorkerCrashed(WorkerKilled):
    words, sent = 'a defect of ptxlit: Segmentation fault', signal.SIGSEGV


class WorkerStopped(WorkerKilled):
    words, sent = 'time: more than 1 s', signal.SIGSTOP

    def __init__(self, *rest):
        super().__init__(*rest)
        self.options = ['--timeout', '1']


class NoMoreDescriptors(WorkerKilled):
    """Workers die, and others cannot be started: from then on, or until they can be again."""
    words = 'killed: somebody|Too many open files'

    def act(self, process):
        try:
            before = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
            super().act(process)
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (self.dice.randint(3, 5), before[1]))
            super().act(process)
            if self.dice.random() < 0.3:
                time.sleep(0.3)
                resource.prlimit(process.pid, resource.RLIMIT_NOFILE, before)
        except (ProcessLookupError, PermissionError):  # it has ended
            pass


class FullOutput(Fault):
    def __init__(self, *rest):
        super().__init__(*rest)
        self.stdout = pathlib.Path('/dev/full')


class BrokenPipe(Fault):
    deaf = True
    ends = (-signal.SIGPIPE,)

    def start(self):
        with open(self.folder / 'stderr', 'wb') as err:
            return subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=err)

    def act(self, process):
        got = process.stdout.read(self.dice.choice((0, 1, 500, 5000)))
        process.stdout.close()
        self.stdout.write_bytes(got)


class SmallFiles(Fault):
    silent = True

    def prepare(self):
        most = self.dice.choice((0, 1, 4096, self.dice.randint(0, 400000)))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


class Closed(Fault):
    silent = True

    def prepare(self):
        for fd in self.dice.choice(((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))):
            os.close(fd)


class FewDescriptors(Fault):
    words, ends = 'Too many open files|cannot list', (127,)

    def prepare(self):
        most = self.dice.randint(3, 16)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class LittleMemory(Fault):
    words, ends = 'memory|Cannot allocate', (127, -signal.SIGTRAP, -signal.SIGABRT)

    def prepare(self):
        most = self.dice.randint(60, 400) << 20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


class FullDisk(Fault):
    runs = ('report', 'merge')

    def __init__(self, *rest):
        super().__init__(*rest)
        self.mount = f'size={self.dice.randint(4, 900)}k'
        self.detail = f' {self.mount}'


class ReadOnly(Fault):
    runs, mount, unwritable = ('report', 'merge'), 'size=1m,ro', True


class NoFolder(Fault):
    runs, unwritable = ('report', 'merge'), True

    def __init__(self, *rest):
        super().__init__(*rest)
        (self.folder / 'file').write_text('')
        self.out = self.folder / 'file' / 'out'


class TwoRuns(Fault):
    runs = ('report', 'merge')

    def act(self, process):
        time.sleep(self.dice.random() * self.program.seconds[self.name])
        other = subprocess.run(self.command(), capture_output=True, timeout=LONGEST)
        refused = other.returncode == 2 and b'another run' in other.stderr
        need(other.returncode == 0 or refused, 'the second run:', other.returncode, other.stderr)


KINDS = (Killed, Terminated, WorkerKilled, WorkerCrashed, WorkerStopped, NoMoreDescriptors, FullOutput, BrokenPipe, SmallFiles,
         Closed, FewDescriptors, LittleMemory, FullDisk, ReadOnly, NoFolder, TwoRuns)
