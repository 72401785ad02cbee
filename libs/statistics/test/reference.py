"""Reference values of @bv/statistics, computed by scipy, statsmodels and pandas from single units.

Needs the packages of requirements.txt. `reference.py` writes reference.json, a case a line. `reference.py --check`
compares the stored values with newly computed ones, and exits with 1 if one differs.
"""

import hashlib
import json
import math
import random
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.proportion import proportion_confint

TARGET = Path(__file__).with_name("reference.json")
PACKAGES = ["numpy", "pandas", "scipy", "statsmodels"]
COUNTRIES = ["DE", "US"]
PLATFORMS = ["chatgpt", "gemini", "perplexity"]
CELL = ["promptId", "country", "platform"]


def wilson_cases():
    cases = [(0, 1), (1, 1), (0, 20), (1, 29), (15, 148), (81, 263), (5, 10), (999, 1000), (1, 100000)]
    cases += [(0.3 * 12.5, 12.5), (0.5 * 7.25, 7.25), (0.0, 3.75), (3.75, 3.75), (0.123 * 431.01, 431.01)]
    for successes, trials in cases:
        for alpha in (0.05, 0.01):
            low, high = proportion_confint(successes, trials, alpha=alpha, method="wilson")
            yield {
                "proportion": successes / trials,
                "trials": trials,
                "z": float(stats.norm.ppf(1 - alpha / 2)),
                "low": float(low),
                "high": float(high),
            }


def correlation(units, column="mentioned"):
    """The ANOVA estimator, with the mean squares of an analysis of variance of the single units."""
    sizes = units.groupby("promptId").size()
    n, k = len(units), len(sizes)
    if k < 2 or units[column].nunique() < 2:
        return 0.0
    table = anova_lm(smf.ols(f"{column} ~ C(promptId)", data=units).fit())
    between, within = table["mean_sq"]["C(promptId)"], table["mean_sq"]["Residual"]
    m0 = (n - (sizes**2).sum() / n) / (k - 1)
    return float(min(1, max(0, (between - within) / (between + (m0 - 1) * within))))


def effective_size(units, column="mentioned"):
    """Degrees-of-freedom adjusted effective sample size of Korn and Graubard, with a correlation of at least 0.1."""
    n, k = len(units), units["promptId"].nunique()
    if k == 1:
        return float(n)
    design_effect = 1 + (n / k - 1) * max(0.1, correlation(units, column))
    return max(1.0, float(n / design_effect * (stats.t.ppf(0.975, n - 1) / stats.t.ppf(0.975, k - 1)) ** 2))


def cluster_cases(rng):
    for sizes, spread in [
        ([4, 4, 4, 4, 4], 0.0),
        ([3, 9, 1, 30, 5, 2], 0.3),
        ([21] * 12, 0.2),
        ([1, 1, 1, 2, 2], 0.4),
        (list(range(1, 26)), 0.5),
        ([10, 200], 0.1),
    ]:
        units = pd.DataFrame(
            [
                {"promptId": f"p{index}", "mentioned": int(rng.random() < propensity)}
                for index, size in enumerate(sizes)
                for propensity in [min(1, max(0, 0.4 + spread * rng.uniform(-1, 1)))]
                for _ in range(size)
            ]
        )
        grouped = units.groupby("promptId")["mentioned"].agg(["size", "sum"])
        yield {
            "clusters": [{"n": int(row["size"]), "successes": int(row["sum"])} for _, row in grouped.iterrows()],
            "correlation": correlation(units),
            "effective": effective_size(units),
        }


def simulate_units(rng, prompts, shift):
    """Single answered units of a window, with gaps: not each prompt is asked everywhere, or equally often."""
    rows = []
    for index, propensity in enumerate(prompts):
        for country in COUNTRIES:
            for platform in PLATFORMS:
                if rng.random() < 0.2:
                    continue
                for _ in range(rng.choice([1, 1, 2, 7])):
                    mentioned = rng.random() < min(1, max(0, propensity + shift))
                    position = rng.randint(1, 6) if mentioned else None
                    rows.append(
                        {
                            "promptId": f"p{index}",
                            "country": country,
                            "platform": platform,
                            "mentioned": int(mentioned),
                            "cited": int(rng.random() < 0.3),
                            "rivals": rng.choice([0, 0, 1, 3]),
                            "score": 100 / (1 + 0.1 * (position - 1)) if mentioned else 0.0,
                            "position": position,
                            "sentiment": round(rng.uniform(10, 95), 2)
                            if mentioned and rng.random() < 0.8
                            else None,
                        }
                    )
    return pd.DataFrame(rows).astype({"position": float, "sentiment": float})


def cells_of(units):
    for key, cell in units.groupby(CELL):
        yield {
            **dict(zip(CELL, key)),
            "units": len(cell),
            "mentioned": int(cell["mentioned"].sum()),
            "cited": int(cell["cited"].sum()),
            "unitScoreSum": float(cell["score"].sum()),
            "positionSum": int(cell["position"].sum()),
            "sentimentSum": float(cell["sentiment"].sum()),
            "sentimentCount": int(cell["sentiment"].count()),
            "ownMentions": int(cell["mentioned"].sum()),
            "allMentions": int(cell["mentioned"].sum() + cell["rivals"].sum()),
        }


COLUMNS = {"score": ("score", 1), "mention_rate": ("mentioned", 100), "citation_rate": ("cited", 100)}
COLUMNS |= {"sentiment": ("sentiment", 1), "position": ("position", 1)}


def cell_means(units, metric):
    column, factor = COLUMNS[metric]
    return factor * units.groupby(CELL)[column].mean().dropna()


def pooled(units, metric):
    means = cell_means(units, metric)
    return float(means.mean()) if len(means) else None


def rate_bounds(units, metric):
    effective = effective_size(units, COLUMNS[metric][0])
    low, high = proportion_confint(pooled(units, metric) / 100 * effective, effective, method="wilson")
    return {"low": 100 * float(low), "high": 100 * float(high)}


def jackknife_bounds(units, figure, lowest, highest):
    """t interval of the pseudo-values, of a figure that is computed again without each prompt."""
    prompts = sorted(units["promptId"].unique())
    left_out = [figure(units[units["promptId"] != each]) for each in prompts] if len(prompts) >= 5 else [None]
    if None in left_out:
        return None
    k, theta = len(prompts), figure(units)
    error = stats.sem([k * theta - (k - 1) * each for each in left_out])
    low, high = stats.t.interval(0.95, k - 1, theta, error)
    return {"low": max(lowest, float(low)), "high": min(highest, float(high))}


def window_case(units):
    value = {metric: pooled(units, metric) for metric in COLUMNS}
    effective = effective_size(units)
    return {
        "score": value["score"],
        "mentionRate": value["mention_rate"],
        "averagePosition": value["position"],
        "sentiment": value["sentiment"],
        "citationRate": value["citation_rate"],
        "unitsAnswered": len(units),
        "unitsEffective": effective,
        "promptsMeasured": units["promptId"].nunique(),
        "bounds": {
            "mentionRate": rate_bounds(units, "mention_rate"),
            "citationRate": rate_bounds(units, "citation_rate"),
            "averagePosition": jackknife_bounds(units, lambda each: pooled(each, "position"), 1, math.inf),
            "shareOfVoice": jackknife_bounds(units, share, 0, 100),
        },
    }


def comparison_case(units_a, units_b, metric):
    paired = pd.concat({"a": cell_means(units_a, metric), "b": cell_means(units_b, metric)}, axis=1).dropna()
    prompts = paired.groupby("promptId").mean()
    counts = {
        side: units.groupby(CELL).size().reindex(paired.index).sum() for side, units in (("a", units_a), ("b", units_b))
    }
    if len(prompts) < 2:
        difference = p_value = None
    else:
        test = stats.ttest_rel(prompts["b"], prompts["a"])
        interval = test.confidence_interval(0.95)
        value = float((prompts["b"] - prompts["a"]).mean())
        difference = {"value": value, "low": float(interval.low), "high": float(interval.high), "confidence": 0.95}
        p_value = float(test.pvalue)
    return {
        side: {
            "value": float(prompts[side].mean()) if len(prompts) else None,
            "units": int(counts[side]),
            "unitsFailed": 0,
            "prompts": len(prompts),
        }
        for side in ("a", "b")
    } | {"difference": difference, "pValue": p_value}


def share(units):
    mentions = units["mentioned"].sum() + units["rivals"].sum()
    return float(100 * units["mentioned"].sum() / mentions) if mentions else None


def share_case(units_a, units_b):
    """Tukey's pseudo-values, from the single units of the cells that are in both windows."""
    shared = units_a.set_index(CELL).index.intersection(units_b.set_index(CELL).index).unique()
    a, b = (units[units.set_index(CELL).index.isin(shared)] for units in (units_a, units_b))
    prompts, value = sorted(a["promptId"].unique()), {"a": share(a), "b": share(b)}
    difference = p_value = None
    if len(prompts) >= 5:
        k, theta = len(prompts), value["b"] - value["a"]
        left_out = [share(b[b["promptId"] != each]) - share(a[a["promptId"] != each]) for each in prompts]
        error = stats.sem([k * theta - (k - 1) * each for each in left_out])
        low, high = stats.t.interval(0.95, k - 1, theta, error)
        difference = {"value": theta, "low": float(low), "high": float(high), "confidence": 0.95}
        p_value = float(2 * stats.t.sf(abs(theta) / error, k - 1))
    return {
        side: {"value": value[side], "units": len(units), "unitsFailed": 0, "prompts": len(prompts)}
        for side, units in (("a", a), ("b", b))
    } | {"difference": difference, "pValue": p_value}


def window_cases(rng):
    for prompts, shift in [(1, 0), (2, 0), (4, 0.3), (5, 0.4), (8, -0.25), (20, 0.1)]:
        propensities = [rng.betavariate(0.8, 1.2) for _ in range(prompts)]
        a = simulate_units(rng, propensities, 0)
        b = simulate_units(rng, propensities, shift)
        yield {
            "a": {"cells": list(cells_of(a)), "rates": window_case(a)},
            "b": {"cells": list(cells_of(b)), "rates": window_case(b)},
            "comparisons": {metric: comparison_case(a, b, metric) for metric in COLUMNS if metric != "position"}
            | {"share_of_voice": share_case(a, b)},
        }


def henderson(units):
    """Henderson's method I by projections: sums of squares between groups, and the traces of their expectations."""
    y = units["value"].to_numpy(float)
    z = {name: pd.get_dummies(units[name]).to_numpy(float) for name in ("prompt", "stratum", "cell")}
    z["unit"] = np.eye(len(y))
    mean = np.full((len(y), len(y)), 1 / len(y))
    projections = {name: each @ np.linalg.inv(each.T @ each) @ each.T - mean for name, each in z.items()}
    left = [[np.trace(p @ each @ each.T) for each in z.values()] for p in projections.values()]
    return np.linalg.solve(left, [y @ p @ y for p in projections.values()])


def reml(units):
    """Restricted maximum likelihood, which is the analysis of variance where the design is balanced."""
    parts = {"prompt": "0 + C(prompt)", "stratum": "0 + C(stratum)", "cell": "0 + C(cell)"}
    model = smf.mixedlm("value ~ 1", units, groups=np.ones(len(units)), vc_formula=parts)
    fit = model.fit(reml=True, method=["powell", "bfgs"])
    found = dict(zip(fit.model.exog_vc.names, fit.vcomp))
    return np.array([found["prompt"], found["stratum"], found["cell"], fit.scale])


def component_case(rng, gaps, estimate):
    rows = []
    strata = {name: rng.gauss(0, 25) for name in ("s1", "s2", "s3")}
    for prompt in range(8):
        of_prompt = rng.gauss(40, 15)
        for stratum, of_stratum in strata.items():
            of_cell = rng.gauss(0, 10)
            if rng.random() < gaps:
                continue
            for _ in range(rng.choice([1, 2, 5]) if gaps else 4):
                value = of_prompt + of_stratum + of_cell + rng.gauss(0, 20)
                rows.append({"prompt": f"p{prompt}", "stratum": stratum, "value": value})
    units = pd.DataFrame(rows)
    units["cell"] = units["prompt"] + units["stratum"]
    cells = units.groupby(["prompt", "stratum"])["value"].agg(["size", "sum", lambda each: (each**2).sum()])
    return {
        "cells": [
            {"prompt": prompt, "stratum": stratum, "n": int(size), "sum": float(total), "squares": float(squares)}
            for (prompt, stratum), (size, total, squares) in zip(cells.index, cells.to_numpy())
        ],
        "components": dict(
            zip(["prompt", "stratum", "promptByStratum", "repeat"], [max(0.0, float(v)) for v in estimate(units)])
        ),
    }


def component_cases(rng):
    return [component_case(rng, 0, reml), component_case(rng, 0.15, henderson), component_case(rng, 0.3, henderson)]


def arm_cases(rng):
    """Welch's t interval, and the p-value over all splits, of prompts that change by 0 or by `shift` points."""
    for sizes, shift in [((5, 5), 0), ((5, 6), 15), ((7, 5), -30), ((8, 8), 8)]:
        treated, control = ([rng.gauss(0, 12) for _ in range(size)] for size in sizes)
        treated = [value + shift for value in treated]
        welch = stats.ttest_ind(treated, control, equal_var=False)
        low, high = welch.confidence_interval(0.95)
        splits = stats.permutation_test(
            (np.array(treated), np.array(control)),
            lambda a, b, axis: abs(np.mean(a, axis=axis) - np.mean(b, axis=axis)),
            vectorized=True,
            n_resamples=np.inf,
            alternative="greater",
        )
        effect = {"value": float(np.mean(treated) - np.mean(control)), "low": float(low), "high": float(high)}
        yield {
            "values": {"treated": treated, "control": control},
            "effect": effect | {"confidence": 0.95},
            "pValue": float(splits.pvalue),
        }


def discovery_cases(rng):
    for count in (1, 2, 15, 200):
        p_values = [rng.random() ** 3 for _ in range(count)]
        yield {"pValues": p_values, "qValues": [float(q) for q in stats.false_discovery_control(p_values)]}


def t_quantiles():
    for degrees in [*range(1, 31), 49, 99, 249, 999, 4999, 99999]:
        yield {"degrees": degrees, "quantile": float(stats.t.ppf(0.975, degrees))}


def compute():
    rng = random.Random(20260101)
    return {
        "script": hashlib.sha256(Path(__file__).read_bytes()).hexdigest(),
        "versions": {name: version(name) for name in PACKAGES},
        "wilson": list(wilson_cases()),
        "clusters": list(cluster_cases(rng)),
        "tQuantiles": list(t_quantiles()),
        "windows": list(window_cases(rng)),
        "components": component_cases(rng),
        "arms": list(arm_cases(rng)),
        "discoveries": list(discovery_cases(rng)),
    }


def differences(path, stored, computed):
    if isinstance(stored, dict) and isinstance(computed, dict) and stored.keys() == computed.keys():
        return [each for key in stored for each in differences(f"{path}.{key}", stored[key], computed[key])]
    if isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        return [each for i, pair in enumerate(zip(stored, computed)) for each in differences(f"{path}[{i}]", *pair)]
    if isinstance(stored, float) and isinstance(computed, float):
        if math.isclose(stored, computed, rel_tol=1e-11, abs_tol=1e-11):
            return []
    return [] if stored == computed else [f"{path}: stored {stored}, computed {computed}"]


def one_case_per_line(value, depth=2):
    if depth == 0 or not isinstance(value, (dict, list)):
        return json.dumps(value)
    if isinstance(value, list):
        return "[\n" + ",\n".join(one_case_per_line(each, depth - 1) for each in value) + "\n]"
    fields = (f"{json.dumps(name)}: {one_case_per_line(each, depth - 1)}" for name, each in value.items())
    return "{\n" + ",\n".join(fields) + "\n}"


def main():
    np.seterr(all="ignore")
    computed = json.loads(json.dumps(compute(), allow_nan=False))
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(one_case_per_line(computed) + "\n")
        return 0
    found = differences("reference", json.loads(TARGET.read_text()), computed)
    print("\n".join(found[:20]) if found else f"{TARGET.name} is current")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
