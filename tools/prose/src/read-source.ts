import { type Comment, type Program, parseSync, Visitor } from 'oxc-parser';

/** Text that starts at `line` of its file. */
export type Passage = { file: string; line: number; text: string };

type Part = { start: number; text: string };

const logMethods = new Set(['debug', 'error', 'fatal', 'info', 'warn']);
/** Comments for tools. */
const directive = /^\s*(?:oxlint-|@ts-|@jest-|\/\s*<)/;

/** The comments and log messages of a TypeScript file. */
export function readSource(file: string, source: string): Passage[] {
  const { comments, program } = parseSync(file, source);
  const toLine = (offset: number): number => source.slice(0, offset).split('\n').length;
  const parts = [...readComments(comments, source), ...readLogMessages(program, source)];
  return parts.map(({ start, text }) => ({ file, line: toLine(start), text }));
}

/** Consecutive line comments are one part. */
function readComments(comments: readonly Comment[], source: string): Part[] {
  const parts: (Part & Pick<Comment, 'type' | 'end'>)[] = [];
  for (const { type, value, start, end } of comments) {
    if (directive.test(value)) continue;
    const text = value.replaceAll(/^ *\*+ ?/gm, '').trim();
    const last = parts.at(-1);
    if (type === 'Line' && last?.type === 'Line' && /^\n *$/.test(source.slice(last.end, start))) {
      Object.assign(last, { end, text: `${last.text}\n${text}` });
    } else {
      parts.push({ type, start, end, text });
    }
  }
  return parts;
}

function readLogMessages(program: Program, source: string): Part[] {
  const parts: Part[] = [];
  new Visitor({
    CallExpression({ callee, arguments: args }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (!logMethods.has(callee.property.name)) return;
      for (const { type, start, end } of args) {
        if (type !== 'Literal' && type !== 'TemplateLiteral') continue;
        parts.push({
          start,

          text: source.slice(start + 1, end - 1).replaceAll(/\$\{[^}]*\}/g, 'value'),
        });
      }
    },
  }).visit(program);
  return parts;
}
