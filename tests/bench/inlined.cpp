/* SPDX-License-Identifier: MIT */
/* An optimised C++ program in which most of what runs was inlined: a parser, an evaluator, sorting. */
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
namespace calc {
struct Number { double value; };
struct Binary; struct Call;
using Node = std::variant<Number, std::unique_ptr<Binary>, std::unique_ptr<Call>>;
struct Binary { char op; Node left, right; };
struct Call { std::string name; std::vector<Node> args; };
class Parser {
	const std::string &text; size_t at = 0;
	char peek() const { return at < text.size() ? text[at] : '\0'; }
	void skip() { while (std::isspace((unsigned char)peek())) at++; }
	bool eat(char c) { skip(); if (peek() != c) return false; at++; return true; }
public:
	explicit Parser(const std::string &t) : text(t) {}
	Node expression() {
		Node left = term();
		for (;;) {
			if (eat('+')) left = std::make_unique<Binary>(Binary{ '+', std::move(left), term() });
			else if (eat('-')) left = std::make_unique<Binary>(Binary{ '-', std::move(left), term() });
			else return left;
		}
	}
	Node term() {
		Node left = factor();
		while (eat('*')) left = std::make_unique<Binary>(Binary{ '*', std::move(left), factor() });
		return left;
	}
	Node factor() {
		skip();
		if (eat('(')) { Node inner = expression(); eat(')'); return inner; }
		if (std::isalpha((unsigned char)peek())) {
			auto call = std::make_unique<Call>();
			while (std::isalpha((unsigned char)peek())) call->name += text[at++];
			eat('(');
			do call->args.push_back(expression()); while (eat(','));
			eat(')');
			return call;
		}
		double v = 0;
		while (std::isdigit((unsigned char)peek())) v = v * 10 + (text[at++] - '0');
		return Number{ v };
	}
};
class Evaluator {
	std::unordered_map<std::string, std::function<double(const std::vector<double> &)>> functions;
public:
	Evaluator() {
		functions["sum"] = [](const std::vector<double> &v) { return std::accumulate(v.begin(), v.end(), 0.0); };
		functions["max"] = [](const std::vector<double> &v) { return *std::max_element(v.begin(), v.end()); };
		functions["med"] = [](const std::vector<double> &v) { auto c = v; std::sort(c.begin(), c.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); }); return c[c.size() / 2]; };
	}
	double operator()(const Number &n) const { return n.value; }
	double operator()(const std::unique_ptr<Binary> &b) const {
		double l = evaluate(b->left), r = evaluate(b->right);
		switch (b->op) { case '+': return l + r; case '-': return l - r; default: return l * r; }
	}
	double operator()(const std::unique_ptr<Call> &c) const {
		std::vector<double> v;
		for (const Node &n : c->args) v.push_back(evaluate(n));
		return functions.at(c->name)(v);
	}
	double evaluate(const Node &n) const { return std::visit(*this, n); }
};
}
static std::string expression(int depth) {
	if (depth == 0)
		return "med(1,2,3,9,8,7,1+2*(3+4*5))";
	return "(" + expression(depth - 1) + (depth % 2 ? "+" : "-") + "max(5,6*7," + expression(depth - 1) + "))";
}
int main(int argc, char **argv) {
	int rounds = argc > 1 ? std::stoi(argv[1]) : 100;
	std::string text = expression(7);
	double total = 0; std::map<int, std::string> words;
	calc::Evaluator evaluator;
	for (int i = 0; i < rounds; i++) {
		calc::Parser parser(text);
		calc::Node tree = parser.expression();
		total += evaluator.evaluate(tree);
		words[i % 1000] += std::to_string(total);
		std::vector<int> v(2000); std::iota(v.begin(), v.end(), i);
		std::sort(v.begin(), v.end(), [](int a, int b) { return (a * 7919 % 1009) < (b * 7919 % 1009); });
		total += v[0];
	}
	std::printf("%f %zu\n", total, words.size());
}
