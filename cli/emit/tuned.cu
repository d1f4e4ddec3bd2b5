// ---- surroundings, and the files that keep them --------------------------------------------------

// How a launch disturbs its copies.
struct surroundings {
    uint32_t stride, shift, delay, every;
    uint64_t seed;
    uint32_t lead[LEADS];
};

static std::string in_json(const surroundings &s)
{
    char text[512];
    int end = std::snprintf(text, sizeof text, "\"best\": {\"stride\": %u, \"shift\": %u, \"delay\": %u, \"every\": %u, \"seed\": \"%llu\", \"lead\": [",
                            s.stride, s.shift, s.delay, s.every, (unsigned long long)s.seed);
    for (int i = 0; i < LEADS; i++)
        end += std::snprintf(text + end, sizeof text - end, "%s%u", i ? ", " : "", s.lead[i]);
    return text + std::string("]}");
}

// Numbers that a search can come to: a launch with others could take for ever, or all memory.
static bool are_usual(const surroundings &s)
{
    bool usual = s.stride <= 1 << 16 && s.shift <= 1 << 16 && s.delay <= 1 << 24 && s.every != 1 && s.every <= 1 << 16;
    for (uint32_t lead : s.lead)
        usual = usual && lead <= 1 << 24;
    return usual;
}

// Only what in_json writes.
static bool from_json(const std::string &line, surroundings &s)
{
    size_t at = line.find("\"best\": {");
    unsigned long long seed;
    int end = 0;
    if (at == std::string::npos ||
        std::sscanf(line.c_str() + at, "\"best\": {\"stride\": %u, \"shift\": %u, \"delay\": %u, \"every\": %u, \"seed\": \"%llu\", \"lead\": [%n",
                    &s.stride, &s.shift, &s.delay, &s.every, &seed, &end) != 5 || end == 0)
        return false;
    s.seed = seed;
    std::istringstream leads(line.substr(at + end));
    char comma;
    for (uint32_t &lead : s.lead)
        if (!(leads >> lead >> comma))
            return false;
    std::string text = in_json(s);
    return line.compare(at, text.size(), text) == 0 && are_usual(s);
}

static const char of_all_tests[] = "{\"tuned\": \"all\", ";

// What the file has as the best surroundings, in the lines that begin so; the last of them counts.
static bool tuned(const std::string &start, const std::string &file, surroundings &best)
{
    std::ifstream in(file);
    bool found = false;
    surroundings s;
    for (std::string line; !file.empty() && std::getline(in, line);)
        if (line.rfind(start, 0) == 0 && from_json(line, s))
            best = s, found = true;
    return found;
}

// Why the file cannot be used; nothing if it can. Half of a line, which a killed run has left at its end, does no harm.
static std::string tuned_fault(const std::string &file)
{
    std::ifstream in(file);
    surroundings s;
    bool any = false;
    int number = 1;
    if (!in)
        return file + ": cannot be read";
    for (std::string line; std::getline(in, line); number++) {
        bool torn = in.eof(), good = from_json(line, s);
        any |= good;
        if (line.find("\"best\"") != std::string::npos && !good && !torn)
            return file + ", line " + std::to_string(number) + ": these are no choices that '--tune' or a journal has written";
    }
    return any ? "" : file + ": has no choices, as '--tune' or a journal has written them";
}

// Where the choices of the file were made.
static std::set<std::string> tuned_devices(const std::string &file)
{
    static const std::string key = "\"device\": \"";
    std::set<std::string> devices;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        size_t at = line.find(key), end = at == std::string::npos ? at : line.find('"', at + key.size());
        if (end != std::string::npos && line.find("\"state\"") == std::string::npos)
            devices.insert(line.substr(at + key.size(), end - at - key.size()));
    }
    return devices;
}

// What is said where this is another device; nothing where it is not, or the file does not say.
static std::string tuned_elsewhere(const std::string &file, const std::string &device)
{
    std::set<std::string> devices = tuned_devices(file);
    if (devices.empty() || devices.count(device))
        return "";
    return file + ": warning: its choices are of '" + *devices.begin() + "', and this is '" + device + "'; the search begins with them";
}

static uint32_t most_frequent(const std::vector<surroundings> &all, uint32_t surroundings::*knob)
{
    std::map<uint32_t, int> times;
    for (const surroundings &s : all)
        times[s.*knob]++;
    auto fewer = [](const auto &a, const auto &b) { return a.second < b.second; };
    return std::max_element(times.begin(), times.end(), fewer)->first;
}

// What the lines of tests have.
static std::vector<surroundings> tuned_tests(const std::string &file)
{
    std::vector<surroundings> all;
    std::ifstream in(file);
    surroundings s;
    for (std::string line; std::getline(in, line);)
        if (line.rfind(of_all_tests, 0) != 0 && from_json(line, s))
            all.push_back(s);
    return all;
}

// Its last line: what served most of its tests, without leads, for those that it does not have.
static surroundings most_tuned(const std::vector<surroundings> &all, uint64_t seed)
{
    return {most_frequent(all, &surroundings::stride), most_frequent(all, &surroundings::shift),
            most_frequent(all, &surroundings::delay), most_frequent(all, &surroundings::every), seed, {}};
}

