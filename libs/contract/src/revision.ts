/** Day of the last change of the API or its description, as the changelog names it. The version stays 1.0.0. */
export const revision = '2026-11-28';
