/* SPDX-License-Identifier: MIT */
/*
 * SECONDS THREADS: an optimised C++ program for stacks that call frame information alone describes:
 * expressions are made, evaluated, printed and sorted, through virtual calls and the standard library.
 */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

class Random {
public:
	explicit Random(uint64_t seed) : state(seed * 2 + 1) {}
	uint32_t next(uint32_t below)
	{
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		return uint32_t(state >> 33) % below;
	}

private:
	uint64_t state;
};

using Environment = std::map<std::string, double>;

struct Node {
	virtual ~Node() = default;
	virtual double value(const Environment &environment) const = 0;
	virtual std::string text() const = 0;
	virtual size_t count(const std::function<bool(const Node &)> &wanted) const
	{
		return wanted(*this);
	}
};

struct Number : Node {
	explicit Number(double given) : number(given) {}
	double value(const Environment &) const override { return number; }
	std::string text() const override { return std::to_string(number); }
	double number;
};

struct Name : Node {
	explicit Name(std::string given) : name(std::move(given)) {}
	double value(const Environment &environment) const override
	{
		auto found = environment.find(name);
		return found == environment.end() ? 0 : found->second;
	}
	std::string text() const override { return name; }
	std::string name;
};

template <typename Operation> struct Pair : Node {
	Pair(std::unique_ptr<Node> l, std::unique_ptr<Node> r) : left(std::move(l)), right(std::move(r)) {}
	double value(const Environment &environment) const override
	{
		double first = left->value(environment);
		return Operation()(first, right->value(environment));
	}
	std::string text() const override { return "(" + left->text() + "," + right->text() + ")"; }
	size_t count(const std::function<bool(const Node &)> &wanted) const override
	{
		return wanted(*this) + left->count(wanted) + right->count(wanted);
	}
	std::unique_ptr<Node> left, right;
};

std::unique_ptr<Node> make(Random &random, int depth)
{
	if (depth == 0 || random.next(20) == 0) {
		if (random.next(2))
			return std::make_unique<Number>(random.next(1000));
		return std::make_unique<Name>("variable_" + std::to_string(random.next(40)));
	}
	auto left = make(random, depth - 1);
	auto right = make(random, depth - 1);
	switch (random.next(3)) {
	case 0:
		return std::make_unique<Pair<std::plus<double>>>(std::move(left), std::move(right));
	case 1:
		return std::make_unique<Pair<std::minus<double>>>(std::move(left), std::move(right));
	default:
		return std::make_unique<Pair<std::multiplies<double>>>(std::move(left), std::move(right));
	}
}

Environment make_environment(Random &random)
{
	Environment environment;
	for (int i = 0; i < 40; i++)
		environment["variable_" + std::to_string(i)] = random.next(100);
	return environment;
}

size_t sorted_words(const std::string &text)
{
	std::vector<std::string> words;
	std::string word;
	for (char c : text) {
		if (c != '(' && c != ',' && c != ')') {
			word += c;
		} else if (!word.empty()) {
			words.push_back(word);
			word.clear();
		}
	}
	std::sort(words.begin(), words.end(), [](const std::string &a, const std::string &b) {
		return a.size() != b.size() ? a.size() < b.size() : a < b;
	});
	std::unordered_map<std::string, size_t> counts;
	for (const std::string &w : words)
		counts[w]++;
	return counts.size();
}

double work(uint64_t seed, std::chrono::steady_clock::time_point end)
{
	Random random(seed);
	double sum = 0;
	while (std::chrono::steady_clock::now() < end) {
		auto tree = make(random, 12);
		Environment environment = make_environment(random);
		for (int i = 0; i < 8; i++)
			sum += tree->value(environment);
		sum += double(tree->count([](const Node &node) {
			return dynamic_cast<const Number *>(&node) != nullptr;
		}));
		sum += double(sorted_words(tree->text()));
	}
	return sum;
}

} // namespace

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 3;
	int count = argc > 2 ? atoi(argv[2]) : 2;
	auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
	std::vector<double> sums(size_t(count), 0.0);
	std::vector<std::thread> threads;
	for (int i = 1; i < count; i++)
		threads.emplace_back([&sums, i, end] { sums[size_t(i)] = work(uint64_t(i), end); });
	sums[0] = work(0, end);
	for (auto &thread : threads)
		thread.join();
	double sum = 0;
	for (double s : sums)
		sum += s;
	printf("%g\n", sum);
}
