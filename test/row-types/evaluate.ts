import * as ast from 'typescript/unstable/ast';
import type { Node } from 'typescript/unstable/ast';
import { SymbolFlags } from 'typescript/unstable/sync';
import type { Checker, Symbol } from 'typescript/unstable/sync';

type Scalar = string | number | boolean;
/** An object, whose members are evaluated on use. */
type Members = { get(name: string): Value[] };
/** Undefined is a value that depends on the call. */
export type Value = Scalar | Members | undefined;
/** Arguments of the functions that are being evaluated. */
type Scope = ReadonlyMap<string, Value[]>;

/**
 * Evaluates what SQL texts consist of: constants, templates, conditions and functions that return one expression. A
 * condition on an unknown value takes both branches, so an expression can have several values.
 */
export class Evaluator {
  readonly #checker: Checker;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  evaluate(node: Node, scope: Scope = new Map()): Value[] {
    if (ast.isParenthesizedExpression(node)) return this.evaluate(node.expression, scope);
    if (ast.isTemplateExpression(node)) return this.#evaluateTemplate(node, scope);
    if (ast.isConditionalExpression(node)) return this.#evaluateCondition(node, scope);
    if (ast.isBinaryExpression(node) && node.operatorToken.kind === ast.SyntaxKind.PlusToken) {
      return combine(this.evaluate(node.left, scope), this.evaluate(node.right, scope), add);
    }
    if (ast.isObjectLiteralExpression(node))
      return [{ get: (name) => this.#evaluateMember(node, name, scope) }];
    if (ast.isCallExpression(node)) return this.#evaluateCall(node, scope);
    if (ast.isIdentifier(node)) {
      return scope.get(node.text) ?? this.#evaluateConstant(this.#checker.getSymbolAtLocation(node), scope);
    }
    return [toLiteral(node)];
  }

  #evaluateTemplate({ head, templateSpans }: ast.TemplateExpression, scope: Scope): Value[] {
    return templateSpans.reduce<Value[]>(
      (texts, { expression, literal }) =>
        combine(texts, this.evaluate(expression, scope), (text, value) => `${text}${value}${literal.text}`),
      [head.text],
    );
  }

  #evaluateCondition({ condition, whenTrue, whenFalse }: ast.ConditionalExpression, scope: Scope): Value[] {
    return this.evaluate(condition, scope).flatMap((value) => {
      const branches = value === undefined ? [whenTrue, whenFalse] : [value ? whenTrue : whenFalse];
      return branches.flatMap((branch) => this.evaluate(branch, scope));
    });
  }

  #evaluateConstant(symbol: Symbol | undefined, scope: Scope): Value[] {
    const declaration = this.#findDeclaration(symbol);
    if (declaration === undefined || !ast.isVariableDeclaration(declaration)) return [undefined];
    return declaration.initializer === undefined
      ? [undefined]
      : this.evaluate(declaration.initializer, scope);
  }

  #evaluateCall({ expression, arguments: given }: ast.CallExpression, scope: Scope): Value[] {
    const called = toFunction(this.#findDeclaration(this.#checker.getSymbolAtLocation(expression)));
    const result = called && findResult(called);
    if (called === undefined || result === undefined) return [undefined];
    const inner = new Map(scope);
    for (const [index, { name }] of called.parameters.entries()) {
      const argument = given[index];
      if (argument === undefined) continue;
      if (ast.isIdentifier(name)) inner.set(name.text, this.evaluate(argument, scope));
      else setMembers(inner, name, this.evaluate(argument, scope));
    }
    return this.evaluate(result, inner);
  }

  #evaluateMember({ properties }: ast.ObjectLiteralExpression, name: string, scope: Scope): Value[] {
    for (const property of properties) {
      if (ast.isPropertyAssignment(property) && property.name.getText() === name) {
        return this.evaluate(property.initializer, scope);
      }
      if (ast.isShorthandPropertyAssignment(property) && property.name.getText() === name) {
        const symbol = this.#checker.getShorthandAssignmentValueSymbol(property);
        return scope.get(name) ?? this.#evaluateConstant(symbol, scope);
      }
    }
    return [];
  }

  #findDeclaration(symbol: Symbol | undefined): Node | undefined {
    const isImported = symbol !== undefined && (symbol.flags & SymbolFlags.Alias) !== 0;
    const target = isImported ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return target?.valueDeclaration?.resolve();
  }
}

function toLiteral(node: Node): Scalar | undefined {
  if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ast.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ast.SyntaxKind.TrueKeyword) return true;
  return node.kind === ast.SyntaxKind.FalseKeyword ? false : undefined;
}

type AnyFunction = ast.ArrowFunction | ast.FunctionDeclaration;

function toFunction(declaration: Node | undefined): AnyFunction | undefined {
  if (declaration === undefined || ast.isFunctionDeclaration(declaration)) return declaration;
  const value = ast.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return value !== undefined && ast.isArrowFunction(value) ? value : undefined;
}

/** Sets the names of a destructured parameter. */
function setMembers(scope: Map<string, Value[]>, { elements }: ast.BindingPattern, values: Value[]): void {
  for (const { name } of elements) {
    if (name === undefined || !ast.isIdentifier(name)) continue;
    scope.set(
      name.text,
      values.flatMap((value) => (typeof value === 'object' ? value.get(name.text) : [undefined])),
    );
  }
}

/** The expression of an arrow function, or what the last statement of a body returns. */
function findResult({ body }: AnyFunction): Node | undefined {
  if (body === undefined || !ast.isBlock(body)) return body;
  const last = body.statements.at(-1);
  return last !== undefined && ast.isReturnStatement(last) ? last.expression : undefined;
}

function combine(left: Value[], right: Value[], join: (a: Scalar, b: Scalar) => Scalar): Value[] {
  return left.flatMap((a) => right.map((b) => (isScalar(a) && isScalar(b) ? join(a, b) : undefined)));
}

function isScalar(value: Value): value is Scalar {
  return value !== undefined && typeof value !== 'object';
}

function add(left: Scalar, right: Scalar): Scalar {
  return typeof left === 'number' && typeof right === 'number' ? left + right : `${left}${right}`;
}
