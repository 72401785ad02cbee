import { type DayShare, type DaySize, hasShareDrifted, hasSizeDrifted } from '../src/index.ts';
import { drawPrompts, normal, random } from './simulated-brand.ts';

/** Usual shares of a platform's answers: the figures that are compared, and some that never or always apply. */
const rates = { sources: 0.85, unresolved: 0.02, largest: 0.2, noAnswer: 0.08, noModel: 0 };
type Property = keyof typeof rates;
const properties = Object.keys(rates) as Property[];

export type Plan = {
  prompts: number;
  /** Standard deviation, in logits, of what moves all answers of a day; its correlation from day to day. */
  shock: number;
  memory: number;
  /** Probability that a day brings a customer, who adds a tenth of the prompts. */
  growth: number;
  /** Rates from the changed day on. */
  change: Partial<Record<Property, number>> & { length?: number };
};

export const usualPlan: Plan = { prompts: 300, shock: 0.1, memory: 0, growth: 0, change: {} };

export type Day = { shares: Record<Property, DayShare>; length: DaySize };

/** Days of a platform, each asked the same prompts. What `change` names differs from day `changedOn` on. */
export function drawDays(plan: Plan, days: number, changedOn = days): Day[] {
  const draw = (): Record<Property, number>[] => {
    const drawn = properties.map((property) => drawPrompts(plan.prompts, rates[property]));
    return Array.from(
      { length: plan.prompts },
      (_, prompt) =>
        Object.fromEntries(properties.map((property, at) => [property, drawn[at]![prompt]])) as Record<
          Property,
          number
        >,
    );
  };
  const prompts = draw();
  const moved = new Map<string, number>();
  const move = (name: string): number => {
    const now =
      plan.memory * (moved.get(name) ?? 0) + Math.sqrt(1 - plan.memory ** 2) * plan.shock * normal();
    moved.set(name, now);
    return now;
  };
  return Array.from({ length: days }, (_, day) => {
    if (random() < plan.growth) prompts.push(...draw().slice(0, Math.ceil(plan.prompts / 10)));
    const change = day < changedOn ? {} : plan.change;
    const units = prompts.length;
    const shares = properties.map((property) => {
      const shift = Math.exp(move(property));
      const count = prompts.filter((rate) => {
        const odds = (rate[property] / Math.max(1e-9, 1 - rate[property])) * shift;
        return random() < (change[property] ?? odds / (1 + odds));
      }).length;
      return [property, { count, units }] as const;
    });
    const lengths = prompts.map(() => Math.exp(7 + 0.6 * normal())).toSorted((a, b) => a - b);
    const size = lengths[units >> 1]! * Math.exp(move('length')) * (change.length ?? 1);
    return { shares: Object.fromEntries(shares) as Day['shares'], length: { size, units } };
  });
}

/** The days, by their index, that differ from the 14 days before. */
export const listDriftedDays = (days: readonly Day[]): number[] =>
  days.flatMap((day, index) => {
    const before = days.slice(Math.max(0, index - 14), index);
    const hasDrifted =
      hasSizeDrifted(
        day.length,
        before.map(({ length }) => length),
      ) ||
      properties.some((name) =>
        hasShareDrifted(
          day.shares[name],
          before.map(({ shares }) => shares[name]),
        ),
      );
    return hasDrifted ? [index] : [];
  });
