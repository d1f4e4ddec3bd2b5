#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples of docs/spread, for real: a report and enumerations in shards with GNU parallel and as a Slurm array (a
cluster of this machine alone, started here). The worker of one shard is killed on the way, and the merged report is the
one of a single run, byte for byte; the shards of an enumeration have what one run has. Prints TAP.

usage: spread.py ROOT PTXLIT"""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from enumeration import ENUMERATIONS, environment, wrong_with
from tools import PTXLIT, ROOT, Skip, children_of, differences, main, report

TESTS = ['litmus/corpus/host']
SHARDS = 3
ENVIRONMENT = {**os.environ, 'PATH': f'{pathlib.Path(PTXLIT).resolve().parent}:{os.environ["PATH"]}'}


def wait_for(what, seconds, why):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.005)
    raise TimeoutError(why)


def program_of(shard):
    """The process that works on the shard in this folder: the parent of its workers."""
    for process in pathlib.Path('/proc').glob('[0-9]*'):
        with contextlib.suppress(OSError):
            words = (process / 'cmdline').read_bytes().split(b'\0')
            if str(shard).encode() in words and words[1:2] == [b'report'] and \
                    children_of(process.name):
                return int(process.name)
    return None


def kill_worker(shard):
    """In the middle of its work, with some of it done."""
    process = wait_for(lambda: program_of(shard), 120, f'nobody works on {shard.name}')
    journal = shard / 'journal.jsonl'
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b'\n') > 3 or (shard / 'report.json').exists(), 120, 'nothing gets done')
    os.kill(process, signal.SIGSTOP)
    midway = journal.exists() and not (shard / 'report.json').exists()
    os.kill(process, signal.SIGKILL)
    if not midway:
        raise Skip(f'{shard.name} was done before it could be killed')


def same_as_one_run(scratch, out):
    one = scratch / 'one'
    report(one, *TESTS)
    return differences(one, out)


def gnu_parallel(scratch):
    if not shutil.which('parallel'):
        raise Skip('no parallel')
    out, wrong = scratch / 'out', []
    with subprocess.Popen([ROOT / 'docs/spread/parallel.sh', str(SHARDS), out, *TESTS], cwd=ROOT, env=ENVIRONMENT, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
        kill_worker(out / 'shard2')
        said, _ = run.communicate(timeout=250)
    if 'tests were done before' not in said:
        wrong.append(f'the second try begins anew: {said}')
    return wrong + (same_as_one_run(scratch, out) if run.returncode == 0 else [f'status {run.returncode}: {said}'])


def enumerations(scratch):
    if not shutil.which('parallel'):
        raise Skip('no parallel')
    wrong = []
    for command in ENUMERATIONS:
        here = scratch / command[0]
        env = environment(here)
        run = subprocess.run([ROOT / 'docs/spread/generated.sh', str(SHARDS), here / 'out', *command], env=env, capture_output=True,
                             text=True, stdin=subprocess.DEVNULL, timeout=250)
        wrong += wrong_with(command, here, here / 'out', run.stdout) if run.returncode == 0 else [f'{command}: {run.stderr}']
    return wrong


# ---- Slurm ------------------------------------------------------------------------------------

CONFIGURATION = '''ClusterName=ptxlit
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={here}/munge.sock,cred_expire=5
StateSaveLocation={here}/state
SlurmdSpoolDir={here}/spool
SlurmctldPidFile={here}/slurmctld.pid
SlurmdPidFile={here}/slurmd.pid
SlurmctldLogFile={here}/slurmctld.log
SlurmdLogFile={here}/slurmd.log
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
'''


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(('127.0.0.1', 0))
        return [one.getsockname()[1] for one in sockets]


@contextlib.contextmanager
def cluster(here):
    """A Slurm cluster of one node; gives the environment that its commands need."""
    key, conf = here / 'munge.key', here / 'slurm.conf'
    key.write_bytes(os.urandom(1024))
    key.chmod(0o600)
    for folder in ('state', 'spool'):
        (here / folder).mkdir()
    host = socket.gethostname().split('.')[0]
    conf.write_text(CONFIGURATION.format(here=here, host=host, ports=free_ports(2), cpus=len(os.sched_getaffinity(0))))
    environment = {**ENVIRONMENT, 'SLURM_CONF': str(conf)}
    munge = [f'--{what}={here}/munge.{end}' for what, end in (('socket', 'sock'), ('key-file', 'key'), ('pid-file', 'pid'),
                                                             ('log-file', 'log'), ('seed-file', 'seed'))]
    with contextlib.ExitStack() as stack:
        for command in (['munged', '--force', '--foreground', *munge], ['slurmctld', '-D', '-i'], ['slurmd', '-D']):
            daemon = stack.enter_context(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL,
                                                          stderr=subprocess.DEVNULL, start_new_session=True))
            stack.callback(daemon.terminate)
            time.sleep(0.5)

        def idle():
            return 'idle' in subprocess.run(['sinfo', '-h', '-o', '%T'], env=environment, capture_output=True, text=True,
                                            timeout=30).stdout
        try:
            wait_for(idle, 60, 'no node is idle')
            subprocess.run(['sbatch', '--wait', '--output=/dev/null', '--wrap', 'true'], cwd=here, env=environment, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        except (TimeoutError, subprocess.SubprocessError):
            raise Skip('Slurm runs no job on this machine') from None
        yield environment


def submit(script, log, environment, *arguments):
    """As an array of SHARDS tasks; ends with them."""
    return subprocess.Popen(['sbatch', '--wait', f'--array=1-{SHARDS}', f'--output={log}.%a', ROOT / 'docs/spread' / script, *arguments],
                            cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def slurm_array(scratch):
    missing = [tool for tool in ('munged', 'slurmctld', 'slurmd', 'sbatch') if not shutil.which(tool)]
    if missing or os.geteuid():
        raise Skip(f'no {missing[0]}' if missing else 'not root, as whom the cluster is started')
    out, log, here, command = scratch / 'out', scratch / 'log', scratch / 'enumeration', ENUMERATIONS[2]
    out.mkdir()
    with cluster(scratch) as queue:
        with submit('slurm.sh', log, queue, out, *TESTS) as run:
            kill_worker(out / 'shard2')
            # What is put back waits for some time: both at once.
            with submit('generated-slurm.sh', scratch / 'said', {**queue, 'PATH': environment(here)['PATH']}, ROOT / 'docs/spread',
                        here / 'out', *command) as enumeration:
                enumeration.wait(timeout=250)
            run.wait(timeout=250)
    wrong = [] if 'tests were done before' in (scratch / 'log.2').read_text() else ['the task was not requeued, or began anew']
    merged = subprocess.run([PTXLIT, 'merge', '-o', out, *sorted(out.glob('shard*/report.json'))], capture_output=True, text=True)
    wrong += same_as_one_run(scratch, out) if merged.returncode == 0 else [f'merge: {merged.stderr}']
    counted = subprocess.run([ROOT / 'docs/spread/count.sh', str(SHARDS), here / 'out'], capture_output=True, text=True)
    return wrong + (wrong_with(command, here, here / 'out', counted.stdout) if counted.returncode == 0 else [counted.stderr])


main([gnu_parallel, enumerations, slurm_array])
