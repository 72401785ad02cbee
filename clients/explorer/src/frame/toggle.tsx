/** A few values next to each other. */
export function Toggle<T extends string>({
  label,
  value,
  values,
  onChange,
}: {
  label: string;
  value: T;
  values: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) {
  return (
    <div class="toggle" role="group" aria-label={label}>
      {values.map(([each, text]) => (
        <button type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </div>
  );
}
