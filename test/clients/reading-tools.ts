import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installWithApt } from '../install/apt.ts';
import { installPython } from '../install/python.ts';
import { installNpm } from '../runtimes/install-npm.ts';
import { installGo, installGoTool, installJava } from './install.ts';
import { classPath, command, maven, type Tool } from './tools.ts';

// The further generators of `pnpm try:clients --all`. Their programs read a page and a comparison of a later API.

const root = join(import.meta.dirname, '../..');
const programs = join(import.meta.dirname, 'programs/reads');

const npm = (): string =>
  installNpm([
    '@hey-api/openapi-ts@0.95.0',
    'orval@8.38.0',
    'swagger-typescript-api@13.13.0',
    'axios@1.21.1',
    'typescript@5.9.3',
    '@types/node@24.19.2',
    'esbuild@0.28.2',
  ]);
const python = (name: string): string => {
  const requirements = join(import.meta.dirname, 'requirements-all.txt');
  return join(installPython(requirements, { dir: join(root, '.tools/clients'), name: 'all' }), name);
};
const openapiGenerator =
  (language: string, ...more: string[]) =>
  (document: string) =>
    command(
      python('openapi-generator-cli'),
      'generate',
      '-i',
      document,
      '-g',
      language,
      '-o',
      'client',
      ...more,
    );

/** A client of TypeScript: strict, with the settings of a bundler, and run as a bundle. */
const typescript = (program: string, generate: Tool['generate']): Tool => ({
  isReading: true,
  install: () => void [npm(), python('python')],
  prepare: (dir) => {
    cpSync(join(programs, program), join(dir, 'program.ts'));
    writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
    symlinkSync(join(npm(), '..'), join(dir, 'node_modules'));
  },
  generate,
  compile: () => [
    command(
      join(npm(), 'tsc'),
      '--strict',
      '--noEmit',
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--types',
      'node',
      '--moduleResolution',
      'bundler',
      'program.ts',
    ),
    command(
      join(npm(), 'esbuild'),
      'program.ts',
      '--bundle',
      '--format=esm',
      '--packages=external',
      '--outfile=program.mjs',
    ),
  ],
  run: () => command(process.execPath, 'program.mjs'),
});

const script = (
  language: Omit<Tool, 'prepare' | 'run' | 'isReading'>,
  name: string,
  runtime: () => string,
): Tool => ({
  isReading: true,
  ...language,
  prepare: (dir) => cpSync(join(programs, name), join(dir, name)),
  run: () => command(runtime(), name),
});

const go = (
  name: string,
  files: Record<string, string>,
  generate: Tool['generate'],
  install: () => void,
): Tool => ({
  isReading: true,
  install,
  prepare: (dir) => {
    cpSync(join(programs, name), join(dir, 'main.go'));
    mkdirSync(join(dir, 'api'));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(dir, path), text);
  },
  generate,
  compile: () => [command('go', 'mod', 'tidy'), command('go', 'build', '-o', 'try-client', '.')],
  run: () => command('./try-client'),
});

export const readingTools: Record<string, Tool> = {
  'openapi-generator kotlin': {
    isReading: true,
    needs: 'https://repo.maven.apache.org/maven2/',
    install: () => {
      installJava();
      python('python');
    },
    prepare: (dir) => cpSync(join(programs, 'kotlin'), join(dir, 'client'), { recursive: true }),
    generate: openapiGenerator('kotlin'),
    compile: () => [
      command('mv', 'client/Program.kt', 'client/src/main/kotlin'),
      maven('--file', 'client', 'compile', classPath, '-Dmdep.outputFile=class-path'),
    ],
    run: () =>
      command('sh', '-c', 'exec java -cp "client/target/classes:$(cat client/class-path)" ProgramKt'),
  },
  progenitor: {
    isReading: true,
    needs: 'https://index.crates.io/config.json',
    install: () => undefined,
    prepare: (dir) => {
      mkdirSync(join(dir, 'src'));
      cpSync(join(programs, 'progenitor.rs'), join(dir, 'src/main.rs'));
      cpSync(join(programs, 'progenitor.toml'), join(dir, 'Cargo.toml'));
    },
    // It reads OpenAPI 3.0 only, and generates while it compiles.
    generate: (document) => command('cp', document.replace('.json', '-3.0.json'), 'openapi.json'),
    compile: () => [
      command('cargo', 'build', '--quiet', '--target-dir', join(root, '.tools/clients/progenitor')),
    ],
    run: () => command(join(root, '.tools/clients/progenitor/debug/try-client')),
  },
  'openapi-generator rust': {
    isReading: true,
    needs: 'https://index.crates.io/config.json',
    install: () => void python('python'),
    prepare: (dir) => {
      mkdirSync(join(dir, 'src'));
      cpSync(join(programs, 'openapi-generator.rs'), join(dir, 'src/main.rs'));
      const packages = ['openapi = { path = "client" }', 'serde_json = "1"'];
      const tokio = 'tokio = { version = "1", features = ["rt", "macros"] }';
      const head = '[package]\nname = "try-client"\nversion = "0.1.0"\nedition = "2021"\n';
      writeFileSync(join(dir, 'Cargo.toml'), `${head}\n[dependencies]\n${[...packages, tokio].join('\n')}\n`);
    },
    generate: openapiGenerator('rust'),
    compile: () => [command('cargo', 'build', '--quiet')],
    run: () => command('target/debug/try-client'),
  },
  'openapi-generator typescript-fetch': typescript(
    'typescript-fetch.ts',
    openapiGenerator('typescript-fetch'),
  ),
  'openapi-generator typescript-axios': typescript(
    'typescript-axios.ts',
    openapiGenerator('typescript-axios'),
  ),
  'hey-api openapi-ts': typescript('hey-api.ts', (document) =>
    command(join(npm(), 'openapi-ts'), '-i', document, '-o', 'client'),
  ),
  orval: typescript('orval.ts', (document) =>
    command(join(npm(), 'orval'), '--input', document, '--output', 'client.ts', '--client', 'fetch'),
  ),
  'swagger-typescript-api': typescript('swagger-typescript-api.ts', (document) =>
    command(join(npm(), 'swagger-typescript-api'), 'generate', '-p', document, '-o', '.', '-n', 'client.ts'),
  ),
  'openapi-generator go': go(
    'openapi-generator.go',
    {
      'go.mod':
        'module try\n\ngo 1.23\n\nrequire github.com/GIT_USER_ID/GIT_REPO_ID v0.0.0\n\nreplace github.com/GIT_USER_ID/GIT_REPO_ID => ./client\n',
    },
    openapiGenerator('go', '--global-property', 'apiTests=false'),
    () => void [installGo(), python('python')],
  ),
  'oapi-codegen': go(
    'oapi-codegen.go',
    { 'go.mod': 'module try\n\ngo 1.23\n' },
    (document) =>
      command(
        installGoTool('oapi-codegen'),
        '-generate',
        'types,client',
        '-package',
        'api',
        '-o',
        'api/api.go',
        document,
      ),
    () => void installGoTool('oapi-codegen'),
  ),
  'openapi-generator python': script(
    {
      install: () => void python('python'),
      generate: openapiGenerator('python'),
      compile: () => [command(python('python'), '-m', 'compileall', '-q', 'client')],
    },
    'openapi_generator.py',
    () => python('python'),
  ),
  'datamodel-code-generator': script(
    {
      install: () => void python('python'),
      generate: (document) =>
        command(
          python('datamodel-codegen'),
          '--input',
          document,
          '--input-file-type',
          'openapi',
          '--output',
          'models.py',
          '--output-model-type',
          'pydantic_v2.BaseModel',
          '--formatters',
          'builtin',
        ),
      compile: () => [command(python('python'), '-m', 'compileall', '-q', 'models.py')],
    },
    'datamodel_codegen.py',
    () => python('python'),
  ),
  'openapi-generator ruby': script(
    {
      install: () => {
        python('python');
        installWithApt(['ruby', 'ruby-typhoeus'], 'ruby and typhoeus are needed');
      },
      generate: openapiGenerator('ruby'),
      compile: () => [],
    },
    'openapi_generator.rb',
    () => 'ruby',
  ),
  'openapi-generator php': script(
    {
      install: () => {
        python('python');
        const packages = ['php-cli', 'php-curl', 'php-mbstring', 'php-guzzlehttp-guzzle'];
        installWithApt(packages, 'php and guzzle are needed');
      },
      generate: openapiGenerator('php'),
      compile: () => [],
    },
    'openapi_generator.php',
    () => 'php',
  ),
};
