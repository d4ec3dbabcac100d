import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
/** Spellings of the other side of the Atlantic, of words that a lawn business reads. */
const foreign =
  /\b(colours?|optimis\w+|cancell(?:ed|ing)|behaviours?|organis\w+|favourites?|licences?|neighbours?|honour\w*|catalogues?|labour|recognis\w+|customis\w+|summaris\w+|authoris\w+|judgement|fulfil|grey|kerb|tyres?)\b/i

test('what a person reads is spelled as Americans spell', () => {
  const files = ['src', 'web'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  const found = files
    .filter((file) => /\.(tsx?|html|css)$/.test(file) && !file.includes('.test.'))
    .flatMap((file) =>
      readFileSync(new URL(file, root), 'utf8')
        .split('\n')
        // what an outside format calls so stays as it is there
        .map((line) => line.replace(/ICalEventStatus\.CANCELLED/g, ''))
        .flatMap((line, at) => (foreign.test(line) ? [`${file}:${at + 1} ${foreign.exec(line)?.[0]}`] : [])),
    )
  expect(found).toEqual([])
})
