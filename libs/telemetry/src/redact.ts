import { redactSecrets } from '@bv/settings';

const secretFields =
  /"((?:[\w-]*(?:authorization|cookie|password|secret|secrets|pepper|api[_-]?key|(?:access|operator|auth)[_-]?token))|token|x-bv-caller)":(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;
const apiKeys = /(bvk_(?:live|test)_[0-9A-Za-z]{3})[0-9A-Za-z]+/g;
const webhookSecrets = /whsec_[A-Za-z0-9+/=_-]+/g;
const bearerTokens = /\b(Bearer|Basic)\s+(?!bvk_)[^\s"'\\,]+/gi;
/** Not those of settings, whose secrets are known. A user name alone can be a token. */
const credentials = /\/\/[^\s"\\/?#@]+@/g;
/** The error of the URL parser has the whole URL as a property. */
const invalidUrls = /"(input|base)":"(?:[^"\\]|\\.)*"/g;

/** Whether any of them can match. Most lines contain no secret, and one search is cheaper than five. */
const suspicious =
  /authorization|cookie|password|secret|pepper|api[_-]?key|token"|x-bv-caller|bvk_(?:live|test)_[0-9A-Za-z]{4}|whsec_|bearer\s|basic\s/i;

/**
 * Redacts the secrets of settings by their values, and other secrets by their form. It searches the serialised line, which
 * includes error messages, stacks and nested bodies. API keys keep their first 12 characters.
 */
export function redactLine(line: string): string {
  try {
    return redact(line);
  } catch (error) {
    // A regular expression runs out of stack on a string of megabytes, so the line cannot be searched.
    const msg = `a log line of ${line.length} characters is omitted, because it cannot be redacted`;
    const time = new Date().toISOString();
    return `${JSON.stringify({ level: 'error', time, reason: (error as Error).name, msg })}\n`;
  }
}

function redact(line: string): string {
  const text = redactUrls(redactSecrets(line));
  if (!suspicious.test(text)) return text;
  return text
    .replace(secretFields, '"$1":"[redacted]"')
    .replace(apiKeys, '$1')
    .replace(webhookSecrets, 'whsec_[redacted]')
    .replace(bearerTokens, '$1 [redacted]');
}

function redactUrls(line: string): string {
  const text = line.includes('@') ? line.replace(credentials, '//[redacted]@') : line;
  return text.includes('ERR_INVALID_URL') ? text.replace(invalidUrls, '"$1":"[redacted]"') : text;
}
