/** What the marks of a picture mean. */
export function Legend({ items }: { items: readonly (readonly [style: string, text: string])[] }) {
  return (
    <ul class="legend">
      {items.map(([style, text]) => (
        <li>
          <i class={style} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}
