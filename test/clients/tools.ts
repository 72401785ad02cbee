import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installNpm } from '../runtimes/install-npm.ts';
import { installGoTool, installJava, installPythonTools, mavenRepository } from './install.ts';

export type Command = { program: string; args: string[] };
/** Commands for one generator, run in its own directory. `document` is the file of the OpenAPI document. */
export type Tool = {
  /** Its program only reads, from an API that is later than the client. */
  isReading?: true;
  /** Address without which the tool cannot work. */
  needs?: string;
  install(): void;
  /** Puts the program that uses the client, and what it needs, into the directory. */
  prepare(dir: string): void;
  generate(document: string): Command;
  compile: () => Command[];
  run: () => Command;
};

const programs = join(import.meta.dirname, 'programs');
export const command = (program: string, ...args: string[]): Command => ({ program, args });
const python = (name: string): string => join(installPythonTools(), name);
const copy = (name: string) => (dir: string) => cpSync(join(programs, name), join(dir, name));

const strict = ['--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--types', 'node'];
const npmTools = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  '@types/node@24.19.2',
];
const npm = (name: string): string => join(installNpm(npmTools), name);

export const maven = (...args: string[]): Command =>
  command('mvn', '--quiet', '--batch-mode', `-Dmaven.repo.local=${mavenRepository}`, ...args);
export const classPath = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';

/** The slowest first, so that none of them is left alone at the end. */
export const tools: Record<string, Tool> = {
  'openapi-generator java': {
    needs: 'https://repo.maven.apache.org/maven2/',
    install: () => {
      installJava();
      installPythonTools();
    },
    prepare: copy('TryClient.java'),
    // `containerDefaultToNull`: otherwise the client sends empty arrays for omitted ones.
    generate: (document) =>
      command(
        python('openapi-generator-cli'),
        'generate',
        '-i',
        document,
        '-g',
        'java',
        '-o',
        'client',
        '--additional-properties=containerDefaultToNull=true',
      ),
    compile: () => [
      command('cp', 'TryClient.java', 'client/src/main/java'),
      maven('--file', 'client', 'compile', classPath, '-Dmdep.outputFile=class-path'),
    ],
    run: () =>
      command('sh', '-c', 'exec java -cp "client/target/classes:$(cat client/class-path)" TryClient'),
  },
  ogen: {
    install: () => void installGoTool('ogen'),
    prepare: (dir) => {
      cpSync(join(programs, 'ogen'), dir, { recursive: true });
      mkdirSync(join(dir, 'api'));
    },
    // Without paths in the program, an unchanged client is compiled only once.
    compile: () => [command('go', 'build', '-trimpath', '-o', 'try-client', '.')],
    run: () => command('./try-client'),
    generate: (document) => command(installGoTool('ogen'), '--target', 'api', '--package', 'api', document),
  },
  'openapi-typescript with openapi-fetch': {
    install: () => void installNpm(npmTools),
    prepare: (dir) => {
      copy('openapi-fetch.ts')(dir);
      writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
      symlinkSync(npm('..'), join(dir, 'node_modules'));
    },
    // Otherwise a field with a default is required in a request.
    generate: (document) =>
      command(npm('openapi-typescript'), document, '-o', 'api.ts', '--default-non-nullable', 'false'),
    compile: () => [
      command(
        npm('tsc'),
        ...strict,
        '--module',
        'nodenext',
        '--noEmit',
        '--allowImportingTsExtensions',
        'openapi-fetch.ts',
      ),
    ],
    run: () => command(process.execPath, 'openapi-fetch.ts'),
  },
  'openapi-python-client': {
    install: () => void installPythonTools(),
    prepare: copy('openapi_python_client.py'),
    generate: (document) =>
      command(
        'env',
        // It warns without the formatter.
        `PATH=${python('')}:${process.env['PATH'] ?? ''}`,
        python('openapi-python-client'),
        'generate',
        '--path',
        document,
        '--meta',
        'none',
        '--output-path',
        'client',
      ),
    compile: () => [command(python('python'), '-m', 'compileall', '-q', 'client')],
    run: () => command(python('python'), 'openapi_python_client.py'),
  },
};
