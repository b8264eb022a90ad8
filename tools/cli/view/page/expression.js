// Expressions in Lua's syntax over the fields of a body: numbers, names, + - * / // % ^, comparisons, and,
// or, not, the functions of `math`, and "a and b or c" as a condition. This file evaluates them itself; other
// parts of Lua are not available.

const EXPRESSION_FUNCTIONS = {
  abs: Math.abs, sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, exp: Math.exp,
  floor: Math.floor, ceil: Math.ceil, min: Math.min, max: Math.max, deg: (x) => x * 180 / Math.PI, rad: (x) => x * Math.PI / 180,
  atan: (y, x) => x === undefined ? Math.atan(y) : Math.atan2(y, x),
  log: (x, base) => base === undefined ? Math.log(x) : Math.log(x) / Math.log(base),
  fmod: (a, b) => a % b, hypot: Math.hypot,
};

const EXPRESSION_TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z_][A-Za-z_0-9]*)|(\/\/|==|~=|<=|>=|[-+*/%^<>(),.]))/y;
// binding powers, left and right; ^ is right-associative and binds more strongly than signs
const EXPRESSION_POWERS = {
  or: [1, 2], and: [3, 4], "<": [5, 6], ">": [5, 6], "<=": [5, 6], ">=": [5, 6], "==": [5, 6], "~=": [5, 6],
  "+": [7, 8], "-": [7, 8], "*": [9, 10], "/": [9, 10], "//": [9, 10], "%": [9, 10], "^": [14, 13],
};
const EXPRESSION_UNARY = 11;

const truth = (value) => value !== false && value !== undefined;
const EXPRESSION_OPERATORS = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b, "//": (a, b) => Math.floor(a / b),
  "%": (a, b) => a - Math.floor(a / b) * b, "^": Math.pow, "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b, "==": (a, b) => a === b, "~=": (a, b) => a !== b,
};

function splitExpression(text) {
  const tokens = [];
  EXPRESSION_TOKEN.lastIndex = 0;
  while (EXPRESSION_TOKEN.lastIndex < text.trimEnd().length) {
    const at = EXPRESSION_TOKEN.lastIndex, found = EXPRESSION_TOKEN.exec(text);
    if (!found) throw new Error(`'${text.slice(at).trim().slice(0, 12)}' is not understood`);
    tokens.push(found[1] ? { number: Number(found[1]) } : found[2] ? { name: found[2] } : { sign: found[3] });
  }
  return tokens;
}

// Returns a function of (lookup); lookup(name) returns the value of a field. fields: the known names. Throws an error with the reason.
function compileExpression(text, fields) {
  const tokens = splitExpression(text), used = new Set();
  let at = 0, depth = 0;
  const word = () => tokens[at] && (tokens[at].sign || tokens[at].name);
  const want = (sign) => {
    if (word() !== sign) throw new Error(`'${sign}' is missing`);
    at++;
  };

  function call(name) {
    const list = [], apply = EXPRESSION_FUNCTIONS[name];
    if (!Object.hasOwn(EXPRESSION_FUNCTIONS, name)) throw new Error(`there is no function '${name}'`);
    at++;
    while (word() !== ")") {
      list.push(climb(0));
      if (word() !== ")") want(",");
    }
    want(")");
    return (lookup) => apply(...list.map((part) => part(lookup)));
  }

  function named(name) {
    if (name === "math" && word() === ".") {
      at++;
      name = tokens[at] && tokens[at].name;
      at++;
      if (name === "pi") return () => Math.PI;
      if (name === "huge") return () => Infinity;
      if (word() !== "(") throw new Error(`math.${name} is not a value`);
    }
    if (word() === "(") return call(name);
    if (name === "pi") return () => Math.PI;
    if (name === "true" || name === "false") return () => name === "true";
    if (!fields.includes(name)) throw new Error(`there is no field '${name}' (${fields.join(", ")})`);
    used.add(name);
    return (lookup) => lookup(name);
  }

  function start() {
    const token = tokens[at++];
    if (!token) throw new Error("something is missing at the end");
    if (token.number !== undefined) return () => token.number;
    if (token.sign === "-" || token.name === "not") {
      const part = climb(EXPRESSION_UNARY);
      return token.sign ? (lookup) => -part(lookup) : (lookup) => !truth(part(lookup));
    }
    if (token.sign === "(") {
      const part = climb(0);
      want(")");
      return part;
    }
    if (token.name && !(token.name in EXPRESSION_POWERS)) return named(token.name);
    throw new Error(`'${token.sign || token.name}' stands in a wrong place`);
  }

  function climb(least) {
    if (++depth > 200) throw new Error("too deep");
    let left = start();
    for (let sign = word(); Object.hasOwn(EXPRESSION_POWERS, sign || "") && EXPRESSION_POWERS[sign][0] >= least; sign = word()) {
      const a = left, name = sign;
      at++;
      const b = climb(EXPRESSION_POWERS[name][1]), apply = EXPRESSION_OPERATORS[name];
      if (name === "and") left = (lookup) => { const value = a(lookup); return truth(value) ? b(lookup) : value; };
      else if (name === "or") left = (lookup) => { const value = a(lookup); return truth(value) ? value : b(lookup); };
      else left = (lookup) => apply(a(lookup), b(lookup));
    }
    depth--;
    return left;
  }

  const value = climb(0);
  if (at < tokens.length) throw new Error(`'${word() || tokens[at].number}' stands in a wrong place`);
  return { value, used: [...used] };
}
