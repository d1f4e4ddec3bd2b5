// JSON's readers have no integers past 2^63: such a value is text there, as in what 'ptxlit'
// prints.
static std::string shown(const value &v, uint64_t bits, bool quote)
{
    if (!v.is_signed || v.bytes == 0)
        return bits >> 63 && quote ? '"' + std::to_string(bits) + '"' : std::to_string(bits);
    unsigned unused = 64 - 8 * v.bytes;
    return std::to_string(int64_t(bits << unused) >> unused);
}

static std::string in_json(const char *text)
{
    std::string quoted = "\"";
    for (; *text; text++)
        quoted += *text == '"' || *text == '\\' ? std::string("\\") + *text : std::string(1, *text);
    return quoted + '"';
}

static void begin_json(const test &t)
{
    std::printf("{\"file\": %s, \"test\": %s, ", in_json(t.file).c_str(), in_json(t.name).c_str());
}

static void print_json(const test &t, const std::vector<uint64_t> &state, uint64_t count)
{
    begin_json(t);
    std::printf("\"state\": {");
    for (size_t i = 0; i < state.size(); i++)
        std::printf("%s%s: %s", i ? ", " : "", in_json(t.values[i].name).c_str(),
                    shown(t.values[i], state[i], true).c_str());
    std::printf("}, \"count\": %llu}\n", (unsigned long long)count);
}

static void print_text(const test &t, const std::vector<uint64_t> &state, uint64_t count)
{
    std::printf("%-12llu:>", (unsigned long long)count);
    for (size_t i = 0; i < state.size(); i++)
        std::printf(t.values[i].place < 0 ? "%s%s=%s;" : "%s[%s]=%s;", i ? " " : "",
                    t.values[i].name, shown(t.values[i], state[i], false).c_str());
    std::printf("\n");
}

static void show_parts(const summary &s)
{
    for (size_t i = 0; i < s.parts.size(); i++)
        std::printf("%s%llu%s", i ? ", " : "\"parts\": [", (unsigned long long)s.parts[i], i + 1 == s.parts.size() ? "], " : "");
}

static void show(const test &t, const histogram &counts, const summary &s, const options &o)
{
    double rate = s.seconds > 0 ? double(s.runs) / s.seconds : 0;
    if (!o.json)
        std::printf("Test %s\nHistogram (%zu states)\n", t.name, counts.size());
    for (const auto &entry : o.tune.empty() ? counts : histogram{})
        (o.json ? print_json : print_text)(t, entry.first, entry.second);
    if (o.json) {
        begin_json(t);
        std::printf("\"runs\": %llu, ", (unsigned long long)s.runs);
        if (!t.asked.empty())
            std::printf("\"asked\": %llu, ", (unsigned long long)s.asked);
        show_parts(s);
        std::printf("\"seconds\": %.3f, \"ended\": \"%s\"%s%s}\n", s.seconds, s.ended, t.make ? "" : ", ",
                    t.make ? "" : in_json(s.best).c_str());
    } else
        std::printf("Runs %llu in %.2f s, %.*f million a second\n\n", (unsigned long long)s.runs, s.seconds, t.make ? 4 : 1, rate / 1e6);
    std::fflush(stdout);
}

static std::string today()
{
    char text[32];
    std::time_t now = std::time(nullptr);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text;
}

// "580.159.03", or nothing where the system does not say.
static std::string kernel_driver()
{
    std::ifstream in("/proc/driver/nvidia/version");
    for (std::string word; in >> word;)
        if (std::isdigit((unsigned char)word[0]) && word.find('.') != std::string::npos)
            return word;
    return "";
}

// The flags of the compiler, where it was told to tell (-DLITMUS_FLAGS='"…"'), or the code that it made.
static std::string compiler_flags()
{
#ifdef LITMUS_FLAGS
    return LITMUS_FLAGS;
#else
    uint32_t target = compiled_target();
    return "code of sm_" + std::to_string(target / 10) + (target % 10 ? "a" : "");
#endif
}

// What a reader of the results needs to know about where they come from.
static void show_origin(const options &o)
{
    cudaDeviceProp device;
    int driver = 0;
    check(cudaGetDeviceProperties(&device, 0), "device");
    check(cudaDriverGetVersion(&driver), "device");
    std::string elsewhere = o.tuned.empty() ? "" : tuned_elsewhere(o.tuned, device.name);
    if (!elsewhere.empty())
        std::fprintf(stderr, "%s\n", elsewhere.c_str());
    if (o.json)
        std::printf("{\"version\": \"%s\", \"kernel_driver\": \"%s\", \"flags\": %s, \"options\": %s, ", LITMUS_MAKER, kernel_driver().c_str(),
                    in_json(compiler_flags().c_str()).c_str(), in_json(o.line.c_str()).c_str());
    if (o.json)
        std::printf("\"device\": %s, \"compute\": \"%d.%d\", \"driver\": \"%d.%d\", \"compiler\": \"nvcc %d.%d\", \"runs\": %llu, "
                    "\"seed\": %llu, \"plain\": %s, \"date\": \"%s\"}\n", in_json(device.name).c_str(), device.major, device.minor,
                    driver / 1000, driver % 1000 / 10, __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__,
                    (unsigned long long)o.runs, (unsigned long long)o.seed, o.plain ? "true" : "false", today().c_str());
    std::fflush(stdout);
}

// ---- what earlier runs have found --------------------------------------------------------------

static std::string start_of(const test &t)
{
    return "{\"file\": " + in_json(t.file) + ", \"test\": " + in_json(t.name) + ", ";
}

static void show_tuned(const options &o)
{
    std::vector<surroundings> all = tuned_tests(o.tune);
    if (!all.empty())
        std::printf("%s%s}\n", of_all_tests, in_json(with_leads(most_tuned(all, o.seed))).c_str());
}

// ---- one process works on tests until one of them hangs or faults --------------------------------

static void say_next(int to, uint32_t index)
{
    if (write(to, &index, sizeof index) != sizeof index)
        std::_Exit(2);
}

static void run_copies(const test &t, const options &o, device_memory &memory)
{
    running r = {t};
    if (!prepare(r, memory)) {
        std::fprintf(stderr, "%s: left out: it needs arrays over memory that also has addresses, which this machine does not give\n", t.name);
        return;
    }
    surroundings best;
    bool own = tuned(start_of(t), o.tuned, best), general = !own && tuned(of_all_tests, o.tuned, best);
    summary s = repeat(r, o, own || general ? &best : nullptr, general);
    show(r.t, read_states(r), s, o);
    for (uint8_t *init : r.inits)
        cudaFree(init);
}

// Why this machine, or the code that was compiled, cannot run the test; nothing if they can.
static std::string missing(const test &t)
{
    int concurrent = 1;
    if (gpus_of(t) > 1 && connected_gpus() < gpus_of(t))
        return std::to_string(gpus_of(t)) + " GPUs that reach each other's memory";
    if (t.target > compiled_target() || t.target % 10 > compiled_target() % 10)
        return "code of sm_" + std::to_string(t.target / 10) + (t.target % 10 ? "a" : "") + " (nvcc -arch)";
    if (t.concurrent)
        check(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0), "device");
    return concurrent ? "" : "a host that may touch managed memory while kernels run";
}

constexpr int SAID = 5; // the process ends, and has said why

#if LITMUS_CUDA >= 1300
[[noreturn]] static void show_failed_call(const test &t, int line, int error, bool json)
{
    const char *name = cudaGetErrorName(cudaError_t(error));
    if (json) {
        begin_json(t);
        std::printf("\"failed\": \"%s at line %d\"}\n", name, line);
    } else
        std::printf("Test %s\nFailed: %s at line %d\n\n", t.name, name, line);
    std::fflush(stdout);
    std::_Exit(SAID);
}
#endif

static void run_program(const test &t, const options &o)
{
#if LITMUS_CUDA >= 1300
    peers_are_apart = t.peers_apart;
    program_runs r = repeat_program(t, o);
    if (t.peers_apart)
        let_peers(t, true);
    const char *ended = r.seen ? "seen" : r.runs < o.runs ? "seconds" : "runs";
    show(t, r.states, {r.runs, r.asked, r.seconds, ended, {}}, o);
#endif
}

[[noreturn]] static void work(const std::vector<const test *> &chosen, uint32_t first, const options &o, int to)
{
    if (first == 0)
        show_origin(o);
    std::unique_ptr<device_memory> memory;
    for (uint32_t i = first; i < chosen.size(); i++) {
        say_next(to, i);
        if (std::string needs = missing(*chosen[i]); !needs.empty()) {
            std::fprintf(stderr, "%s: left out: it needs %s\n", chosen[i]->name, needs.c_str());
            continue;
        }
        if (chosen[i]->make) {
            run_program(*chosen[i], o);
            continue;
        }
        if (!memory)
            memory = std::make_unique<device_memory>();
        run_copies(*chosen[i], o, *memory);
    }
    std::_Exit(0);
}

static void show_failure(const test &t, int status, const options &o)
{
    const char *what = WIFEXITED(status) && WEXITSTATUS(status) == 3   ? "hangs"
                       : WIFEXITED(status) && WEXITSTATUS(status) == 4 ? "too many states"
                                                                       : "fault";
    if (o.json) {
        begin_json(t);
        std::printf("\"failed\": \"%s\"}\n", what);
    } else
        std::printf("Test %s\nFailed: %s\n\n", t.name, what);
    std::fflush(stdout);
}

// Runs the tests from 'first' on in a process of their own; returns the one that ended it, or their number.
static uint32_t run_some(const std::vector<const test *> &chosen, uint32_t first, const options &o)
{
    int pipes[2], status;
    if (pipe(pipes) != 0)
        std::_Exit(2);
    pid_t child = fork();
    if (child == 0) {
        close(pipes[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL); // a run that is killed does not go on writing its journal
        work(chosen, first, o, pipes[1]);
    }
    close(pipes[1]);
    uint32_t last = first, index;
    bool began = false;
    while (read(pipes[0], &index, sizeof index) == sizeof index)
        last = index, began = true;
    close(pipes[0]);
    if (child < 0 || waitpid(child, &status, 0) != child || (status != 0 && !began))
        std::_Exit(2);
    if (status == 0)
        return uint32_t(chosen.size());
    if (WIFEXITED(status) && WEXITSTATUS(status) == SAID)
        return last;
    show_failure(*chosen[last], status, o);
    return last;
}

// All of the word is a decimal number, and not 0; or false.
static bool number(const char *word, uint64_t &value)
{
    value = 0;
    for (const char *c = word; *c; c++) {
        if (*c < '0' || *c > '9' || value > (UINT64_MAX - (*c - '0')) / 10)
            return false;
        value = value * 10 + (*c - '0');
    }
    return value > 0;
}

// Seconds, "0.5", and more than none; or false.
static bool duration(const char *word, double &value)
{
    char *end;
    value = std::strtod(word, &end);
    return end != word && !*end && value > 0 && value < 1e9;
}

static int usage(const char *program)
{
    std::fprintf(stderr, "usage: %s [--json] [--runs N] [--seconds S] [--until [N]] [--seed N] [--journal FILE]\n"
                         "       [--tune FILE] [--tuned FILE] [--plain] [TEST...]\n", program);
    return 2;
}

static bool parse(options &o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        o.line += std::string(i > 1 ? " " : "") + argv[i];
    const std::map<std::string, uint64_t *> numbers = {{"--runs", &o.runs}, {"--seed", &o.seed}};
    const std::map<std::string, std::string *> files = {{"--journal", &o.journal}, {"--tuned", &o.tuned}, {"--tune", &o.tune}};
    bool limited = false;
    for (int i = 1; i < argc; i++) {
        std::string word = argv[i];
        auto at = numbers.find(word);
        if (at != numbers.end()) {
            if (i + 1 == argc || !number(argv[++i], *at->second))
                return false;
            limited |= word == "--runs";
        } else if (word == "--until") {
            uint64_t times;
            o.until_all = i + 1 == argc || !number(argv[i + 1], times);
            o.until = o.until_all ? 0 : times;
            i += !o.until_all;
        } else if (word == "--seconds") {
            if (i + 1 == argc || !duration(argv[++i], o.seconds))
                return false;
        } else if (files.count(word) && i + 1 < argc)
            *files.at(word) = argv[++i];
        else if (word == "--json" || word == "--plain")
            (word == "--json" ? o.json : o.plain) = true;
        else if (word[0] == '-')
            return false;
        else
            o.names.push_back(word);
    }
    if (!o.tune.empty() && !limited)
        o.runs = UINT64_MAX, o.seconds = o.seconds ? o.seconds : 0.3;
    o.json |= !o.journal.empty() || !o.tune.empty();
    return o.journal.empty() || o.tune.empty();
}

static bool is_asked_for(const char *name, const options &o)
{
    return o.names.empty() || std::find(o.names.begin(), o.names.end(), name) != o.names.end();
}

// The tests that the journal has to the end: "file", "test", then neither a state nor a device.
static std::vector<std::string> finished(const std::string &journal)
{
    std::vector<std::string> lines;
    std::ifstream in(journal);
    for (std::string line; std::getline(in, line);)
        if (line.rfind("{\"file\": ", 0) == 0 && line.back() == '}' && line.find(", \"state\": ") == std::string::npos)
            lines.push_back(line);
    return lines;
}

static bool is_finished(const test &t, const std::vector<std::string> &lines)
{
    std::string start = start_of(t);
    return std::any_of(lines.begin(), lines.end(), [&](const std::string &line) { return line.rfind(start, 0) == 0; });
}

// Half of a line, which a killed run has left, ends there.
static bool open_journal(const std::string &journal)
{
    std::ifstream in(journal, std::ios::ate | std::ios::binary);
    bool torn = in && in.tellg() > 0 && (in.seekg(-1, std::ios::end), in.get() != '\n');
    if (!std::freopen(journal.c_str(), "a", stdout))
        return std::perror(journal.c_str()), false;
    if (torn)
        std::printf("\n");
    std::fflush(stdout);
    return true;
}

static void say_unknown(const std::vector<const test *> &chosen)
{
    auto count = std::count_if(chosen.begin(), chosen.end(), [](const test *t) { return t->allowed.empty(); });
    if (count)
        std::fprintf(stderr, "of %ld of %zu tests the program does not know what is allowed ('ptxlit emit --allowed' writes it, "
                             "where it is decided): these do not end early\n", long(count), chosen.size());
}

// Some test has the name, in this program or left out of it.
static bool is_known(const std::string &name)
{
    return std::any_of(tests().begin(), tests().end(), [&](const test &t) { return name == t.name; }) ||
           std::any_of(left_out_tests().begin(), left_out_tests().end(), [&](const left_out &t) { return name == t.name; });
}

static bool are_known(const options &o)
{
    bool known = true;
    for (const std::string &name : o.names)
        if (!is_known(name)) {
            std::fprintf(stderr, "no test is called '%s'; this program has:", name.c_str());
            for (const test &t : tests())
                std::fprintf(stderr, " %s", t.name);
            std::fprintf(stderr, "\n");
            known = false;
        }
    return known;
}

static int main(int argc, char **argv)
{
    options o;
    if (!parse(o, argc, argv))
        return usage(argv[0]);
    if (!are_known(o))
        return 2;
    for (const left_out &t : left_out_tests())
        if (is_asked_for(t.name, o))
            std::fprintf(stderr, "%s: left out: it needs %s\n", t.name, t.needs);
    std::vector<std::string> done = finished(o.tune.empty() ? o.journal : o.tune);
    std::string fault = o.tuned.empty() ? "" : tuned_fault(o.tuned);
    if (!fault.empty())
        return std::fprintf(stderr, "%s\n", fault.c_str()), 2;
    std::string journal = o.tune.empty() ? o.journal : o.tune;
    if (!journal.empty() && !open_journal(journal))
        return 2;
    std::vector<const test *> chosen;
    for (const test &t : tests())
        if (is_asked_for(t.name, o) && !is_finished(t, done))
            chosen.push_back(&t);
    if (o.until_all)
        say_unknown(chosen);
    // A kernel that is loaded when it is first launched may wait for those that run; streams that share a connection wait
    // for each other.
    if (std::any_of(chosen.begin(), chosen.end(), [](const test *t) { return t->make; })) {
        setenv("CUDA_MODULE_LOADING", "EAGER", 1);
        setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
    }
    int status = 0;
    for (uint32_t next = 0; next < chosen.size(); next++) {
        next = run_some(chosen, next, o);
        status = next < chosen.size() ? 3 : status;
    }
    if (!o.tune.empty())
        show_tuned(o);
    return status;
}

} // namespace litmus

int main(int argc, char **argv) { return litmus::main(argc, argv); }
