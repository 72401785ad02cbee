import { z } from 'zod';
import { isPresent, tolerantList } from './body.ts';
import { chipNames, maxChipSources, stripChip } from './source-chips.ts';

const text = z.string().nullish().catch(null);
export const Reference = z.object({ url: text, title: text, source: text, domain: text });
export type Reference = z.infer<typeof Reference>;
const Row = tolerantList(z.union([z.string(), z.number().transform(String)]));
const Component = z.object({
  title: text,
  text: z.string().nullish(),
  /** Of a video. */
  snippet: text,
  markdown: z.string().nullish(),
  table: z
    .object({
      table_header: Row.nullish().catch(null),
      table_content: tolerantList(Row).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  references: tolerantList(Reference).nullish().catch(null),
});
type Component = z.infer<typeof Component>;
export const Element = Component.extend({
  /** Of an expanded element. */
  components: tolerantList(Component).nullish(),
});
export type Element = z.infer<typeof Element>;

/**
 * The text of an overview from its elements: text, tables, videos and components of expanded elements. `references` are
 * those of the whole overview, because a chip may name a source that another element lists.
 */
export function elementsText(elements: readonly Element[], references: readonly Reference[]): string {
  const listedNames = toChipNames(references);
  return elements
    .flatMap((element) => [element, ...(element.components ?? []).filter(isPresent)])
    .map((component) => componentText(component, listedNames))
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The sources named inside elements and their components. */
export function elementsReferences(elements: readonly Element[]): Reference[] {
  return elements
    .flatMap((element) => [element, ...(element.components ?? []).filter(isPresent)])
    .flatMap(({ references }) => references ?? [])
    .filter(isPresent);
}

function toChipNames(references: readonly Reference[]): string[] {
  const names = references
    .slice(0, maxChipSources)
    .flatMap(({ source, domain, url }) => [...chipNames({ source, link: url }), ...(domain ? [domain] : [])]);
  return [...new Set(names)];
}

/** `text` ends in source chips, `markdown` has links instead. */
function componentText(component: Component, listedNames: readonly string[]): string {
  const own = toChipNames((component.references ?? []).filter(isPresent));
  const plain = stripChip(component.text ?? '', { names: [...own, ...listedNames] });
  const body = component.markdown?.trim() ? component.markdown : plain;
  const rows = component.markdown?.trim() ? [] : toRows(component);
  return [component.title ?? '', body, component.snippet ?? '', ...rows]
    .filter((part) => part.trim() !== '')
    .join('\n');
}

function toRows({ table }: Component): string[] {
  return [table?.table_header, ...(table?.table_content ?? [])]
    .filter(isPresent)
    .map((row) => row.filter(isPresent).join(' | '));
}
