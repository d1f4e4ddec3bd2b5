# SPDX-License-Identifier: MIT
"""Host code as people write it: run.py PROGRAM EVERY FILE…, every EVERY-th of them. Each FILE holds probes, a line or more for each:

    NAME | QUESTION | ANSWER | STATEMENTS

A line that begins with blanks goes on with the statements, and "@ TEXT" stands before main. The statements are those of main in
a file of CUDA C++ (frame.cu); ANSWER is Ok, No, or ':N', the line of STATEMENTS that is not modelled and that the
question depends on, with words of what is said of it; '=N' is line N of the file; 'Undefined NAME' is undefined behaviour; a
code such as L050 is what is reported. TAP."""
import json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = {"Ok": "holds", "No": "fails"}


def probes(path):
    found = []
    for line in open(path):
        line = line.rstrip("\n")
        if not line or line.startswith("# "):
            continue
        if line.startswith("@"):
            found[-1]["before"] += line[1:].strip() + "\n"
        elif line[0].isspace() or line[0] == "#":
            found[-1]["code"].append(line)
        else:
            name, question, answer, code = (part.strip() for part in line.split(" | ", 3))
            found.append({"name": name, "question": question, "answer": answer, "code": [code], "before": ""})
    return found


def write(folder, probe, frame, kernels):
    text = frame.replace("QUESTION", probe["question"]).replace("BEFORE\n", probe["before"])
    head, tail = text.split("STATEMENTS\n")
    probe["line"] = head.count("\n") + 1
    base = os.path.join(folder, probe["name"])
    with open(base + ".cu", "w") as out:
        out.write(head + "\n".join(probe["code"]) + "\n" + tail)
    with open(base + ".ptx", "w") as out: # what nvcc made of the kernels
        out.write(kernels)


def fault(probe, result):
    want, _, said = probe["answer"].partition(" ")
    if want[0] in ":=":
        line = ":%d not modelled" % (int(want[1:]) + (probe["line"] - 1 if want[0] == ":" else 0))
        good = result["verdict"] == "undecided" and (result.get("undecided") or "").startswith(line)
        good = good and said in result["undecided"]
        if good and result["observation"] not in ("unknown", "sometimes"):
            return "%s, as if it were known" % result["observation"]
    elif want == "Undefined":
        good = result.get("undefined") == [said]
    elif want in WORDS:
        good = result["verdict"] == WORDS[want]
    else:
        good = " %s: " % want in (result.get("error") or "")
    return None if good else "%s, %s" % (result["verdict"], result.get("undecided") or result.get("error"))


def main(program, every, paths):
    frame, kernels = (open(os.path.join(HERE, name)).read() for name in ("frame.cu", "frame.ptx"))
    all_probes = [probe for path in paths for probe in probes(path)]
    assert len({probe["name"] for probe in all_probes}) == len(all_probes), "a name stands twice"
    all_probes = all_probes[::every]
    with tempfile.TemporaryDirectory() as folder:
        for probe in all_probes:
            write(folder, probe, frame, kernels)
        files = [os.path.join(folder, probe["name"] + ".cu") for probe in all_probes]
        run = subprocess.run([program, "check", "--json", "--no-time", *files], capture_output=True, text=True)
    results = {os.path.basename(result["file"])[:-3]: result
               for result in map(json.loads, run.stdout.splitlines()) if "file" in result}
    print("1..%d" % len(all_probes))
    failed = 0
    for i, probe in enumerate(all_probes):
        result = results.get(probe["name"], {"verdict": "missing"})
        why = fault(probe, result)
        failed += why is not None
        print("%sok %d - %s%s" % ("not " if why else "", i + 1, probe["name"], "\n# " + why if why else ""))
    return 1 if failed else 0


sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
