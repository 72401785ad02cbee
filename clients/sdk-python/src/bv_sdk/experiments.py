from __future__ import annotations

from .comparisons import signed
from .types import Experiment, ExperimentArmResult

VERDICTS = {
    "up": "The treated prompts rose against the control prompts, by more than chance.",
    "down": "The treated prompts fell against the control prompts, by more than chance.",
    "no_evidence": "The figures do not show an effect.",
    "not_comparable": "The arms cannot be compared.",
}

REASONS = {
    "too_few": "an arm has fewer than five prompts with answers in both windows",
    "method_changed": "the method version changed",
    "incomplete": "more than 20 % of the units of a window failed",
    "model_changed": "a platform answered with other models",
    "surface_changed": "a platform was asked in another way",
    "competitors_changed": "the tracked competitors changed",
    "unequal_answers": "one window has over four times as many answers",
    "pre_trend": "the arms already moved apart before the change",
    "arms_differ": "the arms are more than 15 points apart, so one shock may move them by different points",
}


def describe_experiment(experiment: Experiment) -> str:
    """Returns an experiment in sentences: platforms and markets if not all, both arms, the effect,
    the verdict and its reasons.

    Verdicts and reasons of later versions of the API are shown as they are.
    """
    name = experiment["name"] + _scope(experiment)
    status, result = experiment["status"], experiment["result"]
    if result is None:
        is_over = status in ("completed", "stopped")
        why = "One of the windows has no answers." if is_over else "There is no result."
        return f"{name}: {status}. {why}"
    effect, verdict = result["effect"], result["verdict"]
    chance = "" if result["p_value"] is None else f", p = {result['p_value']}"
    sentences = [
        f"{name}: {experiment['metric']} of the treated prompts from {_arm(result['treated'])}, "
        f"of the control prompts from {_arm(result['control'])}.",
        "No effect can be computed."
        if effect is None
        else f"Effect {signed(effect['value'])}, {100 * effect['confidence']:.6g} % interval "
        f"{signed(effect['low'])} to {signed(effect['high'])}{chance}.",
    ]
    if verdict is not None:
        sentences.append(f"Verdict {verdict}. {VERDICTS.get(verdict, '')}".strip())
    elif status == "stopped":
        sentences.append("It was stopped, so it has no verdict.")
    else:
        sentences.append(f"The verdict comes after {experiment['post']['to']}.")
    if result["reasons"]:
        sentences.append(f"Note: {'; '.join(REASONS.get(each, each) for each in result['reasons'])}.")
    return " ".join(sentences)


def _scope(experiment: Experiment) -> str:
    parts = (("on", experiment["platforms"]), ("in", experiment["countries"]))
    scope = [f"{word} {', '.join(values)}" for word, values in parts if values is not None]
    return f" ({' '.join(scope)})" if scope else ""


def _arm(arm: ExperimentArmResult) -> str:
    before, after = ("no value" if arm[key] is None else f"{arm[key]}" for key in ("before", "after"))
    return f"{before} to {after} ({arm['prompts']} prompts)"
