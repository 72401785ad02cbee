/**
 * Packs clients/sdk for partners: ES modules, CommonJS and types, the command line in one file, README, examples, and a
 * manifest without workspace fields.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(import.meta.dirname, '..');
const sdk = join(root, 'clients/sdk');
const formats = { esm: 'module', cjs: 'commonjs' } as const;

type Manifest = Record<string, unknown> & { name: string; version: string };

const writeJson = (path: string, value: object): void =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

const readManifest = (): Manifest => JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8')) as Manifest;

const entry = (format: keyof typeof formats, name: string) => ({
  types: `./dist/${format}/${name}.d.ts`,
  default: `./dist/${format}/${name}.js`,
});

/** The manifest without `private`, development dependencies and source exports. */
function publicManifest(): Manifest {
  const { private: _, devDependencies: __, ...kept } = readManifest();
  const both = (name: string) => ({ import: entry('esm', name), require: entry('cjs', name) });
  return {
    ...kept,
    files: ['dist', 'examples', 'testing', 'CHANGELOG.md', 'THIRD_PARTY_LICENSES.txt'],
    main: './dist/cjs/index.js',
    module: './dist/esm/index.js',
    types: './dist/cjs/index.d.ts',
    bin: { 'brand-visibility': 'dist/brand-visibility.cjs' },
    exports: {
      '.': both('index'),
      './testing': both('testing'),
      './package.json': './package.json',
    },
  };
}

/** Compiles the sources once as ES modules and once as CommonJS. The type of the nearest manifest decides. */
function compile(stage: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  for (const [format, type] of Object.entries(formats)) {
    const source = join(stage, 'build', format);
    cpSync(join(sdk, 'src'), join(source, 'src'), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    });
    writeJson(join(source, 'package.json'), { type });
    writeJson(join(source, 'tsconfig.json'), {
      extends: join(sdk, 'tsconfig.json'),
      compilerOptions: {
        rootDir: 'src',
        outDir: join(stage, 'dist', format),
        composite: false,
        incremental: false,
        tsBuildInfoFile: null,
        sourceMap: false,
        declaration: true,
        verbatimModuleSyntax: type === 'module',
      },
      include: ['src/**/*.ts'],
    });
    execFileSync(process.execPath, [tsc, '-p', join(source, 'tsconfig.json')], { stdio: 'inherit' });
    writeJson(join(stage, 'dist', format, 'package.json'), { type, sideEffects: false });
  }
  rmSync(join(stage, 'build'), { recursive: true });
  // The compiler rewrites the extension of imports in JavaScript only.
  for (const path of globSync(join(stage, 'dist/**/*.d.ts'))) {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/(?<=from '\.[^']+)\.ts(?=')/g, '.js'));
  }
}

/** The licence of every package that is part of the bundle. */
function licences(inputs: string[]): string {
  const folders = inputs.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    ) as { name: string; version: string; license: string };
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, folder) });
    const text = file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Bundles the command line with its packages, so that the SDK has no dependencies. */
function bundleCli(stage: string): void {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: [join(sdk, 'cli/main.ts')],
    outfile: join(stage, 'dist/brand-visibility.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    conditions: ['module'],
    // The command line imports the SDK by its name.
    external: ['@bv/sdk', '@bv/sdk/*'],
    banner: { js: '#!/usr/bin/env node' },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(join(stage, 'THIRD_PARTY_LICENSES.txt'), licences(Object.keys(metafile.inputs)));
}

/** Creates the content of the package in `stage`. */
function stageSdk(stage: string): void {
  compile(stage);
  bundleCli(stage);
  for (const name of ['README.md', 'CHANGELOG.md', 'examples']) {
    cpSync(join(sdk, name), join(stage, name), { recursive: true });
  }
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  // TypeScript with `moduleResolution: node10` ignores `exports`.
  mkdirSync(join(stage, 'testing'));
  writeJson(join(stage, 'testing/package.json'), {
    main: '../dist/cjs/testing.js',
    module: '../dist/esm/testing.js',
    types: '../dist/cjs/testing.d.ts',
  });
  writeJson(join(stage, 'package.json'), publicManifest());
}

/** Creates the tarball in `outDir` and returns its path. */
export function packSdk(outDir: string): string {
  const stage = mkdtempSync(join(tmpdir(), 'bv-sdk-pack-'));
  try {
    stageSdk(stage);
    const args = ['pack', '--silent', '--pack-destination', resolve(outDir)];
    const file = execFileSync('npm', args, { cwd: stage, encoding: 'utf8' }).trim();
    return join(resolve(outDir), file);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
