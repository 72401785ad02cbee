import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { check } from '../check.ts';
import { installPromtool } from '../tools.ts';
import { chartDir } from '../values.ts';
import { alertCases, quietSeries } from './alert-cases.ts';

const ours = 'visibility';
const others = 'others';
const promtool = await installPromtool();
const rules = readFileSync(join(chartDir, 'files/alerts.yaml'), 'utf8').replaceAll('NAMESPACE', ours);

type Rule = {
  alert: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
};
const alerts = (parse(rules) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);

/** Series of a process in that namespace. */
const inputs = (series: Record<string, string>, namespace = ours) =>
  Object.entries(series).map(([name, values]) => {
    const [metric, labels = ''] = name.split(/[{}]/);
    return { series: `${metric}{${labels === '' ? '' : `${labels},`}namespace="${namespace}"}`, values };
  });

/** Runs promtool on rules and expectations. Returns its errors, or an empty text. */
function tested(tests: object[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'bv-alerts-'));
  try {
    writeFileSync(join(dir, 'alerts.yaml'), rules);
    const file = join(dir, 'tests.yaml');
    writeFileSync(file, stringify({ rule_files: ['alerts.yaml'], evaluation_interval: '1m', tests }));
    execFileSync(promtool, ['check', 'rules', join(dir, 'alerts.yaml')], { stdio: 'pipe' });
    execFileSync(promtool, ['test', 'rules', file], { stdio: 'pipe' });
    return '';
  } catch (error) {
    return String((error as { stderr: Buffer }).stderr) + String((error as { stdout: Buffer }).stdout);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const quiet = (alert: string, minutes: number) => ({
  interval: '1m',
  input_series: inputs(quietSeries),
  alert_rule_test: [{ eval_time: `${minutes}m`, alertname: alert, exp_alerts: [] }],
});

check('no alert fires in a quiet hour', () => {
  assert.equal(tested(alerts.flatMap(({ alert }) => [quiet(alert, 30), quiet(alert, 65)])), '');
});

check('no alert fires for another namespace', () => {
  const tests = alerts.map(({ alert }) => {
    const { series, minutes } = alertCases[alert] ?? { series: {}, minutes: 0 };
    const elsewhere = quiet(alert, minutes);
    return { ...elsewhere, input_series: [...elsewhere.input_series, ...inputs(series, others)] };
  });
  assert.equal(tested(tests), '');
});

check('every alert has a case, and every case has an alert', () => {
  const names = alerts.map(({ alert }) => alert);
  assert.deepEqual(Object.keys(alertCases).toSorted(), names.toSorted());
});

for (const { alert } of alerts) {
  check(`${alert} fires in its case`, () => {
    const { series, minutes } = alertCases[alert] ?? { series: {}, minutes: 0 };
    const during = {
      interval: '1m',
      // The same software in another namespace must not hide the alert.
      input_series: [...inputs(series), ...inputs(quietSeries, others)],
      alert_rule_test: [{ eval_time: `${minutes}m`, alertname: alert, exp_alerts: [] }],
    };
    // promtool reports what fired: exactly this alert, with a complete summary.
    const fired = tested([during]);
    assert.match(fired, new RegExp(`alertname: ${alert}`), fired);
    assert.match(fired, /got:[^]*alertname="/);
    assert.doesNotMatch(fired, /<no value>|error (executing|parsing)/);
  });
}
