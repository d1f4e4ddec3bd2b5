// SPDX-License-Identifier: MIT
// What the programs of 'ptxlit emit' keep of a search in a file, without a GPU: it comes back as it was, and what nobody wrote is
// refused. Prints TAP.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

constexpr int LEADS = 8;
#include "cli/emit/tuned.cu"

static int number = 0;

static void expect(bool good, const std::string &what) { std::printf("%s %d - %s\n", good ? "ok" : "not ok", ++number, what.c_str()); }

static std::string write(const std::string &text)
{
    static const char name[] = "tuned.jsonl";
    std::ofstream(name) << text;
    return name;
}

static const char start[] = "{\"file\": \"mp.litmus\", \"test\": \"mp\", ";
static const surroundings some = {4096, 66, 2048, 3, UINT64_MAX, {0, 1, 293627, 1 << 24, 0, 0, 7, 8}};

static std::string line_of(const surroundings &s) { return start + std::string("\"runs\": 5, ") + in_json(s) + "}\n"; }

static void comes_back()
{
    surroundings s = {};
    expect(from_json(line_of(some), s) && in_json(s) == in_json(some), "what is written is read");
    expect(from_json(line_of({}), s) && in_json(s) == in_json(surroundings{}), "nothing but zeros too");
    expect(tuned(start, write(line_of({}) + line_of(some)), s) && in_json(s) == in_json(some), "the last line of a test counts");
    expect(!tuned(start, write("{\"file\": \"sb.litmus\"" + line_of(some)), s), "that of another test does not");
    expect(!tuned(start, "", s), "without a file there is none");
}

static void is_refused()
{
    const std::string good = line_of(some);
    const std::pair<const char *, const char *> changes[] = {
        {"\"stride\": 4096", "\"stride\": -1"}, {"\"stride\": 4096", "\"stride\": +4096"}, {"\"stride\": 4096", "\"stride\": 99999999999"},
        {"\"stride\": 4096", "\"stride\": 1000000"}, {"\"shift\"", "\"swift\""}, {"\"delay\": 2048", "\"delay\": 4000000000"},
        {"\"every\": 3", "\"every\": 1"}, {"\"every\": 3", "\"every\": x"}, {"\"18446744073709551615\"", "18446744073709551615"},
        {"\"18446744073709551615\"", "\"18446744073709551616\""}, {"16777216", "16777217"}, {"7, 8]", "7]"}, {"7, 8]", "7, 8, 9]"}, {"7, 8]", "7; 8]"},
        {"\"best\": {", "\"best\":{"}};
    for (const auto &change : changes) {
        std::string text = good;
        text.replace(text.find(change.first), std::string(change.first).size(), change.second);
        std::string fault = tuned_fault(write(good + text));
        expect(fault.find("tuned.jsonl, line 2: ") == 0, std::string(change.second) + " in place of " + change.first);
    }
    expect(tuned_fault(write(good + good.substr(0, good.size() - 9))).empty(), "half of a line at the end does no harm");
    expect(tuned_fault(write(good + "\n{\"file\": \"a\", \"state\": {}}\n")).empty(), "lines without choices do none either");
    expect(!tuned_fault(write("{\"device\": \"A\"}\n")).empty(), "a file without choices is refused");
    expect(!tuned_fault("no-such-file").empty(), "a file that is not there, too");
}

static void is_told_of()
{
    std::string file = write("{\"version\": \"1\", \"device\": \"A\", \"seed\": 1}\n" + line_of(some));
    expect(tuned_elsewhere(file, "A").empty(), "the same device");
    expect(tuned_elsewhere(file, "B").find("its choices are of 'A', and this is 'B'") != std::string::npos, "another device is told of");
    expect(tuned_elsewhere(write(line_of(some)), "B").empty(), "a file that names none says nothing");
}

static void serves_all()
{
    surroundings rare = some;
    rare.stride = 64;
    std::string last = std::string(of_all_tests) + in_json(rare) + "}\n";
    std::vector<surroundings> all = tuned_tests(write(line_of(some) + line_of(rare) + line_of(some) + last + last));
    expect(all.size() == 3, "what serves all tests is none of them");
    expect(in_json(most_tuned(all, 5)) == in_json(surroundings{4096, 66, 2048, 3, 5, {}}), "what most tests have serves all");
}

int main()
{
    comes_back();
    is_refused();
    is_told_of();
    serves_all();
    std::printf("1..%d\n", number);
    return 0;
}
