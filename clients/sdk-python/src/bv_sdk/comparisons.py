from __future__ import annotations

from .types import ComparedFigures, ScoreComparison

VERDICTS = {
    "up": "The interval is above 0: the rise is larger than answers vary by chance.",
    "down": "The interval is below 0: the fall is larger than answers vary by chance.",
    "no_evidence": "The interval contains 0: the figures do not show a change.",
    "not_comparable": "The periods cannot be compared.",
}
REASONS = {
    "too_few": "fewer than five prompts can be compared",
    "model_changed": "a platform answered with other models",
    "surface_changed": "a platform was asked in another way",
    "method_changed": "the method version changed",
    "competitors_changed": "the tracked competitors changed",
    "incomplete": "more than 20 % of the units of a period failed",
    "unequal_answers": "one period has over four times as many answers",
    "partial_run": "units of a scan failed",
    "prompt_set_changed": "less than 80 % of the cells are in both",
    "short_window": "a period has fewer than three days",
    "platform_drift": "answers of a platform changed their shape",
}


def describe_comparison(comparison: ScoreComparison) -> str:
    """Returns a comparison in sentences: the figures, the interval, the verdict and its reasons.

    Verdicts and reasons of later versions of the API are shown as they are.
    """
    a, b, difference = comparison["a"], comparison["b"], comparison["difference"]
    verdict = comparison["verdict"]
    sentences = [
        f"{comparison['metric']}: {_show(b)}, against {_show(a)}, for the {b['prompts']} prompts "
        f"with answers in both periods ({b['units']} and {a['units']} answers).",
        "No difference can be computed."
        if difference is None
        else f"Difference {signed(difference['value'])}, "
        f"{100 * difference['confidence']:.6g} % interval "
        f"{signed(difference['low'])} to {signed(difference['high'])}.",
        f"Verdict {verdict}. {VERDICTS.get(verdict, '')}".strip(),
    ]
    if comparison["reasons"]:
        reasons = "; ".join(REASONS.get(reason, reason) for reason in comparison["reasons"])
        sentences.append(f"Note: {reasons}.")
    return " ".join(sentences)


def _show(figures: ComparedFigures) -> str:
    value = "no value" if figures["value"] is None else f"{figures['value']}"
    return f"{value} from {figures['from']} to {figures['to']}"


def signed(value: float) -> str:
    return f"+{value}" if value > 0 else f"{value}"
