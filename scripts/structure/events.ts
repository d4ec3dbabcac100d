import { featureOf, isTest, type SourceFile } from './rules.ts'

// An event belongs to the feature in which it happens: declared in its `server/events.ts`, emitted by no other, and heard by somebody.

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

const declared = /^\s*'([\w.]+)':/gm
const emitted = /\bemit(?:All)?\(\s*\w+,\s*'([\w.]+)'/g
const heard = /\bsubscriber\(\{[^}]*?\bon: '([\w.]+)'/g

/** Events emitted where they are not declared, declared and never emitted, or emitted for nobody: file and problem. */
export const checkEvents = (files: readonly SourceFile[]): { path: string; problem: string }[] => {
  const server = files.filter(({ path }) => /^src\/(features|platform)\//.test(path) && !isTest(path))
  const listened = new Set(server.flatMap(({ text }) => namesIn(text, heard)))
  const declarations = server
    .filter(({ path }) => /^src\/features\/.*\/server\/events\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      namesIn(text, declared).map((name) => ({ path, name, key: `${featureOf(path)} ${name}` })),
    )
  const emissions = server.flatMap(({ path, text }) =>
    namesIn(text, emitted).map((name) => ({ path, name, key: `${featureOf(path)} ${name}` })),
  )
  const declaredKeys = new Set(declarations.map(({ key }) => key))
  const emittedKeys = new Set(emissions.map(({ key }) => key))
  return [
    ...emissions
      .filter(({ key }) => !declaredKeys.has(key))
      .map(({ path, name }) => ({
        path,
        problem: `emits ${name}, which this feature does not declare in its events.ts`,
      })),
    ...declarations.flatMap(({ path, name, key }) => [
      ...(emittedKeys.has(key) ? [] : [{ path, problem: `${name} is never emitted by its feature` }]),
      ...(listened.has(name) ? [] : [{ path, problem: `nobody listens to ${name}; what nobody hears is not emitted` }]),
    ]),
  ]
}
