// SPDX-License-Identifier: MIT
// What the library of C++ is in host programs, as far as its order and its objects go. Read by own_library.c.

struct once_flag {
    std::mutex guard;
    bool done = false;
};
template <class F, class... A> void call_once(once_flag &flag, F &&f, A &&...a)
{
    flag.guard.lock();
    if (!flag.done) {
        f(a...);
        flag.done = true;
    }
    flag.guard.unlock();
}

class latch {
    std::atomic<long> left;

public:
    explicit latch(long count) : left(count) {}
    void count_down(long n = 1) { left.fetch_sub(n, std::memory_order_release); }
    void wait() const
    {
        while (left.load(std::memory_order_acquire) != 0)
            ;
    }
    void arrive_and_wait(long n = 1)
    {
        count_down(n);
        wait();
    }
};

class barrier {
    long expected;
    std::atomic<long> come, phase;

public:
    explicit barrier(long count) : expected(count), come(0), phase(0) {}
    long arrive()
    {
        long now = phase.load(std::memory_order_relaxed);
        if (come.fetch_add(1, std::memory_order_acq_rel) == expected - 1) {
            come.store(0, std::memory_order_relaxed);
            phase.store(now + 1, std::memory_order_release);
        }
        return now;
    }
    void wait(long now) const
    {
        while (phase.load(std::memory_order_acquire) == now)
            ;
    }
    void arrive_and_wait() { wait(arrive()); }
};

class binary_semaphore {
    std::atomic<int> free;

public:
    explicit binary_semaphore(int count) : free(count) {}
    void release() { free.store(1, std::memory_order_release); }
    void acquire()
    {
        while (free.exchange(0, std::memory_order_acquire) == 0)
            ;
    }
};

template <class T> struct promise_state {
    std::atomic<int> ready{0};
    std::atomic<T> value;
};
template <class T> struct promised_future {
    promise_state<T> *state;
    void wait() const
    {
        while (state->ready.load(std::memory_order_acquire) == 0)
            ;
    }
    T get()
    {
        wait();
        if constexpr (!__is_void(T))
            return state->value.load(std::memory_order_relaxed);
    }
    shared_future<T> share() { return shared_future<T>(*this); }
};
template <class T> class shared_future {
    promise_state<T> *state;

public:
    shared_future(promised_future<T> from) : state(from.state) {}
    void wait() const
    {
        while (state->ready.load(std::memory_order_acquire) == 0)
            ;
    }
    T get() const
    {
        wait();
        if constexpr (!__is_void(T))
            return state->value.load(std::memory_order_relaxed);
    }
};
template <class T> struct promise {
    promise_state<T> *state;
    promise() : state(new promise_state<T>) {}
    promise(const promise &) = delete;
    promise(promise &&other) : state(other.state) {}
    promised_future<T> get_future() { return promised_future<T>{state}; }
    void set_value() { state->ready.store(1, std::memory_order_release); }
    void set_value(T value)
    {
        state->value.store(value, std::memory_order_relaxed);
        set_value();
    }
};

template <class T> struct default_delete {
    void operator()(T *object) const { delete object; }
};
template <class T, class D = default_delete<T>> class unique_ptr {
    T *object = nullptr;
    D deleter;

public:
    unique_ptr() {}
    unique_ptr(T *from) : object(from) {}
    unique_ptr(T *from, D with) : object(from), deleter(with) {}
    unique_ptr(unique_ptr &&other) : object(other.object), deleter(other.deleter) { other.object = nullptr; }
    unique_ptr(const unique_ptr &) = delete;
    ~unique_ptr()
    {
        if (object)
            deleter(object);
    }
    unique_ptr &operator=(unique_ptr &&other)
    {
        reset(other.release());
        return *this;
    }
    unique_ptr &operator=(const unique_ptr &) = delete;
    unique_ptr &operator=(decltype(nullptr) none)
    {
        reset();
        return *this;
    }
    bool operator==(const unique_ptr &other) const { return object == other.object; }
    bool operator==(decltype(nullptr) none) const { return object == nullptr; }
    T *get() const { return object; }
    T &operator*() const { return *object; }
    T *operator->() const { return object; }
    T &operator[](size_t i) const { return object[i]; }
    explicit operator bool() const { return object != nullptr; }
    T *release()
    {
        T *was = object;
        object = nullptr;
        return was;
    }
    void reset(T *to = nullptr)
    {
        T *was = object;
        object = to;
        if (was)
            deleter(was);
    }
};
template <class T, class... A> unique_ptr<T> make_unique(A &&...a)
{
    if constexpr (__is_unbounded_array(T))
        return unique_ptr<T>(new T[(a, ...)]());
    else
        return unique_ptr<T>(new T(a...));
}

struct shared_count {
    long owners;
    bool deletes;
    std::function deleter;
};
template <class T> class shared_ptr {
    T *object = nullptr;
    shared_count *count = nullptr;

    void leave()
    {
        if (count) {
            count->owners -= 1;
            if (count->owners == 0) {
                if (count->deletes)
                    count->deleter(object);
                else
                    delete object;
            }
        }
    }

public:
    shared_ptr() {}
    shared_ptr(T *from) : object(from) { count = new shared_count{1, false}; }
    template <class D> shared_ptr(T *from, D with) : object(from)
    {
        count = new shared_count{1, true};
        count->deleter = with;
    }
    shared_ptr(const shared_ptr &other) : object(other.object), count(other.count)
    {
        if (count)
            count->owners += 1;
    }
    shared_ptr(shared_ptr &&other) : object(other.object), count(other.count)
    {
        other.object = nullptr;
        other.count = nullptr;
    }
    ~shared_ptr() { leave(); }
    shared_ptr &operator=(const shared_ptr &other)
    {
        if (other.count)
            other.count->owners += 1;
        leave();
        object = other.object;
        count = other.count;
        return *this;
    }
    bool operator==(const shared_ptr &other) const { return object == other.object; }
    bool operator==(decltype(nullptr) none) const { return object == nullptr; }
    T *get() const { return object; }
    T &operator*() const { return *object; }
    T *operator->() const { return object; }
    explicit operator bool() const { return object != nullptr; }
    long use_count() const { return count ? count->owners : 0; }
    void reset()
    {
        leave();
        object = nullptr;
        count = nullptr;
    }
};
template <class T, class... A> shared_ptr<T> make_shared(A &&...a)
{
    return shared_ptr<T>(new T(a...));
}

template <class A, class B> struct pair {
    A first;
    B second;
    bool operator==(const pair &other) const { return first == other.first && second == other.second; }
    bool operator<(const pair &other) const
    {
        return first < other.first || (first == other.first && second < other.second);
    }
};
template <class A, class B> pair<A, B> make_pair(A a, B b) { return pair<A, B>{a, b}; }

template <class A, class B = int, class C = int, class D = int> struct tuple {
    A part_0;
    B part_1;
    C part_2;
    D part_3;
};
template <class A, class B> tuple<A, B> make_tuple(A a, B b) { return tuple<A, B>{a, b}; }
template <class A, class B, class C> tuple<A, B, C> make_tuple(A a, B b, C c)
{
    return tuple<A, B, C>{a, b, c};
}
template <class A, class B, class C, class D> tuple<A, B, C, D> make_tuple(A a, B b, C c, D d)
{
    return tuple<A, B, C, D>{a, b, c, d};
}
template <int N, class A, class B> auto &get(pair<A, B> &of)
{
    if constexpr (N == 0)
        return of.first;
    else
        return of.second;
}
template <int N, class A, class B, class C, class D> auto &get(tuple<A, B, C, D> &of)
{
    if constexpr (N == 0)
        return of.part_0;
    else if constexpr (N == 1)
        return of.part_1;
    else if constexpr (N == 2)
        return of.part_2;
    else
        return of.part_3;
}

template <class T> class optional {
    bool full = false;
    T object;

public:
    optional() {}
    optional(T from) : full(true), object(from) {}
    bool has_value() const { return full; }
    explicit operator bool() const { return full; }
    bool operator==(const T &other) const { return full && object == other; }
    T &value() { return object; }
    T value_or(T other) const { return full ? object : other; }
    T &operator*() { return object; }
    T *operator->() { return &object; }
    void reset() { full = false; }
};

template <class T> class queue {
    std::vector<T> elements;
    size_t first = 0;

public:
    queue() {}
    void push(T element) { elements.push_back(element); }
    void emplace(T element) { elements.push_back(element); }
    void pop() { first += 1; }
    T &front() { return elements[first]; }
    T &back() { return elements[elements.size() - 1]; }
    bool empty() const { return first == elements.size(); }
    size_t size() const { return elements.size() - first; }
};
// Of numbers in a program of several threads, which is in memory: what becomes an element is counted where it is read.
template <class T> class queue_of_threads {
    T elements[4];
    unsigned first = 0, next = 0;

public:
    queue_of_threads() {}
    void push(T element)
    {
        __takes_one_more(elements);
        unsigned at = next;
        elements[at & 3] = element;
        next = at + 1;
    }
    void emplace(T element) { push(element); }
    void pop()
    {
        unsigned at = first;
        if (at == next)
            __builtin_unreachable();
        first = at + 1;
    }
    T &front()
    {
        unsigned at = first;
        if (at == next)
            __builtin_unreachable();
        return elements[at & 3];
    }
    T &back()
    {
        unsigned end = next;
        if (first == end)
            __builtin_unreachable();
        return elements[(end - 1) & 3];
    }
    bool empty() const { return first == next; }
    size_t size() const { return next - first; }
};
template <class T, class C = int> class stack {
    std::vector<T> elements;

public:
    stack() {}
    void push(T element) { elements.push_back(element); }
    void emplace(T element) { elements.push_back(element); }
    void pop() { elements.pop_back(); }
    T &top() { return elements[elements.size() - 1]; }
    bool empty() const { return elements.empty(); }
    size_t size() const { return elements.size(); }
};
template <class T> struct list_node {
    T value;
    list_node *next, *last;
};
template <class T> class list_iterator {
public:
    list_node<T> *at;
    list_iterator(list_node<T> *node) : at(node) {}
    T &operator*() const { return at->value; }
    T *operator->() const { return &at->value; }
    list_iterator &operator++()
    {
        at = at->next;
        return *this;
    }
    bool operator==(const list_iterator &other) const { return at == other.at; }
    bool operator!=(const list_iterator &other) const { return at != other.at; }
};
template <class T> class list {
    list_node<T> *first = nullptr, *end_node = nullptr;
    size_t count = 0;

public:
    list() {}
    list(const list &) = delete;
    void push_back(T element)
    {
        list_node<T> *made = new list_node<T>{element, nullptr, end_node};
        if (end_node)
            end_node->next = made;
        else
            first = made;
        end_node = made;
        count += 1;
    }
    void push_front(T element)
    {
        list_node<T> *made = new list_node<T>{element, first, nullptr};
        if (first)
            first->last = made;
        else
            end_node = made;
        first = made;
        count += 1;
    }
    void emplace(T element) { push_back(element); }
    void emplace_back(T element) { push_back(element); }
    void pop_front()
    {
        first = first->next;
        if (first)
            first->last = nullptr;
        else
            end_node = nullptr;
        count -= 1;
    }
    void pop_back()
    {
        end_node = end_node->last;
        if (end_node)
            end_node->next = nullptr;
        else
            first = nullptr;
        count -= 1;
    }
    T &front() { return first->value; }
    T &back() { return end_node->value; }
    list_iterator<T> begin() { return list_iterator<T>(first); }
    list_iterator<T> end() { return list_iterator<T>(nullptr); }
    bool empty() const { return count == 0; }
    size_t size() const { return count; }
};
template <class K, class V> class map {
    std::vector<pair<K, V>> elements;

    size_t place_of(K key) const
    {
        size_t i = 0;
        while (i < elements.size() && elements[i].first < key)
            i += 1;
        return i;
    }

public:
    map() {}
    V &operator[](K key)
    {
        size_t i = place_of(key);
        if (i == elements.size() || elements[i].first != key) {
            elements.emplace(elements.begin() + i);
            elements[i].first = key;
        }
        return elements[i].second;
    }
    V &at(K key) { return elements[place_of(key)].second; }
    void emplace(K key, V value)
    {
        if (!count(key))
            (*this)[key] = value;
    }
    void insert(pair<K, V> both)
    {
        if (!count(both.first))
            (*this)[both.first] = both.second;
    }
    pair<K, V> *begin() { return elements.begin(); }
    pair<K, V> *end() { return elements.end(); }
    pair<K, V> *find(K key) { return count(key) ? elements.begin() + place_of(key) : elements.end(); }
    size_t count(K key) const
    {
        size_t i = place_of(key);
        return i < elements.size() && elements[i].first == key;
    }
    bool contains(K key) const { return count(key); }
    size_t erase(K key)
    {
        size_t found = count(key);
        if (found)
            elements.erase(elements.begin() + place_of(key));
        return found;
    }
    void clear() { elements.clear(); }
    size_t size() const { return elements.size(); }
    bool empty() const { return elements.empty(); }
};
template <class K, class V> class unordered_map : public map<K, V> {
};
template <class K> class set {
    std::vector<K> elements;

    size_t place_of(K key) const
    {
        size_t i = 0;
        while (i < elements.size() && elements[i] < key)
            i += 1;
        return i;
    }

public:
    set() {}
    void insert(K key)
    {
        size_t i = place_of(key);
        if (i == elements.size() || elements[i] != key)
            elements.insert(elements.begin() + i, key);
    }
    void emplace(K key) { insert(key); }
    size_t erase(K key)
    {
        size_t found = count(key);
        if (found)
            elements.erase(elements.begin() + place_of(key));
        return found;
    }
    bool contains(K key) const { return count(key); }
    void clear() { elements.clear(); }
    K *begin() { return elements.begin(); }
    K *end() { return elements.end(); }
    size_t count(K key) const
    {
        size_t i = place_of(key);
        return i < elements.size() && elements[i] == key;
    }
    size_t size() const { return elements.size(); }
    bool empty() const { return elements.empty(); }
};
template <class K> class unordered_set : public set<K> {
};

template <class T, class U> T exchange(T &object, U with)
{
    T was = std::move(object);
    object = with;
    return was;
}
template <class I, class F> F for_each(I from, I to, F f)
{
    for (; from != to; ++from)
        f(*from);
    return f;
}
template <class I, class O, class F> O transform(I from, I to, O into, F f)
{
    for (; from != to; ++from, ++into)
        *into = f(*from);
    return into;
}
template <class I, class F> void generate(I from, I to, F f)
{
    for (; from != to; ++from)
        *from = f();
}
template <class I, class T> T accumulate(I from, I to, T sum)
{
    for (; from != to; ++from)
        sum = sum + *from;
    return sum;
}
template <class C> auto begin(C &of) { return of.begin(); }
template <class C> auto end(C &of) { return of.end(); }
template <class C> size_t size(C &of) { return of.size(); }
template <class I, class O> O copy(I from, I to, O into)
{
    for (; from != to; ++from, ++into)
        *into = *from;
    return into;
}
template <class I, class O> O copy_n(I from, size_t count, O into) { return copy(from, from + count, into); }
template <class I, class J> bool equal(I from, I to, J other)
{
    for (; from != to; ++from, ++other)
        if (*from != *other)
            return false;
    return true;
}
template <class I, class F> I find_if(I from, I to, F is)
{
    while (from != to && !is(*from))
        ++from;
    return from;
}
template <class I, class T> I find(I from, I to, const T &element)
{
    while (from != to && *from != element)
        ++from;
    return from;
}
template <class I, class F> long count_if(I from, I to, F is)
{
    long found = 0;
    for (; from != to; ++from)
        if (is(*from))
            found += 1;
    return found;
}
template <class I, class F> I remove_if(I from, I to, F is)
{
    I into = from;
    for (; from != to; ++from)
        if (!is(*from)) {
            *into = *from;
            ++into;
        }
    return into;
}
template <class I, class T> I remove(I from, I to, const T &element)
{
    T gone = element;
    return remove_if(from, to, [=](const auto &one) { return one == gone; });
}
template <class I, class T> long count(I from, I to, const T &element)
{
    long found = 0;
    for (; from != to; ++from)
        if (*from == element)
            found += 1;
    return found;
}
template <class I, class F> bool any_of(I from, I to, F is) { return find_if(from, to, is) != to; }
template <class I, class F> bool none_of(I from, I to, F is) { return find_if(from, to, is) == to; }
template <class I, class F> bool all_of(I from, I to, F is)
{
    for (; from != to; ++from)
        if (!is(*from))
            return false;
    return true;
}
template <class I> void reverse(I from, I to)
{
    for (; from < to - 1; ++from) {
        --to;
        std::swap(*from, *to);
    }
}
template <class I, class F> void sort(I from, I to, F less)
{
    for (I next = from; next < to; ++next)
        for (I at = next; at > from && less(*at, *(at - 1)); --at)
            std::swap(*at, *(at - 1));
}
template <class I> void sort(I from, I to)
{
    sort(from, to, [](const auto &a, const auto &b) { return a < b; });
}
template <class T> T abs(T number) { return number < 0 ? 0 - number : number; }
template <class T> T clamp(T number, T least, T most)
{
    return number < least ? least : most < number ? most : number;
}
template <class I> I max_element(I from, I to)
{
    I most = from;
    for (; from != to; ++from)
        if (*most < *from)
            most = from;
    return most;
}
template <class I> I min_element(I from, I to)
{
    I least = from;
    for (; from != to; ++from)
        if (*from < *least)
            least = from;
    return least;
}
template <class T> struct numeric_limits {
    static T max()
    {
        if constexpr (T(0.5) != 0)
            return limit_of_a_float();
        else
            return T(-1) < 0 ? (1ull << (8 * sizeof(T) - 1)) - 1 : T(-1);
    }
    static T min()
    {
        if constexpr (T(0.5) != 0)
            return limit_of_a_float();
        else
            return T(-1) < 0 ? T(1ull << (8 * sizeof(T) - 1)) : T(0);
    }
    static T lowest() { return min(); }
};
// of helper_cuda.h, which CUDA's samples include; the device is an H100
int _ConvertSMVer2Cores(int major, int minor) { return 128; }
int gpuGetMaxGflopsDeviceId() { return 0; }
int gpuDeviceInit(int device) { return device; }

template <class F, class... A> auto bind(F f, A... a)
{
    return [=]() { return f(a...); };
}

// POSIX threads
class pthread_mutex_t {
public:
    std::mutex guard;
    pthread_mutex_t() {}
    pthread_mutex_t(int unlocked) {} // PTHREAD_MUTEX_INITIALIZER
};
template <class F> int pthread_create(std::thread *thread, const void *attributes, F code, void *data)
{
    *thread = std::thread(code, data);
    return 0;
}
int pthread_join(std::thread &thread, decltype(nullptr) result)
{
    thread.join();
    return 0;
}
int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes) { return 0; }
int pthread_mutex_destroy(pthread_mutex_t *mutex) { return 0; }
int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    mutex->guard.lock();
    return 0;
}
int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    mutex->guard.unlock();
    return 0;
}
class pthread_cond_t {
public:
    std::condition_variable signal;
    pthread_cond_t() {}
    pthread_cond_t(int initial) {} // PTHREAD_COND_INITIALIZER
};
int pthread_cond_init(pthread_cond_t *condition, const void *attributes) { return 0; }
int pthread_cond_destroy(pthread_cond_t *condition) { return 0; }
int pthread_cond_signal(pthread_cond_t *condition) { return 0; }
int pthread_cond_broadcast(pthread_cond_t *condition) { return 0; }
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    mutex->guard.unlock();
    mutex->guard.lock();
    return 0;
}
