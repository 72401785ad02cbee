/** In-memory model of one organisation: the specification's rules for states, limits and archiving. */
export type Limits = {
  prompts: number;
  own_brands: number;
  countries: number;
  competitors_per_brand: number;
};
export type Row = { text: number; countries: string[]; active: boolean };
type Brand = { domain: number; archived: boolean; competitors: Set<number>; identity: Identity };
/** Of an own brand, as far as it was changed. */
export type Identity = { name?: string; aliases?: string[]; match?: { verify: boolean } };
type Prompt = { brand: number; text: number; countries: string[]; active: boolean; changed: number };

/** Result of a call: `ok`, or the error code. */
export type Outcome = string;
type Change = { countries?: string[] | undefined; active?: boolean | undefined };

const sameSet = (one: string[], other: string[]): boolean =>
  one.length === other.length && one.every((member) => other.includes(member));

export class Model {
  limits: Limits;
  readonly brands: Brand[] = [];
  readonly prompts: Prompt[] = [];
  #clock = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  counted(): Prompt[] {
    return this.prompts.filter((prompt) => prompt.active && !this.brands[prompt.brand]?.archived);
  }

  countries(prompts = this.counted()): Set<string> {
    return new Set(prompts.flatMap(({ countries }) => countries));
  }

  ownBrands(): number {
    return this.brands.filter(({ archived }) => !archived).length;
  }

  createProperty(domain: number, competitors: number[]): Outcome {
    if (competitors.includes(domain)) return 'validation_error';
    if (this.brands.some((brand) => brand.domain === domain)) return 'brand_exists';
    if (this.ownBrands() + 1 > this.limits.own_brands) return 'brand_cap_exceeded';
    this.brands.push({ domain, archived: false, competitors: new Set(), identity: {} });
    for (const competitor of competitors) {
      const outcome = this.link(this.brands.length - 1, competitor);
      if (outcome === 'competitor_cap_exceeded') return outcome;
    }
    return 'ok';
  }

  link(at: number, domain: number): Outcome {
    const brand = this.#brand(at);
    if (brand.domain === domain) return 'validation_error';
    if (brand.archived) return 'brand_archived';
    if (brand.competitors.has(domain)) return 'conflict';
    if (brand.competitors.size + 1 > this.limits.competitors_per_brand) return 'competitor_cap_exceeded';
    brand.competitors.add(domain);
    return 'ok';
  }

  unlink(at: number, domain: number): Outcome {
    return this.#brand(at).competitors.delete(domain) ? 'ok' : 'not_found';
  }

  /** Archived brands accept it too. */
  updateBrand(at: number, change: Identity): Outcome {
    if (Object.keys(change).length === 0) return 'validation_error';
    Object.assign(this.#brand(at).identity, change);
    return 'ok';
  }

  createPrompt(at: number, row: Row): Outcome {
    if (this.#brand(at).archived) return 'brand_archived';
    const error = row.active ? this.#checkActive(at, row.text, row.countries) : undefined;
    if (error) return error;
    this.prompts.push({ brand: at, ...row, changed: (this.#clock += 1) });
    return 'ok';
  }

  updatePrompt(at: number, change: Change): Outcome {
    const prompt = this.prompts[at] as Prompt;
    if (change.active === undefined && change.countries === undefined) return 'validation_error';
    const isDeactivation = change.active === false && change.countries === undefined;
    if (this.#brand(prompt.brand).archived && !isDeactivation) return 'brand_archived';
    return this.#change(prompt, change);
  }

  /** The outcome of the whole body, or one per missing prompt followed by one per row. */
  sync(at: number, rows: Row[], deactivateMissing: boolean): Outcome | Outcome[] {
    if (this.#brand(at).archived) return 'brand_archived';
    const listed = new Set(rows.map(({ text }) => text));
    const missing = this.prompts.filter(
      (prompt) => prompt.brand === at && prompt.active && !listed.has(prompt.text),
    );
    const outcomes: Outcome[] = [];
    if (deactivateMissing) {
      for (const prompt of missing) {
        this.#change(prompt, { active: false });
        outcomes.push('deactivated');
      }
    }
    for (const row of rows) outcomes.push(this.#syncRow(at, row));
    return outcomes;
  }

  archive(at: number): Outcome {
    this.#brand(at).archived = true;
    return 'ok';
  }

  restore(at: number): Outcome {
    const brand = this.#brand(at);
    if (!brand.archived) return 'ok';
    const back = this.prompts.filter((prompt) => prompt.brand === at && prompt.active);
    if (this.ownBrands() + 1 > this.limits.own_brands) return 'brand_cap_exceeded';
    const all = [...this.counted(), ...back];
    if (back.length > 0 && all.length > this.limits.prompts) return 'prompt_cap_exceeded';
    if (back.length > 0 && this.countries(all).size > this.limits.countries) return 'country_cap_exceeded';
    brand.archived = false;
    return 'ok';
  }

  #syncRow(at: number, row: Row): Outcome {
    const twins = this.prompts.filter((prompt) => prompt.brand === at && prompt.text === row.text);
    const stored =
      twins.find(({ active }) => active) ?? twins.toSorted((one, other) => other.changed - one.changed)[0];
    if (!stored) return this.createPrompt(at, row) === 'ok' ? 'created' : 'failed';
    const before = { ...stored };
    if (this.#change(stored, row) !== 'ok') return 'failed';
    if (before.active !== row.active) return row.active ? 'reactivated' : 'deactivated';
    return sameSet(before.countries, row.countries) ? 'unchanged' : 'updated';
  }

  #change(prompt: Prompt, change: Change): Outcome {
    const { countries = prompt.countries, active = prompt.active } = change;
    const same = active === prompt.active && sameSet(countries, prompt.countries);
    if (same) return 'ok';
    if (active && !prompt.active) {
      const error = this.#checkActive(prompt.brand, prompt.text, countries);
      if (error) return error;
    } else if (active && countries.some((country) => !this.countries().has(country))) {
      const others = this.countries(this.counted().filter((other) => other !== prompt));
      if (new Set([...others, ...countries]).size > this.limits.countries) return 'country_cap_exceeded';
    }
    Object.assign(prompt, { countries, active, changed: (this.#clock += 1) });
    return 'ok';
  }

  #checkActive(at: number, text: number, countries: string[]): Outcome | undefined {
    if (this.prompts.some((prompt) => prompt.brand === at && prompt.text === text && prompt.active))
      return 'conflict';
    if (this.counted().length + 1 > this.limits.prompts) return 'prompt_cap_exceeded';
    const union = new Set([...this.countries(), ...countries]);
    return union.size > this.limits.countries ? 'country_cap_exceeded' : undefined;
  }

  #brand(at: number): Brand {
    return this.brands[at] as Brand;
  }
}
