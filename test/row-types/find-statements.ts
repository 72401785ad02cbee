import { join, relative } from 'node:path';
import { API, TypeFlags } from 'typescript/unstable/sync';
import type { Checker, Project, Type } from 'typescript/unstable/sync';
import * as ast from 'typescript/unstable/ast';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { Evaluator } from './evaluate.ts';
import type { Value } from './evaluate.ts';

/** What JavaScript value a column has in the row type; `any` if the type says nothing. */
export type Kind = 'string' | 'number' | 'boolean' | 'bytes' | 'object' | 'any' | `${string}[]`;
/** Elements of a tuple have no column name. */
export type Column = { name: string | null; kind: Kind; nullable: boolean };

export type Statement = {
  /** File and function of `@bv/postgres`. */
  place: string;
  name: string;
  /** Several where the text depends on an argument. */
  texts: string[];
  /** Undefined where no row type is given. */
  columns: Column[] | undefined;
};

const functions = new Set(['many', 'one', 'maybeOne', 'execute']);

/**
 * Finds every call of `many`, `one`, `maybeOne` and `execute` in the sources of each package, with its row type, except
 * those of `ignored` statements. The
 * compiler's API is marked unstable: the version of TypeScript is pinned.
 */
export function findStatements(
  root: string,
  packages: readonly string[],
  ignored: ReadonlySet<string>,
): Map<string, Statement[]> {
  const api = new API({ cwd: root });
  try {
    const configs = packages.map((name) => join(root, name, 'tsconfig.json'));
    const snapshot = api.updateSnapshot({ openProjects: configs });
    return new Map(
      packages.map((name, index) => {
        const project = snapshot.getProject(configs[index] ?? '');
        if (project === undefined) throw new Error(`${name} has no TypeScript project`);
        return [name, listStatements(project, root, ignored)];
      }),
    );
  } finally {
    api.close();
  }
}

function listStatements(project: Project, root: string, ignored: ReadonlySet<string>): Statement[] {
  const statements: Statement[] = [];
  for (const path of project.rootFiles) {
    const source =
      path.includes('/src/') && !path.endsWith('.test.ts') && project.program.getSourceFile(path);
    if (!source) continue;
    for (const call of listCalls(source)) {
      statements.push(...toStatements(project.checker, call, { path: relative(root, path), ignored }));
    }
  }
  return statements;
}

function listCalls(source: SourceFile): ast.CallExpression[] {
  const calls: ast.CallExpression[] = [];
  const visit = (node: Node): void => {
    if (
      ast.isCallExpression(node) &&
      ast.isIdentifier(node.expression) &&
      functions.has(node.expression.text)
    ) {
      calls.push(node);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return calls;
}

function toStatements(
  checker: Checker,
  call: ast.CallExpression,
  { path, ignored }: { path: string; ignored: ReadonlySet<string> },
): Statement[] {
  const [, argument] = call.arguments;
  const called = call.expression.getText();
  const place = `${path} ${called}`;
  const [query] = argument === undefined ? [] : new Evaluator(checker).evaluate(argument);
  if (typeof query !== 'object') throw new Error(`${place}: the query cannot be evaluated`);
  const [names, texts] = [query.get('name'), query.get('text')];
  if (isTexts(names) && names.every((name) => ignored.has(name))) return [];
  if (!isTexts(names) || !isTexts(texts)) throw new Error(`${place}: name or text cannot be evaluated`);
  const columns = called === 'execute' ? undefined : toColumns(checker, getRowType(checker, call));
  return names.map((name) => ({ place, name, texts, columns }));
}

function isTexts(values: Value[]): values is string[] {
  return values.length > 0 && values.every((value) => typeof value === 'string');
}

/** The type of a row in `Promise<Row[]>`, `Promise<Row>` or `Promise<Row | undefined>`. */
function getRowType(checker: Checker, call: ast.CallExpression): Type {
  const signature = checker.getResolvedSignature(call);
  const promise = signature && checker.getReturnTypeOfSignature(signature);
  const result = promise?.isTypeReference() && checker.getTypeArguments(promise)[0];
  if (!result) throw new Error(`${call.getText()} has no type`);
  if (result.isTypeReference() && checker.isArrayType(result) && call.expression.getText() === 'many') {
    return checker.getTypeArguments(result)[0] ?? result;
  }
  return checker.getNonNullableType(result) ?? result;
}

function toColumns(checker: Checker, row: Type): Column[] | undefined {
  if (row.flags & (TypeFlags.Any | TypeFlags.Unknown)) return undefined;
  if (row.isTypeReference() && checker.isTupleType(row)) {
    return checker.getTypeArguments(row).map((type) => toColumn(checker, null, type));
  }
  return checker.getPropertiesOfType(row).map((property) => {
    const type = checker.getTypeOfSymbol(property);
    if (type === undefined) throw new Error(`${property.name} has no type`);
    return toColumn(checker, property.name, type);
  });
}

function toColumn(checker: Checker, name: string | null, type: Type): Column {
  const parts = type.isUnionType() ? type.getTypes() : [type];
  const nullable = parts.some(({ flags }) => flags & TypeFlags.Null);
  return { name, nullable, kind: toKind(checker, checker.getNonNullableType(type) ?? type) };
}

function toKind(checker: Checker, type: Type): Kind {
  if (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter)) return 'any';
  if (checker.isTypeAssignableTo(type, checker.getStringType())) return 'string';
  if (checker.isTypeAssignableTo(type, checker.getNumberType())) return 'number';
  if (checker.isTypeAssignableTo(type, checker.getBooleanType())) return 'boolean';
  if (type.isTypeReference() && checker.isArrayLikeType(type) && !checker.isTupleType(type)) {
    const [element] = checker.getTypeArguments(type);
    if (type.getSymbol()?.name === 'Buffer') return 'bytes';
    return element === undefined ? 'any' : `${toKind(checker, element)}[]`;
  }
  return type.getSymbol()?.name === 'Buffer' ? 'bytes' : 'object';
}
