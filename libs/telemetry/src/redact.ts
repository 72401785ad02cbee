import { redactUrls } from './redact-urls.ts';

const secretFields =
  /"((?:[\w-]*(?:authorization|cookie|password|secret|secrets|pepper|api[_-]?key|(?:access|operator|auth)[_-]?token))|token|x-bv-caller)":(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;
const apiKeys = /(bvk_(?:live|test)_[0-9A-Za-z]{3})[0-9A-Za-z]+/g;
const webhookSecrets = /whsec_[A-Za-z0-9+/=_-]+/g;
const bearerTokens = /\b(Bearer|Basic)\s+(?!bvk_)[^\s"'\\,]+/gi;
/** The parser's error has the whole URL as a property, even one in which nothing can be recognised. */
const invalidUrls = /"(input|base)":"(?:[^"\\]|\\.)*"/g;

/** Whether any of them can match: most lines hold nothing secret, and one look is cheaper than five. */
const suspicious =
  /authorization|cookie|password|secret|pepper|api[_-]?key|token"|x-bv-caller|bvk_(?:live|test)_[0-9A-Za-z]{4}|whsec_|bearer\s|basic\s/i;

/**
 * Takes every secret out of one serialised log line. It works on the text, not on chosen paths, so a key inside
 * an error message, a stack or a nested body is caught as well. API keys keep their first 12 characters.
 */
export function redactLine(line: string): string {
  try {
    return redact(line);
  } catch (error) {
    // A regular expression runs out of stack on a string of megabytes. What cannot be searched is not written.
    const msg = `a log line of ${line.length} characters is left out: it cannot be redacted`;
    const time = new Date().toISOString();
    return `${JSON.stringify({ level: 'error', time, reason: (error as Error).name, msg })}\n`;
  }
}

function redact(line: string): string {
  const text = redactUrls(redactInvalidUrls(line));
  if (!suspicious.test(text)) return text;
  return text
    .replace(secretFields, '"$1":"[redacted]"')
    .replace(apiKeys, '$1')
    .replace(webhookSecrets, 'whsec_[redacted]')
    .replace(bearerTokens, '$1 [redacted]');
}

const redactInvalidUrls = (line: string): string =>
  line.includes('ERR_INVALID_URL') ? line.replace(invalidUrls, '"$1":"[redacted]"') : line;
