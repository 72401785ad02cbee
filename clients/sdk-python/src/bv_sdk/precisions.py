from __future__ import annotations

from .types import Precision

LIMITS = {
    "repeats": "Limited by repeats: more answers to the same prompts would narrow the interval most.",
    "too_few": "How sure it is cannot be said: that takes five prompts, "
    "with two answers to most of them on each platform.",
}


def describe_precision(precision: Precision) -> str:
    """Returns how sure a figure is: its interval, what limits it, and the smallest change found.

    Limits of later versions of the API are shown as they are.
    """
    level, limit, prompts = precision["level"], precision["limited_by"], precision["prompts"]
    value = "no value" if level["value"] is None else f"{level['value']}"
    width = "" if level["half_width"] is None else f" ± {level['half_width']}"
    smallest = precision["change"]["smallest_detectable_7d"]
    sentences = [
        f"{precision['metric']}: {value}{width} from {precision['from']} to {precision['to']}, "
        f"of {prompts} prompts ({precision['units']} answers).",
        f"Limited by prompts: {3 * prompts} more would halve the interval."
        if limit == "prompts"
        else LIMITS.get(limit, f"Limited by {limit}."),
    ]
    if smallest is not None:
        sentences.append(f"A change of {smallest} points from week to week is usually found.")
    return " ".join(sentences)
