import type { SourceFile } from './rules.ts'

// A transaction is one connection. When one of several queries at once fails, the rollback may leave before the others, which then run outside
// of it: harmless for a read, while a write would stay.

/** The text between the parenthesis at `open` and the one that closes it. */
const inside = (text: string, open: number): string => {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')' && --depth === 0) return text.slice(open + 1, at)
  }
  return text.slice(open + 1)
}

const ownTransaction = /\b(?:withTenant|withProspects|inOneTransaction)\(|\.db\(/

/** Without what opens a transaction of its own: several of those may well run beside each other. */
const shared = (text: string): string => {
  const match = ownTransaction.exec(text)
  if (!match) return text
  const open = match.index + match[0].length - 1
  return shared(text.slice(0, match.index) + text.slice(open + inside(text, open).length + 2))
}

const statement =
  /\.(insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`]*?>)?`\s*(insert|update|delete|merge)\b/gi
const effect = /\b(audit|emit|enqueue|publishChange|publishProgress|queueMessage)\(/g
const onTheTransaction = /\b([a-z]\w*)\(\s*db\b/g
const command = /\b([a-z]\w*Tx)\(/g
const read = /^(?:list|find|get|count|has|is)[A-Z]|^execute$|Of$/
const watched = /^src\/(?:platform|local|demo|test)\/|^src\/features\/.*\/server\/|^bench\/|^e2e\//

const names = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '')

/** Why what stands under one `Promise.all` of a transaction does not: only reads may. In `queries.ts`, which never writes, a read has any name. */
export const checkTogether = ({ path, text }: SourceFile): string[] => {
  if (!watched.test(path)) return []
  const reads = path.endsWith('/queries.ts')
  return [...text.matchAll(/\bPromise\.(?:all|allSettled)\(/g)].flatMap((match) => {
    const part = shared(inside(text, match.index + match[0].length - 1))
    const calls = [...names(part, command), ...(reads ? [] : names(part, onTheTransaction))]
    const found = [...names(part, statement), ...names(part, effect), ...calls.filter((name) => !read.test(name))]
    const line = text.slice(0, match.index).split('\n').length
    return [...new Set(found)].map(
      (name) => `line ${line}: ${name} under Promise.all; in a transaction only reads run at once, the rest one by one`,
    )
  })
}
